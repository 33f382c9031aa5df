//! The query of the contraction hierarchy.
//!
//! It climbs from the start and from the goal to the root of the elimination tree, and keeps the vertex
//! where the sum of the two costs is smallest. Such a climb (a "chain") visits one vertex per depth, so
//! costs are stored in two arrays indexed by depth. They fit into the L1 cache for a graph of any size.
//!
//! # What limits the speed
//! The time of a query depends on the number of scanned arcs, which a good order makes small. On large
//! worlds it also depends on the memory that the arcs occupy, so both directions share one graph if costs
//! are symmetric.
//!
//! A vertex is skipped if its cost plus the straight-line distance to the other end exceeds the bound.
//! Where both climbs are on the same chain, the known sums bound the cost of the best path, so little work
//! is left. Most arcs are scanned before the climbs meet. There, the [cost estimate](super::cost_estimate)
//! allows vertices to be skipped: on vaduz at the default tier it reduces 2174 blocks of four arcs per query
//! to 520.
//!
//! Joining chain segments that have no branches was not faster, because no vertex inside a segment can be
//! skipped.

use std::convert::Infallible;
use std::ops::ControlFlow;

use glam::{Vec3, Vec3A, Vec4};

use super::pruned::{LANES, LabelBlock, PrunedArcs, block_and_lane};
use super::{Contraction, Shortcuts};
use crate::ids::Terminal;

/// The memory of a search. It can be reused for any contraction.
#[derive(Clone, Debug, Default)]
pub struct ContractionScratch {
    /// The chain of the start and the chain of the goal.
    pub(super) chains: [Chain; 2],
    /// The parts that are yet to be unpacked.
    stack: Vec<u32>,
}

/// Bounds on the cost of a path, known before the search. Tighter bounds make the search faster.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The search finds no path that costs more.
    pub max_cost: f32,
    /// A lower bound from the positions of start and goal. The contraction must have
    /// [positions](Contraction::with_positions).
    pub straight_line: Option<StraightLineBound>,
}

impl Bounds {
    /// Creates bounds without a straight line. Pass infinity to find a path of any cost.
    pub fn with_max_cost(max_cost: f32) -> Self {
        let straight_line = None;
        Self {
            max_cost,
            straight_line,
        }
    }
}

/// The straight line from start to goal, as a lower bound on the cost of a path.
#[derive(Clone, Copy, Debug)]
pub struct StraightLineBound {
    endpoints: [Vec3A; 2],
    cost_per_metre: f32,
    /// What vertices may have moved, as a cost.
    slack: f32,
}

/// Indexes the start in arrays of start and goal.
const START: usize = 0;
/// Indexes the goal in arrays of start and goal.
const GOAL: usize = 1;

impl StraightLineBound {
    /// Creates the bound for two positions. Paths must cost at least `cost_per_metre` per metre of
    /// straight-line distance.
    pub fn new(start: Vec3, goal: Vec3, cost_per_metre: f32) -> Self {
        let endpoints = [start.into(), goal.into()];
        Self {
            endpoints,
            cost_per_metre,
            slack: 0.0,
        }
    }

    /// Returns this bound for vertices that are at most `distance` away from the positions that the contraction knows. Start and
    /// goal are where they are.
    pub(crate) fn with_moved_vertices(self, distance: f32) -> Self {
        Self {
            slack: distance * self.cost_per_metre,
            ..self
        }
    }

    /// Returns the lower bound on the cost of the path.
    pub(super) fn cost(&self) -> f32 {
        self.endpoints[START].distance(self.endpoints[GOAL]) * self.cost_per_metre
    }

    /// Returns whether a path between a position and one end of the line can cost at most `max_cost`.
    #[inline]
    fn allows(&self, position: Vec3A, terminal: usize, max_cost: f32) -> bool {
        let max_cost = max_cost + self.slack;
        position.distance_squared(self.endpoints[terminal])
            * (self.cost_per_metre * self.cost_per_metre)
            <= max_cost * max_cost
    }
}

/// The chain of a vertex, indexed by depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// All blocks from `reached` on are [`LabelBlock::UNKNOWN`]. Earlier blocks may contain labels of the
    /// previous search until the next search starts.
    labels: Vec<LabelBlock>,
    ranks: Vec<u32>,
    reached: usize,
}

impl Shortcuts {
    /// Finds the cheapest path from any of `starts` to any of `goals` and calls `visit` with each of its
    /// vertices, in order. Each start and goal carries the cost of the leg outside the graph. Starts must
    /// be pairwise adjacent, and so must goals. Returns the cost of the path, or `None` if no path is
    /// within `bounds`.
    ///
    /// # Panics
    /// Panics if `bounds` has a straight line and the contraction has no positions.
    pub fn search(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)> + Clone,
        goals: impl Iterator<Item = (u32, f32)> + Clone,
        bounds: Bounds,
        scratch: &mut ContractionScratch,
        visit: impl FnMut(u32),
    ) -> Option<f32> {
        self.search_observed(contraction, (starts, goals), bounds, scratch, visit, |_| ())
    }

    /// Searches as [`search`](Self::search) does. Also calls `observe` with every vertex that the search
    /// climbs over, and at the end with the highest vertex of the path.
    ///
    /// # Panics
    /// Panics under the same conditions as [`search`](Self::search).
    pub fn search_observed<S, G>(
        &self,
        contraction: &Contraction,
        (starts, goals): (S, G),
        bounds: Bounds,
        scratch: &mut ContractionScratch,
        visit: impl FnMut(u32),
        mut observe: impl FnMut(ClimbStep),
    ) -> Option<f32>
    where
        S: Iterator<Item = (u32, f32)> + Clone,
        G: Iterator<Item = (u32, f32)> + Clone,
    {
        let chains = &mut scratch.chains;
        let (cost, meeting) =
            self.meet_within_estimate(contraction, starts, goals, bounds, chains, &mut observe)?;
        observe(ClimbStep {
            climb: None,
            rank: chains[START].ranks[meeting as usize],
            arc_blocks: None,
        });
        self.path_vertices(contraction, meeting, scratch, visit);
        Some(cost)
    }

    /// Returns the minimum cost and the depth of the highest vertex of its path. It searches within the
    /// cost estimate first. Calls `observe` with every vertex of both chains.
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
        mut observe: impl FnMut(ClimbStep),
    ) -> Option<(f32, u32)> {
        let mut meet = |max_cost: f32| {
            let first = from_start.start_search(contraction, starts.clone())?;
            let last = to_goal.start_search(contraction, goals.clone())?;
            let climbs = [
                Climb {
                    graph: self.upwards(),
                    chain: from_start,
                    target: GOAL,
                },
                Climb {
                    graph: self.downwards(),
                    chain: to_goal,
                    target: START,
                },
            ];
            let search = ChainSearch {
                contraction,
                straight_line,
            };
            search.meet([first, last], max_cost, climbs, &mut observe)
        };
        let estimate = straight_line.map_or(f32::INFINITY, |straight| {
            straight.cost() * self.cost_estimate
        });
        let mut found = meet(estimate.min(max_cost));
        if estimate < max_cost && found.is_none_or(|(cost, _)| cost > estimate) {
            // The first search may have found a path that costs more than the estimate. Its cost bounds the
            // second search.
            found = meet(found.map_or(max_cost, |(cost, _)| cost.min(max_cost)));
        }
        found.filter(|&(cost, _)| cost <= max_cost)
    }

    /// Calls `visit` with the vertices of the path over the vertex at depth `meeting`.
    fn path_vertices(
        &self,
        contraction: &Contraction,
        meeting: u32,
        ContractionScratch {
            chains: [from_start, to_goal],
            stack,
        }: &mut ContractionScratch,
        mut visit: impl FnMut(u32),
    ) {
        let mut visit = |vertex| {
            visit(vertex);
            ControlFlow::<Infallible>::Continue(())
        };
        stack.clear();
        let mut at = meeting;
        while let Some((low, rank)) = from_start.predecessor(at) {
            stack.push(self.upwards().part(rank, at));
            at = low;
        }
        let ControlFlow::Continue(()) =
            visit(contraction.vertices[from_start.ranks[at as usize] as usize]);
        let ControlFlow::Continue(()) = self.parts.unpack(stack, &mut visit);
        // A symmetric arc is stored in the upward direction, so the downward one is its reverse.
        let reversed = u32::from(self.is_symmetric());
        let mut at = meeting;
        while let Some((low, rank)) = to_goal.predecessor(at) {
            stack.push(self.downwards().part(rank, at) ^ reversed);
            let ControlFlow::Continue(()) = self.parts.unpack(stack, &mut visit);
            at = low;
        }
    }
}

/// A search that climbs both chains.
struct ChainSearch<'a> {
    contraction: &'a Contraction,
    straight_line: Option<StraightLineBound>,
}

/// The climb of one chain.
struct Climb<'a> {
    graph: &'a PrunedArcs,
    chain: &'a mut Chain,
    /// The end of the path at the other chain: [`START`] or [`GOAL`].
    target: usize,
}

/// A vertex that a search climbs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClimbStep {
    /// The end of the path where the climb started. `None` for the highest vertex of the path, which is
    /// reported last.
    pub climb: Option<Terminal>,
    /// The rank of the vertex.
    pub rank: u32,
    /// The number of blocks of four arcs that are relaxed from the vertex, or `None` if it is skipped.
    pub arc_blocks: Option<usize>,
}

impl Climb<'_> {
    /// Creates the step that reports a vertex.
    fn at(&self, rank: u32, arc_blocks: Option<usize>) -> ClimbStep {
        let climb = match self.target {
            GOAL => Terminal::Start,
            _ => Terminal::Goal,
        };
        ClimbStep {
            climb: Some(climb),
            rank,
            arc_blocks,
        }
    }

    /// Relaxes the arcs of the vertex at a depth of the chain. Returns the number of blocks of four arcs.
    #[inline]
    fn relax(&mut self, rank: u32, depth: u32, cost: f32) -> usize {
        self.graph.relax(rank, depth, cost, &mut self.chain.labels)
    }
}

impl ChainSearch<'_> {
    /// Climbs to the root. Returns the minimum cost and the depth of the highest vertex of its path. A path
    /// that costs more than `max_cost` may or may not be found, and need not be the cheapest.
    fn meet(
        &self,
        mut at: [u32; 2],
        max_cost: f32,
        mut climbs: [Climb<'_>; 2],
        observe: &mut impl FnMut(ClimbStep),
    ) -> Option<(f32, u32)> {
        let mut bound = slack(max_cost);
        let mut deepest = self.contraction.depths[at[START] as usize];
        // Climb the lower of the two chains until they meet.
        while at[START] != at[GOAL] {
            let lower = usize::from(at[GOAL] < at[START]);
            let [from, until] = [at[lower], at[1 - lower]];
            let climb = &mut climbs[lower];
            (at[lower], deepest) = self.climb(climb, from, until, bound, observe)?;
        }
        let (mut best, mut meeting) = (f32::INFINITY, None);
        let [mut at, _] = at;
        let min_sum = climbs[START].chain.min_sum(climbs[GOAL].chain, deepest);
        bound = bound.min(slack(min_sum));
        for depth in (0..=deepest).rev() {
            let costs = climbs.each_ref().map(|climb| climb.chain.cost(depth));
            let sum = costs[START] + costs[GOAL];
            if sum < best {
                (best, meeting) = (sum, Some(depth));
                bound = bound.min(slack(best));
                climbs[START].chain.ranks[depth as usize] = at;
            }
            for (climb, cost) in climbs.iter_mut().zip(costs) {
                self.visit(climb, at, depth, cost, bound, observe);
            }
            at = self.contraction.parents[at as usize];
        }
        meeting.map(|meeting| (best, meeting))
    }

    /// Climbs one chain while it is below rank `until` of the other. Returns the rank and the depth that it
    /// reaches, or `None` if the two chains are in different trees.
    fn climb(
        &self,
        climb: &mut Climb<'_>,
        mut at: u32,
        until: u32,
        bound: f32,
        observe: &mut impl FnMut(ClimbStep),
    ) -> Option<(u32, u32)> {
        let mut depth = self.contraction.depths[at as usize];
        while at < until {
            let cost = climb.chain.cost(depth);
            self.visit(climb, at, depth, cost, bound, observe);
            // A root below the other chain belongs to another tree.
            depth = depth.checked_sub(1)?;
            at = self.contraction.parents[at as usize];
        }
        Some((at, depth))
    }

    /// Relaxes the arcs of the vertex at a depth of a chain if a path within `bound` can pass it. Only such a vertex
    /// can be a predecessor, so the ranks of others are not stored.
    #[inline(always)]
    fn visit(
        &self,
        climb: &mut Climb<'_>,
        rank: u32,
        depth: u32,
        cost: f32,
        bound: f32,
        observe: &mut impl FnMut(ClimbStep),
    ) {
        let is_relaxed = self.may_be_on_path(rank, cost, climb.target, bound);
        let arc_blocks = is_relaxed.then(|| {
            climb.chain.ranks[depth as usize] = rank;
            climb.relax(rank, depth, cost)
        });
        observe(climb.at(rank, arc_blocks));
    }

    /// Returns whether a path of at most `max_cost` can pass a rank. `cost` is the cost between the rank and
    /// one end of the path, and `terminal` is the other end.
    #[inline]
    fn may_be_on_path(&self, rank: u32, cost: f32, terminal: usize, max_cost: f32) -> bool {
        // NaN if both are infinite, which makes the comparison below false.
        let remaining = max_cost - cost;
        let is_near = |line: &StraightLineBound| {
            let position = self.contraction.positions[rank as usize];
            line.allows(Vec3A::from_vec4(position), terminal, remaining)
        };
        remaining >= 0.0 && self.straight_line.as_ref().is_none_or(is_near)
    }
}

/// Raises a bound slightly to allow for rounding. On a straight path, the cost so far plus the remaining
/// straight-line distance equals the cost of the best path except for rounding, which must not exclude the
/// path. Chains are short, so rounding errors are small.
fn slack(max_cost: f32) -> f32 {
    max_cost * (1.0 + 1e-5)
}

impl Chain {
    /// Clears the labels of the previous search and labels the first vertices of this one. Returns the
    /// lowest of their ranks.
    fn start_search(
        &mut self,
        contraction: &Contraction,
        vertices: impl Iterator<Item = (u32, f32)>,
    ) -> Option<u32> {
        self.labels[..self.reached].fill(LabelBlock::UNKNOWN);
        self.reached = 0;
        let mut lowest = None;
        for (vertex, cost) in vertices {
            let rank = contraction.ranks[vertex as usize];
            let depth = contraction.depths[rank as usize];
            let (block, lane) = block_and_lane(depth);
            if self.labels.len() <= block {
                self.labels.resize(block + 1, LabelBlock::UNKNOWN);
                self.ranks.resize((block + 1) * LANES, 0);
            }
            self.reached = self.reached.max(block + 1);
            let label = &mut self.labels[block].costs.as_mut()[lane];
            *label = label.min(cost);
            lowest = Some(lowest.map_or(rank, |lowest: u32| lowest.min(rank)));
        }
        lowest
    }

    /// Returns the cost of the vertex at a depth.
    #[inline]
    fn cost(&self, depth: u32) -> f32 {
        let (block, lane) = block_and_lane(depth);
        self.labels[block].cost(lane)
    }

    /// Returns the minimum sum of the costs of both chains over the vertices that they share, from depth
    /// `deepest` up. It is an upper bound on the cost of the best path.
    fn min_sum(&self, other: &Self, deepest: u32) -> f32 {
        let (last, lane) = block_and_lane(deepest);
        let blocks = self.labels[..last].iter().zip(&other.labels[..last]);
        let min_sums = blocks.fold(Vec4::INFINITY, |sums, (a, b)| sums.min(a.costs + b.costs));
        // Deeper lanes of the last block belong to different vertices.
        let last_depths = deepest - lane as u32..=deepest;
        let last_sums = last_depths.map(|depth| self.cost(depth) + other.cost(depth));
        last_sums.fold(min_sums.min_element(), f32::min)
    }

    /// Returns the depth and the rank of the previous vertex, or `None` where the search started.
    fn predecessor(&self, depth: u32) -> Option<(u32, u32)> {
        let (block, lane) = block_and_lane(depth);
        let predecessor = self.labels[block].predecessor(lane)?;
        Some((predecessor, self.ranks[predecessor as usize]))
    }
}
