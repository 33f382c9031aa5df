//! The taut tiers of an index: a table with a row per tier.
//!
//! A tier is a quality level of paths. A taut tier has a graph and a contraction of its own. The cost of each of its
//! shortcuts is that of the taut (string-pulled) path that the shortcut replaces.

use portolan_core::sections::{SectionReader, SectionWriter};
use portolan_core::{Samples, Tier};

use super::damaged;
use crate::ReadError;
use crate::container::Name;

const TABLE: Name = *b"tier";

/// Tier and samples.
type TierRow = [u32; 2];

pub(super) fn add_tiers(tiers: &[(Tier, Samples)], file: &mut SectionWriter) {
    let rows = tiers
        .iter()
        .map(|&(tier, samples)| [tier as u32, samples_word(samples)]);
    file.small(TABLE, &rows.collect::<Vec<TierRow>>());
}

pub(super) fn read_tiers(file: &mut SectionReader) -> Result<Vec<(Tier, Samples)>, ReadError> {
    let table = file.array::<TierRow>(TABLE)?;
    // A strict order rules out duplicates, and so bounds the number of tiers.
    if !table.is_sorted_by(|a, b| a[0] < b[0]) {
        return Err(damaged("its tiers are not in ascending order"));
    }
    let tiers = table.iter().map(|&[tier, samples]| {
        let tier = Tier::CONTRACTED.get(tier as usize).copied();
        let tier = tier.filter(|tier| tier.is_taut());
        tier.zip(samples_of(samples))
            .ok_or_else(|| damaged("its table of tiers is invalid"))
    });
    tiers.collect()
}

/// Words from here on encode a percentile; those below are a number of samples per portal.
const PERCENTILES: u32 = 1 << 16;

pub(super) fn samples_word(samples: Samples) -> u32 {
    match samples {
        Samples::Each(count) => count,
        Samples::ByLength { percentile } => PERCENTILES + u32::from(percentile),
    }
}

/// Decodes the samples of a graph, or returns `None` if no graph can have them.
pub(super) fn samples_of(word: u32) -> Option<Samples> {
    let samples = match word.checked_sub(PERCENTILES) {
        None => Samples::Each(word),
        Some(percentile) => Samples::ByLength {
            percentile: u8::try_from(percentile).ok()?,
        },
    };
    Some(samples).filter(|samples| samples.is_valid())
}
