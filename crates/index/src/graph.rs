//! Who is beside whom at one level, in the form that METIS reads.

use oorandom::Rand32;
use portolan_core::NavMesh;
use portolan_core::union_find::UnionFind;

use crate::{IndexError, PartitionOptions, Weights};

/// The nodes of one level and their neighbours.
///
/// Invariants, on which METIS relies without a check:
/// - `offsets` is never empty, starts at 0, never decreases and ends at `neighbours.len()`;
/// - a neighbour is another node, stands in a list once, and has the same edge back with the same
///   weight;
/// - weights are positive, and so is their sum in 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    offsets: Vec<i32>,
    neighbours: Vec<i32>,
    edge_weights: Vec<i32>,
    weights: Vec<i32>,
}

/// The largest random weight.
const MOST_RANDOM: usize = 100;

impl Graph {
    /// Polygons and the pairs of them that portals and links join.
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

    /// Cells and the pairs of them that something joins.
    pub(crate) fn from_cells(
        count: usize,
        pairs: impl Iterator<Item = [u32; 2]>,
        options: &PartitionOptions,
    ) -> Result<Self, IndexError> {
        let pairs = pairs.filter(|[a, b]| a != b);
        let edges: Vec<_> = pairs.map(|[a, b]| (a.min(b), a.max(b), 1)).collect();
        let mut random = Rand32::new(options.seed);
        // Up to twenty million polygons there is room for all of it.
        let most = (i32::MAX as usize / count.max(edges.len()).max(1)).clamp(1, MOST_RANDOM);
        let mut draw = || random.rand_range(1..most as u32 + 1) as i32;
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

    /// A graph of edges from low to high, each pair once.
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
                let place = &mut next[from as usize];
                neighbours[*place as usize] = to as i32;
                edge_weights[*place as usize] = weight;
                *place += 1;
            }
        }
        Ok(Self {
            offsets,
            neighbours,
            edge_weights,
            weights,
        })
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Where the edges of each node begin, and one more.
    pub(crate) fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Where all edges lead, node by node.
    pub(crate) fn neighbours(&self) -> &[i32] {
        &self.neighbours
    }

    /// What all edges count, node by node.
    pub(crate) fn edge_weights(&self) -> &[i32] {
        &self.edge_weights
    }

    /// What the nodes count.
    pub(crate) fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The edges of a node: where they lead and what they count.
    pub(crate) fn edges(&self, node: usize) -> impl Iterator<Item = (usize, i32)> {
        let run = self.offsets[node] as usize..self.offsets[node + 1] as usize;
        let to = self.neighbours[run.clone()].iter();
        to.zip(&self.edge_weights[run])
            .map(|(&to, &weight)| (to as usize, weight))
    }

    /// The connected pieces of the nodes, where only edges within one part join: the nodes of each
    /// piece, ascending, and the pieces in the order of their lowest node.
    pub(crate) fn pieces(&self, parts: &[u32]) -> Vec<Vec<u32>> {
        let mut sets = UnionFind::new(self.len());
        for node in 0..self.len() {
            for (to, _) in self.edges(node).filter(|&(to, _)| to > node) {
                if parts[node] == parts[to] {
                    sets.join(node as u32, to as u32);
                }
            }
        }
        let mut places = vec![0; self.len()];
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        for node in 0..self.len() as u32 {
            // The root is the lowest of its set, so it comes first.
            let root = sets.root(node);
            if root == node {
                places[node as usize] = pieces.len();
                pieces.push(Vec::new());
            }
            pieces[places[root as usize]].push(node);
        }
        pieces
    }

    /// The graph of some nodes, given in ascending order, and the edges between them: node `i` is
    /// `nodes[i]`. `places` is memory for it, one number a node, of any content.
    pub(crate) fn of_some(&self, nodes: &[u32], places: &mut [u32]) -> Self {
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        let mut some = Self {
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
                let place = places[to];
                if nodes.get(place as usize) == Some(&(to as u32)) {
                    some.neighbours.push(place as i32);
                    some.edge_weights.push(weight);
                }
            }
            some.offsets.push(some.neighbours.len() as i32);
        }
        some
    }

    /// The level above: a node for each part, and all that lies between two parts as one edge.
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

/// Edges in order, those between the same two nodes as one.
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
