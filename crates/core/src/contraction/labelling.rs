//! Computes hub labels, from the root of the elimination tree down.

use rayon::prelude::*;

use super::hubs::{Hub, LabelArrays, LabelsError};
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts};

/// Hub labels under construction. All hubs of a vertex lie on its chain, so here they are identified by
/// their depth in the elimination tree, and the costs to all hubs of a vertex fit into an array as long as
/// its chain.
pub(super) struct Labelling<'a> {
    contraction: &'a Contraction,
    shortcuts: &'a Shortcuts,
    /// The label of each rank, per direction. There is one direction if every arc costs the same in both.
    labels: Vec<Vec<HubLabel>>,
}

/// The hubs of a vertex by depth, deepest first. The first one is the vertex itself.
type HubLabel = Box<[HubEntry]>;

/// A hub of a vertex.
#[derive(Clone, Copy)]
struct HubEntry {
    depth: u32,
    cost: f32,
    /// The next rank on the path up to the hub.
    next: u32,
}

/// Packs a cost and the next rank into one integer. The smallest integer has the lowest cost, and among
/// equal costs the lowest rank.
fn pack(cost: f32, next: u32) -> u64 {
    u64::from(cost.to_bits()) << 32 | u64::from(next)
}

/// Returns the cost of a packed integer.
fn cost(packed: u64) -> f32 {
    f32::from_bits((packed >> 32) as u32)
}

/// Larger than any packed cost.
const UNKNOWN: u64 = (f32::INFINITY.to_bits() as u64) << 32 | u32::MAX as u64;

/// The number of vertices that are labelled before the memory limit is checked again.
const BATCH: usize = 4096;
/// The number of vertices that a thread takes at a time.
const CHUNK: usize = 32;

impl<'a> Labelling<'a> {
    /// Prepares labels for both directions, or for one that represents both.
    pub(super) fn new(
        contraction: &'a Contraction,
        shortcuts: &'a Shortcuts,
        directions: usize,
    ) -> Self {
        let count = contraction.vertex_count();
        Self {
            contraction,
            shortcuts,
            labels: vec![vec![HubLabel::default(); count]; directions],
        }
    }

    /// Labels all vertices. Fails if the labels would exceed `max_bytes`.
    pub(super) fn finish(mut self, max_bytes: usize) -> Result<Vec<LabelArrays>, LabelsError> {
        let count = self.contraction.vertex_count();
        // Offsets have 32 bits.
        let limit = max_bytes.min(LabelArrays::bytes(count, u32::MAX as usize));
        // A vertex is labelled after all vertices above it. Vertices of the same depth do not depend on
        // each other.
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
                        estimate: reached + entry * self.estimate_remaining(&order[done..]),
                        limit,
                        reached,
                        vertices: done,
                        total: count,
                    });
                }
            }
        }
        let labels = std::mem::take(&mut self.labels);
        Ok(labels.into_iter().map(|all| self.flatten(all)).collect())
    }

    /// Estimates the number of entries of the remaining labels, assuming that each is as long as the label
    /// of its parent.
    fn estimate_remaining(&self, rest: &[u32]) -> usize {
        let lengths = |labels: &Vec<HubLabel>| {
            let mut lengths: Vec<usize> = labels.iter().map(|label| label.len()).collect();
            let estimated = rest.iter().map(|&rank| {
                let parent = self.contraction.parents[rank as usize];
                lengths[rank as usize] = lengths[parent as usize].max(1);
                lengths[rank as usize]
            });
            estimated.sum::<usize>()
        };
        self.labels.iter().map(lengths).sum()
    }

    /// Returns the labels of vertices at one depth, in each direction.
    fn label_all(&self, batch: &[u32]) -> Vec<Vec<HubLabel>> {
        let deepest = self.contraction.depths[batch[0] as usize] as usize;
        let label_chunk = |ranks: &[u32]| {
            let mut reached = vec![UNKNOWN; deepest + 1];
            let mut entries = Vec::new();
            let mut label = |rank| {
                let directions = [UP, DOWN].into_iter().take(self.labels.len());
                directions
                    .map(|direction| self.label(direction, rank, &mut reached, &mut entries))
                    .collect()
            };
            ranks.iter().map(|&rank| label(rank)).collect::<Vec<_>>()
        };
        if batch.len() <= CHUNK {
            return label_chunk(batch);
        }
        let chunks: Vec<Vec<Vec<HubLabel>>> = batch.par_chunks(CHUNK).map(label_chunk).collect();
        chunks.into_iter().flatten().collect()
    }

    /// Returns the label of a rank whose upper neighbours are labelled. `reached` is indexed by depth and
    /// filled with [`UNKNOWN`] before and after.
    fn label(
        &self,
        direction: usize,
        rank: u32,
        reached: &mut [u64],
        entries: &mut Vec<HubEntry>,
    ) -> HubLabel {
        let (labels, reverse_labels) = (
            &self.labels[direction],
            &self.labels[self.labels.len() - 1 - direction],
        );
        let depth = self.contraction.depths[rank as usize];
        reached[depth as usize] = pack(0.0, rank);
        for (head, arc) in self.shortcuts.arcs(self.contraction, direction, rank) {
            for entry in &labels[head as usize] {
                let known = &mut reached[entry.depth as usize];
                *known = (*known).min(pack(arc + entry.cost, head));
            }
        }
        entries.clear();
        let mut hub = rank;
        for depth in (0..=depth).rev() {
            let known = reached[depth as usize];
            let is_dominated = || {
                // A detour over a higher hub. The first entry of a label is the hub itself. The highest
                // hubs are tried first, because they are the most likely to be on a cheaper path.
                let higher = reverse_labels[hub as usize].iter().skip(1).rev();
                let mut detours = higher.map(|e| cost(reached[e.depth as usize]) + e.cost);
                detours.any(|detour| detour <= cost(known))
            };
            if hub == rank || cost(known) < f32::INFINITY && !is_dominated() {
                entries.push(HubEntry {
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

    /// Converts the labels of one direction into flat arrays, indexed by vertex and with hubs by rank.
    fn flatten(&self, mut labels: Vec<HubLabel>) -> LabelArrays {
        let count = labels.iter().map(|label| label.len()).sum();
        let mut offsets = Vec::with_capacity(labels.len() + 1);
        let (mut hubs, mut nexts) = (Vec::with_capacity(count), Vec::with_capacity(count));
        offsets.push(0);
        for &rank in &self.contraction.ranks {
            let (mut hub, mut depth) = (rank, self.contraction.depths[rank as usize]);
            for entry in std::mem::take(&mut labels[rank as usize]) {
                while depth > entry.depth {
                    hub = self.contraction.parents[hub as usize];
                    depth -= 1;
                }
                let cost = entry.cost;
                hubs.push(Hub { rank: hub, cost });
                nexts.push(entry.next);
            }
            offsets.push(hubs.len() as u32);
        }
        LabelArrays {
            offsets: offsets.into(),
            hubs: hubs.into(),
            nexts: nexts.into(),
        }
    }
}
