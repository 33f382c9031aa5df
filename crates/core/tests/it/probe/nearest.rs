//! The nearest point.

use glam::Vec3;
use portolan_core::{DEFAULT_SNAP, Location, PolygonId, Probe, World};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

/// Finds the nearest point by the documented rule.
pub(super) fn slow_nearest(
    probe: &Probe<'_>,
    position: Vec3,
    radius: f32,
    filter: impl Fn(PolygonId) -> bool,
) -> Option<Location> {
    let mesh = probe.mesh();
    let open = mesh.polygons().filter(|&p| probe.is_open(p) && filter(p));
    let candidates = open.map(|polygon| Location {
        polygon,
        point: mesh.nearest_on(polygon, position),
    });
    let distance = |l: &Location| l.point.as_dvec3().distance(position.as_dvec3());
    candidates
        .filter(|candidate| distance(candidate) <= f64::from(radius))
        .min_by(|a, b| {
            let [one, two] = [a, b].map(|l| l.point.distance_squared(position));
            one.total_cmp(&two).then(a.polygon.cmp(&b.polygon))
        })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn nearest_points_equal_a_scan(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(seed);
        for _ in 0..20 {
            let position = rng.point_near(world.mesh());
            let radius = [0.0, 0.3, 2.0, 10.0, f32::INFINITY][rng.below(5)];
            let bits = rng.below(3) as u32;
            let filter = |polygon: PolygonId| bits == 0 || polygon.0 % 3 != bits;
            let found = probe.nearest_within(position, radius, filter);
            prop_assert_eq!(found, slow_nearest(&probe, position, radius, filter));
            let found = probe.nearest(position, DEFAULT_SNAP);
            let located = world.mesh().locate(position, DEFAULT_SNAP, |p| probe.is_open(p));
            prop_assert_eq!(found, located);
        }
    }
}

#[test]
fn numbers_that_are_not_finite_have_no_nearest_point() {
    let world = super::rectangles(&[([0, 0], [4, 4], 0.0)]);
    let probe = world.probe();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let position = Vec3::new(1.0, bad, 1.0);
        assert_eq!(probe.nearest(position, DEFAULT_SNAP), None);
        assert_eq!(
            probe.nearest_within(position, f32::INFINITY, |_| true),
            None
        );
    }
    assert_eq!(probe.nearest_within(Vec3::ONE, f32::NAN, |_| true), None);
    assert_eq!(probe.nearest_within(Vec3::ONE, -1.0, |_| true), None);
    assert!(
        probe
            .nearest_within(Vec3::ONE, f32::INFINITY, |_| true)
            .is_some()
    );
}
