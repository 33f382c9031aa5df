//! Terrains survive a round trip, and damaged files are errors.

use glam::vec3;
use portolan_scenes::HeightFunction;
use portolan_terrain::{
    MergeOptions, TerrainLine, TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch,
    TerrainStatus, WebOptions,
};
use proptest::prelude::*;

use super::*;
use crate::test_damage::{
    assert_flipped_bits_fail, assert_truncations_fail, overwritten, section, with_words,
};

fn hills(side: usize, layers: Option<usize>) -> Terrain {
    let map = HeightFunction::Hills.map(side, side, 3).unwrap();
    let web = map.triangulate(&WebOptions::default(), Some(&map)).unwrap();
    let options = TerrainOptions {
        layers,
        ..TerrainOptions::default()
    };
    Terrain::build(web, &options).unwrap()
}

/// Returns two islands that are built with options that all differ from the defaults.
fn islands() -> Terrain {
    let corners = [0.0, 1.0, 5.0, 6.0].map(|x| [vec3(x, 0.0, x / 9.0), vec3(x, 1.0, 0.0)]);
    let triangles = vec![[0, 2, 1], [2, 3, 1], [4, 6, 5], [6, 7, 5]];
    let points = corners.as_flattened().to_vec();
    let web = TriangleWeb::new(points, triangles, vec![0.0, 0.5, 1.0, 0.25]).unwrap();
    let mut price = Price {
        distances: Distances::Centroid,
        ..Price::default()
    };
    for (value, parameter) in (2u8..).zip(&Price::PARAMETERS) {
        parameter.set(&mut price, f32::from(value).min(parameter.max / 2.0));
    }
    let options = TerrainOptions {
        price,
        merge: MergeOptions {
            entry: EntryPrice::Average,
            ..MergeOptions::default()
        },
        ..TerrainOptions::default()
    };
    Terrain::build(web, &options).unwrap()
}

/// Checks that two terrains are equal and give the same answers.
fn assert_same(a: &Terrain, b: &Terrain) {
    assert_eq!(a.meshes(), b.meshes());
    assert_eq!(a.graph(), b.graph());
    assert_eq!(a.web().points(), b.web().points());
    assert_eq!(a.web().difficulty(), b.web().difficulty());
    assert_eq!(a.contraction(), b.contraction());
    assert_eq!(a.engines(), b.engines());
    let mut scratch = TerrainScratch::new();
    for engine in a.engines() {
        for to in 0..a.web().len() as u32 {
            let query = TerrainQuery {
                engine,
                line: TerrainLine::Midpoints,
                ..TerrainQuery::new(0, to)
            };
            let [first, second] = [a, b].map(|terrain| {
                let mut path = TerrainPath::default();
                let status = terrain.find_path(&query, &mut scratch, &mut path);
                (status, path)
            });
            assert_eq!(first, second);
        }
    }
}

#[test]
fn a_terrain_survives_a_round_trip() {
    for terrain in [
        hills(9, None),
        hills(9, Some(4)),
        hills(2, Some(2)),
        islands(),
    ] {
        let bytes = to_bytes(&terrain);
        let read = from_bytes(&bytes).unwrap();
        assert_same(&terrain, &read);
        assert_eq!(to_bytes(&read), bytes);
    }
}

#[test]
fn a_terrain_without_contraction_survives_a_round_trip() {
    let map = HeightFunction::Hills.map(9, 9, 3).unwrap();
    let options = TerrainOptions {
        contraction: false,
        ..TerrainOptions::default()
    };
    let web = map.triangulate(&WebOptions::default(), None).unwrap();
    let terrain = Terrain::build(web, &options).unwrap();
    let read = from_bytes(&to_bytes(&terrain)).unwrap();
    assert!(read.contraction().is_none());
    assert_same(&terrain, &read);
}

/// The parts of a contraction are checked when the file is opened, except costs and what paths arcs stand for: those
/// may make a path more expensive, but it has to be a path.
#[test]
fn forged_contractions_are_errors_or_give_paths() {
    let terrain = hills(6, Some(4));
    let bytes = to_bytes(&terrain);
    let last = terrain.web().len() as u32 - 1;
    let mut refused = 0;
    let mut accepted = 0;
    for name in [
        b"rank", b"rkof", b"dept", b"arof", b"ardp", b"arct", b"arpt", b"part", b"plen", b"half",
        b"runs",
    ] {
        for first in 0..6 {
            for word in [0, 1, 77, 0x3f80_0000, u32::MAX] {
                let forged = with_words_if_any(&bytes, name, first, word);
                let Some(Ok(read)) = forged.map(|bytes| from_bytes(&bytes)) else {
                    refused += 1;
                    continue;
                };
                accepted += 1;
                let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
                for [from, to] in [[0, last], [last, 0], [last / 2, 3]] {
                    let query = TerrainQuery::new(from, to);
                    let status = read.find_path(&query, &mut scratch, &mut path).unwrap();
                    let is_path = read.graph().cost(&path.triangles).is_some();
                    assert!(status != TerrainStatus::Found || is_path);
                }
            }
        }
    }
    assert!(refused > 50 && accepted > 20, "{refused} {accepted}");
}

/// Overwrites a word of a section, or returns `None` if the section is too short.
fn with_words_if_any(bytes: &[u8], name: &Name, first: usize, word: u32) -> Option<Vec<u8>> {
    let section = section(bytes, name);
    (4 * (first + 1) <= section.range.len()).then(|| with_words(bytes, name, first, &[word]))
}

#[test]
fn a_changed_terrain_survives_a_round_trip() {
    let mut terrain = hills(9, Some(5));
    terrain.change(&[(3, 1.0), (40, 0.0)]).unwrap();
    assert_same(&terrain, &from_bytes(&to_bytes(&terrain)).unwrap());
}

#[test]
fn files_are_deterministic() {
    assert_eq!(to_bytes(&hills(9, Some(4))), to_bytes(&hills(9, Some(4))));
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = to_bytes(&islands());
    assert_truncations_fail(&bytes, 0..bytes.len(), from_bytes);
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = to_bytes(&islands());
    let bits = 0..8 * bytes.len();
    assert_flipped_bits_fail(&bytes, bits, from_bytes);
}

#[test]
fn messages_name_the_problem_and_the_remedy() {
    let bytes = to_bytes(&islands());
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "the file is empty");
    assert!(
        message(b"\x89PNG").contains("terrain build"),
        "{}",
        message(b"\x89PNG")
    );
    let mut newer = bytes.clone();
    newer[12] = 3;
    assert!(message(&newer).contains("version 3"), "{}", message(&newer));
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 20] ^= 1;
    assert_eq!(
        message(&flipped),
        "the file is damaged: its checksum is wrong; create it again"
    );
    assert!(message(&bytes[..100]).contains("incomplete"));
    let other = crate::pnav::from_bytes(&bytes).unwrap_err().to_string();
    assert!(other.contains("it is a terrain (.pter)"), "{other}");
}

#[test]
fn forged_values_are_errors() {
    let bytes = to_bytes(&islands());
    let refused = |name: &Name, words: &[u32]| {
        let error = from_bytes(&with_words(&bytes, name, 0, words)).unwrap_err();
        error.to_string()
    };
    let float = f32::to_bits;
    for (name, words, what) in [
        (b"vert", vec![float(f32::NAN)], "point 0"),
        (b"tria", vec![8], "no point 8"),
        (b"tria", vec![2], "same corner twice"),
        (b"diff", vec![float(1.5)], "difficulty is 1.5"),
        (b"kind", vec![6], "kinds"),
        (b"kind", vec![0, 4], "kinds"),
        (b"pric", vec![float(-1.0)], "up is -1"),
        (b"pare", vec![0], "mesh 0"),
        (b"pare", vec![77], "mesh 0"),
        (b"entr", vec![float(f32::INFINITY)], "entries"),
        (b"entr", vec![float(-1.0)], "entries"),
        (b"dist", vec![0, float(f32::NAN)], "distances"),
        (b"cont", vec![2], "section cont"),
        (b"cont", vec![0], "more sections"),
        (b"pare", vec![u32::MAX - 1], "mesh 0"),
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
    /// With bytes overwritten and the checksum corrected, the file is refused or the terrain answers queries.
    #[test]
    fn forged_bytes_never_panic(
        small in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let bytes = overwritten(to_bytes(&if small { islands() } else { hills(4, Some(3)) }), changes);
        if let Ok(terrain) = from_bytes(&bytes) {
            let last = terrain.web().len() as u32 - 1;
            let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
            for engine in terrain.engines() {
                for [from, to] in [[0, last], [last, 0]] {
                    let query = TerrainQuery { engine, ..TerrainQuery::new(from, to) };
                    let answer = terrain.find_path(&query, &mut scratch, &mut path);
                    prop_assert!(answer.is_ok());
                }
            }
            let mut terrain = from_bytes(&to_bytes(&terrain)).unwrap();
            // The contraction is customized again.
            let _ = terrain.change(&[(0, 0.5)]);
        }
    }
}
