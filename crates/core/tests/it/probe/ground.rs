//! Neighbours, polygons by user id, totals.

use portolan_core::{NavMeshOptions, World};
use portolan_oracle::{agents, plans_and_tiles};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use super::rounding;

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn totals_and_neighbours_equal_a_scan(plan in plans_and_tiles(), agent in agents()) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mesh = world.mesh();
        let totals = probe.totals();
        let open: Vec<_> = mesh.polygons().filter(|&p| probe.is_open(p)).collect();
        prop_assert_eq!(totals.polygons as usize, open.len());
        let area: f64 = open.iter().map(|&polygon| mesh.polygon_area(polygon)).sum();
        prop_assert!((totals.area - area).abs() <= 1e-9 * area.max(1.0));
        let is_open = |portal: &&portolan_core::Portal| portal.polygons.iter().all(|&p| probe.is_open(p));
        let portals: Vec<_> = mesh.portals().iter().filter(is_open).collect();
        prop_assert_eq!(totals.portals as usize, portals.len());
        // What is not a portal is a wall. Portals that overlap by rounding, or gaps between them, may differ.
        let length = |a, b| portolan_core::geometry::distance_xz(a, b);
        let borders = open.iter().flat_map(|&polygon| mesh.borders(polygon));
        let borders: f64 = borders.map(|[a, b]| length(a, b)).sum();
        let doors: f64 = portals.iter().map(|portal| 2.0 * length(portal.right, portal.left)).sum();
        let slack = 8.0 * rounding(mesh) * (portals.len() + open.len() + 1) as f64;
        prop_assert!((totals.wall_length - (borders - doors)).abs() <= slack, "{} {}", totals.wall_length, borders - doors);
        for polygon in mesh.polygons() {
            let neighbours: Vec<_> = probe.neighbours(polygon).collect();
            let expected: Vec<_> = (0..)
                .map(portolan_core::PortalId)
                .zip(mesh.portals())
                .filter(|(_, portal)| portal.polygons.contains(&polygon))
                .filter(|(_, portal)| probe.is_open(portal.beyond(polygon)))
                .map(|(id, portal)| (portal.beyond(polygon), id))
                .collect();
            let found: Vec<_> = neighbours.iter().map(|next| (next.polygon, next.portal)).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(probe.height(polygon, mesh.centre(polygon)), mesh.height_at(polygon, mesh.centre(polygon)));
        }
    }
}

#[test]
fn polygons_are_found_by_user_id() {
    let mut raw = WorldScene::Rooms.build(&WorldOptions::default());
    let count = raw.polygons.len() as u64;
    // Two polygons have each id.
    raw.ids = (0..count).map(|i| (i / 2) * 1_000_000_007).collect();
    let world = World::build(raw, &NavMeshOptions::default()).expect("rooms");
    for i in 0..count.div_ceil(2) {
        for id in [i * 1_000_000_007, i * 1_000_000_007 + 1] {
            assert_eq!(world.probe().polygon_of(id), world.mesh().polygon_of(id));
        }
    }
    assert_eq!(world.probe().polygon_of(u64::MAX), None);
}
