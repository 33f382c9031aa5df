//! The arcs of a contraction, which only customization reads.
//!
//! Queries read the elimination tree and the [`Shortcuts`](super::Shortcuts). All arcs of the chordal graph are
//! several times as many, and follow from the graph and the tree. So an index file does not contain them: they are
//! computed when costs are customized for the first time.

use std::sync::OnceLock;

use super::{Contraction, chordal};
use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::graph::PortalGraph;

/// The upper neighbours of each rank, once something has needed them. A clone shares them.
#[derive(Clone, Debug, Default)]
pub(super) struct Arcs {
    /// `None` inside if the graph and the tree do not have the number of arcs that their file says.
    known: OnceLock<Option<Lists<u32>>>,
    /// What they follow from; `None` if that is not known.
    source: Option<ArcSource>,
}

/// The edges of the graph that arcs follow from.
#[derive(Clone, Debug)]
enum ArcSource {
    /// A portal graph, which shares the memory of the world's.
    Graph(PortalGraph),
    /// The pairs of adjacent vertices of any other graph.
    Pairs(Array<[u32; 2]>),
}

impl Arcs {
    pub(super) fn of(up: Lists<u32>) -> Self {
        Self {
            known: OnceLock::from(Some(up)),
            source: None,
        }
    }

    /// Returns the arcs of a contraction of this graph, which are computed when they are needed.
    pub(super) fn of_graph(graph: PortalGraph) -> Self {
        Self {
            known: OnceLock::new(),
            source: Some(ArcSource::Graph(graph)),
        }
    }

    /// Returns the arcs of a contraction of a graph with these pairs of adjacent vertices, which are computed when they
    /// are needed.
    pub(super) fn of_pairs(pairs: Array<[u32; 2]>) -> Self {
        Self {
            known: OnceLock::new(),
            source: Some(ArcSource::Pairs(pairs)),
        }
    }
}

impl Contraction {
    /// Returns the upper neighbours of each rank.
    ///
    /// # Panics
    /// Panics if [`has_arcs`](Self::has_arcs) is false.
    pub(super) fn up(&self) -> &Lists<u32> {
        let arcs = self.known_or_derived_arcs();
        arcs.expect("the contraction has the arcs that its file says")
    }

    /// Returns whether the arcs are known or can be computed. It is false only for a forged file. Without arcs, costs
    /// cannot be customized.
    pub fn has_arcs(&self) -> bool {
        self.known_or_derived_arcs().is_some()
    }

    fn known_or_derived_arcs(&self) -> Option<&Lists<u32>> {
        if self.arcs.known.get().is_none() {
            // The arcs are not computed inside of `get_or_init`: a thread of the pool that waits for others there could
            // take over a task that needs the same arcs, and would then wait for itself. All threads compute the same.
            let _ = self.arcs.known.set(self.derived_arcs());
        }
        self.arcs.known.get()?.as_ref()
    }

    /// Computes the arcs from the graph. Returns `None` if there are not as many as there should be.
    fn derived_arcs(&self) -> Option<Lists<u32>> {
        let upper = match self.arcs.source.as_ref()? {
            ArcSource::Graph(graph) => self.upper_ends(graph.adjacent()),
            ArcSource::Pairs(pairs) => self.upper_ends(pairs.iter().copied()),
        };
        let upper = Csr::group(self.vertex_count(), &upper);
        let up = chordal::fill(&self.parents, &upper, self.arc_count)?;
        (up.values().len() == self.arc_count).then(|| up.into())
    }

    /// Returns the ranks of each pair of vertices, the lower one first.
    fn upper_ends(&self, pairs: impl Iterator<Item = [u32; 2]>) -> Vec<(u32, u32)> {
        pairs
            .map(|pair| pair.map(|vertex| self.ranks[vertex as usize]))
            .filter(|[a, b]| a != b)
            .map(|[a, b]| (a.min(b), a.max(b)))
            .collect()
    }

    /// Returns this contraction of a graph without its arcs, which are computed again if they are needed.
    pub(crate) fn without_arcs(mut self, graph: &PortalGraph) -> Self {
        self.arcs = Arcs::of_graph(graph.clone());
        self
    }

    /// Returns the size of the arcs on the heap; 0 while nothing has needed them. [Units: bytes]
    pub(super) fn arc_bytes(&self) -> usize {
        let known = self.arcs.known.get();
        known.and_then(Option::as_ref).map_or(0, Lists::bytes)
    }
}
