//! What is reachable from where.

use std::collections::BTreeSet;

use glam::{Vec3, vec3};
use portolan_core::{
    Location, NavMeshOptions, PolygonId, Probe, Profile, RawLink, RawNavMesh, Reachable, World,
};
use portolan_oracle::{CaseRng, agents, plans_and_tiles};
use proptest::prelude::*;

use super::nearest::slow_nearest;

/// Returns the polygons that are reachable from one, by repeated scans over all portals and links.
fn slow_reachable(probe: &Probe<'_>, from: PolygonId) -> BTreeSet<PolygonId> {
    let (mesh, prices) = (probe.mesh(), probe.costs().prices());
    let mut reached = BTreeSet::new();
    if probe.is_open(from) {
        reached.insert(from);
    }
    loop {
        let before = reached.len();
        let mut pairs: Vec<[PolygonId; 2]> = Vec::new();
        for portal in mesh.portals() {
            let [a, b] = portal.polygons;
            pairs.extend([[a, b], [b, a]]);
        }
        for link in mesh
            .links()
            .iter()
            .filter(|link| prices.link_cost(mesh, link).is_some())
        {
            let [a, b] = link.polygons;
            pairs.push([a, b]);
            pairs.extend(link.both_ways.then_some([b, a]));
        }
        for [from, to] in pairs {
            if reached.contains(&from) && probe.is_open(to) {
                reached.insert(to);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

fn check(probe: &Probe<'_>, rng: &mut CaseRng) {
    let mesh = probe.mesh();
    let at = |polygon: PolygonId| Location {
        polygon,
        point: mesh.centre(polygon),
    };
    for _ in 0..6 {
        let from = rng.polygon(mesh);
        let reached = slow_reachable(probe, from);
        for to in mesh.polygons() {
            let expected = reached.contains(&to);
            assert_eq!(
                probe.is_reachable(at(from), at(to)),
                expected,
                "{from} to {to}"
            );
        }
        let Reachable { polygons, area } = probe.reachable(at(from));
        assert_eq!(polygons as usize, reached.len());
        let expected: f64 = reached
            .iter()
            .map(|&polygon| mesh.polygon_area(polygon))
            .sum();
        assert!((area - expected).abs() <= 1e-9 * expected.max(1.0));
        let position = rng.point_near(mesh);
        let radius = [0.5, 4.0, f32::INFINITY][rng.below(3)];
        let nearest = probe.nearest_reachable(at(from), position, radius);
        let expected = slow_nearest(probe, position, radius, |p| reached.contains(&p));
        assert_eq!(nearest, expected);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(512))]

    #[test]
    fn reachable_ground_equals_a_search(plan in plans_and_tiles(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(seed);
        check(&probe, &mut rng);
        check(&world.probe(), &mut rng);
    }

    #[test]
    fn many_islands_with_many_links(islands in 1usize..40, links in 0usize..80, seed: u64) {
        let world = World::build(squares(islands, links, seed), &NavMeshOptions::default());
        let world = world.expect("squares");
        let costs = world.costs(&Profile::default());
        check(&world.probe_with(&costs).expect("costs of this world"), &mut CaseRng::new(seed));
    }
}

/// Builds squares that do not touch, with random links, most of which lead in one direction.
fn squares(count: usize, links: usize, seed: u64) -> RawNavMesh {
    let mut raw = RawNavMesh::default();
    let centre = |i: usize| vec3(i as f32 * 4.0 + 1.0, 0.0, 1.0);
    for i in 0..count {
        let corners = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)];
        let first = raw.vertices.len() as u32;
        raw.vertices
            .extend(corners.map(|(x, z)| centre(i) + vec3(x, 0.0, z)));
        raw.polygons.push(first..first + 4);
    }
    let mut rng = CaseRng::new(seed);
    for _ in 0..links {
        raw.links.push(RawLink {
            start: centre(rng.below(count)),
            end: centre(rng.below(count)),
            both_ways: rng.chance(0.2),
            ..RawLink::default()
        });
    }
    raw
}

#[test]
fn more_groups_than_there_are_sets_for_are_searched() {
    const COUNT: usize = 4200;
    let mut raw = squares(COUNT, 0, 0);
    let centre = |i: usize| vec3(i as f32 * 4.0 + 1.0, 0.0, 1.0);
    // A chain of links from each square to the next.
    raw.links.extend((1..COUNT).map(|i| RawLink {
        start: centre(i - 1),
        end: centre(i),
        both_ways: false,
        ..RawLink::default()
    }));
    let world = World::build(raw, &NavMeshOptions::default()).expect("squares");
    let probe = world.probe();
    let at = |i: usize| probe.nearest(centre(i), Vec3::ONE).expect("a square");
    assert!(probe.is_reachable(at(0), at(COUNT - 1)) && probe.is_reachable(at(7), at(7)));
    assert!(!probe.is_reachable(at(COUNT - 1), at(0)) && !probe.is_reachable(at(100), at(99)));
    assert_eq!(probe.reachable(at(COUNT - 10)).polygons, 10);
    assert_eq!(probe.reachable(at(0)).area, 4.0 * COUNT as f64);
}
