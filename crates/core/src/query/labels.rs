//! Hub labels: the hub that start and goal share.

use std::ops::ControlFlow;

use super::contraction::add_vertex;
use super::{Engine, Event, Limits, Observer, Outcome, Scratch, Search};
use crate::contraction::{HubLabels, HubPath, HubScratch};
use crate::graph::SampleSide;
use crate::ids::{SampleId, Terminal};
use crate::path::{Corridor, Crossing};

/// How far a goal is, and how one sets out for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The cost of the path that the same engine finds.
    pub cost: f32,
    /// How a way of that cost leaves the start's polygon; `None` where it does not.
    pub first: Option<Crossing>,
}

impl Search<'_> {
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
        let found = self.meet(labels, hubs).map(|way| {
            let told = self.path_vertices(labels, way, hubs, |vertex| {
                add_vertex(vertices, vertex.0);
                ControlFlow::<()>::Continue(())
            });
            debug_assert!(told.is_continue());
            way.cost
        });
        self.conclude(found, scratch, observer)
    }

    /// The hubs of all vertices by which start and goal are left and entered.
    fn observe_hubs(&self, labels: &HubLabels, observer: &mut impl Observer) {
        let (contraction, _) = self.contracted();
        let ends = [(Terminal::Start, self.start), (Terminal::Goal, self.goal)];
        for (terminal, place) in ends {
            for (vertex, _) in self.legs(place) {
                for hub in labels.hubs(terminal, vertex) {
                    let vertex = SampleId(contraction.order()[hub.rank as usize]);
                    observer.observe(Event::Hub(terminal, vertex));
                }
            }
        }
    }

    /// How far the goal is. Labels tell without the rest of the way; other engines look for all of it.
    pub(crate) fn distance(&self, engine: Engine, scratch: &mut Scratch) -> Option<Distance> {
        match (engine, self.labels) {
            (Engine::Labels, Some(labels)) => self.labelled_distance(labels, scratch),
            _ => {
                let limits = Limits {
                    partial: false,
                    ..self.limits
                };
                let outcome = Self { limits, ..*self }.run(engine, scratch, &mut ());
                let Outcome::Found { cost } = outcome else {
                    return None;
                };
                let first = match engine.tier().is_taut() {
                    true => self.first_of_taut(scratch),
                    false => {
                        let mut crossings =
                            Corridor::crossings_of(self.graph, &scratch.trail, self.goal.polygon);
                        crossings.next().map(|(crossing, _)| crossing)
                    }
                };
                Some(Distance { cost, first })
            }
        }
    }

    /// The first crossing of a trail that can lead there and back, as its path has it.
    fn first_of_taut(&self, scratch: &mut Scratch) -> Option<Crossing> {
        let Scratch {
            corridor, trail, ..
        } = scratch;
        let ends = [self.start, self.goal].map(|place| place.polygon);
        let factor = |polygon| self.prices.factor(self.mesh, polygon);
        corridor.follow_taut(self.graph, trail, ends, factor);
        corridor.crossings.first().copied()
    }

    fn labelled_distance(&self, labels: &HubLabels, scratch: &mut Scratch) -> Option<Distance> {
        let Scratch { hubs, trail, .. } = scratch;
        let straight = self.straight();
        let way = self.meet(labels, hubs).filter(|way| way.cost < straight);
        let Some(way) = way else {
            let cost = Some(straight).filter(|&cost| cost < f32::INFINITY)?;
            return Some(Distance { cost, first: None });
        };
        trail.clear();
        let told = self.path_vertices(labels, way, hubs, |vertex| {
            let through = match trail[..] {
                // As for a whole way: there and back again is no way.
                [.., before, _] if before.sample() == vertex => {
                    trail.pop();
                    return ControlFlow::Continue(());
                }
                [.., last] => self.arc_side([last.sample(), vertex]),
                [] => SampleSide::Polygon(self.start.polygon),
            };
            let step = self.graph.step_out_of(through, vertex);
            let side = self.graph.came_through(step);
            let crossing = trail
                .last()
                .and_then(|&last| Crossing::at(self.graph, last, side));
            trail.push(step);
            crossing.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        });
        let first = told.break_value().or_else(|| {
            let goal = SampleSide::Polygon(self.goal.polygon);
            let last = trail.last().copied();
            last.and_then(|last| Crossing::at(self.graph, last, goal))
        });
        Some(Distance {
            cost: way.cost,
            first: first.map(|(crossing, _)| crossing),
        })
    }

    fn meet(&self, labels: &HubLabels, hubs: &mut HubScratch) -> Option<HubPath> {
        let (contraction, _) = self.contracted();
        let most = self.straight().min(self.limits.max_cost);
        let (starts, goals) = (self.legs(self.start), self.legs(self.goal));
        labels.query(contraction, starts, goals, most, hubs)
    }

    fn path_vertices<B>(
        &self,
        labels: &HubLabels,
        way: HubPath,
        hubs: &mut HubScratch,
        mut tell: impl FnMut(SampleId) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (contraction, shortcuts) = self.contracted();
        labels.path_vertices(contraction, shortcuts, way, hubs, |vertex| {
            tell(SampleId(vertex))
        })
    }
}
