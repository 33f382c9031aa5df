//! A* as a careful person would write it by hand: no hashing, no allocation, no decrease-key.
//!
//! What makes it faster than a textbook one: labels in an array with an epoch
//! instead of a map; a heap of integers with four children a node; stale entries recognised when
//! they come out; arcs that are not stored but read off the polygon's list of exits, and only
//! on the far side of the portal (see [`DirectedSample`](crate::graph::DirectedSample)).
//!
//! Open: from one process to the next it has two speeds, a third apart, by where the system puts the
//! program in memory; `setarch -R` makes all runs fast. Compare variants that way.

use glam::Vec3;

use super::partial::Nearest;
use super::{Event, Observer, Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::search::{entry, unpack};

/// The cheapest way to the goal known so far.
struct Best {
    cost: f32,
    last: Option<SampleId>,
}

impl Search<'_> {
    pub(super) fn astar(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let outcome = self.astar_within(usize::MAX, scratch, observer);
        outcome.expect("an end before memory is full")
    }

    /// The same, settling so many vertices at most; `None` where they are not enough.
    pub(super) fn astar_within(
        &self,
        mut budget: usize,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        observer.observe(Event::Mesh);
        scratch.labels.reset(self.graph.sample_count());
        scratch.heap.clear();
        let mut best = Best {
            cost: self.straight(),
            last: None,
        };
        let mut nearest = Nearest::new(self);
        self.expand(self.start.polygon, None, scratch, &mut best);
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
            budget = budget.checked_sub(1)?;
            observer.observe(Event::Settled(vertex));
            if self.limits.partial {
                nearest.look(self, vertex, label.cost);
            }
            match self.graph.side(vertex, label.far_side()) {
                SampleSide::Polygon(polygon) => {
                    self.expand(polygon, Some(vertex), scratch, &mut best)
                }
                SampleSide::Link(link, end) => {
                    let opens = end == 0 || self.mesh.link(link).both_ways;
                    if let Some(cost) = self
                        .prices
                        .of_link(self.mesh, self.mesh.link(link))
                        .filter(|_| opens)
                    {
                        let to = self.graph.link_end(link, 1 - end);
                        let position = self.graph.position(to);
                        let onto = DirectedSample::new(to, 0);
                        self.reach(onto, position, label.cost + cost, Some(vertex), scratch);
                    }
                }
            }
        }
        Some(if best.cost < f32::INFINITY {
            scratch.labels.trail(best.last, &mut scratch.trail);
            Outcome::Found { cost: best.cost }
        } else if self.limits.partial {
            nearest.outcome(self, &scratch.labels, &mut scratch.trail)
        } else {
            Outcome::NoPath
        })
    }

    /// Walks from a vertex, or from the start, to everything else in a polygon.
    #[inline]
    fn expand(
        &self,
        polygon: PolygonId,
        from: Option<SampleId>,
        scratch: &mut Scratch,
        best: &mut Best,
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
            let whole = self.last_leg(cost, position);
            if whole < best.cost {
                *best = Best {
                    cost: whole,
                    last: from,
                };
            }
        }
        let (position, inwards) = self.graph.enter(polygon, position);
        let cost = cost + inwards * factor;
        // Comparing squares, to save the root for exits that are known at less cost, gained nothing:
        // what is dear here is guessing which exits those are.
        for exit in self.graph.exits(polygon) {
            let cost = cost + distance(position, exit.position) * factor;
            self.reach(exit.step, exit.position, cost, from, scratch);
        }
    }

    /// Notes a cheaper way to a vertex. Left to itself the compiler makes a call of it, which costs
    /// a twelfth of the whole search (88 instead of 81 us, in one run).
    #[inline(always)]
    fn reach(
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
        // Whoever wants a partial path wants to see all that the cost allows. On a straight way the key is
        // what all of it costs, but for rounding, which adds up vertex by vertex: a limit of just that must
        // not cut it.
        let least = if self.limits.partial {
            cost
        } else {
            key * (1.0 - 1e-4)
        };
        if least > self.limits.max_cost {
            return;
        }
        scratch.labels.set(to, cost, key, from);
        scratch.heap.push(entry(key, to.sample().0));
    }
}
