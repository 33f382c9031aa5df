//! What goes in comes out, and nothing else does.

use glam::vec3;
use portolan_core::{NavMeshOptions, RawLink, RawNavMesh};
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use super::*;

/// Two squares side by side with everything that a navmesh can carry.
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

/// Puts size and checksum right again, so that what is behind them is tested.
fn reseal(bytes: &mut [u8]) {
    let size = (bytes.len() as u64).to_le_bytes();
    bytes[16..24].copy_from_slice(&size);
    let end = bytes.len() - 8;
    let hash = XxHash3_64::oneshot(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&hash);
}

#[test]
fn a_mesh_survives() {
    let mesh = mesh();
    assert_eq!(mesh.links().len(), 1);
    assert_eq!(from_bytes(&to_bytes(&mesh)).unwrap(), mesh);
}

#[test]
fn a_mesh_in_another_order_survives() {
    let scene = portolan_scenes::WorldScene::Rooms.build(&portolan_scenes::WorldOptions {
        links: true,
        areas: true,
        ..Default::default()
    });
    let rooms = NavMesh::build(scene, &NavMeshOptions::default()).unwrap();
    for mesh in [mesh(), rooms] {
        let backwards: Vec<u32> = (0..mesh.polygon_count() as u32).rev().collect();
        let turned = mesh.clone().in_order(&backwards);
        assert_ne!(turned, mesh);
        assert_eq!(from_bytes(&to_bytes(&turned)).unwrap(), turned);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = to_bytes(&mesh());
    for end in 0..bytes.len() {
        assert!(
            from_bytes(&bytes[..end]).is_err(),
            "{end} of {}",
            bytes.len()
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(from_bytes(&longer).is_err());
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = to_bytes(&mesh());
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(from_bytes(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn messages_say_what_is_wrong() {
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
        "the file is damaged: its checksum is wrong"
    );
    assert!(message(&bytes[..100]).contains("incomplete"));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(3000))]
    /// With the checksum put right, any change is refused or gives a mesh that answers queries.
    #[test]
    fn sealed_damage_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = to_bytes(&mesh());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        reseal(&mut bytes);
        if let Ok(mesh) = from_bytes(&bytes) {
            let world = portolan_core::World::from_mesh(mesh);
            let _ = world.find(vec3(0.1, 0.0, 0.1), vec3(1.9, 0.0, 0.9));
            let _ = world.find(vec3(1.9, 0.0, 0.9), vec3(0.1, 0.0, 0.1));
        }
    }
}
