//! The contraction over Low Meshes: exact, and without a heap.

use super::{LowGraph, NONE, TerrainError, TerrainScratch};
use portolan_core::contraction::{Bounds, Contraction, Shortcuts};

/// A customizable contraction hierarchy over the triangles of one ground.
#[derive(Clone, Debug, PartialEq)]
pub struct LowContraction {
    contraction: Contraction,
    shortcuts: Shortcuts,
}

impl LowContraction {
    /// Contracts triangles in an order: the triangle of each rank, the lowest first.
    pub(super) fn new(graph: &LowGraph, order: Vec<u32>) -> Result<Self, TerrainError> {
        check_order(&order, graph.len())?;
        let pairs = arcs(graph).map(|(from, to, _)| [from, to]);
        let contraction = Contraction::new(order, pairs);
        let shortcuts = Shortcuts::new(&contraction, arcs(graph));
        Ok(Self {
            contraction,
            shortcuts,
        })
    }

    /// Takes over other prices of the same triangles: a flood, a road. The order stays, and with it all that
    /// does not depend on costs.
    pub(super) fn reprice(&mut self, graph: &LowGraph) {
        self.shortcuts = Shortcuts::new(&self.contraction, arcs(graph));
    }

    /// Finds the cheapest path from one triangle to another, writes its triangles, both ends included, and
    /// returns its cost. `None`, and an empty path, where there is none that costs at most `max_cost`.
    pub(super) fn find(
        &self,
        from: u32,
        to: u32,
        max_cost: f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        path.clear();
        let [starts, goals] = [from, to].map(|triangle| std::iter::once((triangle, 0.0)));
        let chains = &mut scratch.chains;
        let visit = |triangle| path.push(triangle);
        let bounds = Bounds::with_max_cost(max_cost);
        self.shortcuts
            .search(&self.contraction, starts, goals, bounds, chains, visit)
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

/// Refuses an order that does not name every triangle once.
fn check_order(order: &[u32], triangles: usize) -> Result<(), TerrainError> {
    let mut is_ranked = vec![false; triangles];
    let names_each_once = order.iter().all(|&triangle| {
        let slot = is_ranked.get_mut(triangle as usize);
        slot.is_some_and(|is_ranked| !std::mem::replace(is_ranked, true))
    });
    if names_each_once && order.len() == triangles {
        return Ok(());
    }
    Err(TerrainError::NotAnOrder {
        found: order.len(),
        expected: triangles,
    })
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
