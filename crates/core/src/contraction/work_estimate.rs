//! How much there would be to do if every vertex stood for several.

use super::Contraction;

/// What a contraction comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkEstimate {
    /// Vertices.
    pub vertices: f64,
    /// Arcs, shortcuts included: what there is to keep and to customize.
    pub arcs: f64,
    /// Arcs on the chain of a vertex, on average: what one side of a query looks at.
    pub chain_arcs: f64,
}

impl Contraction {
    /// What it would come to if `copies` vertices stood where one is, adjacent to one another and to
    /// all that it is adjacent to, and ranked one after the other.
    pub fn estimate_work(&self, copies: impl Fn(u32) -> u32) -> WorkEstimate {
        let copies = self
            .vertices
            .iter()
            .map(|&vertex| f64::from(copies(vertex)));
        let copies: Vec<f64> = copies.collect();
        // What hangs under each rank, itself included: ranks ascend to their parents.
        let mut under = copies.clone();
        for (rank, &parent) in self.parents.iter().enumerate() {
            if parent as usize != rank {
                under[parent as usize] += under[rank];
            }
        }
        let vertices: f64 = copies.iter().sum();
        let (mut arcs, mut on_chains) = (0.0, 0.0);
        for (rank, heads) in self.up.iter().enumerate() {
            let above: f64 = heads.iter().map(|&head| copies[head as usize]).sum();
            let of_rank = copies[rank] * (above + (copies[rank] - 1.0) / 2.0);
            arcs += of_rank;
            on_chains += of_rank * under[rank];
        }
        WorkEstimate {
            vertices,
            arcs,
            chain_arcs: on_chains / vertices.max(1.0),
        }
    }
}
