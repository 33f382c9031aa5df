//! Small meshes, and the maps with known answers where they are at hand.

use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;

use glam::{Vec3, vec3};
use portolan_core::{DEFAULT_SNAP, NavMesh, NavMeshOptions, RawNavMesh};
use portolan_measure::{ReferenceQuery, read_references};

use super::ffi::MAX_POLYGONS;
use super::pieces::Pieces;
use super::{Detour, Tiles, peers};
use crate::peer::{Answer, Peer, Status};

/// A mesh of polygons that share no corners, so that all of them meet by place.
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

/// Quadrangles of about a metre with common corners, without those that `is_wall`.
fn grid(side: u32, is_wall: impl Fn(u32, u32) -> bool) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for z in 0..=side {
        for x in 0..=side {
            // Moved a little, so that no two ways are equally long.
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

fn ask(peer: &mut dyn Peer, from: Vec3, to: Vec3) -> Answer {
    let mut answer = Answer::default();
    peer.ask(from, to, &mut answer);
    answer
}

/// Every portal is a link both ways, at the same place, and there are no other links.
fn assert_same_portals(mesh: &NavMesh, limit: usize) {
    let tiles = Tiles::of(mesh, limit).unwrap();
    let mut links = HashSet::new();
    let mut count = 0;
    for (tile, ids) in tiles.user_ids.iter().enumerate() {
        for (polygon, &id) in ids.iter().enumerate() {
            for (target, _, _) in tiles.mesh.links((tile, polygon)) {
                let ends = (id, tiles.user_id(target));
                // Pieces of one polygon are linked, too.
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
fn two_rooms_with_a_door() {
    let mesh = mesh_of(&[
        rectangle([0.0, 4.0], [0.0, 4.0]),
        rectangle([4.0, 5.0], [1.0, 2.0]),
        rectangle([5.0, 9.0], [0.0, 4.0]),
    ]);
    assert_eq!(mesh.portals().len(), 2);
    assert_same_portals(&mesh, MAX_POLYGONS);
    let (from, to) = (vec3(1.0, 0.0, 3.5), vec3(8.0, 0.0, 3.5));
    for peer in &mut peers(&mesh, DEFAULT_SNAP).unwrap() {
        let answer = ask(peer.as_mut(), from, to);
        assert_eq!(answer.status, Status::Found);
        assert_eq!(answer.polygons, [1000, 1001, 1002]);
        assert_eq!(answer.waypoints.len(), 4, "{:?}", answer.waypoints);
        assert_eq!(answer.waypoints[0], from);
        assert_eq!(answer.waypoints[3], to);
        // The door is a quarter of a wall: Detour knows it to 1/255 of the wall.
        let corners = [vec3(4.0, 0.0, 2.0), vec3(5.0, 0.0, 2.0)];
        for (waypoint, corner) in answer.waypoints[1..3].iter().zip(corners) {
            assert!(waypoint.distance(corner) <= 4.0 / 500.0, "{waypoint}");
        }
        assert!(peer.bytes().unwrap() > 0 && peer.build_ms() > 0.0);
    }
}

#[test]
fn off_the_mesh_and_between_islands() {
    let mesh = mesh_of(&[
        rectangle([0.0, 4.0], [0.0, 4.0]),
        rectangle([10.0, 14.0], [0.0, 4.0]),
    ]);
    // One tile, and one each: then each is asked for places far from it.
    for limit in [2, 1] {
        let mut peer = detour(&mesh, limit, 64);
        let here = vec3(1.0, 0.0, 1.0);
        let status = |peer: &mut Detour, to| ask(peer, here, to).status;
        assert_eq!(status(&mut peer, vec3(4.4, 1.5, 1.0)), Status::Found);
        assert_eq!(status(&mut peer, vec3(11.0, 0.0, 1.0)), Status::Partial);
        assert_eq!(status(&mut peer, vec3(4.6, 0.0, 1.0)), Status::OffMesh);
        assert_eq!(status(&mut peer, vec3(7.0, 0.0, 1.0)), Status::OffMesh);
        assert_eq!(status(&mut peer, vec3(1.0, 2.5, 1.0)), Status::OffMesh);
        assert_eq!(status(&mut peer, Vec3::NAN), Status::OffMesh);
        assert_eq!(status(&mut peer, vec3(-90.0, 0.0, 1.0)), Status::OffMesh);
        let towards = ask(&mut peer, here, vec3(11.0, 0.0, 1.0));
        assert_eq!(towards.polygons, [1000]);
        assert_eq!(*towards.waypoints.last().unwrap(), vec3(4.0, 0.0, 1.0));
    }
}

#[test]
fn chunks_change_nothing() {
    let mesh = grid(12, |x, z| x % 3 == 1 && z % 4 != x / 3);
    let mut whole = detour(&mesh, MAX_POLYGONS, 65_535);
    assert_eq!(whole.tiles.user_ids.len(), 1);
    let third = mesh.polygon_count().div_ceil(3);
    for (limit, tiles) in [(third, 3), (5, mesh.polygon_count().div_ceil(5))] {
        assert_same_portals(&mesh, limit);
        let mut chunked = detour(&mesh, limit, 65_535);
        assert_eq!(chunked.tiles.user_ids.len(), tiles);
        for from in mesh.polygons() {
            for to in mesh.polygons() {
                let (from, to) = (mesh.centre(from), mesh.centre(to));
                let (one, other) = (ask(&mut whole, from, to), ask(&mut chunked, from, to));
                assert_eq!(one.status, Status::Found);
                assert_eq!(other.status, Status::Found);
                let difference = one.length_xz() - other.length_xz();
                assert!(difference.abs() < 1e-4, "{one:?}\n{other:?}");
            }
        }
    }
}

#[test]
fn more_polygons_than_a_tile_counts() {
    let mesh = grid(200, |x, z| x % 10 == 5 && z % 10 != 0);
    assert!(mesh.polygon_count() > MAX_POLYGONS);
    assert_same_portals(&mesh, MAX_POLYGONS);
    let mut peer = detour(&mesh, MAX_POLYGONS, 65_535);
    assert_eq!(peer.tiles.user_ids.len(), 2);
    let (from, to) = (vec3(1.0, 0.2, 199.0), vec3(199.0, 0.2, 1.0));
    let answer = ask(&mut peer, from, to);
    assert_eq!(answer.status, Status::Found);
    assert!(answer.length_xz() < 1.3 * f64::from(from.distance(to)));
}

#[test]
fn too_many_chunks_are_refused() {
    let mesh = grid(12, |_, _| false);
    let error = Tiles::of(&mesh, 4).unwrap_err();
    assert_eq!(error, "144 polygons need more than 32 tiles of 4");
}

#[test]
fn one_border_meets_many() {
    // More links than edges, alone in a tile.
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
            let answer = ask(&mut peer, vec3(39.0, 0.0, 1.0), to);
            assert_eq!(answer.polygons, [1000, 1001 + room]);
        }
    }
}

#[test]
fn more_than_six_corners() {
    for corners in 3..24 {
        let round = |centre: Vec3| -> Vec<Vec3> {
            (0..corners)
                .map(|i| {
                    let angle = i as f32 * std::f32::consts::TAU / corners as f32;
                    centre + 3.0 * vec3(angle.cos(), 0.0, angle.sin())
                })
                .collect()
        };
        // Beside every border a square, without common corners.
        let outline = round(Vec3::ZERO);
        let mut polygons = vec![outline.clone()];
        for i in 0..corners {
            let (a, b) = (outline[i], outline[(i + 1) % corners]);
            let out = vec3(b.z - a.z, 0.0, a.x - b.x).normalize();
            polygons.push(vec![a, a + out, b + out, b]);
        }
        let mesh = mesh_of(&polygons);
        assert_eq!(mesh.portals().len(), corners);
        let pieces = Pieces::of(&mesh);
        assert_eq!(pieces.pieces.len(), corners + (corners - 2).div_ceil(4));
        assert_same_portals(&mesh, MAX_POLYGONS);
        let mut peer = detour(&mesh, MAX_POLYGONS, 2048);
        let middle = |polygon: &[Vec3]| polygon.iter().sum::<Vec3>() / polygon.len() as f32;
        for from in 1..=corners {
            for to in 1..=corners {
                let ends = [from, to].map(|i| middle(&polygons[i]));
                let answer = ask(&mut peer, ends[0], ends[1]);
                assert_eq!(answer.status, Status::Found);
                let way = [1000 + from as u64, 1000, 1000 + to as u64];
                let expected = if from == to { &way[..1] } else { &way[..] };
                assert_eq!(answer.polygons, expected);
            }
        }
    }
}

#[test]
fn finer_surfaces_give_the_height() {
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
    for place in [
        vec3(1.0, 1.5, 2.0),
        vec3(0.5, 0.0, 2.0),
        vec3(2.5, 0.2, 2.0),
        vec3(1.0, 0.2, 0.5),
        vec3(1.0, 0.2, -0.2),
        vec3(6.0, 0.1, 1.0),
    ] {
        let (_, point) = peer.locate(place).unwrap();
        let ours = mesh.locate(place, DEFAULT_SNAP, |_| true).unwrap().point;
        assert!(point.distance(ours) < 1e-4, "{place}: {point}, ours {ours}");
    }
}

/// The map, its queries and their lengths as measured elsewhere, where they are at hand.
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
fn maps_give_the_known_lengths() {
    for name in ["dungeon", "nav_test", "lq_e1m1", "vaduz"] {
        let Some((mesh, queries)) = map(name) else {
            continue;
        };
        assert_same_portals(&mesh, MAX_POLYGONS);
        assert_same_portals(&mesh, mesh.polygon_count().div_ceil(3));
        for peer in &mut peers(&mesh, DEFAULT_SNAP).unwrap() {
            let mut answer = Answer::default();
            let (mut found, mut ratios, mut same, mut ns) = (0, 0.0, 0, [0; 3]);
            for query in &queries {
                peer.ask(query.from, query.to, &mut answer);
                let parts = answer.parts;
                ns[0] += parts.locate;
                ns[1] += parts.corridor;
                ns[2] += parts.waypoints;
                if answer.status == Status::Found {
                    found += 1;
                    let ratio = answer.length_xz() / query.detour_xz.max(1e-3);
                    ratios += ratio;
                    same += usize::from((ratio - 1.0).abs() < 1e-3);
                } else {
                    assert_eq!(answer.status, Status::Partial);
                }
            }
            let ratio = ratios / found as f64;
            eprintln!(
                "{name}, {}: {found} of {} found, {same} as long as elsewhere, mean ratio {ratio:.5}, \
                 {:?} ns, built in {:.1} ms, {} bytes",
                peer.name(),
                queries.len(),
                ns.map(|ns| ns / queries.len() as u64),
                peer.build_ms(),
                peer.bytes().unwrap(),
            );
            // Of vaduz, Detour elsewhere had the tiles. At their borders it counts a polygon once for
            // every side that it is entered from, so nodes run out sooner, in 245 queries instead
            // of 230, and where several ways are nearly as good it takes another. With those
            // portals linked as partial ones, 998 lengths are the same here.
            assert!((ratio - 1.0).abs() < 0.003, "{ratio}");
            if name != "vaduz" || peer.name().contains("65 535") {
                assert_eq!(found, queries.len());
            } else {
                assert!((700..800).contains(&found), "{found}");
            }
        }
    }
}
