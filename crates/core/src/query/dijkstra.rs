//! Dijkstra's algorithm over every arc of the graph, written plainly: the reference for all other engines.

use std::cmp::Reverse;

use super::partial::MeshSearch;
use super::{BestPath, Event, Observer, Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::SampleSide;
use crate::search::{Pace, Unlimited};

impl Search<'_> {
    /// Searches with Dijkstra's algorithm.
    pub(super) fn dijkstra(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let mut state = self.begin_dijkstra(scratch, observer);
        let outcome = self.resume_dijkstra(&mut state, &mut Unlimited, scratch, observer);
        outcome.expect("nothing pauses the search")
    }

    /// Begins Dijkstra's algorithm: labels the vertices of the start's polygon.
    pub(super) fn begin_dijkstra(
        &self,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> MeshSearch {
        observer.observe(Event::Mesh);
        let Scratch {
            labels,
            plain_heap: heap,
            ..
        } = scratch;
        labels.reset(self.graph.sample_count());
        heap.clear();
        let factor = self.prices.factor(self.mesh, self.start.polygon);
        if factor < f32::INFINITY {
            for to in self.graph.samples_of(self.start.polygon) {
                let cost = distance(self.start.point, self.graph.position(to)) * factor;
                let step = self
                    .graph
                    .step_via(SampleSide::Polygon(self.start.polygon), to);
                if cost <= self.limits.max_cost {
                    labels.set(step, cost, cost, None);
                    heap.push(Reverse((cost.to_bits(), to)));
                }
            }
        }
        MeshSearch::new(self)
    }

    /// Continues Dijkstra's algorithm where it paused. Returns `None` if it pauses again.
    pub(super) fn resume_dijkstra(
        &self,
        state: &mut MeshSearch,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let Scratch {
            labels,
            plain_heap: heap,
            ..
        } = scratch;
        let MeshSearch { best, nearest } = state;
        while let Some(Reverse((bits, vertex))) = heap.pop() {
            let cost = f32::from_bits(bits);
            if cost >= best.cost {
                break;
            }
            if cost > labels.cost(vertex) {
                continue;
            }
            if !pace.allows_one() {
                heap.push(Reverse((bits, vertex)));
                return None;
            }
            observer.observe(Event::Settled(vertex));
            nearest.consider(self, vertex, cost);
            for side in [self.graph.side(vertex, 0), self.graph.side(vertex, 1)] {
                if side == SampleSide::Polygon(self.goal.polygon) {
                    let total = self.last_leg(cost, self.graph.position(vertex));
                    if total < best.cost {
                        *best = BestPath {
                            cost: total,
                            last: Some(vertex),
                        };
                    }
                }
            }
            self.graph
                .for_each_arc(self.mesh, self.prices, vertex, |to, arc, through| {
                    let cost = cost + arc;
                    if cost < labels.cost(to) && cost <= self.limits.max_cost {
                        labels.set(self.graph.step_via(through, to), cost, cost, Some(vertex));
                        heap.push(Reverse((cost.to_bits(), to)));
                    }
                });
        }
        Some(state.outcome(self, scratch))
    }
}
