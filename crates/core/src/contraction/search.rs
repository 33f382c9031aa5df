//! Two chains, one from the start and one from the goal.
//!
//! A chain has one vertex of each depth, so labels go by depth: two arrays as long as the tree is
//! deep, which stay in the nearest cache whatever the size of the graph.
//!
//! # What bounds it
//! The number of arcs that are looked at, which is the order's to make small, and on large worlds the memory
//! they lie in: both directions share one graph where they can.
//!
//! A vertex is left out if the way beyond it, as the crow flies, is too long. Where both chains are one, what they
//! know of a vertex together bounds the best way before the rest is looked at, so hardly anything is left to do.
//! Counted once on vaduz with 1000 queries at the default tier: of 2174 fours of arcs a query 2128 are where the chains
//! are apart. There nothing was left out until ways had a [likely](super::likely) cost: within 1.05 times the straight line there
//! are 520, and 88 searches begin again; it would be 275 if the cost were known. In one run, the least of 60 rounds
//! each: 6.3 µs a search became 5.0 at the default tier and 9.3 became 6.6 at the best; at the fast one, whose sums are farther
//! from the straight line, it stayed at 3.4.
//!
//! Runs of a chain without a branch between their vertices were slower on vaduz and `open` and mixed on `rooms`: they
//! cannot leave out a vertex.

use std::convert::Infallible;
use std::ops::ControlFlow;

use glam::{Vec3, Vec3A, Vec4};

use super::pruned::{LANES, Pruned, PrunedLabels, place};
use super::{Contraction, Shortcuts};
use crate::ids::Terminal;

/// Memory of a search, for one contraction after the other.
#[derive(Clone, Debug, Default)]
pub struct ContractionScratch {
    /// From the start and to the goal.
    pub(super) chains: [Chain; 2],
    /// Parts yet to be taken apart.
    stack: Vec<u32>,
}

/// What is known of a way before it is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Ways that cost more are not found.
    pub max_cost: f32,
    /// Where the way begins and ends, in a contraction that has [places](Contraction::placed).
    pub straight_line: Option<StraightLineBound>,
}

impl Bounds {
    /// Nothing but the most that a way may cost.
    pub fn with_max_cost(max_cost: f32) -> Self {
        let straight_line = None;
        Self {
            max_cost,
            straight_line,
        }
    }
}

/// The straight line from start to goal, which no way costs less than.
#[derive(Clone, Copy, Debug)]
pub struct StraightLineBound {
    ends: [Vec3A; 2],
    cost_per_metre: f32,
}

/// The ends of the line.
const START: usize = 0;
const GOAL: usize = 1;

impl StraightLineBound {
    /// Between two places, where a metre costs at least so much.
    pub fn new(start: Vec3, goal: Vec3, cost_per_metre: f32) -> Self {
        let ends = [start.into(), goal.into()];
        Self {
            ends,
            cost_per_metre,
        }
    }

    /// What the way costs at least.
    pub(super) fn cost(&self) -> f32 {
        self.ends[START].distance(self.ends[GOAL]) * self.cost_per_metre
    }

    /// Whether a way between a place and an end may cost no more than this.
    #[inline]
    fn allows(&self, place: Vec3A, end: usize, max_cost: f32) -> bool {
        place.distance_squared(self.ends[end]) * (self.cost_per_metre * self.cost_per_metre)
            <= max_cost * max_cost
    }
}

/// The way from a vertex to the root, by depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// All [`PrunedLabels::UNKNOWN`] from `reached` on. The rest is of the search before, however that ended,
    /// until the next begins.
    labels: Vec<PrunedLabels>,
    ranks: Vec<u32>,
    reached: usize,
}

impl Shortcuts {
    /// The cheapest way from one of some vertices to one of others, each with the cost before or after
    /// it; either are pairwise adjacent. Its vertices are told in order. `None` where there is none
    /// within the bounds.
    ///
    /// # Panics
    /// When there is a straight line, and the contraction has no places.
    pub fn search(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)> + Clone,
        goals: impl Iterator<Item = (u32, f32)> + Clone,
        bounds: Bounds,
        scratch: &mut ContractionScratch,
        tell: impl FnMut(u32),
    ) -> Option<f32> {
        self.search_observed(contraction, (starts, goals), bounds, scratch, tell, |_| ())
    }

    /// As [`search`](Self::search) from the first of `ends` to the second, and calls `watch` with every
    /// vertex that it climbs over and with the highest vertex of the path.
    pub fn search_observed<S, G>(
        &self,
        contraction: &Contraction,
        (starts, goals): (S, G),
        bounds: Bounds,
        scratch: &mut ContractionScratch,
        tell: impl FnMut(u32),
        mut watch: impl FnMut(ClimbStep),
    ) -> Option<f32>
    where
        S: Iterator<Item = (u32, f32)> + Clone,
        G: Iterator<Item = (u32, f32)> + Clone,
    {
        let chains = &mut scratch.chains;
        let (cost, meeting) =
            self.meet_within_estimate(contraction, starts, goals, bounds, chains, &mut watch)?;
        watch(ClimbStep {
            climb: None,
            rank: chains[START].ranks[meeting as usize],
            arc_blocks: None,
        });
        self.path_vertices(contraction, meeting, scratch, tell);
        Some(cost)
    }

    /// The least cost and the depth where its way is highest: first among ways that cost what they likely
    /// do. `watch` is called with every vertex of both chains.
    pub(super) fn meet_within_estimate(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)> + Clone,
        goals: impl Iterator<Item = (u32, f32)> + Clone,
        Bounds {
            max_cost,
            straight_line,
        }: Bounds,
        [from_start, to_goal]: &mut [Chain; 2],
        mut watch: impl FnMut(ClimbStep),
    ) -> Option<(f32, u32)> {
        let mut meet = |max_cost: f32| {
            let first = from_start.begin(contraction, starts.clone())?;
            let last = to_goal.begin(contraction, goals.clone())?;
            let climbs = [
                Climb {
                    graph: self.upwards(),
                    chain: from_start,
                    beyond: GOAL,
                },
                Climb {
                    graph: self.downwards(),
                    chain: to_goal,
                    beyond: START,
                },
            ];
            let walk = Walk {
                contraction,
                straight_line,
            };
            walk.meet([first, last], max_cost, climbs, &mut watch)
        };
        let estimate = straight_line.map_or(f32::INFINITY, |straight| {
            straight.cost() * self.cost_estimate
        });
        let mut found = meet(estimate.min(max_cost));
        if estimate < max_cost && found.is_none_or(|(cost, _)| cost > estimate) {
            // A way that costs more than likely is still a way.
            found = meet(found.map_or(max_cost, |(cost, _)| cost.min(max_cost)));
        }
        found.filter(|&(cost, _)| cost <= max_cost)
    }

    fn path_vertices(
        &self,
        contraction: &Contraction,
        meeting: u32,
        ContractionScratch {
            chains: [from_start, to_goal],
            stack,
        }: &mut ContractionScratch,
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

/// A walk up both chains.
struct Walk<'a> {
    contraction: &'a Contraction,
    straight_line: Option<StraightLineBound>,
}

/// One of the chains, and what it is walked over.
struct Climb<'a> {
    graph: &'a Pruned,
    chain: &'a mut Chain,
    /// The end of the way that is not the chain's own.
    beyond: usize,
}

/// A vertex that a search looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClimbStep {
    /// The climb that gets there: from the start or from the goal. `None` is the highest vertex of the
    /// path, at the end.
    pub climb: Option<Terminal>,
    /// The rank of the vertex.
    pub rank: u32,
    /// The SIMD lanes of four arcs that are looked at from there; `None` where the vertex is left out.
    pub arc_blocks: Option<usize>,
}

impl Climb<'_> {
    fn at(&self, rank: u32, arc_blocks: Option<usize>) -> ClimbStep {
        let climb = match self.beyond {
            GOAL => Terminal::Start,
            _ => Terminal::Goal,
        };
        ClimbStep {
            climb: Some(climb),
            rank,
            arc_blocks,
        }
    }

    /// Labels what can be reached from what is at a depth of the chain; the fours of arcs.
    #[inline]
    fn relax(&mut self, rank: u32, depth: u32, known: f32) -> usize {
        self.graph.relax(rank, depth, known, &mut self.chain.labels)
    }
}

impl Walk<'_> {
    /// Walks to the root; the least cost and the depth where its way is highest. A way that costs more than
    /// `most` may be found or not, and need not be the least.
    fn meet(
        &self,
        mut at: [u32; 2],
        max_cost: f32,
        mut climbs: [Climb<'_>; 2],
        watch: &mut impl FnMut(ClimbStep),
    ) -> Option<(f32, u32)> {
        let mut bound = slack(max_cost);
        let mut deepest = self.contraction.depths[at[START] as usize];
        // Apart, until one chain is on the other.
        while at[START] != at[GOAL] {
            let lower = usize::from(at[GOAL] < at[START]);
            let [from, until] = [at[lower], at[1 - lower]];
            let climb = &mut climbs[lower];
            (at[lower], deepest) = self.climb(climb, from, until, bound, watch)?;
        }
        let (mut best, mut meeting) = (f32::INFINITY, None);
        let [mut at, _] = at;
        let least = climbs[START].chain.least_sum(climbs[GOAL].chain, deepest);
        bound = bound.min(slack(least));
        for depth in (0..=deepest).rev() {
            let known = climbs.each_ref().map(|climb| climb.chain.cost(depth));
            let sum = known[START] + known[GOAL];
            if sum < best {
                (best, meeting) = (sum, Some(depth));
                bound = bound.min(slack(best));
            }
            for (climb, known) in climbs.iter_mut().zip(known) {
                climb.chain.ranks[depth as usize] = at;
                let is_open = self.may_lead_over(at, known, climb.beyond, bound);
                let arc_blocks = is_open.then(|| climb.relax(at, depth, known));
                watch(climb.at(at, arc_blocks));
            }
            at = self.contraction.parents[at as usize];
        }
        meeting.map(|meeting| (best, meeting))
    }

    /// Walks up a chain until it is not below a rank of the other; where it is then, and how deep.
    fn climb(
        &self,
        climb: &mut Climb<'_>,
        mut at: u32,
        until: u32,
        bound: f32,
        watch: &mut impl FnMut(ClimbStep),
    ) -> Option<(u32, u32)> {
        let mut depth = self.contraction.depths[at as usize];
        while at < until {
            climb.chain.ranks[depth as usize] = at;
            let known = climb.chain.cost(depth);
            let is_open = self.may_lead_over(at, known, climb.beyond, bound);
            let arc_blocks = is_open.then(|| climb.relax(at, depth, known));
            watch(climb.at(at, arc_blocks));
            // A root below the other chain is the root of another tree.
            depth = depth.checked_sub(1)?;
            at = self.contraction.parents[at as usize];
        }
        Some((at, depth))
    }

    /// Whether a way may lead over a rank, at this cost on one side of it, on to an end of the line.
    #[inline]
    fn may_lead_over(&self, rank: u32, known: f32, end: usize, max_cost: f32) -> bool {
        // Not a number where what is not known may cost anything.
        let rest = max_cost - known;
        let is_near = |line: &StraightLineBound| {
            let place = self.contraction.places[rank as usize];
            line.allows(place, end, rest)
        };
        rest >= 0.0 && self.straight_line.as_ref().is_none_or(is_near)
    }
}

/// A little more. On a straight way the cost so far and the crow's flight beyond are together what the best
/// way costs, but for rounding: that must not cut it. Chains are short, so it is little.
fn slack(max_cost: f32) -> f32 {
    max_cost * (1.0 + 1e-5)
}

impl Chain {
    /// Forgets the search before, and labels the vertices that this one begins with; the lowest rank
    /// among them.
    fn begin(
        &mut self,
        contraction: &Contraction,
        vertices: impl Iterator<Item = (u32, f32)>,
    ) -> Option<u32> {
        self.labels[..self.reached].fill(PrunedLabels::UNKNOWN);
        self.reached = 0;
        let mut lowest = None;
        for (vertex, cost) in vertices {
            let rank = contraction.ranks[vertex as usize];
            let depth = contraction.depths[rank as usize];
            let (four, lane) = place(depth);
            if self.labels.len() <= four {
                self.labels.resize(four + 1, PrunedLabels::UNKNOWN);
                self.ranks.resize((four + 1) * LANES, 0);
            }
            self.reached = self.reached.max(four + 1);
            let known = &mut self.labels[four].costs.as_mut()[lane];
            *known = known.min(cost);
            lowest = Some(lowest.map_or(rank, |lowest: u32| lowest.min(rank)));
        }
        lowest
    }

    #[inline]
    fn cost(&self, depth: u32) -> f32 {
        let (four, lane) = place(depth);
        self.labels[four].cost(lane)
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
