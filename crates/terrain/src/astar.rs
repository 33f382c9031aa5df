//! A* and Dijkstra from triangle to triangle: what everything else on this ground is measured against.
//!
//! Made like the A* of navmeshes (`query/astar.rs` in the core): labels in an array with an epoch, a heap of
//! integers, stale entries recognised when they come out.

use super::{LowGraph, NONE, TerrainScratch};
use portolan_core::search::{entry, unpack};

impl LowGraph {
    /// Finds the cheapest path from one triangle to another, writes its triangles, both ends included, and
    /// returns its cost. `None`, and an empty path, where there is none that costs at most `max_cost`.
    /// Of equal keys the lower triangle is expanded first.
    pub(super) fn astar(
        &self,
        from: u32,
        to: u32,
        max_cost: f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let goal = self.extent(to);
        let price = self.price;
        let least = |triangle: u32| price.least(self.extents[triangle as usize], goal);
        self.search([from, to], max_cost, least, scratch, path)
    }

    /// [`astar`](Self::astar) without a heuristic.
    pub(super) fn dijkstra(
        &self,
        from: u32,
        to: u32,
        max_cost: f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        self.search([from, to], max_cost, |_| 0.0, scratch, path)
    }

    /// `least` is a lower bound of the cost from a triangle to the goal. Where it is not consistent, a
    /// triangle is expanded again when a cheaper path there turns up, so that the answer is right all the
    /// same.
    #[inline]
    fn search(
        &self,
        [from, to]: [u32; 2],
        max_cost: f32,
        least: impl Fn(u32) -> f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let TerrainScratch { labels, heap, .. } = scratch;
        // The key of a path is what all of it costs at least, but for rounding, which adds up crossing by
        // crossing: a limit of just that must not cut it.
        let max_key = max_cost * (1.0 + 1e-4);
        labels.reset(self.len());
        heap.clear();
        path.clear();
        let first = labels.reach(from, 0.0, NONE, || least(from));
        heap.push(entry(first.expect("the only label"), from));
        while let Some(top) = heap.pop() {
            let (key, triangle) = unpack(top);
            if key > max_key {
                return None;
            }
            let label = labels.known(triangle);
            if key != label.key() {
                continue;
            }
            if triangle == to {
                labels.trail(to, path);
                return Some(label.cost);
            }
            let (neighbours, costs) = self.crossings(triangle);
            for (next, cost) in neighbours.into_iter().zip(costs) {
                if next == NONE {
                    continue;
                }
                let cost = label.cost + cost;
                if let Some(key) = labels.reach(next, cost, triangle, || least(next)) {
                    heap.push(entry(key, next));
                }
            }
        }
        None
    }

    /// Writes the cost from one triangle to each, by Dijkstra's algorithm; infinite where there is no path.
    pub(super) fn wave(&self, from: u32, scratch: &mut TerrainScratch, costs: &mut Vec<f32>) {
        let heap = &mut scratch.heap;
        heap.clear();
        costs.clear();
        costs.resize(self.len(), f32::INFINITY);
        costs[from as usize] = 0.0;
        heap.push(entry(0.0, from));
        while let Some(top) = heap.pop() {
            let (cost, triangle) = unpack(top);
            if cost != costs[triangle as usize] {
                continue;
            }
            let (neighbours, crossings) = self.crossings(triangle);
            for (next, crossing) in neighbours.into_iter().zip(crossings) {
                if next != NONE && cost + crossing < costs[next as usize] {
                    costs[next as usize] = cost + crossing;
                    heap.push(entry(cost + crossing, next));
                }
            }
        }
    }
}
