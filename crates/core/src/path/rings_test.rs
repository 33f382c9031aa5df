//! Tests rings against walks along the borders of polygons.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

use std::f64::consts::TAU;

use glam::vec3;
use oorandom::Rand32;
use proptest::prelude::*;

use super::*;
use crate::ids::{PolygonId, PortalId};
use crate::navmesh::NavMeshOptions;
use crate::{NavMesh, RawNavMesh};
use portolan_scenes::{WorldOptions, WorldScene};

/// Builds a mesh with a square of 1 m for each dot.
fn squares(rows: &[&str]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for (row, z) in rows.iter().zip(0u8..) {
        for (_, x) in row.bytes().zip(0u8..).filter(|(cell, _)| *cell == b'.') {
            let first = raw.vertices.len() as u32;
            let corners = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)];
            let at = vec3(x.into(), 0., z.into());
            raw.vertices
                .extend(corners.map(|(x, z)| at + vec3(x, 0., z)));
            raw.polygons.push(first..first + 4);
        }
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("squares")
}

/// Returns the length of each ring and the extreme corners of its hole, the hole with the most corners
/// first.
fn outlines(rings: &Rings) -> Vec<(usize, Vec<[f32; 2]>)> {
    let outlines = rings.rings.iter().zip(rings.extremes.iter());
    let mut outlines: Vec<_> = outlines
        .map(|(ring, extremes)| {
            let mut corners: Vec<[f32; 2]> =
                extremes.iter().map(|point| point.to_array()).collect();
            corners.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            (ring.len(), corners)
        })
        .collect();
    outlines.sort_by_key(|(_, corners)| std::cmp::Reverse(corners.len()));
    outlines
}

#[test]
fn an_inner_vertex_has_a_ring() {
    let rings = Rings::new(&squares(&["..", ".."]));
    assert_eq!(outlines(&rings), [(4, vec![[1., 1.]]), (4, vec![])]);
}

#[test]
fn a_square_hole_has_a_ring() {
    let rings = Rings::new(&squares(&["...", ".#.", "..."]));
    let corners = vec![[1., 1.], [1., 2.], [2., 1.], [2., 2.]];
    assert_eq!(outlines(&rings), [(8, corners), (8, vec![])]);
}

#[test]
fn a_row_of_squares_has_only_the_outer_ring() {
    let rings = Rings::new(&squares(&["..."]));
    // The ring crosses both portals once in each direction.
    assert_eq!(outlines(&rings).len(), 1);
    assert_eq!(rings.len(0), 4);
    assert!(outlines(&Rings::new(&squares(&["."]))).is_empty());
}

#[test]
fn a_straight_line_has_the_hole_on_one_side_only() {
    let rings = Rings::new(&squares(&["...", ".#.", "..."]));
    let hole = |ring: &u32| !rings.extremes.get(*ring as usize).is_empty();
    let hole = (0..2).find(hole).expect("a hole");
    let along = |z: f32| [vec3(0., 0., z), vec3(3., 0., z)];
    for (z, on_right, on_left) in [(0.5, false, true), (1.5, false, false), (2.0, true, false)] {
        assert_eq!(rings.is_hole_beside(hole, along(z), true), on_right, "{z}");
        assert_eq!(rings.is_hole_beside(hole, along(z), false), on_left, "{z}");
    }
    // The bound uses one of the two blocking corners, so it is at most the length over both.
    let min_length = rings.min_length_past(hole, along(1.5), true);
    let over_one = (1f64 + 0.25).sqrt() + (4f64 + 0.25).sqrt();
    assert!((min_length - over_one).abs() < 1e-9, "{min_length}");
    assert_eq!(rings.min_length_past(hole, along(0.5), false), 3.0);
    assert_eq!(
        rings.min_length_past(1 - hole, along(0.5), true),
        f64::INFINITY
    );
}

fn mesh_of(scene: WorldScene, polygons: usize, seed: u64) -> NavMesh {
    let options = WorldOptions {
        polygons,
        seed,
        ..WorldOptions::default()
    };
    crate::test_scenes::mesh_of(scene, &options)
}

/// Finds the next portal of a ring by angle: among the portals that leave the polygon that this one enters,
/// the next one clockwise around the polygon's centre.
fn next_by_angle(mesh: &NavMesh, directed: DirectedPortal) -> DirectedPortal {
    let polygon = directed.to(mesh);
    let corners = mesh.corner_points(polygon);
    let centre = corners.clone().sum::<Vec3>() / corners.count() as f32;
    let angle = |portal: PortalId| {
        let offset = (mesh.portal(portal).midpoint() - centre).as_dvec3();
        offset.z.atan2(offset.x)
    };
    let portals = (0..mesh.portals().len()).map(PortalId::new);
    let leaving = portals
        .flat_map(DirectedPortal::both)
        .filter(|other| other.from(mesh) == polygon);
    let from = angle(directed.portal());
    let clockwise = |other: &DirectedPortal| match (from - angle(other.portal())).rem_euclid(TAU) {
        0.0 => TAU,
        turn => turn,
    };
    let next = leaving.min_by(|a, b| clockwise(a).total_cmp(&clockwise(b)));
    next.expect("at least the opposite direction")
}

/// Returns a random path that never returns through the portal that it has just crossed.
fn random_path(mesh: &NavMesh, rng: &mut Rand32) -> Vec<DirectedPortal> {
    let mut pick = |count: usize| rng.rand_range(0..count as u32) as usize;
    let mut path = vec![DirectedPortal::from_index(pick(2 * mesh.portals().len()))];
    for _ in 0..20 {
        let last = path[path.len() - 1];
        let portals = (0..mesh.portals().len()).map(PortalId::new);
        let onwards = portals
            .flat_map(DirectedPortal::both)
            .filter(|next| next.from(mesh) == last.to(mesh) && *next != last.back());
        let onwards: Vec<DirectedPortal> = onwards.collect();
        if onwards.is_empty() {
            break;
        }
        path.push(onwards[pick(onwards.len())]);
    }
    path
}

fn assert_connected(mesh: &NavMesh, path: &[DirectedPortal], [from, to]: [PolygonId; 2]) {
    let mut here = from;
    for crossing in path {
        assert_eq!(crossing.from(mesh), here);
        here = crossing.to(mesh);
    }
    assert_eq!(here, to);
}

/// Returns whether a ring crosses a portal in both directions. The two crossings may cancel in a flip.
fn has_dead_end(rings: &Rings, ring: u32) -> bool {
    let mut portals: Vec<u32> = rings
        .rings
        .get(ring as usize)
        .iter()
        .map(|directed| directed >> 1)
        .collect();
    portals.sort_unstable();
    portals.windows(2).any(|pair| pair[0] == pair[1])
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn rings_visit_every_directed_portal_once_in_angular_order(
        scene in prop::sample::select(&WorldScene::ALL[..]), polygons in 10usize..80, seed: u64,
    ) {
        let mesh = mesh_of(scene, polygons, seed);
        let rings = Rings::new(&mesh);
        let mut all: Vec<u32> = rings.rings.values().to_vec();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..2 * mesh.portals().len() as u32));
        for directed in (0..mesh.portals().len()).map(PortalId::new).flat_map(DirectedPortal::both) {
            let next = next_by_angle(&mesh, directed);
            prop_assert!(rings.is_next(directed, next));
            let beside = rings.left_of(directed);
            let mut after = rings.after(beside);
            prop_assert_eq!(after.next(), Some(next));
            prop_assert_eq!(rings.after(beside).last(), Some(directed));
            prop_assert_eq!(rings.after(beside).count(), rings.len(beside.ring));
            // No other portal of the ring is next.
            let others = rings.after(beside).skip(1);
            prop_assert!(others.into_iter().all(|other| !rings.is_next(directed, other)));
        }
    }

    #[test]
    fn flipping_twice_restores_the_path(
        scene in prop::sample::select(&WorldScene::ALL[..]), polygons in 10usize..80, seed: u64,
    ) {
        let mesh = mesh_of(scene, polygons, seed);
        prop_assume!(!mesh.portals().is_empty());
        let rings = Rings::new(&mesh);
        let mut rng = Rand32::new(seed);
        let (mut flipped, mut again) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let path = random_path(&mesh, &mut rng);
            let ends = [path[0].from(&mesh), path[path.len() - 1].to(&mesh)];
            for (at, is_left) in (0..path.len()).flat_map(|at| [(at, true), (at, false)]) {
                prop_assert!(rings.flip(&path, at, is_left, usize::MAX, &mut flipped));
                assert_connected(&mesh, &flipped, ends);
                let is_back = |pair: &[DirectedPortal]| pair[0] == pair[1].back();
                prop_assert!(!flipped.windows(2).any(is_back));
                let run = rings.run(&path, at, is_left);
                let beside = if is_left { path[at] } else { path[at].back() };
                let ring = rings.left_of(beside).ring;
                let around = rings.len(ring);
                if has_dead_end(&rings, ring) {
                    continue;
                }
                if run.len() >= around {
                    // The path went all around, so one round was removed.
                    prop_assert!(flipped.len() <= path.len() - around);
                    continue;
                }
                prop_assert_eq!(flipped.len(), path.len() + around - 2 * run.len());
                prop_assert!(!rings.flip(&path, at, is_left, around - run.len() - 1, &mut again));
                prop_assert!(rings.flip(&flipped, run.start, !is_left, usize::MAX, &mut again));
                prop_assert_eq!(&again, &path);
            }
        }
    }
}
