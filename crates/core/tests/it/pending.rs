//! A query that pauses has the same answer as one that does not.

use glam::Vec3;
use portolan_core::{
    Budget, Engine, EngineError, Limits, Path, PendingSearch, Query, ResumeError, Scratch,
    SearchProgress, Status, World,
};
use portolan_oracle::{
    Agent, CaseRng, LevelsOptions, MeshPlan, agents, assert_corridor, close, plans, random_order,
    random_partition, with_levels, with_tiers,
};
use proptest::prelude::*;

/// Builds a world with a hierarchy and a contraction, if the seed says so.
pub(crate) fn world(plan: &MeshPlan, agent: &Agent, seed: u64) -> World {
    let mut rng = CaseRng::new(seed);
    let mesh = plan.mesh();
    let partition = random_partition(&mesh, 2 + rng.below(8), rng.seed());
    let options = LevelsOptions {
        profile: agent.profile(),
        ..LevelsOptions::default()
    };
    let world = with_levels(mesh, partition, &options);
    if rng.chance(0.7) {
        return world;
    }
    let order = random_order(&mut rng, world.graph().sample_count());
    with_tiers(world.with_contraction(order).expect("a valid order"))
}

/// Draws a query. Some have a cost limit, some want partial paths, and some points are off the mesh.
pub(crate) fn query(world: &World, engine: Engine, rng: &mut CaseRng) -> Query<'static> {
    let limits = Limits {
        max_cost: match rng.below(4) {
            0 => rng.between(0.0, 60.0),
            _ => f32::INFINITY,
        },
        partial: rng.chance(0.5),
    };
    Query {
        engine,
        limits,
        ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
    }
}

/// Asserts that two answers are equal to the bit.
fn assert_same(name: &str, a: (Status, &Path), b: (Status, &Path)) {
    assert_eq!(a.0, b.0, "{name}");
    assert_eq!(a.1.cost.to_bits(), b.1.cost.to_bits(), "{name}");
    assert_eq!(a.1.corridor, b.1.corridor, "{name}");
    assert_eq!(a.1.waypoints, b.1.waypoints, "{name}");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(150))]

    /// Searches that pause after a random number of expansions answer like `find_path`, for every engine.
    #[test]
    fn pauses_do_not_change_answers(plan in plans(), agent in agents(), seed: u64) {
        let world = world(&plan, &agent, seed);
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut search) = (Scratch::new(), PendingSearch::new());
        let (mut expected, mut path) = (Path::default(), Path::default());
        for engine in world.engines() {
            for _ in 0..4 {
                let query = query(&world, engine, &mut rng);
                let status = world.find_path(&query, &mut scratch, &mut expected).expect("an engine");
                let max_step = [1, 3, 20, 500][rng.below(4)];
                let begun = search.begin(&world, &query).expect("an engine");
                prop_assert!(begun != SearchProgress::Done(Status::Found));
                let mut runs = 0;
                let done = loop {
                    let budget = Budget::expansions(1 + rng.below(max_step));
                    if let SearchProgress::Done(status) = search.run(&world, budget).expect("this world") {
                        break status;
                    }
                    prop_assert!(!search.is_done());
                    prop_assert_eq!(search.path(&world, &mut path), Err(ResumeError::Running));
                    if rng.chance(0.2) {
                        let so_far = search.best_so_far(&world, &mut path).expect("this world");
                        prop_assert_eq!(so_far.has_path(), !path.waypoints.is_empty());
                        if so_far.has_path() {
                            assert_corridor(world.mesh(), &agent.profile(), &path);
                        } else {
                            prop_assert!(!query.limits.partial, "{}: {}", engine, so_far);
                        }
                        prop_assert!(path.cost <= query.limits.max_cost * (1.0 + 1e-5));
                    }
                    runs += 1;
                    prop_assert!(runs <= 2 * world.graph().sample_count() + 2, "{} makes no progress", engine);
                };
                prop_assert!(search.is_done());
                prop_assert_eq!(done, status);
                for _ in 0..2 {
                    let status = search.path(&world, &mut path).expect("an ended search");
                    assert_same(&engine.to_string(), (status, &path), (done, &expected));
                }
                let status = search.best_so_far(&world, &mut path).expect("an ended search");
                assert_same(&engine.to_string(), (status, &path), (done, &expected));
                prop_assert_eq!(search.run(&world, Budget::UNLIMITED), Ok(SearchProgress::Done(done)));
            }
        }
    }
}

/// Returns a world without an index, and a query across it that A* needs many expansions for.
pub(crate) fn rooms() -> (World, Query<'static>) {
    use portolan_core::NavMeshOptions;
    use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
    let raw = WorldScene::Rooms.build(&WorldOptions {
        polygons: 2000,
        ..WorldOptions::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).expect("a valid world");
    let points: Vec<Vec3> = RandomPoints::new(world.mesh(), 5).take(20).collect();
    let from = points[0];
    let farthest = points
        .iter()
        .max_by(|a, b| from.distance(**a).total_cmp(&from.distance(**b)));
    let query = Query {
        engine: Engine::AStar,
        ..Query::new(from, *farthest.expect("some points"))
    };
    (world, query)
}

#[test]
fn a_budget_of_nothing_does_nothing_and_of_one_makes_progress() {
    let (world, query) = rooms();
    let mut search = PendingSearch::new();
    assert_eq!(search.begin(&world, &query), Ok(SearchProgress::Running));
    for _ in 0..3 {
        assert_eq!(
            search.run(&world, Budget::expansions(0)),
            Ok(SearchProgress::Running)
        );
    }
    // The run with the last expansion notices that the search has ended.
    let mut expansions = 1;
    while search.run(&world, Budget::expansions(1)) == Ok(SearchProgress::Running) {
        expansions += 1;
    }
    let mut settled = 0;
    let mut count = |event| {
        settled += usize::from(matches!(event, portolan_core::Event::Settled(_)));
    };
    let located = world.locate(&query).expect("an engine");
    let searched = located
        .search_observed(&mut Scratch::new(), &mut count)
        .status();
    assert_eq!(searched, Status::Found);
    assert_eq!(expansions, settled, "one expansion per run, none twice");
    assert!(settled > 100);
}

#[test]
fn a_deadline_in_the_past_still_makes_progress() {
    let (world, query) = rooms();
    let (mut search, mut path) = (PendingSearch::new(), Path::default());
    let mut runs = 0;
    search.begin(&world, &query).expect("an engine");
    let late = Budget::time(std::time::Duration::ZERO);
    while search.run(&world, late) == Ok(SearchProgress::Running) {
        runs += 1;
    }
    assert!(runs > 5);
    let mut expected = Path::default();
    let status = world.find_path(&query, &mut Scratch::new(), &mut expected);
    let paused = search.path(&world, &mut path).expect("an ended search");
    assert_same(
        "astar",
        (paused, &path),
        (status.expect("an engine"), &expected),
    );
}

#[test]
fn a_search_does_not_continue_on_another_world() {
    let (world, query) = rooms();
    let (mut search, mut path) = (PendingSearch::new(), Path::default());
    assert_eq!(
        search.run(&world, Budget::UNLIMITED),
        Err(ResumeError::NotBegun)
    );
    assert_eq!(search.path(&world, &mut path), Err(ResumeError::NotBegun));
    assert_eq!(
        search.best_so_far(&world, &mut path),
        Err(ResumeError::NotBegun)
    );
    assert!(search.is_done());

    search.begin(&world, &query).expect("an engine");
    search
        .run(&world, Budget::expansions(20))
        .expect("this world");
    let changed = World::from_mesh(world.mesh().clone());
    for _ in 0..2 {
        assert_eq!(
            search.run(&changed, Budget::UNLIMITED),
            Err(ResumeError::WorldChanged)
        );
        assert_eq!(
            search.best_so_far(&changed, &mut path),
            Err(ResumeError::WorldChanged)
        );
        assert_eq!(
            search.path(&changed, &mut path),
            Err(ResumeError::WorldChanged)
        );
        assert!(path.waypoints.is_empty());
    }
    // A clone is the same world, and the search is intact.
    let same = world.clone();
    let done = search.run(&same, Budget::UNLIMITED);
    assert_eq!(done, Ok(SearchProgress::Done(Status::Found)));
    assert_eq!(
        search.path(&changed, &mut path),
        Err(ResumeError::WorldChanged)
    );
    assert_eq!(search.path(&world, &mut path), Ok(Status::Found));

    // The search begins again on the new world.
    let mut again = Path::default();
    search.begin(&changed, &query).expect("an engine");
    search.run(&changed, Budget::UNLIMITED).expect("this world");
    assert_eq!(search.path(&changed, &mut again), Ok(Status::Found));
    assert_same("astar", (Status::Found, &again), (Status::Found, &path));
}

#[test]
fn costs_of_another_world_and_missing_engines_are_errors_and_drop_the_search() {
    let (world, query) = rooms();
    let mut search = PendingSearch::new();
    let other = World::from_mesh(world.mesh().clone());
    let costs = other.costs(&portolan_core::Profile::default());
    search.begin(&world, &query).expect("an engine");
    let foreign = Query {
        costs: Some(&costs),
        ..query
    };
    assert_eq!(
        search.begin(&world, &foreign),
        Err(EngineError::ForeignCosts)
    );
    assert_eq!(
        search.run(&world, Budget::UNLIMITED),
        Err(ResumeError::NotBegun)
    );
    let labels = Query {
        engine: Engine::Labels,
        ..query
    };
    assert!(search.begin(&world, &labels).is_err());
    // Costs are kept by the search: they need not live as long as it.
    search.begin(&other, &foreign).expect("its own costs");
    drop(costs);
    let done = search.run(&other, Budget::UNLIMITED);
    assert_eq!(done, Ok(SearchProgress::Done(Status::Found)));
}

#[test]
fn points_off_the_mesh_end_at_once() {
    let (world, query) = rooms();
    let mut search = PendingSearch::new();
    let cases = [
        (Vec3::NAN, query.to, Status::StartOffMesh),
        (query.from, Vec3::NAN, Status::GoalOffMesh),
        (Vec3::INFINITY, Vec3::NAN, Status::StartOffMesh),
    ];
    for (from, to, status) in cases {
        let query = Query { from, to, ..query };
        assert_eq!(
            search.begin(&world, &query),
            Ok(SearchProgress::Done(status))
        );
        assert!(search.is_done());
        let mut path = Path::default();
        assert_eq!(search.path(&world, &mut path), Ok(status));
        assert_eq!(search.best_so_far(&world, &mut path), Ok(status));
    }
}

#[test]
fn the_best_path_so_far_gets_nearer_to_the_goal() {
    let (world, query) = rooms();
    let partial = Query {
        limits: Limits {
            partial: true,
            ..Limits::default()
        },
        ..query
    };
    let (mut search, mut path) = (PendingSearch::new(), Path::default());
    search.begin(&world, &partial).expect("an engine");
    let mut before = partial.from.distance(partial.to);
    let (start, mut distances) = (before, 0);
    while search.run(&world, Budget::expansions(40)) == Ok(SearchProgress::Running) {
        let status = search.best_so_far(&world, &mut path).expect("this world");
        let end = path.waypoints.last().expect("a path");
        let distance = end.distance(partial.to);
        assert!(
            status.has_path() && distance <= before + 1e-3,
            "{distance} after {before}"
        );
        distances += usize::from(distance < before);
        before = distance;
    }
    assert!(distances > 3 && before < 0.5 * start, "{before} of {start}");
    let status = search.best_so_far(&world, &mut path).expect("this world");
    assert_eq!(status, Status::Found);
    assert!(close(path.cost.into(), world_cost(&world, &query)));
}

fn world_cost(world: &World, query: &Query<'_>) -> f64 {
    let mut path = Path::default();
    let status = world.find_path(query, &mut Scratch::new(), &mut path);
    assert_eq!(status, Ok(Status::Found));
    path.cost.into()
}
