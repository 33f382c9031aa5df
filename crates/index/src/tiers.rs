//! Quality tiers of a world: how dense its samples are, and in which order they are contracted.

use portolan_core::graph::Origin;
use portolan_core::{NavMesh, Portal, PortalGraph, Samples, Tier, World};

use crate::density::{Budget, choose_samples};
use crate::{OrderOptions, PartitionFailure, order, order_weighted};

/// Options of a [tier](add_tier()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierOptions {
    /// Sample points of portals. [Default: none, which is what [`choose_samples`] says] More give shorter
    /// paths, and take time and memory. Not for the fast tier, which has the world's own.
    pub samples: Option<Samples>,
    /// The order of the contraction. [Default: with 4 separators to choose from]
    pub order: OrderOptions,
}

impl Default for TierOptions {
    fn default() -> Self {
        Self {
            samples: None,
            order: OrderOptions {
                separators: 4,
                ..OrderOptions::default()
            },
        }
    }
}

/// Adds a tier to a world, or replaces it: samples, their order, the contraction, and what it costs the
/// default profile.
///
/// ```
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
/// use portolan_core::{Scratch, Tier, World};
/// use portolan_index::{TierOptions, add_tier};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &Default::default())?;
/// let world = add_tier(world, Tier::Default, &TierOptions::default())?;
/// assert!(world.tiers().eq([Tier::Default]));
///
/// // Who does not say how to search gets the default tier.
/// let mut points = RandomPoints::new(world.mesh(), 7);
/// let (from, to) = (points.next().unwrap(), points.next().unwrap());
/// let path = world.find(from, to, &mut Scratch::new())?;
/// # drop(path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_tier(
    world: World,
    tier: Tier,
    options: &TierOptions,
) -> Result<World, PartitionFailure> {
    if !tier.is_taut() {
        let order = order(world.graph(), &options.order)?;
        return Ok(world.with_contraction(order));
    }
    let samples = match options.samples {
        Some(samples) => samples,
        None => choose_samples(world.mesh(), Budget::of(tier), &options.order)?,
    };
    let graph_options = world.taut_graph_options(samples);
    if !graph_options.fit(world.mesh()) {
        return Err(PartitionFailure::Samples(graph_options.samples));
    }
    let graph = PortalGraph::new(world.mesh(), &graph_options);
    let order = order_taut(world.mesh(), &graph, &options.order)?;
    Ok(world.with_tier(tier, graph, order))
}

/// As [`order`](crate::order()), for taut tiers: short portals are preferred where the world is parted. A
/// way over a long one can pass it anywhere, and samples are few.
pub fn order_taut(
    mesh: &NavMesh,
    graph: &PortalGraph,
    options: &OrderOptions,
) -> Result<Vec<u32>, PartitionFailure> {
    let by_length = Samples::ByLength { percentile: 90 };
    let unit = graph.options().samples.unit(mesh);
    let unit = unit.or_else(|| by_length.unit(mesh)).unwrap_or(0.0);
    let length = |portal: &Portal| portal.right.distance(portal.left);
    let weight = |origin, samples| match origin {
        Origin::Portal(portal) => {
            // Where the unit is 0 and so is the length, this is no number, and becomes 0.
            let units = 4.0 * length(mesh.portal(portal)) / unit;
            4 * samples + (units as u32).min(40)
        }
        Origin::LinkEnd(..) => 4,
    };
    order_weighted(graph, weight, options)
}
