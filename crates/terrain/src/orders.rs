//! Triangles of natural ground: their order for a contraction, and their nodes for HNA*.

use glam::Vec3Swizzles;
#[cfg(feature = "metis")]
use portolan_core::Partition;
use portolan_index::{IndexError, OrderOptions, order_points};
#[cfg(feature = "metis")]
use portolan_index::{PartitionOptions, partition_pairs};

use crate::{LowGraph, NONE};

/// An order of triangles for [`Terrain::with_contraction`](crate::Terrain::with_contraction), in which few
/// triangles cut the ground in two, again and again: those come last.
///
/// By METIS fewer arcs lie on the chains at first, but more of them are needed for the costs of a ground: flows,
/// the default, make quicker searches and fewer bytes
/// (`cargo bench -p portolan-terrain --features metis --bench terrain`).
///
/// The same graph and options give the same order, on any number of threads.
pub fn order_terrain(graph: &LowGraph, options: &OrderOptions) -> Result<Vec<u32>, IndexError> {
    let triangles = 0..graph.len() as u32;
    let centres = triangles.map(|triangle| {
        let extent = graph.extent(triangle);
        let centre = extent.min.midpoint(extent.max);
        // The order takes y for the height; terrain has z up.
        centre.xzy()
    });
    order_points(centres.collect(), pairs(graph), options)
}

#[cfg(feature = "metis")]
/// Merges triangles into nodes, those into nodes of the next level, and so on, as
/// [`partition`](portolan_index::partition()) does polygons: for [`Terrain::with_hierarchy`](crate::Terrain::with_hierarchy).
pub fn partition_terrain(
    graph: &LowGraph,
    options: &PartitionOptions,
) -> Result<Partition, IndexError> {
    partition_pairs(graph.len(), pairs(graph), options)
}

/// The triangles beside each other, the lower first. Those with two common edges come twice.
fn pairs(graph: &LowGraph) -> impl Iterator<Item = [u32; 2]> {
    (0..graph.len() as u32).flat_map(|triangle| {
        let (neighbours, _) = graph.crossings(triangle);
        let after = move |&next: &u32| next != NONE && next > triangle;
        let after = neighbours.into_iter().filter(after);
        after.map(move |next| [triangle, next])
    })
}
