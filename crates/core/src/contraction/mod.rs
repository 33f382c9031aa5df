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
//!
//! # Costs
//! They are `f32`, not negative, and compared as the integers of their bits, which order alike. A sum
//! is rounded once for every arc of the way and every shortcut above it, so by 6e-8 of itself for
//! each step down from the root: no scale is needed, and none can be too small or too large. Between
//! equal costs the way that comes from nearer the root wins, and in customization the lowest
//! vertex: the same on any number of threads.
//!
//! # A graph of one's own
//! ```
//! use portolan_core::contraction::{Bounds, Contraction, ContractionScratch, Shortcuts};
//! use portolan_core::csr::Csr;
//!
//! // 0 -> 1 -> 2 -> 3, and back from 3 to 0.
//! let mut heads = Csr::new();
//! [[1], [2], [3], [0]].into_iter().for_each(|list| heads.push(list));
//! let contraction = Contraction::from_graph(vec![0, 2, 1, 3], &heads);
//! let shortcuts = Shortcuts::from_graph(&contraction, &heads, &[1.0, 1.0, 1.0, 5.0]);
//!
//! let mut way = Vec::new();
//! let (from, to) = ([(2, 0.0)].into_iter(), [(1, 0.0)].into_iter());
//! let mut scratch = ContractionScratch::default();
//! let tell = |vertex| way.push(vertex);
//! let bounds = Bounds::with_max_cost(f32::INFINITY);
//! let cost = shortcuts.search(&contraction, from, to, bounds, &mut scratch, tell);
//! assert_eq!((cost, &way[..]), (Some(7.0), &[2, 3, 0, 1][..]));
//! ```

mod cost_estimate;
mod customize;
mod hubs;
mod labelling;
mod parts;
mod pruned;
mod search;
mod shortcuts;
mod taut;
mod tree;
mod work_estimate;

pub use hubs::{Hub, HubLabels, HubPath, HubScratch, LabelArrays, LabelsError};
pub use search::{Bounds, ClimbStep, ContractionScratch, StraightLineBound};
pub use shortcuts::Shortcuts;
pub use taut::Measure;
pub use work_estimate::WorkEstimate;

use glam::{Vec3, Vec3A};

use crate::csr::Csr;

/// The ranked and chordal graph. Everything in it goes by rank, not by vertex.
///
/// Invariants:
/// - the upper neighbours of a rank ascend, and all but the first are upper neighbours of the first;
/// - `parents` of a rank is that first one, or itself at a root;
/// - ranks are a post-order of that tree: what hangs under one are the ranks just below it. So a part
///   of the tree is a run of every array, and threads can have one each.
#[derive(Clone, Debug, PartialEq)]
pub struct Contraction {
    /// Per vertex.
    ranks: Vec<u32>,
    /// Per rank.
    vertices: Vec<u32>,
    parents: Vec<u32>,
    /// Steps to the root: a vertex's place on every chain that it lies on.
    depths: Vec<u32>,
    /// Where each rank lies, if the graph lies anywhere; or else nothing.
    places: Vec<Vec3A>,
    /// Per rank its upper neighbours. An arc is known by its place among all of them.
    up: Csr<u32>,
}

impl Contraction {
    /// The chordal graph over `pairs` of adjacent vertices, ranked by `order`: the vertex of each rank.
    /// Ranks are then changed in a way that changes no arc: see [`order`](Self::order).
    ///
    /// # Panics
    /// When the order is none, or a vertex does not exist.
    pub fn new(order: Vec<u32>, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        Self::with_arc_limit(order, pairs, usize::MAX).expect("fewer arcs than that")
    }

    /// The same, or `None` as soon as there are more arcs than `max_arcs`: a bad order makes a number
    /// that grows with the square of the vertices.
    ///
    /// # Panics
    /// As [`new`](Self::new) does.
    pub fn with_arc_limit(
        order: Vec<u32>,
        pairs: impl Iterator<Item = [u32; 2]>,
        max_arcs: usize,
    ) -> Option<Self> {
        let count = order.len();
        let mut ranks = inverse(&order);
        let mut pairs: Vec<[u32; 2]> = pairs
            .map(|pair| pair.map(|vertex| ranks[vertex as usize]))
            .filter(|[a, b]| a != b)
            .collect();
        let parents = tree::parents(count, &pairs);
        let places = tree::post_order(&parents);
        ranks
            .iter_mut()
            .for_each(|rank| *rank = places[*rank as usize]);
        let mut above: Vec<Vec<u32>> = vec![Vec::new(); count];
        for pair in &mut pairs {
            let [a, b] = pair.map(|rank| places[rank as usize]);
            above[a.min(b) as usize].push(a.max(b));
        }
        let mut up = Csr::new();
        let mut parents = Vec::with_capacity(count);
        for rank in 0..count {
            let mut list = std::mem::take(&mut above[rank]);
            list.sort_unstable();
            list.dedup();
            if list.len() > max_arcs - up.values().len() {
                return None;
            }
            parents.push(list.first().map_or(rank as u32, |&first| first));
            if let Some((&first, rest)) = list.split_first() {
                above[first as usize].extend_from_slice(rest);
            }
            up.push(list);
        }
        Some(Self {
            vertices: inverse(&ranks),
            ranks,
            depths: tree::depths(&parents),
            parents,
            places: Vec::new(),
            up,
        })
    }

    /// The same for a graph whose arcs lead from each vertex to `heads`.
    ///
    /// # Panics
    /// As [`new`](Self::new) does.
    pub fn from_graph(order: Vec<u32>, heads: &Csr<u32>) -> Self {
        let arcs = (0..).zip(heads.iter());
        let pairs = arcs.flat_map(|(tail, heads)| heads.iter().map(move |&head| [tail, head]));
        Self::new(order, pairs)
    }

    /// The same with a place for each vertex. Searches can then leave out what is too far off the way.
    pub fn with_positions(mut self, position: impl Fn(u32) -> Vec3) -> Self {
        let places = self.vertices.iter().map(|&vertex| position(vertex).into());
        self.places = places.collect();
        self
    }

    /// The vertex of each rank, the lowest first. It may be another order than the one that it was
    /// made with, and makes the same contraction.
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
        self.depths
            .iter()
            .max()
            .map_or(0, |&depth| depth as usize + 1)
    }

    /// Where a vertex lies; nowhere in particular where none do.
    fn place_of(&self, vertex: u32) -> Vec3 {
        let place = self.places.get(self.ranks[vertex as usize] as usize);
        place.copied().unwrap_or_default().into()
    }

    /// The vertices above a vertex on its chain.
    pub(crate) fn depth_of(&self, vertex: u32) -> usize {
        self.depths[self.ranks[vertex as usize] as usize] as usize
    }

    /// The arc between two ranks, the lower first.
    fn arc(&self, low: u32, high: u32) -> Option<usize> {
        let place = self.up.get(low as usize).binary_search(&high).ok()?;
        Some(self.up.offsets()[low as usize] as usize + place)
    }

    /// The arcs to the upper neighbours of a rank.
    fn arcs_of(&self, rank: usize) -> std::ops::Range<usize> {
        self.up.offsets()[rank] as usize..self.up.offsets()[rank + 1] as usize
    }

    /// Per arc the rank that it goes up from.
    fn tails(&self) -> Vec<u32> {
        let lists = (0..).zip(self.up.iter());
        let tails = lists.flat_map(|(rank, heads)| std::iter::repeat_n(rank, heads.len()));
        tails.collect()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lists = [&self.ranks, &self.vertices, &self.parents, &self.depths];
        lists
            .map(|list| size_of_val(&list[..]))
            .iter()
            .sum::<usize>()
            + size_of_val(&self.places[..])
            + self.up.bytes()
    }

    /// The chain of a vertex: itself, and all that a query from it looks at, up to the root.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn chain(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let parent = |&rank: &u32| {
            let parent = self.parents[rank as usize];
            (parent != rank).then_some(parent)
        };
        let ranks = std::iter::successors(Some(self.ranks[vertex as usize]), parent);
        ranks.map(|rank| self.vertices[rank as usize])
    }
}

/// Where each of `0..order.len()` comes in the order.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![u32::MAX; order.len()];
    for (&vertex, place) in order.iter().zip(0..) {
        let known = &mut places[vertex as usize];
        assert_eq!(*known, u32::MAX, "vertex {vertex} comes twice in the order");
        *known = place;
    }
    places
}
