//! A* and Dijkstra's algorithm over Low Meshes. Both are exact, and are the reference for the other engines.
//!
//! The implementation resembles the A* of navmeshes (`query/astar.rs` in the core). Labels are stored in an array
//! with an epoch, the heap contains integers, and stale heap entries are skipped when they are popped.

use super::{LowGraph, NO_TRIANGLE, TerrainScratch};
use portolan_core::search::{entry, unpack};

impl LowGraph {
    /// Finds the cheapest path from one triangle to another with A*. Writes its triangles to `path`, start and
    /// goal included, and returns its cost. If no path costs at most `max_cost`, returns `None` and leaves `path`
    /// empty. Among equal keys, the triangle with the lowest id is expanded first.
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
        let bound = |triangle: u32| price.lower_bound(self.extents[triangle as usize], goal);
        self.search([from, to], max_cost, bound, scratch, path)
    }

    /// Finds the cheapest path with Dijkstra's algorithm. Parameters and result are those of
    /// [`astar`](Self::astar).
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

    /// Searches with `lower_bound` as the heuristic, which must be admissible. It does not have to be consistent:
    /// a triangle that was already settled is expanded again when a cheaper path to it is found.
    #[inline]
    fn search(
        &self,
        [from, to]: [u32; 2],
        max_cost: f32,
        lower_bound: impl Fn(u32) -> f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let TerrainScratch { labels, heap, .. } = scratch;
        // Rounding errors add up along a path, so the key of an intermediate triangle can slightly exceed the
        // final cost. The margin keeps a path whose cost is exactly `max_cost`.
        let max_key = max_cost * (1.0 + 1e-4);
        labels.reset(self.len());
        heap.clear();
        path.clear();
        let first = labels.relax(from, 0.0, NO_TRIANGLE, || lower_bound(from));
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
                labels.path_to(to, path);
                return Some(label.cost);
            }
            let (neighbours, costs) = self.crossings(triangle);
            for (next, cost) in neighbours.into_iter().zip(costs) {
                let cost = label.cost + cost;
                if next == NO_TRIANGLE || cost == f32::INFINITY {
                    continue;
                }
                if let Some(key) = labels.relax(next, cost, triangle, || lower_bound(next)) {
                    heap.push(entry(key, next));
                }
            }
        }
        None
    }

    /// Computes the cost from one triangle to every triangle with Dijkstra's algorithm. The cost is infinite where
    /// there is no path.
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
                if next != NO_TRIANGLE && cost + crossing < costs[next as usize] {
                    costs[next as usize] = cost + crossing;
                    heap.push(entry(cost + crossing, next));
                }
            }
        }
    }
}
