//! The elimination tree of a ranked graph.

use crate::csr::Csr;

const NO_ANCESTOR: u32 = u32::MAX;

/// Returns the parent of each rank: the lowest of its upper neighbours in the chordal graph, or the rank
/// itself at a root. This is Liu's algorithm (1986), which does not build the chordal graph. It makes each
/// rank the root of the trees of its lower neighbours and compresses the paths to those roots.
pub(super) fn parents(count: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let lower: Vec<(u32, u32)> = pairs.iter().map(|&[a, b]| (a.max(b), a.min(b))).collect();
    let lower = Csr::group(count, &lower);
    let mut parents: Vec<u32> = (0..count as u32).collect();
    let mut ancestors = vec![NO_ANCESTOR; count];
    for (rank, list) in (0..).zip(lower.iter()) {
        for &start in list {
            let mut at = start;
            while ancestors[at as usize] != rank {
                let next = std::mem::replace(&mut ancestors[at as usize], rank);
                if next == NO_ANCESTOR {
                    parents[at as usize] = rank;
                    break;
                }
                at = next;
            }
        }
    }
    parents
}

/// Returns the index of each rank in a post-order that keeps the order of siblings.
pub(super) fn post_order(parents: &[u32]) -> Vec<u32> {
    let sizes = sizes(parents);
    // The end of the indexes that are still free below each rank. Ranks are visited from the highest down, so
    // a parent gets its index before its children.
    let mut ends = vec![0; parents.len()];
    let mut end = parents.len() as u32;
    let mut indexes = vec![0; parents.len()];
    for rank in (0..parents.len()).rev() {
        let parent = parents[rank] as usize;
        let free = if parent == rank {
            &mut end
        } else {
            &mut ends[parent]
        };
        let index = *free - 1;
        *free -= sizes[rank];
        indexes[rank] = index;
        ends[rank] = index;
    }
    indexes
}

/// Returns the number of vertices in the subtree of each rank, including the rank itself.
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

/// Returns the number of steps from each rank to its root.
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
