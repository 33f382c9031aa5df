//! A* over the inter-edges of a level.

use super::{Hierarchy, Metric};
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};
use crate::search::{Heap, SearchLabels, entry, unpack};

/// The start and the goal of a search over inter-edges.
#[derive(Clone, Copy, Debug)]
pub struct OverlayEndpoints<'a> {
    /// The node of the start, and the cost from the start to each of the node's inter-edges.
    pub start: (NodeId, &'a [f32]),
    /// The node of the goal, and the cost from each of the node's inter-edges to the goal.
    pub goal: (NodeId, &'a [f32]),
    /// The search finds no path that costs more.
    pub max_cost: f32,
}

/// A step of a search over inter-edges. Inter-edges are given by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayStep {
    /// An inter-edge is settled: its cost is final.
    Settled(u32),
    /// The intra-edge from one inter-edge to another is relaxed.
    IntraEdge([u32; 2]),
}

impl Metric {
    /// Finds the cheapest path from start to goal over the inter-edges of a level. Returns its cost, and
    /// the number of the last inter-edge, by which it enters the goal's node. `lower_bound` returns a lower
    /// bound on the cost from an inter-edge to the goal, given the inter-edge and the side to which the path
    /// crosses it. `observe` is called with every step of the search.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "the caller has already split the scratch into its fields"
    )]
    pub fn over_inter_edges(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        endpoints: OverlayEndpoints<'_>,
        lower_bound: impl Fn(DirectedSample) -> f32,
        labels: &mut SearchLabels,
        heap: &mut Heap,
        mut observe: impl FnMut(OverlayStep),
    ) -> Option<(f32, u32)> {
        let graph = hierarchy.level(level);
        let intra_edges = self.level(level);
        labels.reset(graph.inter_edges().len());
        heap.clear();
        let mut best = (endpoints.max_cost, None);
        let reach = |to: DirectedSample,
                     cost: f32,
                     from,
                     max_cost: f32,
                     labels: &mut SearchLabels,
                     heap: &mut Heap| {
            let number = to.sample();
            if cost >= labels.cost(number) {
                return;
            }
            let key = cost + lower_bound(to);
            if key <= max_cost {
                labels.set(to, cost, key, from);
                heap.push(entry(key, number.0));
            }
        };
        for (&edge, &cost) in graph
            .of_node(endpoints.start.0)
            .iter()
            .zip(endpoints.start.1)
        {
            reach(edge, cost, None, best.0, labels, heap);
        }
        while let Some(top) = heap.pop() {
            let (key, number) = unpack(top);
            if key > best.0 {
                break;
            }
            let label = labels.known(SampleId(number));
            if key != label.key {
                continue;
            }
            observe(OverlayStep::Settled(number));
            let side = graph.inter_edge(number).sides[label.far_side()];
            if side.node == endpoints.goal.0 {
                let total = label.cost + endpoints.goal.1[side.index as usize];
                let equals_limit = total < f32::INFINITY && total == best.0 && best.1.is_none();
                if total < best.0 || equals_limit {
                    best = (total, Some(number));
                }
            }
            let list = graph.of_node(side.node);
            let row = intra_edges.costs(graph.row(side.node, side.index), list.len());
            for (&to, &arc) in list.iter().zip(row) {
                observe(OverlayStep::IntraEdge([number, to.sample().0]));
                reach(
                    to,
                    label.cost + arc,
                    Some(SampleId(number)),
                    best.0,
                    labels,
                    heap,
                );
            }
        }
        best.1.map(|last| (best.0, last))
    }
}
