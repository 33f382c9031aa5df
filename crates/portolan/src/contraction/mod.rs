//! A customizable contraction hierarchy: Dibbelt, Strasser and Wagner's, over any directed graph.
//!
//! Vertices are ranked (by nested dissection, elsewhere), and the graph is made chordal: from the
//! lowest rank up, whatever lies above a vertex and next to it becomes pairwise adjacent. That is
//! [`Contraction`], which depends on no costs. [`Shortcuts`] are the costs of one kind of agent on it:
//! each arc gets the least cost of a way between its ends that runs below both.
//!
//! # The query
//! All vertices above one, over arcs that go up, lie on its chain: the way to the root of the
//! elimination tree, in which a vertex hangs under the lowest of its upper neighbours. A cheapest way
//! goes up from the start and then down to the goal, so the two chains are all that a query looks at,
//! one after the other, without a heap. Vertices that are pairwise adjacent lie on one chain: so do the
//! samples of a polygon, by which a start leaves it.
//!
//! For worlds that do not change, [`HubLabels`] have the result of every such walk written down.

mod hubs;
mod labelling;
mod search;
mod shortcuts;

pub use hubs::{Hub, HubLabels, HubScratch, HubWay, LabelArrays, LabelsError};
pub use search::ContractionScratch;
pub use shortcuts::Shortcuts;

use crate::csr::Csr;

/// The ranked and chordal graph. Everything in it goes by rank, not by vertex.
///
/// Invariants:
/// - the upper neighbours of a rank ascend, and all but the first are upper neighbours of the first;
/// - `parents` of a rank is that first one, or itself at a root.
#[derive(Clone, Debug, PartialEq)]
pub struct Contraction {
    /// Per vertex.
    ranks: Vec<u32>,
    /// Per rank.
    vertices: Vec<u32>,
    parents: Vec<u32>,
    /// Per rank its upper neighbours. An arc is known by its place among all of them.
    up: Csr<u32>,
    /// Per rank its lower neighbours, each with the arc between.
    down: Csr<Lower>,
}

/// A lower neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lower {
    rank: u32,
    arc: u32,
}

impl Contraction {
    /// The chordal graph over `pairs` of adjacent vertices, ranked by `order`: the vertex of each rank.
    ///
    /// # Panics
    /// When the order is none, or a vertex does not exist.
    pub fn new(order: Vec<u32>, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let count = order.len();
        let mut ranks = vec![u32::MAX; count];
        for (&vertex, rank) in order.iter().zip(0..) {
            assert_eq!(
                ranks[vertex as usize],
                u32::MAX,
                "vertex {vertex} has two ranks"
            );
            ranks[vertex as usize] = rank;
        }
        let mut above: Vec<Vec<u32>> = vec![Vec::new(); count];
        for [a, b] in pairs.map(|pair| pair.map(|vertex| ranks[vertex as usize])) {
            if a != b {
                above[a.min(b) as usize].push(a.max(b));
            }
        }
        let mut up = Csr::new();
        let mut parents = Vec::with_capacity(count);
        for rank in 0..count {
            let mut list = std::mem::take(&mut above[rank]);
            list.sort_unstable();
            list.dedup();
            parents.push(list.first().map_or(rank as u32, |&first| first));
            if let Some((&first, rest)) = list.split_first() {
                above[first as usize].extend_from_slice(rest);
            }
            up.push(list);
        }
        let mut lower = Vec::with_capacity(up.values().len());
        for (rank, list) in (0..).zip(up.iter()) {
            let first = up.offsets()[rank as usize];
            lower.extend(
                list.iter()
                    .zip(first..)
                    .map(|(&head, arc)| (head, Lower { rank, arc })),
            );
        }
        Self {
            ranks,
            vertices: order,
            parents,
            down: Csr::group(count, &lower),
            up,
        }
    }

    /// The vertex of each rank, the lowest first.
    pub fn order(&self) -> &[u32] {
        &self.vertices
    }

    /// Vertices.
    pub fn vertex_count(&self) -> usize {
        self.ranks.len()
    }

    /// Arcs, shortcuts included; each leads both ways.
    pub fn arc_count(&self) -> usize {
        self.up.values().len()
    }

    /// The longest chain: the most vertices that one side of a query looks at.
    pub fn depth(&self) -> usize {
        let mut depths = vec![1; self.parents.len()];
        for rank in (0..self.parents.len()).rev() {
            let parent = self.parents[rank] as usize;
            if parent != rank {
                depths[rank] = depths[parent] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The arc between two ranks, the lower first.
    fn arc(&self, low: u32, high: u32) -> Option<usize> {
        let place = self.up.get(low as usize).binary_search(&high).ok()?;
        Some(self.up.offsets()[low as usize] as usize + place)
    }

    /// Writes down the arcs to the upper neighbours of a rank, at the places of these.
    fn place_heads(&self, rank: usize, places: &mut [u32]) {
        let first = self.up.offsets()[rank];
        for (&head, arc) in self.up.get(rank).iter().zip(first..) {
            places[head as usize] = arc;
        }
    }

    /// The arcs from a lower neighbour that lead higher than the arc between. All their heads are
    /// upper neighbours of whose neighbour it is.
    fn arcs_after(&self, lower: Lower) -> std::ops::Range<usize> {
        lower.arc as usize + 1..self.up.offsets()[lower.rank as usize + 1] as usize
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        (self.ranks.len() + self.vertices.len() + self.parents.len()) * size_of::<u32>()
            + self.up.bytes()
            + self.down.bytes()
    }
}
