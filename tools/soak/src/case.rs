//! The world, the profile and the oracle that the checks of one seed share.

use std::fmt;

use portolan_core::{
    Costs, Endpoints, Engine, EngineError, GraphOptions, Limits, Path, PortalGraph, Profile, Query,
    Samples, Scratch, Status, Tier, World,
};
use portolan_index::{OrderOptions, order, order_taut};
use portolan_oracle::{
    CaseRng, LevelsOptions, Oracle, agents, densities, draw, plans, random_order, random_partition,
    scenes, with_levels,
};

/// A function that finds a path, with the signature of [`World::find_path`].
pub type FindPath = fn(&World, &Query<'_>, &mut Scratch, &mut Path) -> Result<Status, EngineError>;

/// A selection of engines by name.
#[derive(Clone, Debug, Default)]
pub struct EngineFilter(Vec<String>);

impl EngineFilter {
    /// Selects the engines with one of these names, and all of their variants: `hna` selects `hna:1:astar` as well. An
    /// empty list selects all engines.
    pub fn new(names: Vec<String>) -> Self {
        Self(names)
    }

    /// Returns whether this engine is selected.
    pub fn selects(&self, engine: impl fmt::Display) -> bool {
        let engine = engine.to_string();
        let matches = |name: &String| {
            let variant = engine.strip_prefix(name.as_str());
            variant.is_some_and(|variant| variant.is_empty() || variant.starts_with(':'))
        };
        self.0.is_empty() || self.0.iter().any(matches)
    }
}

/// A world with a hierarchy, a contraction, labels and all tiers; a profile; and the oracles for this world and profile.
#[derive(Debug)]
pub struct SoakCase {
    /// The world. Its default profile is [`profile`](Self::profile) in most cases, and another in some.
    pub world: World,
    /// The profile of the queries.
    pub profile: Profile,
    /// The costs of the world for [`profile`](Self::profile).
    pub costs: Costs,
    /// The oracle over the samples of the world's own graph.
    pub oracle: Oracle,
    /// The oracle over the samples of each taut tier.
    pub taut_oracles: Vec<(Tier, Oracle)>,
    engines: EngineFilter,
    find_path: FindPath,
}

/// The largest number of polygons of worlds that may have a random contraction order. On larger worlds, a random order
/// would add too many shortcuts.
const MAX_RANDOM_ORDER: usize = 120;

impl SoakCase {
    /// Draws a case. The same generator state gives the same case.
    pub fn draw(rng: &mut CaseRng, engines: &EngineFilter, find_path: FindPath) -> Self {
        let plan = match rng.chance(0.1) {
            true => draw(scenes(400), rng),
            false => draw(plans(), rng),
        };
        let profile = draw(agents(), rng).profile();
        let samples = draw(densities(), rng);
        // Some engines are precomputed for the default profile. They must also answer other profiles, or fall back.
        let default = match rng.chance(0.7) {
            true => profile.clone(),
            false => Profile::default(),
        };
        let mesh = plan.mesh();
        let mu = 2 + rng.below(19);
        let partition = random_partition(&mesh, mu, rng.seed());
        let options = LevelsOptions {
            graph: GraphOptions {
                samples,
                ..GraphOptions::default()
            },
            profile: default,
            ..LevelsOptions::default()
        };
        let world = with_levels(mesh, partition, &options);
        let has_random_order = world.mesh().polygon_count() <= MAX_RANDOM_ORDER && rng.chance(0.7);
        let ranks = match has_random_order {
            true => random_order(rng, world.graph().sample_count()),
            false => order(world.graph(), &OrderOptions::default()).expect("a valid order"),
        };
        let world = world
            .with_contraction(ranks)
            .expect("a valid order")
            .with_labels(usize::MAX);
        let mut world = world.expect("labels within the limit");
        let mut taut_oracles = Vec::new();
        for tier in Tier::TAUT {
            let samples = draw(densities(), rng);
            world = with_tier(world, tier, samples, has_random_order, rng);
            taut_oracles.push((tier, Oracle::new(world.mesh(), &profile, samples)));
        }
        Self {
            costs: world.costs(&profile),
            oracle: Oracle::new(world.mesh(), &profile, samples),
            world,
            profile,
            taut_oracles,
            engines: engines.clone(),
            find_path,
        }
    }

    /// Returns whether the answers of this engine should be compared.
    pub fn is_selected(&self, engine: impl fmt::Display) -> bool {
        self.engines.selects(engine)
    }

    /// Returns the selected engines that guarantee the lowest cost on the world's own graph.
    pub fn exact_engines(&self) -> Vec<Engine> {
        self.engines(|engine| engine.is_exact())
    }

    /// Returns the selected engines of this world for which `accept` returns `true`. It is called with the engine that each
    /// one resolves to.
    pub fn engines(&self, accept: impl Fn(Engine) -> bool) -> Vec<Engine> {
        let engines = self.world.engines().into_iter();
        let engines = engines.filter(|&engine| accept(self.world.resolve_engine(engine)));
        engines.filter(|engine| self.is_selected(engine)).collect()
    }

    /// Draws a query between two points on or near the mesh. Some points are too far from the mesh to be located.
    pub fn query(&self, rng: &mut CaseRng) -> Query<'_> {
        let mesh = self.world.mesh();
        let from = rng.point_near(mesh);
        let to = match rng.chance(0.1) {
            true => from,
            false => rng.point_near(mesh),
        };
        Query {
            costs: Some(&self.costs),
            ..Query::new(from, to)
        }
    }

    /// Returns start and goal of a query on the mesh, or the status of the point that is off the mesh or closed.
    pub fn endpoints(&self, query: &Query<'_>) -> Result<Endpoints, Status> {
        let located = self.world.locate(query);
        located.expect("the default engine").endpoints()
    }

    /// Draws queries until one has both endpoints on ground that the profile allows. Returns `None` after 20 tries.
    pub fn located_query(&self, rng: &mut CaseRng) -> Option<(Query<'_>, Endpoints)> {
        (0..20).find_map(|_| {
            let query = self.query(rng);
            let ends = self.endpoints(&query);
            ends.ok().map(|ends| (query, ends))
        })
    }

    /// Runs a query with an engine.
    pub fn answer(
        &self,
        query: &Query<'_>,
        engine: Engine,
        scratch: &mut Scratch,
    ) -> (Status, Path) {
        let query = Query { engine, ..*query };
        let mut path = Path::default();
        let status = (self.find_path)(&self.world, &query, scratch, &mut path)
            .expect("the world has this engine");
        (status, path)
    }

    /// Runs a query with an engine and limits.
    pub fn limited(
        &self,
        query: &Query<'_>,
        engine: Engine,
        limits: Limits,
        scratch: &mut Scratch,
    ) -> (Status, Path) {
        self.answer(&Query { limits, ..*query }, engine, scratch)
    }
}

/// Adds a taut tier.
fn with_tier(
    world: World,
    tier: Tier,
    samples: Samples,
    has_random_order: bool,
    rng: &mut CaseRng,
) -> World {
    if has_random_order {
        return portolan_oracle::with_tier(world, tier, samples, rng);
    }
    let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
    let ranks = order_taut(world.mesh(), &graph, &OrderOptions::default());
    let world = world.with_tier(tier, graph, ranks.expect("a valid order"));
    world.expect("a valid tier")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_selects_the_engine_and_its_variants() {
        let filter =
            |names: &[&str]| EngineFilter::new(names.iter().map(|&name| name.to_owned()).collect());
        let hna = filter(&["hna", "auto:fast"]);
        assert!(hna.selects("hna") && hna.selects("hna:2:table") && hna.selects("auto:fast"));
        assert!(!hna.selects("auto") && !hna.selects("astar") && !hna.selects("hnastar"));
        assert!(filter(&[]).selects("anything"));
    }
}
