//! The elimination tree of a ranked graph.

use crate::csr::Csr;

const NONE: u32 = u32::MAX;

/// Per rank the lowest of its upper neighbours in the chordal graph, or itself: without making that
/// graph (Liu 1986), by joining trees of lower ranks under each rank with short cuts to their roots.
pub(super) fn parents(count: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let lower: Vec<(u32, u32)> = pairs.iter().map(|&[a, b]| (a.max(b), a.min(b))).collect();
    let lower = Csr::group(count, &lower);
    let mut parents: Vec<u32> = (0..count as u32).collect();
    let mut ancestors = vec![NONE; count];
    for (rank, list) in (0..).zip(lower.iter()) {
        for &start in list {
            let mut at = start;
            while ancestors[at as usize] != rank {
                let next = std::mem::replace(&mut ancestors[at as usize], rank);
                if next == NONE {
                    parents[at as usize] = rank;
                    break;
                }
                at = next;
            }
        }
    }
    parents
}

/// Per rank its place in a post-order, which keeps the order of siblings.
pub(super) fn post_order(parents: &[u32]) -> Vec<u32> {
    let sizes = sizes(parents);
    // Where the places end that are still free under each; from the highest down, so that a parent
    // has its place first.
    let mut ends = vec![0; parents.len()];
    let mut end = parents.len() as u32;
    let mut places = vec![0; parents.len()];
    for rank in (0..parents.len()).rev() {
        let parent = parents[rank] as usize;
        let free = if parent == rank {
            &mut end
        } else {
            &mut ends[parent]
        };
        let place = *free - 1;
        *free -= sizes[rank];
        places[rank] = place;
        ends[rank] = place;
    }
    places
}

/// Per rank how many hang under it, with itself.
pub(super) fn sizes(parents: &[u32]) -> Vec<u32> {
    let mut sizes = vec![1; parents.len()];
    for rank in 0..parents.len() {
        let parent = parents[rank] as usize;
        if parent != rank {
            sizes[parent] += sizes[rank];
        }
    }
    sizes
}

/// Per rank its steps to the root.
pub(super) fn depths(parents: &[u32]) -> Vec<u32> {
    let mut depths = vec![0; parents.len()];
    for rank in (0..parents.len()).rev() {
        let parent = parents[rank] as usize;
        if parent != rank {
            depths[rank] = depths[parent] + 1;
        }
    }
    depths
}
