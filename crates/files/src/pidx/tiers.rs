//! The taut tiers of an index: a table with a row of words for each, then the vertex of each rank.

use std::io::Read;

use portolan_core::{Samples, Tier, TierParts, World};

use super::damaged;
use crate::ReadError;
use crate::container::{Name, Reader, Writer};

const TABLE: Name = *b"tier";
const RANKS: Name = *b"trnk";

/// Tier, samples and number of arcs.
type Row = [u32; 3];

pub(super) fn add_tiers<'a>(world: &'a World, file: &mut Writer<'a>) {
    let (mut table, mut orders): (Vec<Row>, Vec<&[u32]>) = Default::default();
    for tier in Tier::TAUT {
        if let Some((graph, contraction)) = world.tier(tier) {
            let samples = samples_word(graph.options().samples);
            table.push([tier as u32, samples, contraction.arc_count() as u32]);
            orders.push(contraction.order());
        }
    }
    file.made_section(TABLE, &table);
    for order in orders {
        file.section(RANKS, order);
    }
}

pub(super) fn take_tiers(file: &mut Reader<impl Read>) -> Result<Vec<TierParts>, ReadError> {
    let table = file.section::<Row>(TABLE)?;
    // In their order, so none comes twice and there are not many.
    if !table.is_sorted_by(|a, b| a[0] < b[0]) {
        return Err(damaged("its tiers are out of order"));
    }
    let parts = table.into_iter().map(|[tier, samples, arcs]| {
        let wrong = || damaged("its tiers make no sense");
        let tier = Tier::ALL.get(tier as usize).copied();
        Ok(TierParts {
            tier: tier.filter(|tier| tier.is_taut()).ok_or_else(wrong)?,
            samples: samples_of(samples).ok_or_else(wrong)?,
            order: file.section(RANKS)?,
            arcs: arcs as usize,
        })
    });
    parts.collect()
}

/// Numbers from here on are percentiles, and those below are samples of each portal.
const PERCENTILES: u32 = 1 << 16;

pub(super) fn samples_word(samples: Samples) -> u32 {
    match samples {
        Samples::Each(count) => count,
        Samples::ByLength { percentile } => PERCENTILES + u32::from(percentile),
    }
}

/// `None` where no graph has such samples.
pub(super) fn samples_of(word: u32) -> Option<Samples> {
    let samples = match word.checked_sub(PERCENTILES) {
        None => Samples::Each(word),
        Some(percentile) => Samples::ByLength {
            percentile: u8::try_from(percentile).ok()?,
        },
    };
    Some(samples).filter(|samples| samples.is_valid())
}
