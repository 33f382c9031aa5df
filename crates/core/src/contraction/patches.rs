//! Changed rows of arcs and the parts of their paths, on top of arrays that do not change.
//!
//! A repair replaces single rows. Publishing them must not copy the index, so they are kept in pages that
//! published versions share: a version copies one pointer per 1 024 rows, and only the pages that differ are its own. The rows
//! that did not change stay where they are, also in a mapped file.

use std::sync::Arc;

use glam::Vec4;

use super::pruned::{LANES, short_block_and_lane};
use crate::paged::Paged;

/// The number of rows of a page. Most repairs replace one row of a page, and copy pointers to the others.
const PAGE_ROWS: usize = 16;

/// The number of parts of a chunk.
const CHUNK_PARTS: usize = 2048;

/// The arcs of one rank in one direction, in blocks as in [`PrunedArcs`](super::pruned::PrunedArcs).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ArcRow {
    pub(super) depths: Vec<u16>,
    pub(super) costs: Vec<Vec4>,
    pub(super) parts: Vec<[u32; LANES]>,
}

impl ArcRow {
    /// Creates a row of arcs, each with the depth of its upper end, its cost and its part, sorted by depth.
    pub(super) fn new(arcs: impl Iterator<Item = (u32, f32, u32)>) -> Self {
        let mut row = Self::default();
        for (depth, cost, part) in arcs {
            let (block, lane) = short_block_and_lane(depth);
            if row.depths.last() != Some(&block) {
                row.depths.push(block);
                row.costs.push(Vec4::INFINITY);
                row.parts.push([0; LANES]);
            }
            let last = row.depths.len() - 1;
            row.costs[last][lane] = cost;
            row.parts[last][lane] = part;
        }
        row
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.depths.len() * (2 + size_of::<Vec4>() + 4 * LANES)
    }
}

/// The rows that differ from those of the arrays below. A clone shares all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowPatches {
    rows: Paged<Option<Arc<ArcRow>>, PAGE_ROWS>,
}

impl RowPatches {
    /// Returns the row of a rank if it was replaced.
    #[inline]
    pub(super) fn get(&self, rank: u32) -> Option<&ArcRow> {
        self.rows.at(rank as usize).as_deref()
    }

    /// Replaces the row of a rank.
    pub(super) fn set(&mut self, rank: u32, row: ArcRow) {
        self.rows.set(rank as usize, Some(Arc::new(row)));
    }

    /// Iterates over the ranks whose rows were replaced, in ascending order.
    pub(super) fn ranks(&self) -> impl Iterator<Item = u32> {
        let ranks = self.rows.changed().map(|rank| rank as u32);
        ranks.filter(|&rank| self.get(rank).is_some())
    }

    /// Returns the ranks whose rows are not the same in memory, in ascending order.
    pub(super) fn differing_from(&self, other: &Self) -> Vec<u32> {
        let row = |patches: &Self, rank| patches.get(rank).map(std::ptr::from_ref);
        let mut ranks = Vec::new();
        self.rows
            .for_each_unshared(&other.rows, |rank| ranks.push(rank as u32));
        ranks.retain(|&rank| row(self, rank) != row(other, rank));
        ranks
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        let rows = self.ranks().filter_map(|rank| self.get(rank));
        self.rows.bytes() + rows.map(ArcRow::bytes).sum::<usize>()
    }
}

/// An added part: references to its two halves; the index of the added part that has both ends of an arc of the graph, and
/// [`EDGE`]; or the two ends of that arc.
pub(super) type AddedPart = [u32; 2];

/// Marks an added part that is a single arc of the graph. It is larger than any reference.
pub(super) const EDGE: u32 = 1 << 31;

/// Parts that were added to an array of parts. A clone shares them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AddedParts {
    chunks: Vec<Arc<Vec<AddedPart>>>,
}

impl AddedParts {
    /// Returns a part.
    #[inline]
    pub(super) fn get(&self, index: usize) -> AddedPart {
        self.chunks[index / CHUNK_PARTS][index % CHUNK_PARTS]
    }

    /// Adds a part and returns its index.
    pub(super) fn push(&mut self, part: AddedPart) -> usize {
        let index = self.len();
        if index.is_multiple_of(CHUNK_PARTS) {
            self.chunks.push(Arc::new(Vec::with_capacity(CHUNK_PARTS)));
        }
        let last = self.chunks.last_mut().expect("a chunk with room");
        // If a published version shares the chunk, this copies it. That version has no reference to what follows.
        Arc::make_mut(last).push(part);
        index
    }

    /// Returns the number of parts.
    pub(super) fn len(&self) -> usize {
        match self.chunks.split_last() {
            Some((last, full)) => full.len() * CHUNK_PARTS + last.len(),
            None => 0,
        }
    }

    /// Iterates over all parts.
    pub(super) fn iter(&self) -> impl Iterator<Item = AddedPart> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        self.len() * size_of::<AddedPart>()
    }
}
