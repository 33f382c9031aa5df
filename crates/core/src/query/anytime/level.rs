//! The inter-edges of a level, as the rounds of an anytime search see them.

use super::rounds::AnytimeGraph;
use crate::graph::DirectedSample;
use crate::ids::SampleId;
use crate::query::hna::{LevelContext, LevelSearch, NodePair};
use crate::query::{Scratch, Search};
use crate::search::{Heap, SearchLabels};

/// The intra-edges of a search over the inter-edges of a level, and the connections of start and goal. They are
/// those of HNA*.
pub(super) struct LevelArcs<'a> {
    search: &'a Search<'a>,
    context: LevelContext<'a>,
    nodes: NodePair,
    from_start: &'a [f32],
    to_goal: &'a [f32],
}

impl<'a> LevelArcs<'a> {
    /// Splits the scratch into the connections that the arcs need and the state of the search.
    pub(super) fn new(
        search: &'a Search<'a>,
        level: &LevelSearch,
        scratch: &'a mut Scratch,
    ) -> (Self, &'a mut SearchLabels, &'a mut Heap) {
        let arcs = Self {
            search,
            context: search.context_of(level),
            nodes: level.nodes,
            from_start: &scratch.from_start.costs,
            to_goal: &scratch.to_goal.costs,
        };
        (arcs, &mut scratch.labels, &mut scratch.heap)
    }
}

impl AnytimeGraph for LevelArcs<'_> {
    fn vertex_count(&self) -> usize {
        let graph = self.context.hierarchy.level(self.context.level);
        graph.inter_edges().len()
    }

    #[inline]
    fn lower_bound(&self, vertex: SampleId) -> f32 {
        self.search.overlay_bound(self.context, vertex)
    }

    fn expand_start(&self, mut reach: impl FnMut(DirectedSample, f32)) {
        let graph = self.context.hierarchy.level(self.context.level);
        let edges = graph.of_node(self.nodes.start).iter();
        for (&edge, &cost) in edges.zip(self.from_start) {
            reach(edge, cost);
        }
    }

    #[inline]
    fn expand(
        &self,
        from: DirectedSample,
        cost: f32,
        mut reach: impl FnMut(DirectedSample, f32),
    ) -> f32 {
        let graph = self.context.hierarchy.level(self.context.level);
        let intra_edges = self.context.metric.level(self.context.level);
        let side = graph.inter_edge(from.sample().0).sides[from.far_side()];
        let list = graph.of_node(side.node);
        let row = intra_edges.costs(graph.row(side.node, side.index), list.len());
        for (&to, &arc) in list.iter().zip(row) {
            reach(to, cost + arc);
        }
        if side.node != self.nodes.goal {
            return f32::INFINITY;
        }
        let total = cost + self.to_goal[side.index as usize];
        match total <= self.search.limits.max_cost {
            true => total,
            false => f32::INFINITY,
        }
    }
}
