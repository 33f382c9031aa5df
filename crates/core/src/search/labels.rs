//! What a search over portals knows of each vertex.

use super::EpochArray;
use crate::graph::DirectedSample;
use crate::ids::SampleId;

/// What a search knows of each vertex of a portal graph, or of each inter-edge of a level.
#[derive(Clone, Debug, Default)]
pub struct SearchLabels(EpochArray<Label>);

/// What a search knows of one vertex.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Label {
    /// Cost from the start.
    pub(crate) cost: f32,
    /// The cost with which it stands in the heap: with the heuristic on top, for A*.
    pub(crate) key: f32,
    /// The vertex before, and the side to which this one is passed.
    before: DirectedSample,
}

/// Four labels share a cache line.
const _: () = assert!(EpochArray::<Label>::SLOT_BYTES == 16);

/// No vertex has this number: ids end below 2^30.
const START: SampleId = SampleId(u32::MAX >> 1);

impl SearchLabels {
    /// Forgets all labels, and makes room for so many vertices.
    pub(crate) fn reset(&mut self, vertices: usize) {
        self.0.reset(vertices);
    }

    /// The cost of a vertex; infinite if it has no label.
    #[inline]
    pub(crate) fn cost(&self, vertex: SampleId) -> f32 {
        let label = self.0.get(vertex.index());
        label.map_or(f32::INFINITY, |label| label.cost)
    }

    /// The label of a vertex that has one.
    #[inline]
    pub(crate) fn known(&self, vertex: SampleId) -> Label {
        self.0.known(vertex.index())
    }

    /// The vertex before one that has a label and is not the first.
    #[inline]
    pub(crate) fn predecessor(&self, vertex: SampleId) -> Option<SampleId> {
        let before = self.0.get(vertex.index())?.before.sample();
        (before != START).then_some(before)
    }

    /// Reaches `to` from `before`; `None` is the start.
    #[inline]
    pub(crate) fn set(
        &mut self,
        to: DirectedSample,
        cost: f32,
        key: f32,
        before: Option<SampleId>,
    ) {
        let before = DirectedSample::new(before.unwrap_or(START), to.far_side());
        self.0.set(to.sample().index(), Label { cost, key, before });
    }

    /// Writes the vertices from the start to `last`, in order.
    pub fn trail(&self, last: Option<SampleId>, trail: &mut Vec<DirectedSample>) {
        trail.clear();
        let mut next = last;
        while let Some(vertex) = next {
            let before = self.known(vertex).before;
            trail.push(DirectedSample::new(vertex, before.far_side()));
            next = Some(before.sample()).filter(|&before| before != START);
        }
        trail.reverse();
    }
}

impl Label {
    /// The side to which the vertex is passed.
    #[inline]
    pub(crate) fn far_side(self) -> usize {
        self.before.far_side()
    }
}
