//! The tiers of a world: its own graph, and taut ones beside it.

use super::build::{check_order, next_number};
use super::{World, WorldError};
use crate::contraction::{Contraction, Shortcuts};
use crate::graph::{CostModel, GraphOptions, PortalGraph, Samples};
use crate::ids::SampleId;
use crate::path::{Effort, Flips, Rings, TautCosts};
use crate::profile::Prices;
use crate::query::Tier;

/// Samples of its own, and their contraction, whose shortcuts cost what their ways do when pulled taut.
#[derive(Clone, Debug)]
pub(super) struct TautTier {
    pub(super) graph: PortalGraph,
    pub(super) contraction: Contraction,
}

impl World {
    /// Adds a taut tier over a graph of this world's mesh, contracted in this order, which names the vertex
    /// of the graph that has each rank, the lowest first. A tier that is there is replaced. Costs made
    /// before are those of another world. The graph is made with
    /// [`taut_graph_options`](Self::taut_graph_options); that it is a graph of this mesh is checked by its
    /// size only.
    ///
    /// [`Path::cost`](crate::Path::cost) is then the cost of shortcuts, no more than the least sum on the
    /// graph. `cargo bench -p portolan-index --features metis --bench taut` measures what paths are above
    /// the shortest. `portolan_index::build` chooses graph and order.
    pub fn with_tier(
        self,
        tier: Tier,
        graph: PortalGraph,
        order: Vec<u32>,
    ) -> Result<Self, WorldError> {
        if !tier.is_taut() {
            return Err(WorldError::NotTaut(tier));
        }
        let found = graph.options();
        let expected = self.taut_graph_options(found.samples);
        if found != expected {
            return Err(WorldError::TautGraph { found, expected });
        }
        if !graph.fits(&self.mesh) {
            return Err(WorldError::OtherMesh);
        }
        check_order(&order, &graph)?;
        let contraction = Contraction::new(order, graph.adjacent());
        Ok(self.with_taut(tier, TautTier { graph, contraction }))
    }

    pub(super) fn with_taut(mut self, tier: Tier, taut: TautTier) -> Self {
        let TautTier { graph, contraction } = taut;
        let contraction = placed(contraction, &graph);
        self.taut[tier as usize] = Some(TautTier { graph, contraction });
        self.rings.get_or_insert_with(|| Rings::new(&self.mesh));
        self.with_costs_of(tier)
    }

    /// Adds the default costs of a tier, which is there.
    pub(super) fn with_costs_of(mut self, tier: Tier) -> Self {
        self.number = next_number();
        let shortcuts = self
            .shortcuts(tier, self.costs.prices())
            .expect("such a tier");
        self.costs = self
            .costs
            .made_for(self.number)
            .with_shortcuts(tier, shortcuts);
        self
    }

    /// How the graph of a taut tier with these samples is made: by the world's cost model, or over portals
    /// where that leads over centres, as published.
    pub fn taut_graph_options(&self, samples: Samples) -> GraphOptions {
        let cost_model = match self.graph.options().cost_model {
            CostModel::Published => CostModel::Portals,
            model => model,
        };
        GraphOptions {
            samples,
            cost_model,
        }
    }

    /// Bytes on the heap of what taut tiers share: the holes of the mesh.
    pub fn hole_bytes(&self) -> usize {
        self.rings.as_ref().map_or(0, Rings::bytes)
    }

    /// What paths of a tier are straightened with.
    pub(super) fn flips<'a>(&'a self, tier: Tier, prices: &'a Prices) -> Option<Flips<'a>> {
        let rings = self.rings.as_ref().filter(|_| tier.is_taut())?;
        Some(Flips {
            rings,
            prices,
            cost_model: self.graph.options().cost_model,
            effort: Effort::of(tier),
        })
    }

    /// The graph of a tier and its contraction, where there is one.
    pub fn tier(&self, tier: Tier) -> Option<(&PortalGraph, &Contraction)> {
        let (graph, contraction) = self.searched(tier);
        Some((graph, contraction?))
    }

    /// The tiers with a contraction, the fastest first.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        let is_there = |tier: &Tier| self.tier(*tier).is_some();
        Tier::ALL.into_iter().filter(is_there)
    }

    /// What engines of a tier search; of one that is not there, the world's own graph.
    pub(super) fn searched(&self, tier: Tier) -> (&PortalGraph, Option<&Contraction>) {
        match &self.taut[tier as usize] {
            Some(taut) => (&taut.graph, Some(&taut.contraction)),
            None if tier.is_taut() => (&self.graph, None),
            None => (&self.graph, self.contraction.as_ref()),
        }
    }

    /// What the arcs of a tier cost, where it is there.
    pub(super) fn shortcuts(&self, tier: Tier, prices: &Prices) -> Option<Shortcuts> {
        let (graph, contraction) = self.tier(tier)?;
        let edges = graph.edges(&self.mesh, prices);
        let mut shortcuts = if tier.is_taut() {
            let measure = TautCosts::new(&self.mesh, graph, prices);
            Shortcuts::taut(contraction, edges, &measure)
        } else {
            Shortcuts::from_edges(contraction, edges)
        };
        shortcuts.learn_cost_estimate(contraction, prices.cost_per_metre());
        Some(shortcuts)
    }
}

/// A contraction of a graph, with the places of its vertices.
pub(super) fn placed(contraction: Contraction, graph: &PortalGraph) -> Contraction {
    contraction.with_positions(|vertex| graph.position(SampleId(vertex)))
}
