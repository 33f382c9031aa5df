//! Waypoints are the shortest line through their corridor, seen from above.

use glam::{Vec3, vec3};
use portolan_core::geometry::{distance_xz, intersection_fractions, lerp, nearest_fraction};
use portolan_core::{
    Crossing, DEFAULT_SNAP, Endpoints, Location, NavMesh, NavMeshOptions, Path, Query, RawNavMesh,
    Scratch, Status, World,
};
use portolan_oracle::{Agent, CaseRng, Plan, agents, plans, scenes};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// The longest part of a corridor that is searched by hand.
const MOST_PORTALS: usize = 40;

/// A way to pick starts and goals.
type Place = fn(&mut CaseRng, &NavMesh) -> Vec3;

/// A part of a path without links: its ends, the portals between them, its length from above.
struct Stretch {
    from: Vec3,
    to: Vec3,
    portals: Vec<[Vec3; 2]>,
    length: f64,
}

fn stretches(mesh: &NavMesh, path: &Path) -> Vec<Stretch> {
    let mut stretches = Vec::new();
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
        stretches.push(Stretch {
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
    stretches
}

/// The length of a line from `a` to `b` that passes all the portals: straight where it can be, and
/// where it leaves a portal, bent to that portal's end. It can always be walked.
fn passing_length(a: Vec3, b: Vec3, portals: &[[Vec3; 2]]) -> f64 {
    let mut length = 0.0;
    let mut here = a;
    for &[right, left] in portals {
        // Where the line runs along the portal, the place where they meet is a matter of rounding;
        // the places next to here and to the end are as good.
        let shares = [
            intersection_fractions(a, b, right, left)
                .map_or(0.5, |(_, share)| share.clamp(0.0, 1.0)),
            nearest_fraction(right, left, here),
            nearest_fraction(right, left, b),
        ];
        let places = shares.map(|share| lerp(right, left, share));
        let detour = |place: &Vec3| distance_xz(here, *place) + distance_xz(*place, b);
        let next = places
            .into_iter()
            .min_by(|p, q| detour(p).total_cmp(&detour(q)));
        let next = next.expect("three places");
        length += distance_xz(here, next);
        here = next;
    }
    length + distance_xz(here, b)
}

/// The shortest line bends only at ends of portals, so it is among all those that run from end to
/// end, passing what lies between.
fn shortest(stretch: &Stretch) -> f64 {
    let mut points = vec![(stretch.from, 0)];
    for (i, portal) in stretch.portals.iter().enumerate() {
        points.extend(portal.map(|end| (end, i + 1)));
    }
    points.push((stretch.to, stretch.portals.len() + 1));
    let mut least = vec![f64::INFINITY; points.len()];
    least[0] = 0.0;
    for to in 1..points.len() {
        for from in 0..to {
            let ((a, i), (b, j)) = (points[from], points[to]);
            // The ends of one portal are joined along it.
            let passed = if i < j {
                &stretch.portals[i..j - 1]
            } else {
                &[]
            };
            least[to] = least[to].min(least[from] + passing_length(a, b, passed));
        }
    }
    least[points.len() - 1]
}

/// Gives the number of portals of all stretches that were looked at.
fn check(plan: &Plan, agent: &Agent, seed: u64, place: Place) -> usize {
    let world = World::from_mesh(plan.mesh());
    let costs = world.costs(&agent.profile());
    let mut rng = CaseRng::new(seed);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut checked = 0;
    for _ in 0..6 {
        let query = Query {
            costs: Some(&costs),
            ground_tolerance: if rng.chance(0.5) { f32::INFINITY } else { 0.1 },
            ..Query::new(place(&mut rng, world.mesh()), place(&mut rng, world.mesh()))
        };
        if world
            .find_path(&query, &mut scratch, &mut path)
            .expect("an engine of this world")
            != Status::Found
        {
            continue;
        }
        for stretch in stretches(world.mesh(), &path) {
            if stretch.portals.len() > MOST_PORTALS {
                continue;
            }
            let (taut, right) = (stretch.length, shortest(&stretch));
            assert!(
                (taut - right).abs() <= 1e-4 * right.max(0.1),
                "{taut} and not {right}: from {} to {} through {:?}, waypoints {:?}",
                stretch.from,
                stretch.to,
                stretch.portals,
                path.waypoints,
            );
            checked += stretch.portals.len();
        }
    }
    checked
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]

    #[test]
    fn on_small_worlds(plan in plans(), agent in agents(), seed: u64) {
        check(&plan, &agent, seed, CaseRng::point_inside);
    }

    #[test]
    fn on_rooms_and_open_ground(plan in scenes(400), seed: u64) {
        check(&plan, &Agent::walker(), seed, CaseRng::point_inside);
    }

    #[test]
    fn from_and_to_borders(plan in plans(), agent in agents(), seed: u64) {
        check(&plan, &agent, seed, CaseRng::place);
    }
}

/// Three squares of 1 m around a corner: from the first east to the second, south to the third.
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

/// Waypoints from a place in the polygon that holds `inside`, or on its border, to `to`.
fn waypoints(world: &World, from: Vec3, inside: Vec3, to: Vec3) -> Vec<Vec3> {
    let locate = |place| world.mesh().locate(place, DEFAULT_SNAP, |_| true);
    let start = Location {
        point: from,
        ..locate(inside).expect("a place inside")
    };
    let goal = locate(to).expect("a goal on the mesh");
    let ends = Endpoints { start, goal };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let query = Query::new(from, to);
    let located = world
        .located(&query, ends)
        .expect("an engine of this world");
    located.search(&mut scratch).waypoints(&mut path);
    path.waypoints
}

#[test]
fn a_start_on_the_first_portal_goes_straight() {
    let (from, to) = (vec3(1., 0., 1.5), vec3(1.5, 0., 0.5));
    let taut = waypoints(&bend(), from, vec3(0.5, 0., 1.5), to);
    assert_eq!(taut, [from, to]);
}

#[test]
fn a_start_rounded_past_the_first_portal_goes_straight() {
    let places = [
        (1.9883543, 2.0462897),
        (0.15478033, 0.14508301),
        (2., 0.),
        (0., 2.),
    ];
    let mut raw = RawNavMesh {
        vertices: places.map(|(x, z)| vec3(x, 0., z)).to_vec(),
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

/// Out of one room and into the next, by doors in one wall.
#[test]
fn a_start_rounded_past_the_line_of_the_next_portal_takes_its_near_end() {
    let mut raw = RawNavMesh::default();
    for [west, south, east, north] in [[0., 0., 1., 1.], [0., 1., 3., 2.], [2., 0., 3., 1.]] {
        let first = raw.vertices.len() as u32;
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0., z)));
        raw.polygons.push(first..first + 4);
    }
    let world = World::build(raw, &NavMeshOptions::default()).expect("three rooms");
    let behind = 1f32.next_down();
    for (from, near, to) in [(0.5, 2., 2.5), (2.5, 1., 0.5)] {
        let (inside, door) = (vec3(from, 0., 0.5), vec3(near, 0., 1.));
        let (from, to) = (vec3(from, 0., behind), vec3(to, 0., 0.5));
        assert_eq!(waypoints(&world, from, inside, to), [from, door, to]);
    }
}

#[test]
fn there_is_something_to_pull() {
    for scene in WorldScene::ALL {
        let options = WorldOptions {
            polygons: 300,
            links: true,
            ..WorldOptions::default()
        };
        let plan = Plan::Scene(scene, options);
        let portals = check(&plan, &Agent::walker(), 5, CaseRng::point_inside);
        assert!(portals > 20, "{scene}: {portals}");
    }
}

#[test]
fn the_slow_answer_knows_a_corner() {
    // Around the wall that ends at (1, 1).
    let portals = vec![[Vec3::new(1., 0., 1.), Vec3::new(1., 0., 3.)]];
    let stretch = Stretch {
        from: Vec3::ZERO,
        to: Vec3::new(2., 0., 0.),
        portals,
        length: 0.0,
    };
    assert!((shortest(&stretch) - 8f64.sqrt()).abs() < 1e-9);
}
