//! Queries on small hand-made meshes: cost limits, one-way links, partial paths and statuses.

use glam::{Vec3, vec3};
use portolan_core::{
    Engine, GraphOptions, Limits, NavMesh, NavMeshOptions, Path, Profile, Query, RawLink,
    RawNavMesh, Scratch, Status, Tier, World,
};
use portolan_oracle::{CaseRng, assert_corridor, random_order};
use portolan_scenes::{WorldOptions, WorldScene};

/// The engines that run on any world.
const PLAIN: [Engine; Engine::PLAIN.len()] = Engine::PLAIN;

/// Creates a row of squares of 2 m along x, with gaps of 2 m between them.
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

/// Asserts that a path is also found with a limit of exactly its cost.
fn assert_found_within_its_cost(world: &World, query: &Query<'_>) {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    if world
        .find_path(query, &mut scratch, &mut path)
        .expect("the world has this engine")
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
        .expect("the world has this engine");
    assert_eq!(status, Status::Found, "{query:?} costs {cost}");
}

/// In a straight row, all samples lie on the straight line, so the heuristic leaves no margin below the limit except
/// for rounding. With polygons of equal width, rounding errors add up.
#[test]
fn a_path_along_a_straight_row_is_found_within_its_cost() {
    let mut raw = RawNavMesh::default();
    for column in 0..400 {
        let (west, first) = (0.5 * column as f32, 4 * column);
        let corners = [(0., 0.), (0.5, 0.), (0.5, 1.), (0., 1.)];
        let corners = corners.map(|(x, z)| vec3(west + x, 0., z));
        raw.vertices.extend(corners);
        raw.polygons.push(first..first + 4);
    }
    let mut profile = Profile::default();
    profile.set_factor(0, 1.0 / 3.0).expect("a valid factor");
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid row");
    let world = World::new(mesh, &GraphOptions::default(), &profile).expect("a valid graph");
    let order = random_order(&mut CaseRng::new(8), world.graph().sample_count());
    let world = world.with_contraction(order).expect("a valid order");
    for column in 0..400 {
        for engine in [Engine::AStar, Engine::Contraction(Tier::Fast)] {
            let goal = vec3(0.5 * column as f32 + 0.1, 0., 0.5);
            let query = Query {
                engine,
                ..Query::new(vec3(0.1, 0., 0.5), goal)
            };
            assert_found_within_its_cost(&world, &query);
        }
    }
}

/// `auto` first runs a short A*, which finishes more often with a limit. A* adds costs in another order than the
/// contraction, which answers without a limit. On this world, the two sums are rounded differently.
#[test]
fn a_path_of_auto_is_found_within_its_cost() {
    let options = WorldOptions {
        polygons: 60,
        seed: 24,
        areas: true,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(WorldScene::Open.build(&options), &NavMeshOptions::default())
        .expect("a valid world");
    let mut rng = CaseRng::new(24);
    let world = World::from_mesh(mesh);
    let order = random_order(&mut rng, world.graph().sample_count());
    let world = world.with_contraction(order).expect("a valid order");
    for _ in 0..200 {
        let [from, to] = [(); 2].map(|()| rng.point_inside(world.mesh()));
        let query = Query {
            engine: Engine::Auto(Tier::Fast),
            ..Query::new(from, to)
        };
        assert_found_within_its_cost(&world, &query);
    }
}

#[test]
fn a_one_way_link_is_used_in_one_direction() {
    let mut raw = islands(2);
    raw.links.push(RawLink {
        start: vec3(1.5, 0., 1.),
        end: vec3(4.5, 0., 1.),
        cost: Some(0.5),
        ..RawLink::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).expect("valid islands");
    let world = world
        .with_contraction(vec![0, 1])
        .expect("a valid order")
        .with_labels(1000);
    let world = world.expect("labels within the limit");
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
                .expect("the world has this engine"),
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
                .expect("the world has this engine"),
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
    let world = World::build(raw, &NavMeshOptions::default()).expect("valid islands");
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
            .expect("the world has this engine");
        assert_eq!(status, Status::Partial);
        assert_corridor(world.mesh(), &profile, &path);
        assert_eq!(path.waypoints.last(), Some(&vec3(2., 0., 1.)), "{engine}");
    }
}

/// On free ground all paths cost the same, including those with cycles.
#[test]
fn paths_on_free_ground_cross_no_portal_twice() {
    let mut profile = Profile::default();
    profile.set_factor(0, 0.0).expect("a valid factor");
    profile.set_factor(1, 0.0).expect("a valid factor");
    let options = WorldOptions {
        polygons: 1000,
        areas: true,
        links: true,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(WorldScene::Open.build(&options), &NavMeshOptions::default())
        .expect("a valid world");
    let world = World::new(mesh, &GraphOptions::default(), &profile).expect("a valid graph");
    let order = (0..world.graph().sample_count() as u32).collect();
    let world = world
        .with_contraction(order)
        .expect("a valid order")
        .with_labels(usize::MAX);
    let world = world.expect("labels within the limit");
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
                .expect("the world has this engine");
            let mut crossings = path.corridor.crossings.clone();
            crossings.sort_by_key(|crossing| format!("{crossing:?}"));
            crossings.dedup();
            assert_eq!(crossings.len(), path.corridor.crossings.len(), "{engine}");
        }
    }
}

/// Finds a partial path within a cost limit and returns its last waypoint and its cost.
fn partial_end(raw: RawNavMesh, from: Vec3, to: Vec3, max_cost: f32) -> (Vec3, f32) {
    let world = World::build(raw, &NavMeshOptions::default()).expect("a valid mesh");
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
        .expect("the world has this engine");
    assert_eq!(status, Status::Partial);
    (*path.waypoints.last().expect("a waypoint"), path.cost)
}

#[test]
fn a_partial_path_within_one_polygon_respects_the_limit() {
    let (from, to) = (vec3(0.5, 0., 1.), vec3(1.5, 0., 1.));
    let (end, cost) = partial_end(islands(1), from, to, 0.25);
    assert!(cost <= 0.25, "it ends at {end} for {cost}");
}

#[test]
fn a_partial_path_does_not_climb_away_from_the_goal() {
    // A slope from 2 m at x = 0 to 6 m at x = 4, and a floor below it.
    let mut raw = RawNavMesh::default();
    for (y, rise) in [(2., 4.), (0., 0.)] {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (4., 0.), (4., 2.), (0., 2.)];
        let point = |(x, z): (f32, f32)| vec3(x, y + rise * x / 4.0, z);
        raw.vertices.extend(corners.map(point));
        raw.polygons.push(first..first + 4);
    }
    let (from, to) = (vec3(0.5, 2.5, 1.), vec3(4., 0., 1.));
    let (end, _) = partial_end(raw, from, to, f32::INFINITY);
    assert!(end.distance(to) <= from.distance(to), "it ends at {end}");
}

#[test]
fn search_reports_the_status_and_cost_of_find_path() {
    let world = World::build(islands(2), &NavMeshOptions::default()).expect("valid islands");
    let mut scratch = Scratch::new();
    let mut search = |from: [f32; 3], to: [f32; 3]| {
        let query = Query::new(from, to);
        let searched = world
            .locate(&query)
            .expect("the default engine")
            .search(&mut scratch);
        (searched.status(), searched.cost())
    };
    let start = [0.5, 0., 0.5];
    assert_eq!(search(start, [1.5, 0., 0.5]), (Status::Found, Some(1.0)));
    assert_eq!(search(start, [5.5, 0., 0.5]), (Status::NoPath, None));
    let off_mesh = [3., 0., 0.5];
    assert_eq!(
        search(off_mesh, [5.5, 0., 0.5]),
        (Status::StartOffMesh, None)
    );
    assert_eq!(search(start, off_mesh), (Status::GoalOffMesh, None));
}
