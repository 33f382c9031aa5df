//! What goes in comes out, and nothing else does.

use glam::{vec2, vec3};
use portolan_bake::{TileId, bake, rebake_tile};
use portolan_core::{AreaRules, Ground, RawLink, Triangles, Volume};
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use super::*;

/// A floor with a bump and a step, in four tiles, with everything that rules can say.
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

fn kept() -> KeptBake {
    let options = BakeOptions {
        cell_size: 0.25,
        agent_radius: 0.25,
        min_region: 2,
        tiles: Tiles::Side(16),
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

/// Puts size and checksum right again, so that what is behind them is tested.
fn reseal(bytes: &mut [u8]) {
    let size = (bytes.len() as u64).to_le_bytes();
    bytes[16..24].copy_from_slice(&size);
    let end = bytes.len() - 8;
    let hash = XxHash3_64::oneshot(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&hash);
}

#[test]
fn a_bake_survives() {
    let kept = kept();
    assert_eq!(kept.baked.grid().tiles(), 4);
    assert_eq!(kept.baked.statistics().unused_rules, ["sümpfe"]);
    let read = from_bytes(&to_bytes(&kept)).unwrap();
    assert_eq!(read, kept);
    let mesh = read.baked.build_navmesh().unwrap();
    assert_eq!(mesh, kept.baked.build_navmesh().unwrap());
    let mut whole = kept;
    for tiles in [Tiles::Auto, Tiles::Whole] {
        let options = BakeOptions {
            tiles,
            ..whole.baked.options().clone()
        };
        whole.baked = bake(&level(), &AreaRules::default(), &options).unwrap();
        whole.level = LevelOptions::default();
        assert_eq!(from_bytes(&to_bytes(&whole)).unwrap(), whole);
    }
}

#[test]
fn a_tile_of_a_bake_that_was_read_is_baked_as_before() {
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
    let bytes = to_bytes(&kept());
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(from_bytes(&flipped).is_err(), "byte {at}");
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let bytes = to_bytes(&kept());
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "not a .pbake file: the file is empty");
    assert!(message(b"v 1 2 3").contains("bake LEVEL --keep"));
    let mut newer = bytes.clone();
    newer[12] = 2;
    let said = message(&newer);
    assert!(
        said.contains("version 2") && said.ends_with("bake it again"),
        "{said}"
    );
    let mut mesh = bytes.clone();
    mesh[8..12].copy_from_slice(b"NAVM");
    assert!(message(&mesh).contains("it is a navmesh, a .pnav file"));
    assert!(message(&bytes[..100]).contains("incomplete"));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]
    /// With the checksum put right, any change is refused or gives a bake that can be written again and
    /// that makes a navmesh or an error.
    #[test]
    fn sealed_damage_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = to_bytes(&kept());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        reseal(&mut bytes);
        if let Ok(kept) = from_bytes(&bytes) {
            prop_assert!(from_bytes(&to_bytes(&kept)).is_ok());
            let _ = kept.baked.build_navmesh();
        }
    }
}
