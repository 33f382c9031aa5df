//! Rings against walks along the borders of polygons.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

use std::f64::consts::TAU;

use glam::vec3;
use oorandom::Rand32;
use proptest::prelude::*;

use super::*;
use crate::navmesh::NavMeshOptions;
use crate::{NavMesh, RawNavMesh};
use portolan_scenes::{WorldOptions, WorldScene};

/// Squares of 1 m where there are dots.
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

/// Lengths of the rings and the corners of their holes, the one with most corners first.
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
fn around_a_vertex_inside() {
    let rings = Rings::new(&squares(&["..", ".."]));
    assert_eq!(outlines(&rings), [(4, vec![[1., 1.]]), (4, vec![])]);
}

#[test]
fn around_a_square_hole() {
    let rings = Rings::new(&squares(&["...", ".#.", "..."]));
    let corners = vec![[1., 1.], [1., 2.], [2., 1.], [2., 2.]];
    assert_eq!(outlines(&rings), [(8, corners), (8, vec![])]);
}

#[test]
fn where_nothing_goes_around() {
    let rings = Rings::new(&squares(&["..."]));
    // There and back, over two portals each way.
    assert_eq!(outlines(&rings).len(), 1);
    assert_eq!(rings.len(0), 4);
    assert!(outlines(&Rings::new(&squares(&["."]))).is_empty());
}

#[test]
fn straight_lines_pass_a_hole_on_one_side() {
    let rings = Rings::new(&squares(&["...", ".#.", "..."]));
    let hole = |ring: &u32| !rings.extremes.get(*ring as usize).is_empty();
    let hole = (0..2).find(hole).expect("a hole");
    let along = |z: f32| [vec3(0., 0., z), vec3(3., 0., z)];
    for (z, on_right, on_left) in [(0.5, false, true), (1.5, false, false), (2.0, true, false)] {
        assert_eq!(rings.is_beside(hole, along(z), true), on_right, "{z}");
        assert_eq!(rings.is_beside(hole, along(z), false), on_left, "{z}");
    }
    // Over one of the two corners that are in the way, and so no farther than over both.
    let least = rings.least_past(hole, along(1.5), true);
    let over_one = (1f64 + 0.25).sqrt() + (4f64 + 0.25).sqrt();
    assert!((least - over_one).abs() < 1e-9, "{least}");
    assert_eq!(rings.least_past(hole, along(0.5), false), 3.0);
    assert_eq!(rings.least_past(1 - hole, along(0.5), true), f64::INFINITY);
}

fn mesh_of(scene: WorldScene, polygons: usize, seed: u64) -> NavMesh {
    let options = WorldOptions {
        polygons,
        seed,
        ..WorldOptions::default()
    };
    crate::test_scenes::mesh_of(scene, &options)
}

/// Of the portals out of the polygon that this one leads into, the next clockwise as seen from its middle.
fn next_by_angle(mesh: &NavMesh, way: Directed) -> Directed {
    let polygon = way.to(mesh);
    let corners = mesh.corner_points(polygon);
    let middle = corners.clone().sum::<Vec3>() / corners.count() as f32;
    let angle = |portal: PortalId| {
        let aside = (mesh.portal(portal).middle() - middle).as_dvec3();
        aside.z.atan2(aside.x)
    };
    let portals = (0..mesh.portals().len()).map(PortalId::new);
    let leaving = portals
        .flat_map(Directed::both)
        .filter(|other| other.from(mesh) == polygon);
    let from = angle(way.portal());
    let clockwise = |other: &Directed| match (from - angle(other.portal())).rem_euclid(TAU) {
        0.0 => TAU,
        turn => turn,
    };
    let next = leaving.min_by(|a, b| clockwise(a).total_cmp(&clockwise(b)));
    next.expect("at least the way back")
}

/// A random way that does not lead straight back.
fn stroll(mesh: &NavMesh, random: &mut Rand32) -> Vec<Directed> {
    let mut pick = |count: usize| random.rand_range(0..count as u32) as usize;
    let mut way = vec![Directed::from_index(pick(2 * mesh.portals().len()))];
    for _ in 0..20 {
        let last = way[way.len() - 1];
        let portals = (0..mesh.portals().len()).map(PortalId::new);
        let onwards = portals
            .flat_map(Directed::both)
            .filter(|next| next.from(mesh) == last.to(mesh) && *next != last.back());
        let onwards: Vec<Directed> = onwards.collect();
        if onwards.is_empty() {
            break;
        }
        way.push(onwards[pick(onwards.len())]);
    }
    way
}

fn assert_connected(mesh: &NavMesh, way: &[Directed], [from, to]: [PolygonId; 2]) {
    let mut here = from;
    for crossing in way {
        assert_eq!(crossing.from(mesh), here);
        here = crossing.to(mesh);
    }
    assert_eq!(here, to);
}

/// Whether a ring leads through a portal both ways. What it does there may cancel.
fn has_dead_end(rings: &Rings, ring: u32) -> bool {
    let mut portals: Vec<u32> = rings
        .rings
        .get(ring as usize)
        .iter()
        .map(|way| way >> 1)
        .collect();
    portals.sort_unstable();
    portals.windows(2).any(|pair| pair[0] == pair[1])
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn rings_go_from_portal_to_portal(
        scene in prop::sample::select(&WorldScene::ALL[..]), polygons in 10usize..80, seed: u64,
    ) {
        let mesh = mesh_of(scene, polygons, seed);
        let rings = Rings::new(&mesh);
        let mut all: Vec<u32> = rings.rings.values().to_vec();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..2 * mesh.portals().len() as u32));
        for way in (0..mesh.portals().len()).map(PortalId::new).flat_map(Directed::both) {
            let next = next_by_angle(&mesh, way);
            prop_assert!(rings.is_next(way, next));
            let beside = rings.left_of(way);
            let mut after = rings.after(beside);
            prop_assert_eq!(after.next(), Some(next));
            prop_assert_eq!(rings.after(beside).last(), Some(way));
            prop_assert_eq!(rings.after(beside).count(), rings.len(beside.ring));
            // No other comes next.
            let others = rings.after(beside).skip(1);
            prop_assert!(others.into_iter().all(|other| !rings.is_next(way, other)));
        }
    }

    #[test]
    fn flipped_ways_lead_there_and_flipped_again_are_as_before(
        scene in prop::sample::select(&WorldScene::ALL[..]), polygons in 10usize..80, seed: u64,
    ) {
        let mesh = mesh_of(scene, polygons, seed);
        prop_assume!(!mesh.portals().is_empty());
        let rings = Rings::new(&mesh);
        let mut random = Rand32::new(seed);
        let (mut flipped, mut again) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let way = stroll(&mesh, &mut random);
            let ends = [way[0].from(&mesh), way[way.len() - 1].to(&mesh)];
            for (at, is_left) in (0..way.len()).flat_map(|at| [(at, true), (at, false)]) {
                prop_assert!(rings.flip(&way, at, is_left, usize::MAX, &mut flipped));
                assert_connected(&mesh, &flipped, ends);
                let is_back = |pair: &[Directed]| pair[0] == pair[1].back();
                prop_assert!(!flipped.windows(2).any(is_back));
                let run = rings.run(at, is_left, way.len(), |i| way[i]);
                let beside = if is_left { way[at] } else { way[at].back() };
                let ring = rings.left_of(beside).ring;
                let around = rings.len(ring);
                if has_dead_end(&rings, ring) {
                    continue;
                }
                if run.len() >= around {
                    // Once less around.
                    prop_assert!(flipped.len() <= way.len() - around);
                    continue;
                }
                prop_assert_eq!(flipped.len(), way.len() + around - 2 * run.len());
                prop_assert!(!rings.flip(&way, at, is_left, around - run.len() - 1, &mut again));
                prop_assert!(rings.flip(&flipped, run.start, !is_left, usize::MAX, &mut again));
                prop_assert_eq!(&again, &way);
            }
        }
    }
}
