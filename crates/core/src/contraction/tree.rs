//! The elimination tree of a ranked graph.

use std::ops::Range;

use crate::csr::Csr;

const NO_ANCESTOR: u32 = u32::MAX;

/// Subtrees of at most this many vertices are not divided between threads.
const MIN_CHUNK: usize = 512;
/// The approximate number of chunks per thread. It is more than one because chunks differ in size, and so does
/// their work: each chunk is a task of its own (`with_max_len(1)`), because otherwise one thread gets several of the
/// largest. It is small because a single thread processes most of what is above the chunks.
const CHUNKS_PER_THREAD: usize = 8;

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

/// Returns the parents by new ranks, if rank `r` becomes `new_ranks[r]`.
pub(super) fn renumbered(parents: &[u32], new_ranks: &[u32]) -> Vec<u32> {
    let mut renumbered = vec![0; parents.len()];
    for (&parent, &rank) in parents.iter().zip(new_ranks) {
        renumbered[rank as usize] = new_ranks[parent as usize];
    }
    renumbered
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

/// Cuts a tree in post-order into chunks: the largest subtrees of at most
/// `vertices / (CHUNKS_PER_THREAD * threads)` vertices, or [`MIN_CHUNK`] if that is more. A vertex without
/// descendants is no chunk.
pub(super) fn chunks(parents: &[u32]) -> Vec<Range<usize>> {
    let sizes = sizes(parents);
    let max_size =
        (parents.len() / (CHUNKS_PER_THREAD * rayon::current_num_threads())).max(MIN_CHUNK);
    let size = |rank: usize| sizes[rank] as usize;
    let mut chunks: Vec<Range<usize>> = Vec::new();
    for (rank, &parent) in parents.iter().enumerate() {
        let parent = parent as usize;
        let is_top = parent == rank || size(parent) > max_size;
        if is_top && size(rank) <= max_size && size(rank) > 1 {
            chunks.push(rank + 1 - size(rank)..rank + 1);
        }
    }
    chunks
}
