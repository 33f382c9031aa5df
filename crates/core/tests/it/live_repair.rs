//! Paths, followers and agents in worlds that change: they are repaired, and never lead through closed ground.

use portolan_core::{
    Agents, Anytime, Budget, Change, Endpoints, Engine, Field, Follower, FrameBudget, LiveOptions,
    LiveWorld, Location, ManyScratch, Obstacle, ObstacleId, Path, PendingSearch, PolygonId, Query,
    RepairMethod, ResumeError, Samples, Scratch, SearchProgress, Snapshot, Status, Terminal, World,
};
use portolan_oracle::{
    CaseRng, ChangedGround, MeshPlan, Oracle, agents, assert_corridor, plans, random_changes,
    random_order,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Engines whose paths are repaired.
const ENGINES: [&str; 4] = ["auto", "astar", "closest", "dijkstra"];

fn without_background() -> LiveOptions {
    LiveOptions {
        background: false,
        ..LiveOptions::default()
    }
}

/// Returns a world with the fast tier.
fn world(plan: &MeshPlan, profile: &portolan_core::Profile, rng: &mut CaseRng) -> World {
    let mesh = plan.mesh();
    let world = World::new(mesh, &Default::default(), profile).expect("the default options");
    let order = random_order(rng, world.graph().sample_count());
    world.with_contraction(order).expect("an order")
}

fn centre_of_open(snapshot: &Snapshot, rng: &mut CaseRng) -> Option<Location> {
    let (mesh, prices) = (snapshot.mesh(), snapshot.default_costs().prices());
    (0..20).find_map(|_| {
        let polygon = rng.polygon(mesh);
        let point = mesh.centre(polygon);
        prices
            .allows(mesh, polygon)
            .then_some(Location { polygon, point })
    })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(1000))]

    /// A repaired path is a path whenever there is one, and never leads through closed ground.
    #[test]
    fn repaired_paths_are_valid_and_exist_where_a_path_exists(
        plan in plans(), agent in agents(), seed in any::<u64>(), engine in 0..ENGINES.len(),
    ) {
        let mut rng = CaseRng::new(seed);
        let live = LiveWorld::with_options(world(&plan, &agent.profile(), &mut rng), without_background());
        let mut ground = ChangedGround::new(live.snapshot().mesh());
        let engine: Engine = ENGINES[engine].parse().expect("an engine");
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let first = live.snapshot();
        let ends = [(); 2].map(|()| centre_of_open(&first, &mut rng));
        let [Some(start), Some(goal)] = ends else { return Ok(()) };
        let mut query = Query { engine, ..Query::new(start.point, goal.point) };
        let located = first.located(&query, Endpoints { start, goal }).expect("the engine");
        let _ = located.search(&mut scratch).waypoints(&mut path);
        for _ in 0..8 {
            let changes = random_changes(first.mesh(), &mut rng);
            changes.iter().for_each(|change| ground.apply(change));
            live.update(&changes).expect("valid changes");
            let snapshot = live.snapshot();
            // The agent has walked a part of the path.
            if let Some(count) = path.corridor.polygons.len().checked_sub(1).filter(|&count| count > 0) {
                query.from = snapshot.mesh().centre(path.corridor.polygons[rng.below(count.div_ceil(2))]);
            }
            let before = path.clone();
            let repaired = path.repair(&snapshot, &query, &mut scratch).expect("the engine");
            let located = snapshot.locate(&query).expect("the engine");
            prop_assert_eq!(path.version, snapshot.version());
            let Ok(ends) = located.endpoints() else {
                prop_assert_eq!(located.endpoints(), Err(repaired.status));
                prop_assert!(path.waypoints.is_empty());
                continue;
            };
            let (mesh, profile) = ground.mesh_and_profile(first.default_costs().profile());
            let expected = Oracle::new(&mesh, &profile, Samples::default()).cost(ends.start, ends.goal);
            prop_assert_eq!(repaired.status == Status::Found, expected < f64::INFINITY, "{:?}", repaired);
            if repaired.status != Status::Found {
                prop_assert_eq!(repaired.method, RepairMethod::Searched);
                continue;
            }
            if repaired.method == RepairMethod::Kept {
                prop_assert_eq!(&path, &before);
            } else {
                assert_corridor(&mesh, &profile, &path);
                prop_assert_eq!(path.corridor.polygons[0], ends.start.polygon);
                prop_assert_eq!(path.waypoints.first(), Some(&ends.start.point));
            }
            prop_assert_eq!(path.corridor.polygons.last(), Some(&ends.goal.polygon));
            let last = path.waypoints.last().expect("a goal");
            // The first path ends at the centre of its polygon, which may be above the ground.
            prop_assert!(last.with_y(0.0).distance(ends.goal.point.with_y(0.0)) < 1e-3);
            // What lies ahead is open, also on a path that was kept.
            let ahead = path.corridor.polygons.iter().rposition(|&at| at == ends.start.polygon).expect("on the path");
            for &polygon in &path.corridor.polygons[ahead..] {
                prop_assert!(snapshot.default_costs().prices().allows(snapshot.mesh(), polygon));
            }
            if repaired.method == RepairMethod::Mended {
                // No corridor is cheaper than the cheapest one.
                prop_assert!(f64::from(path.cost) >= expected * (1.0 - 1e-4), "{} for {}", path.cost, expected);
            }
        }
    }

    /// A follower is current until something ahead changes, and is repaired like its path.
    #[test]
    fn followers_know_what_lies_ahead(plan in plans(), seed in any::<u64>()) {
        let mut rng = CaseRng::new(seed);
        let profile = Default::default();
        let live = LiveWorld::with_options(world(&plan, &profile, &mut rng), without_background());
        let first = live.snapshot();
        let ends = [(); 2].map(|()| centre_of_open(&first, &mut rng));
        let [Some(start), Some(goal)] = ends else { return Ok(()) };
        let query = Query::new(start.point, goal.point);
        let mut follower = Follower::new();
        let Ok(path) = first.find(start.point, goal.point) else { return Ok(()) };
        follower.set_path(&path);
        let mut scratch = Scratch::new();
        for _ in 0..6 {
            live.update(&random_changes(first.mesh(), &mut rng)).expect("valid changes");
            let snapshot = live.snapshot();
            let before: Vec<PolygonId> = follower.polygons().collect();
            let is_current = follower.is_current(&snapshot);
            let repaired = follower.repair(&snapshot, &query, &mut scratch).expect("`auto`");
            prop_assert!(follower.is_current(&snapshot));
            prop_assert_eq!(follower.needs_path(), !repaired.status.has_path());
            let located = snapshot.locate(&query).expect("`auto`").endpoints();
            // A point on the floor may be nearer to that of another floor once its own is closed.
            let is_on_path = located.is_ok_and(|ends| {
                before.contains(&ends.start.polygon) && before.last() == Some(&ends.goal.polygon)
            });
            if is_current && is_on_path {
                prop_assert_eq!(repaired.method, RepairMethod::Kept);
                prop_assert!(follower.polygons().eq(before));
            }
            let (mesh, prices) = (snapshot.mesh(), snapshot.default_costs().prices());
            prop_assert!(follower.polygons().all(|polygon| prices.allows(mesh, polygon)));
            let count = (follower.crossings().len() + 1) * usize::from(repaired.status.has_path());
            prop_assert_eq!(follower.polygons().len(), count);
        }
    }
}

/// Open ground of 3000 polygons.
fn open_ground() -> LiveWorld {
    let options = WorldOptions {
        polygons: 3000,
        ..WorldOptions::default()
    };
    let plan = MeshPlan::Scene(WorldScene::Open, options);
    let world = world(&plan, &Default::default(), &mut CaseRng::new(4));
    LiveWorld::with_options(world, without_background())
}

fn long_path(snapshot: &Snapshot) -> Path {
    let mesh = snapshot.mesh();
    let [from, to] = [0, mesh.polygon_count() - 1].map(|i| mesh.centre(PolygonId::new(i)));
    let path = snapshot.find(from, to).expect("open ground");
    assert!(path.corridor.polygons.len() > 60);
    path
}

#[test]
fn a_door_on_the_way_is_mended_and_one_elsewhere_is_ignored() {
    let live = open_ground();
    let first = live.snapshot();
    let mut path = long_path(&first);
    let [from, to] = [path.waypoints[0], *path.waypoints.last().expect("a goal")];
    let query = Query {
        engine: Engine::AStar,
        ..Query::new(from, to)
    };
    let mut scratch = Scratch::new();
    let elsewhere = first.mesh().polygons();
    let mut elsewhere = elsewhere.filter(|polygon| !path.corridor.polygons.contains(polygon));
    live.update(&[Change::Block(elsewhere.next().expect("other ground"))])
        .expect("an existing polygon");
    let before = path.clone();
    let kept = path.repair(&live.snapshot(), &query, &mut scratch);
    assert_eq!(kept.expect("`auto`").method, RepairMethod::Kept);
    assert_eq!((&path, path.version), (&before, live.snapshot().version()));

    let door = path.corridor.polygons[30];
    live.update(&[Change::Block(door)])
        .expect("an existing polygon");
    // A contraction answers from scratch as fast.
    let fast = Query {
        engine: Engine::default(),
        ..query
    };
    let searched = path.clone().repair(&live.snapshot(), &fast, &mut scratch);
    assert_eq!(searched.expect("`auto`").method, RepairMethod::Searched);
    let mended = path.repair(&live.snapshot(), &query, &mut scratch);
    assert_eq!(mended.expect("A*").method, RepairMethod::Mended);
    assert!(!path.corridor.polygons.contains(&door));
    let new = live.snapshot().find(from, to).expect("a way around");
    assert!(
        path.length() < 1.06 * new.length(),
        "{} {}",
        path.length(),
        new.length()
    );
    assert_eq!(
        [path.waypoints[0], *path.waypoints.last().expect("a goal")],
        [from, to]
    );

    // A snapshot from before the path was found.
    let repaired = path.repair(&first, &query, &mut scratch).expect("`auto`");
    assert_eq!(
        (repaired.status, repaired.method),
        (Status::Found, RepairMethod::Searched)
    );
    assert_eq!(path.version, first.version());
}

#[test]
fn obstacles_on_the_way_are_repaired_and_others_are_ignored() {
    let live = open_ground();
    let first = live.snapshot();
    let mut path = long_path(&first);
    let [from, to] = [path.waypoints[0], *path.waypoints.last().expect("a goal")];
    let mut scratch = Scratch::new();
    let ahead = first.mesh().centre(path.corridor.polygons[40]);
    let mut all = first
        .mesh()
        .polygons()
        .map(|polygon| first.mesh().centre(polygon));
    let is_far = |at: &glam::Vec3| {
        let centres = path.corridor.polygons.iter();
        centres
            .map(|&polygon| first.mesh().centre(polygon))
            .all(|centre| centre.distance(*at) > 8.0)
    };
    let far = all.find(is_far).expect("ground beside the path");
    for engine in ["auto", "astar"].map(|name| name.parse().expect("an engine")) {
        let query = Query {
            engine,
            ..Query::new(from, to)
        };
        let mut check = |changes: &[Change], is_kept: Option<bool>| {
            live.update(changes).expect("valid changes");
            let snapshot = live.snapshot();
            let repaired = path
                .repair(&snapshot, &query, &mut scratch)
                .expect("the engine");
            assert_eq!(repaired.status, Status::Found);
            let was_kept = repaired.method == RepairMethod::Kept;
            assert!(
                is_kept.is_none_or(|is_kept| is_kept == was_kept),
                "{changes:?}"
            );
            assert!(path.is_current(&snapshot) && path.version == snapshot.version());
            let new = snapshot.find(from, to).expect("a way around");
            assert!(path.length() < 1.08 * new.length());
        };
        let disc = |at| Obstacle::disc(at, 0.3, 2.0);
        check(&[Change::Place(ObstacleId(1), disc(far))], Some(true));
        check(&[Change::Place(ObstacleId(2), disc(ahead))], Some(false));
        check(&[Change::Remove(ObstacleId(1))], Some(true));
        // The way around may or may not lead through pieces that are gone now.
        check(&[Change::Remove(ObstacleId(2))], None);
    }
}

#[test]
fn agents_repair_their_paths_when_the_world_changes() {
    let live = open_ground();
    let first = live.snapshot();
    let mut rng = CaseRng::new(8);
    let mut agents = Agents::new();
    let ids: Vec<_> = (0..50)
        .map(|_| {
            let id = agents.add(rng.point_inside(first.mesh()));
            agents.set_goal(id, rng.point_inside(first.mesh()));
            id
        })
        .collect();
    let query = Query {
        engine: Engine::AStar,
        ..Query::new([0.0; 3], [0.0; 3])
    };
    let find = |agents: &mut Agents, snapshot: &Snapshot| {
        let budget = FrameBudget::Queries(1000);
        agents.find_paths(snapshot, &query, budget).expect("`auto`")
    };
    assert_eq!(find(&mut agents, &first).answered, 50);
    assert_eq!(find(&mut agents, &first).answered, 0);
    let mut repaired = 0;
    for _ in 0..20 {
        let polygon = rng.polygon(first.mesh());
        live.update(&[Change::Block(polygon)])
            .expect("an existing polygon");
        let snapshot = live.snapshot();
        let touched = ids
            .iter()
            .filter(|&&id| agents.follower(id).polygons().any(|at| at == polygon))
            .count();
        let update = find(&mut agents, &snapshot);
        assert_eq!((update.answered, update.waiting), (touched, 0));
        repaired += update.repaired;
        for &id in &ids {
            assert!(agents.follower(id).is_current(&snapshot));
            assert!(agents.follower(id).polygons().all(|at| at != polygon));
        }
    }
    assert!(repaired > 0, "no path was repaired");
}

#[test]
fn fields_and_searches_know_their_version() {
    let live = open_ground();
    let first = live.snapshot();
    let path = long_path(&first);
    let (from, to) = (path.waypoints[0], *path.waypoints.last().expect("a goal"));
    let query = Query {
        engine: Engine::AStar,
        ..Query::new(from, to)
    };
    let (mut pending, mut anytime, mut field) =
        (PendingSearch::new(), Anytime::new(), Field::default());
    assert!(!pending.is_current(&first) && pending.version().is_none());
    assert!(!anytime.is_current(&first) && anytime.version().is_none());
    pending.begin(&first, &query).expect("A*");
    anytime.begin(&first, &query).expect("A*");
    let goal = first
        .many()
        .locate(to, portolan_core::DEFAULT_SNAP)
        .expect("on the mesh");
    let start = first
        .many()
        .locate(from, portolan_core::DEFAULT_SNAP)
        .expect("on the mesh");
    field.compute(first.many(), &[goal]);
    assert_eq!(
        pending.run(&first, Budget::expansions(10)),
        Ok(SearchProgress::Running)
    );

    live.update(&[Change::Block(path.corridor.polygons[30])])
        .expect("an existing polygon");
    let second = live.snapshot();
    assert!(!pending.is_current(&second) && !anytime.is_current(&second));
    assert!(!field.is_current(second.many()));
    assert_eq!(
        pending.run(&second, Budget::UNLIMITED),
        Err(ResumeError::WorldChanged)
    );
    // They go on with the snapshot on which they were begun, and say so.
    assert!(
        pending.is_current(&first) && anytime.is_current(&first) && field.is_current(first.many())
    );
    let versions = [pending.version(), anytime.version(), Some(field.version())];
    assert_eq!(versions, [Some(first.version()); 3]);
    assert_eq!(
        pending.run(&first, Budget::UNLIMITED),
        Ok(SearchProgress::Done(Status::Found))
    );
    let mut found = Path::default();
    assert_eq!(pending.path(&first, &mut found), Ok(Status::Found));
    assert_eq!(
        (found.version, found.is_current(&second)),
        (first.version(), false)
    );
    let ends = first
        .many()
        .ends(Terminal::Goal, &[to], portolan_core::DEFAULT_SNAP);
    let mut costs = Vec::new();
    first
        .many()
        .costs(start, &ends, &mut ManyScratch::default(), &mut costs);
    assert!(portolan_oracle::close(
        field.distance(first.many(), start).into(),
        costs[0].into()
    ));
}
