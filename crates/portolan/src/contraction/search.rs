//! Two chains, one from the start and one from the goal.
//!
//! A chain has one vertex of each depth, so labels go by depth: two arrays as long as the tree is
//! deep, which stay in the nearest cache whatever the size of the graph.
//!
//! # What bounds it
//! By callgrind with a 32 KB and a 1 MB cache, over `World::search` on 1000 random queries: on the map
//! vaduz 3100 arcs are looked at a query, of 60 600 instructions in all 15 for each arc, and 510 and 44
//! reads miss the caches; on `open` with 88 000 polygons 11 400 arcs, 206 700 instructions, 1840 and 570
//! misses. So it is the number of arcs, which is the order's to make small, and on large worlds the
//! memory they lie in: an arc takes 8 bytes, and both directions share one graph where they can.
//! (Counted when shortcuts of up to 48 arcs were written out; it is 24 now.) Runs of a chain without a
//! branch between their vertices were slower on vaduz and `open` and mixed on `rooms`: they cannot leave
//! out a vertex that is dearer than the best way so far.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::shortcuts::Pruned;
use super::{Contraction, Shortcuts};

/// Memory of a search, for one contraction after the other.
#[derive(Clone, Debug, Default)]
pub struct ContractionScratch {
    from_start: Chain,
    to_goal: Chain,
    /// Parts yet to be taken apart.
    stack: Vec<u32>,
}

/// The way from a vertex to the root, by depth.
#[derive(Clone, Debug, Default)]
struct Chain {
    /// All [`UNKNOWN`] from `reached` on. The rest is of the search before, however that ended, until
    /// the next begins.
    labels: Vec<u64>,
    ranks: Vec<u32>,
    reached: usize,
}

/// A cost and the depth it comes from, as one integer: the least cost is the least integer.
#[inline]
fn label(cost: f32, from: u32) -> u64 {
    u64::from(cost.to_bits()) << 32 | u64::from(from)
}

#[inline]
fn cost(label: u64) -> f32 {
    f32::from_bits((label >> 32) as u32)
}

/// No depth: the search began here.
const BEGIN: u32 = u32::MAX;
/// What no cost is as large as.
const UNKNOWN: u64 = (f32::INFINITY.to_bits() as u64) << 32 | BEGIN as u64;

impl Shortcuts {
    /// The cheapest way from one of some vertices to one of others, each with the cost before or after
    /// it; either are pairwise adjacent. Its vertices are told in order. `None` where there is none
    /// of less than `most` or just that.
    pub fn search(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)>,
        goals: impl Iterator<Item = (u32, f32)>,
        most: f32,
        scratch: &mut ContractionScratch,
        tell: impl FnMut(u32),
    ) -> Option<f32> {
        let ContractionScratch {
            from_start,
            to_goal,
            stack,
        } = scratch;
        let first = from_start.begin(contraction, starts)?;
        let last = to_goal.begin(contraction, goals)?;
        let (cost, meeting) = self.meet(contraction, [first, last], most, from_start, to_goal)?;
        self.tell_way(contraction, meeting, from_start, to_goal, stack, tell);
        Some(cost)
    }

    /// Walks both chains to the root; the least cost and the depth where its way is highest.
    fn meet(
        &self,
        contraction: &Contraction,
        [mut up, mut down]: [u32; 2],
        most: f32,
        from_start: &mut Chain,
        to_goal: &mut Chain,
    ) -> Option<(f32, u32)> {
        let (upwards, downwards) = (self.upwards(), self.downwards());
        // Apart, until one chain is on the other.
        while up != down {
            let (graph, chain, at) = if up < down {
                (upwards, &mut *from_start, &mut up)
            } else {
                (downwards, &mut *to_goal, &mut down)
            };
            let depth = contraction.depths[*at as usize];
            chain.ranks[depth as usize] = *at;
            graph.relax(*at, depth, most, &mut chain.labels);
            let parent = contraction.parents[*at as usize];
            if parent == *at {
                return None;
            }
            *at = parent;
        }
        let (mut best, mut meeting) = (most, None);
        let mut at = up;
        for depth in (0..=contraction.depths[at as usize]).rev() {
            from_start.ranks[depth as usize] = at;
            to_goal.ranks[depth as usize] = at;
            let labels = [&from_start.labels, &to_goal.labels];
            let [there, back] = labels.map(|labels| cost(labels[depth as usize]));
            let whole = there + back;
            if whole < best || whole == best && meeting.is_none() && whole < f32::INFINITY {
                best = whole;
                meeting = Some(depth);
            }
            upwards.relax(at, depth, best, &mut from_start.labels);
            downwards.relax(at, depth, best, &mut to_goal.labels);
            at = contraction.parents[at as usize];
        }
        meeting.map(|meeting| (best, meeting))
    }

    fn tell_way(
        &self,
        contraction: &Contraction,
        meeting: u32,
        from_start: &Chain,
        to_goal: &Chain,
        stack: &mut Vec<u32>,
        mut tell: impl FnMut(u32),
    ) {
        let mut tell = |vertex| {
            tell(vertex);
            ControlFlow::<Infallible>::Continue(())
        };
        stack.clear();
        let mut at = meeting;
        while let Some((low, rank)) = from_start.before(at) {
            stack.push(self.upwards().part(rank, at));
            at = low;
        }
        let ControlFlow::Continue(()) =
            tell(contraction.vertices[from_start.ranks[at as usize] as usize]);
        let ControlFlow::Continue(()) = self.parts.take_apart(stack, &mut tell);
        // What is kept as a way up is read backwards.
        let turn = u32::from(self.is_symmetric());
        let mut at = meeting;
        while let Some((low, rank)) = to_goal.before(at) {
            stack.push(self.downwards().part(rank, at) ^ turn);
            let ControlFlow::Continue(()) = self.parts.take_apart(stack, &mut tell);
            at = low;
        }
    }
}

impl Pruned {
    /// What can be reached over the arcs of a rank, if it costs no more than `most`.
    #[inline]
    fn relax(&self, rank: u32, depth: u32, most: f32, labels: &mut [u64]) {
        let known = cost(labels[depth as usize]);
        if known > most || known == f32::INFINITY {
            return;
        }
        let arcs = self.offsets[rank as usize] as usize..self.offsets[rank as usize + 1] as usize;
        for arc in &self.arcs[arcs] {
            let there = &mut labels[arc.depth as usize];
            *there = (*there).min(label(known + arc.cost, depth));
        }
    }

    /// What the arc from a rank to what is at a depth of its chain stands for.
    pub(super) fn part(&self, rank: u32, depth: u32) -> u32 {
        let first = self.offsets[rank as usize] as usize;
        let mut arcs = self.arcs[first..].iter();
        let place = arcs.position(|arc| arc.depth == depth);
        self.parts[first + place.expect("an arc that led there")]
    }
}

impl Chain {
    /// Forgets the search before, and labels the vertices that this one begins with; the lowest rank
    /// among them.
    fn begin(
        &mut self,
        contraction: &Contraction,
        vertices: impl Iterator<Item = (u32, f32)>,
    ) -> Option<u32> {
        self.labels[..self.reached].fill(UNKNOWN);
        self.reached = 0;
        let mut lowest = None;
        for (vertex, cost) in vertices {
            let rank = contraction.ranks[vertex as usize];
            let depth = contraction.depths[rank as usize] as usize;
            if self.labels.len() <= depth {
                self.labels.resize(depth + 1, UNKNOWN);
                self.ranks.resize(depth + 1, 0);
            }
            self.reached = self.reached.max(depth + 1);
            // Not -0.0, whose bits are above those of all costs.
            let begin = label(cost + 0.0, BEGIN);
            self.labels[depth] = self.labels[depth].min(begin);
            lowest = Some(lowest.map_or(rank, |lowest: u32| lowest.min(rank)));
        }
        lowest
    }

    /// The depth and the rank before a depth; none where the search began.
    fn before(&self, depth: u32) -> Option<(u32, u32)> {
        let before = self.labels[depth as usize] as u32;
        (before != BEGIN).then(|| (before, self.ranks[before as usize]))
    }
}
