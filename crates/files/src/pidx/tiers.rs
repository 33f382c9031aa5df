//! The taut tiers of an index: a table with a row per tier, then the contraction of each tier.
//!
//! A tier is a quality level of paths. A taut tier has a contraction of its own. The cost of each of its
//! shortcuts is that of the taut (string-pulled) path that the shortcut replaces.

use std::io::Read;

use portolan_core::{Samples, Tier, TierParts, World};

use super::contraction::{add_contraction, read_contraction};
use super::damaged;
use crate::ReadError;
use crate::container::{Name, Reader, Writer};

const TABLE: Name = *b"tier";

/// Tier and samples.
type TierRow = [u32; 2];

pub(super) fn add_tiers<'a>(world: &'a World, file: &mut Writer<'a>) {
    let (mut table, mut contractions): (Vec<TierRow>, Vec<_>) = Default::default();
    for tier in Tier::TAUT {
        let shortcuts = world.default_costs().shortcuts(tier);
        if let (Some((graph, contraction)), Some(shortcuts)) = (world.tier(tier), shortcuts) {
            table.push([tier as u32, samples_word(graph.options().samples)]);
            contractions.push((contraction, shortcuts));
        }
    }
    file.owned_section(TABLE, &table);
    for (contraction, shortcuts) in contractions {
        add_contraction(contraction, shortcuts, file);
    }
}

pub(super) fn read_tiers(file: &mut Reader<impl Read>) -> Result<Vec<TierParts>, ReadError> {
    let table = file.section::<TierRow>(TABLE)?;
    // A strict order rules out duplicates, and so bounds the number of tiers.
    if !table.is_sorted_by(|a, b| a[0] < b[0]) {
        return Err(damaged("its tiers are not in ascending order"));
    }
    let parts = table.into_iter().map(|[tier, samples]| {
        let invalid = || damaged("its table of tiers is invalid");
        let tier = Tier::CONTRACTED.get(tier as usize).copied();
        Ok(TierParts {
            tier: tier.filter(|tier| tier.is_taut()).ok_or_else(invalid)?,
            samples: samples_of(samples).ok_or_else(invalid)?,
            contraction: read_contraction(file)?,
        })
    });
    parts.collect()
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
