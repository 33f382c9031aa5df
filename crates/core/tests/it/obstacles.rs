//! Obstacles that are placed, moved and removed: compared with meshes that were really cut.

use glam::Vec3;
use portolan_core::{
    BorderMatching, Change, ChangeError, Costs, Endpoints, Engine, LiveOptions, LiveWorld,
    Location, NavMesh, NavMeshOptions, Obstacle, ObstacleId, Path, PolygonId, Query, RawNavMesh,
    Samples, Scratch, Snapshot, Status, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, agents, densities, plans, point_of_polygon, random_obstacle,
    taut_tiers,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use crate::live::world;

const RADIUS: f32 = 0.3;

fn options() -> LiveOptions {
    LiveOptions {
        background: false,
        agent_radius: RADIUS,
        ..LiveOptions::default()
    }
}

fn engine(name: &str) -> Engine {
    name.parse().expect("an engine")
}

/// Builds the mesh of everything that is left around the obstacles. Polygon `i` is the walkable polygon `i`.
fn cut_mesh(mesh: &NavMesh) -> (NavMesh, Vec<PolygonId>) {
    let mut raw = RawNavMesh::default();
    let walkable: Vec<PolygonId> = mesh.walkable().collect();
    for (id, &polygon) in walkable.iter().enumerate() {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend(mesh.corner_points(polygon));
        raw.polygons.push(first..raw.vertices.len() as u32);
        raw.areas.push(mesh.area(polygon));
        raw.flags.push(mesh.flags(polygon));
        raw.ids.push(id as u64);
    }
    // A larger gap would join pieces across slivers.
    let options = NavMeshOptions {
        borders: Some(BorderMatching {
            gap: 0.003,
            ..BorderMatching::default()
        }),
        ..NavMeshOptions::default()
    };
    (
        NavMesh::build(raw, &options).expect("valid pieces"),
        walkable,
    )
}

fn find(snapshot: &Snapshot, engine: Engine, endpoints: Endpoints) -> (Status, Path) {
    let query = Query {
        engine,
        ..Query::new(endpoints.start.point, endpoints.goal.point)
    };
    let mut path = Path::default();
    let located = snapshot.located(&query, endpoints).expect("the engine");
    let status = located.search(&mut Scratch::new()).waypoints(&mut path);
    (status, path)
}

/// Checks that a path leads through portals between open, walkable polygons and stays in them.
pub(super) fn assert_walkable(
    snapshot: &Snapshot,
    costs: &Costs,
    path: &Path,
    endpoints: Endpoints,
) {
    let (mesh, corridor) = (snapshot.mesh(), &path.corridor);
    assert_eq!(corridor.polygons.first(), Some(&endpoints.start.polygon));
    assert_eq!(corridor.polygons.last(), Some(&endpoints.goal.polygon));
    for (i, crossing) in corridor.crossings.iter().enumerate() {
        let pair = [corridor.polygons[i], corridor.polygons[i + 1]];
        let mut polygons = match *crossing {
            portolan_core::Crossing::Portal(portal) => mesh.portal(portal).polygons,
            portolan_core::Crossing::Link(link, _) => {
                assert!(costs.prices().link_cost(mesh, mesh.link(link)).is_some());
                mesh.link(link).polygons
            }
        };
        if polygons != pair {
            polygons.reverse();
        }
        assert_eq!(polygons, pair, "crossing {i}");
        if let portolan_core::Crossing::Portal(portal) = *crossing {
            let portal = mesh.portal(portal);
            for end in [portal.right, portal.left] {
                for side in pair {
                    let beside = mesh.nearest_on(side, end);
                    let gap = (beside - end).with_y(0.0).length();
                    assert!(
                        gap < 0.012,
                        "the end of a portal is {gap} m beside a polygon"
                    );
                }
            }
        }
    }
    for &polygon in &corridor.polygons {
        assert!(costs.prices().allows(mesh, polygon));
        assert!(mesh.has_polygon(polygon));
    }
}

/// Returns how deep a path leads into the outline of a disc or a box, grown by the radius of agents. [Units: m]
fn depth_inside(path: &Path, obstacle: &Obstacle) -> f32 {
    let mut depth = f32::NEG_INFINITY;
    for leg in path.waypoints.windows(2) {
        for i in 0..=50 {
            depth = depth.max(depth_at(leg[0].lerp(leg[1], i as f32 / 50.0), obstacle));
        }
    }
    depth
}

/// Returns how deep a point lies in the outline of a disc or a box, grown by the radius of agents. [Units: m]
fn depth_at(p: Vec3, obstacle: &Obstacle) -> f32 {
    let distance = match &obstacle.footprint {
        portolan_core::Footprint::Disc { centre, radius } => {
            (p.x - centre[0]).hypot(p.z - centre[1]) - radius
        }
        portolan_core::Footprint::Box {
            centre,
            half_sides,
            yaw,
        } => {
            let (sin, cos) = yaw.sin_cos();
            let (x, z) = (p.x - centre[0], p.z - centre[1]);
            let along = (x * cos + z * sin).abs() - half_sides[0];
            let across = (z * cos - x * sin).abs() - half_sides[1];
            along.max(0.0).hypot(across.max(0.0)) + along.max(across).min(0.0)
        }
        _ => f32::INFINITY,
    };
    RADIUS - distance
}

fn check(snapshot: &Snapshot, tier: Tier, rng: &mut CaseRng) {
    let mesh = snapshot.mesh();
    if mesh.walkable().next().is_none() {
        return;
    }
    let (cut, walkable) = cut_mesh(mesh);
    // The links of the snapshot lead from piece to piece.
    let mut groups = portolan_core::union_find::UnionFind::new(walkable.len());
    for portal in cut.portals() {
        let open = |polygon| {
            let id = walkable[cut.user_id(polygon) as usize];
            snapshot.default_costs().prices().allows(mesh, id)
        };
        if portal.polygons.into_iter().all(open) {
            let [a, b] = portal.polygons.map(|p| cut.user_id(p) as u32);
            groups.join(a, b);
        }
    }
    for _ in 0..8 {
        let ends = [(); 2].map(|()| {
            let index = rng.below(walkable.len());
            let polygon = walkable[index];
            let point = mesh.centre(polygon);
            let point = point.with_y(mesh.height_at(polygon, point));
            (index as u32, Location { polygon, point })
        });
        let endpoints = Endpoints {
            start: ends[0].1,
            goal: ends[1].1,
        };
        let prices = snapshot.default_costs().prices();
        if !ends.iter().all(|(_, end)| prices.allows(mesh, end.polygon)) {
            continue;
        }
        let is_connected = groups.root(ends[0].0) == groups.root(ends[1].0);
        let reference = find(snapshot, Engine::Dijkstra, endpoints);
        // The other way round, narrow portals are missing in the mesh that was cut, and links lead on.
        if is_connected {
            assert_eq!(reference.0, Status::Found, "{endpoints:?}");
        }
        let mut engines = ["astar", "closest", "contraction:fast", "auto:fast"]
            .map(engine)
            .to_vec();
        engines.push(Engine::Auto(tier));
        for engine in engines {
            let (status, path) = find(snapshot, engine, endpoints);
            assert_eq!(status, reference.0, "{engine} {endpoints:?}");
            if status != Status::Found {
                continue;
            }
            assert_walkable(snapshot, snapshot.default_costs(), &path, endpoints);
            if engine == Engine::AStar {
                let difference = path.cost - reference.1.cost;
                assert!(
                    difference.abs() <= 1e-3 * reference.1.cost + 1e-3,
                    "{difference}"
                );
            }
            assert!(path.is_current(snapshot));
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn paths_lead_around_obstacles_as_on_a_mesh_that_was_cut(
        plan in plans(),
        samples in densities(),
        tier in taut_tiers(),
        agent in agents(),
        seed in any::<u64>(),
        size in prop::sample::select(&[0.3f32, 1.0, 4.0]),
    ) {
        let live = LiveWorld::with_options(world(&plan, samples, tier, &agent, seed), options());
        let first = live.snapshot();
        let mut rng = CaseRng::new(seed);
        for batch in 0..4 {
            let mut changes = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let id = ObstacleId(rng.below(5) as u64);
                changes.push(match rng.below(4) {
                    0 => Change::Remove(id),
                    _ => Change::Place(id, random_obstacle(first.mesh(), size, &mut rng)),
                });
            }
            if rng.below(3) == 0 {
                changes.push(Change::Block(rng.polygon(first.mesh())));
            }
            live.update(&changes).expect("valid changes");
            if batch == 2 {
                live.settle();
            }
            check(&live.snapshot(), tier.0, &mut rng);
        }
        // Without obstacles the world is what it was.
        let removals: Vec<Change> = (0..5).map(|id| Change::Remove(ObstacleId(id))).collect();
        live.update(&removals).expect("valid changes");
        let snapshot = live.snapshot();
        prop_assert!(!snapshot.mesh().has_obstacles());
        let fresh = LiveWorld::with_options(first.world().clone(), options());
        let blocked = first.mesh().polygons().filter(|&p| snapshot.mesh().condition(p) == f32::INFINITY);
        let blocks: Vec<Change> = blocked.map(Change::Block).collect();
        fresh.update(&blocks).expect("valid changes");
        for _ in 0..6 {
            let ends = [(); 2].map(|()| {
                let polygon = rng.polygon(first.mesh());
                Location { polygon, point: first.mesh().centre(polygon) }
            });
            let prices = snapshot.default_costs().prices();
            if !ends.iter().all(|end| prices.allows(snapshot.mesh(), end.polygon)) {
                continue;
            }
            let endpoints = Endpoints { start: ends[0], goal: ends[1] };
            for engine in ["astar", "contraction:fast"].map(engine) {
                let [a, b] = [&snapshot, &fresh.snapshot()].map(|world| find(world, engine, endpoints));
                prop_assert_eq!(a.0, b.0);
                // Bounds are looser after changes, so sums may be made in another order.
                prop_assert!(portolan_oracle::close(a.1.cost.into(), b.1.cost.into()));
            }
        }
    }
}

/// A level of rooms with the fast and the default tier.
fn rooms(polygons: usize) -> World {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    let plan = MeshPlan::Scene(WorldScene::Rooms, options);
    let samples = Samples::ByLength { percentile: 90 };
    let tier = (Tier::Default, samples);
    world(&plan, Samples::default(), tier, &Agent::walker(), 5)
}

#[test]
fn paths_keep_their_distance_from_obstacles() {
    let live = LiveWorld::with_options(rooms(300), options());
    let first = live.snapshot();
    let mut rng = CaseRng::new(3);
    let (mut found, mut longest_detour) = (0, 0.0f64);
    for round in 0..40 {
        let id = ObstacleId(round % 12);
        let obstacle = random_obstacle(first.mesh(), 1.5, &mut rng);
        live.update(&[Change::Place(id, obstacle)])
            .expect("a shape");
    }
    let mut obstacles = Vec::new();
    for id in 0..12 {
        let obstacle = match id % 2 {
            0 => Obstacle::disc(
                point_of_polygon(first.mesh(), rng.polygon(first.mesh()), &mut rng),
                1.0,
                2.0,
            ),
            _ => Obstacle::upright_box(
                point_of_polygon(first.mesh(), rng.polygon(first.mesh()), &mut rng),
                [1.5, 0.5],
                id as f32,
                2.0,
            ),
        };
        obstacles.push(obstacle.clone());
        live.update(&[Change::Place(ObstacleId(id), obstacle)])
            .expect("a shape");
    }
    let snapshot = live.snapshot();
    let (cut, walkable) = cut_mesh(snapshot.mesh());
    let fresh = World::from_mesh(cut);
    for _ in 0..200 {
        let mut place = || {
            let polygon = walkable[rng.below(walkable.len())];
            snapshot.mesh().centre(polygon)
        };
        let (from, to) = (place(), place());
        let best = fresh.find(from, to).map(|path| path.length());
        for engine in ["astar", "auto:fast", "auto"].map(engine) {
            let mut path = Path::default();
            let query = Query {
                engine,
                ground_tolerance: 0.2,
                ..Query::new(from, to)
            };
            let status = snapshot.find_path(&query, &mut Scratch::new(), &mut path);
            assert_eq!(
                status == Ok(Status::Found),
                best.is_ok(),
                "{engine} {from} {to}"
            );
            let Ok(best) = best else { continue };
            found += 1;
            longest_detour = longest_detour.max(path.length() / best);
            for obstacle in &obstacles {
                let depth = depth_inside(&path, obstacle);
                assert!(
                    depth < 1e-3,
                    "{engine} {from} {to}: {depth} m into {obstacle:?}"
                );
            }
        }
    }
    assert!(found > 300, "{found}");
    assert!(longest_detour < 1.5, "{longest_detour}");
}

#[test]
fn an_obstacle_closes_one_of_two_floors() {
    // Two floors of one room each, 3 m apart, joined by a ramp beside them.
    let mut raw = RawNavMesh::default();
    let floor = |y: f32| {
        [
            [0.0, y, 0.0],
            [10.0, y, 0.0],
            [10.0, y, 10.0],
            [0.0, y, 10.0],
        ]
    };
    raw.vertices = floor(0.0)
        .into_iter()
        .chain(floor(3.0))
        .map(Vec3::from)
        .collect();
    raw.vertices
        .extend([[14.0, 0.0, 0.0], [14.0, 0.0, 10.0], [14.0, 3.0, 10.0]].map(Vec3::from));
    raw.polygons.push([0, 1, 2, 3]);
    raw.polygons.push([4, 5, 6, 7]);
    let world = World::build(raw, &NavMeshOptions::default()).expect("a mesh");
    let live = LiveWorld::with_options(world, options());
    // A wall across the lower floor, and nothing above.
    let wall = Obstacle::upright_box([5.0, 0.0, 5.0], [0.2, 8.0], 0.0, 0.9);
    live.update(&[Change::Place(ObstacleId(1), wall)]).unwrap();
    let snapshot = live.snapshot();
    let is_open = |y: f32| snapshot.find([1.0, y, 5.0], [9.0, y, 5.0]).is_ok();
    assert!(!is_open(0.0));
    assert!(is_open(3.0));
    // Half a metre above the lower floor: agents of 2 m do not fit below. At 2.5 m they do, but not above.
    for (bottom, lower, upper) in [(0.5, false, true), (2.5, true, false)] {
        let hanging = Obstacle::prism(
            [[4.8, -3.0], [5.2, -3.0], [5.2, 13.0], [4.8, 13.0]],
            bottom,
            bottom + 0.9,
        );
        live.update(&[Change::Place(ObstacleId(1), hanging)])
            .unwrap();
        let snapshot = live.snapshot();
        let is_open = |y: f32| snapshot.find([1.0, y, 5.0], [9.0, y, 5.0]).is_ok();
        assert_eq!([is_open(0.0), is_open(3.0)], [lower, upper], "{bottom}");
    }
}

#[test]
fn points_under_an_obstacle_move_to_its_edge() {
    let live = LiveWorld::with_options(rooms(100), options());
    let first = live.snapshot();
    let centre = first.mesh().centre(PolygonId(10));
    live.update(&[Change::Place(
        ObstacleId(7),
        Obstacle::disc(centre, 0.5, 1.0),
    )])
    .unwrap();
    let snapshot = live.snapshot();
    let location = snapshot
        .mesh()
        .locate(centre, Vec3::splat(3.0), |_| true)
        .expect("ground beside it");
    let distance = location.point.distance(centre);
    assert!((0.8..1.0).contains(&distance), "{distance}");
    assert!(
        snapshot
            .mesh()
            .locate(centre, Vec3::splat(0.5), |_| true)
            .is_none()
    );
    // A query says that there is ground, and that it is closed.
    let query = Query {
        snap: Vec3::splat(0.5),
        ..Query::new(centre, location.point)
    };
    let back = Query {
        from: query.to,
        to: query.from,
        ..query
    };
    let mut path = Path::default();
    for (query, closed) in [(query, Status::StartClosed), (back, Status::GoalClosed)] {
        let status = snapshot.find_path(&query, &mut Scratch::new(), &mut path);
        assert_eq!(status, Ok(closed));
    }
    let mut partial = back;
    partial.limits.partial = true;
    let status = snapshot.find_path(&partial, &mut Scratch::new(), &mut path);
    assert_eq!(status, Ok(Status::Partial));
    let many = snapshot.many();
    let ends = many.ends(portolan_core::Terminal::Start, &[centre], query.snap);
    assert_eq!(ends.location(0), Err(Status::StartClosed));
    let piece = location.polygon;
    assert_eq!(
        snapshot.mesh().user_id(piece),
        snapshot.mesh().user_id(snapshot.mesh().whole(piece))
    );
    // The piece is gone in the next version, and says so.
    live.update(&[Change::Remove(ObstacleId(7))]).unwrap();
    let after = live.snapshot();
    assert!(!after.mesh().has_polygon(piece));
    assert_eq!(after.mesh().changed_in(piece), u64::MAX);
    assert!(!after.mesh().has_obstacles());
}

#[test]
fn invalid_obstacles_change_nothing() {
    let live = LiveWorld::with_options(rooms(100), options());
    let good = Change::Place(ObstacleId(1), Obstacle::disc([3.0, 0.0, 3.0], 1.0, 2.0));
    let bad = Change::Place(
        ObstacleId(2),
        Obstacle::disc([f32::NAN, 0.0, 3.0], 1.0, 2.0),
    );
    let error = live.update(&[good, bad]).unwrap_err();
    assert!(
        matches!(error, ChangeError::Obstacle { change: 1, .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .starts_with("change 1: obstacle 2 cannot be placed: "),
        "{error}"
    );
    assert_eq!(live.snapshot().version(), 0);
    assert!(!live.snapshot().mesh().has_obstacles());
    // Far away from everything, and nothing to remove.
    live.update(&[
        Change::Place(ObstacleId(1), Obstacle::disc([9e6, 0.0, 3.0], 1.0, 2.0)),
        Change::Remove(ObstacleId(9)),
    ])
    .unwrap();
    assert!(!live.snapshot().mesh().has_obstacles());
}

#[test]
fn going_back_restores_obstacles() {
    let live = LiveWorld::with_options(rooms(200), options());
    let mut rng = CaseRng::new(4);
    let mut snapshots = vec![live.snapshot()];
    for round in 0..10 {
        let obstacle = random_obstacle(snapshots[0].mesh(), 2.0, &mut rng);
        live.update(&[Change::Place(ObstacleId(round % 4), obstacle)])
            .unwrap();
        snapshots.push(live.snapshot());
    }
    for to in [7, 2, 9, 0, 10] {
        live.restore(&snapshots[to]).unwrap();
        let now = live.snapshot();
        for _ in 0..40 {
            let mut place = || now.mesh().centre(rng.polygon(now.mesh()));
            let (from, to_point) = (place(), place());
            for engine in ["astar", "auto:fast", "auto"].map(engine) {
                let answers = [&now, &snapshots[to]].map(|snapshot| {
                    let mut path = Path::default();
                    let query = Query {
                        engine,
                        ..Query::new(from, to_point)
                    };
                    let status = snapshot.find_path(&query, &mut Scratch::new(), &mut path);
                    (status, path)
                });
                assert_eq!(answers[0], answers[1], "{engine}");
            }
        }
        // The ground goes on from there.
        let obstacle = random_obstacle(now.mesh(), 2.0, &mut rng);
        live.update(&[Change::Place(ObstacleId(1), obstacle)])
            .unwrap();
        check(&live.snapshot(), Tier::Default, &mut rng);
    }
}

/// Rooms with a disc or a box on every ninth polygon.
fn furnished_rooms() -> (LiveWorld, Vec<Obstacle>) {
    let live = LiveWorld::with_options(rooms(300), options());
    let mesh = live.snapshot();
    let mesh = mesh.mesh();
    let obstacles: Vec<Obstacle> = (0..mesh.polygon_count() as u32)
        .step_by(9)
        .map(|id| {
            let base = mesh.centre(PolygonId(id));
            match id % 2 {
                0 => Obstacle::disc(base, 0.3, 2.0),
                _ => Obstacle::upright_box(base, [0.4, 0.1], id as f32, 2.0),
            }
        })
        .collect();
    let ids = (0..).map(ObstacleId);
    let place = ids.zip(obstacles.iter().cloned());
    let changes: Vec<Change> = place
        .map(|(id, obstacle)| Change::Place(id, obstacle))
        .collect();
    live.update(&changes).expect("valid obstacles");
    (live, obstacles)
}

#[test]
fn everything_that_reads_the_mesh_knows_obstacles() {
    use portolan_core::{
        BatchAnswers, BatchOptions, BatchQueries, Budget, ManyScratch, PendingSearch, ProbeScratch,
        RandomPoints, SearchProgress, Terminal, Want,
    };
    let (live, obstacles) = furnished_rooms();
    let snapshot = live.snapshot();
    let probe = snapshot.probe();
    let depth_of = |point: Vec3| {
        let depths = obstacles.iter().map(|obstacle| depth_at(point, obstacle));
        depths.fold(f32::NEG_INFINITY, f32::max)
    };
    // Random points.
    let mut random = RandomPoints::new(probe, 5);
    let locations: Vec<Location> = (0..300).map_while(|_| random.anywhere()).collect();
    assert_eq!(locations.len(), 300);
    for location in &locations {
        assert!(depth_of(location.point) < 1e-3, "{location:?}");
    }
    // Rays and moves end at the latest in front of an obstacle.
    let (mut scratch, mut crossed, mut hits) = (ProbeScratch::default(), Vec::new(), 0);
    for pair in locations.windows(2) {
        let ray = probe.ray(pair[0], pair[1].point, &mut crossed);
        hits += usize::from(ray.hit.is_some());
        assert!(depth_of(ray.end.point) < 2e-3, "{ray:?}");
        let moved = probe.slide(pair[0], pair[1].point, &mut scratch);
        assert!(depth_of(moved.point) < 2e-3, "{moved:?}");
    }
    assert!(hits > 100, "{hits}");
    // Many costs at once, a pair at a time, and reachability.
    let many = snapshot.many();
    let (start, goals) = (locations[0], &locations[1..40]);
    let ends = {
        let points: Vec<Vec3> = goals.iter().map(|goal| goal.point).collect();
        many.ends(Terminal::Goal, &points, portolan_core::DEFAULT_SNAP)
    };
    let mut costs = Vec::new();
    many.costs(start, &ends, &mut ManyScratch::default(), &mut costs);
    let mut queries = Vec::new();
    for (goal, cost) in goals.iter().zip(&costs) {
        let endpoints = Endpoints { start, goal: *goal };
        let (status, path) = find(&snapshot, Engine::Dijkstra, endpoints);
        match status {
            Status::Found => assert!((path.cost - cost).abs() <= 1e-3 * path.cost, "{cost}"),
            _ => assert_eq!(*cost, f32::INFINITY),
        }
        assert_eq!(probe.is_reachable(start, *goal), status == Status::Found);
        queries.push(endpoints);
        // With a budget.
        let mut pending = PendingSearch::new();
        let query = Query::new(start.point, goal.point);
        pending.begin(&snapshot, &query).expect("`auto`");
        let mut rounds = 0;
        let done = loop {
            match pending
                .run(&snapshot, Budget::expansions(50))
                .expect("the same world")
            {
                SearchProgress::Done(status) => break status,
                SearchProgress::Running => rounds += 1,
            }
            assert!(rounds < 1000);
        };
        assert_eq!(done, status);
    }
    // Batches, also those that labels answer on a world without obstacles.
    for (engine, want) in [
        ("auto", Want::Distance),
        ("labels", Want::Portal),
        ("labels", Want::Next),
    ] {
        let options = BatchOptions {
            engine: engine.parse().unwrap(),
            ..BatchOptions::new(want)
        };
        let mut answers = BatchAnswers::default();
        snapshot
            .find_paths(BatchQueries::Located(&queries), &options, &mut answers)
            .expect("an answer");
        for (endpoints, status) in queries.iter().zip(&answers.statuses) {
            assert_eq!(
                *status,
                find(&snapshot, Engine::AStar, *endpoints).0,
                "{want:?}"
            );
        }
    }
    // Engines that know nothing of obstacles say so.
    for name in ["hna", "pccp", "labels", "auto:exact"] {
        let query = Query {
            engine: engine(name),
            ..Query::new(start.point, goals[0].point)
        };
        assert!(
            snapshot
                .find_path(&query, &mut Scratch::new(), &mut Path::default())
                .is_err()
        );
    }
}

#[test]
fn agents_walk_around_what_is_put_in_their_way() {
    use portolan_core::{Follow, Follower, ProbeScratch};
    let live = LiveWorld::with_options(rooms(300), options());
    let first = live.snapshot();
    let mut rng = CaseRng::new(8);
    let mut arrived = 0;
    for round in 0..20 {
        let mut place = || point_of_polygon(first.mesh(), rng.polygon(first.mesh()), &mut rng);
        let (from, to) = (place(), place());
        live.update(&[Change::Remove(ObstacleId(1))]).unwrap();
        let Ok(path) = live.snapshot().find(from, to) else {
            continue;
        };
        let mut follower = Follower::new();
        follower.set_path(&path);
        let mut scratch = ProbeScratch::default();
        let mut obstacle = None;
        for step in 0..2000 {
            let snapshot = live.snapshot();
            let probe = snapshot.probe();
            let corner = follower
                .corners(&probe, 1)
                .first()
                .map(|corner| corner.point);
            let Some(here) = follower.location() else {
                break;
            };
            let target = corner.unwrap_or(here.point);
            let along = (target - here.point).clamp_length_max(0.2);
            let state = follower.advance(&probe, here.point + along, &mut scratch);
            let now = follower.location().expect("it has a path").point;
            if let Some(obstacle) = &obstacle {
                let depth = depth_at(now, obstacle);
                assert!(depth < 5e-3, "round {round}, step {step}: {depth} m inside");
            }
            match state {
                Follow::Arrived => {
                    arrived += 1;
                    break;
                }
                Follow::Link(_) => follower.leave_link(snapshot.mesh()),
                _ => {}
            }
            if follower.needs_path() {
                match snapshot.find(now, to) {
                    Ok(path) => follower.set_path(&path),
                    Err(_) => break,
                }
            }
            if step == 5 {
                // A crate a little ahead.
                let base = now + (target - now).clamp_length_max(1.5);
                let shape = Obstacle::upright_box(base, [0.4, 0.2], round as f32, 2.0);
                live.update(&[Change::Place(ObstacleId(1), shape.clone())])
                    .unwrap();
                // An agent under it is put beside it.
                obstacle = Some(shape.clone()).filter(|shape| depth_at(now, shape) <= 0.0);
            }
        }
    }
    assert!(arrived >= 12, "{arrived}");
}
