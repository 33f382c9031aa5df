//! How many samples a taut tier has on its portals.
//!
//! More samples give shorter paths and take time with the square of their number. What they take depends on
//! the world: where it falls apart into rooms, chains are short, and dense samples cost next to nothing; in an
//! open city they are long. So the rule goes by what a query would look at.
//!
//! # The rule
//! A contraction of the middles of portals says for any density how many arcs would be on a chain
//! ([`Contraction::estimate_work`]): the densest is taken that keeps to the tier's [`Budget`].

use std::ops::ControlFlow;

use portolan_core::contraction::{Contraction, WorkEstimate};
use portolan_core::graph::Origin;
use portolan_core::{GraphOptions, NavMesh, PortalGraph, SampleId, Samples, Tier};

use crate::tiers::order_taut_watched;
use crate::{IndexError, OrderOptions};

/// From sparse to dense.
const PERCENTILES: [u8; 14] = [99, 95, 92, 90, 85, 80, 75, 65, 50, 35, 25, 15, 10, 5];

/// What a tier may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Budget {
    /// Arcs on a chain, in multiples of what midpoints have there: what a query takes, and with it the
    /// time of customization.
    times: f64,
    /// Arcs on a chain that are always allowed.
    least: f64,
    /// Arcs a polygon: the memory, some 25 bytes each.
    per_polygon: f64,
    /// Arcs that are always allowed: of a small world, memory is no matter.
    least_arcs: f64,
    /// Denser than at this percentile there is nothing to gain that is worth it.
    densest: u8,
}

impl Budget {
    /// The budget of a taut tier.
    fn of(tier: Tier) -> Self {
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

    fn allows(self, mesh: &NavMesh, midpoints: WorkEstimate, dense: WorkEstimate) -> bool {
        dense.chain_arcs <= (midpoints.chain_arcs * self.times).max(self.least)
            && dense.arcs <= (self.per_polygon * mesh.polygon_count() as f64).max(self.least_arcs)
    }
}

/// What is known of the middles of portals: their order and how dense samples may be.
pub(crate) struct Midpoints {
    /// The [taut order](order_taut_watched) of a graph with one sample a portal.
    pub(crate) order: Vec<u32>,
    /// By taut tier.
    choices: [Samples; Tier::TAUT.len()],
}

impl Midpoints {
    /// Looks at a graph of the mesh. Where that has other samples, one with the middles of portals is made.
    pub(crate) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        options: &OrderOptions,
        watch: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<Self, IndexError> {
        let own;
        let graph = if graph.options().samples == Samples::Each(1) {
            graph
        } else {
            own = PortalGraph::new(mesh, &GraphOptions::default());
            &own
        };
        let order = order_taut_watched(mesh, graph, options, watch)?;
        let contraction = Contraction::new(order.clone(), graph.adjacent());
        let work = |samples: Samples| {
            let counts = samples.counts(mesh);
            contraction.estimate_work(|vertex| match graph.origin(SampleId(vertex)) {
                Origin::Portal(portal) => counts[portal.index()],
                Origin::LinkEnd(..) => 1,
            })
        };
        let midpoints = work(Samples::Each(1));
        // The densest that keep to the budget; the middles of portals where none do.
        let choose = |tier: Tier| {
            let budget = Budget::of(tier);
            let percentiles = PERCENTILES.into_iter().filter(|&p| p >= budget.densest);
            let samples = percentiles.map(|percentile| Samples::ByLength { percentile });
            let allowed =
                samples.take_while(|&samples| budget.allows(mesh, midpoints, work(samples)));
            allowed.last().unwrap_or(Samples::Each(1))
        };
        let choices = Tier::TAUT.map(choose);
        Ok(Self { order, choices })
    }

    /// The samples of a taut tier.
    pub(crate) fn samples(&self, tier: Tier) -> Option<Samples> {
        let index = Tier::TAUT.iter().position(|&taut| taut == tier)?;
        Some(self.choices[index])
    }
}
