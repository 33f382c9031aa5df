//! The engines agree with an oracle that builds its own graph and relaxes every arc.

use glam::Vec3;
use portolan_core::{
    Endpoints, Engine, GraphOptions, Level, Limits, NavMesh, Path, PolygonId, Profile, Query,
    Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, LevelsOptions, MeshPlan, Oracle, agents, assert_corridor, close, densities,
    plans, portal_of, random_order, random_partition, with_levels,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// A world, a profile and the oracle for both.
struct OracleCase {
    world: World,
    profile: Profile,
    oracle: Oracle,
}

/// The parameters of a random hierarchy.
#[derive(Clone, Copy, Debug)]
struct Cut {
    mu: usize,
    seed: u64,
}

fn cuts() -> impl Strategy<Value = Cut> {
    let mu = prop::sample::select(vec![2usize, 4, 6, 8, 10, 15, 20]);
    (mu, any::<u64>()).prop_map(|(mu, seed)| Cut { mu, seed })
}

impl OracleCase {
    fn new(mesh: NavMesh, profile: Profile, samples: Samples, cut: Cut) -> Self {
        let graph = GraphOptions {
            samples,
            ..GraphOptions::default()
        };
        let partition = random_partition(&mesh, cut.mu, cut.seed);
        let mut rng = CaseRng::new(cut.seed);
        // Some engines are precomputed for the default profile. They must also answer other profiles, or fall back.
        let default = match rng.chance(0.7) {
            true => profile.clone(),
            false => Profile::default(),
        };
        let options = LevelsOptions {
            graph,
            profile: default,
            ..LevelsOptions::default()
        };
        let world = with_levels(mesh, partition, &options);
        let order = random_order(&mut rng, world.graph().sample_count());
        let world = world
            .with_contraction(order)
            .expect("a valid order")
            .with_labels(usize::MAX);
        let world = world.expect("labels within the limit");
        let oracle = Oracle::new(world.mesh(), &profile, samples);
        Self {
            world,
            profile,
            oracle,
        }
    }

    fn of(plan: &MeshPlan, agent: &Agent, samples: Samples, cut: Cut) -> Self {
        Self::new(plan.mesh(), agent.profile(), samples, cut)
    }

    /// Iterates over the engines that guarantee the lowest cost.
    fn exact_engines(&self) -> impl Iterator<Item = Engine> {
        self.world
            .engines()
            .into_iter()
            .filter(|&engine| self.world.resolve_engine(engine).is_exact())
    }

    /// Calls `check` with random queries whose start and goal the profile allows. Asserts the status of all others.
    fn for_each_query(&self, seed: u64, mut check: impl FnMut(&Query<'_>, &Endpoints)) {
        let costs = self.world.costs(&self.profile);
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let from = rng.point_near(self.world.mesh());
            let to = if rng.chance(0.1) {
                from
            } else {
                rng.point_near(self.world.mesh())
            };
            let query = Query {
                costs: Some(&costs),
                ..Query::new(from, to)
            };
            match self
                .world
                .locate(&query)
                .expect("the world has this engine")
                .endpoints()
            {
                Ok(ends) => check(&query, &ends),
                Err(status) => {
                    let answer = self.answer(&query, Engine::AStar);
                    assert_eq!(answer, (status, Path::default()));
                }
            }
        }
    }

    fn answer(&self, query: &Query<'_>, engine: Engine) -> (Status, Path) {
        let query = Query { engine, ..*query };
        let mut path = Path::default();
        let status = self
            .world
            .find_path(&query, &mut Scratch::new(), &mut path)
            .expect("the world has this engine");
        (status, path)
    }

    /// Returns the cost of the cheapest path over the samples of this corridor.
    fn cost_along(&self, path: &Path, start: Vec3, goal: Vec3) -> f64 {
        let (mesh, profile) = (self.world.mesh(), &self.profile);
        self.oracle.cost_along(mesh, profile, path, start, goal)
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(1000))]

    #[test]
    fn exact_engines_agree_with_the_oracle(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = OracleCase::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let expected = case.oracle.cost(ends.start, ends.goal);
            for engine in case.exact_engines() {
                let (status, path) = case.answer(query, engine);
                if expected == f64::INFINITY {
                    assert_eq!(status, Status::NoPath, "{engine}");
                    assert_eq!(path, Path::default());
                    continue;
                }
                assert_eq!(status, Status::Found, "{engine}: there is a path of cost {expected}");
                assert!(close(path.cost.into(), expected), "{engine}: {} instead of {expected}", path.cost);
                assert_corridor(case.world.mesh(), &case.profile, &path);
                let polygons = &path.corridor.polygons;
                assert_eq!(polygons.first(), Some(&ends.start.polygon));
                assert_eq!(polygons.last(), Some(&ends.goal.polygon));
                let along = case.cost_along(&path, ends.start.point, ends.goal.point);
                assert!(close(along, expected), "{engine}: the corridor costs {along} instead of {expected}");
            }
        });
    }

    /// A distance is the cost of the cheapest path, and a path of that cost starts with its first crossing.
    #[test]
    fn distances_and_first_crossings_agree_with_the_oracle(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = OracleCase::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let expected = case.oracle.cost(ends.start, ends.goal);
            for engine in [Engine::Labels, Engine::Contraction(Tier::Fast), Engine::AStar] {
                let query = Query { engine, ..*query };
                let distance = |limits: Limits| {
                    let query = Query { limits, ..query };
                    let located = case.world.located(&query, *ends).expect("the world has this engine");
                    located.distance(&mut Scratch::new())
                };
                let partial = Limits { partial: true, ..Limits::default() };
                let found = distance(partial);
                assert_eq!(found, distance(Limits::default()));
                let Some(found) = found else {
                    assert_eq!(expected, f64::INFINITY, "{engine}");
                    continue;
                };
                assert!(close(found.cost.into(), expected), "{engine}: {} instead of {expected}", found.cost);
                let limited = |max_cost| distance(Limits { max_cost, partial: false });
                assert_eq!(limited(found.cost), Some(found), "{engine}");
                if expected > 0.01 {
                    assert_eq!(limited(found.cost * 0.999), None, "{engine}");
                }
                let over = case.oracle.cost_via(case.world.mesh(), ends, found.first);
                assert!(close(over, expected), "{over} over {:?} instead of {expected}", found.first);
            }
        });
    }

    /// Engines that are not exact, such as PCCP, find a path if there is one. It costs at least as much as the cheapest
    /// path over the samples of its corridor.
    #[test]
    fn inexact_engines_find_a_path_if_there_is_one(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = OracleCase::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let expected = case.oracle.cost(ends.start, ends.goal);
            let is_exact = |&engine: &Engine| case.world.resolve_engine(engine).is_exact();
            let engines = case.world.engines().into_iter();
            for engine in engines.filter(|engine| !is_exact(engine)).chain([Engine::Closest]) {
                let (status, path) = case.answer(query, engine);
                if expected == f64::INFINITY {
                    assert_eq!(status, Status::NoPath, "{engine}");
                    continue;
                }
                assert_eq!(status, Status::Found, "{engine}: there is a path of cost {expected}");
                assert_corridor(case.world.mesh(), &case.profile, &path);
                let polygons = &path.corridor.polygons;
                assert_eq!(polygons.first(), Some(&ends.start.polygon));
                assert_eq!(polygons.last(), Some(&ends.goal.polygon));
                if engine != Engine::Closest {
                    let along = case.cost_along(&path, ends.start.point, ends.goal.point);
                    assert!(f64::from(path.cost) >= along * (1.0 - 1e-5) - 1e-5, "{engine}");
                    assert!(f64::from(path.cost) >= expected * (1.0 - 1e-5) - 1e-5, "{engine}");
                }
            }
        });
    }

    #[test]
    fn costs_for_one_engine_suffice_for_that_engine(plan in plans(), agent in agents(), cut in cuts(), seed: u64) {
        let case = OracleCase::of(&plan, &agent, Samples::Each(1), cut);
        case.for_each_query(seed, |query, _| {
            for engine in case.world.engines() {
                let costs = case.world.costs_for(&case.profile, &[engine]);
                let own = Query { costs: Some(&costs), ..*query };
                assert_eq!(case.answer(&own, engine), case.answer(query, engine), "{engine}");
            }
        });
    }

    #[test]
    fn paths_respect_the_cost_limit(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = OracleCase::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let expected = case.oracle.cost(ends.start, ends.goal);
            if expected == f64::INFINITY || expected < 0.01 {
                return;
            }
            for engine in case.exact_engines() {
                let limited = |max_cost: f64| {
                    let limits = Limits { max_cost: max_cost as f32, partial: false };
                    case.answer(&Query { limits, ..*query }, engine)
                };
                let (enough, path) = limited(expected * 1.0001);
                assert_eq!(enough, Status::Found, "{engine}");
                assert!(close(path.cost.into(), expected));
                assert_eq!(limited(expected * 0.9999).0, Status::NoPath, "{engine}");
                // A limit of exactly the cost of the path is enough, to the bit.
                let (unlimited, path) = case.answer(query, engine);
                assert_eq!(unlimited, Status::Found);
                assert_eq!(limited(path.cost.into()).0, Status::Found, "{engine}");
            }
        });
    }

    #[test]
    fn a_partial_path_ends_as_near_to_the_goal_as_possible(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = OracleCase::of(&plan, &agent, samples, cut);
        case.check_partial(seed);
    }

    #[test]
    fn a_partial_path_costs_no_more_than_the_limit(
        plan in plans(), agent in agents(), cut in cuts(), seed: u64, fraction in 0f64..1.0,
    ) {
        let case = OracleCase::of(&plan, &agent, Samples::Each(1), cut);
        case.for_each_query(seed, |query, ends| {
            let expected = case.oracle.cost(ends.start, ends.goal);
            let full_cost = if expected < f64::INFINITY { expected } else { 20.0 };
            let max_cost = (full_cost * fraction) as f32;
            let query = Query { limits: Limits { max_cost, partial: true }, ..*query };
            for engine in case.exact_engines() {
                let (status, path) = case.answer(&query, engine);
                if expected * 0.9999 > f64::from(max_cost) {
                    assert_eq!(status, Status::Partial, "{engine}");
                }
                assert_corridor(case.world.mesh(), &case.profile, &path);
                assert!(path.cost - max_cost <= 1e-4, "{engine}: {} exceeds the limit {max_cost}", path.cost);
            }
        });
    }
}

impl OracleCase {
    /// Asserts that partial paths end no farther from the goal than any reachable sample, and that all engines end at
    /// the same distance.
    fn check_partial(&self, seed: u64) {
        let limits = Limits {
            partial: true,
            ..Limits::default()
        };
        self.for_each_query(seed, |query, ends| {
            let expected = self.oracle.cost(ends.start, ends.goal);
            let query = Query { limits, ..*query };
            let mut distances = Vec::new();
            for engine in self.exact_engines() {
                let (status, path) = self.answer(&query, engine);
                assert_corridor(self.world.mesh(), &self.profile, &path);
                if expected < f64::INFINITY {
                    assert_eq!(status, Status::Found);
                    assert!(close(path.cost.into(), expected));
                    continue;
                }
                assert_eq!(status, Status::Partial);
                let end = *path.waypoints.last().expect("a waypoint");
                let distance = f64::from(end.distance(ends.goal.point));
                let nearest = self.oracle.nearest_reachable(ends);
                assert!(
                    distance <= nearest + 1e-4,
                    "{engine}: the path ends {distance} m from the goal, but a reachable sample is {nearest} m from it"
                );
                let along = self.cost_along(&path, ends.start.point, end);
                assert!(along <= f64::from(path.cost) * (1.0 + 1e-5) + 1e-5);
                distances.push(distance);
            }
            for pair in distances.windows(2) {
                assert!(
                    close(pair[0], pair[1]),
                    "the distances from the goal differ between engines: {distances:?}"
                );
            }
        });
    }
}

/// The properties above would also hold on trivial worlds. This shows that random queries have every status, cross
/// links, and lead through several nodes of the hierarchy.
#[test]
fn random_queries_cover_every_status() {
    let mut runner = TestRunner::deterministic();
    let mut counts = [0; 7];
    let mut crossings = [0; 2];
    let mut apart = [0; 3];
    let mut reentered = 0;
    for seed in 0..300 {
        let tree = (plans(), agents()).new_tree(&mut runner);
        let (plan, agent) = tree.expect("the strategy accepts some values").current();
        let case = OracleCase::of(&plan, &agent, Samples::Each(1), Cut { mu: 4, seed });
        let costs = case.world.costs(&case.profile);
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let mesh = case.world.mesh();
            let query = Query {
                costs: Some(&costs),
                ..Query::new(rng.point_near(mesh), rng.point_near(mesh))
            };
            let (status, path) = case.answer(&query, Engine::AStar);
            let statuses = [
                Status::Found,
                Status::Partial,
                Status::NoPath,
                Status::StartOffMesh,
                Status::GoalOffMesh,
                Status::StartClosed,
                Status::GoalClosed,
            ];
            let kind = statuses.iter().position(|&other| other == status);
            counts[kind.expect("a known status")] += 1;
            for &crossing in &path.corridor.crossings {
                crossings[usize::from(portal_of(mesh, crossing).is_none())] += 1;
            }
            let ends = [
                path.corridor.polygons.first(),
                path.corridor.polygons.last(),
            ];
            let hierarchy = case.world.hierarchy().expect("a hierarchy");
            let node = |p: &PolygonId| hierarchy.partition().node_of(Level(1), p.index());
            let mut nodes: Vec<_> = path.corridor.polygons.iter().map(node).collect();
            nodes.dedup();
            let visits = nodes.len();
            nodes.sort();
            nodes.dedup();
            reentered += usize::from(nodes.len() < visits);
            if let [Some(start), Some(goal)] = ends {
                for (level, apart) in (1..).zip(&mut apart) {
                    let node =
                        |p: &PolygonId| hierarchy.partition().node_of(Level(level), p.index());
                    *apart += usize::from(node(start) != node(goal));
                }
            }
        }
    }
    assert!(
        reentered > 50,
        "only {reentered} paths leave a node and enter it again"
    );
    let [
        found,
        partial,
        no_path,
        start_off,
        goal_off,
        start_closed,
        goal_closed,
    ] = counts;
    assert!(
        apart.iter().all(|&count| count > 50),
        "start and goal in different nodes, by level: {apart:?}"
    );
    assert!(found > 300 && no_path > 100, "{counts:?}");
    let off = [start_off, goal_off, start_closed, goal_closed];
    assert!(off.iter().all(|&count| count > 40), "{counts:?}");
    assert_eq!(partial, 0);
    assert!(crossings[0] > 1000 && crossings[1] > 50);
}
