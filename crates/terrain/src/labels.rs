//! Search labels of triangles.

use portolan_core::search::EpochArray;

use super::NO_TRIANGLE;

/// The labels of all triangles in one search.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangleLabels(EpochArray<TriangleLabel>);

/// The label of one triangle. It stores the lower bound, because a triangle can be relaxed several times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TriangleLabel {
    /// Cost from the start.
    pub(super) cost: f32,
    /// Lower bound of the cost to the goal.
    lower_bound: f32,
    /// The triangle before this one on the path, or [`NO_TRIANGLE`] at the start.
    predecessor: u32,
}

/// Four labels share a cache line.
const _: () = assert!(EpochArray::<TriangleLabel>::SLOT_BYTES == 16);

impl TriangleLabel {
    /// Returns the key in the heap.
    #[inline]
    pub(super) fn key(self) -> f32 {
        self.cost + self.lower_bound
    }
}

impl TriangleLabels {
    pub(super) fn reset(&mut self, triangles: usize) {
        self.0.reset(triangles);
    }

    /// Relaxes the arc from `predecessor` to a triangle. If the path is cheaper than the known one, updates the
    /// label and returns its key. Calls `lower_bound` only if the triangle has no label yet.
    #[inline]
    pub(super) fn relax(
        &mut self,
        triangle: u32,
        cost: f32,
        predecessor: u32,
        lower_bound: impl FnOnce() -> f32,
    ) -> Option<f32> {
        let label = self.0.update(triangle as usize, |known| {
            let lower_bound = match known {
                None => lower_bound(),
                Some(known) if cost < known.cost => known.lower_bound,
                Some(_) => return None,
            };
            Some(TriangleLabel {
                cost,
                lower_bound,
                predecessor,
            })
        });
        label.map(TriangleLabel::key)
    }

    /// Returns the label of a triangle. It must have one.
    #[inline]
    pub(super) fn known(&self, triangle: u32) -> TriangleLabel {
        self.0.known(triangle as usize)
    }

    /// Returns the cost of a triangle, which is infinite if the triangle has no label.
    #[inline]
    pub(super) fn cost(&self, triangle: u32) -> f32 {
        let label = self.0.get(triangle as usize);
        label.map_or(f32::INFINITY, |label| label.cost)
    }

    /// Iterates over the path to `last` backwards, from `last` to the start. `last` must have a label.
    pub(super) fn backwards(&self, last: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(last), |&triangle| {
            Some(self.known(triangle).predecessor).filter(|&before| before != NO_TRIANGLE)
        })
    }

    /// Writes the path from the start to `last`, which must have a label.
    pub(super) fn path_to(&self, last: u32, path: &mut Vec<u32>) {
        path.clear();
        path.extend(self.backwards(last));
        path.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_bound_is_computed_once() {
        let mut labels = TriangleLabels::default();
        labels.reset(1);
        assert_eq!(labels.cost(0), f32::INFINITY);
        assert_eq!(labels.relax(0, 7.0, NO_TRIANGLE, || 2.0), Some(9.0));
        assert_eq!(labels.relax(0, 7.0, NO_TRIANGLE, || 3.0), None);
        assert_eq!(labels.relax(0, 6.0, NO_TRIANGLE, || 5.0), Some(8.0));
        assert_eq!(labels.cost(0), 6.0);
    }
}
