//! Partitions a mesh level by level, from the polygons upwards.

use std::ops::ControlFlow;

use oorandom::Rand32;
use portolan_core::{NavMesh, NodeId, Partition};

use crate::graph::Graph;
use crate::options::check_partition;
use crate::split::Splitter;
use crate::{IndexError, PartitionOptions};

/// Merges the polygons of a mesh into nodes, those into nodes of the next level, and so on. Every node is
/// connected, by portals or links. The same mesh and options give the same partition on the same platform,
/// on any thread, as long as nothing else in the process calls libc's `rand` at the same time.
///
/// METIS installs handlers for SIGTERM and SIGABRT while it runs. If a SIGTERM arrives on the thread that
/// called METIS, the result is [`IndexError::Metis`]. It is not safe if the signal arrives on another thread.
///
/// There may be fewer levels than requested. There are none if no connected component has enough polygons
/// for two nodes.
pub fn partition(mesh: &NavMesh, options: &PartitionOptions) -> Result<Partition, IndexError> {
    partition_with_progress(mesh, options, &|_, _| ControlFlow::Continue(()))
}

/// Partitions a mesh as [`partition`] does, and calls `progress` with the work that is done and the total
/// work, both as polygons summed over all levels. If it breaks, the function returns
/// [`IndexError::Stopped`].
pub fn partition_with_progress(
    mesh: &NavMesh,
    options: &PartitionOptions,
    progress: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Result<Partition, IndexError> {
    check_partition(options)?;
    nest(Graph::from_mesh(mesh, options)?, options, progress)
}

/// Partitions any cells as [`partition`] does, given the pairs of neighbouring cells. Pairs may repeat.
///
/// # Panics
/// Panics if a pair names a cell that does not exist.
pub fn partition_pairs(
    cells: usize,
    pairs: impl Iterator<Item = [u32; 2]>,
    options: &PartitionOptions,
) -> Result<Partition, IndexError> {
    check_partition(options)?;
    let graph = Graph::from_cells(cells, pairs, options)?;
    nest(graph, options, &|_, _| ControlFlow::Continue(()))
}

/// Merges the nodes of a graph, level by level.
fn nest(
    mut graph: Graph,
    options: &PartitionOptions,
    progress: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Result<Partition, IndexError> {
    let cells = graph.len();
    let max_levels = options.max_levels as usize;
    let total = cells * max_levels;
    let report = |done: usize| match progress(done, total) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(IndexError::Stopped),
    };
    report(0)?;
    let mut node_of: Vec<NodeId> = (0..cells).map(NodeId::new).collect();
    let mut levels = Vec::with_capacity(max_levels);
    while levels.len() < max_levels {
        let (nodes, mut merged) = (graph.len().max(1), 0);
        let mut report_nodes = |more: usize| {
            merged += more;
            report(levels.len() * cells + (merged as u64 * cells as u64 / nodes as u64) as usize)
        };
        let Some((parts, count)) = merge(&graph, options, &mut report_nodes)? else {
            break;
        };
        graph = graph.merged(&parts, count)?;
        for node in &mut node_of {
            *node = NodeId(parts[node.index()]);
        }
        levels.push(node_of.clone());
    }
    report(total)?;
    Ok(Partition::new(cells, levels).expect("parts have no gaps and are nested"))
}

/// Returns the node of the next level for each node, and the number of new nodes. Returns `None` if the
/// next level would have no two neighbouring nodes, or as many nodes as this level.
fn merge(
    graph: &Graph,
    options: &PartitionOptions,
    progress: &mut dyn FnMut(usize) -> Result<(), IndexError>,
) -> Result<Option<(Vec<u32>, usize)>, IndexError> {
    let merge_factor = options.merge_factor as usize;
    let mut splitter = Splitter {
        merge_factor,
        // METIS takes 31 bits.
        seed: (Rand32::new(options.seed).rand_u32() >> 1) as i32,
        progress,
    };
    let components = graph.pieces(&vec![0; graph.len()]);
    let mut indexes = vec![0; graph.len()];
    let (mut of, mut count) = (vec![0; graph.len()], 0);
    for nodes in &components {
        let component = graph.subgraph(nodes, &mut indexes);
        let (within, more) = splitter.split(&component, nodes.len() / merge_factor)?;
        for (&node, part) in nodes.iter().zip(within) {
            of[node as usize] = count + part;
        }
        count += more as u32;
    }
    let count = count as usize;
    // One part per component would have no inter-edges, and as many parts as nodes would merge nothing.
    let is_level = count > components.len() && count < graph.len();
    Ok(is_level.then_some((of, count)))
}
