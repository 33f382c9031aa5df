//! Dijkstra's algorithm over the graph, forwards or backwards, one vertex at a time.

use glam::Vec3;

use super::{Many, in_order};
use crate::geometry::distance;
use crate::graph::SampleSide;
use crate::ids::{LinkId, PolygonId, SampleId, Terminal};
use crate::navmesh::Location;
use crate::search::{EpochArray, Heap, entry, unpack};

/// A search that starts at a location and settles one vertex per call.
#[derive(Clone, Debug, Default)]
pub(super) struct GraphSearch {
    costs: EpochArray<f32>,
    heap: Heap,
    max_cost: f32,
}

impl GraphSearch {
    /// Starts a search at one end of all paths. No path costs more than `max_cost`.
    pub(super) fn start(
        &mut self,
        many: &Many<'_>,
        legs: impl Iterator<Item = (u32, f32)>,
        max_cost: f32,
    ) {
        self.costs.reset(many.graph.sample_count());
        self.heap.clear();
        self.max_cost = max_cost;
        legs.for_each(|(vertex, cost)| self.reach(vertex, cost));
    }

    fn reach(&mut self, vertex: u32, cost: f32) {
        if cost <= self.max_cost && cost < self.cost(vertex) {
            self.costs.set(vertex as usize, cost);
            self.heap.push(entry(cost, vertex));
        }
    }

    /// Returns the cost of a vertex so far, or infinity.
    pub(super) fn cost(&self, vertex: u32) -> f32 {
        self.costs.get(vertex as usize).unwrap_or(f32::INFINITY)
    }

    /// Settles the next vertex and returns it with its cost; `None` at the end. `from` is the end of all paths at
    /// which the search started: it runs forwards from a start and backwards from a goal.
    pub(super) fn settle(&mut self, many: &Many<'_>, from: Terminal) -> Option<(SampleId, f32)> {
        loop {
            let (cost, vertex) = unpack(self.heap.pop()?);
            if cost > self.cost(vertex) {
                continue;
            }
            let vertex = SampleId(vertex);
            many.for_each_neighbour(from, vertex, |to| {
                // Otherwise the cost cannot be lowered, and the length of the arc is not needed.
                if self.cost(to.vertex.0) > cost {
                    self.reach(to.vertex.0, cost + many.arc_cost(to.arc));
                }
            });
            return Some((vertex, cost));
        }
    }
}

/// A vertex that an arc joins to another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) vertex: SampleId,
    /// The side, 0 or 1, of that vertex on which the arc is.
    pub(super) side: usize,
    pub(super) arc: Arc,
}

/// What the cost of an arc depends on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arc {
    /// An arc within a polygon, with the cost per metre and the positions of its tail and its head.
    Within(PolygonId, f32, [Vec3; 2]),
    /// The arc of a link, with its cost.
    Link(f32),
}

impl Many<'_> {
    /// Calls `visit` with each vertex that an open arc joins to `vertex`. In a search from a start, arcs lead
    /// away from the vertex; in a search from a goal, they lead to it.
    #[inline]
    pub(super) fn for_each_neighbour(
        &self,
        from: Terminal,
        vertex: SampleId,
        mut visit: impl FnMut(Neighbour),
    ) {
        let position = self.graph.position(vertex);
        for side in [self.graph.side(vertex, 0), self.graph.side(vertex, 1)] {
            match side {
                SampleSide::Polygon(polygon) => {
                    let factor = self.prices.factor(self.mesh, polygon);
                    if factor == f32::INFINITY {
                        continue;
                    }
                    for exit in self.graph.exits(polygon) {
                        if exit.step.sample() != vertex {
                            let ends = in_order(from, position, exit.position);
                            visit(Neighbour {
                                vertex: exit.step.sample(),
                                side: 1 - exit.step.far_side(),
                                arc: Arc::Within(polygon, factor, ends),
                            });
                        }
                    }
                }
                SampleSide::Link(link, end) => {
                    if let Some(cost) = self.link_arc(from, link, end) {
                        visit(Neighbour {
                            vertex: self.graph.link_end(link, 1 - end),
                            side: 1,
                            arc: Arc::Link(cost),
                        });
                    }
                }
            }
        }
    }

    /// Returns the cost of an arc.
    #[inline]
    pub(super) fn arc_cost(&self, arc: Arc) -> f32 {
        match arc {
            Arc::Within(polygon, factor, [tail, head]) => {
                let (branch, length) = self.graph.branch_point(polygon, tail);
                (length + distance(branch, head)) * factor
            }
            Arc::Link(cost) => cost,
        }
    }

    /// Returns the cost of the arc of a link at one of its ends, in the direction of a search; `None` if that is
    /// closed.
    fn link_arc(&self, from: Terminal, link: LinkId, end: usize) -> Option<f32> {
        let [entered, _] = in_order(from, end, 1 - end);
        let link = self.mesh.link(link);
        let is_open = entered == 0 || link.both_ways;
        self.prices.link_cost(self.mesh, link).filter(|_| is_open)
    }

    /// Starts a search at a cost location.
    pub(super) fn start_at(&self, search: &mut GraphSearch, location: Location, max_cost: f32) {
        search.start(self, self.legs(location), max_cost);
    }
}
