//! Queries by hub labels: the best hub that start and goal share.

use std::ops::ControlFlow;

use super::contraction::add_vertex;
use super::{Engine, Event, Limits, Observer, Outcome, Scratch, Search, Tier};
use crate::contraction::{HubLabels, HubPath, HubScratch};
use crate::graph::SampleSide;
use crate::ids::{SampleId, Terminal};
use crate::path::{Corridor, Crossing};

/// The cost from start to goal and the first crossing of the path, without the rest of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The cost of the path that the same engine finds.
    pub cost: f32,
    /// The crossing by which a path of that cost leaves the polygon of the start; `None` if it stays there.
    pub first: Option<Crossing>,
}

impl Search<'_> {
    /// Searches by hub labels. Without labels for these costs the contraction answers.
    pub(super) fn hub_labels<O: Observer>(
        &self,
        scratch: &mut Scratch,
        observer: &mut O,
    ) -> Outcome {
        let Some(labels) = self.labels else {
            return self.contraction(scratch, observer);
        };
        if O::WATCHES {
            self.observe_hubs(labels, observer);
        }
        let Scratch { hubs, vertices, .. } = scratch;
        vertices.clear();
        let found = self.best_hub(labels, hubs).map(|path| {
            let visited = self.path_vertices(labels, path, hubs, |vertex| {
                add_vertex(vertices, vertex.0);
                ControlFlow::<()>::Continue(())
            });
            debug_assert!(visited.is_continue());
            path.cost
        });
        self.outcome_of(found, scratch, observer)
    }

    /// Reports the hubs of all vertices of the start's and the goal's polygon.
    fn observe_hubs(&self, labels: &HubLabels, observer: &mut impl Observer) {
        let (contraction, _) = self.contraction_parts();
        let ends = [(Terminal::Start, self.start), (Terminal::Goal, self.goal)];
        for (terminal, location) in ends {
            for (vertex, _) in self.access_legs(location) {
                for hub in labels.hubs(terminal, vertex) {
                    let vertex = SampleId(contraction.order()[hub.rank as usize]);
                    observer.observe(Event::Hub(terminal, vertex));
                }
            }
        }
    }

    /// Returns the distance to the goal. Hub labels stop after the first crossing; other engines find the
    /// full path.
    pub(crate) fn distance(&self, engine: Engine, scratch: &mut Scratch) -> Option<Distance> {
        match (engine, self.labels) {
            (Engine::Labels, Some(labels)) => self.hub_distance(labels, scratch),
            _ => {
                let limits = Limits {
                    partial: false,
                    ..self.limits
                };
                let outcome = Self { limits, ..*self }.run(engine, scratch, &mut ());
                let Outcome::Found { cost } = outcome else {
                    return None;
                };
                let first = match engine.tier() {
                    Tier::Exact => self.first_exact_crossing(scratch),
                    tier if tier.is_taut() => self.first_taut_crossing(scratch),
                    _ => {
                        let mut crossings =
                            Corridor::crossings_of(self.graph, &scratch.trail, self.goal.polygon);
                        crossings.next().map(|(crossing, _)| crossing)
                    }
                };
                Some(Distance { cost, first })
            }
        }
    }

    /// Returns the first crossing of an exact path.
    fn first_exact_crossing(&self, scratch: &mut Scratch) -> Option<Crossing> {
        let Scratch {
            corridor,
            exact,
            bends,
            ..
        } = scratch;
        let ends = [self.start, self.goal];
        let is_followed = self.exact_index().follow(ends, exact, corridor, bends);
        corridor.crossings.first().copied().filter(|_| is_followed)
    }

    /// Returns the first crossing of the corridor of a taut trail, after backtracking has been removed.
    fn first_taut_crossing(&self, scratch: &mut Scratch) -> Option<Crossing> {
        let Scratch {
            corridor, trail, ..
        } = scratch;
        let ends = [self.start, self.goal].map(|location| location.polygon);
        let factor = |polygon| self.prices.factor(self.mesh, polygon);
        corridor.follow_taut(self.graph, trail, ends, factor);
        corridor.crossings.first().copied()
    }

    /// Returns the distance to the goal by hub labels.
    fn hub_distance(&self, labels: &HubLabels, scratch: &mut Scratch) -> Option<Distance> {
        let Scratch { hubs, trail, .. } = scratch;
        let straight = self.straight_cost();
        let path = self
            .best_hub(labels, hubs)
            .filter(|path| path.cost < straight);
        let Some(path) = path else {
            let cost = Some(straight).filter(|&cost| cost < f32::INFINITY)?;
            return Some(Distance { cost, first: None });
        };
        trail.clear();
        let visited = self.path_vertices(labels, path, hubs, |vertex| {
            let through = match trail[..] {
                // As in `add_vertex`: a path that returns to the vertex before is a detour by rounding.
                [.., before, _] if before.sample() == vertex => {
                    trail.pop();
                    return ControlFlow::Continue(());
                }
                [.., last] => self.arc_side([last.sample(), vertex]),
                [] => SampleSide::Polygon(self.start.polygon),
            };
            let step = self.graph.step_via(through, vertex);
            let side = self.graph.side_before(step);
            let crossing = trail
                .last()
                .and_then(|&last| Crossing::at(self.graph, last, side));
            trail.push(step);
            crossing.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        });
        let first = visited.break_value().or_else(|| {
            let goal = SampleSide::Polygon(self.goal.polygon);
            let last = trail.last().copied();
            last.and_then(|last| Crossing::at(self.graph, last, goal))
        });
        Some(Distance {
            cost: path.cost,
            first: first.map(|(crossing, _)| crossing),
        })
    }

    /// Returns the cheapest path over a hub that start and goal share.
    fn best_hub(&self, labels: &HubLabels, hubs: &mut HubScratch) -> Option<HubPath> {
        let (contraction, _) = self.contraction_parts();
        let max_cost = self.straight_cost().min(self.limits.max_cost);
        let (starts, goals) = (self.access_legs(self.start), self.access_legs(self.goal));
        labels.query(contraction, starts, goals, max_cost, hubs)
    }

    /// Calls `visit` with the vertices of a path over a hub, in order, until it breaks.
    fn path_vertices<B>(
        &self,
        labels: &HubLabels,
        path: HubPath,
        hubs: &mut HubScratch,
        mut visit: impl FnMut(SampleId) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (contraction, shortcuts) = self.contraction_parts();
        labels.path_vertices(contraction, shortcuts, path, hubs, |vertex| {
            visit(SampleId(vertex))
        })
    }
}
