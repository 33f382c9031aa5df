//! The full check of shortcuts: every arc is one of the contraction, and its path is a path of the graph between
//! the ends of the arc. Whether it is the cheapest is not checked.

use super::parts::{BACKWARDS, MAX_PARTS, MAX_RUN_ARCS, Runs, ShortcutPart, ShortcutParts};
use super::pruned::{LANES, PrunedArcs};
use super::shortcuts::{DOWN, UP};
use super::stored::MAX_VISITS;
use super::{Contraction, Shortcuts};

impl Shortcuts {
    /// Returns whether the path of every shortcut is a path of the graph between the ends of the shortcut. `is_arc`
    /// returns whether the graph has an arc from the first of two vertices to the second, and whether it has one
    /// back. The shortcuts must have passed [`check`](Self::check).
    pub(crate) fn check_paths(
        &self,
        contraction: &Contraction,
        is_arc: impl Fn([u32; 2]) -> [bool; 2],
    ) -> bool {
        let ends = PartEnds::new(contraction, &self.parts, self.is_symmetric(), is_arc);
        let arcs = [(UP, Some(&self.upwards)), (DOWN, self.downwards.as_ref())];
        ends.is_some_and(|ends| {
            let mut arcs = arcs
                .into_iter()
                .filter_map(|(direction, arcs)| Some((direction, arcs?)));
            arcs.all(|(direction, arcs)| arcs.have_paths(contraction, &ends, direction))
        })
    }
}

/// The ends of the path of each part.
struct PartEnds {
    ends: Vec<PartEnd>,
    is_symmetric: bool,
}

/// The ranks at which the path of a part starts and ends, and its number of arcs.
#[derive(Clone, Copy)]
struct PartEnd {
    ranks: [u32; 2],
    length: u32,
}

impl PartEnds {
    /// Checks all parts, and that their paths are in the graph.
    fn new(
        contraction: &Contraction,
        parts: &ShortcutParts,
        is_symmetric: bool,
        is_arc: impl Fn([u32; 2]) -> [bool; 2],
    ) -> Option<Self> {
        let count = contraction.vertex_count();
        let runs = &parts.runs;
        if parts.len() >= MAX_PARTS as usize || !runs.are_below(count) {
            return None;
        }
        let gaps = RunGaps::new(runs, |[a, b]| {
            let [there, back] = is_arc([a, b]);
            a != b && there && (back || !is_symmetric)
        });
        let max_length = (count as u32).saturating_mul(MAX_VISITS);
        let rank_at = |index: u32| contraction.ranks[runs.get(index as usize) as usize];
        let mut all = Self {
            ends: Vec::with_capacity(parts.len()),
            is_symmetric,
        };
        for part in 0..parts.len() {
            let end = match parts.get(part) {
                ShortcutPart::Halves([first, second]) => {
                    let (a, b) = (all.of(first)?, all.of(second)?);
                    let [[start, middle], [other_middle, end]] = [a.ranks, b.ranks];
                    // The middle ranks below both ends in every shortcut.
                    if middle != other_middle || middle >= start.min(end) {
                        return None;
                    }
                    PartEnd {
                        ranks: [start, end],
                        length: a.length.saturating_add(b.length),
                    }
                }
                ShortcutPart::Run {
                    start,
                    arcs: length,
                    is_backwards,
                } => {
                    let is_short = (1..=u32::from(MAX_RUN_ARCS)).contains(&length);
                    let last = start.checked_add(length)?;
                    if !is_short || last as usize >= runs.len() || gaps.is_any_in(start, length) {
                        return None;
                    }
                    let ranks = [rank_at(start), rank_at(last)];
                    all.in_direction(PartEnd { ranks, length }, is_backwards)?
                }
            };
            if end.length > max_length {
                return None;
            }
            all.ends.push(end);
        }
        Some(all)
    }

    /// Returns the ends of the part that a reference is for. Returns `None` if there is no such part yet.
    #[inline]
    fn of(&self, reference: u32) -> Option<PartEnd> {
        let end = *self.ends.get((reference >> 1) as usize)?;
        self.in_direction(end, reference & BACKWARDS)
    }

    /// Reverses the path if `is_backwards` is 1. Returns `None` if nothing may be read backwards.
    #[inline]
    fn in_direction(&self, end: PartEnd, is_backwards: u32) -> Option<PartEnd> {
        let [a, b] = end.ranks;
        match is_backwards {
            0 => Some(end),
            _ => self.is_symmetric.then_some(PartEnd {
                ranks: [b, a],
                ..end
            }),
        }
    }
}

/// The gaps in the runs of shortcuts: the indexes of vertices that no arc joins to the next vertex.
struct RunGaps(Vec<u64>);

impl RunGaps {
    fn new(runs: &Runs, is_arc: impl Fn([u32; 2]) -> bool) -> Self {
        let mut bits = vec![0u64; runs.len() / 64 + 2];
        for index in 1..runs.len() {
            let pair = [index - 1, index].map(|index| runs.get(index));
            bits[(index - 1) / 64] |= u64::from(!is_arc(pair)) << ((index - 1) % 64);
        }
        Self(bits)
    }

    /// Returns whether there is a gap at one of `length` indexes from `first` on. All of them must exist, and
    /// `length` must be from 1 to 64.
    #[inline]
    fn is_any_in(&self, first: u32, length: u32) -> bool {
        let (word, bit) = (first as usize / 64, first % 64);
        let bits = u128::from(self.0[word + 1]) << 64 | u128::from(self.0[word]);
        (bits >> bit) as u64 & (u64::MAX >> (64 - length)) != 0
    }
}

impl PrunedArcs {
    /// Returns whether every arc is one of the contraction, and its part leads from one of its ends to the other.
    fn have_paths(&self, contraction: &Contraction, ends: &PartEnds, direction: usize) -> bool {
        let mut count = 0;
        for rank in 0..contraction.vertex_count() as u32 {
            // The heads of a rank are on one chain, so the highest rank has the smallest depth.
            let mut heads = contraction.up().get(rank as usize).iter().rev();
            let mut part = self.first_parts[rank as usize] << 1;
            for block in self.blocks_of(rank) {
                let before = count;
                for lane in 0..LANES {
                    if self.costs[block].as_ref()[lane] == f32::INFINITY {
                        continue;
                    }
                    let depth = u32::from(self.depths[block]) * LANES as u32 + lane as u32;
                    let depth_of = |head: u32| contraction.depths[head as usize];
                    let Some(&head) = heads.find(|&&head| depth_of(head) >= depth) else {
                        return false;
                    };
                    let expected = if direction == UP {
                        [rank, head]
                    } else {
                        [head, rank]
                    };
                    let is_path = ends.of(part).map(|end| end.ranks) == Some(expected);
                    if depth_of(head) != depth || !is_path {
                        return false;
                    }
                    count += 1;
                    part += 2;
                }
                if count == before {
                    return false;
                }
            }
        }
        count == self.arcs
    }
}
