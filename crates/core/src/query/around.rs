//! Queries by the contraction on a world with obstacles.
//!
//! The contraction knows polygons with obstacles as cells whose crossings cost what the way through their pieces costs. So it
//! finds the cells that a path crosses, and in each of them a local search finds the pieces.

use glam::Vec3;

use super::contraction::add_vertex;
use super::{Event, Observer, Scratch, Search};
use crate::contraction::{Bounds, StraightLineBound};
use crate::geometry::distance;
use crate::graph::{DirectedSample, PlaceBuffers, PortalGraph, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::navmesh::Location;
use crate::path::{Corridor, Crossing};
use crate::search::{Heap, SearchLabels, entry, unpack};

/// The buffers of a query on a world with obstacles.
#[derive(Clone, Debug, Default)]
pub(super) struct AroundBuffers {
    places: PlaceBuffers,
    /// The legs between the start or the goal and the vertices of its polygon.
    legs: [Vec<(u32, f32)>; 2],
    /// The polygons that the path crosses.
    cells: Corridor,
    /// The polygons of which a local search may enter the pieces.
    entered: Vec<PolygonId>,
    local: Vec<DirectedSample>,
    trail: Vec<DirectedSample>,
}

/// The result of a query by the contraction on a world with obstacles.
pub(crate) enum AroundOutcome {
    /// A path, whose trail is in the scratch and refers to the graph with obstacles.
    Found(f32),
    /// The contraction knows no path.
    NoPath,
    /// The contraction has a path and the pieces do not. This happens if pieces of one polygon are connected only by other
    /// polygons.
    Unknown,
}

impl Search<'_> {
    /// Searches the contraction of a tier. The graph of this search is that of the tier without obstacles; `on_pieces` is
    /// the same search on the graph with obstacles. Start and goal must not be in the same polygon.
    pub(crate) fn around_obstacles<O: Observer>(
        &self,
        on_pieces: &Search<'_>,
        scratch: &mut Scratch,
        observer: &mut O,
    ) -> AroundOutcome {
        observer.observe(Event::Chains);
        let (contraction, shortcuts) = self.contraction_parts();
        let Scratch {
            around,
            chains,
            vertices,
            trail,
            labels,
            heap,
            ..
        } = scratch;
        for (legs, location) in around.legs.iter_mut().zip([self.start, self.goal]) {
            legs.clear();
            let factor = self.prices.factor(self.mesh, location.polygon);
            if factor < f32::INFINITY {
                let end = (location.point, location.polygon);
                self.graph
                    .for_each_leg(self.mesh, end, &mut around.places, |vertex, length| {
                        legs.push((vertex.0, length * factor));
                    });
            }
        }
        vertices.clear();
        let [starts, goals] = &around.legs;
        let ends = (starts.iter().copied(), goals.iter().copied());
        let (from, to) = (self.start.point, self.goal.point);
        let straight = StraightLineBound::new(from, to, self.prices.cost_per_metre());
        let bounds = Bounds {
            max_cost: self.limits.max_cost,
            straight_line: Some(straight.with_moved_vertices(self.mesh.max_sample_shift())),
        };
        let visit = |vertex| add_vertex(vertices, vertex);
        let found = shortcuts.search_observed(contraction, ends, bounds, chains, visit, |_| ());
        let Some(cost) = found else {
            return AroundOutcome::NoPath;
        };
        let whole = |location: Location| Location {
            polygon: self.mesh.whole(location.polygon),
            ..location
        };
        let (start, goal) = (whole(self.start), whole(self.goal));
        let cells = Search {
            start,
            goal,
            ..*self
        };
        if !cells.set_trail(vertices, trail) {
            return AroundOutcome::Unknown;
        }
        let ends = [start.polygon, goal.polygon];
        around.cells.follow(self.graph, trail, ends);
        match on_pieces.enter_pieces(around, labels, heap) {
            true => {
                std::mem::swap(trail, &mut around.trail);
                AroundOutcome::Found(cost)
            }
            false => AroundOutcome::Unknown,
        }
    }

    /// Sets `trail` to a trail through the pieces of the cells. Returns false if there is none.
    fn enter_pieces(
        &self,
        around: &mut AroundBuffers,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) -> bool {
        around.trail.clear();
        let count = around.cells.polygons.len();
        let (mut first, mut from) = (0, self.start);
        loop {
            let crossings = &around.cells.crossings;
            let is_link = |at: &usize| matches!(crossings[*at], Crossing::Link(..));
            let last = (first..count - 1).find(is_link).unwrap_or(count - 1);
            let link = crossings.get(last).copied();
            let to = match link {
                Some(Crossing::Link(id, end)) => self.link_end(id, usize::from(end)),
                _ => self.goal,
            };
            if !self.enter_section(first..last + 1, [from, to], around, labels, heap) {
                return false;
            }
            let Some(Crossing::Link(id, end)) = link else {
                return true;
            };
            let end = usize::from(end);
            let [entered, left] = [end, 1 - end].map(|end| self.graph.link_end(id, end));
            around.trail.push(DirectedSample::new(entered, 1));
            around.trail.push(DirectedSample::new(left, 0));
            from = self.link_end(id, 1 - end);
            first = last + 1;
        }
    }

    fn link_end(&self, link: crate::ids::LinkId, end: usize) -> Location {
        let link = self.mesh.link(link);
        Location {
            polygon: link.polygons[end],
            point: self
                .graph
                .cost_location(Location {
                    polygon: link.polygons[end],
                    point: link.ends[end],
                })
                .point,
        }
    }

    /// Appends the trail through cells between which there is no link.
    fn enter_section(
        &self,
        cells: std::ops::Range<usize>,
        [mut from, to]: [Location; 2],
        around: &mut AroundBuffers,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) -> bool {
        let last = cells.end - 1;
        let polygon = |around: &AroundBuffers, at: usize| around.cells.polygons[at];
        let is_cut = |around: &AroundBuffers, at: usize| {
            at <= last && self.mesh.cut(polygon(around, at)).is_some()
        };
        let mut at = cells.start;
        loop {
            if !is_cut(around, at) && !is_cut(around, at + 1) {
                if at == last {
                    return true;
                }
                let step = self.portal_step(&around.cells, at);
                from = Location {
                    polygon: polygon(around, at + 1),
                    point: self.graph.position(step.sample()),
                };
                around.trail.push(step);
                at += 1;
                continue;
            }
            // From the last whole polygon to the next one that has no cut polygon behind it.
            let mut end = at + 1;
            while end < last && (is_cut(around, end) || is_cut(around, end + 1)) {
                end += 1;
            }
            let end = end.min(last);
            let goal = match end == last {
                true => to,
                false => Location {
                    polygon: polygon(around, end),
                    point: self
                        .graph
                        .position(self.portal_step(&around.cells, end).sample()),
                },
            };
            around.entered.clear();
            around
                .entered
                .extend_from_slice(&around.cells.polygons[at..=end]);
            if !self.search_within(
                &around.entered,
                [from, goal],
                &mut around.local,
                labels,
                heap,
            ) {
                return false;
            }
            around.trail.extend_from_slice(&around.local);
            if end == last {
                return true;
            }
            from = goal;
            at = end;
        }
    }

    /// Returns the step of a trail over a portal that no obstacle touches.
    fn portal_step(&self, cells: &Corridor, at: usize) -> DirectedSample {
        let Crossing::Portal(portal) = cells.crossings[at] else {
            panic!("a link within a section");
        };
        let vertex = SampleId(self.graph.samples_of_portal(portal).start);
        let leaves = self.graph.side(vertex, 1) == SampleSide::Polygon(cells.polygons[at + 1]);
        DirectedSample::new(vertex, usize::from(leaves))
    }

    /// Searches with A* within some polygons and their pieces. Sets `trail` to the trail between two locations. Returns
    /// false if there is none.
    fn search_within(
        &self,
        polygons: &[PolygonId],
        [from, to]: [Location; 2],
        trail: &mut Vec<DirectedSample>,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) -> bool {
        trail.clear();
        if from.polygon == to.polygon {
            return true;
        }
        let graph: &PortalGraph = self.graph;
        labels.reset(graph.sample_count());
        heap.clear();
        let scale = self.prices.heuristic_scale();
        let expand = |polygon: PolygonId,
                      point: Vec3,
                      cost: f32,
                      before: Option<SampleId>,
                      labels: &mut SearchLabels,
                      heap: &mut Heap| {
            let factor = self.prices.factor(self.mesh, polygon);
            if factor == f32::INFINITY {
                return;
            }
            for exit in graph.exits(polygon) {
                let cost = cost + distance(point, exit.position) * factor;
                if cost < labels.cost(exit.step.sample()) {
                    let key = cost + distance(exit.position, to.point) * scale;
                    labels.set(exit.step, cost, key, before);
                    heap.push(entry(key, exit.step.sample().0));
                }
            }
        };
        expand(from.polygon, from.point, 0.0, None, labels, heap);
        let mut best = (f32::INFINITY, None);
        while let Some(top) = heap.pop() {
            let (key, vertex) = unpack(top);
            let vertex = SampleId(vertex);
            if key >= best.0 {
                break;
            }
            let label = labels.known(vertex);
            if key != label.key {
                continue;
            }
            let SampleSide::Polygon(polygon) = graph.side(vertex, label.far_side()) else {
                continue;
            };
            if !polygons.contains(&self.mesh.whole(polygon)) {
                continue;
            }
            let position = graph.position(vertex);
            if polygon == to.polygon {
                let factor = self.prices.factor(self.mesh, polygon);
                let total = label.cost + distance(position, to.point) * factor;
                if total < best.0 {
                    best = (total, Some(vertex));
                }
            }
            expand(polygon, position, label.cost, Some(vertex), labels, heap);
        }
        if best.1.is_some() {
            labels.trail(best.1, trail);
        }
        best.1.is_some()
    }
}
