//! A profile customized for one world: what its engines precompute from the prices.

use std::sync::Arc;

use super::{Progress, Query, Stage, World, no_progress};
use crate::contraction::{HubLabels, Shortcuts};
use crate::hierarchy::{Cliques, Metric};
use crate::profile::{Prices, Profile};
use crate::query::{Engine, EngineError, Tier};

/// A [`Profile`] customized for one world, by [`World::costs`]: prices, and what the engines of that world
/// precompute from them. Share it between queries.
#[derive(Clone, Debug)]
pub struct Costs {
    prices: Prices,
    /// The number of the world they were made for.
    world: u64,
    /// The intra-edges and connect tables of the hierarchy.
    metric: Option<Arc<Metric>>,
    /// By tier, the costs of the arcs of its contraction.
    shortcuts: [Option<Arc<Shortcuts>>; Tier::ALL.len()],
    /// Made from the shortcuts of the fast tier.
    labels: Option<Arc<HubLabels>>,
}

impl Costs {
    /// Prices alone: enough for A*, Dijkstra and `closest`.
    pub(super) fn new(prices: Prices, world: u64) -> Self {
        Self {
            prices,
            world,
            metric: None,
            shortcuts: Default::default(),
            labels: None,
        }
    }

    pub(super) fn made_for(self, world: u64) -> Self {
        Self { world, ..self }
    }

    pub(super) fn with_metric(self, metric: Metric) -> Self {
        Self {
            metric: Some(Arc::new(metric)),
            ..self
        }
    }

    /// Labels made from older shortcuts of the fast tier are dropped.
    pub(super) fn with_shortcuts(mut self, tier: Tier, shortcuts: Shortcuts) -> Self {
        self.shortcuts[tier as usize] = Some(Arc::new(shortcuts));
        if tier == Tier::Fast {
            self.labels = None;
        }
        self
    }

    pub(super) fn with_labels(self, labels: Arc<HubLabels>) -> Self {
        Self {
            labels: Some(labels),
            ..self
        }
    }

    /// The prices on the world's mesh.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        self.prices.profile()
    }

    /// The hub labels of these costs. Only the world's default costs can have them.
    pub fn labels(&self) -> Option<&HubLabels> {
        self.labels.as_deref()
    }

    /// The costs of the arcs of a tier's contraction.
    pub fn shortcuts(&self, tier: Tier) -> Option<&Shortcuts> {
        self.shortcuts[tier as usize].as_deref()
    }

    /// The intra-edges and connect tables of the hierarchy.
    pub fn metric(&self) -> Option<&Metric> {
        self.metric.as_deref()
    }

    /// Whether everything is there that a [resolved](World::resolve_engine) engine reads.
    pub(super) fn serve(&self, engine: Engine) -> bool {
        match engine {
            Engine::Auto(tier) | Engine::Contraction(tier) => self.shortcuts(tier).is_some(),
            Engine::Labels => self.shortcuts(Tier::Fast).is_some(),
            Engine::Hna { .. } | Engine::Pccp { .. } => self.metric.is_some(),
            Engine::AStar | Engine::Dijkstra | Engine::Closest => true,
        }
    }
}

impl World {
    /// Customizes a profile for all engines of this world. With a hierarchy that takes as long as the
    /// intra-edges and tables do; share the result between queries.
    pub fn costs(&self, profile: &Profile) -> Costs {
        let mut costs = self.prices_only(profile);
        for tier in Tier::ALL {
            costs = self.with_shortcuts(tier, costs);
        }
        self.with_metric(costs)
    }

    /// Customizes a profile for some engines: for `auto` on a world with a contraction it takes
    /// milliseconds, whatever else the world has. Queries by other engines are an
    /// [`EngineError::CostsLack`].
    pub fn costs_for(&self, profile: &Profile, engines: &[Engine]) -> Costs {
        let engines: Vec<Engine> = engines.iter().map(|&e| self.resolve_engine(e)).collect();
        let contracts = |tier: Tier| {
            engines.iter().any(|engine| match engine {
                Engine::Auto(of) | Engine::Contraction(of) => *of == tier,
                Engine::Labels => tier == Tier::Fast,
                _ => false,
            })
        };
        let climbs = |engine: &Engine| matches!(engine, Engine::Hna { .. } | Engine::Pccp { .. });
        let mut costs = self.prices_only(profile);
        for tier in Tier::ALL.into_iter().filter(|&tier| contracts(tier)) {
            costs = self.with_shortcuts(tier, costs);
        }
        if engines.iter().any(climbs) {
            costs = self.with_metric(costs);
        }
        costs
    }

    fn prices_only(&self, profile: &Profile) -> Costs {
        Costs::new(Prices::new(&self.mesh, profile), self.number)
    }

    /// Adds what a tier needs, if it is there.
    fn with_shortcuts(&self, tier: Tier, costs: Costs) -> Costs {
        let Some(shortcuts) = self.shortcuts(tier, costs.prices()) else {
            return costs;
        };
        let costs = costs.with_shortcuts(tier, shortcuts);
        match &self.costs.labels {
            Some(labels) if tier == Tier::Fast && costs.profile() == self.costs.profile() => {
                costs.with_labels(Arc::clone(labels))
            }
            _ => costs,
        }
    }

    /// Adds what the hierarchy needs, if there is one.
    fn with_metric(&self, costs: Costs) -> Costs {
        let made = self.with_metric_watched(costs, &no_progress);
        made.expect("nobody stops it")
    }

    /// Adds what the hierarchy needs, if there is one. `None` where `watch` stops it.
    pub(super) fn with_metric_watched(&self, costs: Costs, watch: Progress<'_>) -> Option<Costs> {
        let Some(hierarchy) = &self.hierarchy else {
            return Some(costs);
        };
        let prices = costs.prices();
        let arcs = Cliques::from_graph(&self.mesh, &self.graph, prices, hierarchy);
        let mut metric =
            Metric::new_with_progress(hierarchy, &arcs, |share| watch(Stage::Hierarchy, share))?;
        metric = metric.with_tables(hierarchy, &arcs, &self.tables, |share| {
            watch(Stage::Tables, share)
        })?;
        if self.tables.centres {
            metric = metric.with_centres(&self.mesh, &self.graph, prices, hierarchy);
        }
        Some(costs.with_metric(metric))
    }

    /// The costs of a query. Those of another world would give wrong paths without a word: what they
    /// promise the heuristic holds there and not here.
    pub(super) fn costs_of<'a>(&'a self, query: &Query<'a>) -> Result<&'a Costs, EngineError> {
        let costs = query.costs.unwrap_or(&self.costs);
        if costs.world == self.number {
            Ok(costs)
        } else {
            Err(EngineError::ForeignCosts)
        }
    }
}
