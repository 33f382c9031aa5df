//! Step 3: A* over the inter-edges of a level.

use super::{NodePair, Storey};
use crate::geometry::distance;
use crate::graph::Step;
use crate::heap::{Heap, entry, unpack};
use crate::ids::SampleId;
use crate::labels::Labels;
use crate::query::{Scratch, Search};

impl Search<'_> {
    /// The least cost up to `most`, and the inter-edge by which the goal's node is entered last.
    pub(super) fn over_inter_edges(
        &self,
        storey: Storey<'_>,
        nodes: NodePair,
        most: f32,
        scratch: &mut Scratch,
    ) -> Option<(f32, u32)> {
        let graph = storey.hierarchy.level(storey.level);
        let intra_edges = storey.metric.level(storey.level);
        let Scratch {
            labels,
            heap,
            from_start,
            to_goal,
            ..
        } = scratch;
        labels.reset(graph.inter_edges().len());
        heap.clear();
        let mut best = (most, None);
        let scale = self.costs.heuristic_scale();
        let reach = |to: Step, cost: f32, from, most: f32, labels: &mut Labels, heap: &mut Heap| {
            let number = to.sample();
            if cost >= labels.cost(number) {
                return;
            }
            let position = self.graph.position(graph.inter_edge(number.0).vertex);
            let key = cost + distance(position, self.goal.point) * scale;
            if key <= most {
                labels.set(to, cost, key, from);
                heap.push(entry(key, number.0));
            }
        };
        for (&edge, &cost) in graph.of_node(nodes.start).iter().zip(&from_start.costs) {
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
            let end = graph.inter_edge(number).ends[label.onward()];
            if end.node == nodes.goal {
                let whole = label.cost + to_goal.costs[end.index as usize];
                let is_affordable = whole < f32::INFINITY && whole == best.0 && best.1.is_none();
                if whole < best.0 || is_affordable {
                    best = (whole, Some(number));
                }
            }
            let list = graph.of_node(end.node);
            let row = intra_edges.costs(graph.row(end.node, end.index), list.len());
            for (&to, &arc) in list.iter().zip(row) {
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
