//! What goes in comes out, and nothing else does.

use glam::vec3;
use portolan_scenes::HeightFunction;
use portolan_terrain::{MergeOptions, MeshEngine, TerrainOptions, TerrainScratch, WebOptions};
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use super::*;

const ENGINES: [MeshEngine; 3] = [MeshEngine::Mesh, MeshEngine::Astar, MeshEngine::Dijkstra];

fn hills(side: usize, layers: Option<usize>) -> Terrain {
    let map = HeightFunction::Hills.map(side, side, 3).unwrap();
    let web = map.triangulate(&WebOptions::default(), Some(&map)).unwrap();
    let options = TerrainOptions {
        layers,
        ..TerrainOptions::default()
    };
    Terrain::build(web, &options).unwrap()
}

/// Two islands, priced and merged by nothing that is a default.
fn islands() -> Terrain {
    let corners = [0.0, 1.0, 5.0, 6.0].map(|x| [vec3(x, 0.0, x / 9.0), vec3(x, 1.0, 0.0)]);
    let triangles = vec![[0, 2, 1], [2, 3, 1], [4, 6, 5], [6, 7, 5]];
    let points = corners.as_flattened().to_vec();
    let web = TriangleWeb::new(points, triangles, vec![0.0, 0.5, 1.0, 0.25]).unwrap();
    let options = TerrainOptions {
        price: Price {
            distances: Distances::Centroid,
            up: 2.0,
            down: 3.0,
            sideways: 4.0,
            difficulty: 5.0,
            steepness: 6.0,
            difficulty_change: 7.0,
            angle: 8.0,
            concave: 9.0,
            convex: 10.0,
            steepness_change: 11.0,
            floor: 0.5,
        },
        merge: MergeOptions {
            entry: EntryPrice::Average,
            ..MergeOptions::default()
        },
        layers: None,
    };
    Terrain::build(web, &options).unwrap()
}

/// Every answer of one is that of the other.
fn assert_same(a: &Terrain, b: &Terrain) {
    assert_eq!(a.meshes(), b.meshes());
    assert_eq!(a.graph(), b.graph());
    assert_eq!(a.web().points(), b.web().points());
    assert_eq!(a.web().difficulty(), b.web().difficulty());
    let mut scratch = TerrainScratch::default();
    let [mut a_path, mut b_path] = [Vec::new(), Vec::new()];
    for engine in ENGINES {
        for to in 0..a.web().len() as u32 {
            let a_price = a.find(engine, [0, to], &mut scratch, &mut a_path);
            let b_price = b.find(engine, [0, to], &mut scratch, &mut b_path);
            assert_eq!((a_price, &a_path), (b_price, &b_path));
        }
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
fn a_terrain_survives() {
    for terrain in [
        hills(9, None),
        hills(9, Some(4)),
        hills(2, Some(2)),
        islands(),
    ] {
        let bytes = to_bytes(&terrain);
        let again = from_bytes(&bytes).unwrap();
        assert_same(&terrain, &again);
        assert_eq!(to_bytes(&again), bytes);
    }
}

#[test]
fn a_changed_terrain_survives() {
    let mut terrain = hills(9, Some(5));
    terrain.change(&[(3, 1.0), (40, 0.0)]).unwrap();
    assert_same(&terrain, &from_bytes(&to_bytes(&terrain)).unwrap());
}

#[test]
fn the_same_ground_gives_the_same_bytes() {
    assert_eq!(to_bytes(&hills(9, Some(4))), to_bytes(&hills(9, Some(4))));
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = to_bytes(&islands());
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
    let bytes = to_bytes(&islands());
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(from_bytes(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let bytes = to_bytes(&islands());
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "the file is empty");
    assert!(
        message(b"\x89PNG").contains("terrain build"),
        "{}",
        message(b"\x89PNG")
    );
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
    let other = crate::pnav::from_bytes(&bytes).unwrap_err().to_string();
    assert!(other.contains("a .pter file, for `terrain`"), "{other}");
}

/// Overwrites the first words of a section, and puts the checksum right.
fn with_words(bytes: &[u8], name: &Name, words: &[u32]) -> Vec<u8> {
    let entries = bytes[32..].chunks_exact(24);
    let entry = entries.take(8).find(|entry| entry.starts_with(name));
    let entry: [u8; 24] = entry.unwrap().try_into().unwrap();
    let offset = u64::from_le_bytes(entry[8..16].try_into().unwrap()) as usize;
    let mut changed = bytes.to_vec();
    for (i, word) in words.iter().enumerate() {
        changed[offset + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
    }
    reseal(&mut changed);
    changed
}

#[test]
fn what_is_sealed_but_makes_no_sense_is_refused() {
    let bytes = to_bytes(&islands());
    let refused = |name: &Name, words: &[u32]| {
        let error = from_bytes(&with_words(&bytes, name, words)).unwrap_err();
        error.to_string()
    };
    let float = f32::to_bits;
    for (name, words, what) in [
        (b"vert", vec![float(f32::NAN)], "point 0"),
        (b"tria", vec![8], "no point 8"),
        (b"tria", vec![2], "same corner twice"),
        (b"diff", vec![float(1.5)], "difficulty is 1.5"),
        (b"kind", vec![2], "kinds"),
        (b"kind", vec![0, 4], "kinds"),
        (b"pric", vec![float(-1.0)], "up is -1"),
        (b"pare", vec![0], "mesh 0"),
        (b"pare", vec![77], "mesh 0"),
        (b"entr", vec![float(f32::INFINITY)], "entries"),
        (b"entr", vec![float(-1.0)], "entries"),
        (b"dist", vec![0, float(f32::NAN)], "distances"),
    ] {
        let message = refused(name, &words);
        assert!(
            message.starts_with("the file is damaged: ") && message.contains(what),
            "{what}: {message}"
        );
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(3000))]
    /// With the checksum put right, any change is refused or gives a terrain that answers queries.
    #[test]
    fn sealed_damage_never_panics(
        small in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = to_bytes(&if small { islands() } else { hills(4, Some(3)) });
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        reseal(&mut bytes);
        if let Ok(terrain) = from_bytes(&bytes) {
            let last = terrain.web().len() as u32 - 1;
            let (mut scratch, mut path) = (TerrainScratch::default(), Vec::new());
            for engine in ENGINES {
                for ends in [[0, last], [last, 0]] {
                    let _ = terrain.find(engine, ends, &mut scratch, &mut path);
                }
            }
            let _ = from_bytes(&to_bytes(&terrain)).unwrap();
        }
    }
}
