//! Searches that stay inside one node.

use glam::Vec3;

use super::LevelContext;
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::hierarchy::Connects;
use crate::ids::{LinkId, NodeId, PolygonId, SampleId};
use crate::navmesh::Location;
use crate::query::Search;
use crate::search::{Heap, SearchLabels, entry, unpack};

/// A search within one node: from the start to the inter-edges of its node, or from the goal to the
/// inter-edges of its node on reversed arcs.
pub(super) struct NodeSearch<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) context: LevelContext<'a>,
    pub(super) node: NodeId,
    pub(super) connects: Connects,
    /// The location from which the search begins.
    pub(super) terminal: Location,
}

impl NodeSearch<'_> {
    /// Runs Dijkstra's algorithm until the last inter-edge is settled.
    pub(super) fn dijkstra(&self, labels: &mut SearchLabels, heap: &mut Heap) {
        let graph = self.context.hierarchy.level(self.context.level);
        let mut unsettled = graph.of_node(self.node).len();
        if unsettled > 0 {
            let is_last = |vertex| {
                unsettled -= usize::from(self.is_inter_edge(vertex));
                unsettled == 0
            };
            self.run(labels, heap, |_| 0.0, is_last);
        }
    }

    /// Runs A* to one inter-edge.
    pub(super) fn astar(&self, to: SampleId, labels: &mut SearchLabels, heap: &mut Heap) {
        let (target, scale) = (
            self.search.graph.position(to),
            self.search.prices.heuristic_scale(),
        );
        let lower_bound = |position| distance(position, target) * scale;
        self.run(labels, heap, lower_bound, |vertex| vertex == to);
    }

    /// Runs A* until `is_last` returns true for a settled vertex. `lower_bound` returns a lower bound on the
    /// remaining cost from a position.
    fn run(
        &self,
        labels: &mut SearchLabels,
        heap: &mut Heap,
        lower_bound: impl Fn(Vec3) -> f32,
        mut is_last: impl FnMut(SampleId) -> bool,
    ) {
        let (mesh, graph) = (self.search.mesh, self.search.graph);
        labels.reset(graph.sample_count());
        heap.clear();
        let relax = |to: DirectedSample,
                     position,
                     cost: f32,
                     from,
                     labels: &mut SearchLabels,
                     heap: &mut Heap| {
            if cost < labels.cost(to.sample()) {
                let key = cost + lower_bound(position);
                labels.set(to, cost, key, from);
                heap.push(entry(key, to.sample().0));
            }
        };
        // It stays empty: the graph of a hierarchy has positions in its lists.
        let mut buffer = Vec::new();
        let mut expand =
            |polygon: PolygonId, position, cost, from, labels: &mut _, heap: &mut _| {
                let factor = self.search.prices.factor(mesh, polygon);
                if factor == f32::INFINITY {
                    return;
                }
                let (position, length) = graph.branch_point(polygon, position);
                let cost = cost + length * factor;
                for exit in graph.exits(polygon).listed(&mut buffer) {
                    let cost = cost + distance(position, exit.position) * factor;
                    relax(exit.step, exit.position, cost, from, labels, heap);
                }
            };
        let location = self.terminal;
        expand(location.polygon, location.point, 0.0, None, labels, heap);
        while let Some(top) = heap.pop() {
            let (key, vertex) = unpack(top);
            let vertex = SampleId(vertex);
            let label = labels.known(vertex);
            if key != label.key {
                continue;
            }
            if is_last(vertex) {
                break;
            }
            match graph.side(vertex, label.far_side()) {
                SampleSide::Polygon(polygon) if self.contains(polygon) => {
                    let position = graph.position(vertex);
                    expand(polygon, position, label.cost, Some(vertex), labels, heap);
                }
                SampleSide::Link(link, end) if self.contains_link(link) => {
                    let entry_end = match self.connects {
                        Connects::Start => end,
                        Connects::Goal => 1 - end,
                    };
                    if let Some(cost) = self.link_cost(link, entry_end) {
                        let to = graph.link_end(link, 1 - end);
                        let cost = label.cost + cost;
                        if cost < labels.cost(to) {
                            let key = cost + lower_bound(graph.position(to));
                            labels.set(DirectedSample::new(to, 0), cost, key, Some(vertex));
                            heap.push(entry(key, to.0));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn link_cost(&self, link: LinkId, entry_end: usize) -> Option<f32> {
        let link = self.search.mesh.link(link);
        let is_open = entry_end == 0 || link.both_ways;
        let cost = self.search.prices.link_cost(self.search.mesh, link);
        cost.filter(|_| is_open)
    }

    fn contains(&self, polygon: PolygonId) -> bool {
        self.context.hierarchy.node_of(self.context.level, polygon) == self.node
    }

    fn contains_link(&self, link: LinkId) -> bool {
        let polygons = self.search.mesh.polygon_count();
        let (hierarchy, level) = (self.context.hierarchy, self.context.level);
        hierarchy.node_of_link(level, polygons, link) == self.node
    }

    fn is_inter_edge(&self, vertex: SampleId) -> bool {
        [0, 1]
            .into_iter()
            .any(|side| !match self.search.graph.side(vertex, side) {
                SampleSide::Polygon(polygon) => self.contains(polygon),
                SampleSide::Link(link, _) => self.contains_link(link),
            })
    }
}
