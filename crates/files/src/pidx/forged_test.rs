//! Forged files: their checksum is right, and their contents are not those of any index.
//!
//! The reader either refuses such a file or returns a world that answers queries without a panic.

use std::sync::LazyLock;

use portolan_core::{NavMeshOptions, Path, Query, Samples, Scratch, Status, Tier};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use super::test_worlds::*;
use super::*;
use crate::test_damage::{reseal, sections, with_sections, with_words};

/// The forged tables have unknown tiers and impossible samples.
#[test]
fn forged_tiers_are_errors() {
    let world = with_tier(
        with_default_tier(with_hierarchy_and_contraction()),
        Tier::Best,
        Samples::Each(2),
    );
    let bytes = to_bytes(&world);
    let set = |word: usize, value: u32| {
        let changed = with_sections(&bytes, |name, section| {
            if name == b"tier" {
                section[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
            }
        });
        from_bytes(&changed).map(drop)
    };
    assert_eq!(set(0, Tier::Default as u32), Ok(()));
    for (word, values) in [
        (0, &[0, 2, 3, u32::MAX][..]),
        (1, &[0, 1, 65, 1 << 16, (1 << 16) + 101, u32::MAX]),
        (2, &[0, 1, 3]),
    ] {
        for &value in values {
            let error = set(word, value).expect_err(&format!("{word} = {value}"));
            assert!(
                matches!(error, ReadError::Damaged { .. }),
                "{word} = {value}: {error}"
            );
        }
    }
    // The table has fewer rows than there are orders.
    for rows in [1, 0] {
        let short = with_sections(&bytes, |name, section| {
            if name == b"tier" {
                section.truncate(8 * rows);
            }
        });
        assert!(from_bytes(&short).is_err());
    }
    let short = with_sections(&bytes, |name, section| {
        if name == b"rank" {
            section.truncate(section.len() - 4);
        }
    });
    assert!(from_bytes(&short).is_err());
}

/// A web that refers to triangles, points or edges of the rim that do not exist is an error. Any other web is followed
/// without a panic.
#[test]
fn forged_surface_webs_do_not_panic() {
    let bytes = to_bytes(&with_finer_surface());
    let webs = sections(&bytes)
        .into_iter()
        .find(|section| &section.name == b"webs")
        .expect("an index has the section webs");
    assert!(!webs.range.is_empty());
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let (mut errors, mut worlds) = (0, 0);
    for position in 0..webs.range.len() {
        for value in [0, 1, 3, 4, 5, 254, 255] {
            let forged = with_sections(&bytes, |name, section| {
                if name == b"webs" {
                    section[position] = value;
                }
            });
            let Ok(world) = from_bytes(&forged) else {
                errors += 1;
                continue;
            };
            worlds += 1;
            for [from, to] in [[0.1, 0.3], [0.9, 0.8], [0.2, 0.9]]
                .into_iter()
                .flat_map(|[a, b]| [[[a, b], [1.9, 0.5]], [[1.9, 0.5], [a, b]]])
            {
                let mut query = Query::new([from[0], 0.0, from[1]], [to[0], 0.0, to[1]]);
                query.ground_tolerance = 0.01;
                let status = world.find_path(&query, &mut scratch, &mut path);
                assert_eq!(status, Ok(Status::Found));
            }
        }
    }
    assert!(errors > 0 && worlds > 0, "{errors} errors, {worlds} worlds");
}

/// No index has the forged options. With some of them, [`portolan_core::PortalGraph::new`] would panic; others
/// count more parts than the file has.
#[test]
fn forged_options_are_errors() {
    let bytes = to_bytes(&with_hierarchy_and_contraction());
    let set = |word: usize, value: u32| from_bytes(&with_words(&bytes, b"opts", word, &[value]));
    for (word, values) in [
        (0, &[0, 2, 64, 65, u32::MAX][..]),
        // The published cost model has the centres of polygons.
        (1, &[1, 3, u32::MAX]),
        (2, &[0, 1, 256]),
        (3, &[0, 2]),
        (4, &[0, 2]),
        (9, &[3]),
        (12, &[0, 2]),
        (13, &[0, 2]),
        (14, &[0, 1, 3, 17, u32::MAX]),
        (15, &[1, 2, 3, u32::MAX]),
    ] {
        for &value in values {
            assert!(set(word, value).is_err(), "word {word} = {value}");
        }
    }
    // Options that are only reported may have any value.
    let partition = set(5, 77).unwrap().report().partition.clone();
    assert_eq!(partition.unwrap().merge_factor, 77);
    // Another cost model has arrays of the same sizes, so the file is read. Its costs are those of the wrong
    // model.
    answers(&set(1, 2).unwrap());
}

/// The forged arrays have the right sizes and random contents. Queries return any answer and do not panic.
#[test]
fn queries_survive_forged_arrays() {
    let bytes = to_bytes(&with_hierarchy_and_contraction());
    let arrays: Vec<_> = sections(&bytes)
        .into_iter()
        .filter(|array| matches!(&array.name, b"cost" | b"step") && !array.range.is_empty())
        .collect();
    let mut rng = 1u32;
    let mut random = || {
        rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        rng >> 8
    };
    let mut loaded = 0;
    for round in 0..300 {
        let mut forged = bytes.clone();
        for array in &arrays {
            if random() % 3 == 0 {
                continue;
            }
            let limit = 1 + random() % 8;
            let is_cost = array.name == *b"cost";
            for element in forged[array.range.clone()].chunks_exact_mut(array.element_bytes) {
                let cost = || match round % 4 {
                    0 => 0.0,
                    1 => 1.0,
                    2 => f32::INFINITY,
                    _ => f32::MAX,
                };
                if is_cost {
                    element.copy_from_slice(&cost().to_le_bytes());
                } else {
                    element.copy_from_slice(&((random() % limit) as u16).to_le_bytes());
                }
            }
        }
        // Two arrays of the same size are swapped.
        let [a, b] = [random(), random()].map(|i| arrays[i as usize % arrays.len()].range.clone());
        if a.len() == b.len() {
            let (first, second) = (forged[a.clone()].to_vec(), forged[b.clone()].to_vec());
            forged[a].copy_from_slice(&second);
            forged[b].copy_from_slice(&first);
        }
        reseal(&mut forged);
        if let Ok(world) = from_bytes(&forged) {
            answers(&world);
            loaded += 1;
        }
    }
    assert!(loaded > 50, "only {loaded} of 300 files were accepted");
}

pub(super) fn words_of(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(*word.first_chunk().unwrap()))
        .collect()
}

pub(super) fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a file without a hierarchy whose contraction order is changed by `change`.
fn with_order(change: impl FnOnce(&mut Vec<u32>)) -> Vec<u8> {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let world = with_contraction_only(&GraphOptions::default(), &Profile::default());
        to_bytes(&world)
    });
    let mut change = Some(change);
    with_sections(&BYTES, |name, section| {
        if name == b"rank" {
            let mut order = words_of(section);
            change.take().expect("the file has one order")(&mut order);
            *section = bytes_of(&order);
        }
    })
}

#[test]
fn an_order_that_is_not_a_permutation_is_an_error() {
    assert!(from_bytes(&with_order(|_| ())).is_ok());
    let changes: [fn(&mut Vec<u32>); 7] = [
        |order| order.clear(),
        |order| order.truncate(order.len() - 1),
        |order| order.push(order.len() as u32),
        |order| order.push(0),
        |order| order[0] = order[1],
        |order| order[3] = order.len() as u32,
        |order| order[3] = u32::MAX,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let error = from_bytes(&with_order(change)).map(drop).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{i}: {error}");
    }
}

/// The stored arcs do not contain all arcs of the graph with another order.
#[test]
fn another_order_is_an_error() {
    let raw = WorldScene::Open.build(&WorldOptions {
        polygons: 2000,
        ..WorldOptions::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).unwrap();
    let vertices = world.graph().sample_count();
    let bytes = to_bytes(
        &world
            .with_contraction((0..vertices as u32).collect())
            .expect("order is a permutation"),
    );
    let scrambled = with_sections(&bytes, |name, section| {
        if name == b"rank" {
            *section = bytes_of(&order(vertices));
        }
    });
    assert!(from_bytes(&bytes).is_ok());
    let error = from_bytes(&scrambled).map(drop).unwrap_err();
    assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]
    /// With another order, the file is refused or the world answers queries.
    #[test]
    fn forged_orders_never_panic(
        swaps in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..3),
        change in prop::option::of((any::<prop::sample::Index>(), 0u32..300)),
    ) {
        let bytes = with_order(|order| {
            let count = order.len();
            for [a, b] in swaps {
                order.swap(a.index(count), b.index(count));
            }
            if let Some((at, vertex)) = change {
                order[at.index(count)] = vertex;
            }
        });
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
        }
    }
}

/// Returns a file with hub labels of both directions whose words are changed by `change`. It gets six arrays:
/// offsets, hubs (two words each) and next vertices of the forward labels, then of the backward labels.
fn with_label_words(change: impl FnOnce(&mut [Vec<u32>])) -> Vec<u8> {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let world = with_contraction_only(&GraphOptions::default(), &Profile::default());
        to_bytes(&with_labels(world))
    });
    let is_label = |name: &Name| matches!(name, b"hbof" | b"hubs" | b"next");
    let sections = sections(&BYTES).into_iter();
    let mut words: Vec<Vec<u32>> = sections
        .filter(|section| is_label(&section.name))
        .map(|section| words_of(&BYTES[section.range]))
        .collect();
    assert_eq!(words.len(), 6);
    change(&mut words);
    let mut words = words.into_iter();
    with_sections(&BYTES, |name, section| {
        if is_label(name) {
            *section = bytes_of(&words.next().expect("as many arrays as sections"));
        }
    })
}

#[test]
fn forged_labels_are_errors() {
    assert!(from_bytes(&with_label_words(|_| ())).is_ok());
    let changes: [fn(&mut [Vec<u32>]); 16] = [
        |words| words.iter_mut().for_each(Vec::clear),
        |words| words[0].clear(),
        |words| words[0].truncate(3),
        |words| words[0][1] = 0,
        |words| words[0][2] = u32::MAX,
        |words| *words[0].last_mut().unwrap() += 1,
        |words| words[0].push(0),
        |words| words[1].truncate(8),
        |words| words[1][0] = u32::MAX,
        |words| words[1][1] = 1f32.to_bits(),
        |words| words[1][3] = f32::NAN.to_bits(),
        |words| words[1][3] = f32::INFINITY.to_bits(),
        |words| words[2].truncate(8),
        |words| words[2][1] = u32::MAX,
        |words| words[2].fill(0),
        // Forward and backward costs differ, because some links are one-way.
        |words| words.rotate_left(3),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let error = from_bytes(&with_label_words(change)).map(drop).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{i}: {error}");
    }
}

/// The reader cannot detect that hubs are missing in a label. Queries return any answer and do not panic.
#[test]
fn queries_survive_labels_with_missing_hubs() {
    let bytes = with_label_words(|words| {
        for direction in words.chunks_exact_mut(3) {
            let [offsets, hubs, nexts] = direction else {
                panic!("expected three arrays per direction");
            };
            let firsts: Vec<usize> = offsets.iter().map(|&at| at as usize).collect();
            let firsts = &firsts[..firsts.len() - 1];
            *hubs = firsts
                .iter()
                .flat_map(|&at| [hubs[2 * at], hubs[2 * at + 1]])
                .collect();
            *nexts = firsts.iter().map(|&at| nexts[at]).collect();
            *offsets = (0..=firsts.len() as u32).collect();
        }
    });
    let world = from_bytes(&bytes).unwrap();
    answers(&world);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]
    /// With some words of the labels overwritten, the file is refused or the world answers queries.
    #[test]
    fn forged_label_words_never_panic(
        changes in prop::collection::vec((0usize..6, any::<prop::sample::Index>(), 0u32..400, any::<bool>()), 1..6),
        cut in prop::option::of((0usize..6, any::<prop::sample::Index>())),
    ) {
        let bytes = with_label_words(|words| {
            for (array, at, value, copies) in changes {
                let words = &mut words[array];
                let at = at.index(words.len());
                words[at] = match copies {
                    true => words[value as usize % words.len()],
                    false => value,
                };
            }
            if let Some((array, at)) = cut {
                let length = at.index(words[array].len());
                words[array].truncate(length & !1);
            }
        });
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]
    /// With bytes of any section overwritten, the file is refused or the world answers queries.
    #[test]
    fn forged_bytes_never_panic(parts in 0usize..5, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        static BYTES: LazyLock<[Vec<u8>; 5]> = LazyLock::new(|| {
            let world = with_contraction_only(&GraphOptions::default(), &Profile::default());
            let worlds = [
                with_hierarchy_and_contraction(),
                with_default_tier(world.clone()),
                with_labels(world),
                with_exact_labels(),
                with_exact_links(),
            ];
            worlds.map(|world| to_bytes(&world))
        });
        let mut bytes = BYTES[parts].clone();
        let sections = sections(&bytes);
        for (section, at, value) in changes {
            // The section is chosen first, because some are a hundred times as long as others.
            let range = section.get(&sections).range.clone();
            if !range.is_empty() {
                bytes[range.start + at.index(range.len())] = value;
            }
        }
        reseal(&mut bytes);
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
        }
    }
}
