//! Changed rows of arcs and the parts of their paths, on top of arrays that do not change.
//!
//! A repair replaces single rows. Publishing them must not copy the index, so they are kept in pages that
//! published versions share: a version copies one pointer per page, and only the pages that differ are its own. The rows that
//! did not change stay where they are, also in a mapped file.

use std::sync::Arc;

use glam::Vec4;

use super::pruned::{LANES, short_block_and_lane};

/// The number of rows of a page.
const PAGE_ROWS: usize = 64;

/// The number of parts of a chunk.
const CHUNK_PARTS: usize = 512;

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

type Page = [Option<Arc<ArcRow>>; PAGE_ROWS];

/// The rows that differ from those of the arrays below. A clone shares all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowPatches {
    pages: Vec<Option<Arc<Page>>>,
}

impl RowPatches {
    /// Returns the row of a rank if it was replaced.
    #[inline]
    pub(super) fn get(&self, rank: u32) -> Option<&ArcRow> {
        let page = self.pages.get(rank as usize / PAGE_ROWS)?.as_ref()?;
        page[rank as usize % PAGE_ROWS].as_deref()
    }

    /// Replaces the row of a rank.
    pub(super) fn set(&mut self, rank: u32, row: ArcRow) {
        let page = rank as usize / PAGE_ROWS;
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page].get_or_insert_with(|| Arc::new([const { None }; PAGE_ROWS]));
        Arc::make_mut(page)[rank as usize % PAGE_ROWS] = Some(Arc::new(row));
    }

    /// Iterates over the ranks whose rows were replaced.
    pub(super) fn ranks(&self) -> impl Iterator<Item = u32> {
        let pages = (0..).step_by(PAGE_ROWS).zip(&self.pages);
        pages.flat_map(|(first, page)| {
            let rows = (first..).zip(page.iter().flat_map(|page| page.iter()));
            rows.filter_map(|(rank, row)| row.as_ref().map(|_| rank))
        })
    }

    /// Returns the ranks whose rows are not the same in memory, in ascending order.
    pub(super) fn differing_from(&self, other: &Self) -> Vec<u32> {
        let is_shared = |own: Option<&Arc<ArcRow>>, other: Option<&Arc<ArcRow>>| match (own, other)
        {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        let mut ranks = Vec::new();
        for page in 0..self.pages.len().max(other.pages.len()) {
            let [own, other] =
                [self, other].map(|patches| patches.pages.get(page).and_then(Option::as_ref));
            if own.map(Arc::as_ptr) == other.map(Arc::as_ptr) {
                continue;
            }
            let differs = |&row: &usize| {
                let [own, other] =
                    [own, other].map(|page| page.and_then(|page| page[row].as_ref()));
                !is_shared(own, other)
            };
            let rows = (0..PAGE_ROWS).filter(differs);
            ranks.extend(rows.map(|index| (page * PAGE_ROWS + index) as u32));
        }
        ranks
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten();
        let rows = pages
            .clone()
            .flat_map(|page| page.iter().flatten())
            .map(|row| row.bytes());
        self.pages.len() * 8 + pages.count() * size_of::<Page>() + rows.sum::<usize>()
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
