//! Profiles customized for one world: prices, and the data that the engines precompute from them.

use std::sync::{Arc, OnceLock};

use super::{Progress, Query, Stage, World, no_progress};
use crate::batch::LabelRecords;
use crate::contraction::{HubLabels, Shortcuts};
use crate::exact::{ExactError, ExactIndex};
use crate::hierarchy::{Cliques, Hierarchy, Metric, TableOptions};
use crate::probe::ProbeCache;
use crate::profile::{Prices, Profile};
use crate::query::{Engine, EngineError, Tier};

/// A [`Profile`] customized for one world by [`World::costs`]: its prices, and the data that the engines of
/// that world precompute from them. Build it once and share it between queries.
#[derive(Clone, Debug)]
pub struct Costs {
    prices: Prices,
    /// The id of the world that the costs were built for.
    world: u64,
    /// The intra-edges and connect tables of the hierarchy.
    metric: Option<Arc<Metric>>,
    /// Per tier, the costs of the arcs of its contraction.
    shortcuts: [Option<Arc<Shortcuts>>; Tier::ALL.len()],
    /// The hub labels, built from the shortcuts of the fast tier.
    labels: Option<Arc<HubLabels>>,
    /// What the exact tier needs, or why there are no exact paths for this profile.
    exact: Option<Result<Arc<ExactIndex>, ExactError>>,
    /// What probes have computed so far.
    cache: ProbeCache,
    /// The labels of batches, if one has needed them. Clones share them, whichever computes them.
    label_records: Arc<OnceLock<LabelRecords>>,
}

impl Costs {
    /// Creates costs with prices only, which are enough for A*, Dijkstra and `closest`.
    pub(super) fn new(prices: Prices, world: u64) -> Self {
        Self {
            prices,
            world,
            metric: None,
            shortcuts: Default::default(),
            labels: None,
            exact: None,
            cache: ProbeCache::default(),
            label_records: Arc::default(),
        }
    }

    /// Returns the labels of batches. `build` builds them if they are needed for the first time.
    pub(crate) fn label_records(
        &self,
        build: impl FnOnce(&Prices) -> LabelRecords,
    ) -> &LabelRecords {
        self.label_records.get_or_init(|| build(&self.prices))
    }

    /// Returns what probes compute when it is first asked for.
    pub(crate) fn cache(&self) -> &ProbeCache {
        &self.cache
    }

    /// Returns these costs with the id of another world.
    pub(super) fn built_for(self, world: u64) -> Self {
        Self { world, ..self }
    }

    pub(super) fn with_metric(self, metric: Metric) -> Self {
        Self {
            metric: Some(Arc::new(metric)),
            ..self
        }
    }

    /// Sets the arc costs of a tier. Labels from older shortcuts of the fast tier are dropped.
    pub(super) fn with_shortcuts(mut self, tier: Tier, shortcuts: Shortcuts) -> Self {
        self.shortcuts[tier as usize] = Some(Arc::new(shortcuts));
        if tier == Tier::Fast {
            self.labels = None;
            self.label_records = Arc::default();
        }
        self
    }

    pub(super) fn with_labels(self, labels: Arc<HubLabels>) -> Self {
        Self {
            labels: Some(labels),
            ..self
        }
    }

    pub(super) fn with_exact(self, exact: Result<Arc<ExactIndex>, ExactError>) -> Self {
        Self {
            exact: Some(exact),
            ..self
        }
    }

    /// Returns what the exact tier needs; `None` if these costs were not built for it.
    pub(super) fn exact(&self) -> Option<&Result<Arc<ExactIndex>, ExactError>> {
        self.exact.as_ref()
    }

    /// Returns what the exact tier needs, if these costs have exact paths.
    pub(super) fn exact_index(&self) -> Option<&ExactIndex> {
        self.exact_arc().map(Arc::as_ref)
    }

    pub(super) fn exact_arc(&self) -> Option<&Arc<ExactIndex>> {
        self.exact.as_ref()?.as_ref().ok()
    }

    /// Returns whether these costs have exact paths.
    pub(super) fn has_exact(&self) -> bool {
        matches!(self.exact, Some(Ok(_)))
    }

    /// Returns the prices on the world's mesh.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Returns whether these costs are those of the same profile in the same version of a world, so that all costs are equal.
    pub fn are_same_as(&self, other: &Self) -> bool {
        self.world == other.world && self.profile() == other.profile()
    }

    /// Returns the profile.
    pub fn profile(&self) -> &Profile {
        self.prices.profile()
    }

    /// Returns the hub labels of these costs. Only the world's default costs can have them.
    pub fn labels(&self) -> Option<&HubLabels> {
        self.labels.as_deref()
    }

    /// Returns the arc costs of a tier's contraction.
    pub fn shortcuts(&self, tier: Tier) -> Option<&Shortcuts> {
        self.shortcuts[tier as usize].as_deref()
    }

    /// Returns the intra-edges and connect tables of the hierarchy.
    pub fn metric(&self) -> Option<&Metric> {
        self.metric.as_deref()
    }

    /// Returns whether these costs have all data that a [resolved](World::resolve_engine) engine reads.
    pub(super) fn supports(&self, engine: Engine) -> bool {
        match engine {
            Engine::Auto(Tier::Exact) => self.has_exact(),
            Engine::Auto(tier) | Engine::Contraction(tier) => self.shortcuts(tier).is_some(),
            Engine::Labels => self.shortcuts(Tier::Fast).is_some(),
            Engine::Hna { .. } | Engine::Pccp { .. } => self.metric.is_some(),
            Engine::AStar | Engine::Dijkstra | Engine::Closest => true,
        }
    }
}

impl World {
    /// Customizes a profile for all engines of this world. With a hierarchy this takes as long as building
    /// its intra-edges and tables, so share the result between queries, or use
    /// [`costs_for`](Self::costs_for).
    pub fn costs(&self, profile: &Profile) -> Costs {
        let mut costs = self.prices_only(profile);
        for tier in Tier::CONTRACTED {
            costs = self.with_shortcuts(tier, costs);
        }
        self.with_metric(self.with_exact_costs(costs))
    }

    /// Customizes a profile for some engines only. For `auto` on a world with a contraction this takes
    /// milliseconds, even if the world also has a hierarchy. Queries by other engines fail with
    /// [`EngineError::CostsLack`].
    pub fn costs_for(&self, profile: &Profile, engines: &[Engine]) -> Costs {
        let mut costs = self.prices_only(profile);
        let may_be_exact = |&engine: &Engine| self.resolve_engine(engine).tier() == Tier::Exact;
        if engines.iter().any(may_be_exact) {
            costs = self.with_exact_costs(costs);
        }
        let resolve = |&engine: &Engine| self.resolve_engine_for(engine, &costs);
        let engines: Vec<Engine> = engines.iter().map(resolve).collect();
        let needs_tier = |tier: Tier| {
            engines.iter().any(|engine| match engine {
                Engine::Auto(used) | Engine::Contraction(used) => *used == tier,
                Engine::Labels => tier == Tier::Fast,
                _ => false,
            })
        };
        let needs_hierarchy =
            |engine: &Engine| matches!(engine, Engine::Hna { .. } | Engine::Pccp { .. });
        for tier in Tier::CONTRACTED
            .into_iter()
            .filter(|&tier| needs_tier(tier))
        {
            costs = self.with_shortcuts(tier, costs);
        }
        if engines.iter().any(needs_hierarchy) {
            costs = self.with_metric(costs);
        }
        costs
    }

    fn prices_only(&self, profile: &Profile) -> Costs {
        Costs::new(Prices::new(&self.mesh, profile), self.id)
    }

    /// Adds the arc costs of a tier, and the world's hub labels if the profile is the same, provided the
    /// world has that tier.
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

    /// Adds the costs of the hierarchy, if there is one.
    pub(super) fn with_metric(&self, costs: Costs) -> Costs {
        let Some(hierarchy) = &self.hierarchy else {
            return costs;
        };
        let metric = self.metric_over(hierarchy, &self.tables, costs.prices(), &no_progress);
        costs.with_metric(metric.expect("`no_progress` never stops"))
    }

    /// Computes the costs of a hierarchy over this world's graph. Returns `None` if `progress` stops the work.
    pub(super) fn metric_over(
        &self,
        hierarchy: &Hierarchy,
        tables: &TableOptions,
        prices: &Prices,
        progress: Progress<'_>,
    ) -> Option<Metric> {
        let arcs = Cliques::from_graph(&self.mesh, &self.graph, prices, hierarchy);
        let mut metric = Metric::new_with_progress(hierarchy, &arcs, |fraction| {
            progress(Stage::Hierarchy, fraction)
        })?;
        metric = metric.with_tables(hierarchy, &arcs, tables, |fraction| {
            progress(Stage::Tables, fraction)
        })?;
        if tables.centres {
            metric = metric.with_centres(&self.mesh, &self.graph, prices, hierarchy);
        }
        Some(metric)
    }

    /// Returns the costs of a query. Costs of another world are rejected: their lower bounds do not hold
    /// here and would silently give wrong paths.
    pub(super) fn costs_of<'a>(&'a self, query: &Query<'a>) -> Result<&'a Costs, EngineError> {
        let costs = query.costs.unwrap_or(&self.costs);
        self.check_costs(costs)?;
        Ok(costs)
    }

    /// Fails if costs were built for another world.
    pub(crate) fn check_costs(&self, costs: &Costs) -> Result<(), EngineError> {
        let is_own = costs.world == self.id;
        is_own.then_some(()).ok_or(EngineError::ForeignCosts)
    }
}
