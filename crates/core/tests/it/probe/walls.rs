//! Walls and polygons around a location.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, Vec3, vec3};
use portolan_core::{Location, PolygonId, Probe, ProbeScratch, Wall, World};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

use super::{distance_from, in_plan, open_location, rectangles, rounding};

/// Returns the polygons that are connected with a location inside a circle, each with the radius from which on it
/// is, by repeated scans over all portals.
fn slow_flood(probe: &Probe<'_>, at: Location, radius: f64) -> BTreeMap<PolygonId, f64> {
    let mut within = BTreeMap::from([(at.polygon, 0.0)]);
    loop {
        let mut has_changed = false;
        for portal in probe.mesh().portals() {
            let ends = [portal.right, portal.left].map(in_plan);
            let distance = distance_from(ends, in_plan(at.point));
            let [a, b] = portal.polygons;
            for (here, beyond) in [(a, b), (b, a)] {
                let Some(&before) = within.get(&here) else {
                    continue;
                };
                let least = distance.max(before);
                let known = within.get(&beyond);
                if least <= radius
                    && probe.is_open(beyond)
                    && known.is_none_or(|&known| least < known)
                {
                    within.insert(beyond, least);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return within;
        }
    }
}

/// Returns the walls of a polygon: what remains of its borders after each open portal is cut out of all of them.
fn slow_walls(probe: &Probe<'_>, polygon: PolygonId) -> Vec<[DVec2; 2]> {
    let (mesh, slack) = (probe.mesh(), rounding(probe.mesh()));
    let mut walls: Vec<_> = mesh
        .borders(polygon)
        .map(|ends| ends.map(in_plan))
        .collect();
    for &portal in mesh.portals_of(polygon) {
        let portal = mesh.portal(portal);
        if !probe.is_open(portal.beyond(polygon)) {
            continue;
        }
        let [right, left] = portal.ends_from(polygon).map(in_plan);
        let middle = (right + left) / 2.0;
        let on_border = |&[a, b]: &[DVec2; 2]| {
            let (along, other) = (
                (b - a).normalize_or_zero(),
                (left - right).normalize_or_zero(),
            );
            along.dot(other) > 0.9 && distance_from([a, b], middle) < 0.02
        };
        let cut = |wall: [DVec2; 2]| {
            if !on_border(&wall) {
                return vec![wall];
            }
            let [a, b] = wall;
            let along = (b - a).normalize_or_zero();
            let length = a.distance(b);
            let [low, high] = [right, left].map(|end| along.dot(end - a).clamp(0.0, length));
            vec![[a, a + along * low], [a + along * high, b]]
        };
        walls = walls.into_iter().flat_map(cut).collect();
    }
    walls.retain(|[a, b]| a.distance(*b) > slack);
    walls
}

/// Asserts that a wall is one of those of its polygon.
fn check_wall(probe: &Probe<'_>, at: Location, wall: &Wall) {
    let slack = 4.0 * rounding(probe.mesh());
    let ends = wall.ends.map(in_plan);
    let is_end = |[a, b]: &[DVec2; 2]| a.distance(ends[0]) <= slack && b.distance(ends[1]) <= slack;
    assert!(
        slow_walls(probe, wall.polygon).iter().any(is_end),
        "{wall:?}"
    );
    let distance = distance_from(ends, in_plan(at.point));
    assert!(
        (f64::from(wall.distance) - distance).abs() <= slack,
        "{wall:?} from {at:?}"
    );
    assert!(in_plan(wall.point).distance(in_plan(at.point)) <= distance + slack);
    assert!(distance_from(ends, in_plan(wall.point)) <= slack);
    let normal = in_plan(wall.normal);
    assert!((normal.length() - 1.0).abs() < 1e-6 && wall.normal.y == 0.0);
    assert!((ends[1] - ends[0]).perp_dot(normal) > 0.0, "{wall:?}");
    assert!(
        normal.dot((ends[1] - ends[0]).normalize()).abs() < 1e-6,
        "{wall:?}"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn walls_and_polygons_in_a_circle_equal_a_scan(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let (mut rng, mut scratch) = (CaseRng::new(seed), ProbeScratch::new());
        let (mut walls, mut polygons) = (Vec::new(), Vec::new());
        let slack = 4.0 * rounding(world.mesh());
        for _ in 0..10 {
            let Some(at) = open_location(&mut rng, &probe) else { return Ok(()) };
            let radius = [0.0, 0.5, 2.0, 5.0, 1e6][rng.below(5)] * rng.between(0.5, 1.0);
            let [few, many] = [-slack, slack].map(|d| slow_flood(&probe, at, f64::from(radius) + d));
            probe.polygons_within(at, radius, &mut scratch, &mut polygons);
            let found: BTreeSet<PolygonId> = polygons.iter().copied().collect();
            prop_assert_eq!((found.len(), polygons[0]), (polygons.len(), at.polygon));
            prop_assert!(few.keys().all(|polygon| found.contains(polygon)));
            prop_assert!(found.iter().all(|polygon| many.contains_key(polygon)));

            probe.walls_within(at, radius, &mut scratch, &mut walls);
            prop_assert!(walls.is_sorted_by(|a, b| a.distance <= b.distance));
            for wall in &walls {
                check_wall(&probe, at, wall);
                prop_assert!(found.contains(&wall.polygon) && wall.distance <= radius);
            }
            let near = |[a, b]: &[DVec2; 2]| distance_from([*a, *b], in_plan(at.point)) <= f64::from(radius) - slack;
            let expected = few.keys().flat_map(|&polygon| slow_walls(&probe, polygon)).filter(near).count();
            prop_assert!(walls.len() >= expected, "{} of {}", walls.len(), expected);

            // The circle that meets the first wall.
            let first = |flooded: &BTreeMap<PolygonId, f64>, limit: f64| {
                let walls = flooded.iter().flat_map(|(&polygon, &within)| {
                    let walls = slow_walls(&probe, polygon).into_iter();
                    walls.map(move |wall| distance_from(wall, in_plan(at.point)).max(within))
                });
                walls.filter(|&met_at| met_at <= limit).min_by(f64::total_cmp)
            };
            let nearest = probe.nearest_wall(at, radius, &mut scratch);
            match nearest {
                Some(wall) => {
                    check_wall(&probe, at, &wall);
                    let met_at = f64::from(wall.distance).max(many[&wall.polygon]);
                    let least = first(&many, f64::INFINITY).expect("a wall");
                    prop_assert!((met_at - least).abs() <= slack, "{} {}", met_at, least);
                }
                None => prop_assert_eq!(first(&few, f64::from(radius) - slack), None),
            }
        }
    }
}

#[test]
fn the_upper_floor_has_walls_of_its_own() {
    let world = rectangles(&[([0, 0], [8, 8], 0.0), ([3, 3], [5, 5], 3.0)]);
    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let at = |y: f32| {
        let location = probe.nearest_within(vec3(4.0, y, 4.0), 1.0, |_| true);
        location.expect("on a floor")
    };
    let distance = |y: f32, scratch: &mut ProbeScratch| {
        let wall = probe.nearest_wall(at(y), f32::INFINITY, scratch);
        wall.map(|wall| wall.distance)
    };
    assert_eq!(distance(0.0, &mut scratch), Some(4.0));
    assert_eq!(distance(3.0, &mut scratch), Some(1.0));
    assert_eq!(probe.nearest_wall(at(0.0), 3.9, &mut scratch), None);
    let (mut walls, mut polygons) = (Vec::new(), Vec::new());
    probe.walls_within(at(0.0), 4.0, &mut scratch, &mut walls);
    assert_eq!(walls.len(), 4);
    probe.polygons_within(at(0.0), 100.0, &mut scratch, &mut polygons);
    assert_eq!(polygons.len(), 1);
}

#[test]
fn numbers_that_are_not_finite_have_no_walls() {
    let world = rectangles(&[([0, 0], [8, 8], 0.0)]);
    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let at = probe
        .nearest_within(Vec3::ONE, 2.0, |_| true)
        .expect("on the mesh");
    let (mut walls, mut polygons) = (Vec::new(), Vec::new());
    let nowhere = Location {
        point: vec3(f32::NAN, 0.0, 1.0),
        ..at
    };
    for (at, radius) in [(at, f32::NAN), (at, -1.0), (nowhere, 1.0)] {
        assert_eq!(probe.nearest_wall(at, radius, &mut scratch), None);
        probe.walls_within(at, radius, &mut scratch, &mut walls);
        probe.polygons_within(at, radius, &mut scratch, &mut polygons);
        assert!(walls.is_empty() && polygons.is_empty());
    }
    probe.walls_within(at, f32::INFINITY, &mut scratch, &mut walls);
    assert_eq!(walls.len(), 4);
}
