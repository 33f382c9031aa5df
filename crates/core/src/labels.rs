//! What a search knows of each vertex.

use crate::graph::Step;
use crate::ids::SampleId;

/// What a search knows of each vertex, forgotten all at once by counting up an epoch.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    labels: Vec<Label>,
    epoch: u32,
}

/// 16 bytes, so that four share a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Label {
    /// The rest holds only if this is the present epoch.
    epoch: u32,
    /// Cost from the start.
    pub cost: f32,
    /// The cost with which it stands in the heap: with the heuristic on top, for A*.
    pub key: f32,
    /// The vertex before, and the side to which this one is passed.
    before: Step,
}

/// No vertex has this number: ids end below 2^30.
const START: SampleId = SampleId(u32::MAX >> 1);

impl Labels {
    /// Forgets all labels, and has room for so many vertices.
    pub fn reset(&mut self, vertices: usize) {
        if self.labels.len() < vertices {
            self.labels.resize(vertices, Label::default());
        }
        if self.epoch == u32::MAX {
            self.labels.fill(Label::default());
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// The cost of a vertex; infinite if it has no label.
    #[inline]
    pub fn cost(&self, vertex: SampleId) -> f32 {
        let label = &self.labels[vertex.index()];
        if label.epoch == self.epoch {
            label.cost
        } else {
            f32::INFINITY
        }
    }

    /// The label of a vertex that has one.
    #[inline]
    pub fn known(&self, vertex: SampleId) -> Label {
        debug_assert_eq!(self.labels[vertex.index()].epoch, self.epoch);
        self.labels[vertex.index()]
    }

    /// The vertex before, of one that has a label and is not the first.
    #[inline]
    pub fn before(&self, vertex: SampleId) -> Option<SampleId> {
        let label = &self.labels[vertex.index()];
        let before = label.before.sample();
        (label.epoch == self.epoch && before != START).then_some(before)
    }

    /// Reaches `to` from `before`; `None` is the start.
    #[inline]
    pub fn set(&mut self, to: Step, cost: f32, key: f32, before: Option<SampleId>) {
        let before = Step::new(before.unwrap_or(START), to.onward());
        self.labels[to.sample().index()] = Label {
            epoch: self.epoch,
            cost,
            key,
            before,
        };
    }

    /// Writes the vertices from the start to `last`, in order.
    pub fn trail(&self, last: Option<SampleId>, trail: &mut Vec<Step>) {
        trail.clear();
        let mut next = last;
        while let Some(vertex) = next {
            let before = self.known(vertex).before;
            trail.push(Step::new(vertex, before.onward()));
            next = Some(before.sample()).filter(|&before| before != START);
        }
        trail.reverse();
    }
}

impl Label {
    /// The side to which the vertex is passed.
    #[inline]
    pub fn onward(self) -> usize {
        self.before.onward()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_forgotten_even_when_the_epoch_runs_over() {
        let mut labels = Labels::default();
        labels.reset(1);
        labels.set(Step::new(SampleId(0), 1), 7.0, 7.0, None);
        assert_eq!(labels.cost(SampleId(0)), 7.0);
        labels.epoch = u32::MAX;
        labels.labels[0].epoch = 1;
        labels.reset(1);
        assert_eq!(labels.cost(SampleId(0)), f32::INFINITY);
    }
}
