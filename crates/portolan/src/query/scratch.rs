//! The memory of a search, owned by the caller.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::heap::Heap;
use crate::graph::Step;
use crate::ids::SampleId;
use crate::path::Strings;

/// Buffers that queries use again and again. One a thread; any mesh, any engine. Once it has seen
/// the longest query, nothing is allocated any more.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) labels: Labels,
    pub(super) heap: Heap,
    pub(super) plain_heap: BinaryHeap<Reverse<(u32, SampleId)>>,
    /// The vertices of the path that the last search found, from start to goal.
    pub(crate) trail: Vec<Step>,
    /// The number of the world of that search.
    pub(crate) trail_of: u64,
    pub(crate) strings: Strings,
}

impl Scratch {
    /// Empty buffers, which grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}

/// What a search knows of each vertex, forgotten all at once by counting up an epoch.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    labels: Vec<Label>,
    epoch: u32,
}

/// 16 bytes, so that four share a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Label {
    /// The rest holds only if this is the present epoch.
    epoch: u32,
    /// Cost from the start.
    pub(super) cost: f32,
    /// The cost with which it stands in the heap: with the heuristic on top, for A*.
    pub(super) key: f32,
    /// The vertex before, and the side to which this one is passed.
    before: Step,
}

/// No vertex has this number: ids end below 2^30.
const START: SampleId = SampleId(u32::MAX >> 1);

impl Labels {
    pub(super) fn reset(&mut self, vertices: usize) {
        if self.labels.len() < vertices {
            self.labels.resize(vertices, Label::default());
        }
        if self.epoch == u32::MAX {
            self.labels.fill(Label::default());
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    #[inline]
    pub(super) fn cost(&self, vertex: SampleId) -> f32 {
        let label = &self.labels[vertex.index()];
        if label.epoch == self.epoch {
            label.cost
        } else {
            f32::INFINITY
        }
    }

    /// The label of a vertex that has one.
    #[inline]
    pub(super) fn known(&self, vertex: SampleId) -> Label {
        debug_assert_eq!(self.labels[vertex.index()].epoch, self.epoch);
        self.labels[vertex.index()]
    }

    /// Reaches `to` from `before`; `None` is the start.
    #[inline]
    pub(super) fn set(&mut self, to: Step, cost: f32, key: f32, before: Option<SampleId>) {
        let before = Step::new(before.unwrap_or(START), to.onward());
        self.labels[to.sample().index()] = Label {
            epoch: self.epoch,
            cost,
            key,
            before,
        };
    }

    /// Writes the vertices from the start to `last`, in order.
    pub(super) fn trail(&self, last: Option<SampleId>, trail: &mut Vec<Step>) {
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
    pub(super) fn onward(self) -> usize {
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
