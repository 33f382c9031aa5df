//! How many samples a taut tier has on its portals.
//!
//! More samples give shorter paths and take time with the square of their number. What they take depends on
//! the world: where it falls apart into rooms, chains are short, and dense samples cost next to nothing; in an
//! open city they are long. So the rule goes by what a query would look at.
//!
//! # The rule
//! A contraction of the middles of portals says for any density how many arcs would be on a chain
//! ([`Contraction::work`]): the densest is taken that keeps to the tier's [`Budget`].

use portolan_core::contraction::{Contraction, Work};
use portolan_core::graph::Origin;
use portolan_core::{GraphOptions, NavMesh, PortalGraph, SampleId, Samples, Tier};

use crate::{OrderOptions, PartitionFailure, tiers};

/// From sparse to dense.
const PERCENTILES: [u8; 14] = [99, 95, 92, 90, 85, 80, 75, 65, 50, 35, 25, 15, 10, 5];

/// What a tier may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Arcs on a chain, in multiples of what midpoints have there: what a query takes, and with it the
    /// time of customization.
    pub times: f64,
    /// Arcs on a chain that are always allowed.
    pub least: f64,
    /// Arcs a polygon: the memory, some 25 bytes each.
    pub per_polygon: f64,
    /// Arcs that are always allowed: of a small world, memory is no matter.
    pub least_arcs: f64,
    /// Denser than at this percentile there is nothing to gain that is worth it.
    pub densest: u8,
}

impl Budget {
    /// The budget of a taut tier.
    pub fn of(tier: Tier) -> Self {
        match tier {
            Tier::Best => Self {
                times: 4.0,
                least: 4000.0,
                per_polygon: 100.0,
                least_arcs: 100_000.0,
                densest: 5,
            },
            _ => Self {
                times: 2.0,
                least: 400.0,
                per_polygon: 20.0,
                least_arcs: 20_000.0,
                densest: 25,
            },
        }
    }

    fn allows(self, mesh: &NavMesh, midpoints: Work, dense: Work) -> bool {
        dense.chain <= (midpoints.chain * self.times).max(self.least)
            && dense.arcs <= (self.per_polygon * mesh.polygon_count() as f64).max(self.least_arcs)
    }
}

/// The densest samples that keep to the budget; the middles of portals where none do.
pub fn choose_samples(
    mesh: &NavMesh,
    budget: Budget,
    options: &OrderOptions,
) -> Result<Samples, PartitionFailure> {
    let graph = PortalGraph::new(mesh, &GraphOptions::default());
    let order = tiers::order_taut(mesh, &graph, options)?;
    let contraction = Contraction::new(order, graph.adjacent());
    let work = |counts: &[u32]| {
        contraction.work(|vertex| match graph.origin(SampleId(vertex)) {
            Origin::Portal(portal) => counts[portal.index()],
            Origin::LinkEnd(..) => 1,
        })
    };
    let midpoints = work(&Samples::Each(1).counts(mesh));
    let percentiles = PERCENTILES.into_iter().filter(|&p| p >= budget.densest);
    let samples = percentiles.map(|percentile| Samples::ByLength { percentile });
    let is_allowed =
        |samples: &Samples| budget.allows(mesh, midpoints, work(&samples.counts(mesh)));
    let allowed = samples.take_while(is_allowed);
    Ok(allowed.last().unwrap_or(Samples::Each(1)))
}
