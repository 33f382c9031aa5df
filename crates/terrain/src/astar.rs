//! A* and Dijkstra from triangle to triangle: what everything else on this ground is measured against.
//!
//! Made like the A* of navmeshes (`query/astar.rs`): labels in an array with an epoch, a heap of integers,
//! stale entries recognised when they come out.

use super::{LowGraph, LowScratch, NONE};
use portolan_core::heap::{entry, unpack};

impl LowGraph {
    /// The cheapest way from one triangle to another, both included, and what it costs. `None`, and an
    /// empty path, where there is none. Between equal keys the lower triangle is looked at first.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn astar(
        &self,
        from: u32,
        to: u32,
        scratch: &mut LowScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let goal = self.extent(to);
        let price = self.price;
        let least = |triangle: u32| price.least(self.extents[triangle as usize], goal);
        self.search(from, to, least, scratch, path)
    }

    /// The same without a heuristic.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn dijkstra(
        &self,
        from: u32,
        to: u32,
        scratch: &mut LowScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        self.search(from, to, |_| 0.0, scratch, path)
    }

    /// `least` is what a triangle is from the goal at least. Where it is not consistent, a triangle is
    /// looked at again when a cheaper way there turns up, so that the answer is right all the same.
    #[inline]
    fn search(
        &self,
        from: u32,
        to: u32,
        least: impl Fn(u32) -> f32,
        scratch: &mut LowScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        assert!((to as usize) < self.len(), "there is no triangle {to}");
        let LowScratch { labels, heap, .. } = scratch;
        labels.reset(self.len());
        heap.clear();
        path.clear();
        let first = labels.reach(from, 0.0, NONE, || least(from));
        heap.push(entry(first.expect("the only label"), from));
        while let Some(top) = heap.pop() {
            let (key, triangle) = unpack(top);
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

    /// What it costs from one triangle to every one, by Dijkstra; infinite where there is no way.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn wave(&self, from: u32, scratch: &mut LowScratch, costs: &mut Vec<f32>) {
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
