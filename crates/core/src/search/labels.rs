//! The labels of a search over samples of portals.

use super::EpochArray;
use crate::graph::DirectedSample;
use crate::ids::SampleId;

/// The labels of a search: one per vertex of a portal graph, or one per inter-edge of a level.
#[derive(Clone, Debug, Default)]
pub struct SearchLabels(EpochArray<SearchLabel>);

/// The label of one vertex.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchLabel {
    /// The cost from the start.
    pub(crate) cost: f32,
    /// The key in the heap. For A*, it includes the heuristic.
    pub(crate) key: f32,
    /// The previous vertex, and the side to which the search leaves the labelled vertex.
    predecessor: DirectedSample,
}

/// Four labels share a cache line.
const _: () = assert!(EpochArray::<SearchLabel>::SLOT_BYTES == 16);

/// A number that no vertex has, because ids end below 2^30. It marks the start.
const START: SampleId = SampleId(u32::MAX >> 1);

impl SearchLabels {
    /// Clears all labels and makes room for `vertices` of them.
    pub(crate) fn reset(&mut self, vertices: usize) {
        self.0.reset(vertices);
    }

    /// Returns the cost of a vertex, or infinity if it has no label.
    #[inline]
    pub(crate) fn cost(&self, vertex: SampleId) -> f32 {
        let label = self.0.get(vertex.index());
        label.map_or(f32::INFINITY, |label| label.cost)
    }

    /// Returns the label of a vertex, which must have one.
    #[inline]
    pub(crate) fn known(&self, vertex: SampleId) -> SearchLabel {
        self.0.known(vertex.index())
    }

    /// Returns the label of a vertex, if it has one.
    #[inline]
    pub(crate) fn get(&self, vertex: SampleId) -> Option<SearchLabel> {
        self.0.get(vertex.index())
    }

    /// Changes the key of a vertex, which must have a label.
    #[inline]
    pub(crate) fn set_key(&mut self, vertex: SampleId, key: f32) {
        let label = self.known(vertex);
        self.0.set(vertex.index(), SearchLabel { key, ..label });
    }

    /// Returns the vertex before `vertex`, or `None` if it has no label or is the first.
    #[inline]
    pub(crate) fn predecessor(&self, vertex: SampleId) -> Option<SampleId> {
        let predecessor = self.0.get(vertex.index())?.predecessor.sample();
        (predecessor != START).then_some(predecessor)
    }

    /// Labels `to`, reached from `predecessor`, or from the start if that is `None`.
    #[inline]
    pub(crate) fn set(
        &mut self,
        to: DirectedSample,
        cost: f32,
        key: f32,
        predecessor: Option<SampleId>,
    ) {
        let predecessor = DirectedSample::new(predecessor.unwrap_or(START), to.far_side());
        self.0.set(
            to.sample().index(),
            SearchLabel {
                cost,
                key,
                predecessor,
            },
        );
    }

    /// Writes the trail from the start to `last`: the directed samples that the search passed, in order.
    pub fn trail(&self, last: Option<SampleId>, trail: &mut Vec<DirectedSample>) {
        trail.clear();
        let mut next = last;
        while let Some(vertex) = next {
            let predecessor = self.known(vertex).predecessor;
            trail.push(DirectedSample::new(vertex, predecessor.far_side()));
            next = Some(predecessor.sample()).filter(|&vertex| vertex != START);
        }
        trail.reverse();
    }
}

impl SearchLabel {
    /// Returns the side to which the search leaves the vertex.
    #[inline]
    pub(crate) fn far_side(self) -> usize {
        self.predecessor.far_side()
    }
}
