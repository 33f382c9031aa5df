//! Damaged files for the tests of all readers: truncations, flipped bits, and forged files, whose contents
//! are changed while their size and checksum are right.

use std::ops::Range;

use proptest::sample::Index;
use twox_hash::XxHash3_64;

use crate::ReadError;
use crate::checksum::checksum_of_pieces;
use crate::container::Name;

/// Corrects size and checksum of a changed file, so that tests reach the checks behind them.
pub(crate) fn reseal(bytes: &mut [u8]) {
    let size = (bytes.len() as u64).to_le_bytes();
    bytes[16..24].copy_from_slice(&size);
    let end = bytes.len() - 8;
    let hash = match is_hashed_in_pieces(bytes) {
        true => checksum_of_pieces(&bytes[..end]),
        false => XxHash3_64::oneshot(&bytes[..end]),
    };
    bytes[end..].copy_from_slice(&hash.to_le_bytes());
}

fn is_hashed_in_pieces(bytes: &[u8]) -> bool {
    [*b"INDX", *b"TERR"]
        .iter()
        .any(|kind| bytes[8..12] == *kind)
}

/// Checks that `read` refuses the first `end` bytes of a file for each of `ends`, and the file with one more
/// byte.
#[track_caller]
pub(crate) fn assert_truncations_fail<T>(
    bytes: &[u8],
    ends: impl IntoIterator<Item = usize>,
    read: impl Fn(&[u8]) -> Result<T, ReadError>,
) {
    for end in ends {
        assert!(read(&bytes[..end]).is_err(), "{end} of {}", bytes.len());
    }
    assert!(read(&[bytes, &[0]].concat()).is_err());
}

/// Checks that `read` refuses the file with any one of `bits` flipped.
#[track_caller]
pub(crate) fn assert_flipped_bits_fail<T>(
    bytes: &[u8],
    bits: impl IntoIterator<Item = usize>,
    read: impl Fn(&[u8]) -> Result<T, ReadError>,
) {
    let mut flipped = bytes.to_vec();
    for bit in bits {
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&flipped).is_err(), "bit {bit}");
        flipped[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Overwrites bytes at random positions and corrects size and checksum.
pub(crate) fn overwritten(mut bytes: Vec<u8>, changes: Vec<(Index, u8)>) -> Vec<u8> {
    for (position, value) in changes {
        let position = position.index(bytes.len());
        bytes[position] = value;
    }
    reseal(&mut bytes);
    bytes
}

/// A section of a file.
#[derive(Clone, Debug)]
pub(crate) struct StoredSection {
    pub(crate) name: Name,
    pub(crate) element_bytes: usize,
    /// The bytes of the file that the section occupies.
    pub(crate) range: Range<usize>,
}

/// Returns the sections of a file.
pub(crate) fn sections(bytes: &[u8]) -> Vec<StoredSection> {
    let count = u32::from_le_bytes(*bytes[24..].first_chunk().unwrap()) as usize;
    let entries = bytes[32..].chunks_exact(24).take(count);
    let section = |entry: &[u8]| {
        let number = |at: usize| u64::from_le_bytes(*entry[at..].first_chunk().unwrap()) as usize;
        let element_bytes = u32::from_le_bytes(*entry[4..].first_chunk().unwrap()) as usize;
        let start = number(8);
        StoredSection {
            name: *entry.first_chunk().unwrap(),
            element_bytes,
            range: start..start + number(16) * element_bytes,
        }
    };
    entries.map(section).collect()
}

/// Returns the first section of that name.
pub(crate) fn section(bytes: &[u8], name: &Name) -> StoredSection {
    let mut sections = sections(bytes).into_iter();
    sections.find(|section| section.name == *name).unwrap()
}

/// Overwrites the words of a section from word `first` on, and corrects the checksum.
pub(crate) fn with_words(bytes: &[u8], name: &Name, first: usize, words: &[u32]) -> Vec<u8> {
    let start = section(bytes, name).range.start + 4 * first;
    let mut changed = bytes.to_vec();
    for (i, word) in words.iter().enumerate() {
        changed[start + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
    }
    reseal(&mut changed);
    changed
}

/// Calls `change` with each section, which may change its contents and its length, and corrects the table of
/// sections, size and checksum.
pub(crate) fn with_sections(bytes: &[u8], mut change: impl FnMut(&Name, &mut Vec<u8>)) -> Vec<u8> {
    with_section_list(bytes, |sections| {
        for section in sections {
            change(&section.name, &mut section.contents);
        }
    })
}

/// A section of a forged file.
#[derive(Clone, Debug)]
pub(crate) struct ForgedSection {
    pub(crate) name: Name,
    pub(crate) element_bytes: usize,
    pub(crate) contents: Vec<u8>,
}

/// Calls `change` with the list of all sections, and writes a file with the changed list, with a correct table
/// of sections, size and checksum.
pub(crate) fn with_section_list(
    bytes: &[u8],
    change: impl FnOnce(&mut Vec<ForgedSection>),
) -> Vec<u8> {
    let stored = sections(bytes).into_iter().map(|section| ForgedSection {
        name: section.name,
        element_bytes: section.element_bytes,
        contents: bytes[section.range].to_vec(),
    });
    let mut sections: Vec<ForgedSection> = stored.collect();
    change(&mut sections);
    let alignment = if is_hashed_in_pieces(bytes) { 128 } else { 16 };
    let mut changed = bytes[..32].to_vec();
    changed[24..28].copy_from_slice(&(sections.len() as u32).to_le_bytes());
    changed.resize(32 + 24 * sections.len(), 0);
    for (i, section) in sections.into_iter().enumerate() {
        changed.resize(changed.len().next_multiple_of(alignment), 0);
        let (entry, start) = (32 + 24 * i, changed.len() as u64);
        let count = (section.contents.len() / section.element_bytes) as u64;
        changed[entry..entry + 4].copy_from_slice(&section.name);
        let element_bytes = section.element_bytes as u32;
        changed[entry + 4..entry + 8].copy_from_slice(&element_bytes.to_le_bytes());
        changed[entry + 8..entry + 16].copy_from_slice(&start.to_le_bytes());
        changed[entry + 16..entry + 24].copy_from_slice(&count.to_le_bytes());
        changed.extend(section.contents);
    }
    changed.extend([0; 8]);
    reseal(&mut changed);
    changed
}
