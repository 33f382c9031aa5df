//! HNA* over Low Meshes (Pelechano and Fuentes 2016), with the hierarchy that the core uses for navmeshes.
//!
//! The cells of the hierarchy are triangles, and its vertices are the borders between two triangles. An arc connects
//! one border of a triangle with another and costs as much as crossing the latter.
//!
//! The result is exact (see `hierarchy/mod.rs` in the core, "Why it is exact"). A detour over the third border of
//! a triangle costs an additional crossing. Crossing a border and going back never pays, because the path was
//! already in that triangle at a lower cost.

use super::labels::TriangleLabels;
use super::{LowGraph, NO_TRIANGLE, TerrainScratch};
use portolan_core::graph::DirectedSample;
use portolan_core::hierarchy::{
    Cliques, Hierarchy, HierarchyError, IntraEdgeId, Metric, OverlayEndpoints,
};
use portolan_core::search::{Heap, SearchLabels, entry, unpack};
use portolan_core::{Level, NodeId, Partition, SampleId};

/// A hierarchy of nodes over the triangles of a terrain, and the costs of crossing the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct LowHna {
    hierarchy: Hierarchy,
    metric: Metric,
}

/// The buffers of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct HnaScratch {
    from_start: NodeConnection,
    to_goal: NodeConnection,
    labels: SearchLabels,
    inter_edges: Vec<DirectedSample>,
    stack: Vec<u32>,
}

/// The costs between start or goal and the inter-edges of its node.
#[derive(Clone, Debug, Default)]
struct NodeConnection {
    labels: TriangleLabels,
    /// One cost per inter-edge of the node.
    costs: Vec<f32>,
}

impl LowHna {
    /// Builds the hierarchy for a partition of the triangles.
    pub(super) fn new(graph: &LowGraph, partition: Partition) -> Result<Self, HierarchyError> {
        if partition.cell_count() != graph.len() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: graph.len(),
            });
        }
        let hierarchy = Hierarchy::new(&borders(graph), partition)?;
        let metric = Metric::new(&hierarchy, &cliques(graph, &hierarchy));
        Ok(Self { hierarchy, metric })
    }

    /// Computes the costs of crossing nodes again after prices have changed. The nodes stay.
    pub(super) fn reprice(&mut self, graph: &LowGraph) {
        self.metric = Metric::new(&self.hierarchy, &cliques(graph, &self.hierarchy));
    }

    /// Finds the cheapest path from one triangle to another. Writes its triangles to `path`, start and goal
    /// included, and returns its cost. If no path costs at most `max_cost`, returns `None` and leaves `path` empty.
    ///
    /// `graph` must be the graph that the hierarchy was built for. Without a level,
    /// [`choose_level`](Self::choose_level) selects one. At level 0, and if start and goal are in the same node, A*
    /// searches the triangles, as in the publication.
    pub(super) fn find(
        &self,
        graph: &LowGraph,
        [from, to]: [u32; 2],
        level: Option<Level>,
        max_cost: f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let level = level.unwrap_or_else(|| self.choose_level(from, to));
        let [start, goal] = [from, to].map(|triangle| self.node_of(level, triangle));
        if level == Level(0) || start == goal {
            return graph.astar(from, to, max_cost, scratch, path);
        }
        path.clear();
        let TerrainScratch { heap, hna, .. } = scratch;
        // 1. Connect start and goal to the inter-edges of their nodes.
        self.connect_start(graph, level, (start, from), &mut hna.from_start, heap);
        self.connect_goal(graph, level, (goal, to), &mut hna.to_goal, heap);
        // 2. Find the cheapest path over inter-edges.
        let ends = OverlayEndpoints {
            start: (start, &hna.from_start.costs),
            goal: (goal, &hna.to_goal.costs),
            max_cost,
        };
        let triangles = self.hierarchy.level(Level(0));
        let edges = self.hierarchy.level(level);
        let goal_extent = graph.extent(to);
        let lower_bound = |edge: DirectedSample| {
            let border = edges.inter_edge(edge.sample().0).vertex;
            let triangle = triangles.inter_edge(border.0).sides[edge.far_side()].node;
            let extent = graph.extent(triangle.0);
            graph.price().lower_bound(extent, goal_extent)
        };
        let found = self.metric.over_inter_edges(
            &self.hierarchy,
            level,
            ends,
            lower_bound,
            &mut hna.labels,
            heap,
            |_| (),
        );
        // 3. Unpack the inter-edges to triangles.
        let (cost, last) = found?;
        let unpacked = self.unpack(level, [start, goal], last, hna, path);
        unpacked.expect("inter-edges connect start and goal");
        Some(cost)
    }

    /// Returns the highest level at which start and goal are neither in the same node nor in adjacent nodes. In
    /// adjacent nodes, connecting start and goal is expensive and the search gains nothing.
    fn choose_level(&self, from: u32, to: u32) -> Level {
        let mut levels = self.hierarchy.partition().levels().rev();
        let is_far = |level: &Level| {
            let [start, goal] = [from, to].map(|triangle| self.node_of(*level, triangle));
            let mut inter_edges = self.hierarchy.level(*level).inter_edges_of(start);
            start != goal && inter_edges.all(|edge| edge.side_in(goal).is_none())
        };
        levels.find(is_far).unwrap_or(Level(0))
    }

    /// Computes the costs from the start to the far side of every inter-edge of its node, the crossing of the
    /// inter-edge included.
    fn connect_start(
        &self,
        graph: &LowGraph,
        level: Level,
        end: (NodeId, u32),
        connection: &mut NodeConnection,
        heap: &mut Heap,
    ) {
        let NodeConnection { labels, costs } = connection;
        let out_of = |triangle: u32, edge: usize| graph.weighted[triangle as usize][edge];
        self.search_node(graph, level, end, labels, heap, out_of);
        costs.clear();
        costs.extend(self.borders_of(level, end.0).map(|[inner, outer]| {
            labels.cost(inner) + graph.crossing(inner, outer).unwrap_or(f32::INFINITY)
        }));
    }

    /// Computes the costs from the near side of every inter-edge of the goal's node to the goal. The search starts
    /// at the goal and follows crossings backwards.
    fn connect_goal(
        &self,
        graph: &LowGraph,
        level: Level,
        end: (NodeId, u32),
        connection: &mut NodeConnection,
        heap: &mut Heap,
    ) {
        let NodeConnection { labels, costs } = connection;
        let into = |triangle: u32, edge: usize| {
            let before = graph.neighbours[triangle as usize][edge];
            graph.crossing(before, triangle).unwrap_or(f32::INFINITY)
        };
        self.search_node(graph, level, end, labels, heap, into);
        costs.clear();
        let borders = self.borders_of(level, end.0);
        costs.extend(borders.map(|[inner, _]| labels.cost(inner)));
    }

    /// Runs Dijkstra's algorithm from the triangle `root` within its node. `cost` returns the cost of the crossing
    /// at an edge of a triangle.
    ///
    /// The connecting search of the core does not fit here: it searches portals and measures legs from points
    /// within polygons. Here start and goal are triangles, and there are only two triangles per three borders.
    fn search_node(
        &self,
        graph: &LowGraph,
        level: Level,
        (node, root): (NodeId, u32),
        labels: &mut TriangleLabels,
        heap: &mut Heap,
        cost: impl Fn(u32, usize) -> f32,
    ) {
        labels.reset(graph.len());
        heap.clear();
        labels.relax(root, 0.0, NO_TRIANGLE, || 0.0);
        heap.push(entry(0.0, root));
        while let Some(top) = heap.pop() {
            let (known, triangle) = unpack(top);
            if known != labels.known(triangle).cost {
                continue;
            }
            for (edge, &next) in graph.neighbours[triangle as usize].iter().enumerate() {
                if next == NO_TRIANGLE || self.node_of(level, next) != node {
                    continue;
                }
                let total = known + cost(triangle, edge);
                if let Some(key) = labels.relax(next, total, triangle, || 0.0) {
                    heap.push(entry(key, next));
                }
            }
        }
    }

    /// Writes the triangles of the path that ends with the inter-edge `last`.
    fn unpack(
        &self,
        level: Level,
        [start, goal]: [NodeId; 2],
        last: u32,
        scratch: &mut HnaScratch,
        path: &mut Vec<u32>,
    ) -> Option<()> {
        let HnaScratch {
            from_start,
            to_goal,
            labels,
            inter_edges,
            stack,
        } = scratch;
        let triangles = self.hierarchy.level(Level(0));
        let edges = self.hierarchy.level(level);
        labels.trail(Some(SampleId(last)), inter_edges);
        stack.clear();

        let first = edges.inter_edge(inter_edges.first()?.sample().0);
        let [inner, outer] = self.border(first.vertex, first.side_in(start)?);
        from_start.labels.path_to(inner, path);
        path.push(outer);

        let mut visit = |border: SampleId, triangle: NodeId| {
            let border = triangles.inter_edge(border.0);
            let beyond = border.sides[1 - border.side_in(triangle)?];
            path.push(beyond.node.0);
            Some(())
        };
        for pair in inter_edges.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let edge = IntraEdgeId {
                // The node from which `to` was relaxed. The label of `from` may have changed since then.
                node: edges.inter_edge(to.sample().0).sides[1 - to.far_side()].node,
                from: from.sample().0,
                to: to.sample().0,
            };
            self.metric
                .unpack(&self.hierarchy, level, edge, stack, &mut visit)?;
        }

        let last = edges.inter_edge(inter_edges.last()?.sample().0);
        let [inner, _] = self.border(last.vertex, last.side_in(goal)?);
        // The search started at the goal, so predecessors are the next triangles of the path. The first triangle
        // has already been written.
        path.extend(to_goal.labels.backwards(inner).skip(1));
        Some(())
    }

    /// Returns the triangles on both sides of a border, the one at `side` first.
    fn border(&self, border: SampleId, side: usize) -> [u32; 2] {
        let sides = self.hierarchy.level(Level(0)).inter_edge(border.0).sides;
        [side, 1 - side].map(|side| sides[side].node.0)
    }

    /// Iterates over the triangles on both sides of each inter-edge of a node, the one within the node first.
    fn borders_of(&self, level: Level, node: NodeId) -> impl Iterator<Item = [u32; 2]> {
        let edges = self.hierarchy.level(level);
        edges.of_node(node).iter().map(move |edge| {
            let border = edges.inter_edge(edge.sample().0).vertex;
            self.border(border, 1 - edge.far_side())
        })
    }

    #[inline]
    fn node_of(&self, level: Level, triangle: u32) -> NodeId {
        self.hierarchy.partition().node_of(level, triangle as usize)
    }

    /// Returns the levels and their inter-edges.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Returns the costs of crossing nodes.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.metric.bytes()
    }
}

/// Returns the pairs of adjacent triangles, the lower id first. Triangles with two common edges form one pair,
/// because no cheapest path crosses the more expensive edge.
fn borders(graph: &LowGraph) -> Vec<[u32; 2]> {
    let mut borders = Vec::with_capacity(3 * graph.len() / 2);
    for (triangle, neighbours) in (0..).zip(&graph.neighbours) {
        for (edge, &next) in neighbours.iter().enumerate() {
            let is_known = neighbours[..edge].contains(&next);
            if next != NO_TRIANGLE && next > triangle && !is_known {
                borders.push([triangle, next]);
            }
        }
    }
    borders
}

/// Computes the costs from each border of a triangle across each other border of it.
fn cliques(graph: &LowGraph, hierarchy: &Hierarchy) -> Cliques {
    let triangles = hierarchy.level(Level(0));
    let mut arcs = Vec::with_capacity(triangles.intra_edge_count());
    for triangle in 0..graph.len() as u32 {
        let list = triangles.of_node(NodeId(triangle));
        for from in list {
            arcs.extend(list.iter().map(|to| {
                if from == to {
                    return 0.0;
                }
                let beyond = triangles.inter_edge(to.sample().0).sides[to.far_side()].node;
                graph.crossing(triangle, beyond.0).unwrap_or(f32::INFINITY)
            }));
        }
    }
    Cliques(arcs)
}
