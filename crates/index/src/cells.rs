//! The graph of cells (polygons and links), whose edges are the portals.

use glam::Vec3;
use portolan_core::SampleId;
use portolan_core::graph::{Origin, PortalGraph, SampleSide};
use portolan_core::union_find::UnionFind;

/// A portal or an end of a link, as an edge between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellEdge {
    pub(crate) cells: [u32; 2],
    /// The number of the edge in the complete graph.
    pub(crate) id: u32,
    /// The cost of cutting the edge.
    pub(crate) weight: i32,
}

/// Some cells and the edges between them. Two portals are adjacent in the portal graph if they share a
/// cell. So an edge cut of the cells is a vertex separator of the portals.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellGraph {
    /// The position of each cell.
    pub(crate) centres: Vec<Vec3>,
    /// The weight of each cell, for balancing the two halves.
    pub(crate) weights: Vec<u32>,
    /// The number of edges of each cell that earlier cuts removed.
    pub(crate) removed: Vec<u32>,
    pub(crate) edges: Vec<CellEdge>,
}

impl CellGraph {
    pub(crate) fn len(&self) -> usize {
        self.centres.len()
    }

    /// Splits the graph into groups, which are numbered from 0 without gaps. Returns the graph of each
    /// group, and the edges between groups.
    pub(crate) fn split(self, groups: &[u32], count: usize) -> (Vec<CellGraph>, Vec<CellEdge>) {
        let mut parts = vec![CellGraph::default(); count];
        let mut indexes = Vec::with_capacity(groups.len());
        for (cell, &group) in groups.iter().enumerate() {
            let part = &mut parts[group as usize];
            indexes.push(part.len() as u32);
            part.centres.push(self.centres[cell]);
            part.weights.push(self.weights[cell]);
            part.removed.push(self.removed[cell]);
        }
        let mut cut = Vec::new();
        for edge in self.edges {
            let [a, b] = edge.cells.map(|cell| groups[cell as usize]);
            let cells = edge.cells.map(|cell| indexes[cell as usize]);
            if a == b {
                parts[a as usize].edges.push(CellEdge { cells, ..edge });
            } else {
                for (group, cell) in [a, b].into_iter().zip(cells) {
                    parts[group as usize].removed[cell as usize] += 1;
                }
                cut.push(edge);
            }
        }
        (parts, cut)
    }

    /// Returns all pairs of edges that share a cell, by number.
    #[cfg(feature = "metis")]
    pub(crate) fn adjacent(&self) -> impl Iterator<Item = [u32; 2]> {
        let each = self.edges.iter();
        let sides = each.flat_map(|edge| edge.cells.map(|cell| (cell, edge.id)));
        let of_cells = portolan_core::Csr::group(self.len(), &sides.collect::<Vec<_>>());
        (0..self.len()).flat_map(move |cell| {
            let edges = of_cells.get(cell);
            let mut pairs = Vec::new();
            for (i, &a) in edges.iter().enumerate() {
                pairs.extend(edges[..i].iter().map(|&b| [a, b]));
            }
            pairs
        })
    }

    /// Returns the connected component of each cell, and the number of components.
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        let mut sets = UnionFind::new(self.len());
        for edge in &self.edges {
            sets.join(edge.cells[0], edge.cells[1]);
        }
        let (mut groups, mut count) = (vec![0; self.len()], 0);
        for cell in 0..self.len() as u32 {
            // The root is the lowest cell of its set, so it is visited first.
            let root = sets.root(cell);
            groups[cell as usize] = if root == cell {
                count += 1;
                count - 1
            } else {
                groups[root as usize]
            };
        }
        (groups, count as usize)
    }
}

/// The cell graph of a portal graph, with the samples of each edge.
#[derive(Clone, Debug)]
pub(crate) struct PortalEdges {
    pub(crate) cells: CellGraph,
    /// The first sample of each edge, and the number of samples at the end. The samples of a portal are
    /// consecutive.
    pub(crate) offsets: Vec<u32>,
}

impl PortalEdges {
    /// Creates the cell graph. `weight` returns the weight of an edge, given its portal or link end and its
    /// number of samples.
    pub(crate) fn new(graph: &PortalGraph, weight: impl Fn(Origin, u32) -> u32) -> Self {
        let count = graph.sample_count() as u32;
        let samples = || (0..count).map(SampleId);
        let mut offsets: Vec<u32> = samples()
            .filter(|&s| s.0 == 0 || graph.origin(s) != graph.origin(SampleId(s.0 - 1)))
            .map(|sample| sample.0)
            .collect();
        offsets.push(count);
        let sides = |sample| [0, 1].map(|side| graph.side(sample, side));
        let polygons = samples().flat_map(sides).filter_map(|side| match side {
            SampleSide::Polygon(polygon) => Some(polygon.0 + 1),
            SampleSide::Link(..) => None,
        });
        let polygons = polygons.max().unwrap_or(0);
        let cell = |side| match side {
            SampleSide::Polygon(polygon) => polygon.0,
            SampleSide::Link(link, _) => polygons + link.0,
        };
        let mut sums: Vec<(Vec3, f32)> = Vec::new();
        // Half of the range, because a flow can reverse the full weight of an edge.
        let max_weight = i32::MAX as u32 / 2 / offsets.len() as u32;
        let mut edges = Vec::with_capacity(offsets.len() - 1);
        for (run, id) in offsets.windows(2).zip(0..) {
            let first = SampleId(run[0]);
            let cells = sides(first).map(cell);
            for cell in cells {
                if sums.len() <= cell as usize {
                    sums.resize(cell as usize + 1, (Vec3::ZERO, 0.0));
                }
                let (sum, count) = &mut sums[cell as usize];
                *sum += graph
                    .position(first)
                    .midpoint(graph.position(SampleId(run[1] - 1)));
                *count += 1.0;
            }
            let weight = weight(graph.origin(first), run[1] - run[0]).clamp(1, max_weight) as i32;
            edges.push(CellEdge { cells, id, weight });
        }
        let centres = sums.iter().map(|&(sum, count)| sum / count.max(1.0));
        let cells = CellGraph {
            centres: centres.collect(),
            weights: vec![1; sums.len()],
            removed: vec![0; sums.len()],
            edges,
        };
        Self { cells, offsets }
    }
}
