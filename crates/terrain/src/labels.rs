//! What a search knows of each triangle.

use super::NONE;

/// What a search knows of each triangle, forgotten all at once by counting up an epoch.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    labels: Vec<Label>,
    epoch: u32,
}

/// 16 bytes, so that four share a cache line.
///
/// The heuristic is kept, so that a cheaper way does not compute it again: 311 instead of 342 us a query on
/// hills of 65 x 65 points. One record a triangle, of neighbours, costs and box, gained nothing on top.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Label {
    /// The rest holds only if this is the present epoch.
    epoch: u32,
    /// Cost from the start.
    pub(super) cost: f32,
    /// Cost to the goal, at least.
    least: f32,
    /// The triangle before, or [`NONE`].
    before: u32,
}

impl Label {
    /// The cost with which it stands in the heap.
    #[inline]
    pub(super) fn key(self) -> f32 {
        self.cost + self.least
    }
}

impl Labels {
    pub(super) fn reset(&mut self, triangles: usize) {
        if self.labels.len() < triangles {
            self.labels.resize(triangles, Label::default());
        }
        if self.epoch == u32::MAX {
            self.labels.fill(Label::default());
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// Reaches a triangle from the one before: its key, if the way is cheaper than what is known. `least`
    /// is asked the first time only.
    #[inline]
    pub(super) fn reach(
        &mut self,
        triangle: u32,
        cost: f32,
        before: u32,
        least: impl FnOnce() -> f32,
    ) -> Option<f32> {
        let label = &mut self.labels[triangle as usize];
        let least = if label.epoch != self.epoch {
            least()
        } else if cost < label.cost {
            label.least
        } else {
            return None;
        };
        *label = Label {
            epoch: self.epoch,
            cost,
            least,
            before,
        };
        Some(label.key())
    }

    /// The label of a triangle that has one.
    #[inline]
    pub(super) fn known(&self, triangle: u32) -> Label {
        debug_assert_eq!(self.labels[triangle as usize].epoch, self.epoch);
        self.labels[triangle as usize]
    }

    /// Infinite where there is no label.
    #[inline]
    pub(super) fn cost(&self, triangle: u32) -> f32 {
        let label = self.labels[triangle as usize];
        if label.epoch == self.epoch {
            label.cost
        } else {
            f32::INFINITY
        }
    }

    /// A triangle that has a label, and all before it, back to the start.
    pub(super) fn back(&self, last: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(last), |&triangle| {
            Some(self.known(triangle).before).filter(|&before| before != NONE)
        })
    }

    /// Writes the triangles from the start to one that has a label, in order.
    pub(super) fn trail(&self, last: u32, path: &mut Vec<u32>) {
        path.clear();
        path.extend(self.back(last));
        path.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_forgotten_even_when_the_epoch_runs_over() {
        let mut labels = Labels::default();
        labels.reset(1);
        assert_eq!(labels.reach(0, 7.0, NONE, || 2.0), Some(9.0));
        assert_eq!(labels.reach(0, 7.0, NONE, || 3.0), None);
        labels.epoch = u32::MAX;
        labels.labels[0].epoch = 1;
        labels.reset(1);
        assert_eq!(labels.reach(0, 8.0, NONE, || 3.0), Some(11.0));
        assert_eq!(labels.reach(0, 6.0, NONE, || 5.0), Some(9.0));
    }
}
