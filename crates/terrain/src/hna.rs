//! HNA* over Low Meshes: the hierarchy of navmeshes on the same directed graph, and as exact.
//!
//! The cells of the hierarchy are the triangles, its vertices the borders between two of them. Passing a
//! border costs what the crossing does, so the arc from one border of a triangle to another costs the crossing
//! over the latter; a detour over the third border costs that crossing on top (`hierarchy/mod.rs`, "Why it is
//! exact"). And who passes a border one way has been in the triangle before it for less: going back there
//! leads nowhere that was not reached from it already.

use super::labels::TriangleLabels;
use super::{LowGraph, NONE, TerrainScratch};
use portolan_core::graph::DirectedSample;
use portolan_core::hierarchy::{
    Cliques, Hierarchy, HierarchyError, IntraEdgeId, Metric, OverlayEndpoints,
};
use portolan_core::search::{Heap, SearchLabels, entry, unpack};
use portolan_core::{Level, NodeId, Partition, SampleId};

/// Levels over the triangles of one ground, and what crossing their nodes costs.
#[derive(Clone, Debug, PartialEq)]
pub struct LowHna {
    hierarchy: Hierarchy,
    metric: Metric,
}

/// Memory of a search over levels.
#[derive(Clone, Debug, Default)]
pub(super) struct HnaScratch {
    from_start: Connection,
    to_goal: Connection,
    labels: SearchLabels,
    inter_edges: Vec<DirectedSample>,
    stack: Vec<u32>,
}

/// What connects start or goal with the inter-edges of its node.
#[derive(Clone, Debug, Default)]
struct Connection {
    labels: TriangleLabels,
    /// Per inter-edge of the node.
    costs: Vec<f32>,
}

impl LowHna {
    /// The levels of a partition of the triangles.
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

    /// Takes over other prices of the same triangles: a flood, a road. The nodes stay.
    pub(super) fn reprice(&mut self, graph: &LowGraph) {
        self.metric = Metric::new(&self.hierarchy, &cliques(graph, &self.hierarchy));
    }

    /// Finds the cheapest path from one triangle to another, writes its triangles, both ends included, and
    /// returns its cost. `None`, and an empty path, where there is none that costs at most `max_cost`. `graph`
    /// is the one that this was made of. Without a level it chooses one. Where start and goal share a node, at
    /// level 0 too, A* searches all triangles, as published.
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
        // 1. What does it cost to and from their inter-edges?
        self.connect_start(graph, level, (start, from), &mut hna.from_start, heap);
        self.connect_goal(graph, level, (goal, to), &mut hna.to_goal, heap);
        // 2. Which inter-edges lead from one to the other?
        let ends = OverlayEndpoints {
            start: (start, &hna.from_start.costs),
            goal: (goal, &hna.to_goal.costs),
            max_cost,
        };
        let ground = self.hierarchy.level(Level(0));
        let edges = self.hierarchy.level(level);
        let aim = graph.extent(to);
        let least = |step: DirectedSample| {
            let border = edges.inter_edge(step.sample().0).vertex;
            let triangle = ground.inter_edge(border.0).sides[step.far_side()].node;
            graph.price().least(graph.extent(triangle.0), aim)
        };
        let found = self.metric.over_inter_edges(
            &self.hierarchy,
            level,
            ends,
            least,
            &mut hna.labels,
            heap,
            |_| (),
        );
        // 3. Which triangles lie under them?
        let (cost, last) = found?;
        let extracted = self.extract(level, [start, goal], last, hna, path);
        extracted.expect("ways that lead to their ends");
        Some(cost)
    }

    /// The highest level at which start and goal are neither in one node nor in neighbours: there,
    /// connecting is expensive and searching gains nothing.
    fn choose_level(&self, from: u32, to: u32) -> Level {
        let mut levels = self.hierarchy.partition().levels().rev();
        let is_far = |level: &Level| {
            let [start, goal] = [from, to].map(|triangle| self.node_of(*level, triangle));
            let mut beside = self.hierarchy.level(*level).inter_edges_of(start);
            start != goal && beside.all(|edge| edge.side_in(goal).is_none())
        };
        levels.find(is_far).unwrap_or(Level(0))
    }

    /// Connects the start with every inter-edge of its node, once passed: costs of crossings out of a
    /// triangle, and the crossing of the inter-edge itself.
    fn connect_start(
        &self,
        graph: &LowGraph,
        level: Level,
        end: (NodeId, u32),
        connection: &mut Connection,
        heap: &mut Heap,
    ) {
        let Connection { labels, costs } = connection;
        let out_of = |triangle: u32, edge: usize| graph.weighted[triangle as usize][edge];
        self.spread(graph, level, end, labels, heap, out_of);
        costs.clear();
        costs.extend(self.borders_of(level, end.0).map(|[inner, outer]| {
            labels.cost(inner) + graph.crossing(inner, outer).unwrap_or(f32::INFINITY)
        }));
    }

    /// Connects every inter-edge of its node, once passed, with the goal: costs of crossings into a triangle.
    fn connect_goal(
        &self,
        graph: &LowGraph,
        level: Level,
        end: (NodeId, u32),
        connection: &mut Connection,
        heap: &mut Heap,
    ) {
        let Connection { labels, costs } = connection;
        let into = |triangle: u32, edge: usize| {
            let before = graph.neighbours[triangle as usize][edge];
            graph.crossing(before, triangle).unwrap_or(f32::INFINITY)
        };
        self.spread(graph, level, end, labels, heap, into);
        costs.clear();
        let borders = self.borders_of(level, end.0);
        costs.extend(borders.map(|[inner, _]| labels.cost(inner)));
    }

    /// Dijkstra's algorithm inside one node. `cost` is of a triangle and its edge.
    ///
    /// Not the connecting search of the core, which goes from portal to portal, keeps the side to which each
    /// is passed, and measures legs from points within polygons. Here start and goal are vertices of the graph
    /// themselves: triangles, of which there are two for three borders.
    fn spread(
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
        labels.reach(root, 0.0, NONE, || 0.0);
        heap.push(entry(0.0, root));
        while let Some(top) = heap.pop() {
            let (known, triangle) = unpack(top);
            if known != labels.known(triangle).cost {
                continue;
            }
            for (edge, &next) in graph.neighbours[triangle as usize].iter().enumerate() {
                if next == NONE || self.node_of(level, next) != node {
                    continue;
                }
                let whole = known + cost(triangle, edge);
                if let Some(key) = labels.reach(next, whole, triangle, || 0.0) {
                    heap.push(entry(key, next));
                }
            }
        }
    }

    /// Writes the triangles of the path whose last inter-edge is given.
    fn extract(
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
        let ground = self.hierarchy.level(Level(0));
        let edges = self.hierarchy.level(level);
        labels.trail(Some(SampleId(last)), inter_edges);
        stack.clear();

        let first = edges.inter_edge(inter_edges.first()?.sample().0);
        let [inner, outer] = self.border(first.vertex, first.side_in(start)?);
        from_start.labels.trail(inner, path);
        path.push(outer);

        let mut tell = |border: SampleId, triangle: NodeId| {
            let border = ground.inter_edge(border.0);
            let beyond = border.sides[1 - border.side_in(triangle)?];
            path.push(beyond.node.0);
            Some(())
        };
        for pair in inter_edges.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let way = IntraEdgeId {
                // As `to` was reached: `from` may have been reached anew since.
                node: edges.inter_edge(to.sample().0).sides[1 - to.far_side()].node,
                from: from.sample().0,
                to: to.sample().0,
            };
            self.metric
                .unpack(&self.hierarchy, level, way, stack, &mut tell)?;
        }

        let last = edges.inter_edge(inter_edges.last()?.sample().0);
        let [inner, _] = self.border(last.vertex, last.side_in(goal)?);
        // Searched from the goal, so what comes before a triangle is the next one; the first is written
        // already.
        path.extend(to_goal.labels.back(inner).skip(1));
        Some(())
    }

    /// The triangles at a border, that of one side first.
    fn border(&self, border: SampleId, side: usize) -> [u32; 2] {
        let ends = self.hierarchy.level(Level(0)).inter_edge(border.0).sides;
        [side, 1 - side].map(|side| ends[side].node.0)
    }

    /// The triangles at the inter-edges of a node, the inner one first.
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

    /// The levels and their inter-edges.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// What crossing nodes costs.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.metric.bytes()
    }
}

/// The triangles on both sides of every border, the lower first. Triangles with two common edges have one
/// border: nobody takes the dearer edge.
fn borders(graph: &LowGraph) -> Vec<[u32; 2]> {
    let mut borders = Vec::with_capacity(3 * graph.len() / 2);
    for (triangle, neighbours) in (0..).zip(&graph.neighbours) {
        for (edge, &next) in neighbours.iter().enumerate() {
            let is_known = neighbours[..edge].contains(&next);
            if next != NONE && next > triangle && !is_known {
                borders.push([triangle, next]);
            }
        }
    }
    borders
}

/// What it costs from each border of a triangle over each other one.
fn cliques(graph: &LowGraph, hierarchy: &Hierarchy) -> Cliques {
    let ground = hierarchy.level(Level(0));
    let mut arcs = Vec::with_capacity(ground.intra_edge_count());
    for triangle in 0..graph.len() as u32 {
        let list = ground.of_node(NodeId(triangle));
        for from in list {
            arcs.extend(list.iter().map(|to| {
                if from == to {
                    return 0.0;
                }
                let beyond = ground.inter_edge(to.sample().0).sides[to.far_side()].node;
                graph.crossing(triangle, beyond.0).unwrap_or(f32::INFINITY)
            }));
        }
    }
    Cliques(arcs)
}
