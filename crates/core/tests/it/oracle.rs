//! The engines against an oracle that builds the graph itself and relaxes every arc.

use glam::{Vec3, vec3};
use portolan_core::{
    Endpoints, Engine, GraphOptions, Level, Limits, NavMesh, NavMeshOptions, Path, PolygonId,
    Profile, Query, RawLink, RawNavMesh, Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, LevelsOptions, Oracle, Plan, agents, assert_corridor, close, densities, plans,
    portal_of, random_order, random_partition, with_levels,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// What runs on any world.
const PLAIN: [Engine; Engine::PLAIN.len()] = Engine::PLAIN;

/// A world, an agent and the oracle for both.
struct Case {
    world: World,
    profile: Profile,
    oracle: Oracle,
}

/// How the hierarchy is drawn.
#[derive(Clone, Copy, Debug)]
struct Cut {
    mu: usize,
    seed: u64,
}

fn cuts() -> impl Strategy<Value = Cut> {
    let mu = prop::sample::select(vec![2usize, 4, 6, 8, 10, 15, 20]);
    (mu, any::<u64>()).prop_map(|(mu, seed)| Cut { mu, seed })
}

impl Case {
    fn new(mesh: NavMesh, profile: Profile, samples: Samples, cut: Cut) -> Self {
        let graph = GraphOptions {
            samples,
            ..GraphOptions::default()
        };
        let partition = random_partition(&mesh, cut.mu, cut.seed);
        let mut rng = CaseRng::new(cut.seed);
        // What is for the default profile alone is to answer for this one, or to give way.
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
            .expect("an order")
            .with_labels(usize::MAX);
        let world = world.expect("labels of any size");
        let oracle = Oracle::new(world.mesh(), &profile, samples);
        Self {
            world,
            profile,
            oracle,
        }
    }

    fn of(plan: &Plan, agent: &Agent, samples: Samples, cut: Cut) -> Self {
        Self::new(plan.mesh(), agent.profile(), samples, cut)
    }

    /// The engines that promise the least cost.
    fn exact_engines(&self) -> impl Iterator<Item = Engine> {
        self.world
            .engines()
            .into_iter()
            .filter(|&engine| self.world.resolve_engine(engine).is_exact())
    }

    /// Runs `check` on queries between random places that the agent may stand on.
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
                .expect("an engine of this world")
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
            .expect("an engine of this world");
        (status, path)
    }

    /// The least cost of a way through the samples of this corridor.
    fn cost_along(&self, path: &Path, start: Vec3, goal: Vec3) -> f64 {
        let (mesh, profile) = (self.world.mesh(), &self.profile);
        self.oracle.cost_along(mesh, profile, path, start, goal)
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(1000))]

    #[test]
    fn statuses_and_costs_are_the_oracles(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = Case::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let right = case.oracle.cost(ends.start, ends.goal);
            for engine in case.exact_engines() {
                let (status, path) = case.answer(query, engine);
                if right == f64::INFINITY {
                    assert_eq!(status, Status::NoPath, "{engine}");
                    assert_eq!(path, Path::default());
                    continue;
                }
                assert_eq!(status, Status::Found, "{engine}: it costs {right}");
                assert!(close(path.cost.into(), right), "{engine}: {} and not {right}", path.cost);
                assert_corridor(case.world.mesh(), &case.profile, &path);
                let polygons = &path.corridor.polygons;
                assert_eq!(polygons.first(), Some(&ends.start.polygon));
                assert_eq!(polygons.last(), Some(&ends.goal.polygon));
                let along = case.cost_along(&path, ends.start.point, ends.goal.point);
                assert!(close(along, right), "{engine}: along the corridor {along}, not {right}");
            }
        });
    }

    /// A distance is the cost of a path, and its first crossing that of one.
    #[test]
    fn distances_are_the_oracles_and_first_crossings_lead_there(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = Case::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let right = case.oracle.cost(ends.start, ends.goal);
            for engine in [Engine::Labels, Engine::Contraction(Tier::Fast), Engine::AStar] {
                let query = Query { engine, ..*query };
                let distance = |limits: Limits| {
                    let query = Query { limits, ..query };
                    let located = case.world.located(&query, *ends).expect("the engine");
                    located.distance(&mut Scratch::new())
                };
                let partial = Limits { partial: true, ..Limits::default() };
                let found = distance(partial);
                assert_eq!(found, distance(Limits::default()));
                let Some(found) = found else {
                    assert_eq!(right, f64::INFINITY, "{engine}");
                    continue;
                };
                assert!(close(found.cost.into(), right), "{engine}: {} and not {right}", found.cost);
                let limited = |max_cost| distance(Limits { max_cost, partial: false });
                assert_eq!(limited(found.cost), Some(found), "{engine}");
                if right > 0.01 {
                    assert_eq!(limited(found.cost * 0.999), None, "{engine}");
                }
                let over = case.oracle.cost_over(case.world.mesh(), ends, found.first);
                assert!(close(over, right), "{over} over {:?}, and not {right}", found.first);
            }
        });
    }

    /// PCCP finds a path where there is one, and what it says that it costs.
    #[test]
    fn engines_that_are_not_exact_find_what_there_is(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = Case::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let right = case.oracle.cost(ends.start, ends.goal);
            let is_exact = |&engine: &Engine| case.world.resolve_engine(engine).is_exact();
            let engines = case.world.engines().into_iter();
            for engine in engines.filter(|engine| !is_exact(engine)).chain([Engine::Closest]) {
                let (status, path) = case.answer(query, engine);
                if right == f64::INFINITY {
                    assert_eq!(status, Status::NoPath, "{engine}");
                    continue;
                }
                assert_eq!(status, Status::Found, "{engine}: it costs {right}");
                assert_corridor(case.world.mesh(), &case.profile, &path);
                let polygons = &path.corridor.polygons;
                assert_eq!(polygons.first(), Some(&ends.start.polygon));
                assert_eq!(polygons.last(), Some(&ends.goal.polygon));
                if engine != Engine::Closest {
                    let along = case.cost_along(&path, ends.start.point, ends.goal.point);
                    assert!(f64::from(path.cost) >= along * (1.0 - 1e-5) - 1e-5, "{engine}");
                    assert!(f64::from(path.cost) >= right * (1.0 - 1e-5) - 1e-5, "{engine}");
                }
            }
        });
    }

    /// Costs for one engine are enough for that engine.
    #[test]
    fn costs_for_one_engine(plan in plans(), agent in agents(), cut in cuts(), seed: u64) {
        let case = Case::of(&plan, &agent, Samples::Each(1), cut);
        case.for_each_query(seed, |query, _| {
            for engine in case.world.engines() {
                let costs = case.world.costs_for(&case.profile, &[engine]);
                let own = Query { costs: Some(&costs), ..*query };
                assert_eq!(case.answer(&own, engine), case.answer(query, engine), "{engine}");
            }
        });
    }

    #[test]
    fn a_limit_on_the_cost_is_kept(plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64) {
        let case = Case::of(&plan, &agent, samples, cut);
        case.for_each_query(seed, |query, ends| {
            let right = case.oracle.cost(ends.start, ends.goal);
            if right == f64::INFINITY || right < 0.01 {
                return;
            }
            for engine in case.exact_engines() {
                let limited = |max_cost: f64| {
                    let limits = Limits { max_cost: max_cost as f32, partial: false };
                    case.answer(&Query { limits, ..*query }, engine)
                };
                let (enough, path) = limited(right * 1.0001);
                assert_eq!(enough, Status::Found, "{engine}");
                assert!(close(path.cost.into(), right));
                assert_eq!(limited(right * 0.9999).0, Status::NoPath, "{engine}");
                // To the bit what it costs is enough, too.
                let (unlimited, path) = case.answer(query, engine);
                assert_eq!(unlimited, Status::Found);
                assert_eq!(limited(path.cost.into()).0, Status::Found, "{engine}");
            }
        });
    }

    #[test]
    fn where_there_is_no_way_it_ends_as_near_as_one_can_get(
        plan in plans(), agent in agents(), samples in densities(), cut in cuts(), seed: u64,
    ) {
        let case = Case::of(&plan, &agent, samples, cut);
        case.check_partial(seed);
    }

    #[test]
    fn a_partial_path_costs_no_more_than_the_limit(
        plan in plans(), agent in agents(), cut in cuts(), seed: u64, share in 0f64..1.0,
    ) {
        let case = Case::of(&plan, &agent, Samples::Each(1), cut);
        case.for_each_query(seed, |query, ends| {
            let right = case.oracle.cost(ends.start, ends.goal);
            let most = if right < f64::INFINITY { right } else { 20.0 };
            let max_cost = (most * share) as f32;
            let query = Query { limits: Limits { max_cost, partial: true }, ..*query };
            for engine in case.exact_engines() {
                let (status, path) = case.answer(&query, engine);
                if right * 0.9999 > f64::from(max_cost) {
                    assert_eq!(status, Status::Partial, "{engine}");
                }
                assert_corridor(case.world.mesh(), &case.profile, &path);
                let over = path.cost - max_cost;
                assert!(over <= 1e-4, "{engine}: {} is {over} over {max_cost}", path.cost);
            }
        });
    }
}

impl Case {
    /// Partial paths end no farther from the goal than any sample that can be reached, and all
    /// engines agree.
    fn check_partial(&self, seed: u64) {
        let limits = Limits {
            partial: true,
            ..Limits::default()
        };
        self.for_each_query(seed, |query, ends| {
            let right = self.oracle.cost(ends.start, ends.goal);
            let query = Query { limits, ..*query };
            let mut distances = Vec::new();
            for engine in self.exact_engines() {
                let (status, path) = self.answer(&query, engine);
                assert_corridor(self.world.mesh(), &self.profile, &path);
                if right < f64::INFINITY {
                    assert_eq!(status, Status::Found);
                    assert!(close(path.cost.into(), right));
                    continue;
                }
                assert_eq!(status, Status::Partial);
                let end = *path.waypoints.last().expect("a waypoint");
                let distance = f64::from(end.distance(ends.goal.point));
                let nearest = self.oracle.nearest_reachable(ends);
                assert!(
                    distance <= nearest + 1e-4,
                    "{engine}: {distance}, a sample {nearest}"
                );
                let along = self.cost_along(&path, ends.start.point, end);
                assert!(along <= f64::from(path.cost) * (1.0 + 1e-5) + 1e-5);
                distances.push(distance);
            }
            for pair in distances.windows(2) {
                assert!(close(pair[0], pair[1]), "engines end {distances:?} m off");
            }
        });
    }
}

/// Squares of 2 m with a gap of 2 m between them, in a row along x.
fn islands(count: usize) -> RawNavMesh {
    let mut raw = RawNavMesh::default();
    for island in 0..count {
        let (x, first) = (4.0 * island as f32, raw.vertices.len() as u32);
        let corners = [(0., 0.), (2., 0.), (2., 2.), (0., 2.)];
        raw.vertices
            .extend(corners.map(|(dx, z)| vec3(x + dx, 0., z)));
        raw.polygons.push(first..first + 4);
    }
    raw
}

/// Asserts that what a path costs is enough as a limit, too.
fn assert_cost_is_enough(world: &World, query: &Query<'_>) {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    if world
        .find_path(query, &mut scratch, &mut path)
        .expect("an engine of this world")
        != Status::Found
    {
        return;
    }
    let cost = path.cost;
    let limits = Limits {
        max_cost: cost,
        partial: false,
    };
    let limited = Query { limits, ..*query };
    let status = world
        .find_path(&limited, &mut scratch, &mut path)
        .expect("an engine of this world");
    assert_eq!(status, Status::Found, "{query:?} costs {cost}");
}

/// There the samples are on the way as the crow flies, so nothing is left of the limit but rounding, and
/// where all are equally wide, that adds up.
#[test]
fn along_a_straight_row_the_cost_is_enough() {
    let mut raw = RawNavMesh::default();
    for column in 0..400 {
        let (west, first) = (0.5 * column as f32, 4 * column);
        let corners = [(0., 0.), (0.5, 0.), (0.5, 1.), (0., 1.)];
        let corners = corners.map(|(x, z)| vec3(west + x, 0., z));
        raw.vertices.extend(corners);
        raw.polygons.push(first..first + 4);
    }
    let mut profile = Profile::default();
    profile.set_factor(0, 1.0 / 3.0).expect("a factor");
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a sound row");
    let world = World::new(mesh, &GraphOptions::default(), &profile).expect("a graph");
    let order = random_order(&mut CaseRng::new(8), world.graph().sample_count());
    let world = world.with_contraction(order).expect("an order");
    for column in 0..400 {
        for engine in [Engine::AStar, Engine::Contraction(Tier::Fast)] {
            let goal = vec3(0.5 * column as f32 + 0.1, 0., 0.5);
            let query = Query {
                engine,
                ..Query::new(vec3(0.1, 0., 0.5), goal)
            };
            assert_cost_is_enough(&world, &query);
        }
    }
}

/// With a limit the little A* that goes first comes to an end more often, and sums in another order than the
/// contraction that answers without one. In this world that made a difference.
#[test]
fn to_who_names_no_engine_the_cost_is_enough() {
    let options = WorldOptions {
        polygons: 60,
        seed: 24,
        areas: true,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(WorldScene::Open.build(&options), &NavMeshOptions::default())
        .expect("a sound world");
    let mut rng = CaseRng::new(24);
    let world = World::from_mesh(mesh);
    let order = random_order(&mut rng, world.graph().sample_count());
    let world = world.with_contraction(order).expect("an order");
    for _ in 0..200 {
        let [from, to] = [(); 2].map(|()| rng.point_inside(world.mesh()));
        let query = Query {
            engine: Engine::Auto(Tier::Fast),
            ..Query::new(from, to)
        };
        assert_cost_is_enough(&world, &query);
    }
}

#[test]
fn a_one_way_link_leads_one_way() {
    let mut raw = islands(2);
    raw.links.push(RawLink {
        start: vec3(1.5, 0., 1.),
        end: vec3(4.5, 0., 1.),
        cost: Some(0.5),
        ..RawLink::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).expect("sound islands");
    let world = world
        .with_contraction(vec![0, 1])
        .expect("an order")
        .with_labels(1000);
    let world = world.expect("two small labels");
    let (here, there) = (vec3(0.5, 0., 1.), vec3(5.5, 0., 1.));
    for engine in PLAIN
        .into_iter()
        .chain([Engine::Contraction(Tier::Fast), Engine::Labels])
    {
        let mut path = Path::default();
        let query = Query {
            engine,
            ..Query::new(here, there)
        };
        assert_eq!(
            world
                .find_path(&query, &mut Scratch::new(), &mut path)
                .expect("an engine of this world"),
            Status::Found
        );
        assert_eq!(path.cost, 2.5);
        let back = Query {
            engine,
            ..Query::new(there, here)
        };
        assert_eq!(
            world
                .find_path(&back, &mut Scratch::new(), &mut path)
                .expect("an engine of this world"),
            Status::NoPath
        );
    }
}

#[test]
fn a_partial_path_does_not_end_on_forbidden_ground_behind_a_link() {
    let mut raw = islands(3);
    raw.areas = vec![0, 1, 0];
    raw.links.push(RawLink {
        start: vec3(1.5, 0., 1.),
        end: vec3(5.5, 0., 1.),
        ..RawLink::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).expect("sound islands");
    let mut profile = Profile::default();
    profile.forbid(1);
    let costs = world.costs(&profile);
    for engine in PLAIN {
        let query = Query {
            costs: Some(&costs),
            engine,
            limits: Limits {
                partial: true,
                ..Limits::default()
            },
            ..Query::new(vec3(0.5, 0., 1.), vec3(9., 0., 1.))
        };
        let mut path = Path::default();
        let status = world
            .find_path(&query, &mut Scratch::new(), &mut path)
            .expect("an engine of this world");
        assert_eq!(status, Status::Partial);
        assert_corridor(world.mesh(), &profile, &path);
        assert_eq!(path.waypoints.last(), Some(&vec3(2., 0., 1.)), "{engine}");
    }
}

/// All ways cost the same there, round in circles, too.
#[test]
fn on_ground_that_costs_nothing_no_portal_is_crossed_twice() {
    let mut profile = Profile::default();
    profile.set_factor(0, 0.0).expect("a factor");
    profile.set_factor(1, 0.0).expect("a factor");
    let options = WorldOptions {
        polygons: 1000,
        areas: true,
        links: true,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(WorldScene::Open.build(&options), &NavMeshOptions::default())
        .expect("a sound world");
    let world = World::new(mesh, &GraphOptions::default(), &profile).expect("a graph");
    let order = (0..world.graph().sample_count() as u32).collect();
    let world = world
        .with_contraction(order)
        .expect("an order")
        .with_labels(usize::MAX);
    let world = world.expect("labels of any size");
    let mut rng = CaseRng::new(3);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for _ in 0..50 {
        let [from, to] = [(); 2].map(|()| rng.point_inside(world.mesh()));
        for engine in PLAIN
            .into_iter()
            .chain([Engine::Contraction(Tier::Fast), Engine::Labels])
        {
            let query = Query {
                engine,
                ..Query::new(from, to)
            };
            world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world");
            let mut crossings = path.corridor.crossings.clone();
            crossings.sort_by_key(|crossing| format!("{crossing:?}"));
            crossings.dedup();
            assert_eq!(crossings.len(), path.corridor.crossings.len(), "{engine}");
        }
    }
}

/// Asks for as much of the way as there is at that cost; gives how it ends, and its cost.
fn partial_end(raw: RawNavMesh, from: Vec3, to: Vec3, max_cost: f32) -> (Vec3, f32) {
    let world = World::build(raw, &NavMeshOptions::default()).expect("a sound mesh");
    let query = Query {
        limits: Limits {
            max_cost,
            partial: true,
        },
        ..Query::new(from, to)
    };
    let mut path = Path::default();
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("an engine of this world");
    assert_eq!(status, Status::Partial);
    (*path.waypoints.last().expect("a waypoint"), path.cost)
}

#[test]
fn a_partial_path_within_one_polygon_keeps_the_limit() {
    let (from, to) = (vec3(0.5, 0., 1.), vec3(1.5, 0., 1.));
    let (end, cost) = partial_end(islands(1), from, to, 0.25);
    assert!(cost <= 0.25, "it ends at {end} for {cost}");
}

#[test]
fn a_partial_path_does_not_climb_away_from_the_goal() {
    // A slope from 2 m at x = 0 to 6 m at x = 4, and a floor below its upper end.
    let mut raw = RawNavMesh::default();
    for (y, rise) in [(2., 4.), (0., 0.)] {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (4., 0.), (4., 2.), (0., 2.)];
        let place = |(x, z): (f32, f32)| vec3(x, y + rise * x / 4.0, z);
        raw.vertices.extend(corners.map(place));
        raw.polygons.push(first..first + 4);
    }
    let (from, to) = (vec3(0.5, 2.5, 1.), vec3(4., 0., 1.));
    let (end, _) = partial_end(raw, from, to, f32::INFINITY);
    assert!(end.distance(to) <= from.distance(to), "it ends at {end}");
}

#[test]
fn search_says_what_find_path_says() {
    let world = World::build(islands(2), &NavMeshOptions::default()).expect("sound islands");
    let mut scratch = Scratch::new();
    let mut search = |from: [f32; 3], to: [f32; 3]| {
        let query = Query::new(from, to);
        let searched = world.locate(&query).expect("`auto`").search(&mut scratch);
        (searched.status(), searched.cost())
    };
    let start = [0.5, 0., 0.5];
    assert_eq!(search(start, [1.5, 0., 0.5]), (Status::Found, Some(1.0)));
    assert_eq!(search(start, [5.5, 0., 0.5]), (Status::NoPath, None));
    let off = [3., 0., 0.5];
    assert_eq!(search(off, [5.5, 0., 0.5]), (Status::StartOffMesh, None));
    assert_eq!(search(start, off), (Status::GoalOffMesh, None));
}

/// The properties above would hold of empty worlds, too; these are not.
#[test]
fn the_random_queries_are_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let mut counts = [0; 7];
    let mut crossings = [0; 2];
    let mut apart = [0; 3];
    let mut come_back = 0;
    for seed in 0..300 {
        let tree = (plans(), agents()).new_tree(&mut runner);
        let (plan, agent) = tree.expect("a plan").current();
        let case = Case::of(&plan, &agent, Samples::Each(1), Cut { mu: 4, seed });
        let costs = case.world.costs(&case.profile);
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let mesh = case.world.mesh();
            let query = Query {
                costs: Some(&costs),
                ..Query::new(rng.point_near(mesh), rng.point_near(mesh))
            };
            let (status, path) = case.answer(&query, Engine::AStar);
            let kinds = [
                Status::Found,
                Status::Partial,
                Status::NoPath,
                Status::StartOffMesh,
                Status::GoalOffMesh,
                Status::StartClosed,
                Status::GoalClosed,
            ];
            let kind = kinds.iter().position(|&kind| kind == status);
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
            come_back += usize::from(nodes.len() < visits);
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
        come_back > 50,
        "{come_back} paths leave a node and come back"
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
        "apart at levels: {apart:?}"
    );
    assert!(found > 300 && no_path > 100, "{counts:?}");
    let off = [start_off, goal_off, start_closed, goal_closed];
    assert!(off.iter().all(|&count| count > 40), "{counts:?}");
    assert_eq!(partial, 0);
    assert!(crossings[0] > 1000 && crossings[1] > 50);
}
