//! The contraction: up from the start, down to the goal.

use super::{Event, Observer, Outcome, Scratch, Search};
use crate::contraction::{Bounds, ClimbStep, StraightLineBound};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::ids::SampleId;
use crate::navmesh::Location;
use crate::search::SearchLabels;

impl Search<'_> {
    pub(super) fn contraction<O: Observer>(
        &self,
        scratch: &mut Scratch,
        observer: &mut O,
    ) -> Outcome {
        observer.observe(Event::Chains);
        let (contraction, shortcuts) = self.contracted();
        let most = self.straight().min(self.limits.max_cost);
        let Scratch {
            chains, vertices, ..
        } = scratch;
        vertices.clear();
        let (starts, goals) = (self.legs(self.start), self.legs(self.goal));
        let tell = |vertex| add_vertex(vertices, vertex);
        let straight = StraightLineBound::new(
            self.start.point,
            self.goal.point,
            self.prices.cost_per_metre(),
        );
        let bounds = Bounds {
            max_cost: most,
            straight_line: Some(straight),
        };
        let watch = |climbed: ClimbStep| {
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
        let found = shortcuts.search_observed(contraction, ends, bounds, chains, tell, watch);
        self.conclude(found, scratch, observer)
    }

    /// What came of looking for a way over vertices, which are in the scratch.
    pub(super) fn conclude(
        &self,
        found: Option<f32>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let straight = self.straight();
        let Scratch {
            vertices,
            trail,
            labels,
            ..
        } = scratch;
        match found.filter(|&cost| cost < straight) {
            Some(cost) => {
                self.follow_vertices(vertices, trail);
                // Where something costs nothing, a cheapest way may come back to where it was.
                if self.prices.heuristic_scale() == 0.0 {
                    labels.reset(self.graph.sample_count());
                    cut_loops(trail, labels);
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

    /// The vertices of a place's polygon, and what it costs between them and the place.
    pub(super) fn legs(&self, place: Location) -> impl Iterator<Item = (u32, f32)> + Clone {
        let factor = self.prices.factor(self.mesh, place.polygon);
        let exits = self.graph.exits(place.polygon).iter();
        exits
            .filter(move |_| factor < f32::INFINITY)
            .map(move |exit| {
                let cost = distance(place.point, exit.position) * factor;
                (exit.step.sample().0, cost)
            })
    }

    /// What the arc from one vertex to another leads through.
    pub(super) fn arc_side(&self, pair: [SampleId; 2]) -> SampleSide {
        let side = self.graph.cheapest_side(self.mesh, self.prices, pair);
        side.expect("an arc of the graph")
    }

    /// Finds out what the arcs of a way lead through.
    fn follow_vertices(&self, vertices: &[SampleId], trail: &mut Vec<DirectedSample>) {
        trail.clear();
        let Some(&first) = vertices.first() else {
            return;
        };
        trail.push(
            self.graph
                .step_out_of(SampleSide::Polygon(self.start.polygon), first),
        );
        let mut before = first;
        trail.extend(vertices[1..].iter().map(|&vertex| {
            let pair = [std::mem::replace(&mut before, vertex), vertex];
            self.graph
                .only_step(pair)
                .unwrap_or_else(|| self.graph.step_out_of(self.arc_side(pair), vertex))
        }));
    }
}

/// Leaves out what a trail does between two visits of a vertex. The labels are unknown.
fn cut_loops(trail: &mut Vec<DirectedSample>, labels: &mut SearchLabels) {
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

/// Adds a vertex to a way.
pub(super) fn add_vertex(vertices: &mut Vec<SampleId>, vertex: u32) {
    match vertices[..] {
        // There and back again: a detour that rounding made look cheaper than none.
        [.., before, _] if before == SampleId(vertex) => {
            vertices.pop();
        }
        _ => vertices.push(SampleId(vertex)),
    }
}
