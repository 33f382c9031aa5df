//! The contraction order of taut tiers.

use std::ops::ControlFlow;

use portolan_core::graph::Origin;
use portolan_core::{NavMesh, Portal, PortalGraph, Samples};

use crate::order::order_with_progress;
use crate::{IndexError, OrderOptions};

/// Computes an order as [`order`](crate::order()) does, for taut tiers: separators prefer short portals. A
/// path can cross a portal anywhere, and the samples of a long portal represent it less accurately.
pub fn order_taut(
    mesh: &NavMesh,
    graph: &PortalGraph,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    order_taut_with_progress(mesh, graph, options, &|_| ControlFlow::Continue(()))
}

/// Computes an order as [`order_taut`] does, and reports progress as [`order_with_progress`] does.
pub(crate) fn order_taut_with_progress(
    mesh: &NavMesh,
    graph: &PortalGraph,
    options: &OrderOptions,
    progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
) -> Result<Vec<u32>, IndexError> {
    let by_length = Samples::ByLength { percentile: 90 };
    let unit = graph.options().samples.unit(mesh);
    let unit = unit.or_else(|| by_length.unit(mesh)).unwrap_or(0.0);
    let length = |portal: &Portal| portal.right.distance(portal.left);
    let weight = |origin, samples| match origin {
        Origin::Portal(portal) => {
            // If both the length and the unit are 0, this is NaN, which is converted to 0.
            let units = 4.0 * length(mesh.portal(portal)) / unit;
            4 * samples + (units as u32).min(40)
        }
        Origin::LinkEnd(..) => 4,
    };
    order_with_progress(graph, weight, options, progress)
}
