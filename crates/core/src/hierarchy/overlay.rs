//! A* over the inter-edges of a level, whatever the graph below is.

use super::{Hierarchy, Metric};
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};
use crate::search::{Heap, SearchLabels, entry, unpack};

/// Where a search over inter-edges begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct OverlayEndpoints<'a> {
    /// The node of the start, and what getting out over each of its inter-edges costs.
    pub start: (NodeId, &'a [f32]),
    /// The node of the goal, and what the goal costs from each of its inter-edges.
    pub goal: (NodeId, &'a [f32]),
    /// Ways that cost more are not found.
    pub max_cost: f32,
}

/// What a search over inter-edges looks at; inter-edges by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayStep {
    /// The cost of an inter-edge is final.
    Settled(u32),
    /// The intra-edge from one inter-edge to another is followed.
    IntraEdge([u32; 2]),
}

impl Metric {
    /// The least cost from start to goal, and the inter-edge by which the goal's node is entered last.
    /// `least` is what the goal costs at least from an inter-edge that is passed to one side.
    /// `watch` is called with everything that is looked at.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "the scratch is taken apart by the caller"
    )]
    pub fn over_inter_edges(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        endpoints: OverlayEndpoints<'_>,
        least: impl Fn(DirectedSample) -> f32,
        labels: &mut SearchLabels,
        heap: &mut Heap,
        mut watch: impl FnMut(OverlayStep),
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
            let key = cost + least(to);
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
            watch(OverlayStep::Settled(number));
            let end = graph.inter_edge(number).sides[label.far_side()];
            if end.node == endpoints.goal.0 {
                let whole = label.cost + endpoints.goal.1[end.index as usize];
                let is_affordable = whole < f32::INFINITY && whole == best.0 && best.1.is_none();
                if whole < best.0 || is_affordable {
                    best = (whole, Some(number));
                }
            }
            let list = graph.of_node(end.node);
            let row = intra_edges.costs(graph.row(end.node, end.index), list.len());
            for (&to, &arc) in list.iter().zip(row) {
                watch(OverlayStep::IntraEdge([number, to.sample().0]));
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
