//! Navmeshes survive a round trip, and damaged files are errors.

use glam::vec3;
use portolan_core::{NavMeshOptions, RawLink, RawNavMesh};
use proptest::prelude::*;

use super::*;
use crate::test_damage::{assert_flipped_bits_fail, assert_truncations_fail, overwritten};

/// Returns two adjacent squares with every attribute that a navmesh can have.
fn mesh() -> NavMesh {
    let mut raw = RawNavMesh {
        vertices: (0..6)
            .map(|i| vec3((i % 3) as f32, 0.0, (i / 3) as f32))
            .collect(),
        areas: vec![7, 9],
        flags: vec![1, 0xffff],
        ids: vec![u64::MAX, 1 << 40],
        ..RawNavMesh::default()
    };
    raw.polygons.push([0, 1, 4, 3]);
    raw.polygons.push([1, 2, 5, 4]);
    raw.heights.vertices.push([vec3(0.5, 0.3, 0.5)]);
    raw.heights.vertices.push([]);
    raw.heights
        .triangles
        .push([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    raw.heights.triangles.push([]);
    raw.links.push(RawLink {
        start: vec3(0.2, 0.0, 0.2),
        end: vec3(1.8, 0.0, 0.8),
        cost: Some(0.25),
        both_ways: true,
        area: 200,
        flags: 0x8001,
        id: u64::MAX - 1,
        ..RawLink::default()
    });
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

#[test]
fn a_mesh_survives_a_round_trip() {
    let mesh = mesh();
    assert_eq!(mesh.links().len(), 1);
    assert_eq!(from_bytes(&to_bytes(&mesh)).unwrap(), mesh);
}

#[test]
fn a_renumbered_mesh_survives_a_round_trip() {
    let scene = portolan_scenes::WorldScene::Rooms.build(&portolan_scenes::WorldOptions {
        links: true,
        areas: true,
        ..Default::default()
    });
    let rooms = NavMesh::build(scene, &NavMeshOptions::default()).unwrap();
    for mesh in [mesh(), rooms] {
        let backwards: Vec<u32> = (0..mesh.polygon_count() as u32).rev().collect();
        let renumbered = mesh.clone().in_order(&backwards);
        assert_ne!(renumbered, mesh);
        assert_eq!(from_bytes(&to_bytes(&renumbered)).unwrap(), renumbered);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = to_bytes(&mesh());
    assert_truncations_fail(&bytes, 0..bytes.len(), from_bytes);
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = to_bytes(&mesh());
    let bits = 0..8 * bytes.len();
    assert_flipped_bits_fail(&bytes, bits, from_bytes);
}

#[test]
fn messages_name_the_problem_and_the_remedy() {
    let bytes = to_bytes(&mesh());
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "the file is empty");
    assert!(message(b"v 1 2 3").contains("import"));
    let mut newer = bytes.clone();
    newer[12] = 2;
    assert!(message(&newer).contains("version 2"), "{}", message(&newer));
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 20] ^= 1;
    assert_eq!(
        message(&flipped),
        "the file is damaged: its checksum is wrong; create it again"
    );
    assert!(message(&bytes[..100]).contains("incomplete"));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(3000))]
    /// With bytes overwritten and the checksum corrected, the file is refused or the mesh answers queries.
    #[test]
    fn forged_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let bytes = overwritten(to_bytes(&mesh()), changes);
        if let Ok(mesh) = from_bytes(&bytes) {
            let world = portolan_core::World::from_mesh(mesh);
            let _ = world.find(vec3(0.1, 0.0, 0.1), vec3(1.9, 0.0, 0.9));
            let _ = world.find(vec3(1.9, 0.0, 0.9), vec3(0.1, 0.0, 0.1));
        }
    }
}
