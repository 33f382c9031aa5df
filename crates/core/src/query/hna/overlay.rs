//! Step 3 of HNA*: A* over the inter-edges of a level.

use super::{LevelContext, NodePair};
use crate::geometry::distance;
use crate::graph::DirectedSample;
use crate::hierarchy::{OverlayEndpoints, OverlayStep};
use crate::query::{Event, Observer, Scratch, Search};

impl Search<'_> {
    /// Returns the minimum cost, if it is at most `max_cost`, and the last inter-edge of the path, by which
    /// it enters the goal's node.
    pub(super) fn over_inter_edges(
        &self,
        context: LevelContext<'_>,
        nodes: NodePair,
        max_cost: f32,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<(f32, u32)> {
        let LevelContext {
            hierarchy,
            metric,
            level,
        } = context;
        let Scratch {
            labels,
            heap,
            from_start,
            to_goal,
            ..
        } = scratch;
        let graph = hierarchy.level(level);
        let scale = self.prices.heuristic_scale();
        let lower_bound = |to: DirectedSample| {
            let position = self.graph.position(graph.inter_edge(to.sample().0).vertex);
            distance(position, self.goal.point) * scale
        };
        let ends = OverlayEndpoints {
            start: (nodes.start, &from_start.costs),
            goal: (nodes.goal, &to_goal.costs),
            max_cost,
        };
        let vertex = |inter_edge: u32| graph.inter_edge(inter_edge).vertex;
        let report_step = |step: OverlayStep| {
            observer.observe(match step {
                OverlayStep::Settled(inter_edge) => Event::Settled(vertex(inter_edge)),
                OverlayStep::IntraEdge(pair) => Event::IntraEdge(pair.map(vertex)),
            });
        };
        metric.over_inter_edges(
            hierarchy,
            level,
            ends,
            lower_bound,
            labels,
            heap,
            report_step,
        )
    }
}
