//! Making hub labels, from the root down.

use rayon::prelude::*;

use super::hubs::{Hub, LabelArrays, LabelsError};
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts};

/// Labels while they are made. All hubs of a vertex lie on its chain, so here they are known by their
/// depth in the elimination tree, and what is known of one vertex fits an array as long as the chain.
pub(super) struct Labelling<'a> {
    contraction: &'a Contraction,
    shortcuts: &'a Shortcuts,
    /// Per direction and rank. The second direction is missing where it would be the same.
    labels: Vec<Vec<Label>>,
}

/// By depth, the deepest first: the vertex itself.
type Label = Box<[Entry]>;

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    cost: f32,
    /// The next rank on the way up.
    next: u32,
}

/// A cost and the next rank as one integer: the least cost is the least integer, then the lowest rank.
fn reach(cost: f32, next: u32) -> u64 {
    u64::from(cost.to_bits()) << 32 | u64::from(next)
}

fn cost(reach: u64) -> f32 {
    f32::from_bits((reach >> 32) as u32)
}

/// What no cost is as large as.
const UNKNOWN: u64 = (f32::INFINITY.to_bits() as u64) << 32 | u32::MAX as u64;

/// Vertices that are labelled before the memory is counted again.
const BATCH: usize = 4096;
/// Vertices that a thread takes at a time.
const SHARE: usize = 32;

impl<'a> Labelling<'a> {
    /// For both directions, or for one that stands for both.
    pub(super) fn new(
        contraction: &'a Contraction,
        shortcuts: &'a Shortcuts,
        directions: usize,
    ) -> Self {
        let count = contraction.vertex_count();
        Self {
            contraction,
            shortcuts,
            labels: vec![vec![Label::default(); count]; directions],
        }
    }

    /// Labels all vertices, if that takes no more memory.
    pub(super) fn finish(mut self, max_bytes: usize) -> Result<Vec<LabelArrays>, LabelsError> {
        let count = self.contraction.vertex_count();
        // Offsets are of 32 bits.
        let limit = max_bytes.min(LabelArrays::bytes(count, u32::MAX as usize));
        // What lies above a vertex has labels before it has; vertices of one depth know nothing of each
        // other.
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&rank| self.contraction.depths[rank as usize]);
        let mut entries = 0;
        let mut done = 0;
        let empty = self.labels.len() * LabelArrays::bytes(count, 0);
        let entry = LabelArrays::bytes(0, 1) - LabelArrays::bytes(0, 0);
        for level in order.chunk_by(|&a, &b| {
            self.contraction.depths[a as usize] == self.contraction.depths[b as usize]
        }) {
            for batch in level.chunks(BATCH) {
                for (&rank, labels) in batch.iter().zip(self.label_all(batch)) {
                    for (all, label) in self.labels.iter_mut().zip(labels) {
                        entries += label.len();
                        all[rank as usize] = label;
                    }
                }
                done += batch.len();
                let reached = empty + entry * entries;
                if reached > limit {
                    return Err(LabelsError::TooLarge {
                        estimate: reached + entry * self.guess(&order[done..]),
                        limit,
                        reached,
                        vertices: done,
                        all: count,
                    });
                }
            }
        }
        let labels = std::mem::take(&mut self.labels);
        Ok(labels.into_iter().map(|all| self.flatten(all)).collect())
    }

    /// How many entries the rest has if each label is as long as the one above.
    fn guess(&self, rest: &[u32]) -> usize {
        let lengths = |labels: &Vec<Label>| {
            let mut lengths: Vec<usize> = labels.iter().map(|label| label.len()).collect();
            let guessed = rest.iter().map(|&rank| {
                let parent = self.contraction.parents[rank as usize];
                lengths[rank as usize] = lengths[parent as usize].max(1);
                lengths[rank as usize]
            });
            guessed.sum::<usize>()
        };
        self.labels.iter().map(lengths).sum()
    }

    /// The labels of vertices of one depth, in each direction.
    fn label_all(&self, batch: &[u32]) -> Vec<Vec<Label>> {
        let deepest = self.contraction.depths[batch[0] as usize] as usize;
        let share = |ranks: &[u32]| {
            let mut reached = vec![UNKNOWN; deepest + 1];
            let mut entries = Vec::new();
            let mut label = |rank| {
                let directions = [UP, DOWN].into_iter().take(self.labels.len());
                directions
                    .map(|way| self.label(way, rank, &mut reached, &mut entries))
                    .collect()
            };
            ranks.iter().map(|&rank| label(rank)).collect::<Vec<_>>()
        };
        if batch.len() <= SHARE {
            return share(batch);
        }
        let shares: Vec<Vec<Vec<Label>>> = batch.par_chunks(SHARE).map(share).collect();
        shares.into_iter().flatten().collect()
    }

    /// The label of a rank whose upper neighbours have theirs. `reached`, by depth, is unknown before and
    /// after.
    fn label(&self, way: usize, rank: u32, reached: &mut [u64], entries: &mut Vec<Entry>) -> Label {
        let (there, back) = (&self.labels[way], &self.labels[self.labels.len() - 1 - way]);
        let depth = self.contraction.depths[rank as usize];
        reached[depth as usize] = reach(0.0, rank);
        for (head, arc) in self.shortcuts.arcs(self.contraction, way, rank) {
            for entry in &there[head as usize] {
                let known = &mut reached[entry.depth as usize];
                *known = (*known).min(reach(arc + entry.cost, head));
            }
        }
        entries.clear();
        let mut hub = rank;
        for depth in (0..=depth).rev() {
            let known = reached[depth as usize];
            let is_beaten = || {
                // Over a higher hub, of which the first in a label is none; the highest are the likeliest.
                let higher = back[hub as usize].iter().skip(1).rev();
                let mut over = higher.map(|e| cost(reached[e.depth as usize]) + e.cost);
                over.any(|detour| detour <= cost(known))
            };
            if hub == rank || cost(known) < f32::INFINITY && !is_beaten() {
                entries.push(Entry {
                    depth,
                    cost: cost(known),
                    next: known as u32,
                });
            }
            hub = self.contraction.parents[hub as usize];
        }
        reached.fill(UNKNOWN);
        entries.as_slice().into()
    }

    /// The labels of one direction in flat arrays, by vertex and with hubs by rank.
    fn flatten(&self, mut labels: Vec<Label>) -> LabelArrays {
        let count = labels.iter().map(|label| label.len()).sum();
        let mut arrays = LabelArrays {
            offsets: Vec::with_capacity(labels.len() + 1),
            hubs: Vec::with_capacity(count),
            nexts: Vec::with_capacity(count),
        };
        arrays.offsets.push(0);
        for &rank in &self.contraction.ranks {
            let (mut hub, mut depth) = (rank, self.contraction.depths[rank as usize]);
            for entry in std::mem::take(&mut labels[rank as usize]) {
                while depth > entry.depth {
                    hub = self.contraction.parents[hub as usize];
                    depth -= 1;
                }
                let cost = entry.cost;
                arrays.hubs.push(Hub { rank: hub, cost });
                arrays.nexts.push(entry.next);
            }
            arrays.offsets.push(arrays.hubs.len() as u32);
        }
        arrays
    }
}
