//! A contraction in an index: its order, its arcs, and their costs and paths for the default profile, in the
//! layout that queries read.

use std::io::Read;

use bytemuck::NoUninit;
use portolan_core::contraction::{ArcArrays, Contraction, ShortcutArrays, Shortcuts};
use portolan_core::{Array, ContractionParts};

use super::damaged;
use crate::ReadError;
use crate::container::{Name, Reader, Writer};

const RANKS: Name = *b"rank";
const UPPER_OFFSETS: Name = *b"upof";
const UPPER_NEIGHBOURS: Name = *b"uppr";
const SHORTCUTS: Name = *b"shct";
const ARC_OFFSETS: Name = *b"arof";
const ARC_DEPTHS: Name = *b"ardp";
const ARC_COSTS: Name = *b"arct";
const ARC_PARTS: Name = *b"arpt";
const PARTS: Name = *b"part";
const RUNS: Name = *b"runs";

pub(super) fn add_contraction<'a>(
    contraction: &'a Contraction,
    shortcuts: &'a Shortcuts,
    file: &mut Writer<'a>,
) {
    file.section(RANKS, contraction.order());
    let upper = contraction.upper_neighbours();
    file.section(UPPER_OFFSETS, upper.offsets());
    file.section(UPPER_NEIGHBOURS, upper.values());
    let ShortcutArrays {
        upwards,
        downwards,
        parts,
        runs,
        cost_estimate,
    } = shortcuts.arrays();
    let directions = 1 + u32::from(downwards.is_some());
    file.owned_section(SHORTCUTS, &[directions, cost_estimate.to_bits()]);
    for arcs in [upwards].into_iter().chain(downwards) {
        add_array(ARC_OFFSETS, arcs.offsets, file);
        add_array(ARC_DEPTHS, arcs.depths, file);
        add_array(ARC_COSTS, arcs.costs, file);
        add_array(ARC_PARTS, arcs.parts, file);
    }
    add_array(PARTS, parts, file);
    add_array(RUNS, runs, file);
}

fn add_array<T: NoUninit>(name: Name, array: Array<T>, file: &mut Writer<'_>) {
    file.owned_section(name, &array);
}

pub(super) fn read_contraction(
    file: &mut Reader<impl Read>,
) -> Result<ContractionParts, ReadError> {
    let order = file.section(RANKS)?.into();
    let upper_neighbours = file.lists(UPPER_OFFSETS, UPPER_NEIGHBOURS)?.into();
    let &[directions @ (1 | 2), cost_estimate] = &file.section::<u32>(SHORTCUTS)?[..] else {
        return Err(damaged("its section shct is invalid"));
    };
    let upwards = read_arcs(file)?;
    let downwards = match directions {
        2 => Some(read_arcs(file)?),
        _ => None,
    };
    Ok(ContractionParts {
        order,
        upper_neighbours,
        shortcuts: ShortcutArrays {
            upwards,
            downwards,
            parts: file.section(PARTS)?.into(),
            runs: file.section(RUNS)?.into(),
            cost_estimate: f32::from_bits(cost_estimate),
        },
    })
}

fn read_arcs(file: &mut Reader<impl Read>) -> Result<ArcArrays, ReadError> {
    Ok(ArcArrays {
        offsets: file.section(ARC_OFFSETS)?.into(),
        depths: file.section(ARC_DEPTHS)?.into(),
        costs: file.section(ARC_COSTS)?.into(),
        parts: file.section(ARC_PARTS)?.into(),
    })
}
