//! Costs along whole chains, for questions with more than one start or goal.
//!
//! A query of one start and one goal skips most of both chains, because it knows both ends. With many ends,
//! the chain of each end is climbed once and kept: a cost per depth, in blocks of four. The cost of a path
//! is then the smallest sum of two chains over the depths that they share, exactly as in a query, with the
//! same `f32` sums in the same order.

use glam::Vec4;

use super::pruned::{ArcBlocks, LANES, PrunedArcs, block_and_lane};
use super::{Contraction, Shortcuts};
use crate::ids::Terminal;

/// The lanes of the last block of a shared part. Adding infinity to the lanes behind the last shared depth
/// excludes them.
pub(crate) const LAST_LANES: [Vec4; LANES] = [
    Vec4::new(0.0, f32::INFINITY, f32::INFINITY, f32::INFINITY),
    Vec4::new(0.0, 0.0, f32::INFINITY, f32::INFINITY),
    Vec4::new(0.0, 0.0, 0.0, f32::INFINITY),
    Vec4::ZERO,
];

impl Shortcuts {
    /// Returns the arcs by which a path climbs away from a start, or descends to a goal.
    fn climbing(&self, end: Terminal) -> &PrunedArcs {
        match end {
            Terminal::Start => self.upwards(),
            Terminal::Goal => self.downwards(),
        }
    }

    /// Computes the costs between one end of a path and every vertex of its chain, by depth. `legs` are the
    /// vertices at that end, pairwise adjacent, each with the cost of the leg outside the graph. Calls `visit`
    /// with the rank and the cost of every vertex that is reached, from the lowest rank up; where it returns
    /// false, the climb does not continue from that vertex. Returns the lowest rank, or `None` if there are no
    /// legs.
    pub(crate) fn climb_chain(
        &self,
        contraction: &Contraction,
        end: Terminal,
        legs: impl Iterator<Item = (u32, f32)> + Clone,
        costs: &mut Vec<Vec4>,
        mut visit: impl FnMut(u32, f32) -> bool,
    ) -> Option<u32> {
        costs.clear();
        let lowest = contraction.lowest_rank(legs.clone().map(|(vertex, _)| vertex))?;
        let mut depth = contraction.depths[lowest as usize];
        costs.resize(block_and_lane(depth).0 + 1, Vec4::INFINITY);
        for (vertex, cost) in legs {
            let rank = contraction.ranks[vertex as usize];
            let (block, lane) = block_and_lane(contraction.depths[rank as usize]);
            let known = &mut costs[block].as_mut()[lane];
            *known = known.min(cost);
        }
        let arcs = self.climbing(end);
        let mut rank = lowest;
        loop {
            let (block, lane) = block_and_lane(depth);
            let cost = costs[block].as_ref()[lane];
            if cost < f32::INFINITY && visit(rank, cost) {
                arcs.lower_costs(rank, cost, costs);
            }
            if depth == 0 {
                return Some(lowest);
            }
            rank = contraction.parents[rank as usize];
            depth -= 1;
        }
    }

    /// Extends costs from some vertices to all: PHAST (Delling, Goldberg, Nowatzyk and Werneck 2013). `costs`
    /// has the cost of every rank that a [climb](Self::climb_chain) from `end` has reached, and infinity for
    /// the others.
    ///
    /// Ranks are a post-order, so from the highest rank down the tree is traversed with parents first. The
    /// chain of the current rank is then always in one array by depth, `chain`, which stays in the L1 cache.
    pub(crate) fn sweep(
        &self,
        contraction: &Contraction,
        end: Terminal,
        chain: &mut Vec<Vec4>,
        costs: &mut [f32],
    ) {
        // A path to a goal climbs from everywhere else, and a path from a start descends to everywhere else.
        let arcs = match end {
            Terminal::Start => self.downwards(),
            Terminal::Goal => self.upwards(),
        };
        chain.clear();
        chain.resize(contraction.depth() / LANES + 1, Vec4::INFINITY);
        for (rank, cost) in costs.iter_mut().enumerate().rev() {
            let ArcBlocks { depths, costs } = arcs.row(rank as u32);
            let mut min = Vec4::INFINITY;
            for (&block, &costs) in depths.iter().zip(costs) {
                min = min.min(chain[block as usize] + costs);
            }
            *cost = cost.min(min.min_element());
            let (block, lane) = block_and_lane(contraction.depths[rank]);
            chain[block].as_mut()[lane] = *cost;
        }
    }
}

impl PrunedArcs {
    /// Lowers the costs of a chain to what they are over a rank, whose own cost must be finite.
    #[inline]
    fn lower_costs(&self, rank: u32, cost: f32, chain: &mut [Vec4]) {
        let cost = Vec4::splat(cost);
        let ArcBlocks { depths, costs } = self.row(rank);
        for (&block, &costs) in depths.iter().zip(costs) {
            let target = &mut chain[block as usize];
            *target = target.min(cost + costs);
        }
    }
}

impl Contraction {
    /// Returns the lowest rank of some vertices; `None` if there are none.
    pub(crate) fn lowest_rank(&self, vertices: impl Iterator<Item = u32>) -> Option<u32> {
        vertices.map(|vertex| self.ranks[vertex as usize]).min()
    }

    /// Calls `visit` with every rank of a chain whose cost is finite, and that cost. `costs` are by depth.
    pub(crate) fn for_each_on_chain(
        &self,
        lowest: u32,
        costs: &[Vec4],
        mut visit: impl FnMut(u32, f32),
    ) {
        let mut rank = lowest;
        for depth in (0..=self.depths[lowest as usize]).rev() {
            let (block, lane) = block_and_lane(depth);
            let cost = costs[block].as_ref()[lane];
            if cost < f32::INFINITY {
                visit(rank, cost);
            }
            rank = self.parents[rank as usize];
        }
    }

    /// Returns the number of depths, from the root down, at which the chains of two ranks have the same vertex.
    pub(crate) fn shared_depths(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let lower = if a < b { &mut a } else { &mut b };
            let parent = self.parents[*lower as usize];
            if parent == *lower {
                // A root below the other chain belongs to another tree.
                return 0;
            }
            *lower = parent;
        }
        self.depths[a as usize] + 1
    }
}

/// Returns the smallest sum of two chains over the first `shared` depths; infinity if that is 0.
#[inline]
pub(crate) fn min_sum(a: &[Vec4], b: &[Vec4], shared: u32) -> f32 {
    let Some(last) = shared.checked_sub(1) else {
        return f32::INFINITY;
    };
    let (last, lane) = block_and_lane(last);
    let (a, b) = (&a[..=last], &b[..=last]);
    let mut min = a[last] + b[last] + LAST_LANES[lane];
    for (&a, &b) in a[..last].iter().zip(&b[..last]) {
        min = min.min(a + b);
    }
    min.min_element()
}
