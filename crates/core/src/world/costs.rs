//! What agents pay in a world: profiles made ready for its engines.

use super::{Query, Stage, Watch, World, unwatched};
use crate::hierarchy::{Cliques, Metric};
use crate::profile::{Costs, Profile};
use crate::query::{Engine, Tier};

impl World {
    /// Makes a profile ready for all engines of this world. With a hierarchy that takes as long as the
    /// intra-edges and tables do; share the result between queries.
    pub fn costs(&self, profile: &Profile) -> Costs {
        let mut costs = Costs::new(&self.mesh, profile).made_for(self.number);
        for tier in Tier::ALL {
            costs = self.with_shortcuts(tier, costs);
        }
        self.with_metric(costs)
    }

    /// Makes a profile ready for some engines: for `auto` on a world with a contraction it takes
    /// milliseconds, whatever else the world has. Queries by others panic.
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
        let mut costs = Costs::new(&self.mesh, profile).made_for(self.number);
        for tier in Tier::ALL.into_iter().filter(|&tier| contracts(tier)) {
            costs = self.with_shortcuts(tier, costs);
        }
        if engines.iter().any(climbs) {
            costs = self.with_metric(costs);
        }
        costs
    }

    /// Adds what a tier needs, if it is there.
    fn with_shortcuts(&self, tier: Tier, costs: Costs) -> Costs {
        let Some(shortcuts) = self.shortcuts(tier, &costs) else {
            return costs;
        };
        let costs = costs.with_shortcuts(tier, shortcuts);
        match self.costs.shared_labels() {
            Some(labels) if tier == Tier::Fast && costs.profile() == self.costs.profile() => {
                costs.with_labels(labels)
            }
            _ => costs,
        }
    }

    /// Adds what the hierarchy needs, if there is one.
    fn with_metric(&self, costs: Costs) -> Costs {
        let made = self.with_metric_watched(costs, &unwatched);
        made.expect("nobody stops it")
    }

    /// Adds what the hierarchy needs, if there is one. `None` where `watch` stops it.
    pub(super) fn with_metric_watched(&self, costs: Costs, watch: Watch<'_>) -> Option<Costs> {
        let Some(hierarchy) = &self.hierarchy else {
            return Some(costs);
        };
        let arcs = Cliques::of_graph(&self.mesh, &self.graph, &costs, hierarchy);
        let mut metric = Metric::watched(hierarchy, &arcs, |share| watch(Stage::Hierarchy, share))?;
        metric = metric.with_tables(hierarchy, &arcs, &self.tables, |share| {
            watch(Stage::Tables, share)
        })?;
        if self.tables.centres {
            metric = metric.with_centres(&self.mesh, &self.graph, &costs, hierarchy);
        }
        Some(costs.with_metric(metric))
    }

    /// The costs of a query. Those of another world would give wrong paths without a word: what they
    /// promise the heuristic holds there and not here.
    pub(super) fn costs_of<'a>(&'a self, query: &Query<'a>) -> &'a Costs {
        let costs = query.costs.unwrap_or(&self.costs);
        assert!(
            costs.is_made_for(self.number),
            "these costs were made for another world"
        );
        costs
    }
}
