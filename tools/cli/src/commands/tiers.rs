//! Sizes of the quality tiers of an index.

use portolan_core::{BuildTimes, Engine, World};
use serde::Serialize;

use crate::terminal::say;

/// The sizes of a tier.
#[derive(Serialize)]
pub(super) struct TierFigures {
    tier: &'static str,
    /// How many samples a portal has: `p90` means by its length, with one sample up to the 90th percentile.
    samples: String,
    vertices: usize,
    /// The number of arcs, including shortcuts. Both directions of an arc count as one.
    arcs: usize,
    /// The depth of the elimination tree: an upper bound of the vertices that one side of a query visits.
    depth: usize,
    /// The memory that a query at this tier needs besides the mesh and its graph.
    bytes: usize,
    bytes_per_polygon: f64,
    /// The build time of order, arcs and shortcuts. `None` if the index does not store it.
    ms: Option<f64>,
}

/// Returns the figures of all tiers of a world.
pub(super) fn tier_figures(world: &World, times: Option<&BuildTimes>) -> Vec<TierFigures> {
    let figures = world.tiers().filter_map(|tier| {
        let (graph, contraction) = world.tier(tier)?;
        let bytes = world.engine_bytes(Engine::Contraction(tier));
        Some(TierFigures {
            tier: tier.name(),
            samples: graph.options().samples.to_string(),
            vertices: contraction.vertex_count(),
            arcs: contraction.arc_count(),
            depth: contraction.depth(),
            bytes,
            bytes_per_polygon: bytes as f64 / world.mesh().polygon_count() as f64,
            ms: times.map(|times| times.of_tier(tier)),
        })
    });
    figures.collect()
}

/// Prints a line per tier.
pub(super) fn print_tiers(world: &World, times: Option<&BuildTimes>) {
    for figures in tier_figures(world, times) {
        let build_time = figures.ms.map(|ms| format!(", built in {ms:.0} ms"));
        say!(
            "tier {}: samples {}, {} vertices, {} arcs, depth {}, {} bytes ({:.0} per polygon){}",
            figures.tier,
            figures.samples,
            figures.vertices,
            figures.arcs,
            figures.depth,
            figures.bytes,
            figures.bytes_per_polygon,
            build_time.unwrap_or_default()
        );
    }
}

/// Returns the size of the taut tiers on the heap, without the graph of the world and the holes, which all
/// tiers share. [Units: bytes]
pub(super) fn taut_bytes(world: &World) -> usize {
    let taut = world.tiers().filter(|tier| tier.is_taut());
    taut.map(|tier| world.engine_bytes(Engine::Contraction(tier)) - world.hole_bytes())
        .sum()
}
