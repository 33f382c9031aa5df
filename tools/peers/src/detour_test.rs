//! Tests on small meshes, and on maps with known lengths if their files exist.

use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;

use glam::{Vec3, vec3};
use portolan_core::{DEFAULT_SNAP, NavMesh, NavMeshOptions, RawNavMesh};
use portolan_measure::{ReferenceQuery, read_references};

use super::ffi::MAX_POLYGONS;
use super::pieces::PolygonPieces;
use super::{Detour, Tiles, peers};
use crate::peer::{Peer, PeerAnswer, PeerStatus};

/// Builds a mesh of polygons without common vertices, which are connected by position only.
fn mesh_of(polygons: &[Vec<Vec3>]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for polygon in polygons {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend(polygon);
        raw.polygons.push(first..raw.vertices.len() as u32);
    }
    raw.ids = (0..polygons.len() as u64).map(|id| 1000 + id).collect();
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

fn rectangle(x: [f32; 2], z: [f32; 2]) -> Vec<Vec3> {
    vec![
        vec3(x[0], 0.0, z[0]),
        vec3(x[1], 0.0, z[0]),
        vec3(x[1], 0.0, z[1]),
        vec3(x[0], 0.0, z[1]),
    ]
}

/// Builds a grid of quadrangles of about a metre with common vertices, without those for which `is_wall` is true.
fn grid(side: u32, is_wall: impl Fn(u32, u32) -> bool) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for z in 0..=side {
        for x in 0..=side {
            // Vertices are moved a little, so that no two paths have the same length.
            let mixed = (z * 1031 + x).wrapping_mul(2_654_435_761);
            let off = |shift: u32| (mixed >> shift & 0xff) as f32 / 255.0 * 0.3;
            raw.vertices
                .push(vec3(x as f32 + off(0), off(8), z as f32 + off(16)));
        }
    }
    for z in 0..side {
        for x in 0..side {
            if !is_wall(x, z) {
                let corner = z * (side + 1) + x;
                raw.polygons
                    .push([corner, corner + 1, corner + side + 2, corner + side + 1]);
            }
        }
    }
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

fn detour(mesh: &NavMesh, limit: usize, nodes: usize) -> Detour {
    let tiles = Tiles::of(mesh, limit).unwrap();
    Detour::new("Detour", Rc::new(tiles), nodes, DEFAULT_SNAP).unwrap()
}

fn query(peer: &mut dyn Peer, from: Vec3, to: Vec3) -> PeerAnswer {
    let mut answer = PeerAnswer::default();
    peer.query(from, to, &mut answer);
    answer
}

/// Checks that every portal is a link in both directions, and that there are no other links.
fn assert_same_portals(mesh: &NavMesh, limit: usize) {
    let tiles = Tiles::of(mesh, limit).unwrap();
    let mut links = HashSet::new();
    let mut count = 0;
    for (tile, ids) in tiles.user_ids.iter().enumerate() {
        for (polygon, &id) in ids.iter().enumerate() {
            for (target, _, _) in tiles.mesh.links((tile, polygon)) {
                let ends = (id, tiles.user_id(target));
                // Pieces of the same polygon are linked, too.
                if ends.0 != ends.1 {
                    links.insert(ends);
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 2 * mesh.portals().len());
    for portal in mesh.portals() {
        let [a, b] = portal.polygons.map(|polygon| mesh.user_id(polygon));
        assert!(links.contains(&(a, b)), "{a} to {b}");
        assert!(links.contains(&(b, a)), "{b} to {a}");
    }
    assert_eq!(
        links.len(),
        2 * mesh
            .portals()
            .iter()
            .map(|p| p.polygons)
            .collect::<HashSet<_>>()
            .len()
    );
}

#[test]
fn a_path_leads_through_a_door() {
    let mesh = mesh_of(&[
        rectangle([0.0, 4.0], [0.0, 4.0]),
        rectangle([4.0, 5.0], [1.0, 2.0]),
        rectangle([5.0, 9.0], [0.0, 4.0]),
    ]);
    assert_eq!(mesh.portals().len(), 2);
    assert_same_portals(&mesh, MAX_POLYGONS);
    let (from, to) = (vec3(1.0, 0.0, 3.5), vec3(8.0, 0.0, 3.5));
    for peer in &mut peers(&mesh, DEFAULT_SNAP).unwrap() {
        let answer = query(peer.as_mut(), from, to);
        assert_eq!(answer.status, PeerStatus::Found);
        assert_eq!(answer.polygons, [1000, 1001, 1002]);
        assert_eq!(answer.waypoints.len(), 4, "{:?}", answer.waypoints);
        assert_eq!(answer.waypoints[0], from);
        assert_eq!(answer.waypoints[3], to);
        // The door covers a quarter of a wall. Detour stores it with a resolution of 1/255 of the wall.
        let corners = [vec3(4.0, 0.0, 2.0), vec3(5.0, 0.0, 2.0)];
        for (waypoint, corner) in answer.waypoints[1..3].iter().zip(corners) {
            assert!(waypoint.distance(corner) <= 4.0 / 500.0, "{waypoint}");
        }
        assert!(peer.bytes().unwrap() > 0 && peer.build_ms() > 0.0);
    }
}

#[test]
fn points_off_the_mesh_and_other_islands_have_a_status() {
    let mesh = mesh_of(&[
        rectangle([0.0, 4.0], [0.0, 4.0]),
        rectangle([10.0, 14.0], [0.0, 4.0]),
    ]);
    // With one tile per island, each tile is also searched for points that are far away.
    for limit in [2, 1] {
        let mut peer = detour(&mesh, limit, 64);
        let here = vec3(1.0, 0.0, 1.0);
        let status = |peer: &mut Detour, to| query(peer, here, to).status;
        assert_eq!(status(&mut peer, vec3(4.4, 1.5, 1.0)), PeerStatus::Found);
        assert_eq!(status(&mut peer, vec3(11.0, 0.0, 1.0)), PeerStatus::Partial);
        assert_eq!(status(&mut peer, vec3(4.6, 0.0, 1.0)), PeerStatus::OffMesh);
        assert_eq!(status(&mut peer, vec3(7.0, 0.0, 1.0)), PeerStatus::OffMesh);
        assert_eq!(status(&mut peer, vec3(1.0, 2.5, 1.0)), PeerStatus::OffMesh);
        assert_eq!(status(&mut peer, Vec3::NAN), PeerStatus::OffMesh);
        assert_eq!(
            status(&mut peer, vec3(-90.0, 0.0, 1.0)),
            PeerStatus::OffMesh
        );
        let towards = query(&mut peer, here, vec3(11.0, 0.0, 1.0));
        assert_eq!(towards.polygons, [1000]);
        assert_eq!(*towards.waypoints.last().unwrap(), vec3(4.0, 0.0, 1.0));
    }
}

#[test]
fn paths_do_not_depend_on_chunks() {
    let mesh = grid(12, |x, z| x % 3 == 1 && z % 4 != x / 3);
    let mut single_tile = detour(&mesh, MAX_POLYGONS, 65_535);
    assert_eq!(single_tile.tiles.user_ids.len(), 1);
    let third = mesh.polygon_count().div_ceil(3);
    for (limit, tiles) in [(third, 3), (5, mesh.polygon_count().div_ceil(5))] {
        assert_same_portals(&mesh, limit);
        let mut chunked = detour(&mesh, limit, 65_535);
        assert_eq!(chunked.tiles.user_ids.len(), tiles);
        for from in mesh.polygons() {
            for to in mesh.polygons() {
                let (from, to) = (mesh.centre(from), mesh.centre(to));
                let (one, other) = (
                    query(&mut single_tile, from, to),
                    query(&mut chunked, from, to),
                );
                assert_eq!(one.status, PeerStatus::Found);
                assert_eq!(other.status, PeerStatus::Found);
                let difference = one.length_xz() - other.length_xz();
                assert!(difference.abs() < 1e-4, "{one:?}\n{other:?}");
            }
        }
    }
}

#[test]
fn large_meshes_are_split_into_several_tiles() {
    let mesh = grid(200, |x, z| x % 10 == 5 && z % 10 != 0);
    assert!(mesh.polygon_count() > MAX_POLYGONS);
    assert_same_portals(&mesh, MAX_POLYGONS);
    let mut peer = detour(&mesh, MAX_POLYGONS, 65_535);
    assert_eq!(peer.tiles.user_ids.len(), 2);
    let (from, to) = (vec3(1.0, 0.2, 199.0), vec3(199.0, 0.2, 1.0));
    let answer = query(&mut peer, from, to);
    assert_eq!(answer.status, PeerStatus::Found);
    assert!(answer.length_xz() < 1.3 * f64::from(from.distance(to)));
}

#[test]
fn too_many_chunks_are_rejected() {
    let mesh = grid(12, |_, _| false);
    let error = Tiles::of(&mesh, 4).unwrap_err();
    assert_eq!(error, "144 polygons need more than 32 tiles of 4");
}

#[test]
fn a_border_can_have_many_neighbours() {
    // The first polygon has more links than edges. With a limit of 1, it is alone in its tile.
    let mut polygons = vec![rectangle([0.0, 40.0], [0.0, 4.0])];
    for i in 0..20 {
        let x = i as f32 * 2.0;
        polygons.push(rectangle([x, x + 1.9], [4.0, 8.0]));
    }
    let mesh = mesh_of(&polygons);
    assert_eq!(mesh.portals().len(), 20);
    for limit in [1, 7, 100] {
        if polygons.len().div_ceil(limit) <= 32 {
            assert_same_portals(&mesh, limit);
        }
        let mut peer = detour(&mesh, limit, 2048);
        for room in 0..20 {
            let to = vec3(room as f32 * 2.0 + 1.0, 0.0, 7.0);
            let answer = query(&mut peer, vec3(39.0, 0.0, 1.0), to);
            assert_eq!(answer.polygons, [1000, 1001 + room]);
        }
    }
}

#[test]
fn polygons_with_many_corners_are_split_into_pieces() {
    for corners in 3..24 {
        let round = |centre: Vec3| -> Vec<Vec3> {
            (0..corners)
                .map(|i| {
                    let angle = i as f32 * std::f32::consts::TAU / corners as f32;
                    centre + 3.0 * vec3(angle.cos(), 0.0, angle.sin())
                })
                .collect()
        };
        // There is a rectangle beside every border, without common vertices.
        let outline = round(Vec3::ZERO);
        let mut polygons = vec![outline.clone()];
        for i in 0..corners {
            let (a, b) = (outline[i], outline[(i + 1) % corners]);
            let out = vec3(b.z - a.z, 0.0, a.x - b.x).normalize();
            polygons.push(vec![a, a + out, b + out, b]);
        }
        let mesh = mesh_of(&polygons);
        assert_eq!(mesh.portals().len(), corners);
        let pieces = PolygonPieces::of(&mesh);
        assert_eq!(pieces.pieces.len(), corners + (corners - 2).div_ceil(4));
        assert_same_portals(&mesh, MAX_POLYGONS);
        let mut peer = detour(&mesh, MAX_POLYGONS, 2048);
        let centre = |polygon: &[Vec3]| polygon.iter().sum::<Vec3>() / polygon.len() as f32;
        for from in 1..=corners {
            for to in 1..=corners {
                let ends = [from, to].map(|i| centre(&polygons[i]));
                let answer = query(&mut peer, ends[0], ends[1]);
                assert_eq!(answer.status, PeerStatus::Found);
                let corridor = [1000 + from as u64, 1000, 1000 + to as u64];
                let expected = if from == to {
                    &corridor[..1]
                } else {
                    &corridor[..]
                };
                assert_eq!(answer.polygons, expected);
            }
        }
    }
}

#[test]
fn heights_are_those_of_the_finer_surface() {
    let [one, other] = [[0.0, 4.0], [4.0, 8.0]].map(|x| rectangle(x, [0.0, 4.0]));
    let mut raw = RawNavMesh {
        vertices: [one, other].concat(),
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 2, 3]);
    raw.polygons.push([4, 5, 6, 7]);
    raw.heights.vertices.push([vec3(1.0, 1.0, 2.0)]);
    raw.heights.vertices.push([]);
    raw.heights
        .triangles
        .push([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    raw.heights.triangles.push([]);
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
    let peer = detour(&mesh, MAX_POLYGONS, 64);
    for position in [
        vec3(1.0, 1.5, 2.0),
        vec3(0.5, 0.0, 2.0),
        vec3(2.5, 0.2, 2.0),
        vec3(1.0, 0.2, 0.5),
        vec3(1.0, 0.2, -0.2),
        vec3(6.0, 0.1, 1.0),
    ] {
        let (_, point) = peer.locate(position).unwrap();
        let expected = mesh.locate(position, DEFAULT_SNAP, |_| true).unwrap().point;
        assert!(
            point.distance(expected) < 1e-4,
            "{position}: {point} instead of {expected}"
        );
    }
}

/// Opens a map with its queries and their reference lengths, if its files exist.
fn map(name: &str) -> Option<(NavMesh, Vec<ReferenceQuery>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let Ok(queries) = std::fs::read_to_string(folder.join(format!("{name}.queries.txt"))) else {
        eprintln!("skipped: no {name} in shared/maps");
        return None;
    };
    let imported = portolan_formats::import(&folder.join(format!("{name}.navmesh.obj"))).unwrap();
    let mesh = NavMesh::build(imported.raw, &imported.options).unwrap();
    Some((mesh, read_references(&queries).unwrap()))
}

#[test]
fn paths_on_maps_have_the_reference_lengths() {
    for name in ["dungeon", "nav_test", "lq_e1m1", "vaduz"] {
        let Some((mesh, queries)) = map(name) else {
            continue;
        };
        assert_same_portals(&mesh, MAX_POLYGONS);
        assert_same_portals(&mesh, mesh.polygon_count().div_ceil(3));
        for peer in &mut peers(&mesh, DEFAULT_SNAP).unwrap() {
            let mut answer = PeerAnswer::default();
            let (mut found, mut ratios, mut same, mut ns) = (0, 0.0, 0, [0; 3]);
            for query in &queries {
                peer.query(query.from, query.to, &mut answer);
                let times = answer.times;
                ns[0] += times.locate;
                ns[1] += times.corridor;
                ns[2] += times.waypoints;
                if answer.status == PeerStatus::Found {
                    found += 1;
                    let ratio = answer.length_xz() / query.detour_xz.max(1e-3);
                    ratios += ratio;
                    same += usize::from((ratio - 1.0).abs() < 1e-3);
                } else {
                    assert_eq!(answer.status, PeerStatus::Partial);
                }
            }
            let ratio = ratios / found as f64;
            eprintln!(
                "{name}, {}: {found} of {} found, {same} with the reference length, mean ratio {ratio:.5}, \
                 {:?} ns, built in {:.1} ms, {} bytes",
                peer.name(),
                queries.len(),
                ns.map(|ns| ns / queries.len() as u64),
                peer.build_ms(),
                peer.bytes().unwrap(),
            );
            // The reference lengths of vaduz are from a tiled navmesh. At tile borders, Detour uses one search node per
            // side from which a polygon is entered. So it runs out of nodes earlier and chooses differently between
            // paths of similar length.
            assert!((ratio - 1.0).abs() < 0.003, "{ratio}");
            if name != "vaduz" || peer.name().contains("65 535") {
                assert_eq!(found, queries.len());
            } else {
                assert!((700..800).contains(&found), "{found}");
            }
        }
    }
}
