//! The tiers of an index, counted.

use portolan_core::{BuildTimes, Engine, World};
use serde::Serialize;

use crate::terminal::say;

/// A tier of a world.
#[derive(Serialize)]
pub(super) struct TierFigures {
    tier: &'static str,
    /// Of portals: `p90` is by length, one up to the 90th percentile.
    samples: String,
    vertices: usize,
    /// Shortcuts included; each leads both ways.
    arcs: usize,
    /// The longest chain: the most vertices that one side of a query looks at.
    depth: usize,
    /// What a query at this tier needs in memory beyond the mesh and its graph.
    bytes: usize,
    bytes_per_polygon: f64,
    /// Order, arcs and shortcuts; not known of an index that does not remember it.
    ms: Option<f64>,
}

/// Counts the tiers that there are.
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

/// A line for each tier.
pub(super) fn print_tiers(world: &World, times: Option<&BuildTimes>) {
    for figures in tier_figures(world, times) {
        let made = figures.ms.map(|ms| format!(", made in {ms:.0} ms"));
        say!(
            "tier {}: samples {}, {} vertices, {} arcs, depth {}, {} bytes ({:.0} a polygon){}",
            figures.tier,
            figures.samples,
            figures.vertices,
            figures.arcs,
            figures.depth,
            figures.bytes,
            figures.bytes_per_polygon,
            made.unwrap_or_default()
        );
    }
}

/// Bytes on the heap of what the taut tiers have beside the world's own graph and the holes that they
/// share.
pub(super) fn taut_bytes(world: &World) -> usize {
    let taut = world.tiers().filter(|tier| tier.is_taut());
    taut.map(|tier| world.engine_bytes(Engine::Contraction(tier)) - world.hole_bytes())
        .sum()
}
