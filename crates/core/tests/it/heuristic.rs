//! The heuristic is admissible and consistent, and the arcs of the portal graph are those of the oracle.

use glam::vec3;
use portolan_core::graph::{Origin, SampleSide};
use portolan_core::{
    GraphOptions, LinkId, NavMesh, NavMeshOptions, PortalGraph, PortalId, Profile, RawLink,
    RawNavMesh, SampleId, Samples, World,
};
use portolan_oracle::{CaseRng, Oracle, agents, close, densities, plans};
use proptest::prelude::*;

fn graph_of(mesh: &NavMesh, samples: Samples) -> PortalGraph {
    let options = GraphOptions {
        samples,
        ..GraphOptions::default()
    };
    PortalGraph::new(mesh, &options)
}

fn samples_of(graph: &PortalGraph) -> impl Iterator<Item = SampleId> {
    (0..graph.sample_count()).map(SampleId::new)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]

    #[test]
    fn the_heuristic_never_exceeds_the_remaining_cost(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        let mesh = plan.mesh();
        let world = World::from_mesh(mesh.clone());
        let profile = agent.profile();
        let scale = f64::from(world.costs(&profile).prices().heuristic_scale());
        let graph = graph_of(&mesh, samples);
        let oracle = Oracle::new(&mesh, &profile, samples);
        let mut rng = CaseRng::new(seed);
        for _ in 0..3 {
            let Some(goal) = mesh.locate(rng.point_on(&mesh), portolan_core::DEFAULT_SNAP, |_| true) else {
                panic!("a point of the mesh cannot be located");
            };
            let remaining = oracle.costs_to(goal);
            for (vertex, &cost) in samples_of(&graph).zip(&remaining) {
                let bound = scale * f64::from(graph.position(vertex).distance(goal.point));
                prop_assert!(bound <= cost + 1e-5 * bound.max(1.0), "{vertex:?}: the bound {bound} exceeds {cost}");
            }
        }
    }

    #[test]
    fn the_heuristic_is_consistent_along_every_arc(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        let mesh = plan.mesh();
        let costs = World::from_mesh(mesh.clone()).costs(&agent.profile());
        let scale = f64::from(costs.prices().heuristic_scale());
        let graph = graph_of(&mesh, samples);
        let goal = CaseRng::new(seed).point_on(&mesh);
        let bound = |vertex| scale * f64::from(graph.position(vertex).distance(goal));
        for from in samples_of(&graph) {
            graph.for_each_arc(&mesh, costs.prices(), from, |to, arc, _| {
                let excess = bound(from) - (f64::from(arc) + bound(to));
                assert!(excess <= 1e-5 * bound(from).max(1.0), "{from:?} to {to:?}: too high by {excess}");
            });
        }
    }

    #[test]
    fn the_heuristic_scale_is_nearly_the_lowest_cost_per_metre(plan in plans(), agent in agents()) {
        let mesh = plan.mesh();
        let profile = agent.profile();
        let costs = World::from_mesh(mesh.clone()).costs(&profile);
        let on_areas = mesh.areas().iter().filter_map(|&area| profile.factor(area));
        let on_links = mesh.links().iter().filter(|link| link.length() > 0.0);
        let on_links = on_links.filter_map(|link| Some(costs.prices().link_cost(&mesh, link)? / link.length()));
        let lowest = on_areas.chain(on_links).fold(f32::INFINITY, f32::min);
        let lowest = if lowest.is_finite() { lowest } else { 0.0 };
        prop_assert!(costs.prices().heuristic_scale() <= lowest);
        prop_assert!(costs.prices().heuristic_scale() >= lowest * 0.9999);
    }

    #[test]
    fn the_arcs_are_those_of_the_oracle(plan in plans(), agent in agents(), samples in densities()) {
        let mesh = plan.mesh();
        let profile = agent.profile();
        let costs = World::from_mesh(mesh.clone()).costs(&profile);
        let graph = graph_of(&mesh, samples);
        let oracle = Oracle::new(&mesh, &profile, samples);
        prop_assert_eq!(graph.sample_count(), oracle.points.len());
        for (vertex, point) in samples_of(&graph).zip(&oracle.points) {
            prop_assert!(graph.position(vertex).as_dvec3().distance(*point) < 1e-4);
        }
        let mut arcs = Vec::new();
        for from in samples_of(&graph) {
            graph.for_each_arc(&mesh, costs.prices(), from, |to, cost, through| {
                if let SampleSide::Polygon(polygon) = through {
                    assert!(graph.samples_of(polygon).any(|sample| sample == from));
                    assert!(graph.samples_of(polygon).any(|sample| sample == to));
                }
                arcs.push((from.index(), to.index(), f64::from(cost)));
            });
        }
        let by_ends_and_cost = |a: &(usize, usize, f64), b: &(usize, usize, f64)| {
            (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2))
        };
        let mut expected = oracle.arcs;
        arcs.sort_by(by_ends_and_cost);
        expected.sort_by(by_ends_and_cost);
        prop_assert_eq!(arcs.len(), expected.len());
        for (arc, expected) in arcs.iter().zip(&expected) {
            prop_assert_eq!((arc.0, arc.1), (expected.0, expected.1));
            prop_assert!(close(arc.2, expected.2), "{:?} instead of {:?}", arc, expected);
        }
    }
}

/// Builds two adjacent squares with a link from one to the other.
fn pair(cost: f32) -> NavMesh {
    let corners = [(0., 0.), (4., 0.), (8., 0.), (8., 4.), (4., 4.), (0., 4.)];
    let mut raw = RawNavMesh {
        vertices: corners.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 4, 5]);
    raw.polygons.push([1, 2, 3, 4]);
    raw.links.push(RawLink {
        start: vec3(1., 0., 2.),
        end: vec3(7., 0., 2.),
        cost: Some(cost),
        ..RawLink::default()
    });
    NavMesh::build(raw, &NavMeshOptions::default()).expect("two squares")
}

#[test]
fn a_link_that_costs_less_than_its_length_lowers_the_scale() {
    let scale = |cost, change: fn(&mut Profile)| {
        let mut profile = Profile::default();
        change(&mut profile);
        World::from_mesh(pair(cost))
            .costs(&profile)
            .prices()
            .heuristic_scale()
    };
    assert!((scale(1.5, |_| ()) - 0.25).abs() < 1e-4);
    assert!((scale(60.0, |_| ()) - 1.0).abs() < 1e-4);
    assert!((scale(1.5, |profile| profile.links = false) - 1.0).abs() < 1e-4);
    assert!((scale(1.5, |profile| profile.include_flags = 2) - 1.0).abs() < 1e-4);
    assert_eq!(scale(0.0, |_| ()), 0.0);
    assert_eq!(scale(1.5, |profile| profile.forbid(0)), 0.0);
}

#[test]
fn samples_know_their_portal_or_link() {
    let mesh = pair(1.0);
    let graph = graph_of(&mesh, Samples::Each(3));
    assert_eq!(graph.sample_count(), 5);
    assert_eq!(graph.origin(SampleId(2)), Origin::Portal(PortalId(0)));
    assert_eq!(graph.origin(SampleId(3)), Origin::LinkEnd(LinkId(0), 0));
    assert_eq!(graph.origin(SampleId(4)), Origin::LinkEnd(LinkId(0), 1));
    assert_eq!(graph.link_end(LinkId(0), 1), SampleId(4));
    assert_eq!(graph.side(SampleId(4), 1), SampleSide::Link(LinkId(0), 1));
    assert_eq!(
        graph.side(SampleId(4), 0),
        SampleSide::Polygon(mesh.link(LinkId(0)).polygons[1])
    );
    let positions: Vec<f32> = (0..3).map(|i| graph.position(SampleId(i)).z).collect();
    let expected = [2.0 / 3.0, 2.0, 10.0 / 3.0];
    assert!(
        positions
            .iter()
            .zip(expected)
            .all(|(z, expected)| (z - expected).abs() < 1e-5),
        "{positions:?}"
    );
}

#[test]
#[should_panic(expected = "out of its limits")]
fn zero_samples_per_portal_are_rejected() {
    graph_of(&pair(1.0), Samples::Each(0));
}

#[test]
fn long_portals_have_more_samples() {
    // Four portals of 1 m and one of 2.5 m.
    let mut raw = RawNavMesh::default();
    for (x, width) in [(0., 1.), (1., 1.), (2., 1.), (3., 1.), (4., 2.5), (5., 2.5)] {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (1., 0.), (1., width), (0., width)];
        raw.vertices
            .extend(corners.map(|(dx, z)| vec3(x + dx, 0., z)));
        raw.polygons.push(first..first + 4);
    }
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid row");
    let graph = graph_of(&mesh, Samples::ByLength { percentile: 75 });
    let counts: Vec<usize> = (0..5)
        .map(|p| graph.samples_of_portal(PortalId(p)).len())
        .collect();
    assert_eq!(counts, [1, 1, 1, 1, 3]);
    let long = graph.samples_of_portal(PortalId(4));
    let mut fractions: Vec<f32> = long
        .clone()
        .map(|s| graph.position(SampleId(s)).z / 2.5)
        .collect();
    fractions.sort_by(f32::total_cmp);
    let margin = 0.4 / 3.0;
    for (fraction, expected) in fractions.into_iter().zip([margin, 0.5, 1.0 - margin]) {
        assert!((fraction - expected).abs() < 1e-6);
    }
    assert!(
        long.into_iter()
            .all(|s| graph.origin(SampleId(s)) == Origin::Portal(PortalId(4)))
    );
}
