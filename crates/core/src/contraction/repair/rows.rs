//! What queries read after a repair: dropped arcs that come back, new rows of arcs, and the parts of their paths.

use super::RepairState;
use crate::contraction::Contraction;
use crate::contraction::customize::{NO_ARC, NO_HALVES, UP, down};
use crate::contraction::parts::{BACKWARDS, MAX_PARTS};
use crate::contraction::patches::{AddedParts, ArcRow, EDGE, RowPatches};

/// Returns how many parts may be added before those that are not used any more are dropped, for a number of parts that are used.
/// A part has 8 bytes, and 30 to 250 are added by an update of 88 000 polygons, so this comes once in tens of thousands of updates.
pub(super) fn max_added(used: usize) -> usize {
    8 * (used + 64)
}

impl<const DIRS: usize> RepairState<DIRS> {
    /// Restores the arcs that were dropped for arcs whose cost may have grown.
    pub(super) fn restore_raised(&mut self, contraction: &Contraction) {
        let mut index = 0;
        // An arc whose own cost grew may have been the partner of arcs of its row.
        let changed = self.raised.len();
        while let Some(&(arc, direction)) = self.raised.get(index) {
            let (arc, direction) = (arc as usize, usize::from(direction));
            if index < changed {
                for other in contraction.arcs_of(self.arcs[arc].tail as usize) {
                    let witness = self.arcs[other].witness[direction];
                    if witness.is_some_and(|witness| witness.partner as usize == arc) {
                        self.restore(other, direction);
                    }
                }
            }
            let mut dropped = std::mem::replace(&mut self.arcs[arc].dropped_for[direction], NO_ARC);
            while dropped != NO_ARC {
                let (other, other_direction) = ((dropped >> 1) as usize, (dropped & 1) as usize);
                dropped =
                    std::mem::replace(&mut self.arcs[other].next_dropped[other_direction], NO_ARC);
                if self.arcs[other].witness[other_direction].is_some() {
                    self.restore(other, other_direction);
                }
            }
            index += 1;
        }
    }

    fn restore(&mut self, arc: usize, direction: usize) {
        self.arcs[arc].witness[direction] = None;
        self.arcs[arc].is_needed[direction] = true;
        self.touched.push(arc as u32);
        self.raised.push((arc as u32, direction as u8));
    }

    /// Drops the added parts that no row uses any more. All replaced rows are made again, so this takes as long as
    /// some hundred repairs. It only happens if the world is not settled for tens of thousands of updates.
    pub(super) fn drop_unused_parts(&mut self, contraction: &Contraction) {
        self.added = AddedParts::default();
        let first_added = (self.base.parts.len() as u32) << 1;
        for reference in self.arcs.iter_mut().flat_map(|arc| &mut arc.reference) {
            if *reference >= first_added {
                *reference = NO_ARC;
            }
        }
        let ranks = self.patches.iter().flat_map(RowPatches::ranks).collect();
        self.replace_rows(contraction, ranks);
        self.max_added = max_added(self.base.parts.len().max(self.added.len()));
    }

    /// Makes the rows of some ranks again. Returns their number.
    pub(super) fn replace_rows(&mut self, contraction: &Contraction, mut ranks: Vec<u32>) -> usize {
        ranks.sort_unstable();
        ranks.dedup();
        for &rank in &ranks {
            for direction in 0..DIRS {
                let arcs = contraction.arcs_of(rank as usize).rev();
                let mut row = Vec::new();
                for arc in arcs {
                    let cost = self.paths[arc].costs[direction];
                    if cost < f32::INFINITY && self.arcs[arc].is_needed[direction] {
                        let part = self.part(contraction, arc, direction);
                        row.push((self.arcs[arc].depth, cost, part));
                    }
                }
                self.patches[direction].set(rank, ArcRow::new(row.into_iter()));
            }
        }
        ranks.len()
    }

    /// Returns the reference to the part of an arc, and adds the part if there is none.
    fn part(&mut self, contraction: &Contraction, arc: usize, direction: usize) -> u32 {
        let known = self.arcs[arc].reference[direction];
        if known != NO_ARC {
            return known;
        }
        let part = match self.paths[arc].halves[direction] {
            NO_HALVES => {
                let [low, high] = [self.arcs[arc].tail, contraction.up().values()[arc]]
                    .map(|rank| contraction.vertices[rank as usize]);
                let ends = if direction == UP {
                    [low, high]
                } else {
                    [high, low]
                };
                [self.added.push(ends) as u32, EDGE]
            }
            [first, second] => {
                // With one direction, arcs are stored upwards, and the first half is passed downwards.
                let reversed = if DIRS == 1 { BACKWARDS } else { 0 };
                let first = self.part(contraction, first as usize, down::<DIRS>()) ^ reversed;
                [first, self.part(contraction, second as usize, UP)]
            }
        };
        let number = self.base.parts.len() + self.added.push(part);
        assert!(
            number < MAX_PARTS as usize,
            "there are 2^30 shortcuts or more"
        );
        let reference = (number as u32) << 1;
        self.arcs[arc].reference[direction] = reference;
        reference
    }
}
