//! Dijkstra's algorithm over every arc of the graph, written plainly: the reference for all other engines.

use std::cmp::Reverse;

use super::partial::NearestReached;
use super::{Event, Observer, Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::SampleSide;

impl Search<'_> {
    /// Searches with Dijkstra's algorithm.
    pub(super) fn dijkstra(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        observer.observe(Event::Mesh);
        let Scratch {
            labels,
            plain_heap: heap,
            trail,
            ..
        } = scratch;
        labels.reset(self.graph.sample_count());
        heap.clear();
        let mut best = (self.straight_cost(), None);
        let mut nearest = NearestReached::new(self);

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
        while let Some(Reverse((bits, vertex))) = heap.pop() {
            let cost = f32::from_bits(bits);
            if cost >= best.0 {
                break;
            }
            if cost > labels.cost(vertex) {
                continue;
            }
            observer.observe(Event::Settled(vertex));
            nearest.consider(self, vertex, cost);
            for side in [self.graph.side(vertex, 0), self.graph.side(vertex, 1)] {
                if side == SampleSide::Polygon(self.goal.polygon) {
                    let total = self.last_leg(cost, self.graph.position(vertex));
                    if total < best.0 {
                        best = (total, Some(vertex));
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
        if best.0 < f32::INFINITY {
            labels.trail(best.1, trail);
            Outcome::Found { cost: best.0 }
        } else if self.limits.partial {
            nearest.outcome(self, labels, trail)
        } else {
            Outcome::NoPath
        }
    }
}
