//! The cost and the path of each intra-edge for one kind of agent.

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use super::centres::CentreRows;
use super::changes::MetricChanges;
use super::path_table::{PathTable, TableShape};
use super::table::ConnectTable;
use super::{Hierarchy, InterEdge, LevelGraph, TableOptions};
use crate::graph::{DirectedSample, PortalGraph};
use crate::ids::{Level, NodeId, SampleId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::search::{Heap, SearchLabels, entry, unpack};

/// The costs and paths of the intra-edges of every level, for one kind of agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The intra-edges of each level from level 1 on.
    pub(super) levels: Vec<IntraEdges>,
    /// The connect tables from level 1 on. There may be fewer tables than levels, or none.
    pub(super) tables: Vec<ConnectTable>,
    /// What has changed since levels and tables were computed; `None` unless costs can change at run time.
    pub(super) changes: Option<Arc<MetricChanges>>,
}

/// The costs of the arcs of a graph, cell by cell. A cell has one row per vertex, with the costs from that
/// vertex to each vertex of the cell, in the order of the lists of [`LevelGraph`]. A cost is infinite where
/// there is no arc, and 0 from a vertex to itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Cliques(pub Vec<f32>);

/// The intra-edges of one level: the cheapest path inside a node between any two of its inter-edges.
///
/// Costs are stored node by node and row by row; a row has the costs from one inter-edge to all others.
/// Paths are stored as shortest-path trees, also node by node and row by row: for each inter-edge of the
/// level below that the node contains, the index of its predecessor on the cheapest path from the row's
/// inter-edge. Trees take less memory than the paths themselves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IntraEdges(pub(super) PathTable);

/// An intra-edge: the cheapest path inside a node between two of its inter-edges.
#[derive(Clone, Debug, PartialEq)]
pub struct IntraEdge {
    /// The cost of the path, or infinity if there is none.
    pub cost: f32,
    /// The vertices of the graph on the path, including those of both inter-edges.
    pub path: Vec<SampleId>,
}

impl Cliques {
    /// Returns whether every arc costs the same in both directions.
    pub(super) fn are_symmetric(&self, ground: &LevelGraph) -> bool {
        (0..ground.node_count()).map(NodeId::new).all(|cell| {
            let (start, length) = (ground.row(cell, 0), ground.of_node(cell).len());
            (0..length).all(|i| {
                (0..i).all(|j| self.0[start + i * length + j] == self.0[start + j * length + i])
            })
        })
    }
}

impl Metric {
    /// Computes all intra-edges, each level from the level below. It uses all threads of the current rayon
    /// pool, and the result does not depend on their number.
    pub fn new(hierarchy: &Hierarchy, arcs: &Cliques) -> Self {
        let metric = Self::new_with_progress(hierarchy, arcs, |_| ControlFlow::Continue(()));
        metric.expect("progress never breaks")
    }

    /// Computes all intra-edges as [`new`](Self::new) does. Calls `progress` with the fraction that is
    /// done, before each level and at the end. Returns `None` if `progress` breaks.
    pub fn new_with_progress(
        hierarchy: &Hierarchy,
        arcs: &Cliques,
        progress: impl Fn(f32) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut levels: Vec<IntraEdges> = Vec::new();
        let work = |level: Level| hierarchy.level(level).tree_entries() as f32;
        let total: f32 = hierarchy.partition.levels().map(work).sum::<f32>().max(1.0);
        let mut done = 0.0;
        for level in hierarchy.partition.levels() {
            if progress(done / total).is_break() {
                return None;
            }
            let level_below = Level(level.0 - 1);
            let below = LowerLevel {
                graph: hierarchy.level(level_below),
                costs: LowerCosts::Unchanged(levels.last().map_or(&arcs.0, |edges| &edges.0.costs)),
                parents: &super::parents(
                    &hierarchy.partition,
                    level,
                    hierarchy.level(level_below).node_count(),
                ),
            };
            levels.push(IntraEdges::new(&below, hierarchy.level(level)));
            done += work(level);
        }
        progress(1.0).is_continue().then_some(Self {
            levels,
            tables: Vec::new(),
            changes: None,
        })
    }

    /// Returns the intra-edges of a level, which must not be level 0.
    #[inline]
    pub(crate) fn level(&self, level: Level) -> &IntraEdges {
        &self.levels[level.above_ground()]
    }

    /// Returns the intra-edge between two inter-edges of a node, given by their indexes in the list of the
    /// node.
    ///
    /// # Panics
    /// Panics if the level is 0, or if the level, the node or an inter-edge does not exist.
    pub fn intra_edge(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        node: NodeId,
        [from, to]: [usize; 2],
    ) -> IntraEdge {
        let graph = hierarchy.level(level);
        let list = graph.of_node(node);
        let cost = self.row(hierarchy, level, node, from as u32)[to];
        let number = |index: usize| list[index].sample().0;
        let mut path = vec![graph.inter_edge(number(from)).vertex];
        if from != to && cost < f32::INFINITY {
            let edge = IntraEdgeId {
                node,
                from: number(from),
                to: number(to),
            };
            let longest = hierarchy.level(Level(0)).inter_edges().len();
            let visit = &mut |vertex, _| {
                path.push(vertex);
                (path.len() <= longest).then_some(())
            };
            self.unpack(hierarchy, level, edge, &mut Vec::new(), visit);
        }
        IntraEdge { cost, path }
    }

    /// Unpacks an intra-edge. Calls `visit` with each vertex of its path except the first, and with the
    /// cell through which the path reaches the vertex, until `visit` returns `None`. `stack` is a buffer.
    /// Returns `None` if `visit` did, or if the stored paths are inconsistent, which can only happen if
    /// they come from a damaged file.
    pub fn unpack(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        edge: IntraEdgeId,
        stack: &mut Vec<u32>,
        visit: &mut impl FnMut(SampleId, NodeId) -> Option<()>,
    ) -> Option<()> {
        let graph = hierarchy.level(level);
        let (from, to) = (graph.inter_edge(edge.from), graph.inter_edge(edge.to));
        let (side, last) = (from.side_in(edge.node)?, to.sides[to.side_in(edge.node)?]);
        if level == Level(0) {
            return visit(to.vertex, edge.node);
        }
        let first = from.sides[side];
        let inner = graph.inner(edge.node);
        let trees = self.trees(hierarchy, level, edge.node, first.index);
        let base = stack.len();
        let mut index = last.inner as usize;
        while index != first.inner as usize {
            if stack.len() - base == inner.len() {
                return None;
            }
            stack.push(*inner.get(index)?);
            index = trees.index(index);
        }
        let below = Level(level.0 - 1);
        let mut at = from.below;
        let mut node = hierarchy.level(below).inter_edge(at).sides[side].node;
        while stack.len() > base {
            let next = stack.pop()?;
            let part = IntraEdgeId {
                node,
                from: at,
                to: next,
            };
            self.unpack(hierarchy, below, part, stack, visit)?;
            let inter_edge = hierarchy.level(below).inter_edge(next);
            node = inter_edge.sides[1 - inter_edge.side_in(node)?].node;
            at = next;
        }
        Some(())
    }

    /// Adds connect tables. Calls `progress` with the fraction that is done, before each level and at the
    /// end. Returns `None` if `progress` breaks.
    pub fn with_tables(
        mut self,
        hierarchy: &Hierarchy,
        arcs: &Cliques,
        options: &TableOptions,
        progress: impl Fn(f32) -> ControlFlow<()>,
    ) -> Option<Self> {
        let levels = options.levels(hierarchy);
        let count = levels.len() as f32;
        let mut tables = Vec::with_capacity(levels.len());
        for level in levels {
            if progress(tables.len() as f32 / count).is_break() {
                return None;
            }
            tables.push(ConnectTable::new(hierarchy, arcs, level));
        }
        self.tables = tables;
        progress(1.0).is_continue().then_some(self)
    }

    /// Adds the rows for the centres of polygons to the existing tables.
    pub(crate) fn with_centres(
        mut self,
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        hierarchy: &Hierarchy,
    ) -> Self {
        let tables = std::mem::take(&mut self.tables);
        self.tables = tables
            .into_iter()
            .zip(hierarchy.partition.levels())
            .map(|(table, level)| {
                let centres = CentreRows::new(mesh, graph, prices, hierarchy, level, &table);
                table.with_centres(centres)
            })
            .collect();
        self
    }

    /// Returns all arrays in a fixed order for writing a file: first the intra-edges of each level, then,
    /// per table, the paths from vertices, the paths to vertices if they differ, and the rows for centres.
    pub fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        let levels = self.levels.iter().map(|level| &level.0);
        levels.chain(self.tables.iter().flat_map(ConnectTable::arrays))
    }

    /// Creates a metric from arrays in the order of [`arrays`](Self::arrays). Returns `None` if they do not
    /// belong to this hierarchy.
    pub(crate) fn from_arrays(
        hierarchy: &Hierarchy,
        polygons: usize,
        options: &TableOptions,
        is_symmetric: bool,
        mut arrays: impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let mut levels = Vec::new();
        for level in hierarchy.partition.levels() {
            let paths = arrays.next()?;
            let shape = IntraEdges::shape(hierarchy.level(level));
            levels.push(paths.fits(shape).then_some(IntraEdges(paths))?);
        }
        let mut tables = Vec::new();
        for level in options.levels(hierarchy) {
            let table = ConnectTable::from_arrays(hierarchy, level, is_symmetric, &mut arrays)?;
            tables.push(if options.centres {
                let centres =
                    CentreRows::from_arrays(hierarchy, polygons, level, &table, &mut arrays)?;
                table.with_centres(centres)
            } else {
                table
            });
        }
        arrays.next().is_none().then_some(Self {
            levels,
            tables,
            changes: None,
        })
    }

    /// Returns the costs of the intra-edges of a level, node by node and row by row, and the trees from which their paths are
    /// unpacked: see [`LevelGraph::row`] and [`LevelGraph::tree_row`]. [Changes](Self::is_changed) at run time are not
    /// in them.
    ///
    /// # Panics
    /// Panics if the level is 0 or does not exist.
    pub fn level_table(&self, level: Level) -> &PathTable {
        &self.level(level).0
    }

    /// Returns the number of levels that have a connect table, counted from level 1.
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// Returns the connect table of a level from level 1 on, if it has one.
    #[inline]
    pub fn table(&self, level: Level) -> Option<&ConnectTable> {
        self.tables.get(level.above_ground())
    }

    /// Returns the intra-edges of a node at a level from level 1 on, each as a pair of inter-edges and the
    /// cost. Pairs without a path are omitted.
    ///
    /// # Panics
    /// Panics if the level is 0, or if the level or the node does not exist.
    pub fn intra_edges<'a>(
        &'a self,
        hierarchy: &'a Hierarchy,
        level: Level,
        node: NodeId,
    ) -> impl Iterator<Item = ([&'a InterEdge; 2], f32)> {
        let graph = hierarchy.level(level);
        let edges = graph.of_node(node);
        let edge = |step: &DirectedSample| graph.inter_edge(step.sample().0);
        edges.iter().zip(0..).flat_map(move |(from, index)| {
            let costs = self.row(hierarchy, level, node, index);
            let paths = edges.iter().zip(costs);
            let paths = paths.filter(move |&(to, &cost)| to != from && cost < f32::INFINITY);
            paths.map(move |(to, &cost)| ([edge(from), edge(to)], cost))
        })
    }

    /// Returns the size on the heap of the intra-edges of a level from level 1 on. [Units: bytes]
    ///
    /// # Panics
    /// Panics if the level is 0 or does not exist.
    pub fn bytes_at(&self, level: Level) -> usize {
        self.level(level).0.bytes()
    }

    /// Returns the size on the heap of all intra-edges. [Units: bytes]
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.0.bytes()).sum()
    }

    /// Returns the size on the heap of all connect tables, without the rows for centres. [Units: bytes]
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().map(ConnectTable::bytes).sum()
    }

    /// Returns the size on the heap of the rows for the centres of polygons. [Units: bytes]
    pub fn centre_bytes(&self) -> usize {
        self.tables.iter().map(ConnectTable::centre_bytes).sum()
    }
}

/// Identifies an intra-edge by its node and the numbers of two of the node's inter-edges.
#[derive(Clone, Copy, Debug)]
pub struct IntraEdgeId {
    /// The node that the path stays in.
    pub node: NodeId,
    /// The number of the inter-edge where the path starts.
    pub from: u32,
    /// The number of the inter-edge where the path ends.
    pub to: u32,
}

/// The level from which intra-edges are computed.
pub(super) struct LowerLevel<'a> {
    pub(super) graph: &'a LevelGraph,
    pub(super) costs: LowerCosts<'a>,
    /// The node of the level above for each node.
    pub(super) parents: &'a [NodeId],
}

/// The costs of the intra-edges, or arcs, of the level from which intra-edges are computed.
#[derive(Clone, Copy)]
pub(super) enum LowerCosts<'a> {
    /// All costs, node by node and row by row.
    Unchanged(&'a [f32]),
    /// The present costs of a level of a metric that has changed.
    Changed(&'a Metric, &'a Hierarchy, Level),
}

/// The memory of one thread.
#[derive(Debug, Default)]
pub(super) struct TreeBuffers {
    pub(super) labels: SearchLabels,
    heap: Heap,
    /// The index in the current node of each inter-edge of the level below.
    pub(super) indexes: Vec<u32>,
}

impl TreeBuffers {
    /// Sets the indexes of the inter-edges that a node contains. `all` is the number of all inter-edges.
    pub(super) fn set_indexes(&mut self, inner: &[u32], all: usize) {
        self.indexes.resize(all, 0);
        for (&number, index) in inner.iter().zip(0..) {
            self.indexes[number as usize] = index;
        }
    }
}

/// Whether the paths of a shortest-path tree lead away from its root or towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeDirection {
    From,
    To,
}

impl IntraEdges {
    fn new(below: &LowerLevel<'_>, graph: &LevelGraph) -> Self {
        let nodes = 0..graph.node_count();
        let parts: Vec<(Vec<f32>, Vec<u32>)> = nodes
            .into_par_iter()
            .map_init(TreeBuffers::default, |buffers, node| {
                below.crossings(graph, NodeId::new(node), buffers)
            })
            .collect();
        Self(PathTable::join(Self::shape(graph), parts))
    }

    pub(super) fn shape(graph: &LevelGraph) -> TableShape {
        TableShape {
            costs: graph.intra_edge_count(),
            indexes: graph.tree_entries(),
            end: graph.max_inner(),
        }
    }

    /// Returns the costs from one inter-edge of a node, given by its row, to each inter-edge of the node.
    #[inline]
    pub(crate) fn costs(&self, row: usize, length: usize) -> &[f32] {
        &self.0.costs[row..row + length]
    }
}

impl LowerLevel<'_> {
    /// Returns the costs between all inter-edges of a node, row by row.
    #[inline]
    fn matrix(&self, node: NodeId) -> &[f32] {
        match self.costs {
            LowerCosts::Unchanged(costs) => {
                let (start, length) = (self.graph.row(node, 0), self.graph.of_node(node).len());
                &costs[start..start + length * length]
            }
            LowerCosts::Changed(metric, hierarchy, level) => metric.matrix(hierarchy, level, node),
        }
    }

    /// Returns the costs and the trees of all cheapest paths through one node.
    pub(super) fn crossings(
        &self,
        graph: &LevelGraph,
        node: NodeId,
        buffers: &mut TreeBuffers,
    ) -> (Vec<f32>, Vec<u32>) {
        let (edges, inner) = (graph.of_node(node), graph.inner(node));
        buffers.set_indexes(inner, self.graph.inter_edges().len());
        let mut costs = Vec::with_capacity(edges.len() * edges.len());
        let mut trees = Vec::with_capacity(edges.len() * inner.len());
        for from in edges {
            let source = graph.inter_edge(from.sample().0).below;
            let source = DirectedSample::new(SampleId(source), 1 - from.far_side());
            self.grow_tree(node, source, TreeDirection::From, buffers);
            let TreeBuffers {
                labels, indexes, ..
            } = &*buffers;
            costs.extend(edges.iter().map(|to| {
                let target = graph.inter_edge(to.sample().0).below;
                labels.cost(SampleId(target))
            }));
            trees.extend(inner.iter().map(|&number| {
                match labels.predecessor(SampleId(number)) {
                    Some(before) => indexes[before.index()],
                    // The root and unreachable inter-edges have no predecessor. This entry is never read.
                    None => 0,
                }
            }));
        }
        (costs, trees)
    }

    /// Runs Dijkstra's algorithm from or to an inter-edge of the level below, inside one node. `root` names
    /// the inter-edge and the side on which to continue.
    pub(super) fn grow_tree(
        &self,
        node: NodeId,
        root: DirectedSample,
        direction: TreeDirection,
        buffers: &mut TreeBuffers,
    ) {
        let TreeBuffers { labels, heap, .. } = buffers;
        labels.reset(self.graph.inter_edges().len());
        heap.clear();
        labels.set(root, 0.0, 0.0, None);
        heap.push(entry(0.0, root.sample().0));
        while let Some(top) = heap.pop() {
            let (cost, number) = unpack(top);
            let label = labels.known(SampleId(number));
            if cost != label.key {
                continue;
            }
            let side = self.graph.inter_edge(number).sides[label.far_side()];
            if self.parents[side.node.index()] != node {
                continue;
            }
            let list = self.graph.of_node(side.node);
            let matrix = self.matrix(side.node);
            let index = side.index as usize;
            let mut reach = |next: DirectedSample, arc: f32| {
                let cost = cost + arc;
                if cost < labels.cost(next.sample()) {
                    labels.set(next, cost, cost, Some(SampleId(number)));
                    heap.push(entry(cost, next.sample().0));
                }
            };
            match direction {
                TreeDirection::From => {
                    let row = &matrix[index * list.len()..][..list.len()];
                    list.iter().zip(row).for_each(|(&to, &arc)| reach(to, arc));
                }
                TreeDirection::To => {
                    let column = matrix[index..].iter().step_by(list.len());
                    list.iter()
                        .zip(column)
                        .for_each(|(&from, &arc)| reach(from, arc));
                }
            }
        }
    }
}
