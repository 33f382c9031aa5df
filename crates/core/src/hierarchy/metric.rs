//! What crossing nodes costs one kind of agent, and the ways through them.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::centres::Centres;
use super::path_table::{PathTable, Shape};
use super::table::ConnectTable;
use super::{Hierarchy, InterEdge, LevelGraph, TableOptions};
use crate::graph::{DirectedSample, PortalGraph};
use crate::ids::{Level, NodeId, SampleId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::search::{Heap, SearchLabels, entry, unpack};

/// Costs and ways of the intra-edges of every level, for one kind of agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// From level 1 on.
    levels: Vec<IntraEdges>,
    /// From level 1 on; fewer, or none, where they were not asked for.
    tables: Vec<ConnectTable>,
}

/// What the arcs of a graph cost: of cell after cell, a row for each vertex in it, and in it the cost
/// to each vertex, in the order of [`LevelGraph`]'s lists; infinite where there is no arc, 0 to
/// itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Cliques(pub Vec<f32>);

/// The intra-edges of one level: between any two inter-edges of a node the cheapest way inside it.
///
/// Costs: node after node, row after row, from one inter-edge to each other one. ListIndexes: node after
/// node, row after row, on the cheapest ways from one inter-edge, what comes before each inter-edge
/// of the level below, by its place among those that the node holds. Such trees take fewer bytes
/// than the ways themselves, written out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IntraEdges(PathTable);

/// Between two inter-edges of one node: the cheapest way inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct IntraEdge {
    /// Infinite where there is none.
    pub cost: f32,
    /// The vertices of the graph on that way, those of both inter-edges included.
    pub path: Vec<SampleId>,
}

impl Cliques {
    /// Whether every arc costs the same in both directions.
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
    /// Level by level, each from the one below, on all threads of the pool that it is called in; the
    /// result is the same on any number of them.
    pub fn new(hierarchy: &Hierarchy, arcs: &Cliques) -> Self {
        let made = Self::new_with_progress(hierarchy, arcs, |_| ControlFlow::Continue(()));
        made.expect("nobody stops it")
    }

    /// As [`new`](Self::new), and tells `watch` the share that is done before each level and at the end.
    /// `None` where it breaks.
    pub fn new_with_progress(
        hierarchy: &Hierarchy,
        arcs: &Cliques,
        watch: impl Fn(f32) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut levels: Vec<IntraEdges> = Vec::new();
        let work = |level: Level| hierarchy.level(level).tree_entries() as f32;
        let all: f32 = hierarchy.partition.levels().map(work).sum::<f32>().max(1.0);
        let mut done = 0.0;
        for level in hierarchy.partition.levels() {
            if watch(done / all).is_break() {
                return None;
            }
            let ground = Level(level.0 - 1);
            let below = Below {
                graph: hierarchy.level(ground),
                costs: levels.last().map_or(&arcs.0, |edges| &edges.0.costs),
                parents: &super::parents(
                    &hierarchy.partition,
                    level,
                    hierarchy.level(ground).node_count(),
                ),
            };
            levels.push(IntraEdges::new(&below, hierarchy.level(level)));
            done += work(level);
        }
        watch(1.0).is_continue().then_some(Self {
            levels,
            tables: Vec::new(),
        })
    }

    /// The intra-edges of a level from 1 on.
    #[inline]
    pub(crate) fn level(&self, level: Level) -> &IntraEdges {
        &self.levels[level.above_ground()]
    }

    /// The intra-edge between the inter-edges at two places of a node.
    ///
    /// # Panics
    /// When the level is 0 or one of these does not exist.
    pub fn intra_edge(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        node: NodeId,
        [from, to]: [usize; 2],
    ) -> IntraEdge {
        let graph = hierarchy.level(level);
        let list = graph.of_node(node);
        let row = graph.row(node, from as u32);
        let cost = self.level(level).costs(row, list.len())[to];
        let number = |place: usize| list[place].sample().0;
        let mut path = vec![graph.inter_edge(number(from)).vertex];
        if from != to && cost < f32::INFINITY {
            let ends = IntraEdgeId {
                node,
                from: number(from),
                to: number(to),
            };
            let longest = hierarchy.level(Level(0)).inter_edges().len();
            let tell = &mut |vertex, _| {
                path.push(vertex);
                (path.len() <= longest).then_some(())
            };
            self.unpack(hierarchy, level, ends, &mut Vec::new(), tell);
        }
        IntraEdge { cost, path }
    }

    /// Tells the vertices on the way from one inter-edge of a node to another, without the first, each
    /// with the cell that leads to it, until that says `None`. `stack` is memory. `None`, too, where the
    /// ways are not what [`new`](Self::new) makes but what a damaged file says.
    pub fn unpack(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        way: IntraEdgeId,
        stack: &mut Vec<u32>,
        tell: &mut impl FnMut(SampleId, NodeId) -> Option<()>,
    ) -> Option<()> {
        let graph = hierarchy.level(level);
        let (from, to) = (graph.inter_edge(way.from), graph.inter_edge(way.to));
        let (side, last) = (from.side_in(way.node)?, to.sides[to.side_in(way.node)?]);
        if level == Level(0) {
            return tell(to.vertex, way.node);
        }
        let first = from.sides[side];
        let row = graph.tree_row(way.node, first.index);
        let inner = graph.inner(way.node);
        let base = stack.len();
        let mut place = last.inner as usize;
        while place != first.inner as usize {
            if stack.len() - base == inner.len() {
                return None;
            }
            stack.push(*inner.get(place)?);
            place = self.level(level).0.place(row + place);
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
            self.unpack(hierarchy, below, part, stack, tell)?;
            let edge = hierarchy.level(below).inter_edge(next);
            node = edge.sides[1 - edge.side_in(node)?].node;
            at = next;
        }
        Some(())
    }

    /// Adds connect tables, and tells `watch` the share that is done before each level and at the end.
    /// `None` where it breaks.
    pub fn with_tables(
        mut self,
        hierarchy: &Hierarchy,
        arcs: &Cliques,
        options: &TableOptions,
        watch: impl Fn(f32) -> ControlFlow<()>,
    ) -> Option<Self> {
        let levels = options.levels(hierarchy);
        let count = levels.len() as f32;
        let mut tables = Vec::with_capacity(levels.len());
        for level in levels {
            if watch(tables.len() as f32 / count).is_break() {
                return None;
            }
            tables.push(ConnectTable::new(hierarchy, arcs, level));
        }
        self.tables = tables;
        watch(1.0).is_continue().then_some(self)
    }

    /// Adds the rows of polygons' centres to the tables there are.
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
                let centres = Centres::new(mesh, graph, prices, hierarchy, level, &table);
                table.with_centres(centres)
            })
            .collect();
        self
    }

    /// All arrays in a fixed order, for files: level by level the intra-edges, then table by table
    /// the paths from vertices, to vertices where they differ from those, and both for centres.
    pub fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        let levels = self.levels.iter().map(|level| &level.0);
        levels.chain(self.tables.iter().flat_map(ConnectTable::arrays))
    }

    /// Takes arrays in that order. `None` where they do not belong to this hierarchy.
    pub(crate) fn from_arrays(
        hierarchy: &Hierarchy,
        polygons: usize,
        options: &TableOptions,
        is_symmetric: bool,
        mut arrays: impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let mut levels = Vec::new();
        for level in hierarchy.partition.levels() {
            let ways = arrays.next()?;
            let shape = IntraEdges::shape(hierarchy.level(level));
            levels.push(ways.fits(shape).then_some(IntraEdges(ways))?);
        }
        let mut tables = Vec::new();
        for level in options.levels(hierarchy) {
            let table = ConnectTable::from_arrays(hierarchy, level, is_symmetric, &mut arrays)?;
            tables.push(if options.centres {
                let centres =
                    Centres::from_arrays(hierarchy, polygons, level, &table, &mut arrays)?;
                table.with_centres(centres)
            } else {
                table
            });
        }
        arrays.next().is_none().then_some(Self { levels, tables })
    }

    /// Levels with a connect table: so many, from level 1 on.
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// The connect table of a level from 1 on, where there is one.
    #[inline]
    pub fn table(&self, level: Level) -> Option<&ConnectTable> {
        self.tables.get(level.above_ground())
    }

    /// The intra-edges of a node at a level from 1 on that lead anywhere: from one of its inter-edges
    /// to another, and the cost.
    ///
    /// # Panics
    /// When there is no such level or node.
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
            let costs = self.level(level).costs(graph.row(node, index), edges.len());
            let ways = edges.iter().zip(costs);
            let ways = ways.filter(move |&(to, &cost)| to != from && cost < f32::INFINITY);
            ways.map(move |(to, &cost)| ([edge(from), edge(to)], cost))
        })
    }

    /// Bytes on the heap of the intra-edges of a level from 1 on.
    ///
    /// # Panics
    /// When there is no such level.
    pub fn bytes_at(&self, level: Level) -> usize {
        self.level(level).0.bytes()
    }

    /// Bytes of intra-edges on the heap.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.0.bytes()).sum()
    }

    /// Bytes of exact connect tables on the heap.
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().map(ConnectTable::bytes).sum()
    }

    /// Bytes on the heap of what the tables have for centres of polygons.
    pub fn centre_bytes(&self) -> usize {
        self.tables.iter().map(ConnectTable::centre_bytes).sum()
    }
}

/// From one inter-edge of a node to another, by number.
#[derive(Clone, Copy, Debug)]
pub struct IntraEdgeId {
    /// The node.
    pub node: NodeId,
    /// The inter-edge where it begins.
    pub from: u32,
    /// The inter-edge where it ends.
    pub to: u32,
}

/// The level that intra-edges are made from.
pub(super) struct Below<'a> {
    pub(super) graph: &'a LevelGraph,
    pub(super) costs: &'a [f32],
    /// Per node, its node in the level to be.
    pub(super) parents: &'a [NodeId],
}

/// Memory of one thread.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) labels: SearchLabels,
    heap: Heap,
    /// Per inter-edge of the level below, its place in the node at hand.
    pub(super) places: Vec<u32>,
}

impl Memory {
    /// Gives the inter-edges that a node holds, of so many, their places.
    pub(super) fn place(&mut self, inner: &[u32], all: usize) {
        self.places.resize(all, 0);
        for (&number, place) in inner.iter().zip(0..) {
            self.places[number as usize] = place;
        }
    }
}

/// Which way ways lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    From,
    To,
}

impl IntraEdges {
    fn new(below: &Below<'_>, graph: &LevelGraph) -> Self {
        let nodes = 0..graph.node_count();
        let parts: Vec<(Vec<f32>, Vec<u32>)> = nodes
            .into_par_iter()
            .map_init(Memory::default, |memory, node| {
                below.cross(graph, NodeId::new(node), memory)
            })
            .collect();
        Self(PathTable::join(Self::shape(graph), parts))
    }

    fn shape(graph: &LevelGraph) -> Shape {
        Shape {
            costs: graph.intra_edge_count(),
            places: graph.tree_entries(),
            end: graph.max_inner(),
        }
    }

    /// What it costs from one inter-edge of a node, by its row, to each other one.
    #[inline]
    pub(crate) fn costs(&self, row: usize, length: usize) -> &[f32] {
        &self.0.costs[row..row + length]
    }
}

impl Below<'_> {
    /// All cheapest ways through one node, and the trees they form.
    fn cross(&self, graph: &LevelGraph, node: NodeId, memory: &mut Memory) -> (Vec<f32>, Vec<u32>) {
        let (edges, inner) = (graph.of_node(node), graph.inner(node));
        memory.place(inner, self.graph.inter_edges().len());
        let mut costs = Vec::with_capacity(edges.len() * edges.len());
        let mut trees = Vec::with_capacity(edges.len() * inner.len());
        for from in edges {
            let source = graph.inter_edge(from.sample().0).below;
            let source = DirectedSample::new(SampleId(source), 1 - from.far_side());
            self.grow(node, source, Direction::From, memory);
            let Memory { labels, places, .. } = &*memory;
            costs.extend(edges.iter().map(|to| {
                let target = graph.inter_edge(to.sample().0).below;
                labels.cost(SampleId(target))
            }));
            trees.extend(inner.iter().map(|&number| {
                match labels.predecessor(SampleId(number)) {
                    Some(before) => places[before.index()],
                    // The root, and what cannot be reached: nobody asks.
                    None => 0,
                }
            }));
        }
        (costs, trees)
    }

    /// Dijkstra's algorithm from or to an inter-edge of the level below, going on to the side that
    /// `root` says, inside one node.
    pub(super) fn grow(
        &self,
        node: NodeId,
        root: DirectedSample,
        direction: Direction,
        memory: &mut Memory,
    ) {
        let Memory { labels, heap, .. } = memory;
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
            let end = self.graph.inter_edge(number).sides[label.far_side()];
            if self.parents[end.node.index()] != node {
                continue;
            }
            let list = self.graph.of_node(end.node);
            let mut reach = |next: DirectedSample, arc: f32| {
                let cost = cost + arc;
                if cost < labels.cost(next.sample()) {
                    labels.set(next, cost, cost, Some(SampleId(number)));
                    heap.push(entry(cost, next.sample().0));
                }
            };
            match direction {
                Direction::From => {
                    let row = self.graph.row(end.node, end.index);
                    let row = &self.costs[row..row + list.len()];
                    list.iter().zip(row).for_each(|(&to, &arc)| reach(to, arc));
                }
                Direction::To => {
                    let column = self.graph.row(end.node, 0) + end.index as usize;
                    let column = self.costs[column..].iter().step_by(list.len());
                    list.iter()
                        .zip(column)
                        .for_each(|(&from, &arc)| reach(from, arc));
                }
            }
        }
    }
}
