//! Waypoints are the shortest line through their corridor in plan.

use glam::{Vec3, vec3};
use portolan_core::geometry::{distance_xz, intersection_fractions, lerp, nearest_fraction};
use portolan_core::{
    Crossing, DEFAULT_SNAP, Endpoints, Location, NavMesh, NavMeshOptions, Path, Query, RawNavMesh,
    Scratch, Status, World,
};
use portolan_oracle::{Agent, CaseRng, MeshPlan, agents, plans, scenes};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// The largest number of portals for which the reference search is fast enough.
const MAX_PORTALS: usize = 40;

/// A function that draws starts and goals.
type DrawPoint = fn(&mut CaseRng, &NavMesh) -> Vec3;

/// A part of a path between links: its ends, the portals between them, and its length in plan.
struct PathPart {
    from: Vec3,
    to: Vec3,
    portals: Vec<[Vec3; 2]>,
    length: f64,
}

/// Splits a path at its links.
fn path_parts(mesh: &NavMesh, path: &Path) -> Vec<PathPart> {
    let mut parts = Vec::new();
    let mut first_leg = 0;
    let mut portals = Vec::new();
    let mut links = path.links.iter();
    for i in 0..=path.corridor.crossings.len() {
        if let Some(&Crossing::Portal(portal)) = path.corridor.crossings.get(i) {
            portals.push(mesh.portal(portal).ends_from(path.corridor.polygons[i]));
            continue;
        }
        let last = links
            .next()
            .map_or(path.waypoints.len() - 1, |leg| leg.waypoint as usize);
        let points = &path.waypoints[first_leg..=last];
        parts.push(PathPart {
            from: points[0],
            to: points[points.len() - 1],
            portals: std::mem::take(&mut portals),
            length: points
                .windows(2)
                .map(|pair| distance_xz(pair[0], pair[1]))
                .sum(),
        });
        first_leg = last + 1;
    }
    parts
}

/// Returns the length of a line from `a` to `b` through all portals. The line is straight where possible and bends at
/// the end of a portal that it would miss. It is a valid path, but not always the shortest.
fn passing_length(a: Vec3, b: Vec3, portals: &[[Vec3; 2]]) -> f64 {
    let mut length = 0.0;
    let mut here = a;
    for &[right, left] in portals {
        // If the line runs along the portal, their intersection depends on rounding. The points nearest to the
        // current point and to the end are as good.
        let fractions = [
            intersection_fractions(a, b, right, left)
                .map_or(0.5, |(_, fraction)| fraction.clamp(0.0, 1.0)),
            nearest_fraction(right, left, here),
            nearest_fraction(right, left, b),
        ];
        let points = fractions.map(|fraction| lerp(right, left, fraction));
        let detour = |point: &Vec3| distance_xz(here, *point) + distance_xz(*point, b);
        let next = points
            .into_iter()
            .min_by(|p, q| detour(p).total_cmp(&detour(q)));
        let next = next.expect("three points");
        length += distance_xz(here, next);
        here = next;
    }
    length + distance_xz(here, b)
}

/// Returns the length of the shortest line through the portals of a part, by dynamic programming over the ends of
/// portals. The shortest line bends only there.
fn shortest(part: &PathPart) -> f64 {
    let mut points = vec![(part.from, 0)];
    for (i, portal) in part.portals.iter().enumerate() {
        points.extend(portal.map(|end| (end, i + 1)));
    }
    points.push((part.to, part.portals.len() + 1));
    let mut lengths = vec![f64::INFINITY; points.len()];
    lengths[0] = 0.0;
    for to in 1..points.len() {
        for from in 0..to {
            let ((a, i), (b, j)) = (points[from], points[to]);
            // Both ends of one portal have no portals between them.
            let passed = if i < j { &part.portals[i..j - 1] } else { &[] };
            lengths[to] = lengths[to].min(lengths[from] + passing_length(a, b, passed));
        }
    }
    lengths[points.len() - 1]
}

/// Compares the waypoints of random paths with the reference, and returns the number of portals on the parts that were
/// compared.
fn check(plan: &MeshPlan, agent: &Agent, seed: u64, draw_point: DrawPoint) -> usize {
    let world = World::from_mesh(plan.mesh());
    let costs = world.costs(&agent.profile());
    let mut rng = CaseRng::new(seed);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut checked = 0;
    for _ in 0..6 {
        let query = Query {
            costs: Some(&costs),
            ground_tolerance: if rng.chance(0.5) { f32::INFINITY } else { 0.1 },
            ..Query::new(
                draw_point(&mut rng, world.mesh()),
                draw_point(&mut rng, world.mesh()),
            )
        };
        if world
            .find_path(&query, &mut scratch, &mut path)
            .expect("the world has this engine")
            != Status::Found
        {
            continue;
        }
        for part in path_parts(world.mesh(), &path) {
            if part.portals.len() > MAX_PORTALS {
                continue;
            }
            let (length, expected) = (part.length, shortest(&part));
            assert!(
                (length - expected).abs() <= 1e-4 * expected.max(0.1),
                "{length} instead of {expected}: from {} to {} through {:?}, waypoints {:?}",
                part.from,
                part.to,
                part.portals,
                path.waypoints,
            );
            checked += part.portals.len();
        }
    }
    checked
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]

    #[test]
    fn waypoints_are_shortest_on_small_worlds(plan in plans(), agent in agents(), seed: u64) {
        check(&plan, &agent, seed, CaseRng::point_inside);
    }

    #[test]
    fn waypoints_are_shortest_on_rooms_and_open_ground(plan in scenes(400), seed: u64) {
        check(&plan, &Agent::walker(), seed, CaseRng::point_inside);
    }

    #[test]
    fn waypoints_are_shortest_between_points_on_borders(plan in plans(), agent in agents(), seed: u64) {
        check(&plan, &agent, seed, CaseRng::point_on);
    }
}

/// Builds three squares of 1 m around a corner: the second is east of the first, and the third is south of the second.
fn bend() -> World {
    let mut raw = RawNavMesh::default();
    for (x, z) in [
        (1., 0.),
        (2., 0.),
        (0., 1.),
        (1., 1.),
        (2., 1.),
        (0., 2.),
        (1., 2.),
        (2., 2.),
    ] {
        raw.vertices.push(vec3(x, 0., z));
    }
    raw.polygons.push([2, 3, 6, 5]);
    raw.polygons.push([3, 4, 7, 6]);
    raw.polygons.push([0, 1, 4, 3]);
    World::build(raw, &NavMeshOptions::default()).expect("three squares")
}

/// Returns the waypoints from `from` to `to`, where the start's polygon is the one that contains `inside`.
fn waypoints(world: &World, from: Vec3, inside: Vec3, to: Vec3) -> Vec<Vec3> {
    let locate = |position| world.mesh().locate(position, DEFAULT_SNAP, |_| true);
    let start = Location {
        point: from,
        ..locate(inside).expect("the point is on the mesh")
    };
    let goal = locate(to).expect("the goal is on the mesh");
    let ends = Endpoints { start, goal };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let query = Query::new(from, to);
    let located = world
        .located(&query, ends)
        .expect("the world has this engine");
    located.search(&mut scratch).waypoints(&mut path);
    path.waypoints
}

#[test]
fn a_path_that_starts_on_the_first_portal_is_straight() {
    let (from, to) = (vec3(1., 0., 1.5), vec3(1.5, 0., 0.5));
    let taut = waypoints(&bend(), from, vec3(0.5, 0., 1.5), to);
    assert_eq!(taut, [from, to]);
}

#[test]
fn a_path_that_starts_past_the_first_portal_by_rounding_is_straight() {
    let corners = [
        (1.9883543, 2.0462897),
        (0.15478033, 0.14508301),
        (2., 0.),
        (0., 2.),
    ];
    let mut raw = RawNavMesh {
        vertices: corners.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 2]);
    raw.polygons.push([1, 0, 3]);
    let world = World::build(raw, &NavMeshOptions::default()).expect("two triangles");
    let (from, to) = (
        vec3(1.0715673, 0., 1.0956863),
        vec3(0.27869013, 0., 0.7873684),
    );
    let taut = waypoints(&world, from, vec3(1.5, 0., 0.7), to);
    assert_eq!(taut, [from, to]);
}

/// The path leaves one room and enters the next by two doors in the same wall.
#[test]
fn a_path_that_starts_past_the_line_of_the_next_portal_bends_at_its_nearer_end() {
    let mut raw = RawNavMesh::default();
    for [west, south, east, north] in [[0., 0., 1., 1.], [0., 1., 3., 2.], [2., 0., 3., 1.]] {
        let first = raw.vertices.len() as u32;
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0., z)));
        raw.polygons.push(first..first + 4);
    }
    let world = World::build(raw, &NavMeshOptions::default()).expect("three rooms");
    let just_inside = 1f32.next_down();
    for (from, near, to) in [(0.5, 2., 2.5), (2.5, 1., 0.5)] {
        let (inside, door) = (vec3(from, 0., 0.5), vec3(near, 0., 1.));
        let (from, to) = (vec3(from, 0., just_inside), vec3(to, 0., 0.5));
        assert_eq!(waypoints(&world, from, inside, to), [from, door, to]);
    }
}

#[test]
fn random_paths_cross_many_portals() {
    for scene in WorldScene::ALL {
        let options = WorldOptions {
            polygons: 300,
            links: true,
            ..WorldOptions::default()
        };
        let plan = MeshPlan::Scene(scene, options);
        let portals = check(&plan, &Agent::walker(), 5, CaseRng::point_inside);
        assert!(portals > 20, "{scene}: only {portals} portals");
    }
}

#[test]
fn the_reference_search_bends_at_a_corner() {
    // The line goes around a wall that ends at (1, 1).
    let portals = vec![[Vec3::new(1., 0., 1.), Vec3::new(1., 0., 3.)]];
    let part = PathPart {
        from: Vec3::ZERO,
        to: Vec3::new(2., 0., 0.),
        portals,
        length: 0.0,
    };
    assert!((shortest(&part) - 8f64.sqrt()).abs() < 1e-9);
}
