//! The graph of the nodes of one level, in the format that METIS reads.

use oorandom::Rand32;
use portolan_core::NavMesh;
use portolan_core::union_find::UnionFind;

use crate::{IndexError, PartitionOptions, Weights};

/// The nodes of one level and their neighbours.
///
/// METIS relies on these invariants without checking them:
/// - `offsets` is never empty, starts with 0, never decreases and ends with `neighbours.len()`.
/// - A neighbour is another node, appears once in a list, and has an edge back with the same weight.
/// - Weights are positive, and their sum fits into 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    offsets: Vec<i32>,
    neighbours: Vec<i32>,
    edge_weights: Vec<i32>,
    weights: Vec<i32>,
}

/// The maximum random weight.
const MAX_RANDOM_WEIGHT: usize = 100;

impl Graph {
    /// Creates the graph of polygons. Two polygons are neighbours if a portal or a link joins them.
    pub(crate) fn from_mesh(
        mesh: &NavMesh,
        options: &PartitionOptions,
    ) -> Result<Self, IndexError> {
        let portals = mesh.portals().iter().map(|portal| portal.polygons);
        let links = mesh.links().iter().map(|link| link.polygons);
        let pairs = portals
            .chain(links)
            .map(|pair| pair.map(|polygon| polygon.0));
        Self::from_cells(mesh.polygon_count(), pairs, options)
    }

    /// Creates the graph of cells from pairs of neighbours.
    pub(crate) fn from_cells(
        count: usize,
        pairs: impl Iterator<Item = [u32; 2]>,
        options: &PartitionOptions,
    ) -> Result<Self, IndexError> {
        let pairs = pairs.filter(|[a, b]| a != b);
        let edges: Vec<_> = pairs.map(|[a, b]| (a.min(b), a.max(b), 1)).collect();
        let mut random = Rand32::new(options.seed);
        // Up to twenty million polygons, the full range of weights fits.
        let max_weight =
            (i32::MAX as usize / count.max(edges.len()).max(1)).clamp(1, MAX_RANDOM_WEIGHT);
        let mut draw = || random.rand_range(1..max_weight as u32 + 1) as i32;
        let weights = match options.weights {
            Weights::RandomNodes => (0..count).map(|_| draw()).collect(),
            Weights::Balanced | Weights::RandomEdges => vec![1; count],
        };
        let mut edges = merged(edges);
        if options.weights == Weights::RandomEdges {
            edges.iter_mut().for_each(|edge| edge.2 *= draw());
        }
        Self::new(weights, &edges)
    }

    /// Creates a graph from edges, each from the lower to the higher node. Every pair appears once.
    pub(crate) fn new(weights: Vec<i32>, edges: &[(u32, u32, i32)]) -> Result<Self, IndexError> {
        if edges.len() > i32::MAX as usize / 2 {
            return Err(IndexError::TooLarge {
                what: "pairs of neighbours",
                count: edges.len(),
            });
        }
        let mut offsets = vec![0i32; weights.len() + 1];
        for &(a, b, _) in edges {
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for node in 0..weights.len() {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut neighbours = vec![0; 2 * edges.len()];
        let mut edge_weights = neighbours.clone();
        for &(a, b, weight) in edges {
            for (from, to) in [(a, b), (b, a)] {
                let index = &mut next[from as usize];
                neighbours[*index as usize] = to as i32;
                edge_weights[*index as usize] = weight;
                *index += 1;
            }
        }
        Ok(Self {
            offsets,
            neighbours,
            edge_weights,
            weights,
        })
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns the index of each node's first edge, and the number of edges at the end.
    pub(crate) fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Returns the heads of all edges, node by node.
    pub(crate) fn neighbours(&self) -> &[i32] {
        &self.neighbours
    }

    /// Returns the weights of all edges, node by node.
    pub(crate) fn edge_weights(&self) -> &[i32] {
        &self.edge_weights
    }

    /// Returns the weights of the nodes.
    pub(crate) fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// Returns the head and the weight of each edge of a node.
    pub(crate) fn edges(&self, node: usize) -> impl Iterator<Item = (usize, i32)> {
        let run = self.offsets[node] as usize..self.offsets[node + 1] as usize;
        let to = self.neighbours[run.clone()].iter();
        to.zip(&self.edge_weights[run])
            .map(|(&to, &weight)| (to as usize, weight))
    }

    /// Returns the connected pieces of each part, ignoring edges between parts. The nodes of a piece are
    /// sorted, and pieces are sorted by their lowest node.
    pub(crate) fn pieces(&self, parts: &[u32]) -> Vec<Vec<u32>> {
        let mut sets = UnionFind::new(self.len());
        for node in 0..self.len() {
            for (to, _) in self.edges(node).filter(|&(to, _)| to > node) {
                if parts[node] == parts[to] {
                    sets.join(node as u32, to as u32);
                }
            }
        }
        let mut indexes = vec![0; self.len()];
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        for node in 0..self.len() as u32 {
            // The root is the lowest node of its set, so it is visited first.
            let root = sets.root(node);
            if root == node {
                indexes[node as usize] = pieces.len();
                pieces.push(Vec::new());
            }
            pieces[indexes[root as usize]].push(node);
        }
        pieces
    }

    /// Returns the graph of some nodes, in ascending order, and of the edges between them. Node `i` of the
    /// result is `nodes[i]`. `indexes` is a buffer with one number per node, whose contents do not matter.
    pub(crate) fn subgraph(&self, nodes: &[u32], indexes: &mut [u32]) -> Self {
        for (index, &node) in nodes.iter().enumerate() {
            indexes[node as usize] = index as u32;
        }
        let mut subgraph = Self {
            offsets: vec![0],
            neighbours: Vec::new(),
            edge_weights: Vec::new(),
            weights: nodes
                .iter()
                .map(|&node| self.weights[node as usize])
                .collect(),
        };
        for &node in nodes {
            for (to, weight) in self.edges(node as usize) {
                let index = indexes[to];
                if nodes.get(index as usize) == Some(&(to as u32)) {
                    subgraph.neighbours.push(index as i32);
                    subgraph.edge_weights.push(weight);
                }
            }
            subgraph.offsets.push(subgraph.neighbours.len() as i32);
        }
        subgraph
    }

    /// Returns the graph of the level above. It has one node per part, and one edge for all edges between
    /// the same two parts.
    pub(crate) fn merged(&self, parts: &[u32], count: usize) -> Result<Self, IndexError> {
        let mut weights = vec![0; count];
        let mut edges = Vec::new();
        for node in 0..self.len() {
            weights[parts[node] as usize] += self.weights[node];
            for (to, weight) in self.edges(node).filter(|&(to, _)| to > node) {
                let (a, b) = (parts[node], parts[to]);
                if a != b {
                    edges.push((a.min(b), a.max(b), weight));
                }
            }
        }
        Self::new(weights, &merged(edges))
    }
}

/// Sorts edges and merges those between the same two nodes.
fn merged(mut edges: Vec<(u32, u32, i32)>) -> Vec<(u32, u32, i32)> {
    edges.sort_unstable();
    edges.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    edges
}
