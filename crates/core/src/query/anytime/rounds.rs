//! The rounds of ARA* (Likhachev, Gordon and Thrun 2003).
//!
//! A round is A* whose heuristic is multiplied by an *inflation*. A large inflation finds a path after few
//! expansions, and that path costs at most the inflation times the optimum. Each round lowers the inflation
//! and reuses the costs that the rounds before have found.
//!
//! # Why the bound holds
//! A round expands a vertex at most once. A vertex that becomes cheaper after its expansion is *inconsistent*:
//! its neighbours do not know its new cost. Between rounds, the *frontier* is the heap and the inconsistent
//! vertices together. Consider a cheapest path to the goal that is cheaper than the best one found. It leads
//! through the frontier, otherwise it would have been found. Everything before its first frontier vertex is
//! consistent, so that vertex has its cheapest cost, and its cost plus lower bound is at most the optimum. So
//! the smallest such sum in the frontier is a lower bound on the optimum, and the cost of the best path divided
//! by it bounds the excess, usually far below the inflation.
//!
//! A vertex whose sum reaches the cost of the best path cannot lead to a cheaper one and is left out. A vertex
//! whose sum exceeds the cost limit is left out, too. If it is on a cheapest path, then its cost is inflated,
//! the sum is at most the inflation times the optimum, and so is every path within the limit.

use crate::graph::DirectedSample;
use crate::ids::SampleId;
use crate::query::BestPath;
use crate::search::{Heap, Pace, SearchLabels, entry, unpack};

/// The inflation below which a round is left out: the next one finds the optimum.
const MIN_INFLATION: f32 = 1.01;

/// A graph that the rounds search: the portal graph, or the inter-edges of a level.
pub(super) trait AnytimeGraph {
    /// Returns the number of vertices.
    fn vertex_count(&self) -> usize;

    /// Returns a lower bound on the cost from a vertex to the goal. It must be consistent: along an arc it
    /// decreases by no more than the cost of the arc.
    fn lower_bound(&self, vertex: SampleId) -> f32;

    /// Calls `reach` with every vertex that is adjacent to the start, and the cost of the arc to it.
    fn expand_start(&self, reach: impl FnMut(DirectedSample, f32));

    /// Calls `reach` with every vertex that is adjacent to `from`, which was reached at `cost`, and the cost
    /// there. Returns the cost of the path that continues from `from` directly to the goal; infinite if it
    /// does not, or exceeds the limit.
    fn expand(
        &self,
        from: DirectedSample,
        cost: f32,
        reach: impl FnMut(DirectedSample, f32),
    ) -> f32;
}

/// The state of the rounds. Labels and heap are in the scratch.
///
/// The key of a label says where its vertex is. A key that is not negative is the key in the heap. A vertex
/// that was expanded in this round, or became inconsistent in it, has a negative mark; marks of earlier rounds
/// have no meaning.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// The factor of the heuristic. [Limit: >= 1]
    pub(super) inflation: f32,
    /// The number of the round.
    round: u16,
    /// Whether the round has ended and its frontier is known.
    has_ended: bool,
    max_cost: f32,
    pub(super) best: BestPath,
    /// The smallest cost plus lower bound in the frontier.
    least: f32,
    inconsistent: Vec<SampleId>,
    frontier: Vec<SampleId>,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundEnd {
    Path,
    NoPath,
}

impl Default for Rounds {
    fn default() -> Self {
        Self {
            inflation: 1.0,
            round: 0,
            has_ended: false,
            max_cost: f32::INFINITY,
            best: BestPath {
                cost: f32::INFINITY,
                last: None,
            },
            least: 0.0,
            inconsistent: Vec::new(),
            frontier: Vec::new(),
        }
    }
}

impl Rounds {
    /// Begins the first round. `direct_cost` is the cost of the path without vertices.
    pub(super) fn begin(
        &mut self,
        graph: &impl AnytimeGraph,
        direct_cost: f32,
        max_cost: f32,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) {
        labels.reset(graph.vertex_count());
        heap.clear();
        self.inconsistent.clear();
        self.frontier.clear();
        (self.round, self.has_ended) = (0, false);
        self.max_cost = max_cost;
        self.best = BestPath {
            cost: direct_cost,
            last: None,
        };
        graph.expand_start(|to, cost| self.relax(graph, to, cost, None, labels, heap));
    }

    /// Continues until a round ends with a path whose bound is lower than that of the round before, or until
    /// it is certain that there is no path. Returns `None` if the search pauses before.
    pub(super) fn run(
        &mut self,
        graph: &impl AnytimeGraph,
        pace: &mut impl Pace,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) -> Option<RoundEnd> {
        loop {
            if self.has_ended {
                self.begin_round(graph, labels, heap);
            }
            if !self.run_round(graph, pace, labels, heap) {
                return None;
            }
            self.end_round(graph, labels, heap);
            if self.frontier.is_empty() {
                let has_path = self.best.cost < f32::INFINITY;
                return Some(if has_path {
                    RoundEnd::Path
                } else {
                    RoundEnd::NoPath
                });
            }
            if self.best.cost < f32::INFINITY && self.inflation > 1.0 {
                return Some(RoundEnd::Path);
            }
            // Without a path, the frontier may lead to one within the cost limit. At an inflation of 1, only
            // rounding leaves vertices in it, and another round settles them.
            self.lower_inflation(self.inflation);
        }
    }

    /// Returns whether the trail of the best path may cost less than is known: one of its vertices may have
    /// become cheaper.
    pub(super) fn is_cheaper_than_known(&self) -> bool {
        !self.inconsistent.is_empty()
    }

    /// Returns the cost of the best path and the bound on its excess after a round, and lowers the inflation
    /// for the next round.
    pub(super) fn take_bound(&mut self) -> (f32, f32) {
        let cost = self.best.cost;
        let bound = match self.frontier.is_empty() || self.least >= cost {
            true => 1.0,
            false => self.inflation.min(cost / self.least),
        };
        self.lower_inflation(bound);
        (cost, bound)
    }

    /// Sets the inflation of the next round halfway between 1 and `bound`.
    fn lower_inflation(&mut self, bound: f32) {
        let half = 1.0 + (bound - 1.0) / 2.0;
        self.inflation = if half > MIN_INFLATION { half } else { 1.0 };
    }

    /// Moves the frontier to the heap, with keys of the new inflation.
    fn begin_round(
        &mut self,
        graph: &impl AnytimeGraph,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) {
        self.has_ended = false;
        self.round += 1;
        self.inconsistent.clear();
        heap.clear();
        for &vertex in &self.frontier {
            let key = labels.known(vertex).cost + self.inflation * graph.lower_bound(vertex);
            labels.set_key(vertex, key);
            heap.push(entry(key, vertex.0));
        }
    }

    /// Expands vertices until the best path is within the inflation of the optimum. Returns `false` if the
    /// search pauses before.
    fn run_round(
        &mut self,
        graph: &impl AnytimeGraph,
        pace: &mut impl Pace,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) -> bool {
        while let Some(top) = heap.pop() {
            let (key, vertex) = unpack(top);
            if key >= self.best.cost {
                heap.push(top);
                break;
            }
            let vertex = SampleId(vertex);
            let label = labels.known(vertex);
            if key != label.key {
                continue;
            }
            if !pace.allows_one() {
                heap.push(top);
                return false;
            }
            labels.set_key(vertex, self.expanded_mark());
            let from = DirectedSample::new(vertex, label.far_side());
            let total = graph.expand(from, label.cost, |to, cost| {
                self.relax(graph, to, cost, Some(vertex), labels, heap);
            });
            if total < self.best.cost {
                self.best = BestPath {
                    cost: total,
                    last: Some(vertex),
                };
            }
        }
        true
    }

    /// Finds the frontier, without vertices that cannot lead to a cheaper path.
    fn end_round(&mut self, graph: &impl AnytimeGraph, labels: &SearchLabels, heap: &Heap) {
        self.has_ended = true;
        self.least = f32::INFINITY;
        self.frontier.clear();
        let open = heap.entries().iter().map(|&entry| unpack(entry));
        let open = open.filter(|&(key, vertex)| labels.known(SampleId(vertex)).key == key);
        let open = open.map(|(_, vertex)| SampleId(vertex));
        for vertex in open.chain(self.inconsistent.iter().copied()) {
            let sum = labels.known(vertex).cost + graph.lower_bound(vertex);
            if sum < self.best.cost {
                self.least = self.least.min(sum);
                self.frontier.push(vertex);
            }
        }
    }

    /// Stores a cheaper path to a vertex.
    #[inline]
    fn relax(
        &mut self,
        graph: &impl AnytimeGraph,
        to: DirectedSample,
        cost: f32,
        from: Option<SampleId>,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) {
        let vertex = to.sample();
        let known = labels.get(vertex);
        if known.is_some_and(|label| cost >= label.cost) || cost == f32::INFINITY {
            return;
        }
        let lower_bound = graph.lower_bound(vertex);
        let sum = cost + lower_bound;
        // The tolerance is that of A*: rounding accumulates per vertex.
        if sum >= self.best.cost || sum * (1.0 - 1e-4) > self.max_cost {
            return;
        }
        let key = known.map_or(0.0, |label| label.key);
        if key == self.expanded_mark() {
            self.inconsistent.push(vertex);
            labels.set(to, cost, self.inconsistent_mark(), from);
        } else if key == self.inconsistent_mark() {
            labels.set(to, cost, key, from);
        } else {
            let key = cost + self.inflation * lower_bound;
            labels.set(to, cost, key, from);
            heap.push(entry(key, vertex.0));
        }
    }

    fn expanded_mark(&self) -> f32 {
        -1.0 - 2.0 * f32::from(self.round)
    }

    fn inconsistent_mark(&self) -> f32 {
        -2.0 - 2.0 * f32::from(self.round)
    }
}
