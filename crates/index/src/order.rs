//! The contraction order of the vertices of a portal graph.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use portolan_core::PortalGraph;
use portolan_core::graph::Origin;

use crate::cells::{CellGraph, PortalEdges};
#[cfg(feature = "metis")]
use crate::dissection::dissect_weighted;
use crate::minimum_degree::edges_by_degree;
use crate::multilevel::bisect;
use crate::{IndexError, OrderMethod, OrderOptions};

/// Pieces of at most this many portals are ordered by minimum degree instead of being bisected. With twice
/// as many, the chains of `rooms` get longer.
const MAX_BY_DEGREE: usize = 32;

/// From this many cells on, the two halves are dissected in parallel.
const MIN_PARALLEL: usize = 1000;

/// Computes a nested dissection order of the vertices of a portal graph, for
/// [`World::with_contraction`](portolan_core::World::with_contraction). A small set of portals separates
/// the graph into two parts. It comes last in the order, after both parts, which are ordered in the same
/// way. The samples of a portal are consecutive.
///
/// The same graph and options give the same order, on any number of threads.
///
/// ```
/// use portolan_core::World;
/// use portolan_scenes::{WorldOptions, WorldScene};
/// use portolan_index::{OrderOptions, order};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &Default::default())?;
/// let order = order(world.graph(), &OrderOptions::default())?;
/// let world = world.with_contraction(order)?;
/// assert!(world.contraction().unwrap().depth() < 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn order(graph: &PortalGraph, options: &OrderOptions) -> Result<Vec<u32>, IndexError> {
    order_weighted(graph, |_, samples| samples, options)
}

/// Computes an order as [`order`] does, with weights for portals. `weight` is called with the origin of the
/// portal and its number of samples. Separators prefer light portals. Weights are clamped to at least 1,
/// and so that their sum fits into 31 bits.
pub fn order_weighted(
    graph: &PortalGraph,
    weight: impl Fn(Origin, u32) -> u32,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    order_with_progress(graph, weight, options, &|_| ControlFlow::Continue(()))
}

/// Computes an order as [`order_weighted`] does, and calls `progress` with the fraction that is done. If it
/// breaks, the function returns [`IndexError::Stopped`]. METIS reports no progress and cannot be stopped.
pub(crate) fn order_with_progress(
    graph: &PortalGraph,
    weight: impl Fn(Origin, u32) -> u32,
    options: &OrderOptions,
    progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
) -> Result<Vec<u32>, IndexError> {
    options.check()?;
    let PortalEdges { cells, offsets } = PortalEdges::new(graph, weight);
    let edges = match options.method {
        OrderMethod::Flow => {
            let count = cells.edges.len();
            let dissection = Dissection {
                options,
                progress,
                done: AtomicUsize::new(0),
                count,
            };
            let mut edges = Vec::with_capacity(count);
            match dissection.dissect(cells, &mut edges) {
                ControlFlow::Continue(()) => edges,
                ControlFlow::Break(()) => return Err(IndexError::Stopped),
            }
        }
        #[cfg(feature = "metis")]
        OrderMethod::Metis => {
            let weights: Vec<u32> = cells.edges.iter().map(|edge| edge.weight as u32).collect();
            dissect_weighted(&weights, cells.adjacent(), options.separators, options.seed)?
        }
        #[cfg(not(feature = "metis"))]
        OrderMethod::Metis => return Err(IndexError::NoMetis("an order by METIS")),
    };
    let samples = |edge: u32| offsets[edge as usize]..offsets[edge as usize + 1];
    Ok(edges.into_iter().flat_map(samples).collect())
}

/// A nested dissection in progress.
struct Dissection<'a> {
    options: &'a OrderOptions,
    progress: &'a (dyn Fn(f32) -> ControlFlow<()> + Sync),
    /// The number of edges that already have a rank.
    done: AtomicUsize,
    /// The number of all edges.
    count: usize,
}

impl Dissection<'_> {
    /// Appends the edges of some cells to the order: those of both halves, then those between the halves.
    fn dissect(&self, cells: CellGraph, order: &mut Vec<u32>) -> ControlFlow<()> {
        if cells.edges.len() <= MAX_BY_DEGREE || cells.len() < 2 {
            edges_by_degree(&cells, order);
            return self.count_ranked(cells.edges.len());
        }
        let (groups, count) = cells.components();
        if count > 1 {
            let (components, _) = cells.split(&groups, count);
            return components
                .into_iter()
                .try_for_each(|component| self.dissect(component, order));
        }
        let second = bisect(&cells, self.options.separators, self.options.seed);
        let groups: Vec<u32> = second.into_iter().map(u32::from).collect();
        let is_parallel = cells.len() >= MIN_PARALLEL;
        let (mut halves, cut) = cells.split(&groups, 2);
        let second = halves.pop().expect("two halves");
        let first = halves.pop().expect("two halves");
        if is_parallel {
            let mut after = Vec::with_capacity(second.edges.len());
            let (first, second) = rayon::join(
                || self.dissect(first, order),
                || self.dissect(second, &mut after),
            );
            first?;
            second?;
            order.append(&mut after);
        } else {
            self.dissect(first, order)?;
            self.dissect(second, order)?;
        }
        order.extend(cut.iter().map(|edge| edge.id));
        self.count_ranked(cut.len())
    }

    /// Counts edges that have just got a rank, and reports progress.
    fn count_ranked(&self, edges: usize) -> ControlFlow<()> {
        let done = self.done.fetch_add(edges, Ordering::Relaxed) + edges;
        (self.progress)(done as f32 / self.count.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;
    use crate::cells::CellEdge;

    fn cells(count: u32, edges: impl Iterator<Item = [u32; 2]>) -> CellGraph {
        let edges = edges.zip(0..).map(|(cells, id)| CellEdge {
            cells,
            id,
            weight: 1,
        });
        CellGraph {
            centres: (0..count)
                .map(|cell| vec3((cell % 70) as f32, 0.0, (cell / 70) as f32))
                .collect(),
            weights: vec![1; count as usize],
            removed: vec![0; count as usize],
            edges: edges.collect(),
        }
    }

    fn check_order(cells: CellGraph) -> Vec<u32> {
        let count = cells.edges.len() as u32;
        let mut order = Vec::new();
        let dissection = Dissection {
            options: &OrderOptions::default(),
            progress: &|_| ControlFlow::Continue(()),
            done: AtomicUsize::new(0),
            count: cells.edges.len(),
        };
        assert!(dissection.dissect(cells, &mut order).is_continue());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count));
        order
    }

    #[test]
    fn a_star_is_ordered_although_it_cannot_be_bisected() {
        check_order(cells(30_000, (1..30_000).map(|cell| [0, cell])));
    }

    #[test]
    fn two_cells_with_many_edges_are_ordered() {
        check_order(cells(2, (0..1000).map(|_| [0, 1])));
    }

    #[test]
    fn loops_are_ordered() {
        check_order(cells(1, (0..500).map(|_| [0, 0])));
    }

    #[test]
    fn the_last_edge_bisects_a_row() {
        let order = check_order(cells(70, (1..70).map(|cell| [cell - 1, cell])));
        assert!((20..50).contains(order.last().unwrap()), "{order:?}");
    }
}
