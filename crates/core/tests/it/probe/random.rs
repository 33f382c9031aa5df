//! Random points.

use std::collections::BTreeMap;

use glam::{Vec3, vec3};
use portolan_core::{Location, PolygonId, ProbeScratch, RandomPoints, World};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

use super::{assert_on_mesh, in_plan, open_location, rectangles, rounding};

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn random_points_are_on_the_ground_that_was_asked_for(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut random = RandomPoints::new(probe, seed);
        let mut again = RandomPoints::new(probe, seed);
        let (mut rng, mut scratch, mut polygons) = (CaseRng::new(seed), ProbeScratch::new(), Vec::new());
        let Some(_) = open_location(&mut rng, &probe) else {
            prop_assert_eq!(random.anywhere(), None);
            let closed = Location { polygon: PolygonId(0), point: Vec3::ZERO };
            prop_assert_eq!(random.reachable(closed), None);
            return Ok(());
        };
        for _ in 0..20 {
            let anywhere = random.anywhere().expect("open ground");
            assert_on_mesh(world.mesh(), anywhere);
            prop_assert!(probe.is_open(anywhere.polygon));
            let from = open_location(&mut rng, &probe).expect("open ground");
            let reachable = random.reachable(from).expect("the start is open");
            assert_on_mesh(world.mesh(), reachable);
            prop_assert!(probe.is_reachable(from, reachable));
            let radius = [0.1, 1.0, 3.0, 1000.0][rng.below(4)];
            let within = random.within(from, radius, &mut scratch).expect("a circle");
            probe.polygons_within(from, radius, &mut scratch, &mut polygons);
            prop_assert!(polygons.contains(&within.polygon));
            let distance = in_plan(within.point).distance(in_plan(from.point));
            prop_assert!(distance <= f64::from(radius));
            if within != from {
                assert_on_mesh(world.mesh(), within);
            }
            prop_assert_eq!(again.anywhere(), Some(anywhere));
            prop_assert_eq!(again.reachable(from), Some(reachable));
            prop_assert_eq!(again.within(from, radius, &mut scratch), Some(within));
        }
    }
}

/// Draws locations and asserts that the part of each polygon is its part of the weights, within 5 standard
/// deviations.
fn assert_distribution(weights: &[(u64, f64)], mut draw: impl FnMut() -> u64) {
    const DRAWS: usize = 20_000;
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut counts = BTreeMap::new();
    for _ in 0..DRAWS {
        *counts.entry(draw()).or_insert(0) += 1;
    }
    for &(id, weight) in weights {
        let count = f64::from(counts.remove(&id).unwrap_or(0));
        let (part, draws) = (weight / total, DRAWS as f64);
        let deviation = (draws * part * (1.0 - part)).sqrt();
        assert!(
            (count - draws * part).abs() <= 5.0 * deviation,
            "{id}: {count} for {part}"
        );
    }
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn points_are_uniform_by_area() {
    // A large and a small room that touch, a room of their own, and a floor above.
    let world = rectangles(&[
        ([0, 0], [10, 8], 0.0),
        ([10, 0], [11, 8], 0.0),
        ([20, 0], [24, 8], 0.0),
        ([0, 0], [11, 8], 3.0),
    ]);
    let (probe, mesh) = (world.probe(), world.mesh());
    let id = |location: Location| mesh.user_id(location.polygon);
    let mut random = RandomPoints::new(probe, 1);
    let all = [(0, 80.0), (1, 8.0), (2, 32.0), (3, 88.0)];
    assert_distribution(&all, || id(random.anywhere().expect("open ground")));
    let start = probe
        .nearest(vec3(1.0, 0.0, 1.0), Vec3::ONE)
        .expect("on the mesh");
    assert_distribution(&all[..2], || {
        id(random.reachable(start).expect("open ground"))
    });
    // Within a polygon, each quarter is as likely as any other.
    let quarters = [(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)];
    assert_distribution(&quarters, || {
        let above = vec3(1.0, 3.0, 1.0);
        let above = probe.nearest(above, Vec3::ONE).expect("on the mesh");
        let point = random.reachable(above).expect("open ground").point;
        u64::from(point.x > 5.5) + 2 * u64::from(point.z > 4.0)
    });
}

#[test]
fn points_in_a_circle_are_uniform_in_it() {
    let world = rectangles(&[
        ([-9, -9], [0, 9], 0.0),
        ([0, -9], [9, 9], 0.0),
        ([-9, -9], [9, 9], 3.0),
    ]);
    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let centre = probe.nearest(Vec3::ZERO, Vec3::ONE).expect("on the mesh");
    let mut random = RandomPoints::new(probe, 2);
    // Eight equal parts: four quarters, each of which is inside or outside a circle of half the area.
    let parts: Vec<(u64, f64)> = (0..8).map(|part| (part, 1.0)).collect();
    assert_distribution(&parts, || {
        let point = random
            .within(centre, 4.0, &mut scratch)
            .expect("a circle")
            .point;
        assert_eq!(point.y, 0.0);
        let is_inside = point.length_squared() < 8.0;
        u64::from(point.x > 0.0) + 2 * u64::from(point.z > 0.0) + 4 * u64::from(is_inside)
    });
    assert!(rounding(world.mesh()) < 1e-5);
    for radius in [f32::NAN, -1.0] {
        assert_eq!(random.within(centre, radius, &mut scratch), None);
    }
    assert_eq!(random.within(centre, 0.0, &mut scratch), Some(centre));
    assert!(random.within(centre, f32::INFINITY, &mut scratch).is_some());
}

#[test]
fn a_seed_gives_the_same_points_on_every_platform() {
    let world = rectangles(&[([0, 0], [10, 8], 0.0), ([10, 0], [11, 8], 0.0)]);
    let mut random = RandomPoints::new(world.probe(), 7);
    let points: Vec<Vec3> = (0..3)
        .map(|_| random.anywhere().expect("open ground").point)
        .collect();
    let expected = [
        vec3(6.5904427, 0.0, 3.3631308),
        vec3(1.7149047, 0.0, 5.531534),
        vec3(9.361516, 0.0, 7.70236),
    ];
    assert_eq!(points, expected);
}
