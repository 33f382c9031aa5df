//! The query of the contraction hierarchy: climb from the start and from the goal to where they meet.

use super::{Event, Observer, Outcome, Scratch, Search};
use crate::contraction::{Bounds, ClimbStep, StraightLineBound};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::ids::SampleId;
use crate::navmesh::Location;
use crate::search::SearchLabels;

impl Search<'_> {
    /// Searches the contraction of the tier.
    pub(super) fn contraction<O: Observer>(
        &self,
        scratch: &mut Scratch,
        observer: &mut O,
    ) -> Outcome {
        observer.observe(Event::Chains);
        let (contraction, shortcuts) = self.contraction_parts();
        let max_cost = self.straight_cost().min(self.limits.max_cost);
        let Scratch {
            chains, vertices, ..
        } = scratch;
        vertices.clear();
        let (starts, goals) = (self.access_legs(self.start), self.access_legs(self.goal));
        let visit = |vertex| add_vertex(vertices, vertex);
        let straight = StraightLineBound::new(
            self.start.point,
            self.goal.point,
            self.prices.cost_per_metre(),
        );
        let bounds = Bounds {
            max_cost,
            straight_line: Some(straight),
        };
        let report_step = |climbed: ClimbStep| {
            if !O::WATCHES {
                return;
            }
            let vertex = SampleId(contraction.order()[climbed.rank as usize]);
            observer.observe(match climbed.climb {
                Some(from) => Event::Climbed(from, vertex),
                None => Event::Meeting(vertex),
            });
        };
        let ends = (starts, goals);
        let found =
            shortcuts.search_observed(contraction, ends, bounds, chains, visit, report_step);
        self.outcome_of(found, scratch, observer)
    }

    /// Turns the result of a search over vertices, which are in the scratch, into an outcome with a trail.
    /// The straight line within one polygon wins if it is cheaper.
    pub(super) fn outcome_of(
        &self,
        found: Option<f32>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let straight = self.straight_cost();
        let Scratch {
            vertices,
            trail,
            labels,
            ..
        } = scratch;
        match found.filter(|&cost| cost < straight) {
            Some(cost) => {
                if !self.set_trail(vertices, trail) {
                    // Only a forged file has shortcuts whose paths are not paths of the graph.
                    return self.astar(scratch, observer);
                }
                // With arcs of cost 0, a cheapest path may visit a vertex twice.
                if self.prices.heuristic_scale() == 0.0 {
                    labels.reset(self.graph.sample_count());
                    remove_loops(trail, labels);
                }
                Outcome::Found { cost }
            }
            None if straight < f32::INFINITY => {
                trail.clear();
                Outcome::Found { cost: straight }
            }
            None if self.limits.partial => self.astar(scratch, observer),
            None => Outcome::NoPath,
        }
    }

    /// Turns a path that was found elsewhere into an outcome with a trail. `path` has its vertices, and none if it is the
    /// straight line within one polygon. The cost is summed again here. Returns `None` if `path` is not a path of the
    /// graph from start to goal within the cost limit.
    pub(crate) fn adopt(&self, path: &[u32], scratch: &mut Scratch) -> Option<Outcome> {
        let vertices = &mut scratch.vertices;
        vertices.clear();
        for &vertex in path {
            if vertex as usize >= self.graph.sample_count() {
                return None;
            }
            add_vertex(vertices, vertex);
        }
        let is_straight = vertices.is_empty();
        scratch.trail.clear();
        if !is_straight && !self.set_trail(&scratch.vertices, &mut scratch.trail) {
            return None;
        }
        if self.prices.heuristic_scale() == 0.0 {
            scratch.labels.reset(self.graph.sample_count());
            remove_loops(&mut scratch.trail, &mut scratch.labels);
        }
        let mut cost = self.cost_of_trail(&scratch.trail);
        let straight = self.straight_cost();
        if straight <= cost {
            scratch.trail.clear();
            cost = straight;
        }
        (cost < f32::INFINITY).then_some(Outcome::Found { cost })
    }

    /// Returns the vertices of a location's polygon with the cost of the leg between them and the location.
    pub(super) fn access_legs(
        &self,
        location: Location,
    ) -> impl Iterator<Item = (u32, f32)> + Clone {
        let factor = self.prices.factor(self.mesh, location.polygon);
        let exits = self.graph.exits(location.polygon);
        exits
            .filter(move |_| factor < f32::INFINITY)
            .map(move |exit| {
                let cost = distance(location.point, exit.position) * factor;
                (exit.step.sample().0, cost)
            })
    }

    /// Returns the polygon or link that the arc between two vertices leads through.
    pub(super) fn arc_side(&self, pair: [SampleId; 2]) -> SampleSide {
        let side = self.graph.cheapest_side(self.mesh, self.prices, pair);
        side.expect("the pair is an arc of the graph")
    }

    /// Sets `trail` to the path over `vertices`, with the polygon or link of each arc. Returns false if they are not
    /// a path of the graph from the polygon of the start to the polygon of the goal.
    pub(super) fn set_trail(&self, vertices: &[SampleId], trail: &mut Vec<DirectedSample>) -> bool {
        trail.clear();
        let (&[first, ..], &[.., last]) = (vertices, vertices) else {
            return false;
        };
        let is_at = |vertex: SampleId, polygon| {
            [0, 1]
                .iter()
                .any(|&side| self.graph.side(vertex, side) == SampleSide::Polygon(polygon))
        };
        if !is_at(first, self.start.polygon) || !is_at(last, self.goal.polygon) {
            return false;
        }
        trail.push(
            self.graph
                .step_via(SampleSide::Polygon(self.start.polygon), first),
        );
        let mut before = first;
        let mut is_path = true;
        trail.extend(vertices[1..].iter().map(|&vertex| {
            let pair = [std::mem::replace(&mut before, vertex), vertex];
            self.graph.unambiguous_step(pair).unwrap_or_else(|| {
                let side = self.graph.cheapest_side(self.mesh, self.prices, pair);
                is_path &= side.is_some();
                let side = side.unwrap_or(SampleSide::Polygon(self.start.polygon));
                self.graph.step_via(side, vertex)
            })
        }));
        is_path
    }
}

/// Removes the part of a trail between two visits of the same vertex. The labels must be reset.
fn remove_loops(trail: &mut Vec<DirectedSample>, labels: &mut SearchLabels) {
    let mut before = None;
    for &step in &*trail {
        let vertex = step.sample();
        if labels.cost(vertex) == f32::INFINITY {
            labels.set(step, 0.0, 0.0, before);
        }
        before = Some(vertex);
    }
    labels.trail(before, trail);
}

/// Appends a vertex to a path.
pub(super) fn add_vertex(vertices: &mut Vec<SampleId>, vertex: u32) {
    match vertices[..] {
        // The path returns to the vertex before: a detour that looks cheaper only by rounding.
        [.., before, _] if before == SampleId(vertex) => {
            vertices.pop();
        }
        _ => vertices.push(SampleId(vertex)),
    }
}
