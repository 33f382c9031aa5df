//! The order of triangles for a contraction, and the partition of triangles for HNA*.

use glam::Vec3Swizzles;
use portolan_core::Csr;
#[cfg(feature = "metis")]
use portolan_core::Partition;
use portolan_index::{IndexError, OrderOptions, order_points};
#[cfg(feature = "metis")]
use portolan_index::{PartitionOptions, partition_pairs};

use crate::{LowGraph, NO_TRIANGLE};

/// Computes a nested dissection order of triangles for
/// [`Terrain::with_contraction`](crate::Terrain::with_contraction). Separators, which are small sets of triangles
/// that split the terrain, have the highest ranks.
///
/// [`order_by_position`] is faster. On terrain, the default method, inertial flow, gives faster queries and less memory than METIS
/// (`cargo bench -p portolan-terrain --features metis --bench terrain`).
///
/// The result depends only on the graph and the options, not on the number of threads.
pub fn order_terrain(graph: &LowGraph, options: &OrderOptions) -> Result<Vec<u32>, IndexError> {
    let triangles = 0..graph.len() as u32;
    let centres = triangles.map(|triangle| {
        let extent = graph.extent(triangle);
        let centre = extent.min.midpoint(extent.max);
        // `order_points` expects y up; terrain has z up.
        centre.xzy()
    });
    order_points(centres.collect(), pairs(graph), options)
}

/// Partitions triangles into nodes, nodes into larger nodes of the next level, and so on, for
/// [`Terrain::with_hierarchy`](crate::Terrain::with_hierarchy). [`partition`](portolan_index::partition()) does
/// the same with the polygons of a navmesh.
#[cfg(feature = "metis")]
pub fn partition_terrain(
    graph: &LowGraph,
    options: &PartitionOptions,
) -> Result<Partition, IndexError> {
    partition_pairs(graph.len(), pairs(graph), options)
}

/// Computes a nested dissection order of triangles by cutting along the axes. This is the order of
/// [`TerrainOptions::contraction`](crate::TerrainOptions::contraction). On grids its separators are as small as those of
/// [`order_terrain`], which takes several times as long.
///
/// The result depends only on the graph, not on the number of threads.
pub fn order_by_position(graph: &LowGraph) -> Vec<u32> {
    let triangles = 0..graph.len() as u32;
    let points = triangles.map(|triangle| {
        let extent = graph.extent(triangle);
        extent.min.midpoint(extent.max).truncate().to_array()
    });
    let both: Vec<(u32, u32)> = pairs(graph).flat_map(|[a, b]| [(a, b), (b, a)]).collect();
    let neighbours = Csr::group(graph.len(), &both);
    portolan_index::order_by_position(&points.collect::<Vec<_>>(), &neighbours)
}

/// Iterates over the pairs of adjacent triangles, the lower id first. A pair with two common edges appears twice.
pub(super) fn pairs(graph: &LowGraph) -> impl Iterator<Item = [u32; 2]> {
    (0..graph.len() as u32).flat_map(|triangle| {
        let (neighbours, _) = graph.crossings(triangle);
        let after = move |&next: &u32| next != NO_TRIANGLE && next > triangle;
        let after = neighbours.into_iter().filter(after);
        after.map(move |next| [triangle, next])
    })
}
