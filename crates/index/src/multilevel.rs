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

/// Bisects a connected graph of at least two cells. Neither half is empty. A graph that is large enough to
/// be coarsened is bisected `tries` times, and the best result is returned: for each cell, whether it is in
/// the second half.
pub(crate) fn bisect(cells: &CellGraph, tries: u32, seed: u64) -> Vec<bool> {
    let network = FlowNetwork::new(cells);
    let tries = if cells.len() > MAX_UNCOARSENED {
        tries
    } else {
        1
    };
    let all: Vec<Bisection> = (0..tries)
        .into_par_iter()
        .map(|number| bisect_network(&network, seed.wrapping_add(number.into())))
        .collect();
    let best = all.into_iter().min_by(|a, b| a.score.total_cmp(&b.score));
    best.expect("at least one try").second
}

fn bisect_network(network: &FlowNetwork<'_>, seed: u64) -> Bisection {
    let count = network.cells.len();
    if count > MAX_UNCOARSENED {
        let (clusters, coarse) = coarsen(network, seed);
        // In a star, hardly any cells can be paired.
        if coarse.len() < count - count / 10 {
            let bisection = bisect_network(&FlowNetwork::new(&coarse), seed).second;
            let second: Vec<bool> = clusters.iter().map(|&at| bisection[at as usize]).collect();
            return refine(network, &second);
        }
    }
    bisect_along_axes(network)
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
            if clusters[arc.to as usize] == NONE && arc.to != cell {
                let edge = f64::from(cells.edges[(arc.residual_index >> 1) as usize].weight);
                let rating = edge * edge / f64::from(cells.weights[arc.to as usize]);
                let rating = (rating, random_key(arc.to, seed));
                if rating > (best.0, best.1) {
                    best = (rating.0, rating.1, arc.to);
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
                let to = clusters[arc.to as usize];
                if to <= cluster {
                    continue;
                }
                let known = edges_to[to as usize];
                let weight = cells.edges[(arc.residual_index >> 1) as usize].weight;
                if known != NONE && known as usize >= first {
                    coarse.edges[known as usize].weight += weight;
                } else {
                    edges_to[to as usize] = coarse.edges.len() as u32;
                    coarse.edges.push(CellEdge {
                        cells: [cluster, to],
                        id: 0,
                        weight,
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
            neighbours.any(|arc| second[arc.to as usize] != second[cell as usize])
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
            next.extend(network.arcs(cell).iter().map(|arc| arc.to));
        }
        frontier = next;
    }
    let bisection = network.min_cut(&kinds, f64::INFINITY);
    bisection.expect("no bound was set")
}
