//! The tiers of a world: its own graph (the fast tier) and the taut tiers.

use super::build::{check_order, contract, next_world_id};
use super::{World, WorldError};
use crate::contraction::{Contraction, Shortcuts};
use crate::graph::{CostModel, GraphOptions, PortalGraph, Samples};
use crate::ids::SampleId;
use crate::path::{FlipEffort, Flips, Rings, TautCosts};
use crate::profile::Prices;
use crate::query::Tier;

/// A taut tier: its own graph, and a contraction whose shortcuts cost as much as their taut lines.
#[derive(Clone, Debug)]
pub(super) struct TautTier {
    pub(super) graph: PortalGraph,
    pub(super) contraction: Contraction,
}

/// A taut tier that is not yet part of a world.
#[derive(Debug)]
pub struct BuiltTier {
    tier: Tier,
    taut: TautTier,
    shortcuts: Shortcuts,
    /// The rings around holes, unless the world already had them.
    rings: Option<Rings>,
}

impl World {
    /// Adds or replaces a taut tier. `graph` must be built from this world's mesh with
    /// [`taut_graph_options`](Self::taut_graph_options); only its options and its size are checked. `order`
    /// lists the vertices of the graph by rank, the lowest first. [`Costs`](crate::Costs) built before
    /// become invalid for the new world. `portolan_index::build` chooses graph and order automatically.
    ///
    /// At this tier [`Path::cost`](crate::Path::cost) is the cost of taut shortcuts, which is at most the
    /// minimum sum on the graph. `cargo bench -p portolan-index --features metis --bench taut` measures by
    /// how much paths exceed the shortest ones.
    ///
    /// # Errors
    /// Fails if the tier is not taut, or if the graph or the order does not match.
    pub fn with_tier(
        self,
        tier: Tier,
        graph: PortalGraph,
        order: Vec<u32>,
    ) -> Result<Self, WorldError> {
        let built = self.build_tier(tier, graph, order)?;
        Ok(self.with_built_tier(built))
    }

    /// Builds a taut tier as [`with_tier`](Self::with_tier) does, without adding it. So a tier can be built
    /// while other parts of the world are built.
    ///
    /// # Errors
    /// Fails as [`with_tier`](Self::with_tier) does.
    pub fn build_tier(
        &self,
        tier: Tier,
        graph: PortalGraph,
        order: Vec<u32>,
    ) -> Result<BuiltTier, WorldError> {
        if !tier.is_taut() {
            return Err(WorldError::NotTaut(tier));
        }
        let found = graph.options();
        let expected = self.taut_graph_options(found.samples);
        if found != expected {
            return Err(WorldError::TautGraph { found, expected });
        }
        if !graph.has_size_for(&self.mesh) {
            return Err(WorldError::OtherMesh);
        }
        check_order(&order, &graph)?;
        let graph = graph.with_short_exits();
        let contract = || {
            let contraction = with_vertex_positions(contract(order, &graph)?, &graph);
            let prices = self.costs.prices();
            let shortcuts = self.shortcuts_over(&graph, &contraction, tier.is_taut(), prices);
            Ok::<_, WorldError>((contraction.without_arcs(&graph), shortcuts))
        };
        let find_rings = || match self.rings {
            Some(_) => None,
            None => Some(Rings::new(&self.mesh)),
        };
        let (contracted, rings) = rayon::join(contract, find_rings);
        let (contraction, shortcuts) = contracted?;
        Ok(BuiltTier {
            tier,
            taut: TautTier { graph, contraction },
            shortcuts,
            rings,
        })
    }

    /// Adds or replaces a taut tier that was built for a world with the same mesh, cost model and profile.
    pub fn with_built_tier(mut self, built: BuiltTier) -> Self {
        let BuiltTier {
            tier,
            taut,
            shortcuts,
            rings,
        } = built;
        self.rings = self.rings.or(rings);
        self.with_taut(tier, taut)
            .with_default_shortcuts(tier, shortcuts)
    }

    /// Sets a taut tier, without costs.
    pub(super) fn with_taut(mut self, tier: Tier, taut: TautTier) -> Self {
        self.taut[tier as usize] = Some(taut);
        self.rings.get_or_insert_with(|| Rings::new(&self.mesh));
        self
    }

    /// Customizes a tier, which the world must have, for the default profile.
    pub(super) fn with_costs_of(self, tier: Tier) -> Self {
        let shortcuts = self
            .shortcuts(tier, self.costs.prices())
            .expect("the caller has added this tier");
        self.with_default_shortcuts(tier, shortcuts)
    }

    /// Sets the shortcuts of a tier for the default profile.
    pub(super) fn with_default_shortcuts(mut self, tier: Tier, shortcuts: Shortcuts) -> Self {
        self.id = next_world_id();
        self.costs = self
            .costs
            .built_for(self.id)
            .with_shortcuts(tier, shortcuts);
        self
    }

    /// Returns the options that the graph of a taut tier with these samples must have. The cost model is
    /// that of the world, except that [`CostModel::Published`] is replaced by [`CostModel::Portals`].
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

    /// Returns the heap memory that the taut tiers share: the rings around the holes of the mesh. [Units:
    /// bytes]
    pub fn hole_bytes(&self) -> usize {
        self.rings.as_ref().map_or(0, Rings::bytes)
    }

    /// Returns the flips that shorten the paths of a taut tier; `None` for the fast tier.
    pub(super) fn flips<'a>(&'a self, tier: Tier, prices: &'a Prices) -> Option<Flips<'a>> {
        let rings = self.rings.as_ref().filter(|_| tier.is_taut())?;
        Some(Flips {
            rings,
            prices,
            cost_model: self.graph.options().cost_model,
            effort: FlipEffort::of(tier),
        })
    }

    /// Returns the graph and the contraction of a tier, if the world has it. The exact tier has neither.
    pub fn tier(&self, tier: Tier) -> Option<(&PortalGraph, &Contraction)> {
        let (graph, contraction) = self.graph_of_tier(tier);
        Some((graph, contraction?))
    }

    /// Returns the tiers of this world.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        let is_present = |tier: &Tier| self.has_tier(*tier);
        Tier::ALL.into_iter().filter(is_present)
    }

    /// Returns the tiers of the contraction that this world has, the fastest first.
    pub(super) fn contraction_tiers(&self) -> impl Iterator<Item = Tier> {
        let is_present = |tier: &Tier| self.tier(*tier).is_some();
        Tier::CONTRACTED.into_iter().filter(is_present)
    }

    /// Returns whether this world has a tier.
    pub fn has_tier(&self, tier: Tier) -> bool {
        match tier {
            Tier::Exact => self.exact.is_some(),
            tier => self.tier(tier).is_some(),
        }
    }

    /// Returns the graph that engines of a tier search, and its contraction. If the world lacks the tier,
    /// this is the world's own graph without a contraction.
    pub(super) fn graph_of_tier(&self, tier: Tier) -> (&PortalGraph, Option<&Contraction>) {
        match &self.taut[tier as usize] {
            Some(taut) => (&taut.graph, Some(&taut.contraction)),
            None if tier != Tier::Fast => (&self.graph, None),
            None => (&self.graph, self.contraction.as_ref()),
        }
    }

    /// Returns the graph of a tier as it was before all obstacles.
    pub(super) fn graph_before_obstacles(&self, tier: Tier) -> &PortalGraph {
        let (graph, _) = self.graph_of_tier(tier);
        match &self.graph_before {
            Some(before) if std::ptr::eq(graph, &self.graph) => before,
            _ => graph,
        }
    }

    /// Returns whether the contraction of a tier knows all connections of pieces of polygons, so that there is no path if
    /// it finds none.
    pub(super) fn knows_all_parts(&self, tier: Tier) -> bool {
        let is_known = &self.knows_all_parts[tier as usize];
        *is_known.get_or_init(|| {
            self.graph_before_obstacles(tier)
                .knows_all_parts(&self.mesh)
        })
    }

    /// Returns the graph and the contraction of a tier for customization, if the world has it. A forged file may have a
    /// contraction without arcs: then no costs of the tier can be computed.
    pub(super) fn customizable_tier(&self, tier: Tier) -> Option<(&PortalGraph, &Contraction)> {
        self.tier(tier)
            .filter(|(_, contraction)| contraction.has_arcs())
    }

    /// Computes the arc costs of a tier, if the world has it.
    pub(super) fn shortcuts(&self, tier: Tier, prices: &Prices) -> Option<Shortcuts> {
        let (graph, contraction) = self.customizable_tier(tier)?;
        Some(self.shortcuts_over(graph, contraction, tier.is_taut(), prices))
    }

    /// Computes the arc costs of a contraction over this world's mesh.
    fn shortcuts_over(
        &self,
        graph: &PortalGraph,
        contraction: &Contraction,
        is_taut: bool,
        prices: &Prices,
    ) -> Shortcuts {
        let edges = graph.edges(&self.mesh, prices);
        let mut shortcuts = if is_taut {
            let measure = TautCosts::new(&self.mesh, graph, prices);
            Shortcuts::taut(contraction, edges, &measure)
        } else {
            Shortcuts::from_edges(contraction, edges)
        };
        shortcuts.learn_cost_estimate(contraction, prices.cost_per_metre());
        shortcuts
    }
}

/// Adds the positions of the graph's vertices to its contraction.
pub(super) fn with_vertex_positions(contraction: Contraction, graph: &PortalGraph) -> Contraction {
    contraction.with_positions(|vertex| graph.position(SampleId(vertex)))
}
