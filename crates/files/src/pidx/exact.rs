//! The exact tier of an index: its options, the tangents between corners, and the hub labels of corners.
//!
//! The exact tier finds the shortest any-angle paths in plan. The file stores what takes long to compute. The
//! mesh and the profile determine everything else, including the positions of the corners.

use portolan_core::exact::{ExactParts, HubEntry};
use portolan_core::sections::{SectionReader, SectionWriter};
use portolan_core::{Csr, ExactLimits, ExactOptions, World};

use super::damaged;
use crate::ReadError;
use crate::container::Name;

const OPTIONS: Name = *b"exac";
const TANGENT_OFFSETS: Name = *b"exof";
const TANGENTS: Name = *b"extg";
const LABEL_OFFSETS: Name = *b"exlo";
const LABELS: Name = *b"exlb";

/// The limits per polygon on cones and on label entries, whether `auto` uses the tier, and whether it has labels.
type OptionsRow = [u64; 4];

/// The length of an entry as the bits of an `f64`, then its hub in the low half and the next node in the high
/// half.
type EntryWords = [u64; 2];

pub(super) fn add_exact(world: &World, file: &mut SectionWriter) {
    let Some((options, parts)) = world.exact_options().zip(world.exact_parts()) else {
        file.small::<OptionsRow>(OPTIONS, &[]);
        return;
    };
    let ExactLimits {
        cones_per_polygon,
        entries_per_polygon,
    } = options.limits;
    let row: OptionsRow = [
        limit_word(cones_per_polygon),
        limit_word(entries_per_polygon),
        options.auto.into(),
        parts.labels.is_some().into(),
    ];
    file.small(OPTIONS, &[row]);
    file.small(TANGENT_OFFSETS, parts.adjacent.offsets());
    file.small(TANGENTS, parts.adjacent.values());
    if let Some(labels) = parts.labels {
        let words = |entry: &HubEntry| {
            let ids = u64::from(entry.next) << 32 | u64::from(entry.hub);
            [entry.length.to_bits(), ids]
        };
        let entries: Vec<EntryWords> = labels.values().iter().map(words).collect();
        file.small(LABEL_OFFSETS, labels.offsets());
        file.small(LABELS, &entries);
    }
}

pub(super) fn read_exact(
    file: &mut SectionReader,
) -> Result<Option<(ExactOptions, ExactParts)>, ReadError> {
    let [cones, entries, auto, has_labels] = match file.array::<OptionsRow>(OPTIONS)?[..] {
        [] => return Ok(None),
        [row] => row,
        _ => return Err(damaged("it has more than one exact tier")),
    };
    if auto > 1 || has_labels > 1 {
        return Err(damaged("the options of its exact tier are invalid"));
    }
    let options = ExactOptions {
        limits: ExactLimits {
            cones_per_polygon: limit_of(cones),
            entries_per_polygon: limit_of(entries),
        },
        auto: auto == 1,
    };
    let adjacent = Csr::from_parts(
        file.array(TANGENT_OFFSETS)?.to_vec(),
        file.array(TANGENTS)?.to_vec(),
    );
    let adjacent = adjacent.ok_or_else(|| damaged("its section exof is not a list of offsets"))?;
    let labels = match has_labels == 1 {
        true => Some(read_labels(file)?),
        false => None,
    };
    Ok(Some((options, ExactParts { adjacent, labels })))
}

fn read_labels(file: &mut SectionReader) -> Result<Csr<HubEntry>, ReadError> {
    let offsets = file.array(LABEL_OFFSETS)?.to_vec();
    let words = file.array::<EntryWords>(LABELS)?;
    let entries = words.iter().map(|&[length, ids]| HubEntry {
        length: f64::from_bits(length),
        hub: ids as u32,
        next: (ids >> 32) as u32,
    });
    let labels = Csr::from_parts(offsets, entries.collect());
    labels.ok_or_else(|| damaged("its section exlo is not a list of offsets"))
}

/// Returns the number that stands for a limit in files. It is the same on computers of 32 and 64 bits.
fn limit_word(limit: usize) -> u64 {
    match limit {
        usize::MAX => u64::MAX,
        limit => limit as u64,
    }
}

fn limit_of(word: u64) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
