//! The arcs that queries scan, in SIMD blocks of four.
//!
//! The upper ends of a rank's arcs lie on one chain, and many of them have consecutive depths. So arcs are
//! stored in blocks of four consecutive depths, with gaps where there is no arc. On vaduz, a block has 2.7
//! arcs on average with samples at midpoints, and 3.0 with samples at the 75th percentile.

use std::sync::Arc;

use glam::Vec4;

use super::patches::{ArcRow, RowPatches};
use crate::array::Array;

/// The number of depths in a block.
pub(super) const LANES: usize = 4;

/// The labels of four vertices of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelBlock {
    /// The cost of the cheapest path to each vertex.
    pub(super) costs: Vec4,
    /// The depth of the previous vertex on that path, or -1 where the search started.
    predecessors: Vec4,
}

impl LabelBlock {
    pub(super) const UNKNOWN: Self = Self {
        costs: Vec4::INFINITY,
        predecessors: Vec4::NEG_ONE,
    };

    /// Returns the cost in a lane. It avoids the index operator of [`Vec4`], which compiles to a jump with
    /// four targets.
    #[inline]
    pub(super) fn cost(&self, lane: usize) -> f32 {
        let costs: &[f32; LANES] = self.costs.as_ref();
        costs[lane]
    }

    /// Returns the depth of the previous vertex, or `None` where the search started.
    pub(super) fn predecessor(&self, lane: usize) -> Option<u32> {
        let predecessor: &[f32; LANES] = self.predecessors.as_ref();
        let predecessor = predecessor[lane];
        (predecessor >= 0.0).then_some(predecessor as u32)
    }
}

/// Returns the index of the block that contains a depth, and the lane in it.
#[inline]
pub(super) fn block_and_lane(depth: u32) -> (usize, usize) {
    (depth as usize / LANES, depth as usize % LANES)
}

/// Returns what [`block_and_lane`] returns, for rows of arcs.
///
/// # Panics
/// Panics if the depth is not below [`Contraction::MAX_DEPTH`](super::Contraction::MAX_DEPTH).
#[inline]
pub(super) fn short_block_and_lane(depth: u32) -> (u16, usize) {
    let (block, lane) = block_and_lane(depth);
    let block = u16::try_from(block);
    (block.expect("the contraction is not too deep"), lane)
}

/// Returns the lanes of a block that have an arc, one bit each.
#[inline]
fn lanes_of_arcs(costs: Vec4) -> u32 {
    costs.cmplt(Vec4::INFINITY).bitmask()
}

/// Returns the number of arcs in a block.
#[inline]
pub(super) fn arcs_in(costs: Vec4) -> u32 {
    lanes_of_arcs(costs).count_ones()
}

/// The needed arcs of one direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrunedArcs {
    /// The index of the first block of each rank, and the number of blocks at the end.
    pub(super) offsets: Array<u32>,
    /// The first depth of each block, divided by [`LANES`].
    pub(super) depths: Array<u16>,
    /// The costs of each block's arcs. A cost is infinite where there is no arc.
    pub(super) costs: Array<Vec4>,
    /// The number of the part of each rank's first arc. The parts of its other arcs follow.
    pub(super) first_parts: Array<u32>,
    pub(super) arcs: usize,
    /// The rows that a [repair](super::repair) has replaced.
    pub(super) patches: Option<Arc<RowPatches>>,
}

/// The blocks of the arcs of one rank.
#[derive(Clone, Copy)]
pub(super) struct ArcBlocks<'a> {
    /// The first depth of each block, divided by [`LANES`].
    pub(super) depths: &'a [u16],
    pub(super) costs: &'a [Vec4],
}

/// The needed arcs of one direction while they are collected, rank by rank. The fields are those of
/// [`PrunedArcs`].
pub(super) struct PrunedArcsBuilder {
    offsets: Vec<u32>,
    depths: Vec<u16>,
    costs: Vec<Vec4>,
    first_parts: Vec<u32>,
    arcs: usize,
}

impl PrunedArcsBuilder {
    pub(super) fn new() -> Self {
        Self {
            offsets: vec![0],
            depths: Vec::new(),
            costs: Vec::new(),
            first_parts: Vec::new(),
            arcs: 0,
        }
    }

    /// Adds the arcs of the next rank, as the depth of the upper end, the cost and the reference to the part, sorted by
    /// depth. Costs must be finite, and parts consecutive.
    pub(super) fn push(&mut self, arcs: impl Iterator<Item = (u32, f32, u32)>) {
        let first = self.depths.len();
        let mut parts = None;
        for (depth, cost, part) in arcs {
            let (block, lane) = short_block_and_lane(depth);
            if self.depths[first..].last() != Some(&block) {
                self.depths.push(block);
                self.costs.push(Vec4::INFINITY);
            }
            let last = self.costs.len() - 1;
            self.costs[last][lane] = cost;
            self.arcs += 1;
            let (first_part, count) = *parts.get_or_insert((part >> 1, 0));
            debug_assert_eq!(part >> 1, first_part + count, "the parts of a rank");
            parts = Some((first_part, count + 1));
        }
        self.offsets.push(self.depths.len() as u32);
        self.first_parts.push(parts.map_or(0, |(first, _)| first));
    }

    /// Joins the arcs of consecutive ranges of ranks.
    pub(super) fn join(ranges: Vec<Self>) -> PrunedArcs {
        let blocks = ranges.iter().map(|range| range.depths.len()).sum();
        let ranks: usize = ranges.iter().map(|range| range.offsets.len()).sum();
        let mut offsets = Vec::with_capacity(ranks + 1);
        let mut depths = Vec::with_capacity(blocks);
        let mut costs = Vec::with_capacity(blocks);
        let mut first_parts = Vec::with_capacity(ranks);
        let mut arcs = 0;
        offsets.push(0);
        for range in ranges {
            let start = depths.len() as u32;
            offsets.extend(range.offsets[1..].iter().map(|offset| start + offset));
            depths.extend_from_slice(&range.depths);
            costs.extend_from_slice(&range.costs);
            first_parts.extend_from_slice(&range.first_parts);
            arcs += range.arcs;
        }
        PrunedArcs {
            offsets: offsets.into(),
            depths: depths.into(),
            costs: costs.into(),
            first_parts: first_parts.into(),
            arcs,
            patches: None,
        }
    }
}

impl PrunedArcs {
    /// Returns the range of the stored blocks of a rank, whether or not a repair has replaced them.
    pub(super) fn blocks_of(&self, rank: u32) -> std::ops::Range<usize> {
        self.offsets[rank as usize] as usize..self.offsets[rank as usize + 1] as usize
    }

    /// Returns the row of a rank if a repair has replaced it.
    #[inline]
    fn patch(&self, rank: u32) -> Option<&ArcRow> {
        self.patches.as_ref()?.get(rank)
    }

    /// Returns the blocks of a rank.
    #[inline]
    pub(super) fn row(&self, rank: u32) -> ArcBlocks<'_> {
        if let Some(ArcRow { depths, costs, .. }) = self.patch(rank) {
            return ArcBlocks { depths, costs };
        }
        let blocks = self.blocks_of(rank);
        ArcBlocks {
            depths: &self.depths[blocks.clone()],
            costs: &self.costs[blocks],
        }
    }

    /// Returns whether two versions differ in patches only.
    pub(super) fn shares_arrays_with(&self, other: &Self) -> bool {
        self.offsets.is_shared_with(&other.offsets) && self.costs.is_shared_with(&other.costs)
    }

    /// Returns whether the row of a rank has the arcs and costs of the same row of another version. Equal arcs are in equal
    /// blocks.
    pub(super) fn has_row_of(&self, other: &Self, rank: u32) -> bool {
        let [own, other] = [self, other].map(|arcs| arcs.row(rank));
        own.depths == other.depths && own.costs == other.costs
    }

    /// Returns the ranks whose rows were replaced in only one of two versions that share their arrays, or at different times.
    pub(super) fn differing_patches(&self, other: &Self) -> Vec<u32> {
        let [own, other] = [self, other].map(|arcs| arcs.patches.clone().unwrap_or_default());
        own.differing_from(&other)
    }

    /// Returns these arcs with other patches.
    pub(super) fn with_patches(&self, patches: Arc<RowPatches>) -> Self {
        Self {
            patches: Some(patches),
            ..self.clone()
        }
    }

    /// Relaxes the arcs of a rank at `depth`, whose own cost must be finite. Returns the number of blocks.
    #[inline]
    pub(super) fn relax(
        &self,
        rank: u32,
        depth: u32,
        cost: f32,
        labels: &mut [LabelBlock],
    ) -> usize {
        let (cost, depth) = (Vec4::splat(cost), Vec4::splat(depth as f32));
        let ArcBlocks { depths, costs } = self.row(rank);
        for (&block, &costs) in depths.iter().zip(costs) {
            let target = &mut labels[block as usize];
            let costs = cost + costs;
            let is_cheaper = costs.cmplt(target.costs);
            target.costs = costs.min(target.costs);
            target.predecessors = Vec4::select(is_cheaper, depth, target.predecessors);
        }
        depths.len()
    }

    /// Returns the arcs of a rank as the depth of the upper end and the cost, sorted by depth.
    pub(super) fn arcs(&self, rank: u32) -> impl DoubleEndedIterator<Item = (u32, f32)> {
        let ArcBlocks { depths, costs } = self.row(rank);
        let blocks = depths.iter().zip(costs);
        blocks.flat_map(|(&block, costs)| {
            let first = u32::from(block) * LANES as u32;
            let depths = (0..LANES as u32).map(move |lane| first + lane);
            let arcs = depths.zip(costs.to_array());
            arcs.filter(|&(_, cost)| cost < f32::INFINITY)
        })
    }

    /// Returns the reference to the part of the arc from a rank to the vertex at a depth of its chain.
    pub(super) fn part(&self, rank: u32, depth: u32) -> u32 {
        let (block, lane) = short_block_and_lane(depth);
        let ArcBlocks { depths, costs } = self.row(rank);
        let index = depths.iter().position(|&other| other == block);
        let index = index.expect("the rank has an arc to this depth");
        if let Some(row) = self.patch(rank) {
            return row.parts[index][lane];
        }
        let lanes_before = (1 << lane) - 1;
        let in_block = (lanes_of_arcs(costs[index]) & lanes_before).count_ones();
        let in_blocks: u32 = costs[..index].iter().map(|&costs| arcs_in(costs)).sum();
        (self.first_parts[rank as usize] + in_blocks + in_block) << 1
    }

    pub(super) fn arc_count(&self) -> usize {
        self.arcs
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..])
            + size_of_val(&self.depths[..])
            + size_of_val(&self.costs[..])
            + size_of_val(&self.first_parts[..])
            + self.patches.as_ref().map_or(0, |patches| patches.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_ranges_have_the_arcs_of_one_range() {
        let arcs = |rank: u32| {
            (0..rank % 7).map(move |arc| (rank + 3 * arc, arc as f32, 2 * (rank + arc)))
        };
        let range = |ranks: std::ops::Range<u32>| {
            let mut range = PrunedArcsBuilder::new();
            ranks.for_each(|rank| range.push(arcs(rank)));
            range
        };
        let whole = PrunedArcsBuilder::join(vec![range(0..100)]);
        let ranges = [0..1, 1..1, 1..40, 40..100].map(range);
        assert!(PrunedArcsBuilder::join(ranges.into()) == whole);
        assert_eq!(whole.offsets.len(), 101);
        let found: Vec<(u32, f32)> = whole.arcs(41).collect();
        let expected: Vec<(u32, f32)> = arcs(41).map(|(depth, cost, _)| (depth, cost)).collect();
        assert_eq!(found, expected);
        for rank in 0..100 {
            for (depth, _, part) in arcs(rank) {
                assert_eq!(whole.part(rank, depth), part, "{rank}, {depth}");
            }
        }
    }
}
