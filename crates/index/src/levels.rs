//! Level by level, from the polygons upwards.

use std::ops::ControlFlow;

use oorandom::Rand32;
use portolan_core::{NavMesh, NodeId, Partition};

use crate::graph::Graph;
use crate::options::check_partition;
use crate::split::Splitter;
use crate::{IndexError, PartitionOptions};

/// Merges the polygons of a mesh into nodes, those into nodes of the next level, and so on. Every
/// node is connected, by portals or links. The same mesh and options give the same partition on a
/// platform, on any thread, as long as nobody else in the process calls libc's `rand` meanwhile.
///
/// METIS takes SIGTERM and SIGABRT to itself while it runs: a SIGTERM ends in
/// [`IndexError::Metis`] on the thread that called, and is not safe on another.
///
/// There may be fewer levels than asked for, and none on a mesh of which no connected component has
/// polygons for two nodes.
pub fn partition(mesh: &NavMesh, options: &PartitionOptions) -> Result<Partition, IndexError> {
    partition_with_progress(mesh, options, &|_, _| ControlFlow::Continue(()))
}

/// As [`partition`], and tells `watch` how much is done out of how much, in polygons of all levels,
/// in order. Where it breaks, the partition ends with [`IndexError::Stopped`].
pub fn partition_with_progress(
    mesh: &NavMesh,
    options: &PartitionOptions,
    watch: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Result<Partition, IndexError> {
    check_partition(options)?;
    nest(Graph::from_mesh(mesh, options)?, options, watch)
}

/// As [`partition`], for any cells and the pairs of them that are neighbours. Pairs may repeat.
///
/// # Panics
/// When a pair names a cell that does not exist.
pub fn partition_pairs(
    cells: usize,
    pairs: impl Iterator<Item = [u32; 2]>,
    options: &PartitionOptions,
) -> Result<Partition, IndexError> {
    check_partition(options)?;
    let graph = Graph::from_cells(cells, pairs, options)?;
    nest(graph, options, &|_, _| ControlFlow::Continue(()))
}

/// Merges the nodes of a graph, its cells, level by level.
fn nest(
    mut graph: Graph,
    options: &PartitionOptions,
    watch: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Result<Partition, IndexError> {
    let cells = graph.len();
    let most_levels = options.max_levels as usize;
    let total = cells * most_levels;
    let report = |done: usize| match watch(done, total) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(IndexError::Stopped),
    };
    report(0)?;
    let mut node_of: Vec<NodeId> = (0..cells).map(NodeId::new).collect();
    let mut levels = Vec::with_capacity(most_levels);
    while levels.len() < most_levels {
        let (nodes, mut merged) = (graph.len().max(1), 0);
        let mut watch_nodes = |more: usize| {
            merged += more;
            report(levels.len() * cells + (merged as u64 * cells as u64 / nodes as u64) as usize)
        };
        let Some((parts, count)) = merge(&graph, options, &mut watch_nodes)? else {
            break;
        };
        graph = graph.merged(&parts, count)?;
        for node in &mut node_of {
            *node = NodeId(parts[node.index()]);
        }
        levels.push(node_of.clone());
    }
    report(total)?;
    Ok(Partition::new(cells, levels).expect("parts without gaps, each level made of the last"))
}

/// The node of the next level for each of this one, and their number; `None` where there would be no
/// two nodes beside each other.
fn merge(
    graph: &Graph,
    options: &PartitionOptions,
    watch: &mut dyn FnMut(usize) -> Result<(), IndexError>,
) -> Result<Option<(Vec<u32>, usize)>, IndexError> {
    let merge_factor = options.merge_factor as usize;
    let mut splitter = Splitter {
        merge_factor,
        // METIS takes 31 bits.
        seed: (Rand32::new(options.seed).rand_u32() >> 1) as i32,
        watch,
    };
    let components = graph.pieces(&vec![0; graph.len()]);
    let mut places = vec![0; graph.len()];
    let (mut of, mut count) = (vec![0; graph.len()], 0);
    for nodes in &components {
        let component = graph.of_some(nodes, &mut places);
        let (within, more) = splitter.split(&component, nodes.len() / merge_factor)?;
        for (&node, part) in nodes.iter().zip(within) {
            of[node as usize] = count + part;
        }
        count += more as u32;
    }
    let count = count as usize;
    // One part a component joins nothing that is apart; as many parts as nodes merge nothing.
    let is_level = count > components.len() && count < graph.len();
    Ok(is_level.then_some((of, count)))
}
