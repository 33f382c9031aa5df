//! Estimates the size of a contraction in which each vertex is replaced by several copies.

use super::Contraction;

/// The estimated size of a contraction, which determines its memory and the work of customization and
/// queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkEstimate {
    /// The number of vertices.
    pub vertices: f64,
    /// The number of arcs, including shortcuts. Memory and customization grow with it.
    pub arcs: f64,
    /// The average number of arcs on the chain of a vertex, the number that one side of a query scans.
    pub chain_arcs: f64,
}

impl Contraction {
    /// Estimates the size of this contraction if each vertex were replaced by `copies(vertex)` vertices.
    /// The copies are adjacent to each other and to everything that the vertex is adjacent to, and have
    /// consecutive ranks.
    pub fn estimate_work(&self, copies: impl Fn(u32) -> u32) -> WorkEstimate {
        let copies = self
            .vertices
            .iter()
            .map(|&vertex| f64::from(copies(vertex)));
        let copies: Vec<f64> = copies.collect();
        // The number of copies in the subtree of each rank, including the rank itself. Parents come after
        // their children.
        let mut subtree_copies = copies.clone();
        for (rank, &parent) in self.parents.iter().enumerate() {
            if parent as usize != rank {
                subtree_copies[parent as usize] += subtree_copies[rank];
            }
        }
        let vertices: f64 = copies.iter().sum();
        let (mut arcs, mut on_chains) = (0.0, 0.0);
        for (rank, heads) in self.up().iter().enumerate() {
            let above: f64 = heads.iter().map(|&head| copies[head as usize]).sum();
            let of_rank = copies[rank] * (above + (copies[rank] - 1.0) / 2.0);
            arcs += of_rank;
            on_chains += of_rank * subtree_copies[rank];
        }
        WorkEstimate {
            vertices,
            arcs,
            chain_arcs: on_chains / vertices.max(1.0),
        }
    }
}
