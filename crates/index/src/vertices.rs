//! Nested dissection orders of plain vertices that have positions, by inertial flow.
//!
//! A flow cuts edges. The smallest set of vertices that touches all cut edges is a vertex separator.

use glam::Vec3;

use crate::cells::{CellEdge, CellGraph};
use crate::cover::cover;
#[cfg(feature = "metis")]
use crate::dissection::dissect_weighted;
use crate::minimum_degree::vertices_by_degree;
use crate::multilevel::bisect;
use crate::{IndexError, OrderMethod, OrderOptions};

/// Pieces of at most this many vertices are ordered by minimum degree instead of being bisected.
const MAX_BY_DEGREE: usize = 32;

/// From this many vertices on, the two halves are dissected in parallel.
const MIN_PARALLEL: usize = 1000;

/// A piece of the graph.
struct SubGraph {
    /// The vertices as cells, and the edges between them.
    cells: CellGraph,
    /// The number of each vertex in the complete graph.
    ids: Vec<u32>,
}

/// Computes a nested dissection order of plain vertices, for a
/// [`Contraction`](portolan_core::contraction::Contraction). A small set of vertices separates the graph
/// into two parts. It comes last in the order, after both parts, which are ordered in the same way. `pairs`
/// are the edges, which may repeat, in any order. The y coordinate of a point is its height.
///
/// The same points, pairs and options give the same order, on any number of threads.
///
/// # Panics
/// Panics if a pair names a point that does not exist.
pub fn order_points(
    points: Vec<Vec3>,
    pairs: impl Iterator<Item = [u32; 2]>,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    options.check()?;
    match options.method {
        OrderMethod::Flow => Ok(order_by_flow(points, pairs, options)),
        #[cfg(feature = "metis")]
        OrderMethod::Metis => {
            let weights = vec![1; points.len()];
            dissect_weighted(&weights, pairs, options.separators, options.seed)
        }
        #[cfg(not(feature = "metis"))]
        OrderMethod::Metis => Err(IndexError::NoMetis("an order by METIS")),
    }
}

fn order_by_flow(
    positions: Vec<Vec3>,
    edges: impl Iterator<Item = [u32; 2]>,
    options: &OrderOptions,
) -> Vec<u32> {
    let count = positions.len();
    let edges = edges.filter(|[a, b]| a != b).zip(0..);
    let edges = edges.map(|(cells, id)| CellEdge {
        cells,
        id,
        weight: 1,
    });
    let cells = CellGraph {
        weights: vec![1; count],
        removed: vec![0; count],
        centres: positions,
        edges: edges.collect(),
    };
    let ids = (0..count as u32).collect();
    let mut order = Vec::with_capacity(count);
    dissect_piece(SubGraph { cells, ids }, options, &mut order);
    order
}

/// Appends the vertices of a piece to the order: those of both halves, then those between the halves.
fn dissect_piece(piece: SubGraph, options: &OrderOptions, order: &mut Vec<u32>) {
    if piece.cells.len() <= MAX_BY_DEGREE {
        return vertices_by_degree(&piece.cells, &piece.ids, order);
    }
    let (groups, count) = piece.cells.components();
    if count > 1 {
        for component in piece.split(&groups, count) {
            dissect_piece(component, options, order);
        }
        return;
    }
    let second = bisect(&piece.cells, options.separators, options.seed);
    let groups = separate(&piece.cells, &second);
    let is_parallel = piece.cells.len() >= MIN_PARALLEL;
    let parts = piece.split(&groups, 3);
    let [first, second, between] = <[SubGraph; 3]>::try_from(parts).ok().expect("three parts");
    if is_parallel {
        let mut after = Vec::with_capacity(second.ids.len());
        rayon::join(
            || dissect_piece(first, options, order),
            || dissect_piece(second, options, &mut after),
        );
        order.append(&mut after);
    } else {
        dissect_piece(first, options, order);
        dissect_piece(second, options, order);
    }
    order.extend(between.ids);
}

/// Returns the group of each vertex: 0 or 1 for its half, and 2 if it is in the minimum separator between
/// the halves.
fn separate(cells: &CellGraph, second: &[bool]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut indexes = vec![NONE; cells.len()];
    let mut endpoints: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    let mut index_of = |vertex: u32| {
        let endpoints = &mut endpoints[usize::from(second[vertex as usize])];
        let index = &mut indexes[vertex as usize];
        if *index == NONE {
            *index = endpoints.len() as u32;
            endpoints.push(vertex);
        }
        *index
    };
    let mut cut = Vec::new();
    for edge in &cells.edges {
        let [a, b] = edge.cells;
        match (second[a as usize], second[b as usize]) {
            (false, true) => cut.push([index_of(a), index_of(b)]),
            (true, false) => cut.push([index_of(b), index_of(a)]),
            _ => {}
        }
    }
    let covered = cover([endpoints[0].len(), endpoints[1].len()], &cut);
    let mut groups: Vec<u32> = second.iter().map(|&is| u32::from(is)).collect();
    for (endpoints, covered) in endpoints.iter().zip(&covered) {
        for (&vertex, _) in endpoints.iter().zip(covered).filter(|&(_, &is)| is) {
            groups[vertex as usize] = 2;
        }
    }
    groups
}

impl SubGraph {
    /// Splits the piece into groups, which are numbered from 0.
    fn split(self, groups: &[u32], count: usize) -> Vec<Self> {
        let mut ids = vec![Vec::new(); count];
        for (&id, &group) in self.ids.iter().zip(groups) {
            ids[group as usize].push(id);
        }
        let (parts, _) = self.cells.split(groups, count);
        let pieces = parts.into_iter().zip(ids);
        pieces.map(|(cells, ids)| Self { cells, ids }).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    fn check_order(count: u32, edges: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
        let position = |vertex: u32| vec3((vertex % 70) as f32, 0.0, (vertex / 70) as f32);
        let positions = (0..count).map(position).collect();
        let order = order_by_flow(positions, edges, &OrderOptions::default());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count));
        order
    }

    #[test]
    fn a_star_is_separated_by_its_hub() {
        let order = check_order(30_000, (1..30_000).map(|vertex| [0, vertex]));
        assert_eq!(order.last(), Some(&0));
    }

    #[test]
    fn isolated_vertices_are_ordered() {
        check_order(500, std::iter::empty());
        assert!(check_order(0, std::iter::empty()).is_empty());
    }

    #[test]
    fn a_complete_graph_is_ordered() {
        check_order(60, (0..60).flat_map(|a| (0..a).map(move |b| [a, b])));
    }

    #[test]
    fn the_last_vertex_bisects_a_row() {
        let order = check_order(70, (1..70).map(|vertex| [vertex - 1, vertex]));
        assert!((20..50).contains(order.last().unwrap()), "{order:?}");
    }
}
