//! One level: its nodes, its inter-edges, and who lies where in the level below.

use crate::csr::Csr;
use crate::graph::DirectedSample;
use crate::ids::{NodeId, SampleId};

/// The nodes and inter-edges of one level.
///
/// Invariants:
/// - inter-edges are numbered in the order of their vertices, and the two nodes of one differ;
/// - a node's inter-edges stand in its list in ascending order, and [`InterEdgeSide::index`] is the place there;
/// - `sides[side]` of an inter-edge lies on the same side of the vertex at every level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelGraph {
    inter_edges: Vec<InterEdge>,
    /// Per node its inter-edges, each with the side that is not this node.
    of_node: Csr<DirectedSample>,
    /// Where the costs of a node's intra-edges begin, row by row; one more at the end.
    matrices: Vec<usize>,
    /// Per node the inter-edges of the level below that lie inside it or on its border.
    inner: Csr<u32>,
    /// Where the trees of a node begin, row by row; one more at the end.
    trees: Vec<usize>,
}

/// A way from one node into another: a vertex of the graph between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterEdge {
    /// The vertex of the graph.
    pub vertex: SampleId,
    /// Its number as an inter-edge of the level below; at level 0 its own.
    pub below: u32,
    /// What it joins.
    pub sides: [InterEdgeSide; 2],
}

/// An inter-edge as one of its nodes sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterEdgeSide {
    /// The node.
    pub node: NodeId,
    /// The place among the inter-edges of the node.
    pub index: u32,
    /// The place among the inter-edges of the level below that the node holds.
    pub inner: u32,
}

impl InterEdge {
    /// The side on which a node lies.
    #[inline]
    pub fn side_in(&self, node: NodeId) -> Option<usize> {
        self.sides.iter().position(|end| end.node == node)
    }
}

impl InterEdgeSide {
    /// ListIndexes to be filled in.
    fn of(node: NodeId) -> Self {
        Self {
            node,
            index: 0,
            inner: 0,
        }
    }
}

impl LevelGraph {
    /// Level 0: cells are the nodes, and every vertex is an inter-edge.
    pub(super) fn from_cells(cells: usize, sides: &[[u32; 2]]) -> Self {
        let inter_edges = sides.iter().zip(0..).map(|(&sides, vertex)| {
            assert_ne!(
                sides[0], sides[1],
                "vertex {vertex} has one cell on both sides"
            );
            InterEdge {
                vertex: SampleId(vertex),
                below: vertex,
                sides: sides.map(|cell| InterEdgeSide::of(NodeId(cell))),
            }
        });
        Self::new(inter_edges.collect(), cells, Csr::default())
    }

    /// The level above `below`, whose nodes lie in `parents`.
    pub(super) fn above(below: &Self, parents: &[NodeId], nodes: usize) -> Self {
        let mut inner = Vec::with_capacity(below.inter_edges.len() * 2);
        let mut inter_edges = Vec::new();
        for (edge, number) in below.inter_edges.iter().zip(0..) {
            let [a, b] = edge.sides.map(|end| parents[end.node.index()]);
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

    /// Fills in everything that follows from the nodes of each inter-edge.
    fn new(mut inter_edges: Vec<InterEdge>, nodes: usize, inner: Csr<u32>) -> Self {
        let mut lists = Vec::with_capacity(inter_edges.len() * 2);
        let mut lengths = vec![0u32; nodes];
        for (edge, number) in inter_edges.iter_mut().zip(0..) {
            for side in [0, 1] {
                let end = &mut edge.sides[side];
                let length = &mut lengths[end.node.index()];
                end.index = *length;
                *length += 1;
                if !inner.is_empty() {
                    let place = inner.get(end.node.index()).binary_search(&edge.below);
                    end.inner = place.expect("a node holds its own inter-edges") as u32;
                }
                lists.push((end.node.0, DirectedSample::new(SampleId(number), 1 - side)));
            }
        }
        let of_node = Csr::group(nodes, &lists);
        let matrices = starts(of_node.iter().map(|list| list.len() * list.len()));
        let inner = if inner.is_empty() {
            Csr::group(nodes, &[])
        } else {
            inner
        };
        let trees = starts((0..nodes).map(|node| of_node.get(node).len() * inner.get(node).len()));
        Self {
            inter_edges,
            of_node,
            matrices,
            inner,
            trees,
        }
    }

    /// Nodes.
    pub fn node_count(&self) -> usize {
        self.of_node.len()
    }

    /// All inter-edges.
    pub fn inter_edges(&self) -> &[InterEdge] {
        &self.inter_edges
    }

    /// The inter-edges of a node, in the order of their places in it.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn inter_edges_of(&self, node: NodeId) -> impl ExactSizeIterator<Item = &InterEdge> {
        let edges = self.of_node(node).iter();
        edges.map(|edge| self.inter_edge(edge.sample().0))
    }

    /// Pairs of inter-edges of one node, those with themselves included.
    pub fn intra_edge_count(&self) -> usize {
        *self.matrices.last().expect("an end")
    }

    /// The inter-edge with a number.
    #[inline]
    pub fn inter_edge(&self, number: u32) -> &InterEdge {
        &self.inter_edges[number as usize]
    }

    /// The inter-edges of a node, each with the side that is not this node.
    #[inline]
    pub fn of_node(&self, node: NodeId) -> &[DirectedSample] {
        self.of_node.get(node.index())
    }

    /// The inter-edges of the level below that a node holds.
    #[inline]
    pub(crate) fn inner(&self, node: NodeId) -> &[u32] {
        self.inner.get(node.index())
    }

    /// Where row `index` of a node begins among the costs of intra-edges.
    #[inline]
    pub(crate) fn row(&self, node: NodeId, index: u32) -> usize {
        self.matrices[node.index()] + index as usize * self.of_node(node).len()
    }

    /// Where row `index` of a node begins among the trees.
    #[inline]
    pub(crate) fn tree_row(&self, node: NodeId, index: u32) -> usize {
        self.trees[node.index()] + index as usize * self.inner(node).len()
    }

    /// The number of entries in all trees.
    pub(crate) fn tree_entries(&self) -> usize {
        *self.trees.last().expect("an end")
    }

    /// The most inter-edges of the level below that one node holds.
    pub(crate) fn max_inner(&self) -> usize {
        self.inner.iter().map(<[u32]>::len).max().unwrap_or(0)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.inter_edges[..])
            + self.of_node.bytes()
            + self.inner.bytes()
            + size_of_val(&self.matrices[..])
            + size_of_val(&self.trees[..])
    }
}

/// Where each of some runs begins, and the end of the last.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0];
    let mut end = 0;
    starts.extend(lengths.map(|length| {
        end += length;
        end
    }));
    starts
}
