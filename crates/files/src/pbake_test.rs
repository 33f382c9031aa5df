//! Bakes survive a round trip, and damaged files are errors.

use glam::{vec2, vec3};
use portolan_bake::{TileId, bake, rebake_tile};
use portolan_core::{AreaRules, Ground, RawLink, Triangles, Volume};
use proptest::prelude::*;

use super::*;
use crate::test_damage::{assert_flipped_bits_fail, assert_truncations_fail, overwritten};

/// Returns a floor of 8 m x 8 m with a bump, half of whose triangles have a material.
fn level() -> Triangles {
    let mut level = Triangles::default();
    for z in 0..=4 {
        for x in 0..=4 {
            let y = if (x, z) == (1, 1) { 1.0 } else { 0.0 };
            level.vertices.push(vec3(x as f32 * 2.0, y, z as f32 * 2.0));
        }
    }
    for z in 0..4 {
        for x in 0..4 {
            let a = z * 5 + x;
            level.triangles.push([a, a + 5, a + 6]);
            level.triangles.push([a, a + 6, a + 1]);
            level.materials.extend([x % 2, x % 2]);
        }
    }
    level.material_names = vec!["grass".into(), "".into()];
    level
}

/// Returns area rules with every kind of entry.
fn rules() -> AreaRules {
    AreaRules {
        materials: [
            ("grass".to_owned(), Ground::Area(3)),
            ("sümpfe".to_owned(), Ground::Hole),
        ]
        .into(),
        flags: [(0, 0xffff), (3, 0x12)].into(),
        volumes: vec![Volume {
            outline: vec![vec2(5.0, 5.0), vec2(7.0, 5.0), vec2(6.0, 7.0)],
            bottom: -1.0,
            top: f32::INFINITY,
            ground: Ground::Area(7),
        }],
        links: vec![
            RawLink {
                start: vec3(1.5, 0.0, 6.0),
                end: vec3(6.5, 0.0, 1.5),
                cost: Some(0.25),
                both_ways: true,
                area: 9,
                flags: 0x8001,
                id: u64::MAX - 1,
                ..RawLink::default()
            },
            RawLink {
                polygons: [Some(0), None],
                end: vec3(6.5, 0.0, 1.5),
                ..RawLink::default()
            },
        ],
    }
}

/// Returns a bake of four tiles.
fn kept() -> KeptBake {
    let options = BakeOptions {
        cell_size: 0.25,
        agent_radius: 0.25,
        min_region: 2,
        tiles: Tiling::Side(16),
        ..BakeOptions::default()
    };
    KeptBake {
        baked: bake(&level(), &rules(), &options).unwrap(),
        level: LevelOptions {
            up: Up::Z,
            flip: true,
            scale: 0.01,
        },
    }
}

#[test]
fn a_bake_survives_a_round_trip() {
    let kept = kept();
    assert_eq!(kept.baked.grid().tiles(), 4);
    assert_eq!(kept.baked.statistics().unused_rules, ["sümpfe"]);
    let read = from_bytes(&to_bytes(&kept)).unwrap();
    assert_eq!(read, kept);
    let mesh = read.baked.build_navmesh().unwrap();
    assert_eq!(mesh, kept.baked.build_navmesh().unwrap());
    let mut other = kept;
    for tiles in [Tiling::Auto, Tiling::SingleTile] {
        let options = BakeOptions {
            tiles,
            ..other.baked.options().clone()
        };
        other.baked = bake(&level(), &AreaRules::default(), &options).unwrap();
        other.level = LevelOptions::default();
        assert_eq!(from_bytes(&to_bytes(&other)).unwrap(), other);
    }
}

#[test]
fn rebaking_all_tiles_of_a_bake_that_was_read_changes_nothing() {
    let kept = kept();
    let mut read = from_bytes(&to_bytes(&kept)).unwrap();
    for tile in 0..4 {
        let rules = read.baked.rules().clone();
        rebake_tile(&mut read.baked, TileId(tile), &level(), &rules).unwrap();
    }
    assert_eq!(to_bytes(&read), to_bytes(&kept));
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = to_bytes(&kept());
    assert_truncations_fail(&bytes, 0..bytes.len(), from_bytes);
}

#[test]
fn a_flipped_bit_in_any_byte_is_an_error() {
    let bytes = to_bytes(&kept());
    let bits = (0..bytes.len()).map(|position| 8 * position + position % 8);
    assert_flipped_bits_fail(&bytes, bits, from_bytes);
}

#[test]
fn messages_name_the_problem_and_the_remedy() {
    let bytes = to_bytes(&kept());
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "the file is empty");
    assert!(message(b"v 1 2 3").contains("bake LEVEL --keep"));
    let mut newer = bytes.clone();
    newer[12] = 2;
    let newer = message(&newer);
    assert!(
        newer.contains("version 2") && newer.ends_with("`portolan bake --keep`"),
        "{newer}"
    );
    let mut mesh = bytes.clone();
    mesh[8..12].copy_from_slice(b"NAVM");
    assert!(message(&mesh).contains("it is a navmesh (.pnav)"));
    assert!(message(&bytes[..100]).contains("incomplete"));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]
    /// With bytes overwritten and the checksum corrected, the file is refused, or the bake can be written and
    /// read again and gives a navmesh or an error.
    #[test]
    fn forged_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let bytes = overwritten(to_bytes(&kept()), changes);
        if let Ok(kept) = from_bytes(&bytes) {
            prop_assert!(from_bytes(&to_bytes(&kept)).is_ok());
            let _ = kept.baked.build_navmesh();
        }
    }
}
