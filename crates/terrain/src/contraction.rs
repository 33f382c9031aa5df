//! The contraction over Low Meshes: exact, and without a heap.

use super::{LowGraph, LowScratch, NONE};
use portolan_core::contraction::{Bounds, Contraction, Shortcuts};

/// A customizable contraction hierarchy over the triangles of one ground.
#[derive(Clone, Debug, PartialEq)]
pub struct LowContraction {
    contraction: Contraction,
    shortcuts: Shortcuts,
}

impl LowContraction {
    /// Contracts triangles in an order: the triangle of each rank, the lowest first.
    /// `portolan_terrain::order_terrain` has a good one.
    ///
    /// # Panics
    /// When the order does not name every triangle once.
    pub fn new(graph: &LowGraph, order: Vec<u32>) -> Self {
        Self::limited(graph, order, usize::MAX).expect("fewer arcs than that")
    }

    /// The same, or `None` as soon as there are more arcs than `max_arcs`: a bad order makes a number that
    /// grows with the square of the triangles.
    ///
    /// # Panics
    /// As [`new`](Self::new) does.
    pub fn limited(graph: &LowGraph, order: Vec<u32>, max_arcs: usize) -> Option<Self> {
        assert_eq!(order.len(), graph.len(), "an order of other triangles");
        let pairs = arcs(graph).map(|(from, to, _)| [from, to]);
        let contraction = Contraction::limited(order, pairs, max_arcs)?;
        let shortcuts = Shortcuts::new(&contraction, arcs(graph));
        Some(Self {
            contraction,
            shortcuts,
        })
    }

    /// The same triangles at other prices: a flood, a road. The order stays, and with it all that does not
    /// depend on costs.
    ///
    /// # Panics
    /// When the graph is of other triangles.
    pub fn reprice(&mut self, graph: &LowGraph) {
        assert_eq!(self.contraction.vertex_count(), graph.len());
        self.shortcuts = Shortcuts::new(&self.contraction, arcs(graph));
    }

    /// The cheapest way from one triangle to another, both included, and what it costs. `None`, and an
    /// empty path, where there is none.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn find(
        &self,
        from: u32,
        to: u32,
        scratch: &mut LowScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        path.clear();
        let [starts, goals] = [from, to].map(|triangle| std::iter::once((triangle, 0.0)));
        let chains = &mut scratch.chains;
        let tell = |triangle| path.push(triangle);
        let bounds = Bounds::most(f32::INFINITY);
        self.shortcuts
            .search(&self.contraction, starts, goals, bounds, chains, tell)
    }

    /// The ranked graph: its order, arcs and depth.
    pub fn contraction(&self) -> &Contraction {
        &self.contraction
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.contraction.bytes() + self.shortcuts.bytes()
    }
}

/// All crossings: from where, to where, and the cost.
fn arcs(graph: &LowGraph) -> impl Iterator<Item = (u32, u32, f32)> {
    (0..graph.len() as u32).flat_map(|from| {
        let (neighbours, costs) = graph.crossings(from);
        let crossings = neighbours.into_iter().zip(costs);
        crossings
            .filter(|&(to, _)| to != NONE)
            .map(move |(to, cost)| (from, to, cost))
    })
}
