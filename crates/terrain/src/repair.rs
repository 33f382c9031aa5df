//! Repair of a path: A\* replaces one window after another by the cheapest path between its ends.
//!
//! A path that leaves a valley and comes back cannot be mended that way, because the ends of windows lie outside of the
//! valley. Therefore a bounded A\* first searches for a path at a fraction of the cost. It visits only triangles that can be
//! part of such a path, and it is the reason why no repaired path costs more than [`MAX_RATIO`] times the cheapest.

use super::{LowGraph, TerrainScratch};
use portolan_core::search::EpochArray;

/// The number of triangles in a window of [`TerrainEngine::Repaired`](super::TerrainEngine::Repaired). Consecutive windows
/// overlap by half of it.
pub(super) const WINDOW: usize = 64;

/// The highest ratio of the cost of a repaired path to that of the cheapest one.
const MAX_RATIO: f32 = 4.0;

/// The buffers of a repair.
#[derive(Clone, Debug, Default)]
pub(super) struct RepairScratch {
    repaired: Vec<u32>,
    window: Vec<u32>,
    /// Per triangle, its index on the repaired path.
    indices: EpochArray<u32>,
}

impl LowGraph {
    /// Repairs a path, so that it costs the same or less, and returns its cost. A path that is not longer than a window, or
    /// costs more than [`MAX_RATIO`] times the cheapest, becomes the cheapest one. Returns `None` if consecutive triangles
    /// are not neighbours.
    pub(super) fn repair(&self, path: &mut Vec<u32>, scratch: &mut TerrainScratch) -> Option<f64> {
        let limit = self.cost(path)? as f32 / MAX_RATIO;
        // A\* uses the other buffers of the scratch.
        let mut buffers = std::mem::take(&mut scratch.repair);
        let RepairScratch {
            repaired,
            window,
            indices,
        } = &mut buffers;
        if let (Some(&from), Some(&to)) = (path.first(), path.last()) {
            let found = self.astar(from, to, limit, scratch, window);
            if found.is_some() {
                std::mem::swap(path, window);
                scratch.repair = buffers;
                return self.cost(path);
            }
        }
        repaired.clear();
        let mut cost = None;
        while !path.is_empty() {
            let end = WINDOW.min(path.len());
            let known = &path[..end];
            cost = self.cost(known);
            let Some(known_cost) = cost else {
                break;
            };
            // Rounding must not hide the known path from the search.
            let max_cost = known_cost as f32 * (1.0 + 1e-4);
            let [from, to] = [known[0], known[end - 1]];
            let found = self.astar(from, to, max_cost, scratch, window);
            let is_cheaper = found.is_some_and(|found| f64::from(found) < known_cost);
            if !is_cheaper {
                window.clear();
                window.extend_from_slice(known);
            }
            // The first half is finished. The second half is the beginning of the next window. Either the path gets
            // shorter, or its cost falls, so this ends.
            let finished = match end == path.len() {
                true => window.len(),
                false => window.len().div_ceil(2),
            };
            repaired.extend_from_slice(&window[..finished]);
            path.splice(..end, window[finished..].iter().copied());
        }
        // Windows can meet on the same triangle, which makes a loop.
        path.clear();
        indices.reset(self.len());
        for &triangle in &*repaired {
            let index = indices.get(triangle as usize).map(|index| index as usize);
            // The index of a triangle in a loop that was cut off is out of date.
            if let Some(index) = index.filter(|&index| path.get(index) == Some(&triangle)) {
                path.truncate(index);
            }
            indices.set(triangle as usize, path.len() as u32);
            path.push(triangle);
        }
        scratch.repair = buffers;
        cost?;
        self.cost(path)
    }
}
