//! Waypoints can be walked: every leg is a link, or stays on the mesh and near its ground.

use glam::{Vec3, vec3};
use portolan_core::geometry::distance_xz;
use portolan_core::{
    Crossing, DEFAULT_GROUND_TOLERANCE, Limits, NavMesh, NavMeshOptions, Path, PolygonId, Profile,
    Query, RawNavMesh, Scratch, Status, World,
};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, agents, assert_corridor, plans, portal_of, scenes,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// The parameters of random walks.
#[derive(Clone, Copy)]
struct WalkOptions {
    /// The tolerance to the ground. [Units: m]
    tolerance: f32,
    /// Draws starts and goals.
    draw_point: fn(&mut CaseRng, &NavMesh) -> Vec3,
}

const DEFAULT_WALK: WalkOptions = WalkOptions {
    tolerance: 0.2,
    draw_point: CaseRng::point_inside,
};

/// The largest distance in plan of a waypoint from its polygon, caused by rounding. [Units: m]
const MAX_ASIDE: f64 = 1e-3;
/// The largest error of heights on steep ground, caused by rounding. [Units: m]
const ROUNDING: f32 = 5e-3;
/// The largest distance of a waypoint from the ground around a corner where four tiles meet. [Units: steps]
const STEPS_AROUND_A_CORNER: f32 = 2.5;

/// Returns the largest distance of the end of a portal above or below the ground of its polygons, which is half the
/// highest step between neighbours.
fn half_step(mesh: &NavMesh) -> f32 {
    let mut highest = 0f32;
    for portal in mesh.portals() {
        for polygon in portal.polygons {
            for end in [portal.right, portal.left] {
                highest = highest.max((mesh.height_at(polygon, end) - end.y).abs());
            }
        }
    }
    highest
}

/// Asserts that each point of the line is at most `max_height` above or below a polygon of the corridor.
fn assert_on_ground(mesh: &NavMesh, path: &Path, [from, to]: [Vec3; 2], max_height: f32) {
    let steps = (distance_xz(from, to) / 0.1).ceil().max(1.0) as usize;
    for step in 0..=steps {
        let point = from.lerp(to, step as f32 / steps as f32);
        let mut height = f32::INFINITY;
        for &polygon in &path.corridor.polygons {
            let nearest = mesh.nearest_on(polygon, point);
            if distance_xz(nearest, point) <= MAX_ASIDE {
                height = height.min((nearest.y - point.y).abs());
            }
        }
        assert!(
            height <= max_height,
            "{point} between {from} and {to} is {height} m off the ground, more than {max_height} m: {path:?}"
        );
    }
}

/// Returns how far waypoints with a tolerance to the ground may be above or below the ground of any mesh.
pub(crate) fn max_height(mesh: &NavMesh, tolerance: f32) -> f32 {
    let steps = STEPS_AROUND_A_CORNER * 2.0 * half_step(mesh);
    tolerance + steps + ROUNDING
}

/// Asserts everything that holds for any path of `query`. Waypoints may be `max_height` above or below the ground.
pub(crate) fn check_path(
    world: &World,
    profile: &Profile,
    query: &Query<'_>,
    path: &Path,
    max_height: f32,
) {
    let mesh = world.mesh();
    let ends = world
        .locate(query)
        .expect("the world has this engine")
        .endpoints()
        .expect("both endpoints are on the mesh");
    assert_corridor(mesh, profile, path);
    assert!(path.waypoints.len() >= 2);
    assert_eq!(path.waypoints[0], ends.start.point);

    let crossed = path
        .corridor
        .crossings
        .iter()
        .filter_map(|&crossing| match crossing {
            Crossing::Link(link, entry) => Some((link, usize::from(entry))),
            Crossing::Portal(_) => None,
        });
    let mut links = crossed.zip(&path.links);
    for (i, leg) in path.legs().enumerate() {
        if path.links.iter().all(|leg| leg.waypoint as usize != i) {
            assert_on_ground(mesh, path, leg, max_height);
            continue;
        }
        let ((link, entry), leg_of_link) = links.next().expect("every link leg has a crossing");
        assert_eq!((leg_of_link.link, leg_of_link.waypoint as usize), (link, i));
        let link_ends = mesh.link(link).ends;
        assert_eq!(leg, [link_ends[entry], link_ends[1 - entry]]);
    }
    assert!(links.next().is_none(), "a link crossing has no leg");

    if path.links.is_empty() {
        let straight = path.waypoints[0].distance(path.waypoints[path.waypoints.len() - 1]);
        assert!(path.length() >= f64::from(straight) * (1.0 - 1e-6) - 1e-6);
    }
    let over_midpoints = length_over_midpoints(mesh, path);
    let length = path.length_xz();
    assert!(
        length <= over_midpoints * (1.0 + 1e-6) + 1e-5,
        "the length {length} exceeds the length over midpoints {over_midpoints}"
    );
}

/// Returns the length in plan of the line over the midpoints of the corridor's portals.
fn length_over_midpoints(mesh: &NavMesh, path: &Path) -> f64 {
    let mut points = vec![path.waypoints[0]];
    for &crossing in &path.corridor.crossings {
        match crossing {
            Crossing::Portal(portal) => points.push(mesh.portal(portal).midpoint()),
            Crossing::Link(link, entry) => {
                let ends = mesh.link(link).ends;
                points.extend([ends[usize::from(entry)], ends[1 - usize::from(entry)]]);
            }
        }
    }
    points.push(path.waypoints[path.waypoints.len() - 1]);
    points
        .windows(2)
        .map(|pair| distance_xz(pair[0], pair[1]))
        .sum()
}

fn check_world(plan: &MeshPlan, agent: &Agent, seed: u64, walk: WalkOptions) {
    let WalkOptions {
        tolerance,
        draw_point,
    } = walk;
    let world = World::from_mesh(plan.mesh());
    let profile = agent.profile();
    let costs = world.costs(&profile);
    let max_height = max_height(world.mesh(), tolerance);
    let mut rng = CaseRng::new(seed);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for _ in 0..6 {
        let query = Query {
            costs: Some(&costs),
            ground_tolerance: tolerance,
            limits: Limits {
                partial: rng.chance(0.2),
                ..Limits::default()
            },
            ..Query::new(
                draw_point(&mut rng, world.mesh()),
                draw_point(&mut rng, world.mesh()),
            )
        };
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("the world has this engine");
        if status.has_path() {
            let ends = world
                .locate(&query)
                .expect("the world has this engine")
                .endpoints()
                .expect("both endpoints are on the mesh");
            // A partial path may also end at the goal, if the goal is the corner of an island that touches
            // the start's island.
            let ends_at_goal = path.waypoints.last() == Some(&ends.goal.point);
            assert!(ends_at_goal || status == Status::Partial);
            check_path(&world, &profile, &query, &path, max_height);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(600))]

    #[test]
    fn every_leg_is_on_the_ground(plan in plans(), seed: u64, tolerance in 0f32..0.5) {
        check_world(&plan, &Agent::walker(), seed, WalkOptions { tolerance, ..DEFAULT_WALK });
    }

    #[test]
    fn every_leg_is_on_the_ground_for_any_agent(plan in plans(), agent in agents(), seed: u64) {
        check_world(&plan, &agent, seed, DEFAULT_WALK);
    }

    #[test]
    fn every_leg_is_on_the_ground_between_points_on_borders(plan in plans(), seed: u64) {
        let walk = WalkOptions { draw_point: CaseRng::point_on, ..DEFAULT_WALK };
        check_world(&plan, &Agent::walker(), seed, walk);
    }

    #[test]
    fn zero_tolerance_follows_the_ground_exactly(plan in plans(), seed: u64) {
        check_world(&plan, &Agent::walker(), seed, WalkOptions { tolerance: 0.0, ..DEFAULT_WALK });
    }

    /// Ground-following waypoints are the same whether the query or the path is asked for them, and whole or
    /// leg by leg.
    #[test]
    fn a_path_can_follow_the_ground_later(plan in plans(), seed: u64, tolerance in prop::sample::select(vec![0.0f32, 0.05, 0.2])) {
        let world = World::from_mesh(plan.mesh());
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut followed, mut path) = (Scratch::new(), Path::default(), Path::default());
        for _ in 0..6 {
            let corners = Query::new(rng.point_on(world.mesh()), rng.point_on(world.mesh()));
            let on_ground = Query { ground_tolerance: tolerance, ..corners };
            world.find_path(&on_ground, &mut scratch, &mut followed).expect("the world has this engine");
            world.find_path(&corners, &mut scratch, &mut path).expect("the world has this engine");
            prop_assert_eq!(path.on_ground(&world, tolerance), &followed.waypoints[..]);
            let legs = path.waypoints.len().saturating_sub(1);
            let mut by_leg: Vec<Vec3> = path.waypoints.first().copied().into_iter().collect();
            let links = path.links.clone();
            for leg in 0..legs {
                if let Some(link) = links.iter().find(|link| link.waypoint as usize == leg) {
                    let begin = followed.links.iter().find(|followed| followed.link == link.link);
                    prop_assert_eq!(begin.map(|begin| begin.waypoint as usize), Some(by_leg.len() - 1));
                }
                let points = path.leg_on_ground(&world, leg, tolerance).to_vec();
                prop_assert_eq!(points[0], path.waypoints[leg]);
                by_leg.extend(&points[1..]);
            }
            prop_assert_eq!(&by_leg, &followed.waypoints);
            // Waypoints that follow the ground are not changed again.
            let again = followed.on_ground(&world, 0.0).to_vec();
            prop_assert_eq!(&again, &followed.waypoints);
        }
    }

    #[test]
    fn with_infinite_tolerance_waypoints_are_ends_of_portals(plan in plans(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let mesh = world.mesh();
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        for _ in 0..6 {
            let close = Query { ground_tolerance: 0.0, ..Query::new(rng.point_on(mesh), rng.point_on(mesh)) };
            if world.find_path(&close, &mut scratch, &mut path).expect("the world has this engine") != Status::Found {
                continue;
            }
            let followed = path.clone();
            let query = Query { ground_tolerance: f32::INFINITY, ..close };
            prop_assert_eq!(world.find_path(&query, &mut scratch, &mut path), Ok(Status::Found));
            let located = world.locate(&query).expect("the world has this engine");
            let ends = located.endpoints().expect("both endpoints are on the mesh");
            let portals = path.corridor.crossings.iter().filter_map(|&c| portal_of(mesh, c));
            let mut corners: Vec<Vec3> = portals.flat_map(|p| [p.right, p.left]).collect();
            corners.extend([ends.start.point, ends.goal.point]);
            corners.extend(path.links.iter().flat_map(|leg| mesh.link(leg.link).ends));
            prop_assert!(path.waypoints.iter().all(|p| corners.contains(p)));
            prop_assert!(path.waypoints.len() <= followed.waypoints.len());
            prop_assert!((path.length_xz() - followed.length_xz()).abs() < 1e-4 * path.length_xz().max(1.0));
            prop_assert_eq!(&path.corridor, &followed.corridor);
        }
    }

    #[test]
    fn a_path_from_a_point_to_itself_has_no_length(plan in plans(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let point = rng.point_on(world.mesh());
            let path = world.find(point, point).expect("the goal is the start");
            prop_assert_eq!(path.waypoints.len(), 2);
            prop_assert_eq!(path.waypoints[0], path.waypoints[1]);
            prop_assert_eq!((path.cost, path.length(), path.corridor.polygons.len()), (0.0, 0.0, 1));
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(60))]

    #[test]
    fn every_leg_is_on_the_ground_of_larger_worlds(plan in scenes(1000), seed: u64) {
        check_world(&plan, &Agent::walker(), seed, DEFAULT_WALK);
    }
}

/// Builds a strip of squares of 2 m along x with the given heights at their borders.
fn strip(heights: &[f32]) -> World {
    let mut raw = RawNavMesh::default();
    for (i, &y) in heights.iter().enumerate() {
        let x = 2.0 * i as f32;
        raw.vertices.extend([vec3(x, y, 0.), vec3(x, y, 2.)]);
    }
    for i in 0..heights.len() as u32 - 1 {
        raw.polygons.push([2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]);
    }
    World::build(raw, &NavMeshOptions::default()).expect("a strip")
}

#[test]
fn waypoints_follow_a_hill_but_not_a_bump_within_the_tolerance() {
    let world = strip(&[0.0, 0.0, 3.0, 0.0, 0.1, 0.0]);
    let path = world.find(vec3(0.5, 0., 1.), vec3(9.5, 0., 1.));
    let mut path = path.expect("a path along the strip");
    assert_eq!(path.waypoints.len(), 2, "corners by default");
    let points = path.on_ground(&world, DEFAULT_GROUND_TOLERANCE);
    assert!(points.contains(&vec3(4., 3., 1.)), "{points:?}");
    assert!(points.len() <= 5, "{points:?}");
    let on_bump = |p: &Vec3| (p.x - 8.0).abs() < 0.1;
    assert!(!points.iter().any(on_bump), "{points:?}");
}

#[test]
fn level_ground_needs_no_inner_waypoints() {
    let world = strip(&[1.0; 8]);
    let path = world.find(vec3(0.5, 1., 0.5), vec3(13., 1., 1.5));
    let mut path = path.expect("a path along the strip");
    assert_eq!(path.on_ground(&world, 0.0).len(), 2);
}

#[test]
fn long_paths_on_hilly_ground_follow_it() {
    let options = WorldOptions {
        polygons: 1000,
        relief: 4.0,
        ..WorldOptions::default()
    };
    let world = World::from_mesh(MeshPlan::Scene(WorldScene::Open, options).mesh());
    let mesh = world.mesh();
    let largest = mesh.components().largest();
    let by_diagonal = |a: &Vec3, b: &Vec3| (a.x + a.z).total_cmp(&(b.x + b.z));
    let is_in_largest = |polygon: &PolygonId| mesh.components().of(*polygon) == largest;
    let centres = || {
        mesh.polygons()
            .filter(is_in_largest)
            .map(|polygon| mesh.centre(polygon))
    };
    let (first, last) = (centres().min_by(by_diagonal), centres().max_by(by_diagonal));
    let query = Query {
        ground_tolerance: 0.02,
        ..Query::new(first.expect("a polygon"), last.expect("a polygon"))
    };
    let mut path = Path::default();
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("the world has this engine");
    assert_eq!(status, Status::Found);
    assert!(
        path.corridor.polygons.len() > 20 && path.waypoints.len() > 8,
        "{path:?}"
    );
    check_path(&world, &Profile::default(), &query, &path, 0.04 + ROUNDING);
}

#[test]
fn a_step_is_crossed_at_the_same_height_in_both_directions() {
    // Two ramps, each rising by 1 m, with a step of 0.8 m between them.
    let mut raw = RawNavMesh::default();
    for (x, y) in [(0., 0.), (2., 1.), (2., 1.8), (4., 2.8)] {
        raw.vertices.extend([vec3(x, y, 0.), vec3(x, y, 2.)]);
    }
    raw.polygons.push([0, 2, 3, 1]);
    raw.polygons.push([4, 6, 7, 5]);
    let world = World::build(raw, &NavMeshOptions::default()).expect("two ramps");
    let (low, high) = (vec3(0.5, 0.25, 1.), vec3(3.5, 2.55, 1.));
    for (from, to) in [(low, high), (high, low)] {
        let query = Query {
            ground_tolerance: 0.0,
            ..Query::new(from, to)
        };
        let mut path = Path::default();
        world
            .find_path(&query, &mut Scratch::new(), &mut path)
            .expect("the world has this engine");
        let crossing = path.legs().find(|[a, b]| (a.x - 2.0) * (b.x - 2.0) <= 0.0);
        let [a, b] = crossing.expect("a leg over the step");
        let height = a.y + (b.y - a.y) * (2.0 - a.x) / (b.x - a.x);
        assert!((height - 1.4).abs() < 1e-5, "{height}: {path:?}");
    }
}

#[test]
fn waypoints_follow_a_dip_in_a_nearly_level_polygon() {
    // The line crosses a saddle, which is 0.1 m high at its portals and 0 m high in its centre.
    let corners = [
        (0., 0.3, 1.),
        (2., 0., 0.),
        (4., 0.2, 0.),
        (4., 0., 2.),
        (2., 0.2, 2.),
        (6., 0.3, 1.),
    ];
    let mut raw = RawNavMesh {
        vertices: corners.map(Vec3::from).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 4]);
    raw.polygons.push([1, 2, 3, 4]);
    raw.polygons.push([2, 5, 3]);
    let world = World::build(raw, &NavMeshOptions::default()).expect("a saddle");
    let query = Query {
        ground_tolerance: 0.21,
        ..Query::new(corners[0], corners[5])
    };
    let mut path = Path::default();
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("the world has this engine");
    assert_eq!(status, Status::Found);
    check_path(&world, &Profile::default(), &query, &path, 0.21 + ROUNDING);
}
