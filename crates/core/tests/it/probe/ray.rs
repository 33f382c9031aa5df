//! Rays along the ground.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3, vec3};
use portolan_core::{Location, NavMesh, PolygonId, Probe, Ray, World};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

use super::{assert_on_mesh, distance_from, in_plan, open_location, rectangles, rounding};

/// Returns the first and the last fraction of a line at which it is to the left of all borders, each moved
/// outwards by a tolerance.
fn clip(borders: &[[DVec2; 2]], [a, b]: [DVec2; 2], tolerance: f64) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0f64, 1f64);
    for &[start, end] in borders {
        // Without a tolerance, signs are as exact as `f64` is.
        let along = end - start;
        let [at_a, at_b] =
            [a, b].map(|point| along.perp_dot(point - start) + tolerance * along.length());
        let fraction = at_a / (at_a - at_b);
        match (at_a < 0.0, at_b < 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(fraction),
            (false, true) => last = last.min(fraction),
            (false, false) => {}
        }
    }
    (first <= last).then_some([first, last])
}

/// Returns the polygons that a line can enter from a polygon and the fraction up to which each contains it. At
/// vertices and along borders it enters every polygon whose portal it touches within the tolerance.
fn slow_walk(
    probe: &Probe<'_>,
    from: PolygonId,
    line: [DVec2; 2],
    tolerance: f64,
) -> BTreeMap<PolygonId, f64> {
    let mesh = probe.mesh();
    let part_on = |polygon: PolygonId| {
        let borders: Vec<_> = mesh
            .borders(polygon)
            .map(|ends| ends.map(in_plan))
            .collect();
        clip(&borders, line, tolerance)
    };
    let mut entered = BTreeMap::new();
    let mut open = Vec::new();
    if part_on(from).is_some_and(|[first, _]| first == 0.0) {
        entered.insert(from, 0.0);
        open.push(from);
    }
    while let Some(polygon) = open.pop() {
        for &portal in mesh.portals_of(polygon) {
            let portal = mesh.portal(portal);
            let [a, b] = [portal.right, portal.left].map(in_plan);
            let aside = (b - a).perp();
            let around = [[a, b], [b, a], [a + aside, a], [b, b + aside]];
            let Some([first, last]) = clip(&around, line, tolerance) else {
                continue;
            };
            let at = first.max(entered[&polygon]);
            let beyond = portal.beyond(polygon);
            let known = entered.get(&beyond);
            if at <= last && probe.is_open(beyond) && known.is_none_or(|&known| at < known) {
                entered.insert(beyond, at);
                open.push(beyond);
            }
        }
    }
    let parts = entered.into_keys();
    parts
        .filter_map(|polygon| Some((polygon, part_on(polygon)?[1])))
        .collect()
}

fn check_ray(probe: &Probe<'_>, from: Location, to: Vec3, ray: &Ray, crossed: &[PolygonId]) {
    let mesh = probe.mesh();
    let line = [from.point, to].map(in_plan);
    let length = line[0].distance(line[1]);
    let context = format!("{from:?} to {to}: {ray:?} over {crossed:?}");
    assert_on_mesh(mesh, ray.end);
    // The polygons are connected by portals, and open.
    assert_eq!(
        (crossed[0], crossed[crossed.len() - 1]),
        (from.polygon, ray.end.polygon),
        "{context}"
    );
    for pair in crossed.windows(2) {
        let mut portals = mesh.portals_of(pair[0]).iter();
        assert!(
            portals.any(|&portal| mesh.portal(portal).beyond(pair[0]) == pair[1]),
            "{context}"
        );
        assert!(probe.is_open(pair[1]), "{context}");
    }
    // The end is where the fraction says.
    let slack = rounding(mesh);
    let at = line[0] + (line[1] - line[0]) * f64::from(ray.fraction);
    let fraction_rounding = length * f64::from(f32::EPSILON);
    assert!(
        at.distance(in_plan(ray.end.point)) <= 10.0 * slack + fraction_rounding,
        "{context}"
    );
    // It is between what a walk without a tolerance and a walk with a large one reaches.
    let reach = |tolerance: f64| {
        let parts = slow_walk(probe, from.polygon, line, tolerance);
        parts.into_values().fold(0.0, f64::max)
    };
    let (low, high) = (reach(0.0), reach(5.0 * slack));
    let fraction = f64::from(ray.fraction);
    let rounding = f64::from(f32::EPSILON);
    assert!(
        low <= fraction + rounding + 10.0 * slack / length,
        "{low} {high} {context}"
    );
    assert!(high >= fraction - rounding, "{low} {high} {context}");
    assert_eq!(ray.hit.is_none(), ray.fraction == 1.0, "{context}");
    if low == 1.0 {
        assert!(ray.hit.is_none(), "{context}");
    }
    if let Some(wall) = ray.hit {
        let normal = wall.normal;
        assert!(
            (normal.length() - 1.0).abs() < 1e-6 && normal.y == 0.0,
            "{context}"
        );
        let apart = in_plan(wall.point).distance(in_plan(ray.end.point));
        assert!(apart <= 10.0 * slack, "{context}");
        let distance = in_plan(wall.point).distance(line[0]);
        assert!(
            (f64::from(wall.distance) - distance).abs() < 1e-4,
            "{context}"
        );
        assert!(distance_from(wall.ends.map(in_plan), in_plan(wall.point)) <= 2.0 * slack);
        assert!(probe.is_open(wall.polygon) || wall.polygon == from.polygon);
        // The wall faces the ray, unless that is a matter of rounding, and no open portal covers its middle.
        let against = -in_plan(normal).dot(line[1] - line[0]) / length;
        assert!(against > -1e-3, "{against} {context}");
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(1024))]

    #[test]
    fn rays_end_at_the_first_wall(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let (mut rng, mut crossed) = (CaseRng::new(seed), Vec::new());
        for _ in 0..30 {
            let Some(from) = open_location(&mut rng, &probe) else { return Ok(()) };
            let goal = rng.location(world.mesh());
            let to = match rng.below(4) {
                0 => rng.point_near(world.mesh()),
                1 => from.point + (goal.point - from.point) * rng.between(0.0, 4.0),
                // Along x or z, as many borders are.
                2 => vec3(goal.point.x, 0.0, from.point.z),
                _ => goal.point,
            };
            let ray = probe.ray(from, to, &mut crossed);
            check_ray(&probe, from, to, &ray, &crossed);
        }
    }

    #[test]
    fn sight_equals_a_slow_walk(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(seed);
        for _ in 0..40 {
            let Some(from) = open_location(&mut rng, &probe) else { return Ok(()) };
            let to = open_location(&mut rng, &probe).expect("open ground");
            let line = [from.point, to.point].map(in_plan);
            let slack = rounding(world.mesh());
            let [surely, perhaps] = [0.0, 5.0 * slack].map(|tolerance| {
                slow_walk(&probe, from.polygon, line, tolerance).get(&to.polygon) == Some(&1.0)
            });
            let sees = probe.sees(from, to);
            prop_assert!(sees || !surely, "{:?} does see {:?}", from, to);
            prop_assert!(!sees || perhaps, "{:?} does not see {:?}", from, to);
        }
    }
}

/// Returns the location in a rectangle with the given user id.
fn at(mesh: &NavMesh, id: u64, x: f32, z: f32) -> Location {
    let polygon = mesh.polygon_of(id).expect("a rectangle");
    let point = mesh.nearest_on(polygon, vec3(x, 0.0, z));
    Location { polygon, point }
}

#[test]
fn ties_have_defined_answers() {
    // Four squares around (4, 4), without the one in the north-east.
    let world = rectangles(&[
        ([0, 0], [4, 4], 0.0),
        ([4, 0], [8, 4], 0.0),
        ([0, 4], [4, 8], 0.0),
    ]);
    let (mesh, probe) = (world.mesh(), world.probe());
    let cast = |from: Location, x: f32, z: f32| {
        let mut crossed = Vec::new();
        let ray = probe.ray(from, vec3(x, 0.0, z), &mut crossed);
        let ids: Vec<u64> = crossed.iter().map(|&p| mesh.user_id(p)).collect();
        (ray.fraction, ray.hit.map(|wall| wall.normal), ids)
    };
    // Through the reflex corner into the wall behind it: the ray hits the corner.
    let (fraction, normal, ids) = cast(at(mesh, 0, 2.0, 2.0), 6.0, 6.0);
    assert_eq!((fraction, ids), (0.5, vec![0]));
    assert!(normal == Some(vec3(-1.0, 0.0, 0.0)) || normal == Some(vec3(0.0, 0.0, -1.0)));
    // Over the reflex corner, which the ray only touches.
    assert_eq!(
        cast(at(mesh, 1, 6.0, 2.0), 2.0, 6.0),
        (1.0, None, vec![1, 0, 2])
    );
    // Along the border that becomes a wall at x = 4.
    assert_eq!(
        cast(at(mesh, 0, 0.0, 4.0), 8.0, 4.0),
        (1.0, None, vec![0, 1])
    );
    assert_eq!(
        cast(at(mesh, 2, 0.0, 4.0), 8.0, 4.0),
        (1.0, None, vec![2, 0, 1])
    );
    // From a border, in both directions.
    assert_eq!(cast(at(mesh, 0, 4.0, 2.0), 6.0, 2.0).0, 1.0);
    assert_eq!(
        cast(at(mesh, 1, 4.0, 2.0), 2.0, 2.0),
        (1.0, None, vec![1, 0])
    );
    // From a wall, along it and out of it.
    assert_eq!(cast(at(mesh, 0, 0.0, 0.0), 8.0, 0.0).0, 1.0);
    assert_eq!(
        cast(at(mesh, 0, 1.0, 0.0), 1.0, -1.0),
        (0.0, Some(vec3(0.0, 0.0, 1.0)), vec![0])
    );
    // Without length.
    assert_eq!(cast(at(mesh, 0, 4.0, 4.0), 4.0, 4.0), (1.0, None, vec![0]));
    assert!(probe.sees(at(mesh, 1, 4.0, 4.0), at(mesh, 2, 4.0, 4.0)));
}

#[test]
fn a_thin_wall_along_the_ray_ends_only_one_of_its_sides() {
    // The line z = 0 is a wall from x = 4 on: the squares on its sides are at different heights there.
    let world = rectangles(&[
        ([0, -4], [4, 0], 0.0),
        ([0, 0], [4, 4], 0.0),
        ([4, -4], [8, 0], 0.0),
        ([8, -4], [16, 0], 0.0),
    ]);
    let (mesh, probe) = (world.mesh(), world.probe());
    let mut crossed = Vec::new();
    for id in [0, 1] {
        let ray = probe.ray(at(mesh, id, 0.0, 0.0), vec3(20.0, 0.0, 0.0), &mut crossed);
        assert_eq!(ray.end.point, vec3(16.0, 0.0, 0.0));
        assert_eq!(ray.hit.map(|wall| wall.normal), Some(vec3(-1.0, 0.0, 0.0)));
    }
}

#[test]
fn sight_stays_on_its_floor() {
    let world = rectangles(&[([0, 0], [8, 8], 0.0), ([0, 0], [8, 8], 3.0)]);
    let (mesh, probe) = (world.mesh(), world.probe());
    let (below, above) = (at(mesh, 0, 1.0, 1.0), at(mesh, 1, 5.0, 5.0));
    assert!(!probe.sees(below, above) && !probe.sees(above, below));
    assert!(probe.sees(below, at(mesh, 0, 5.0, 5.0)));
}

#[test]
fn numbers_that_are_not_finite_end_a_ray_where_it_starts() {
    let world = rectangles(&[([0, 0], [4, 4], 0.0)]);
    let (probe, start) = (world.probe(), at(world.mesh(), 0, 1.0, 1.0));
    let mut crossed = Vec::new();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let ray = probe.ray(start, vec3(bad, 0.0, 1.0), &mut crossed);
        assert_eq!((ray.end, ray.fraction, ray.hit), (start, 0.0, None));
        assert_eq!(crossed, [start.polygon]);
        let nowhere = Location {
            point: vec3(1.0, 0.0, bad),
            ..start
        };
        assert!(!probe.sees(start, nowhere) && !probe.sees(nowhere, start));
    }
    let ray = probe.ray(start, vec3(3e38, 0.0, 1.0), &mut crossed);
    assert_eq!(ray.end.point, vec3(4.0, 0.0, 1.0));
}
