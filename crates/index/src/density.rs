//! Chooses the number of samples per portal for a taut tier.
//!
//! More samples give shorter paths, but time and memory grow with the square of their number. The cost
//! depends on the world. In a world of rooms, chains are short and dense samples take hardly more time; in an
//! open city, chains are long. So the choice depends on how many arcs a query would scan.
//!
//! # The rule
//! The contraction of the fast tier, over the midpoints of portals, gives for any density an estimate of the
//! number of arcs on a chain ([`Contraction::estimate_work`]). The rule chooses the densest samples within the
//! [`Budget`] of the tier. The estimates are too high by half on open worlds, because the order of the tier itself
//! takes account of the samples: its separators prefer short portals. The budgets allow for that.

use std::ops::ControlFlow;

use portolan_core::contraction::{Contraction, WorkEstimate};
use portolan_core::graph::Origin;
use portolan_core::{
    BuiltContraction, GraphOptions, NavMesh, PortalGraph, SampleId, Samples, Tier, World,
};

use crate::order::order_with_progress;
use crate::{IndexError, OrderOptions};

/// The densities to choose from, from sparse to dense.
const PERCENTILES: [u8; 14] = [99, 95, 92, 90, 85, 80, 75, 65, 50, 35, 25, 15, 10, 5];

/// The limits of a tier.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Budget {
    /// The maximum number of arcs on a chain, as a multiple of the number with midpoints, for a world of one
    /// polygon. It limits the time of queries and customization.
    max_ratio: f64,
    /// What is added to `max_ratio` each time that the number of polygons doubles. The estimate exceeds the true
    /// number by a factor that grows with the size of the world.
    ratio_per_doubling: f64,
    /// The number of arcs on a chain that is always allowed.
    min_chain_arcs: f64,
    /// The maximum number of arcs per polygon. It limits the memory: an arc takes about 25 bytes.
    arcs_per_polygon: f64,
    /// The lowest percentile. Denser samples gain too little.
    min_percentile: u8,
    /// The number of arcs that is always allowed, because memory does not matter in a small world.
    min_arcs: f64,
    /// The lowest percentile within `min_arcs`.
    min_percentile_of_small: u8,
}

impl Budget {
    /// Returns the budget of a taut tier.
    fn of(tier: Tier) -> Self {
        match tier {
            Tier::Best => Self {
                max_ratio: 4.7,
                ratio_per_doubling: 0.1,
                min_chain_arcs: 6000.0,
                arcs_per_polygon: 100.0,
                min_percentile: 5,
                min_arcs: 100_000.0,
                min_percentile_of_small: 5,
            },
            _ => Self {
                max_ratio: 2.2,
                ratio_per_doubling: 0.1,
                min_chain_arcs: 5000.0,
                arcs_per_polygon: 17.0,
                min_percentile: 35,
                min_arcs: 75_000.0,
                min_percentile_of_small: 25,
            },
        }
    }

    /// Returns whether samples at a percentile are within the budget.
    fn allows(
        self,
        percentile: u8,
        mesh: &NavMesh,
        midpoints: WorkEstimate,
        dense: WorkEstimate,
    ) -> bool {
        let polygons = mesh.polygon_count();
        let doublings = polygons.checked_ilog2().unwrap_or(0);
        let max_ratio = self.max_ratio + self.ratio_per_doubling * f64::from(doublings);
        let is_small = dense.arcs <= self.min_arcs;
        let min_percentile = match is_small {
            true => self.min_percentile_of_small,
            false => self.min_percentile,
        };
        percentile >= min_percentile
            && dense.chain_arcs <= (midpoints.chain_arcs * max_ratio).max(self.min_chain_arcs)
            && (is_small || dense.arcs <= self.arcs_per_polygon * polygons as f64)
    }
}

/// The samples of each taut tier.
pub(crate) struct SampleChoices(Vec<(Tier, Samples)>);

impl SampleChoices {
    /// Chooses the samples of some taut tiers for the mesh of a world, by the contraction `fast` of its graph if that has
    /// one sample per portal. Otherwise such a contraction is built.
    pub(crate) fn new(
        world: &World,
        fast: Option<&BuiltContraction>,
        tiers: Vec<Tier>,
        options: &OrderOptions,
        progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<Self, IndexError> {
        let mesh = world.mesh();
        if let Some(fast) = fast
            && world.graph().options().samples == Samples::Each(1)
        {
            let contraction = fast.contraction();
            return Ok(Self::by_midpoints(mesh, tiers, world.graph(), contraction));
        }
        let graph = PortalGraph::new(mesh, &GraphOptions::default());
        let order = order_with_progress(&graph, |_, samples| samples, options, progress)?;
        let contraction = Contraction::new(order, graph.adjacent());
        Ok(Self::by_midpoints(mesh, tiers, &graph, &contraction))
    }

    /// Chooses the samples by a graph with one sample per portal and its contraction.
    fn by_midpoints(
        mesh: &NavMesh,
        tiers: Vec<Tier>,
        graph: &PortalGraph,
        contraction: &Contraction,
    ) -> Self {
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
            let allowed = PERCENTILES.into_iter().map_while(|percentile| {
                let samples = Samples::ByLength { percentile };
                let is_allowed = budget.allows(percentile, mesh, midpoints, work(samples));
                is_allowed.then_some(samples)
            });
            allowed.last().unwrap_or(Samples::Each(1))
        };
        let with_samples = |tier| (tier, choose(tier));
        Self(tiers.into_iter().map(with_samples).collect())
    }

    /// Returns the samples of a taut tier.
    pub(crate) fn of(&self, tier: Tier) -> Option<Samples> {
        let mut choices = self.0.iter();
        let choice = choices.find(|(of, _)| *of == tier);
        choice.map(|&(_, samples)| samples)
    }
}
