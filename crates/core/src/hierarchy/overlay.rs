//! A* over the inter-edges of a level.

use super::{Hierarchy, Metric};
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};
use crate::search::{Heap, Pace, SearchLabels, Unlimited, entry, unpack};

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

/// A search over the inter-edges of a level. `lower_bound` returns a lower bound on the cost from an
/// inter-edge to the goal, given the inter-edge and the side to which the path crosses it.
pub(crate) struct OverlaySearch<'a, B> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) metric: &'a Metric,
    pub(crate) level: Level,
    pub(crate) endpoints: OverlayEndpoints<'a>,
    pub(crate) lower_bound: B,
}

/// The cheapest path of an [`OverlaySearch`] so far. Without a `last` inter-edge there is none, and `cost` is
/// the limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverlayPath {
    pub(crate) cost: f32,
    /// The number of the inter-edge by which the path enters the goal's node.
    pub(crate) last: Option<u32>,
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
        observe: impl FnMut(OverlayStep),
    ) -> Option<(f32, u32)> {
        let search = OverlaySearch {
            hierarchy,
            metric: self,
            level,
            endpoints,
            lower_bound,
        };
        let mut path = search.begin(labels, heap);
        let has_ended = search.resume(&mut path, &mut Unlimited, labels, heap, observe);
        debug_assert!(has_ended, "nothing pauses the search");
        path.last.map(|last| (path.cost, last))
    }
}

impl<B: Fn(DirectedSample) -> f32> OverlaySearch<'_, B> {
    /// Begins the search: labels the inter-edges of the start's node.
    #[inline]
    pub(crate) fn begin(&self, labels: &mut SearchLabels, heap: &mut Heap) -> OverlayPath {
        let graph = self.hierarchy.level(self.level);
        labels.reset(graph.inter_edges().len());
        heap.clear();
        let max_cost = self.endpoints.max_cost;
        let (node, costs) = self.endpoints.start;
        for (&edge, &cost) in graph.of_node(node).iter().zip(costs) {
            self.reach(edge, cost, None, max_cost, labels, heap);
        }
        OverlayPath {
            cost: max_cost,
            last: None,
        }
    }

    /// Continues the search where it paused. Returns whether it has ended.
    #[inline]
    pub(crate) fn resume(
        &self,
        path: &mut OverlayPath,
        pace: &mut impl Pace,
        labels: &mut SearchLabels,
        heap: &mut Heap,
        mut observe: impl FnMut(OverlayStep),
    ) -> bool {
        let graph = self.hierarchy.level(self.level);
        let (goal, goal_costs) = self.endpoints.goal;
        let mut best = *path;
        while let Some(top) = heap.pop() {
            let (key, number) = unpack(top);
            if key > best.cost {
                break;
            }
            let label = labels.known(SampleId(number));
            if key != label.key {
                continue;
            }
            if !pace.allows_one() {
                heap.push(top);
                *path = best;
                return false;
            }
            observe(OverlayStep::Settled(number));
            let side = graph.inter_edge(number).sides[label.far_side()];
            if side.node == goal {
                let cost = label.cost + goal_costs[side.index as usize];
                let equals_limit = cost < f32::INFINITY && cost == best.cost && best.last.is_none();
                if cost < best.cost || equals_limit {
                    best = OverlayPath {
                        cost,
                        last: Some(number),
                    };
                }
            }
            let list = graph.of_node(side.node);
            let row = self
                .metric
                .row(self.hierarchy, self.level, side.node, side.index);
            for (&to, &arc) in list.iter().zip(row) {
                observe(OverlayStep::IntraEdge([number, to.sample().0]));
                let from = Some(SampleId(number));
                self.reach(to, label.cost + arc, from, best.cost, labels, heap);
            }
        }
        *path = best;
        true
    }

    /// Stores a cheaper path to an inter-edge.
    #[inline]
    fn reach(
        &self,
        to: DirectedSample,
        cost: f32,
        from: Option<SampleId>,
        max_cost: f32,
        labels: &mut SearchLabels,
        heap: &mut Heap,
    ) {
        let number = to.sample();
        if cost >= labels.cost(number) {
            return;
        }
        let key = cost + (self.lower_bound)(to);
        if key <= max_cost {
            labels.set(to, cost, key, from);
            heap.push(entry(key, number.0));
        }
    }
}
