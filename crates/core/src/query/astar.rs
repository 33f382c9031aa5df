//! A* on the portal graph, without hashing, allocation or decrease-key.
//!
//! It is faster than a textbook version for four reasons. Labels are stored in an array with an epoch
//! instead of a map. The heap stores integers and has four children per node. Stale heap entries are
//! recognised when they are popped. Arcs are not stored but enumerated from the list of exits of a polygon,
//! and only on the far side of the portal (see [`DirectedSample`](crate::graph::DirectedSample)).
//!
//! Known problem: the speed differs by a third between processes, depending on the address at which
//! the system loads the program. With `setarch -R` all runs are fast; use it to compare variants.

use glam::Vec3;

use super::partial::MeshSearch;
use super::{BestPath, Event, Observer, Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::search::{Budget, Meter, Pace, Unlimited, entry, unpack};

impl Search<'_> {
    /// Searches with A*.
    pub(super) fn astar(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let mut state = self.begin_astar(scratch, observer);
        let outcome = self.resume_astar(&mut state, &mut Unlimited, scratch, observer);
        outcome.expect("nothing pauses the search")
    }

    /// Searches with A* and settles at most `budget` vertices. Returns `None` if the budget is too small.
    pub(super) fn astar_within(
        &self,
        budget: usize,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let mut state = self.begin_astar(scratch, observer);
        let mut pace = Meter::new(Budget::expansions(budget));
        self.resume_astar(&mut state, &mut pace, scratch, observer)
    }

    /// Begins A*: labels the vertices of the start's polygon.
    pub(super) fn begin_astar(
        &self,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> MeshSearch {
        observer.observe(Event::Mesh);
        scratch.labels.reset(self.graph.sample_count());
        scratch.heap.clear();
        let mut state = MeshSearch::new(self);
        self.expand(self.start.polygon, None, scratch, &mut state.best);
        state
    }

    /// Continues A* where it paused. Returns `None` if it pauses again.
    pub(super) fn resume_astar(
        &self,
        state: &mut MeshSearch,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        // Local copies stay in registers.
        let MeshSearch {
            mut best,
            mut nearest,
        } = *state;
        while let Some(top) = scratch.heap.pop() {
            let (key, vertex) = unpack(top);
            if key >= best.cost {
                break;
            }
            let vertex = SampleId(vertex);
            let label = scratch.labels.known(vertex);
            if key != label.key {
                continue;
            }
            if !pace.allows_one() {
                scratch.heap.push(top);
                *state = MeshSearch { best, nearest };
                return None;
            }
            observer.observe(Event::Settled(vertex));
            if self.limits.partial {
                nearest.consider(self, vertex, label.cost);
            }
            match self.graph.side(vertex, label.far_side()) {
                SampleSide::Polygon(polygon) => {
                    self.expand(polygon, Some(vertex), scratch, &mut best)
                }
                SampleSide::Link(link, end) => {
                    let is_open = end == 0 || self.mesh.link(link).both_ways;
                    if let Some(cost) = self
                        .prices
                        .link_cost(self.mesh, self.mesh.link(link))
                        .filter(|_| is_open)
                    {
                        let to = self.graph.link_end(link, 1 - end);
                        let position = self.graph.position(to);
                        let onto = DirectedSample::new(to, 0);
                        self.relax(onto, position, label.cost + cost, Some(vertex), scratch);
                    }
                }
            }
        }
        *state = MeshSearch { best, nearest };
        Some(state.outcome(self, scratch))
    }

    /// Relaxes the arcs from a vertex, or from the start if `from` is `None`, to all vertices of a polygon.
    #[inline]
    fn expand(
        &self,
        polygon: PolygonId,
        from: Option<SampleId>,
        scratch: &mut Scratch,
        best: &mut BestPath,
    ) {
        let factor = self.prices.factor(self.mesh, polygon);
        if factor == f32::INFINITY {
            return;
        }
        let (position, cost) = match from {
            Some(vertex) => (self.graph.position(vertex), scratch.labels.cost(vertex)),
            None => (self.start.point, 0.0),
        };
        if polygon == self.goal.polygon && from.is_some() {
            let total = self.last_leg(cost, position);
            if total < best.cost {
                *best = BestPath {
                    cost: total,
                    last: from,
                };
            }
        }
        let (position, length) = self.graph.branch_point(polygon, position);
        let cost = cost + length * factor;
        // Avoiding the square root with squared distances does not help: mispredicted branches dominate.
        let mut buffer = std::mem::take(&mut scratch.exits);
        for exit in self.graph.exits(polygon).listed(&mut buffer) {
            let cost = cost + distance(position, exit.position) * factor;
            self.relax(exit.step, exit.position, cost, from, scratch);
        }
        scratch.exits = buffer;
    }

    /// Stores a cheaper path to a vertex. Without `inline(always)` the compiler emits a call, which makes
    /// the search 8% slower.
    #[inline(always)]
    fn relax(
        &self,
        to: DirectedSample,
        position: Vec3,
        cost: f32,
        from: Option<SampleId>,
        scratch: &mut Scratch,
    ) {
        if cost >= scratch.labels.cost(to.sample()) {
            return;
        }
        let key = cost + distance(position, self.goal.point) * self.prices.heuristic_scale();
        // A partial search explores everything within the cost limit. Otherwise the key is a lower bound on
        // the total cost. On a straight path it equals the total cost up to rounding, which accumulates per
        // vertex, so a limit of exactly that cost needs a tolerance.
        let lower_bound = if self.limits.partial {
            cost
        } else {
            key * (1.0 - 1e-4)
        };
        if lower_bound > self.limits.max_cost {
            return;
        }
        scratch.labels.set(to, cost, key, from);
        scratch.heap.push(entry(key, to.sample().0));
    }
}
