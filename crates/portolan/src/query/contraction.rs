//! The contraction: up from the start, down to the goal.

use super::{Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::{Side, Step};
use crate::ids::SampleId;
use crate::navmesh::Location;

impl Search<'_> {
    pub(super) fn contraction(&self, scratch: &mut Scratch) -> Outcome {
        let contraction = self.contraction.expect("a world with a contraction");
        let shortcuts = self.costs.shortcuts().expect("costs for a contraction");
        let straight = self.straight();
        let most = straight.min(self.limits.max_cost);
        let Scratch {
            chains,
            vertices,
            trail,
            ..
        } = scratch;
        vertices.clear();
        let (starts, goals) = (self.legs(self.start), self.legs(self.goal));
        let tell = |vertex| match vertices[..] {
            // There and back again: a detour that rounding made look cheaper than none.
            [.., before, _] if before == SampleId(vertex) => {
                vertices.pop();
            }
            _ => vertices.push(SampleId(vertex)),
        };
        let found = shortcuts.search(contraction, starts, goals, most, chains, tell);
        match found.filter(|&cost| cost < straight) {
            Some(cost) => {
                self.follow_vertices(vertices, trail);
                Outcome::Found { cost }
            }
            None if straight < f32::INFINITY => {
                trail.clear();
                Outcome::Found { cost: straight }
            }
            None if self.limits.partial => self.astar(scratch),
            None => Outcome::NoPath,
        }
    }

    /// The vertices of a place's polygon, and what it costs between them and the place.
    fn legs(&self, place: Location) -> impl Iterator<Item = (u32, f32)> {
        let factor = self.costs.factor(self.mesh, place.polygon);
        let exits = self.graph.exits(place.polygon).iter();
        exits
            .filter(move |_| factor < f32::INFINITY)
            .map(move |exit| {
                let cost = distance(place.point, exit.position) * factor;
                (exit.step.sample().0, cost)
            })
    }

    /// Finds out what the arcs of a way lead through.
    fn follow_vertices(&self, vertices: &[SampleId], trail: &mut Vec<Step>) {
        trail.clear();
        let Some(&first) = vertices.first() else {
            return;
        };
        trail.push(
            self.graph
                .step_out_of(Side::Polygon(self.start.polygon), first),
        );
        trail.extend(vertices.windows(2).map(|pair| {
            let pair = [pair[0], pair[1]];
            self.graph.only_step(pair).unwrap_or_else(|| {
                let side = self.graph.cheapest_side(self.mesh, self.costs, pair);
                self.graph
                    .step_out_of(side.expect("an arc of the graph"), pair[1])
            })
        }));
    }
}
