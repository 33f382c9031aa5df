//! A* that crosses each portal where that is closest to where it comes from.
//!
//! Pelechano and Fuentes compare the lengths of HNA*'s paths with those of an A* over polygons whose
//! positions are of this kind. A vertex is a portal as before; where a path crosses it depends on the
//! path, so a dearer way there may have been the better one to go on from: not exact.

use super::{Event, Observer, Outcome, Scratch, Search};
use crate::geometry::{distance, lerp, nearest_fraction};
use crate::graph::{DirectedSample, Origin, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::search::{entry, unpack};
use glam::Vec3;

impl Search<'_> {
    pub(super) fn closest(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        observer.observe(Event::Mesh);
        scratch.labels.reset(self.graph.sample_count());
        scratch.places.resize(self.graph.sample_count(), Vec3::ZERO);
        scratch.heap.clear();
        let mut best = (self.straight(), None);
        let start = self.start;
        self.spread(start.polygon, start.point, 0.0, None, scratch);
        while let Some(top) = scratch.heap.pop() {
            let (key, vertex) = unpack(top);
            if key >= best.0 {
                break;
            }
            let vertex = SampleId(vertex);
            let label = scratch.labels.known(vertex);
            if key != label.key {
                continue;
            }
            observer.observe(Event::Settled(vertex));
            let at = scratch.places[vertex.index()];
            match self.graph.side(vertex, label.far_side()) {
                SampleSide::Polygon(polygon) => {
                    if polygon == self.goal.polygon {
                        let whole = self.last_leg(label.cost, at);
                        if whole < best.0 {
                            best = (whole, Some(vertex));
                        }
                    }
                    self.spread(polygon, at, label.cost, Some(vertex), scratch);
                }
                SampleSide::Link(link, end) => {
                    let link_of = self.mesh.link(link);
                    let opens = end == 0 || link_of.both_ways;
                    if let Some(cost) = self.prices.of_link(self.mesh, link_of).filter(|_| opens) {
                        let to = DirectedSample::new(self.graph.link_end(link, 1 - end), 0);
                        let place = link_of.ends[1 - end];
                        self.cross(to, place, label.cost + cost, Some(vertex), scratch);
                    }
                }
            }
        }
        if best.0 == f32::INFINITY {
            return if self.limits.partial {
                self.astar(scratch, observer)
            } else {
                Outcome::NoPath
            };
        }
        scratch.labels.trail(best.1, &mut scratch.trail);
        Outcome::Found { cost: best.0 }
    }

    /// Walks from a point to the borders of its polygon.
    fn spread(
        &self,
        polygon: PolygonId,
        at: Vec3,
        cost: f32,
        from: Option<SampleId>,
        scratch: &mut Scratch,
    ) {
        let factor = self.prices.factor(self.mesh, polygon);
        if factor == f32::INFINITY {
            return;
        }
        for exit in self.graph.exits(polygon) {
            let place = match self.graph.origin(exit.step.sample()) {
                Origin::Portal(portal) => {
                    let portal = self.mesh.portal(portal);
                    let share = nearest_fraction(portal.right, portal.left, at);
                    lerp(portal.right, portal.left, share)
                }
                Origin::LinkEnd(link, end) => self.mesh.link(link).ends[end],
            };
            let cost = cost + distance(at, place) * factor;
            self.cross(exit.step, place, cost, from, scratch);
        }
    }

    fn cross(
        &self,
        to: DirectedSample,
        place: Vec3,
        cost: f32,
        from: Option<SampleId>,
        scratch: &mut Scratch,
    ) {
        if cost >= scratch.labels.cost(to.sample()) {
            return;
        }
        let key = cost + distance(place, self.goal.point) * self.prices.heuristic_scale();
        if key <= self.limits.max_cost {
            scratch.labels.set(to, cost, key, from);
            scratch.places[to.sample().index()] = place;
            scratch.heap.push(entry(key, to.sample().0));
        }
    }
}
