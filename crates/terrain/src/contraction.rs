//! A contraction hierarchy over Low Meshes. Its queries are exact and need no heap.

use super::{LowGraph, NO_TRIANGLE, TerrainError, TerrainScratch};
use portolan_core::contraction::{Bounds, Contraction, Shortcuts};

/// A customizable contraction hierarchy (Dibbelt, Strasser, Wagner 2016) over the triangles of a terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct LowContraction {
    contraction: Contraction,
    shortcuts: Shortcuts,
}

impl LowContraction {
    /// Contracts the triangles in the given order, which lists the triangle of each rank, the lowest rank first.
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

    /// Customizes the hierarchy again after prices have changed, for example because of a flood or a new road.
    /// The order and everything else that does not depend on costs stay.
    pub(super) fn reprice(&mut self, graph: &LowGraph) {
        self.shortcuts = Shortcuts::new(&self.contraction, arcs(graph));
    }

    /// Finds the cheapest path from one triangle to another. Writes its triangles to `path`, start and goal
    /// included, and returns its cost. If no path costs at most `max_cost`, returns `None` and leaves `path` empty.
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

    /// Returns the contracted graph, with its order, arcs and depth.
    pub fn contraction(&self) -> &Contraction {
        &self.contraction
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        self.contraction.bytes() + self.shortcuts.bytes()
    }
}

/// Returns an error unless the order contains each triangle exactly once.
fn check_order(order: &[u32], triangles: usize) -> Result<(), TerrainError> {
    let mut is_ranked = vec![false; triangles];
    let has_no_duplicates = order.iter().all(|&triangle| {
        let slot = is_ranked.get_mut(triangle as usize);
        slot.is_some_and(|is_ranked| !std::mem::replace(is_ranked, true))
    });
    if has_no_duplicates && order.len() == triangles {
        return Ok(());
    }
    Err(TerrainError::NotAnOrder {
        found: order.len(),
        expected: triangles,
    })
}

/// Iterates over all crossings as (from, to, cost).
fn arcs(graph: &LowGraph) -> impl Iterator<Item = (u32, u32, f32)> {
    (0..graph.len() as u32).flat_map(|from| {
        let (neighbours, costs) = graph.crossings(from);
        let crossings = neighbours.into_iter().zip(costs);
        crossings
            .filter(|&(to, _)| to != NO_TRIANGLE)
            .map(move |(to, cost)| (from, to, cost))
    })
}
