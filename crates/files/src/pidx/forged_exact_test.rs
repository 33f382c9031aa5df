//! Forged exact tiers: the checksum of the file is right, and no build gives its tangents or labels.
//!
//! The reader either refuses such a file or returns a world that answers queries without a panic.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::forged_tests::{bytes_of, words_of};
use super::test_worlds::*;
use super::*;
use crate::test_damage::{ForgedSection, sections, with_section_list, with_sections};

/// A file with an exact tier with hub labels.
static LABELS: LazyLock<Vec<u8>> = LazyLock::new(|| to_bytes(&with_exact_labels()));
/// A file with an exact tier whose paths can use links, and which therefore has no labels.
static LINKS: LazyLock<Vec<u8>> = LazyLock::new(|| to_bytes(&with_exact_links()));

/// The sections of an exact tier as words. Those of the labels are empty if there are none.
#[derive(Clone)]
struct ExactWords {
    /// Two words each: the limits on cones and on entries, whether `auto` is exact, whether there are labels.
    options: Vec<u32>,
    tangent_offsets: Vec<u32>,
    tangents: Vec<u32>,
    label_offsets: Vec<u32>,
    /// Four words each: the two halves of the length, the hub, the next node.
    entries: Vec<u32>,
}

impl ExactWords {
    fn of(bytes: &[u8]) -> Self {
        let words = |name: &Name| {
            let section = sections(bytes)
                .into_iter()
                .find(|section| section.name == *name);
            section.map_or_else(Vec::new, |section| words_of(&bytes[section.range]))
        };
        Self {
            options: words(b"exac"),
            tangent_offsets: words(b"exof"),
            tangents: words(b"extg"),
            label_offsets: words(b"exlo"),
            entries: words(b"exlb"),
        }
    }

    fn all(&mut self) -> [&mut Vec<u32>; 5] {
        [
            &mut self.options,
            &mut self.tangent_offsets,
            &mut self.tangents,
            &mut self.label_offsets,
            &mut self.entries,
        ]
    }

    fn in_file(self, bytes: &[u8]) -> Vec<u8> {
        with_sections(bytes, |name, section| {
            let words = match name {
                b"exac" => &self.options,
                b"exof" => &self.tangent_offsets,
                b"extg" => &self.tangents,
                b"exlo" => &self.label_offsets,
                b"exlb" => &self.entries,
                _ => return,
            };
            *section = bytes_of(words);
        })
    }

    /// Returns the nodes that a node sees.
    fn neighbours(&self, node: usize) -> &[u32] {
        let [start, end] = [node, node + 1].map(|i| self.tangent_offsets[i] as usize);
        &self.tangents[start..end]
    }

    fn node_count(&self) -> usize {
        self.tangent_offsets.len() - 1
    }

    /// Replaces the tangents.
    fn set_tangents(&mut self, lists: &[Vec<u32>]) {
        self.tangents = lists.concat();
        self.tangent_offsets = vec![0];
        for list in lists {
            let end = self.tangent_offsets[self.tangent_offsets.len() - 1] + list.len() as u32;
            self.tangent_offsets.push(end);
        }
    }

    /// Returns the index of the first tangent of a node with two tangents or more.
    fn first_of_two_tangents(&self) -> usize {
        first_of_two(&self.tangent_offsets)
    }

    /// Returns the index of the first word of an entry that is followed by another of the same label.
    fn first_of_two_entries(&self) -> usize {
        4 * first_of_two(&self.label_offsets)
    }

    /// Returns the index of the first word of an entry that leads on to another node.
    fn entry_that_leads_on(&self) -> usize {
        let entries = self.entries.chunks_exact(4);
        4 * entries.into_iter().position(|e| e[3] != u32::MAX).unwrap()
    }

    /// Returns the node of the label with the entry at this word.
    fn node_of_entry(&self, word: usize) -> usize {
        let entry = (word / 4) as u32;
        self.label_offsets.partition_point(|&start| start <= entry) - 1
    }

    fn set_length(&mut self, word: usize, length: f64) {
        let bits = length.to_bits();
        self.entries[word] = bits as u32;
        self.entries[word + 1] = (bits >> 32) as u32;
    }
}

/// Returns the start of the first list with at least two elements.
fn first_of_two(offsets: &[u32]) -> usize {
    let list = offsets.windows(2).find(|list| list[1] - list[0] >= 2);
    list.unwrap()[0] as usize
}

#[track_caller]
fn assert_damaged(bytes: &[u8], what: &str) {
    let error = from_bytes(bytes).map(drop).expect_err(what);
    assert!(
        matches!(error, ReadError::Damaged { .. }),
        "{what}: {error}"
    );
}

#[test]
fn forged_options_and_tangents_are_errors() {
    type Forgery = (&'static str, fn(&mut ExactWords));
    let forgeries: [Forgery; 17] = [
        ("no options", |words| words.options.clear()),
        ("two tiers", |words| words.options.extend_from_within(..)),
        ("auto is 2", |words| words.options[4] = 2),
        ("auto is 2^32", |words| words.options[5] = 1),
        ("labels is 2", |words| words.options[6] = 2),
        ("other labels", |words| words.options[6] ^= 1),
        ("no offsets", |words| words.tangent_offsets.clear()),
        ("an offset too large", |words| {
            words.tangent_offsets[1] = u32::MAX;
        }),
        ("a node too many", |words| {
            let end = words.tangents.len() as u32;
            words.tangent_offsets.push(end);
        }),
        ("a node too few", |words| {
            words.tangent_offsets.pop();
            let end = *words.tangent_offsets.last().unwrap();
            words.tangents.truncate(end as usize);
        }),
        ("one direction only", |words| {
            words.tangents.pop();
            let end = words.tangents.len() as u32;
            let offsets = words.tangent_offsets.iter_mut();
            offsets.for_each(|offset| *offset = end.min(*offset));
        }),
        ("a node that does not exist", |words| {
            let last = words.tangents.len() - 1;
            words.tangents[last] = words.node_count() as u32;
        }),
        ("a node that is no number", |words| {
            let last = words.tangents.len() - 1;
            words.tangents[last] = u32::MAX;
        }),
        ("a node that sees itself", |words| {
            let node = (0..).find(|&node| !words.neighbours(node).is_empty());
            words.tangents[0] = node.unwrap() as u32;
        }),
        ("tangents in descending order", |words| {
            let at = words.first_of_two_tangents();
            words.tangents.swap(at, at + 1);
        }),
        ("a tangent twice", |words| {
            let at = words.first_of_two_tangents();
            words.tangents[at + 1] = words.tangents[at];
        }),
        ("all nodes see each other", |words| {
            let count = words.node_count() as u32;
            let others = |node| (0..count).filter(|&other| other != node).collect();
            let lists: Vec<Vec<u32>> = (0..count).map(others).collect();
            words.set_tangents(&lists);
        }),
    ];
    for bytes in [&*LABELS, &*LINKS] {
        assert!(from_bytes(&ExactWords::of(bytes).in_file(bytes)).is_ok());
        for (what, forge) in &forgeries {
            let mut words = ExactWords::of(bytes);
            forge(&mut words);
            assert_damaged(&words.in_file(bytes), what);
        }
    }
}

#[test]
fn forged_exact_labels_are_errors() {
    type Forgery = (&'static str, fn(&mut ExactWords));
    let forgeries: [Forgery; 14] = [
        ("no offsets", |words| words.label_offsets.clear()),
        ("an offset too large", |words| {
            words.label_offsets[1] = u32::MAX;
        }),
        ("a label too many", |words| {
            let end = words.entries.len() as u32 / 4;
            words.label_offsets.push(end);
        }),
        ("an entry too few", |words| {
            words.entries.truncate(words.entries.len() - 4);
        }),
        ("hubs in descending order", |words| {
            let at = words.first_of_two_entries();
            words.entries.swap(at + 2, at + 6);
        }),
        ("a hub twice", |words| {
            let at = words.first_of_two_entries();
            words.entries[at + 6] = words.entries[at + 2];
        }),
        ("a hub that does not exist", |words| {
            let last = words.entries.len() - 4;
            words.entries[last + 2] = words.node_count() as u32;
        }),
        ("a next node that does not exist", |words| {
            let at = words.entry_that_leads_on();
            words.entries[at + 3] = words.node_count() as u32;
        }),
        ("a next node that is the node itself", |words| {
            let at = words.entry_that_leads_on();
            words.entries[at + 3] = words.node_of_entry(at) as u32;
        }),
        ("a next node that the node does not see", |words| {
            let at = words.entry_that_leads_on();
            let node = words.node_of_entry(at);
            let is_hidden = |other: &u32| !words.neighbours(node).contains(other);
            let hidden = (0..words.node_count() as u32).find(is_hidden);
            words.entries[at + 3] = hidden.unwrap();
        }),
        ("a next node that is no nearer to the hub", |words| {
            let at = words.entry_that_leads_on();
            words.set_length(at, 0.0);
        }),
        ("a length that is no number", |words| {
            words.set_length(0, f64::NAN);
        }),
        ("an infinite length", |words| {
            words.set_length(0, f64::INFINITY);
        }),
        ("a negative length", |words| words.set_length(0, -1.0)),
    ];
    for (what, forge) in forgeries {
        let mut words = ExactWords::of(&LABELS);
        forge(&mut words);
        assert_damaged(&words.in_file(&LABELS), what);
    }
}

/// Labels do not know links, so a world with open links must not have them.
#[test]
fn labels_together_with_links_are_an_error() {
    let mut words = ExactWords::of(&LINKS);
    let count = words.node_count();
    words.options[6] = 1;
    let forged = with_section_list(&words.in_file(&LINKS), |sections| {
        // Each node has one entry, which says that it is a hub.
        let offsets: Vec<u32> = (0..=count as u32).collect();
        let entries: Vec<u32> = (0..count as u32)
            .flat_map(|node| [0, 0, node, u32::MAX])
            .collect();
        sections.push(ForgedSection {
            name: *b"exlo",
            element_bytes: 4,
            contents: bytes_of(&offsets),
        });
        sections.push(ForgedSection {
            name: *b"exlb",
            element_bytes: 16,
            contents: bytes_of(&entries),
        });
    });
    assert_damaged(&forged, "labels and links");
}

/// The exact tier requires one cost per metre, and the profile decides which corners there are.
#[test]
fn a_profile_that_does_not_fit_the_exact_tier_is_an_error() {
    let mesh = large_mesh();
    let areas = mesh.areas();
    let other = areas.iter().find(|&&area| area != areas[0]);
    let at = 4 * usize::from(*other.expect("the mesh has several areas"));
    let with_factor = |factor: f32| {
        with_sections(&LABELS, |name, section| {
            if name == b"fact" {
                section[at..at + 4].copy_from_slice(&factor.to_le_bytes());
            }
        })
    };
    assert!(from_bytes(&with_factor(1.0)).is_ok());
    assert_damaged(&with_factor(2.0), "two costs");
    assert_damaged(&with_factor(f32::INFINITY), "fewer open polygons");
    let with_links = with_sections(&LABELS, |name, section| {
        if name == b"rule" {
            section[8] = 1;
        }
    });
    assert_damaged(&with_links, "open links");
}

/// Two corners that do not see each other are connected. Whether the tangent is refused depends on the walls at
/// both corners. Queries return any answer and do not panic.
#[test]
fn queries_survive_tangents_through_walls() {
    let mut accepted = 0;
    for bytes in [&*LABELS, &*LINKS] {
        let words = ExactWords::of(bytes);
        let count = words.node_count();
        for a in (0..count).step_by(3) {
            for b in (a + 1..count).step_by(7) {
                if words.neighbours(a).contains(&(b as u32)) {
                    continue;
                }
                let mut lists: Vec<Vec<u32>> = (0..count)
                    .map(|node| words.neighbours(node).to_vec())
                    .collect();
                for [from, to] in [[a, b], [b, a]] {
                    lists[from].push(to as u32);
                    lists[from].sort_unstable();
                }
                let mut forged = words.clone();
                forged.set_tangents(&lists);
                if let Ok(world) = from_bytes(&forged.in_file(bytes)) {
                    answers(&world);
                    accepted += 1;
                }
            }
        }
    }
    assert!(accepted > 10, "only {accepted} files were accepted");
}

/// The reader cannot detect that hubs are missing in a label. Queries return any answer and do not panic.
#[test]
fn queries_survive_exact_labels_with_missing_hubs() {
    let mut words = ExactWords::of(&LABELS);
    let count = words.node_count() as u32;
    words.label_offsets = (0..=count).collect();
    words.entries = (0..count).flat_map(|node| [0, 0, node, u32::MAX]).collect();
    answers(&from_bytes(&words.in_file(&LABELS)).unwrap());
    let mut words = ExactWords::of(&LABELS);
    words.label_offsets.fill(0);
    words.entries.clear();
    answers(&from_bytes(&words.in_file(&LABELS)).unwrap());
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]
    /// With some words of the exact tier overwritten, the file is refused or the world answers queries.
    #[test]
    fn forged_exact_words_never_panic(
        has_links in any::<bool>(),
        changes in prop::collection::vec((0usize..5, any::<prop::sample::Index>(), 0u32..400, any::<bool>()), 1..6),
        cut in prop::option::of((0usize..5, any::<prop::sample::Index>())),
    ) {
        let bytes = if has_links { &*LINKS } else { &*LABELS };
        let mut words = ExactWords::of(bytes);
        let all = words.all();
        for (array, at, value, copies) in changes {
            let words = &mut *all[array];
            if words.is_empty() {
                continue;
            }
            let at = at.index(words.len());
            words[at] = match copies {
                true => words[value as usize % words.len()],
                false => value,
            };
        }
        if let Some((array, at)) = cut {
            let length = at.index(all[array].len().max(1));
            all[array].truncate(length & !7);
        }
        if let Ok(world) = from_bytes(&words.in_file(bytes)) {
            answers(&world);
        }
    }

    /// With the lengths and next nodes of some entries changed, the file is refused or the world answers queries.
    #[test]
    fn forged_entries_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0f64..50.0, any::<prop::sample::Index>(), 0u32..4), 1..40),
    ) {
        let mut words = ExactWords::of(&LABELS);
        for (entry, length, next, kind) in changes {
            let at = 4 * entry.index(words.entries.len() / 4);
            let node = words.node_of_entry(at);
            match kind {
                0 => words.entries[at + 3] = u32::MAX,
                1 if !words.neighbours(node).is_empty() => {
                    words.entries[at + 3] = *next.get(words.neighbours(node));
                }
                _ => words.set_length(at, length),
            }
        }
        if let Ok(world) = from_bytes(&words.in_file(&LABELS)) {
            answers(&world);
        }
    }
}
