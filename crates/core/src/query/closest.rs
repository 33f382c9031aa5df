//! A* that crosses each portal at the point closest to the previous point of the path.
//!
//! Pelechano and Fuentes 2016 (HNA*) compare the path lengths of HNA* with an A* over polygons of this
//! kind. The vertices are portals, as in the other engines, but the crossing point of a portal depends on
//! the path that reaches it. A more expensive path to a portal may continue at lower cost, so the search is
//! not exact.

use super::{Event, Observer, Outcome, Scratch, Search};
use crate::geometry::{distance, lerp, nearest_fraction};
use crate::graph::{DirectedSample, Origin, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::search::{entry, unpack};
use glam::Vec3;

impl Search<'_> {
    /// Searches with closest crossing points.
    pub(super) fn closest(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        observer.observe(Event::Mesh);
        scratch.labels.reset(self.graph.sample_count());
        scratch
            .crossing_points
            .resize(self.graph.sample_count(), Vec3::ZERO);
        scratch.heap.clear();
        let mut best = (self.straight_cost(), None);
        let start = self.start;
        self.expand_from(start.polygon, start.point, 0.0, None, scratch);
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
            let at = scratch.crossing_points[vertex.index()];
            match self.graph.side(vertex, label.far_side()) {
                SampleSide::Polygon(polygon) => {
                    if polygon == self.goal.polygon {
                        let total = self.last_leg(label.cost, at);
                        if total < best.0 {
                            best = (total, Some(vertex));
                        }
                    }
                    self.expand_from(polygon, at, label.cost, Some(vertex), scratch);
                }
                SampleSide::Link(id, end) => {
                    let link = self.mesh.link(id);
                    let is_open = end == 0 || link.both_ways;
                    if let Some(cost) = self.prices.link_cost(self.mesh, link).filter(|_| is_open) {
                        let to = DirectedSample::new(self.graph.link_end(id, 1 - end), 0);
                        let point = link.ends[1 - end];
                        self.relax_at(to, point, label.cost + cost, Some(vertex), scratch);
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

    /// Relaxes the crossings from a point to all portals and links of its polygon.
    fn expand_from(
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
            let point = match self.graph.origin(exit.step.sample()) {
                Origin::Portal(portal) => {
                    let portal = self.mesh.portal(portal);
                    let fraction = nearest_fraction(portal.right, portal.left, at);
                    lerp(portal.right, portal.left, fraction)
                }
                Origin::LinkEnd(link, end) => self.mesh.link(link).ends[end],
            };
            let cost = cost + distance(at, point) * factor;
            self.relax_at(exit.step, point, cost, from, scratch);
        }
    }

    /// Stores a cheaper path that crosses a vertex at `point`.
    fn relax_at(
        &self,
        to: DirectedSample,
        point: Vec3,
        cost: f32,
        from: Option<SampleId>,
        scratch: &mut Scratch,
    ) {
        if cost >= scratch.labels.cost(to.sample()) {
            return;
        }
        let key = cost + distance(point, self.goal.point) * self.prices.heuristic_scale();
        if key <= self.limits.max_cost {
            scratch.labels.set(to, cost, key, from);
            scratch.crossing_points[to.sample().index()] = point;
            scratch.heap.push(entry(key, to.sample().0));
        }
    }
}
