//! Sliding along walls.

use std::collections::BTreeSet;

use glam::{Vec3, vec3};
use portolan_core::{Location, PolygonId, Probe, ProbeScratch, World};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

use super::{assert_on_mesh, distance_from, in_plan, open_location, rectangles, rounding};

/// Returns the polygons that take part in a slide, by repeated scans over all portals.
fn taking_part(
    probe: &Probe<'_>,
    from: Location,
    target: Vec3,
    margin: f64,
) -> BTreeSet<PolygonId> {
    let [start, end] = [from.point, target].map(in_plan);
    let (centre, radius) = ((start + end) / 2.0, start.distance(end) / 2.0 + margin);
    let mut part = BTreeSet::from([from.polygon]);
    loop {
        let before = part.len();
        for portal in probe.mesh().portals() {
            let ends = [portal.right, portal.left].map(in_plan);
            let is_within = distance_from(ends, centre) <= radius;
            let [a, b] = portal.polygons;
            for (here, beyond) in [(a, b), (b, a)] {
                if is_within && part.contains(&here) && probe.is_open(beyond) {
                    part.insert(beyond);
                }
            }
        }
        if part.len() == before {
            return part;
        }
    }
}

/// Returns the smallest distance of a position in plan from some polygons.
fn least_distance(probe: &Probe<'_>, polygons: &BTreeSet<PolygonId>, position: Vec3) -> f64 {
    let distances = polygons.iter().map(|&polygon| {
        if probe.mesh().contains_xz(polygon, position) {
            return 0.0;
        }
        let borders = probe.mesh().borders(polygon);
        borders
            .map(|border| distance_from(border.map(in_plan), in_plan(position)))
            .fold(f64::INFINITY, f64::min)
    });
    distances.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(512))]

    #[test]
    fn slides_end_at_the_nearest_point(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mesh = world.mesh();
        let (mut rng, mut scratch) = (CaseRng::new(seed), ProbeScratch::new());
        let Some(mut here) = open_location(&mut rng, &probe) else { return Ok(()) };
        for _ in 0..40 {
            let size = [0.0, 0.1, 1.0, 5.0, 50.0][rng.below(5)];
            let mut shift = || rng.between(-size, size);
            let mut target = here.point + vec3(shift(), shift(), shift());
            if rng.chance(0.2) {
                target = rng.point_on(mesh);
            }
            let moved = probe.slide(here, target, &mut scratch);
            assert_on_mesh(mesh, moved);
            let tolerance = 2.0 * rounding(mesh);
            let distance = in_plan(moved.point).distance(in_plan(target));
            // The margin of the circle is a millimetre; rounding decides whether a portal is just within it.
            let [few, many] = [1e-3 - tolerance, 1e-3 + tolerance]
                .map(|margin| taking_part(&probe, here, target, margin));
            prop_assert!(distance <= least_distance(&probe, &few, target) + tolerance);
            prop_assert!(distance >= least_distance(&probe, &many, target) - tolerance);
            prop_assert!(many.contains(&moved.polygon));
            // The trail leads there through portals.
            let trail = scratch.trail();
            prop_assert_eq!(trail.first(), Some(&here.polygon));
            prop_assert_eq!(trail.last(), Some(&moved.polygon));
            for pair in trail.windows(2) {
                let mut portals = mesh.portals_of(pair[0]).iter();
                prop_assert!(portals.any(|&portal| mesh.portal(portal).beyond(pair[0]) == pair[1]));
                prop_assert!(probe.is_open(pair[1]));
            }
            if mesh.contains_xz(here.polygon, target) {
                prop_assert_eq!(moved.polygon, here.polygon);
            }
            here = if rng.chance(0.7) { moved } else { open_location(&mut rng, &probe).expect("open ground") };
        }
    }
}

#[test]
fn an_agent_slides_along_a_wall_and_stays_on_its_floor() {
    let world = rectangles(&[
        ([0, 0], [4, 4], 0.0),
        ([4, 0], [8, 4], 0.0),
        ([0, 0], [8, 8], 3.0),
    ]);
    let probe = world.probe();
    let mut scratch = ProbeScratch::new();
    let start = probe
        .nearest_within(vec3(1.0, 0.0, 1.0), 1.0, |_| true)
        .expect("on the mesh");
    // Straight above the target is the upper floor, which the agent cannot get to.
    let moved = probe.slide(start, vec3(6.0, 3.0, 7.0), &mut scratch);
    assert_eq!(moved.point, vec3(6.0, 0.0, 4.0));
    assert_eq!(scratch.trail().len(), 2);
    let corner = probe.slide(moved, vec3(12.0, 0.0, 9.0), &mut scratch);
    assert_eq!(corner.point, vec3(8.0, 0.0, 4.0));
}

#[test]
fn numbers_that_are_not_finite_do_not_move_an_agent() {
    let world = rectangles(&[([0, 0], [4, 4], 0.0)]);
    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let start = probe
        .nearest_within(Vec3::ONE, 2.0, |_| true)
        .expect("on the mesh");
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let mut target = Vec3::ONE;
            target[axis] = bad;
            assert_eq!(probe.slide(start, target, &mut scratch), start);
            assert_eq!(scratch.trail(), [start.polygon]);
        }
    }
    let far = probe.slide(start, Vec3::splat(1e9), &mut scratch);
    assert_eq!(far.point, vec3(4.0, 0.0, 4.0));
}

#[test]
fn an_agent_leaves_ground_that_was_closed_under_its_feet() {
    let vertices = [[0., 0.], [4., 0.], [8., 0.], [0., 4.], [4., 4.], [8., 4.]];
    let mut raw = portolan_core::RawNavMesh {
        vertices: vertices.map(|[x, z]| vec3(x, 0.0, z)).to_vec(),
        areas: vec![0, 1],
        ..Default::default()
    };
    raw.polygons.push([0, 1, 4, 3]);
    raw.polygons.push([1, 2, 5, 4]);
    let world = World::build(raw, &Default::default()).expect("two rooms");
    let mut profile = portolan_core::Profile::default();
    profile.forbid(0);
    let costs = world.costs(&profile);
    let probe = world.probe_with(&costs).expect("costs of this world");
    let closed = world
        .mesh()
        .locate(vec3(3.0, 0.0, 1.0), Vec3::ONE, |_| true);
    let closed = closed.expect("on the mesh");
    assert_eq!(probe.nearest(closed.point, Vec3::splat(0.5)), None);
    let mut scratch = ProbeScratch::new();
    let open = probe.slide(closed, vec3(5.0, 0.0, 1.0), &mut scratch);
    assert_eq!(open.point, vec3(5.0, 0.0, 1.0));
    // The agent cannot go back.
    let back = probe.slide(open, closed.point, &mut scratch);
    assert_eq!(back.point, vec3(4.0, 0.0, 1.0));
    assert!(probe.is_open(back.polygon));
}
