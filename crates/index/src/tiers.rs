//! The order of taut tiers.

use std::ops::ControlFlow;

use portolan_core::graph::Origin;
use portolan_core::{NavMesh, Portal, PortalGraph, Samples};

use crate::order::order_watched;
use crate::{IndexError, OrderOptions};

/// As [`order`](crate::order()), for taut tiers: short portals are preferred where the world is parted. A
/// path over a long portal can pass it anywhere, and samples are few.
pub fn order_taut(
    mesh: &NavMesh,
    graph: &PortalGraph,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    order_taut_watched(mesh, graph, options, &|_| ControlFlow::Continue(()))
}

/// As [`order_taut`], and tells `watch` the share that is done, as [`order_watched`] does.
pub(crate) fn order_taut_watched(
    mesh: &NavMesh,
    graph: &PortalGraph,
    options: &OrderOptions,
    watch: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
) -> Result<Vec<u32>, IndexError> {
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
    order_watched(graph, weight, options, watch)
}
