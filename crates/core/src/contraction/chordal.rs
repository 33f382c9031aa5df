//! Makes a ranked graph chordal: all upper neighbours of a vertex become pairwise adjacent.
//!
//! The upper neighbours of a rank are those of the graph, and those of its children in the elimination tree
//! except the rank itself. So each subtree can be filled by another thread.

use std::ops::Range;

use rayon::prelude::*;

use super::tree;
use crate::csr::Csr;

/// Returns the sorted upper neighbours of each rank in the chordal graph, or `None` if there are more than
/// `max_arcs` in total. `upper` are the upper neighbours in the graph, which may repeat. `parents` is the
/// elimination tree, in post-order. Every upper neighbour in the graph must be an ancestor in the tree. If the tree has more
/// edges than the elimination tree of the graph, the result is chordal too and has more neighbours than necessary.
pub(super) fn fill(parents: &[u32], upper: &Csr<u32>, max_arcs: usize) -> Option<Csr<u32>> {
    let sizes = tree::sizes(parents);
    let chunks = tree::chunks(parents);
    let filled: Vec<Option<Csr<u32>>> = chunks
        .par_iter()
        .with_max_len(1)
        .map(|chunk| {
            let mut fill = Fill {
                up: Csr::new(),
                first_rank: chunk.start,
                list: Vec::new(),
                parents,
            };
            let is_filled = fill.add_ranks(chunk.clone(), upper, &sizes, max_arcs);
            is_filled.then_some(fill.up)
        })
        .collect();
    let mut fill = Fill {
        up: Csr::new(),
        first_rank: 0,
        list: Vec::new(),
        parents,
    };
    for (chunk, filled) in chunks.iter().zip(filled) {
        if !fill.add_ranks(fill.up.len()..chunk.start, upper, &sizes, max_arcs) {
            return None;
        }
        fill.up.append(filled?);
    }
    let is_filled = fill.add_ranks(fill.up.len()..parents.len(), upper, &sizes, max_arcs);
    (is_filled && fill.up.values().len() <= max_arcs).then_some(fill.up)
}

/// The upper neighbours of consecutive ranks that contain whole subtrees.
struct Fill<'a> {
    up: Csr<u32>,
    /// The rank of the first list.
    first_rank: usize,
    /// A buffer for one list.
    list: Vec<u32>,
    parents: &'a [u32],
}

impl Fill<'_> {
    /// Adds the lists of ranks, whose descendants must have been added. Returns `false` as soon as there are
    /// more than `max_arcs` arcs.
    fn add_ranks(
        &mut self,
        ranks: Range<usize>,
        upper: &Csr<u32>,
        sizes: &[u32],
        max_arcs: usize,
    ) -> bool {
        for rank in ranks {
            self.list.clear();
            self.list.extend_from_slice(upper.get(rank));
            // Descendants have the ranks just below, so the last child is the rank before, and each child
            // before it comes before the subtree of the next.
            let first = rank + 1 - sizes[rank] as usize;
            let mut end = rank;
            while end > first {
                let child = end - 1;
                let above = self.up.get(child - self.first_rank);
                self.list.extend_from_slice(&above[1..]);
                end -= sizes[child] as usize;
            }
            // The lists of the children are sorted. A stable sort merges such runs.
            self.list.sort();
            self.list.dedup();
            // In an elimination tree, the parent is the first already.
            let parent = self.parents[rank];
            if parent as usize != rank && self.list.first() != Some(&parent) {
                self.list.insert(0, parent);
            }
            self.up.push(self.list.iter().copied());
            if self.up.values().len() > max_arcs {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use oorandom::Rand32;

    use super::super::Contraction;
    use crate::csr::Csr;

    /// Returns the arcs of the chordal graph between ranks, by eliminating one rank after another.
    fn eliminate(count: u32, pairs: &[[u32; 2]]) -> BTreeSet<[u32; 2]> {
        let mut upper = vec![BTreeSet::new(); count as usize];
        for &[a, b] in pairs.iter().filter(|[a, b]| a != b) {
            upper[a.min(b) as usize].insert(a.max(b));
        }
        let mut arcs = BTreeSet::new();
        for rank in 0..count {
            let mut above = upper[rank as usize].clone();
            arcs.extend(above.iter().map(|&head| [rank, head]));
            if let Some(first) = above.pop_first() {
                upper[first as usize].append(&mut above);
            }
        }
        arcs
    }

    /// A forged file may have a tree with more edges than the elimination tree, in which all neighbours are on chains. What
    /// customization relies on holds for it too.
    #[test]
    fn filling_a_larger_tree_keeps_the_invariants() {
        for seed in 0..20 {
            let mut random = Rand32::new(seed);
            let count = 300u32;
            let pairs: Vec<(u32, u32)> = (0..200)
                .map(|_| [0; 2].map(|_| random.rand_range(0..count)))
                .filter(|[a, b]| a != b)
                .map(|[a, b]| (a.min(b), a.max(b)))
                .collect();
            let chain: Vec<u32> = (0..count).map(|rank| (rank + 1).min(count - 1)).collect();
            let upper = Csr::group(count as usize, &pairs);
            let up = super::fill(&chain, &upper, usize::MAX).expect("no limit");
            for (rank, heads) in up.iter().enumerate() {
                let above = heads.split_first();
                assert_eq!(above.map_or(rank as u32, |(&first, _)| first), chain[rank]);
                assert!(heads.is_sorted_by(|a, b| a < b), "seed {seed}");
                let rest = above.map_or(&[][..], |(_, rest)| rest);
                let of_parent = up.get(chain[rank] as usize);
                assert!(
                    rest.iter().all(|head| of_parent.contains(head)),
                    "seed {seed}"
                );
                assert!(
                    upper.get(rank).iter().all(|head| heads.contains(head)),
                    "seed {seed}"
                );
            }
        }
    }

    /// The graphs have several chunks, ranks above all chunks, and several components.
    #[test]
    fn filling_chunks_gives_the_arcs_of_elimination() {
        for seed in 0..20 {
            let mut random = Rand32::new(seed);
            let count = 2000 + random.rand_range(0..4000);
            let reach = 2 + random.rand_range(0..40);
            let mut pairs = Vec::new();
            for rank in 0..count {
                for _ in 0..random.rand_range(0..3) {
                    // Neighbours that are twice as far for every second rank make a tree of many levels.
                    let distance = reach << rank.trailing_zeros().min(6);
                    let other = (rank + random.rand_range(0..distance)).min(count - 1);
                    pairs.push([rank, other]);
                }
            }
            let expected = eliminate(count, &pairs);
            let order: Vec<u32> = (0..count).collect();
            let contraction = Contraction::new(order.clone(), pairs.iter().copied());
            let lists = contraction.order().iter().zip(contraction.up().iter());
            let vertex = |rank: u32| contraction.order()[rank as usize];
            let found: BTreeSet<[u32; 2]> = lists
                .flat_map(|(&low, heads)| heads.iter().map(move |&head| [low, vertex(head)]))
                .collect();
            assert!(found == expected, "seed {seed}");
            let limited = |max_arcs| {
                let pairs = pairs.iter().copied();
                Contraction::with_arc_limit(order.clone(), pairs, max_arcs)
            };
            assert!(limited(expected.len()) == Some(contraction), "seed {seed}");
            assert!(limited(expected.len() - 1).is_none(), "seed {seed}");
            assert!(limited(expected.len() / 9).is_none(), "seed {seed}");
        }
    }
}
