//! Connecting paths that are calculated in advance: from every vertex of a node to each of the node's
//! inter-edges.
//!
//! PCCP (Rahmani and Pelechano 2020, MA-HNA*) stores such paths from the centre of every polygon, which
//! ignores the distance between the centre and the agent. Rows for the vertices of the graph are exact,
//! because an agent leaves its polygon by one of them.

use rayon::prelude::*;

use super::centres::CentreRows;
use super::metric::{LowerCosts, LowerLevel, TreeBuffers, TreeDirection};
use super::path_table::{PathTable, TableShape};
use super::{Cliques, Hierarchy, InterEdge};
use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The connecting paths of one level. A row has one entry per inter-edge of its node.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectTable {
    /// The vertices of the graph that each node contains, sorted. The index in this list is the row of the
    /// vertex.
    vertices: Lists<u32>,
    /// The entry where the rows of each node start, and the number of entries at the end.
    row_starts: Array<u64>,
    /// The paths from vertices to inter-edges, row by row. Each cost comes with the index of the next
    /// vertex.
    to_edges: PathTable,
    /// The paths from inter-edges to vertices. Each cost comes with the index of the previous vertex.
    /// `None` if every arc costs the same in both directions.
    from_edges: Option<PathTable>,
    /// The rows for the centres of polygons.
    centres: Option<CentreRows>,
}

/// The end of a path that a connecting path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connects {
    /// The path leads from the start to inter-edges.
    Start,
    /// The path leads from inter-edges to the goal.
    Goal,
}

impl ConnectTable {
    pub(super) fn new(hierarchy: &Hierarchy, arcs: &Cliques, level: Level) -> Self {
        let mut table = Self::empty(hierarchy, level);
        let below = LowerLevel {
            graph: hierarchy.level(Level(0)),
            costs: LowerCosts::Unchanged(&arcs.0),
            parents: hierarchy.partition.nodes(level),
        };
        table.to_edges = table.compute_rows(hierarchy, level, &below, TreeDirection::To);
        if !arcs.are_symmetric(below.graph) {
            table.from_edges =
                Some(table.compute_rows(hierarchy, level, &below, TreeDirection::From));
        }
        table
    }

    /// Creates a table from arrays in the order of [`arrays`](Self::arrays).
    pub(super) fn from_arrays(
        hierarchy: &Hierarchy,
        level: Level,
        is_symmetric: bool,
        arrays: &mut impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let mut table = Self::empty(hierarchy, level);
        let shape = table.shape();
        let mut next = || arrays.next().filter(|paths| paths.fits(shape));
        table.to_edges = next()?;
        if !is_symmetric {
            table.from_edges = Some(next()?);
        }
        Some(table)
    }

    /// Adds the sections of the table to a file.
    pub(super) fn write_sections(&self, file: &mut SectionWriter) {
        file.lists([*b"tavo", *b"tavv"], &self.vertices);
        file.array(*b"taro", &self.row_starts);
        for paths in [&self.to_edges].into_iter().chain(&self.from_edges) {
            paths.write_sections(file);
        }
        if let Some(centres) = &self.centres {
            centres.write_sections(file);
        }
    }

    /// Reads the sections of the table of a level with `nodes` nodes, without its rows for centres. Only the lengths
    /// of the arrays are checked: see [`check`](Self::check).
    pub(super) fn read_sections(
        file: &mut SectionReader,
        nodes: usize,
        is_symmetric: bool,
    ) -> Result<Self, SectionError> {
        let table = Self {
            vertices: file.lists([*b"tavo", *b"tavv"])?,
            row_starts: file.array(*b"taro")?,
            to_edges: PathTable::read_sections(file)?,
            from_edges: match is_symmetric {
                true => None,
                false => Some(PathTable::read_sections(file)?),
            },
            centres: None,
        };
        let lengths_fit = table.vertices.len() == nodes && table.row_starts.len() == nodes + 1;
        SectionError::unless(lengths_fit, "its connect tables do not fit its hierarchy")?;
        Ok(table)
    }

    /// Returns whether queries can follow all paths of the table.
    pub(super) fn check(&self, hierarchy: &Hierarchy, level: Level, polygons: usize) -> bool {
        let (ground, graph) = (hierarchy.level(Level(0)), hierarchy.level(level));
        let nodes_of = |vertex: &InterEdge| {
            let cells = vertex.sides.map(|side| side.node.index());
            cells.map(|cell| hierarchy.partition.node_of(level, cell))
        };
        // All lists together have an entry per node of a vertex, so they are complete if none is repeated.
        let entries = ground.inter_edges().iter().map(|vertex| {
            let [a, b] = nodes_of(vertex);
            if a == b { 1 } else { 2 }
        });
        let is_node = |node: usize| {
            let list = self.vertices.get(node);
            let is_inside = |&vertex: &u32| {
                let vertex = ground.inter_edges().get(vertex as usize);
                vertex.is_some_and(|vertex| nodes_of(vertex).contains(&NodeId::new(node)))
            };
            let row_entries = list.len() as u64 * graph.of_node(NodeId::new(node)).len() as u64;
            list.is_sorted_by(|a, b| a < b)
                && list.iter().all(is_inside)
                && self.row_starts[node].checked_add(row_entries) == Some(self.row_starts[node + 1])
        };
        self.vertices.is_valid()
            && self.row_starts[0] == 0
            && self.vertices.values().len() == entries.sum::<usize>()
            && (0..self.vertices.len()).all(is_node)
            && [Some(&self.to_edges), self.from_edges.as_ref()]
                .into_iter()
                .flatten()
                .all(|paths| paths.fits(self.shape()))
            && self
                .centres
                .as_ref()
                .is_none_or(|centres| centres.check(hierarchy, level, self, polygons))
    }

    /// Returns all arrays in a fixed order.
    pub fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        let centres = self.centres.iter().flat_map(CentreRows::arrays);
        [&self.to_edges]
            .into_iter()
            .chain(&self.from_edges)
            .chain(centres)
    }

    /// Creates a table with the layout of its rows, but without costs.
    fn empty(hierarchy: &Hierarchy, level: Level) -> Self {
        let (ground, graph) = (hierarchy.level(Level(0)), hierarchy.level(level));
        let mut pairs = Vec::with_capacity(2 * ground.inter_edges().len());
        for (edge, vertex) in ground.inter_edges().iter().zip(0..) {
            let [a, b] = edge
                .sides
                .map(|side| hierarchy.partition.node_of(level, side.node.index()));
            pairs.push((a.0, vertex));
            if a != b {
                pairs.push((b.0, vertex));
            }
        }
        let vertices = Csr::group(graph.node_count(), &pairs);
        let entries =
            |node: usize| vertices.get(node).len() * graph.of_node(NodeId::new(node)).len();
        let mut row_starts = vec![0];
        for node in 0..vertices.len() {
            row_starts.push(row_starts[node] + entries(node) as u64);
        }
        Self {
            vertices: vertices.into(),
            row_starts: row_starts.into(),
            to_edges: PathTable::default(),
            from_edges: None,
            centres: None,
        }
    }

    fn shape(&self) -> TableShape {
        let entries = self.row_starts[self.vertices.len()] as usize;
        TableShape {
            costs: entries,
            indexes: entries,
            end: self.max_vertices(),
        }
    }

    pub(super) fn with_centres(self, centres: CentreRows) -> Self {
        Self {
            centres: Some(centres),
            ..self
        }
    }

    /// Returns the rows for centres, if there are any.
    pub(crate) fn centres(&self) -> Option<&CentreRows> {
        self.centres.as_ref()
    }

    /// Returns whether connecting paths are the same in both directions.
    pub fn is_symmetric(&self) -> bool {
        self.from_edges.is_none()
    }

    /// Returns the vertices of the graph that each node contains, sorted. The index of a vertex in this list is its row.
    pub fn vertices(&self) -> &Lists<u32> {
        &self.vertices
    }

    /// Returns the entry where the rows of each node start, and the number of entries at the end. A row has one entry per
    /// inter-edge of the node.
    pub fn row_starts(&self) -> &[u64] {
        &self.row_starts
    }

    /// Returns the entry where the row of each polygon's centre starts, and the number of entries at the end; `None`
    /// without rows for centres.
    pub fn centre_row_starts(&self) -> Option<&[u64]> {
        self.centres.as_ref().map(CentreRows::starts)
    }

    /// Returns the maximum number of vertices that a node contains.
    pub(super) fn max_vertices(&self) -> usize {
        self.vertices.iter().map(<[u32]>::len).max().unwrap_or(0)
    }

    /// Returns the rows for the start or for the goal.
    fn rows(&self, connects: Connects) -> &PathTable {
        match (connects, &self.from_edges) {
            (Connects::Goal, Some(from_edges)) => from_edges,
            _ => &self.to_edges,
        }
    }

    /// Returns the number of vertices that a node contains.
    pub(crate) fn vertex_count(&self, node: NodeId) -> usize {
        self.vertices.get(node.index()).len()
    }

    /// Returns the index of a vertex in the list of a node that contains it.
    #[inline]
    pub(crate) fn index_of(&self, node: NodeId, vertex: SampleId) -> usize {
        let vertices = self.vertices.get(node.index());
        vertices
            .binary_search(&vertex.0)
            .expect("a vertex of the node")
    }

    /// Returns the vertex at an index in the list of a node.
    #[inline]
    pub(crate) fn vertex(&self, node: NodeId, index: usize) -> Option<SampleId> {
        self.vertices
            .get(node.index())
            .get(index)
            .copied()
            .map(SampleId)
    }

    /// Returns the costs between the vertex at `index` and each inter-edge of the node, of which there are
    /// `inter_edges`.
    #[inline]
    pub(crate) fn costs(
        &self,
        connects: Connects,
        node: NodeId,
        index: usize,
        inter_edges: usize,
    ) -> &[f32] {
        let row = self.row_starts[node.index()] as usize + index * inter_edges;
        &self.rows(connects).costs[row..row + inter_edges]
    }

    /// Returns the index of the vertex that follows the one at `index` on the path to an inter-edge, or
    /// that precedes it on the path from the inter-edge. The node has `inter_edges` inter-edges.
    #[inline]
    pub(crate) fn towards(
        &self,
        connects: Connects,
        node: NodeId,
        index: usize,
        inter_edge: u32,
        inter_edges: usize,
    ) -> usize {
        let row = self.row_starts[node.index()] as usize + index * inter_edges;
        self.rows(connects).index(row + inter_edge as usize)
    }

    /// Returns the size on the heap of the rows for centres. [Units: bytes]
    pub fn centre_bytes(&self) -> usize {
        self.centres.as_ref().map_or(0, CentreRows::bytes)
    }

    /// Returns the size on the heap, without the rows for centres. [Units: bytes]
    pub fn bytes(&self) -> usize {
        let paths = [Some(&self.to_edges), self.from_edges.as_ref()];
        self.vertices.bytes()
            + size_of_val(&self.row_starts[..])
            + paths
                .into_iter()
                .flatten()
                .map(PathTable::bytes)
                .sum::<usize>()
    }

    /// Computes all rows, with one shortest-path tree per inter-edge of each node.
    fn compute_rows(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        below: &LowerLevel<'_>,
        direction: TreeDirection,
    ) -> PathTable {
        let graph = hierarchy.level(level);
        let parts: Vec<(Vec<f32>, Vec<u32>)> = (0..graph.node_count())
            .into_par_iter()
            .map_init(TreeBuffers::default, |buffers, node| {
                let (vertices, edges) = (self.vertices.get(node), graph.of_node(NodeId::new(node)));
                buffers.set_indexes(vertices, below.graph.inter_edges().len());
                let mut costs = vec![0.0; vertices.len() * edges.len()];
                let mut towards = vec![0; costs.len()];
                for (column, edge) in edges.iter().enumerate() {
                    let vertex = graph.inter_edge(edge.sample().0).vertex;
                    let root = DirectedSample::new(vertex, 1 - edge.far_side());
                    below.grow_tree(NodeId::new(node), root, direction, buffers);
                    let TreeBuffers {
                        labels, indexes, ..
                    } = &*buffers;
                    for (row, &vertex) in vertices.iter().enumerate() {
                        let entry = row * edges.len() + column;
                        costs[entry] = labels.cost(SampleId(vertex));
                        if let Some(next) = labels.predecessor(SampleId(vertex)) {
                            towards[entry] = indexes[next.index()];
                        }
                    }
                }
                (costs, towards)
            })
            .collect();
        PathTable::join(self.shape(), parts)
    }
}
