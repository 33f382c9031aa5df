//! Step 3 of HNA*: A* over the inter-edges of a level.

use super::{LevelContext, LevelSearch};
use crate::geometry::distance;
use crate::graph::DirectedSample;
use crate::hierarchy::{OverlayEndpoints, OverlaySearch, OverlayStep};
use crate::ids::SampleId;
use crate::query::{Event, Observer, Scratch, Search};
use crate::search::Pace;

impl Search<'_> {
    /// Begins the search over the inter-edges between the connections that are in the scratch.
    pub(super) fn begin_overlay(&self, state: &mut LevelSearch, scratch: &mut Scratch) {
        let Scratch {
            labels,
            heap,
            from_start,
            to_goal,
            ..
        } = scratch;
        let ends = OverlayEndpoints {
            start: (state.nodes.start, &from_start.costs),
            goal: (state.nodes.goal, &to_goal.costs),
            max_cost: state.path.cost,
        };
        let overlay = self.overlay(self.context_of(state), ends);
        state.path = overlay.begin(labels, heap);
    }

    /// Continues the search over inter-edges. Returns whether it has ended.
    pub(super) fn resume_overlay(
        &self,
        state: &mut LevelSearch,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> bool {
        let context = self.context_of(state);
        let Scratch {
            labels,
            heap,
            from_start,
            to_goal,
            ..
        } = scratch;
        let ends = OverlayEndpoints {
            start: (state.nodes.start, &from_start.costs),
            goal: (state.nodes.goal, &to_goal.costs),
            max_cost: state.path.cost,
        };
        let graph = context.hierarchy.level(context.level);
        let vertex = |inter_edge: u32| graph.inter_edge(inter_edge).vertex;
        let report_step = |step: OverlayStep| {
            observer.observe(match step {
                OverlayStep::Settled(inter_edge) => Event::Settled(vertex(inter_edge)),
                OverlayStep::IntraEdge(pair) => Event::IntraEdge(pair.map(vertex)),
            });
        };
        let overlay = self.overlay(context, ends);
        overlay.resume(&mut state.path, pace, labels, heap, report_step)
    }

    fn overlay<'s>(
        &'s self,
        context: LevelContext<'s>,
        endpoints: OverlayEndpoints<'s>,
    ) -> OverlaySearch<'s, impl Fn(DirectedSample) -> f32> {
        OverlaySearch {
            hierarchy: context.hierarchy,
            metric: context.metric,
            level: context.level,
            endpoints,
            lower_bound: move |to: DirectedSample| self.overlay_bound(context, to.sample()),
        }
    }

    /// Returns a lower bound on the cost from an inter-edge to the goal.
    #[inline]
    pub(in crate::query) fn overlay_bound(
        &self,
        context: LevelContext<'_>,
        inter_edge: SampleId,
    ) -> f32 {
        let graph = context.hierarchy.level(context.level);
        let position = self.graph.position(graph.inter_edge(inter_edge.0).vertex);
        distance(position, self.goal.point) * self.prices.heuristic_scale()
    }
}
