//! A customizable contraction hierarchy (Dibbelt, Strasser and Wagner 2016) over any directed graph.
//!
//! Vertices are ranked, usually by nested dissection (`portolan-index` computes such orders). Then the
//! graph is made chordal: from the lowest rank up, all higher neighbours of a vertex become pairwise
//! adjacent. The result is a [`Contraction`], which does not depend on costs. [`Shortcuts`] add the costs
//! of one kind of agent. Each arc gets the cost of the cheapest path between its two ends over vertices
//! that rank below both.
//!
//! # The query
//! The parent of a vertex in the elimination tree is the lowest of its upper neighbours. The *chain* of a
//! vertex is the path from it to the root of that tree. Every vertex that can be reached over upward arcs
//! lies on this chain. A cheapest path climbs from the start and then descends to the goal, so a query
//! scans the two chains, vertex by vertex, and needs no heap. Vertices that are pairwise adjacent lie on
//! one chain. The samples of a polygon, by which a path leaves the polygon of its start, are pairwise
//! adjacent.
//!
//! For worlds that do not change, [`HubLabels`] store the result of every such scan.
//!
//! # Costs
//! Costs are non-negative `f32` values. Some comparisons use their bits as integers, which are in the same
//! order. Costs need no scaling. A sum is rounded once per arc of the path and once per shortcut that
//! contains it, so the relative error is about 6e-8 per step down from the root. Ties are broken by a fixed
//! rule, so results do not depend on the number of threads: a query prefers the vertex that is deeper in the
//! elimination tree, and customization prefers an arc of the graph, then the lowest vertex.
//!
//! # Example: a graph of your own
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
//! let mut path = Vec::new();
//! let (starts, goals) = ([(2, 0.0)].into_iter(), [(1, 0.0)].into_iter());
//! let mut scratch = ContractionScratch::default();
//! let visit = |vertex| path.push(vertex);
//! let bounds = Bounds::with_max_cost(f32::INFINITY);
//! let cost = shortcuts.search(&contraction, starts, goals, bounds, &mut scratch, visit);
//! assert_eq!((cost, &path[..]), (Some(7.0), &[2, 3, 0, 1][..]));
//! ```

mod arcs;
mod check_paths;
mod chordal;
mod cost_estimate;
mod customize;
mod depth_arrays;
mod hubs;
mod labelling;
mod parts;
mod patches;
mod plain;
mod pruned;
mod queue;
mod repair;
mod rows;
mod search;
mod shortcuts;
mod stored;
mod stored_pairs;
mod taut;
mod tree;
mod whole_chains;
mod work_estimate;

pub(crate) use depth_arrays::{DepthArrays, SharedDepths};
pub use hubs::{Hub, HubLabels, HubPath, HubScratch, LabelArrays, LabelsError};
pub use plain::{ContractionArrays, RankArcs};
pub(crate) use repair::Repair;
pub use repair::RepairWork;
pub use rows::{ArcRows, DifferingRows, RowArc};
pub use search::{Bounds, ClimbStep, ContractionScratch, StraightLineBound};
pub use shortcuts::Shortcuts;
pub use stored_pairs::{read_sections, write_sections};
pub use taut::Measure;
pub(crate) use whole_chains::{LAST_LANES, min_sum};
pub use work_estimate::WorkEstimate;

use glam::{Vec3, Vec4};

use self::arcs::Arcs;
use crate::array::Array;
use crate::csr::Csr;

/// The ranked, chordal graph of a contraction hierarchy, without costs. All its arrays are indexed by rank,
/// except `ranks`, which is indexed by vertex.
///
/// Invariants:
/// - The upper neighbours of a rank are sorted, and all but the first are upper neighbours of the first.
/// - `parents[rank]` is that first upper neighbour, or `rank` itself at a root. So all upper neighbours of a rank are
///   on its chain, and so are vertices that are pairwise adjacent.
/// - Ranks are a post-order of the elimination tree: the descendants of a rank are the ranks just below it.
///   So a subtree is a contiguous range of every array, and threads can work on subtrees independently.
#[derive(Clone, Debug)]
pub struct Contraction {
    /// The rank of each vertex.
    ranks: Array<u32>,
    /// The vertex of each rank.
    vertices: Array<u32>,
    /// The parent of each rank in the elimination tree.
    parents: Array<u32>,
    /// The number of steps to the root, which is also the vertex's index on every chain that contains it.
    depths: Array<u32>,
    /// The position of each rank and 0, or empty if the graph has no positions.
    positions: Array<Vec4>,
    /// The upper neighbours of each rank. The index among all of them identifies an arc.
    arcs: Arcs,
    arc_count: usize,
}

/// Two contractions are equal if their vertices, ranks and positions are; their arcs follow from the graph.
impl PartialEq for Contraction {
    fn eq(&self, other: &Self) -> bool {
        self.ranks == other.ranks
            && self.parents == other.parents
            && self.positions == other.positions
            && self.arc_count == other.arc_count
    }
}

impl Contraction {
    /// The maximum [depth](Self::depth) of a contraction for which costs can be customized. With a good order, the depth grows
    /// with the square root of the number of vertices at most.
    pub const MAX_DEPTH: usize = pruned::LANES << 16;

    /// Builds the chordal graph over `pairs` of adjacent vertices. `order` lists the vertices from the
    /// lowest rank to the highest. Ranks may be permuted, without changing any arc, so that they form a
    /// post-order: see [`order`](Self::order).
    ///
    /// # Panics
    /// Panics if `order` is not a permutation of the vertices, or if a pair contains a vertex that does not
    /// exist.
    pub fn new(order: Vec<u32>, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        Self::with_arc_limit(order, pairs, usize::MAX).expect("fewer arcs than usize::MAX")
    }

    /// Builds the chordal graph as [`new`](Self::new) does, and returns `None` as soon as it has more than
    /// `max_arcs` arcs. With a bad order, the number of arcs grows with the square of the number of
    /// vertices.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new).
    pub fn with_arc_limit(
        order: Vec<u32>,
        pairs: impl Iterator<Item = [u32; 2]>,
        max_arcs: usize,
    ) -> Option<Self> {
        let count = order.len();
        let mut ranks = inverse(&order);
        let pairs: Vec<[u32; 2]> = pairs
            .map(|pair| pair.map(|vertex| ranks[vertex as usize]))
            .filter(|[a, b]| a != b)
            .collect();
        let parents = tree::parents(count, &pairs);
        let post_order = tree::post_order(&parents);
        ranks
            .iter_mut()
            .for_each(|rank| *rank = post_order[*rank as usize]);
        let parents = tree::renumbered(&parents, &post_order);
        let to_upper = |[a, b]: [u32; 2]| {
            let [a, b] = [a, b].map(|rank| post_order[rank as usize]);
            (a.min(b), a.max(b))
        };
        let upper: Vec<(u32, u32)> = pairs.into_iter().map(to_upper).collect();
        let up = chordal::fill(&parents, &Csr::group(count, &upper), max_arcs)?;
        Some(Self {
            vertices: inverse(&ranks).into(),
            ranks: ranks.into(),
            depths: tree::depths(&parents).into(),
            parents: parents.into(),
            positions: Array::default(),
            arc_count: up.values().len(),
            arcs: Arcs::of(up.into()),
        })
    }

    /// Builds the contraction of a directed graph, where the arcs of vertex `v` lead to `heads.get(v)`.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new).
    pub fn from_graph(order: Vec<u32>, heads: &Csr<u32>) -> Self {
        let arcs = (0..).zip(heads.iter());
        let pairs = arcs.flat_map(|(tail, heads)| heads.iter().map(move |&head| [tail, head]));
        Self::new(order, pairs)
    }

    /// Adds the position of each vertex. With positions, searches can skip vertices that are too far from
    /// the straight line between start and goal.
    pub fn with_positions(mut self, position: impl Fn(u32) -> Vec3) -> Self {
        let positions = self
            .vertices
            .iter()
            .map(|&vertex| position(vertex).extend(0.0));
        self.positions = positions.collect();
        self
    }

    /// Returns whether two contractions are one in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        self.ranks.is_shared_with(&other.ranks)
    }

    /// Returns the vertex of each rank, lowest rank first. It may differ from the order that was passed to
    /// [`new`](Self::new), but results in the same arcs.
    pub fn order(&self) -> &[u32] {
        &self.vertices
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.ranks.len()
    }

    /// Returns the number of arcs, including shortcuts. An arc counts once for both of its directions.
    pub fn arc_count(&self) -> usize {
        self.arc_count
    }

    /// Returns the number of vertices on the longest chain, which is the maximum that one side of a query
    /// scans.
    pub fn depth(&self) -> usize {
        self.depths
            .iter()
            .max()
            .map_or(0, |&depth| depth as usize + 1)
    }

    /// Returns the position of a vertex, or the origin if the contraction has no positions.
    fn position_of(&self, vertex: u32) -> Vec3 {
        let position = self.positions.get(self.ranks[vertex as usize] as usize);
        position.copied().unwrap_or_default().truncate()
    }

    /// Returns the number of vertices above a vertex on its chain.
    pub(crate) fn depth_of(&self, vertex: u32) -> usize {
        self.depths[self.ranks[vertex as usize] as usize] as usize
    }

    /// Returns the arc between two ranks, of which `low` is the lower one.
    fn arc(&self, low: u32, high: u32) -> Option<usize> {
        let up = self.up();
        let index = up.get(low as usize).binary_search(&high).ok()?;
        Some(up.range(low as usize).start + index)
    }

    /// Returns the arcs from a rank to its upper neighbours.
    fn arcs_of(&self, rank: usize) -> std::ops::Range<usize> {
        self.up().range(rank)
    }

    /// Returns the lower end of each arc, as a rank.
    fn tails(&self) -> Vec<u32> {
        let lists = (0..).zip(self.up().iter());
        let tails = lists.flat_map(|(rank, heads)| std::iter::repeat_n(rank, heads.len()));
        tails.collect()
    }

    /// Returns the size on the heap. Arcs count only if something has needed them: a world that answers queries for
    /// its default profile does not. [Units: bytes]
    pub fn bytes(&self) -> usize {
        let lists = [&self.ranks, &self.vertices, &self.parents, &self.depths];
        lists
            .map(|list| size_of_val(&list[..]))
            .iter()
            .sum::<usize>()
            + size_of_val(&self.positions[..])
            + self.arc_bytes()
    }

    /// Returns the chain of a vertex: the vertex itself, and then every vertex up to the root.
    ///
    /// # Panics
    /// Panics if the vertex does not exist.
    pub fn chain(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let parent = |&rank: &u32| {
            let parent = self.parents[rank as usize];
            (parent != rank).then_some(parent)
        };
        let ranks = std::iter::successors(Some(self.ranks[vertex as usize]), parent);
        ranks.map(|rank| self.vertices[rank as usize])
    }
}

/// Returns the index of each vertex in `order`.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut indexes = vec![u32::MAX; order.len()];
    for (&vertex, index) in order.iter().zip(0..) {
        let known = &mut indexes[vertex as usize];
        assert_eq!(*known, u32::MAX, "vertex {vertex} is in the order twice");
        *known = index;
    }
    indexes
}
