//! Chooses the number of samples per portal for a taut tier.
//!
//! More samples give shorter paths, but time and memory grow with the square of their number. The cost
//! depends on the world. In a world of rooms, chains are short and dense samples take hardly more time; in an
//! open city, chains are long. So the choice depends on how many arcs a query would scan.
//!
//! # The rule
//! A contraction over the midpoints of portals gives, for any density, an estimate of the number of arcs on
//! a chain ([`Contraction::estimate_work`]). The rule chooses the densest samples within the [`Budget`] of
//! the tier.

use std::ops::ControlFlow;

use portolan_core::contraction::{Contraction, WorkEstimate};
use portolan_core::graph::Origin;
use portolan_core::{GraphOptions, NavMesh, PortalGraph, SampleId, Samples, Tier};

use crate::tiers::order_taut_with_progress;
use crate::{IndexError, OrderOptions};

/// The densities to choose from, from sparse to dense.
const PERCENTILES: [u8; 14] = [99, 95, 92, 90, 85, 80, 75, 65, 50, 35, 25, 15, 10, 5];

/// The limits of a tier.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Budget {
    /// The maximum number of arcs on a chain, as a multiple of the number with midpoints. It limits the
    /// time of queries and customization.
    max_ratio: f64,
    /// The number of arcs on a chain that is always allowed.
    min_chain_arcs: f64,
    /// The maximum number of arcs per polygon. It limits the memory: an arc takes about 25 bytes.
    arcs_per_polygon: f64,
    /// The number of arcs that is always allowed, because memory does not matter in a small world.
    min_arcs: f64,
    /// The lowest percentile. Denser samples gain too little.
    min_percentile: u8,
}

impl Budget {
    /// Returns the budget of a taut tier.
    fn of(tier: Tier) -> Self {
        match tier {
            Tier::Best => Self {
                max_ratio: 4.0,
                min_chain_arcs: 4000.0,
                arcs_per_polygon: 100.0,
                min_arcs: 100_000.0,
                min_percentile: 5,
            },
            _ => Self {
                max_ratio: 2.0,
                min_chain_arcs: 400.0,
                arcs_per_polygon: 20.0,
                min_arcs: 20_000.0,
                min_percentile: 25,
            },
        }
    }

    /// Returns whether dense samples are within the budget.
    fn allows(self, mesh: &NavMesh, midpoints: WorkEstimate, dense: WorkEstimate) -> bool {
        dense.chain_arcs <= (midpoints.chain_arcs * self.max_ratio).max(self.min_chain_arcs)
            && dense.arcs
                <= (self.arcs_per_polygon * mesh.polygon_count() as f64).max(self.min_arcs)
    }
}

/// The order of the midpoints of portals, and the samples that were chosen with it.
pub(crate) struct Midpoints {
    /// The [taut order](order_taut_with_progress) of a graph with one sample per portal.
    pub(crate) order: Vec<u32>,
    /// The samples of each taut tier.
    choices: [Samples; Tier::TAUT.len()],
}

impl Midpoints {
    /// Chooses the samples for a mesh. `graph` is used if it has one sample per portal, and otherwise such
    /// a graph is built.
    pub(crate) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        options: &OrderOptions,
        progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<Self, IndexError> {
        let midpoint_graph;
        let graph = if graph.options().samples == Samples::Each(1) {
            graph
        } else {
            midpoint_graph = PortalGraph::new(mesh, &GraphOptions::default());
            &midpoint_graph
        };
        let order = order_taut_with_progress(mesh, graph, options, progress)?;
        let contraction = Contraction::new(order.clone(), graph.adjacent());
        let work = |samples: Samples| {
            let counts = samples.counts(mesh);
            contraction.estimate_work(|vertex| match graph.origin(SampleId(vertex)) {
                Origin::Portal(portal) => counts[portal.index()],
                Origin::LinkEnd(..) => 1,
            })
        };
        let midpoints = work(Samples::Each(1));
        // Chooses the densest samples within the budget, or midpoints if even the sparsest samples exceed
        // it.
        let choose = |tier: Tier| {
            let budget = Budget::of(tier);
            let percentiles = PERCENTILES
                .into_iter()
                .filter(|&p| p >= budget.min_percentile);
            let samples = percentiles.map(|percentile| Samples::ByLength { percentile });
            let allowed =
                samples.take_while(|&samples| budget.allows(mesh, midpoints, work(samples)));
            allowed.last().unwrap_or(Samples::Each(1))
        };
        let choices = Tier::TAUT.map(choose);
        Ok(Self { order, choices })
    }

    /// Returns the samples of a taut tier.
    pub(crate) fn samples(&self, tier: Tier) -> Option<Samples> {
        let index = Tier::TAUT.iter().position(|&taut| taut == tier)?;
        Some(self.choices[index])
    }
}
