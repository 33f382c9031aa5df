//! Forged contractions: the checksum is right, and the arcs, costs or paths of shortcuts are not those of any
//! contraction.

use std::sync::LazyLock;

use portolan_core::{Engine, EngineError, Path, Query, Scratch, Tier};
use proptest::prelude::*;

use super::test_worlds::*;
use super::*;
use crate::test_damage::{section, sections, with_sections};

/// A file with links that are open in one direction only, so that it has arcs of both directions.
static TWO_WAY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let world = with_contraction_only(&GraphOptions::default(), &Profile::default());
    assert!(!is_symmetric(&world));
    to_bytes(&world)
});

/// A file without open links, so that all costs are symmetric.
static SYMMETRIC: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let world = with_contraction_only(&GraphOptions::default(), &without_links());
    assert!(is_symmetric(&world));
    to_bytes(&world)
});

/// A file whose only contraction is that of a taut tier.
static TAUT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let world = World::new(mesh(), &GraphOptions::default(), &Profile::default());
    to_bytes(&with_default_tier(
        world.expect("the graph options are valid"),
    ))
});

fn is_symmetric(world: &World) -> bool {
    let shortcuts = world.default_costs().shortcuts(Tier::Fast);
    shortcuts
        .expect("the world has a contraction")
        .is_symmetric()
}

const ARRAYS: [Name; 11] = [
    *b"rkof", *b"pare", *b"dept", *b"arcs", *b"shct", *b"arof", *b"ardp", *b"arct", *b"arpt",
    *b"part", *b"runs",
];

/// Changes the elements of the first section of that name. Elements of more than four bytes count as several.
fn with_array(bytes: &[u8], name: &Name, change: impl FnOnce(&mut Vec<u32>)) -> Vec<u8> {
    let mut change = Some(change);
    let element_bytes = section(bytes, name).element_bytes.min(4);
    with_sections(bytes, |section_name, section| {
        if section_name == name
            && let Some(change) = change.take()
        {
            let elements = section.chunks_exact(element_bytes);
            let mut words: Vec<u32> = elements
                .map(|element| {
                    let mut word = [0; 4];
                    word[..element_bytes].copy_from_slice(element);
                    u32::from_le_bytes(word)
                })
                .collect();
            change(&mut words);
            let elements = words.iter().flat_map(|word| {
                let word = word.to_le_bytes();
                word.into_iter().take(element_bytes)
            });
            *section = elements.collect();
        }
    })
}

#[track_caller]
fn assert_refused(bytes: &[u8], what: &str) {
    let error = read_checked(bytes, bytes.len() as u64, Check::Full);
    let error = error.map(drop).expect_err(what);
    assert!(
        matches!(error, ReadError::Damaged { .. }),
        "{what}: {error}"
    );
}

type Forgery = (Name, &'static str, fn(&mut Vec<u32>));

const FORGERIES: [Forgery; 44] = [
    (*b"pare", "a tree of no levels", |words| {
        words
            .iter_mut()
            .zip(0..)
            .for_each(|(parent, rank)| *parent = rank)
    }),
    (*b"pare", "a parent below its child", |words| {
        *words.last_mut().unwrap() = 0
    }),
    (*b"pare", "an unknown rank", |words| words[0] = u32::MAX),
    (*b"pare", "a parent less", |words| _ = words.pop()),
    (*b"dept", "depths of other vertices", |words| {
        words.iter_mut().for_each(|depth| *depth += 1)
    }),
    (*b"arcs", "no number of arcs", Vec::clear),
    (*b"arcs", "an arc less", |words| words[0] -= 1),
    (*b"arcs", "an arc more", |words| words[0] += 1),
    (*b"arcs", "more arcs than there can be", |words| {
        words.fill(u32::MAX)
    }),
    (*b"shct", "no directions", |words| words[0] = 0),
    (*b"shct", "three directions", |words| words[0] = 3),
    (*b"shct", "an estimate of NaN", |words| {
        words[1] = f32::NAN.to_bits()
    }),
    (*b"shct", "a negative estimate", |words| {
        words[1] = (-1f32).to_bits()
    }),
    (*b"shct", "a missing word", |words| _ = words.pop()),
    (*b"arof", "no offsets", Vec::clear),
    (*b"arof", "an offset less", |words| _ = words.pop()),
    (*b"arof", "a wrong end", |words| {
        *words.last_mut().unwrap() += 1
    }),
    (*b"arof", "descending offsets", |words| words[1] = u32::MAX),
    (*b"ardp", "a block less", |words| _ = words.pop()),
    (*b"ardp", "a depth that no vertex has", |words| {
        words[0] = u32::MAX
    }),
    (*b"ardp", "depths of other vertices", |words| {
        words.iter_mut().for_each(|depth| *depth += 1);
    }),
    (*b"arct", "NaN", |words| words[0] = f32::NAN.to_bits()),
    (*b"arct", "negative costs", |words| {
        words.fill((-1f32).to_bits())
    }),
    (*b"arct", "negative zeros", |words| {
        words.fill((-0f32).to_bits())
    }),
    (*b"arct", "infinite costs", |words| {
        words.fill(f32::INFINITY.to_bits())
    }),
    (*b"arct", "arcs that do not exist", |words| words.fill(0)),
    (*b"arpt", "an unknown part", |words| words.fill(u32::MAX)),
    (*b"arpt", "parts of other arcs", |words| {
        words.iter_mut().for_each(|part| *part ^= 1)
    }),
    (*b"arpt", "a rank less", |words| _ = words.pop()),
    (*b"part", "a part less", |words| _ = words.pop()),
    (*b"part", "a run or halves beyond the last ones", |words| {
        words[0] = u32::MAX
    }),
    (*b"part", "other runs and halves", |words| {
        words.rotate_left(1)
    }),
    (*b"plen", "a part less", |words| _ = words.pop()),
    (*b"plen", "a run without arcs", |words| {
        let run = words.iter().position(|&length| length != 0);
        words[run.unwrap()] = 1;
    }),
    (*b"plen", "a run that is too long", |words| {
        let run = words.iter().position(|&length| length != 0);
        words[run.unwrap()] = 255;
    }),
    (*b"plen", "a run instead of halves", |words| {
        let halves = words.iter().position(|&length| length == 0);
        words[halves.unwrap()] = 2;
    }),
    (*b"plen", "halves instead of runs", |words| words.fill(0)),
    (*b"half", "no halves", Vec::clear),
    (*b"half", "a part of a later part", |words| {
        words[0] = u32::MAX >> 1
    }),
    (*b"half", "halves in the wrong order", |words| {
        words.swap(0, 1)
    }),
    (*b"half", "parts that do not exist", |words| {
        words.iter_mut().for_each(|half| *half |= 1 << 20);
    }),
    (*b"runs", "an unknown vertex", |words| words[0] = u32::MAX),
    (*b"runs", "vertices that are not adjacent", |words| {
        words.fill(7)
    }),
    (*b"runs", "fewer vertices", |words| words.truncate(9)),
];

#[test]
fn forged_shortcuts_are_errors() {
    // Runs are long, so small worlds have no shortcuts of two halves. This one is a row of rooms.
    let bytes = to_bytes(&with_long_shortcuts());
    assert!(from_bytes(&bytes).is_ok());
    for (name, what, change) in FORGERIES {
        assert_refused(&with_array(&bytes, &name, change), what);
    }
}

/// The arcs of a contraction are computed when costs are customized. If there are not as many as the file says, the
/// world still answers queries for its own profile.
#[test]
fn a_wrong_number_of_arcs_is_no_reason_to_panic() {
    for bytes in [&*TWO_WAY, &*SYMMETRIC, &*TAUT] {
        let expected = answers(&from_bytes(bytes).unwrap());
        let changes: [fn(&mut Vec<u32>); 2] = [|words| words[0] -= 1, |words| words[0] = 0];
        for change in changes {
            let forged = with_array(bytes, b"arcs", change);
            let world = from_bytes(&forged).unwrap();
            assert_eq!(answers(&world), expected);
            let costs = world.costs(&Profile::default());
            for tier in Tier::CONTRACTED {
                assert!(costs.shortcuts(tier).is_none());
            }
            let mut query = Query::new([0.5, 0.0, 0.5], [0.5, 0.0, 0.5]);
            query.costs = Some(&costs);
            query.engine = Engine::Auto(world.tiers().next().unwrap());
            let (mut scratch, mut path) = (Scratch::new(), Path::default());
            let error = world
                .find_path(&query, &mut scratch, &mut path)
                .unwrap_err();
            assert!(matches!(error, EngineError::CostsLack(_)), "{error}");
        }
    }
}

/// With costs that differ by direction, a path must not be read backwards.
#[test]
fn reversed_paths_are_errors_if_costs_are_not_symmetric() {
    let reverse = |bytes: &[u8]| {
        with_array(bytes, b"plen", |words| {
            let run = words.iter().position(|&length| length != 0);
            words[run.unwrap()] ^= 1;
        })
    };
    assert_refused(&reverse(&TWO_WAY), "a reversed run");
    // The run leads from the upper end of its arc to the lower one.
    assert_refused(&reverse(&SYMMETRIC), "a run with swapped ends");
    let one_direction = with_array(&TWO_WAY, b"shct", |words| words[0] = 1);
    assert_refused(&one_direction, "a missing direction");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]
    /// With some words of the contraction overwritten, the file is refused or the world answers queries and can
    /// be customized for another profile.
    #[test]
    fn forged_shortcut_words_never_panic(
        file in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u32..5), 1..4),
    ) {
        let mut bytes = [&TWO_WAY, &SYMMETRIC, &TAUT][file].to_vec();
        for (array, at, other, kind) in changes {
            let name = array.get(&ARRAYS);
            bytes = with_array(&bytes, name, |words| {
                if words.is_empty() {
                    return;
                }
                let (at, other) = (at.index(words.len()), other.index(words.len()));
                match kind {
                    0 => words.swap(at, other),
                    1 => words[at] = words[other],
                    2 => words[at] ^= 1,
                    3 => words[at] = words[at].wrapping_add(2),
                    _ => words[at] = other as u32,
                }
            });
        }
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
            let mut profile = Profile::default();
            profile.set_factor(1, 2.0).unwrap();
            world.costs(&profile);
        }
    }
}

/// The files above have all the arrays that the tests change.
#[test]
fn forged_files_have_all_arrays() {
    for bytes in [&*TWO_WAY, &*SYMMETRIC, &*TAUT] {
        let names: Vec<Name> = sections(bytes).iter().map(|section| section.name).collect();
        assert!(ARRAYS.iter().all(|name| names.contains(name)));
    }
}
