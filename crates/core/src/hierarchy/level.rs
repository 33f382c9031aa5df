//! One level of a hierarchy: its nodes, its inter-edges, and how they relate to the level below.

use bytemuck::{Pod, Zeroable};

use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::graph::DirectedSample;
use crate::ids::{NodeId, SampleId};
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The nodes and inter-edges of one level.
///
/// Invariants:
/// - Inter-edges are numbered in the order of their vertices. The two nodes of an inter-edge differ.
/// - The list of a node's inter-edges is sorted, and [`InterEdgeSide::index`] is the index in that list.
/// - `sides[i]` of an inter-edge is on the same side of its vertex at every level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelGraph {
    inter_edges: Array<InterEdge>,
    /// The inter-edges of each node, each with the side that is not this node.
    of_node: Lists<DirectedSample>,
    /// The index of each node's first intra-edge cost, and the number of costs at the end. The costs of a
    /// node are stored row by row.
    matrices: Array<u64>,
    /// The inter-edges of the level below that lie inside each node or on its border.
    inner: Lists<u32>,
    /// The index of each node's first tree entry, and the number of entries at the end. The trees of a node
    /// are stored row by row.
    trees: Array<u64>,
}

/// An edge between two nodes of a level, through one vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct InterEdge {
    /// The vertex of the graph.
    pub vertex: SampleId,
    /// The number of the same inter-edge at the level below. At level 0, its own number.
    pub below: u32,
    /// The two nodes that it joins.
    pub sides: [InterEdgeSide; 2],
}

/// One of the two nodes of an inter-edge, and the inter-edge's indexes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct InterEdgeSide {
    /// The node.
    pub node: NodeId,
    /// The index among the inter-edges of the node.
    pub index: u32,
    /// The index among the inter-edges of the level below that the node contains.
    pub inner: u32,
}

impl InterEdge {
    /// Returns the side on which a node lies, 0 or 1, or `None` if the inter-edge does not touch the node.
    #[inline]
    pub fn side_in(&self, node: NodeId) -> Option<usize> {
        self.sides.iter().position(|side| side.node == node)
    }
}

impl InterEdgeSide {
    /// Creates a side whose indexes are yet to be set.
    fn of(node: NodeId) -> Self {
        Self {
            node,
            index: 0,
            inner: 0,
        }
    }
}

impl LevelGraph {
    /// Builds level 0: cells are the nodes, and every vertex is an inter-edge.
    pub(super) fn from_cells(cells: usize, sides: &[[u32; 2]]) -> Self {
        let inter_edges = sides.iter().zip(0..).map(|(&sides, vertex)| {
            assert_ne!(
                sides[0], sides[1],
                "vertex {vertex} has the same cell on both sides"
            );
            InterEdge {
                vertex: SampleId(vertex),
                below: vertex,
                sides: sides.map(|cell| InterEdgeSide::of(NodeId(cell))),
            }
        });
        Self::new(inter_edges.collect(), cells, Csr::default())
    }

    /// Builds the level above `below`. `parents` has the new node of each node of `below`.
    pub(super) fn above(below: &Self, parents: &[NodeId], nodes: usize) -> Self {
        let mut inner = Vec::with_capacity(below.inter_edges.len() * 2);
        let mut inter_edges = Vec::new();
        for (edge, number) in below.inter_edges.iter().zip(0..) {
            let [a, b] = edge.sides.map(|side| parents[side.node.index()]);
            inner.push((a.0, number));
            if a == b {
                continue;
            }
            inner.push((b.0, number));
            inter_edges.push(InterEdge {
                vertex: edge.vertex,
                below: number,
                sides: [a, b].map(InterEdgeSide::of),
            });
        }
        Self::new(inter_edges, nodes, Csr::group(nodes, &inner))
    }

    /// Computes everything that follows from the two nodes of each inter-edge.
    fn new(mut inter_edges: Vec<InterEdge>, nodes: usize, inner: Csr<u32>) -> Self {
        let mut lists = Vec::with_capacity(inter_edges.len() * 2);
        let mut lengths = vec![0u32; nodes];
        for (edge, number) in inter_edges.iter_mut().zip(0..) {
            for side_number in [0, 1] {
                let side = &mut edge.sides[side_number];
                let length = &mut lengths[side.node.index()];
                side.index = *length;
                *length += 1;
                if !inner.is_empty() {
                    let index = inner.get(side.node.index()).binary_search(&edge.below);
                    side.inner = index.expect("a node contains its own inter-edges") as u32;
                }
                lists.push((
                    side.node.0,
                    DirectedSample::new(SampleId(number), 1 - side_number),
                ));
            }
        }
        let of_node = Csr::group(nodes, &lists);
        let matrices = row_starts(of_node.iter().map(|list| list.len() * list.len()));
        let inner = if inner.is_empty() {
            Csr::group(nodes, &[])
        } else {
            inner
        };
        let trees =
            row_starts((0..nodes).map(|node| of_node.get(node).len() * inner.get(node).len()));
        Self {
            inter_edges: inter_edges.into(),
            of_node: of_node.into(),
            matrices,
            inner: inner.into(),
            trees,
        }
    }

    /// Adds the sections of the level to a file.
    pub(super) fn write_sections(&self, file: &mut SectionWriter) {
        file.array(*b"inte", &self.inter_edges);
        file.lists([*b"inno", *b"innv"], &self.of_node);
        file.array(*b"matr", &self.matrices);
        file.lists([*b"inro", *b"inrv"], &self.inner);
        file.array(*b"trst", &self.trees);
    }

    /// Reads the sections of a level with `nodes` nodes. Only the lengths of the arrays are checked.
    pub(super) fn read_sections(
        file: &mut SectionReader,
        nodes: usize,
    ) -> Result<Self, SectionError> {
        let level = Self {
            inter_edges: file.array(*b"inte")?,
            of_node: file.lists([*b"inno", *b"innv"])?,
            matrices: file.array(*b"matr")?,
            inner: file.lists([*b"inro", *b"inrv"])?,
            trees: file.array(*b"trst")?,
        };
        let lengths_fit = level.of_node.len() == nodes
            && level.of_node.values().len() == 2 * level.inter_edges.len()
            && level.inner.len() == nodes
            && [level.matrices.len(), level.trees.len()] == [nodes + 1; 2];
        SectionError::unless(lengths_fit, "its inter-edges do not fit its partition")?;
        Ok(level)
    }

    /// Returns whether the offsets of all lists ascend.
    pub(super) fn lists_are_valid(&self) -> bool {
        self.of_node.is_valid()
            && self.inner.is_valid()
            && self.matrices[0] == 0
            && self.trees[0] == 0
    }

    /// Returns whether a node has as many intra-edges and tree entries as its lists require. The lists must be valid.
    pub(super) fn rows_are_valid(&self, node: NodeId) -> bool {
        let (at, edges) = (node.index(), self.of_node(node).len() as u64);
        let inner = self.inner(node).len() as u64;
        self.matrices[at].checked_add(edges * edges) == Some(self.matrices[at + 1])
            && self.trees[at].checked_add(edges * inner) == Some(self.trees[at + 1])
    }

    /// Returns the inter-edges of the level below that each node contains.
    pub(super) fn inner_lists(&self) -> &Lists<u32> {
        &self.inner
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.of_node.len()
    }

    /// Returns all inter-edges, sorted by vertex.
    pub fn inter_edges(&self) -> &[InterEdge] {
        &self.inter_edges
    }

    /// Returns the inter-edges of a node, in the order of their indexes.
    ///
    /// # Panics
    /// Panics if the node does not exist.
    pub fn inter_edges_of(&self, node: NodeId) -> impl ExactSizeIterator<Item = &InterEdge> {
        let edges = self.of_node(node).iter();
        edges.map(|edge| self.inter_edge(edge.sample().0))
    }

    /// Returns the number of ordered pairs of inter-edges of the same node, including pairs of an
    /// inter-edge with itself.
    pub fn intra_edge_count(&self) -> usize {
        *self.matrices.last().expect("the number of costs") as usize
    }

    /// Returns the inter-edge with a number.
    #[inline]
    pub fn inter_edge(&self, number: u32) -> &InterEdge {
        &self.inter_edges[number as usize]
    }

    /// Returns the inter-edges of a node, each with the side that is not this node.
    #[inline]
    pub fn of_node(&self, node: NodeId) -> &[DirectedSample] {
        self.of_node.get(node.index())
    }

    /// Returns the inter-edges of the level below that a node contains.
    #[inline]
    pub fn inner(&self, node: NodeId) -> &[u32] {
        self.inner.get(node.index())
    }

    /// Returns the index of the first cost in row `index` of a node.
    #[inline]
    pub fn row(&self, node: NodeId, index: u32) -> usize {
        self.matrices[node.index()] as usize + index as usize * self.of_node(node).len()
    }

    /// Returns the index of the first tree entry in row `index` of a node.
    #[inline]
    pub fn tree_row(&self, node: NodeId, index: u32) -> usize {
        self.trees[node.index()] as usize + index as usize * self.inner(node).len()
    }

    /// Returns the number of entries of all trees.
    pub(crate) fn tree_entries(&self) -> usize {
        *self.trees.last().expect("the number of entries") as usize
    }

    /// Returns the maximum number of inter-edges of the level below that a node contains.
    pub(crate) fn max_inner(&self) -> usize {
        self.inner.iter().map(<[u32]>::len).max().unwrap_or(0)
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.inter_edges[..])
            + self.of_node.bytes()
            + self.inner.bytes()
            + size_of_val(&self.matrices[..])
            + size_of_val(&self.trees[..])
    }
}

/// Returns the start of each of several consecutive ranges, and the end of the last one.
fn row_starts(lengths: impl Iterator<Item = usize>) -> Array<u64> {
    let mut starts = vec![0];
    let mut end = 0;
    starts.extend(lengths.map(|length| {
        end += length as u64;
        end
    }));
    starts.into()
}
