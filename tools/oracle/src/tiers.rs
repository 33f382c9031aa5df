//! Worlds with taut tiers, for tests.

use portolan_core::{PortalGraph, Samples, Tier, World};
use proptest::prelude::*;

use crate::{CaseRng, densities, random_order};

/// Draws a taut tier and the density of its samples.
pub fn taut_tiers() -> impl Strategy<Value = (Tier, Samples)> {
    (prop::sample::select(&Tier::TAUT[..]), densities())
}

fn graph(world: &World, samples: Samples) -> PortalGraph {
    PortalGraph::new(world.mesh(), &world.taut_graph_options(samples))
}

/// Adds a tier with a random contraction order, for small worlds.
pub fn with_tier(world: World, tier: Tier, samples: Samples, rng: &mut CaseRng) -> World {
    let graph = graph(&world, samples);
    let order = random_order(rng, graph.sample_count());
    world.with_tier(tier, graph, order).expect("a tier")
}

/// Adds all taut tiers. Each is contracted in the order of its sample ids. Neighbours have similar ids, so the order is
/// good enough for worlds that are too large for a random order.
pub fn with_tiers(world: World) -> World {
    let densities = [90, 75].map(|percentile| Samples::ByLength { percentile });
    let tiers = Tier::TAUT.into_iter().zip(densities);
    tiers.fold(world, |world, (tier, samples)| {
        let graph = graph(&world, samples);
        let order = (0..graph.sample_count() as u32).collect();
        world.with_tier(tier, graph, order).expect("a tier")
    })
}
