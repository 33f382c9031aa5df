//! What the checks of one seed share: a world, a profile, the oracle for both, and ways to ask.

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

/// How answers are obtained; as [`World::find_path`].
pub type Ask = fn(&World, &Query<'_>, &mut Scratch, &mut Path) -> Result<Status, EngineError>;

/// The engines to compare.
#[derive(Clone, Debug, Default)]
pub struct EngineFilter(Vec<String>);

impl EngineFilter {
    /// Engines with one of these names, or with one of them before the first colons of theirs. No name means all.
    pub fn new(names: Vec<String>) -> Self {
        Self(names)
    }

    /// Whether this engine is one of them.
    pub fn has(&self, engine: impl fmt::Display) -> bool {
        let engine = engine.to_string();
        let is_meant = |name: &String| {
            let rest = engine.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        self.0.is_empty() || self.0.iter().any(is_meant)
    }
}

/// A world with a hierarchy, a contraction, labels and all tiers; a profile; the oracle for both.
#[derive(Debug)]
pub struct Case {
    /// The world. Its default profile is [`profile`](Self::profile) in most cases, and another in some.
    pub world: World,
    /// What the agent pays.
    pub profile: Profile,
    /// The same, made for the world.
    pub costs: Costs,
    /// Sums over the samples of the world's own graph.
    pub oracle: Oracle,
    /// Sums over the samples of each taut tier.
    pub taut_oracles: Vec<(Tier, Oracle)>,
    engines: EngineFilter,
    ask: Ask,
}

/// Worlds with more polygons are contracted in a good order. Any order will do for smaller ones.
const SMALL: usize = 120;

impl Case {
    /// Draws a case. The same generator state gives the same case.
    pub fn draw(rng: &mut CaseRng, engines: &EngineFilter, ask: Ask) -> Self {
        let plan = match rng.chance(0.1) {
            true => draw(scenes(400), rng),
            false => draw(plans(), rng),
        };
        let profile = draw(agents(), rng).profile();
        let samples = draw(densities(), rng);
        // What is precomputed for the default profile must answer for other profiles, too, or give way.
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
        let in_any_order = world.mesh().polygon_count() <= SMALL && rng.chance(0.7);
        let ranks = match in_any_order {
            true => random_order(rng, world.graph().sample_count()),
            false => order(world.graph(), &OrderOptions::default()).expect("an order"),
        };
        let world = world
            .with_contraction(ranks)
            .expect("an order")
            .with_labels(usize::MAX);
        let mut world = world.expect("labels of any size");
        let mut taut_oracles = Vec::new();
        for tier in Tier::TAUT {
            let samples = draw(densities(), rng);
            world = with_tier(world, tier, samples, in_any_order, rng);
            taut_oracles.push((tier, Oracle::new(world.mesh(), &profile, samples)));
        }
        Self {
            costs: world.costs(&profile),
            oracle: Oracle::new(world.mesh(), &profile, samples),
            world,
            profile,
            taut_oracles,
            engines: engines.clone(),
            ask,
        }
    }

    /// Whether answers of this engine are to be compared.
    pub fn wants(&self, engine: impl fmt::Display) -> bool {
        self.engines.has(engine)
    }

    /// The engines to compare that promise the least cost on the world's own graph.
    pub fn exact_engines(&self) -> Vec<Engine> {
        self.engines(|engine| engine.is_exact())
    }

    /// The engines to compare that this world can run and that are accepted for what they come to on it.
    pub fn engines(&self, accept: impl Fn(Engine) -> bool) -> Vec<Engine> {
        let engines = self.world.engines().into_iter();
        let engines = engines.filter(|&engine| accept(self.world.resolve_engine(engine)));
        engines.filter(|engine| self.wants(engine)).collect()
    }

    /// Draws a query between two points on or near the mesh. A few of them lie off it.
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

    /// Draws queries until one has both ends on ground that the agent may stand on. `None` where it takes too many.
    pub fn located_query(&self, rng: &mut CaseRng) -> Option<(Query<'_>, Endpoints)> {
        (0..20).find_map(|_| {
            let query = self.query(rng);
            let ends = self.world.locate(&query).expect("`auto`").endpoints();
            ends.ok().map(|ends| (query, ends))
        })
    }

    /// Asks an engine.
    pub fn answer(
        &self,
        query: &Query<'_>,
        engine: Engine,
        scratch: &mut Scratch,
    ) -> (Status, Path) {
        let query = Query { engine, ..*query };
        let mut path = Path::default();
        let status =
            (self.ask)(&self.world, &query, scratch, &mut path).expect("an engine of this world");
        (status, path)
    }

    /// Asks an engine for a path with these limits.
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
    in_any_order: bool,
    rng: &mut CaseRng,
) -> World {
    if in_any_order {
        return portolan_oracle::with_tier(world, tier, samples, rng);
    }
    let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
    let ranks = order_taut(world.mesh(), &graph, &OrderOptions::default());
    let world = world.with_tier(tier, graph, ranks.expect("an order"));
    world.expect("a tier of this mesh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_the_engine_and_its_variants() {
        let filter =
            |names: &[&str]| EngineFilter::new(names.iter().map(|&name| name.to_owned()).collect());
        let hna = filter(&["hna", "auto:fast"]);
        assert!(hna.has("hna") && hna.has("hna:2:table") && hna.has("auto:fast"));
        assert!(!hna.has("auto") && !hna.has("astar") && !hna.has("hnastar"));
        assert!(filter(&[]).has("anything"));
    }
}
