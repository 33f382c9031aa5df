//! Multilevel bisection (Hendrickson and Leland 1995, "A multilevel algorithm for partitioning graphs"):
//! bisects a coarsened graph, and refines the cut with flows while the graph is uncoarsened.

use glam::Vec3;
use rayon::prelude::*;

use crate::cells::{CellEdge, CellGraph};
use crate::flow::{Bisection, FREE, FlowNetwork, SINK, SOURCE, bisect_along_axes};

/// Graphs of at most this many cells are bisected without coarsening. A larger limit makes orders slower to
/// compute. It makes those of `rooms` slightly better, as more tries do, but not those of `open`.
const MAX_UNCOARSENED: usize = 1000;

/// The maximum distance of a refined cut from the original one. [Units: cells]
const REFINEMENT_DISTANCE: usize = 12;

/// The best of several tries is chosen when the graph has at most this fraction of its cells. Only that try is
/// refined on the larger graphs, which takes most of the time. It is nearly always the best there as well.
const CHOICE_FRACTION: usize = 2;

/// Bisects a connected graph of at least two cells. Neither half is empty. A graph that is large enough to
/// be coarsened is bisected `tries` times, and the best result is returned: for each cell, whether it is in
/// the second half.
pub(crate) fn bisect(cells: &CellGraph, tries: u32, seed: u64) -> Vec<bool> {
    let network = FlowNetwork::new(cells);
    if cells.len() <= MAX_UNCOARSENED {
        return bisect_along_axes(&network).second;
    }
    let tries: Vec<CoarseBisection> = (0..tries)
        .into_par_iter()
        .map(|number| CoarseBisection::new(&network, seed.wrapping_add(number.into())))
        .collect();
    let scores = |a: &CoarseBisection, b: &CoarseBisection| {
        let [a, b] = [a, b].map(|bisection| bisection.bisection.score);
        a.total_cmp(&b)
    };
    let best = tries.into_iter().min_by(scores);
    best.expect("at least one try").refined(&network).second
}

/// A bisection of a coarsened graph.
struct CoarseBisection {
    /// The coarsened graphs that the bisection has not been refined on, the finest first, each with the
    /// clusters of the cells of the graph before it.
    levels: Vec<(Vec<u32>, CellGraph)>,
    /// The bisection of the last graph in `levels`, or of the original graph if there is none.
    bisection: Bisection,
}

impl CoarseBisection {
    /// Coarsens the graph, bisects it, and refines the bisection up to the size at which tries are compared.
    fn new(network: &FlowNetwork<'_>, seed: u64) -> Self {
        let count = network.cells.len();
        let mut levels: Vec<(Vec<u32>, CellGraph)> = Vec::new();
        loop {
            let coarser = match levels.last() {
                Some((_, cells)) => coarsen_once(&FlowNetwork::new(cells), seed),
                None => coarsen_once(network, seed),
            };
            match coarser {
                Some(level) => levels.push(level),
                None => break,
            }
        }
        let bisection = match levels.last() {
            Some((_, cells)) => bisect_along_axes(&FlowNetwork::new(cells)),
            None => bisect_along_axes(network),
        };
        let mut coarse = Self { levels, bisection };
        let is_small = |(_, cells): &(Vec<u32>, CellGraph)| cells.len() * CHOICE_FRACTION <= count;
        while let [.., finer, _] = &coarse.levels[..]
            && is_small(finer)
        {
            coarse.refine_once(network);
        }
        coarse
    }

    /// Returns the bisection, refined on all graphs up to the original one.
    fn refined(mut self, network: &FlowNetwork<'_>) -> Bisection {
        while !self.levels.is_empty() {
            self.refine_once(network);
        }
        self.bisection
    }

    /// Refines the bisection on the next finer graph.
    fn refine_once(&mut self, network: &FlowNetwork<'_>) {
        let Some((clusters, _)) = self.levels.pop() else {
            return;
        };
        let coarse = &self.bisection.second;
        let second: Vec<bool> = clusters.iter().map(|&at| coarse[at as usize]).collect();
        self.bisection = match self.levels.last() {
            Some((_, cells)) => refine(&FlowNetwork::new(cells), &second),
            None => refine(network, &second),
        };
    }
}

/// Returns the clusters of a graph and the graph of the clusters. Returns `None` if the graph is small enough to
/// be bisected, or if hardly any cells can be paired, as in a star.
fn coarsen_once(network: &FlowNetwork<'_>, seed: u64) -> Option<(Vec<u32>, CellGraph)> {
    let count = network.cells.len();
    if count <= MAX_UNCOARSENED {
        return None;
    }
    let (clusters, coarse) = coarsen(network, seed);
    (coarse.len() < count - count / 10).then_some((clusters, coarse))
}

/// Returns a pseudo-random number for each cell.
fn random_key(cell: u32, seed: u64) -> u32 {
    let mixed = (u64::from(cell) ^ seed.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// Merges pairs of neighbouring cells. Returns the cluster of every cell, and the graph of the clusters.
fn coarsen(network: &FlowNetwork<'_>, seed: u64) -> (Vec<u32>, CellGraph) {
    const NONE: u32 = u32::MAX;
    let cells = network.cells;
    let mut clusters = vec![NONE; cells.len()];
    let mut members: Vec<[u32; 2]> = Vec::with_capacity(cells.len() / 2);
    for cell in 0..cells.len() as u32 {
        if clusters[cell as usize] != NONE {
            continue;
        }
        // Prefers heavy edges and light neighbours. Ties, which are frequent, are broken by the random key.
        let mut best = (0.0, 0, cell);
        for arc in network.arcs(cell) {
            if clusters[arc.to() as usize] == NONE && arc.to() != cell {
                let edge = f64::from(arc.weight);
                let rating = edge * edge / f64::from(cells.weights[arc.to() as usize]);
                let rating = (rating, random_key(arc.to(), seed));
                if rating > (best.0, best.1) {
                    best = (rating.0, rating.1, arc.to());
                }
            }
        }
        for member in [cell, best.2] {
            clusters[member as usize] = members.len() as u32;
        }
        members.push([cell, best.2]);
    }
    let mut coarse = CellGraph {
        removed: vec![0; members.len()],
        ..CellGraph::default()
    };
    // The last edge that leads to each cluster.
    let mut edges_to = vec![NONE; members.len()];
    for (&[a, b], cluster) in members.iter().zip(0..) {
        let both = if a == b { &[a][..] } else { &[a, b] };
        let first = coarse.edges.len();
        let (mut weight, mut centre) = (0, Vec3::ZERO);
        for &cell in both {
            let own = cells.weights[cell as usize];
            weight += own;
            centre += cells.centres[cell as usize] * own as f32;
            for arc in network.arcs(cell) {
                let to = clusters[arc.to() as usize];
                if to <= cluster {
                    continue;
                }
                let known = edges_to[to as usize];
                if known != NONE && known as usize >= first {
                    coarse.edges[known as usize].weight += arc.weight;
                } else {
                    edges_to[to as usize] = coarse.edges.len() as u32;
                    coarse.edges.push(CellEdge {
                        cells: [cluster, to],
                        id: 0,
                        weight: arc.weight,
                    });
                }
            }
        }
        coarse.weights.push(weight);
        coarse.centres.push(centre / weight as f32);
    }
    (clusters, coarse)
}

/// Returns the lightest cut near the one between the two halves.
fn refine(network: &FlowNetwork<'_>, second: &[bool]) -> Bisection {
    let count = second.len();
    let mut kinds: Vec<u8> = second
        .iter()
        .map(|&is| if is { SINK } else { SOURCE })
        .collect();
    let mut sizes = [0u64; 2];
    for (&is, &weight) in second.iter().zip(&network.cells.weights) {
        sizes[usize::from(is)] += u64::from(weight);
    }
    // At most half of each half may change sides.
    let mut free_weight = sizes.map(|size| size / 2);
    let mut frontier: Vec<u32> = (0..count as u32)
        .filter(|&cell| {
            let mut neighbours = network.arcs(cell).iter();
            neighbours.any(|arc| second[arc.to() as usize] != second[cell as usize])
        })
        .collect();
    for _ in 0..REFINEMENT_DISTANCE {
        let mut next = Vec::new();
        for &cell in &frontier {
            let weight = u64::from(network.cells.weights[cell as usize]);
            let free_weight = &mut free_weight[usize::from(second[cell as usize])];
            if kinds[cell as usize] == FREE || *free_weight < weight {
                continue;
            }
            *free_weight -= weight;
            kinds[cell as usize] = FREE;
            next.extend(network.arcs(cell).iter().map(|arc| arc.to()));
        }
        frontier = next;
    }
    let bisection = network.min_cut(&kinds, f64::INFINITY);
    bisection.expect("no bound was set")
}
