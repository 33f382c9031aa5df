//! Costs between a vertex and everything above it, in arrays by depth.
//!
//! All vertices that a climb from a vertex reaches lie on its chain, one per depth of the elimination tree. So
//! the results of all climbs fit into plain arrays of costs, indexed by depth. Two vertices share the
//! upper part of their chains, and the cost between them is the smallest sum of their arrays over the depths
//! that they share: a short loop without branches, which suits SIMD. The literature calls this tree-decomposition
//! or hierarchical 2-hop labelling (H2H: Ouyang, Qin, Chang, Lin, Zhang and Zhu 2018). Unlike there, an array
//! has the costs of upward paths only, which is enough because every cheapest path climbs and then descends.

use glam::Vec4;
use rayon::prelude::*;

use super::pruned::{LANES, block_and_lane};
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts, tree};
use crate::ids::Terminal;

/// The costs between each vertex and the vertices of its chain, for one direction. Depths of four consecutive
/// vertices are in one block.
#[derive(Debug)]
pub(crate) struct DepthArrays {
    /// The index of the first block of each rank.
    firsts: Vec<u32>,
    costs: Vec<Vec4>,
}

impl DepthArrays {
    /// Computes the costs from each vertex up to its chain ([`Terminal::Start`]), or from the chain down to each vertex
    /// ([`Terminal::Goal`]). Both are the same if the shortcuts are symmetric. There must be at most `u32::MAX`
    /// [blocks](Contraction::depth_blocks).
    pub(crate) fn new(contraction: &Contraction, shortcuts: &Shortcuts, end: Terminal) -> Self {
        let direction = match end {
            Terminal::Start => UP,
            Terminal::Goal => DOWN,
        };
        let count = contraction.vertex_count();
        let mut firsts = vec![0; count];
        // The highest rank comes first, so that an array is computed from arrays in front of it.
        let mut blocks = 0;
        for rank in (0..count).rev() {
            firsts[rank] = blocks;
            blocks += contraction.blocks_above(rank) as u32;
        }
        let mut costs = vec![Vec4::INFINITY; blocks as usize];
        let arcs = |rank: usize| shortcuts.arcs(contraction, direction, rank as u32);
        let blocks_of = |head: u32| contraction.blocks_above(head as usize);

        // What is above the chunks of the tree is computed on one thread, and then each chunk on its own.
        let chunks = tree::chunks(&contraction.parents);
        let mut upper: Vec<Vec4> = Vec::new();
        let mut upper_firsts = vec![0; count];
        let mut work = Vec::with_capacity(chunks.len());
        let (mut rest, mut end) = (&mut costs[..], count);
        let mut chunks = chunks.into_iter().rev().peekable();
        while end > 0 {
            let chunk = chunks.next_if(|chunk| chunk.end == end);
            let ranks = chunk.clone().unwrap_or(end - 1..end);
            let blocks = ranks.clone().map(|rank| contraction.blocks_above(rank));
            let (part, after) = rest.split_at_mut(blocks.sum());
            (rest, end) = (after, ranks.start);
            if chunk.is_some() {
                work.push((ranks, part));
                continue;
            }
            for (head, cost) in arcs(end) {
                let first = upper_firsts[head as usize];
                lower(part, &upper[first..first + blocks_of(head)], cost);
            }
            set_own(part, contraction.depths[end]);
            upper_firsts[end] = upper.len();
            upper.extend_from_slice(part);
        }
        work.into_par_iter()
            .with_max_len(1)
            .for_each(|(ranks, part)| {
                let top = ranks.end as u32 - 1;
                for rank in ranks.rev() {
                    let start = (firsts[rank] - firsts[top as usize]) as usize;
                    let (above, own) = part.split_at_mut(start);
                    for (head, cost) in arcs(rank) {
                        let through = match head <= top {
                            true => {
                                &above[(firsts[head as usize] - firsts[top as usize]) as usize..]
                            }
                            false => &upper[upper_firsts[head as usize]..],
                        };
                        lower(own, &through[..blocks_of(head)], cost);
                    }
                    set_own(own, contraction.depths[rank]);
                }
            });
        Self { firsts, costs }
    }

    /// Returns the costs of a rank by depth, up to its own.
    pub(crate) fn of(&self, contraction: &Contraction, rank: u32) -> &[Vec4] {
        let first = self.firsts[rank as usize] as usize;
        &self.costs[first..first + contraction.blocks_above(rank as usize)]
    }
}

/// Lowers costs to what they are over a vertex whose costs are `through`.
fn lower(own: &mut [Vec4], through: &[Vec4], cost: f32) {
    let cost = Vec4::splat(cost);
    for (own, &through) in own.iter_mut().zip(through) {
        *own = own.min(through + cost);
    }
}

/// Sets the cost of a vertex to itself, which is 0.
fn set_own(own: &mut [Vec4], depth: u32) {
    let (block, lane) = block_and_lane(depth);
    own[block].as_mut()[lane] = 0.0;
}

impl Contraction {
    /// Returns the rank of a vertex.
    pub(crate) fn rank_of(&self, vertex: u32) -> u32 {
        self.ranks[vertex as usize]
    }

    /// Returns the number of blocks of the array of a rank.
    pub(crate) fn blocks_above(&self, rank: usize) -> usize {
        self.depths[rank] as usize / LANES + 1
    }

    /// Returns the number of blocks of the arrays of all ranks.
    pub(crate) fn depth_blocks(&self) -> usize {
        (0..self.vertex_count())
            .map(|rank| self.blocks_above(rank))
            .sum()
    }
}

/// Tells in constant time how many depths the chains of two ranks share.
///
/// Ranks are a post-order of the elimination tree. Of two ranks, the lower one and all ranks up to below the
/// higher one are below their lowest common ancestor, and one of them is its child. So the number of shared depths is
/// the smallest depth among these ranks. A sparse table (Bender and Farach-Colton 2000) has the smallest depth
/// of every range whose length is a power of two, and two such ranges cover any other.
#[derive(Debug)]
pub(crate) struct SharedDepths {
    count: usize,
    /// Row `i` has the smallest depth of the 2^i ranks that start at each rank.
    rows: Vec<u16>,
}

impl SharedDepths {
    /// The maximum depth of a contraction.
    pub(crate) const MAX_DEPTH: usize = u16::MAX as usize;

    /// Builds the table of a contraction whose [depth](Contraction::depth) is at most
    /// [`MAX_DEPTH`](Self::MAX_DEPTH).
    pub(crate) fn new(contraction: &Contraction) -> Self {
        let count = contraction.vertex_count();
        let mut rows: Vec<u16> = Vec::with_capacity(Self::entries(count));
        rows.extend(contraction.depths.iter().map(|&depth| depth as u16));
        let mut length = 1;
        while 2 * length <= count {
            let last = rows.len() - count;
            for rank in 0..count {
                let other = (rank + length).min(count - 1);
                rows.push(rows[last + rank].min(rows[last + other]));
            }
            length *= 2;
        }
        Self { count, rows }
    }

    /// Returns the number of ranks and the rows of the table.
    pub(crate) fn rows(&self) -> (usize, &[u16]) {
        (self.count, &self.rows)
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    /// Returns the number of entries of the table for this many ranks.
    pub(crate) fn entries(ranks: usize) -> usize {
        ranks * (ranks.checked_ilog2().unwrap_or(0) as usize + 1)
    }

    /// Returns the number of depths, from the root down, at which the chains of two ranks have the same vertex.
    #[inline]
    pub(crate) fn of(&self, a: u32, b: u32) -> u32 {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        if low == high {
            return u32::from(self.rows[low]) + 1;
        }
        let row = (high - low).ilog2() as usize;
        let depths = &self.rows[row * self.count..(row + 1) * self.count];
        u32::from(depths[low].min(depths[high - (1 << row)]))
    }
}

#[cfg(test)]
#[path = "depth_arrays_test.rs"]
mod tests;
