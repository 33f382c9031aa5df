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
//!
//! Where both chains are one, what they know of a vertex together bounds the best way before the rest is
//! looked at, and a vertex is left out if the way beyond it, as the crow flies, is too long. On vaduz,
//! three runs in turns: 2% less time with sums on midpoints, 5% and 8% with taut costs and samples at
//! the 90th and 75th percentile. Without the crow's flight there was nothing to win.

use std::convert::Infallible;
use std::ops::ControlFlow;

use glam::Vec4;

use super::pruned::{LANES, Labels, place};
use super::{Contraction, Shortcuts};

/// Memory of a search, for one contraction after the other.
#[derive(Clone, Debug, Default)]
pub struct ContractionScratch {
    from_start: Chain,
    to_goal: Chain,
    /// Parts yet to be taken apart.
    stack: Vec<u32>,
}

/// What is known of a way before it is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<F> {
    /// Ways that cost more are not found.
    pub most: f32,
    /// What it costs at least to get from the start to a vertex, and from there to the goal.
    pub least: F,
}

impl Bounds<fn(u32) -> [f32; 2]> {
    /// Nothing but the most that a way may cost.
    pub fn most(most: f32) -> Self {
        Self {
            most,
            least: |_| [0.0; 2],
        }
    }
}

/// The way from a vertex to the root, by depth.
#[derive(Clone, Debug, Default)]
struct Chain {
    /// All [`Labels::UNKNOWN`] from `reached` on. The rest is of the search before, however that ended,
    /// until the next begins.
    labels: Vec<Labels>,
    ranks: Vec<u32>,
    reached: usize,
}

impl Shortcuts {
    /// The cheapest way from one of some vertices to one of others, each with the cost before or after
    /// it; either are pairwise adjacent. Its vertices are told in order. `None` where there is none
    /// within the bounds.
    pub fn search(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)>,
        goals: impl Iterator<Item = (u32, f32)>,
        bounds: Bounds<impl Fn(u32) -> [f32; 2]>,
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
        let (cost, meeting) =
            self.meet(contraction, [first, last], bounds, [from_start, to_goal])?;
        self.tell_way(contraction, meeting, from_start, to_goal, stack, tell);
        Some(cost)
    }

    /// Walks both chains to the root; the least cost and the depth where its way is highest.
    fn meet(
        &self,
        contraction: &Contraction,
        [mut up, mut down]: [u32; 2],
        Bounds { most, least }: Bounds<impl Fn(u32) -> [f32; 2]>,
        [from_start, to_goal]: [&mut Chain; 2],
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
        let deepest = contraction.depths[at as usize];
        let mut bound = most.min(from_start.least_sum(to_goal, deepest));
        for depth in (0..=deepest).rev() {
            from_start.ranks[depth as usize] = at;
            to_goal.ranks[depth as usize] = at;
            let whole = from_start.cost(depth) + to_goal.cost(depth);
            if whole < best || whole == best && meeting.is_none() && whole < f32::INFINITY {
                best = whole;
                meeting = Some(depth);
            }
            bound = bound.min(best);
            // On a straight way the cost so far and the crow's flight beyond are together what the best way
            // costs, but for rounding: that must not cut it. Chains are short, so it is little.
            let most = bound * (1.0 + 1e-5);
            let [before, after] = least(contraction.vertices[at as usize]);
            upwards.relax(at, depth, most - after, &mut from_start.labels);
            downwards.relax(at, depth, most - before, &mut to_goal.labels);
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

impl Chain {
    /// Forgets the search before, and labels the vertices that this one begins with; the lowest rank
    /// among them.
    fn begin(
        &mut self,
        contraction: &Contraction,
        vertices: impl Iterator<Item = (u32, f32)>,
    ) -> Option<u32> {
        self.labels[..self.reached].fill(Labels::UNKNOWN);
        self.reached = 0;
        let mut lowest = None;
        for (vertex, cost) in vertices {
            let rank = contraction.ranks[vertex as usize];
            let depth = contraction.depths[rank as usize];
            let (four, lane) = place(depth);
            if self.labels.len() <= four {
                self.labels.resize(four + 1, Labels::UNKNOWN);
                self.ranks.resize((four + 1) * LANES, 0);
            }
            self.reached = self.reached.max(four + 1);
            let known = &mut self.labels[four].costs[lane];
            *known = known.min(cost);
            lowest = Some(lowest.map_or(rank, |lowest: u32| lowest.min(rank)));
        }
        lowest
    }

    #[inline]
    fn cost(&self, depth: u32) -> f32 {
        let (four, lane) = place(depth);
        self.labels[four].costs[lane]
    }

    /// The least of what both chains know together of a vertex that is on both, at most at this depth:
    /// what the best way costs at most.
    fn least_sum(&self, other: &Self, deepest: u32) -> f32 {
        let (last, lane) = place(deepest);
        let fours = self.labels[..last].iter().zip(&other.labels[..last]);
        let least = fours.fold(Vec4::INFINITY, |least, (a, b)| least.min(a.costs + b.costs));
        // What lies deeper are two different vertices.
        let rest = deepest - lane as u32..=deepest;
        let rest = rest.map(|depth| self.cost(depth) + other.cost(depth));
        rest.fold(least.min_element(), f32::min)
    }

    /// The depth and the rank before a depth; none where the search began.
    fn before(&self, depth: u32) -> Option<(u32, u32)> {
        let (four, lane) = place(depth);
        let before = self.labels[four].before(lane)?;
        Some((before, self.ranks[before as usize]))
    }
}
