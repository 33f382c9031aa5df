//! The vertices of each polygon.
//!
//! A search that expands polygon after polygon reads them with their positions, from one contiguous block of memory. The
//! contraction only reads those of the first and the last polygon. So the graph of a taut tier, which usually nothing else
//! searches, does not repeat the positions of its vertices.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{DirectedSample, PortalGraph, Sample};
use crate::csr::{Csr, Lists};
use crate::ids::PolygonId;

/// A vertex in the list of its polygon, with its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PolygonExit {
    pub(crate) position: Vec3,
    pub(crate) step: DirectedSample,
}

/// The vertices of all polygons.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExitLists {
    WithPositions(Lists<PolygonExit>),
    Short(Lists<DirectedSample>),
}

impl ExitLists {
    pub(super) fn polygon_count(&self) -> usize {
        match self {
            Self::WithPositions(lists) => lists.len(),
            Self::Short(lists) => lists.len(),
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        match self {
            Self::WithPositions(lists) => lists.is_valid(),
            Self::Short(lists) => lists.is_valid(),
        }
    }

    /// Returns the number of entries of all lists.
    pub(super) fn entry_count(&self) -> usize {
        match self {
            Self::WithPositions(lists) => lists.values().len(),
            Self::Short(lists) => lists.values().len(),
        }
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::WithPositions(lists) => lists.bytes(),
            Self::Short(lists) => lists.bytes(),
        }
    }
}

/// Iterates over the vertices of a polygon, with their positions.
#[derive(Clone)]
pub(crate) struct Exits<'a> {
    /// At least one of the two lists is empty, so the second one costs nothing while the first one lasts.
    exits: std::slice::Iter<'a, PolygonExit>,
    steps: std::slice::Iter<'a, DirectedSample>,
    samples: &'a [Sample],
}

impl Iterator for Exits<'_> {
    type Item = PolygonExit;

    #[inline]
    fn next(&mut self) -> Option<PolygonExit> {
        if let Some(&exit) = self.exits.next() {
            return Some(exit);
        }
        let &step = self.steps.next()?;
        let position = self.samples[step.sample().index()].position;
        Some(PolygonExit { position, step })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.exits.len() + self.steps.len();
        (count, Some(count))
    }
}

impl ExactSizeIterator for Exits<'_> {}

impl<'a> Exits<'a> {
    /// Returns all vertices as one list, for the inner loops of searches. It is made in `buffer` if the graph has no
    /// positions in its lists.
    #[inline]
    pub(crate) fn listed<'b>(self, buffer: &'b mut Vec<PolygonExit>) -> &'b [PolygonExit]
    where
        'a: 'b,
    {
        if self.steps.len() == 0 {
            return self.exits.as_slice();
        }
        buffer.clear();
        buffer.extend(self);
        buffer
    }
}

impl PortalGraph {
    /// Iterates over the vertices of a polygon, with their positions.
    #[inline]
    pub(crate) fn exits(&self, polygon: PolygonId) -> Exits<'_> {
        let listed = self.cuts.as_ref();
        match listed.and_then(|cuts| cuts.exits_of(polygon)) {
            None => self.original_exits(polygon),
            Some(exits) => Exits {
                exits: exits.iter(),
                steps: [].iter(),
                samples: &self.samples,
            },
        }
    }

    /// Iterates over the vertices of a polygon, with their positions, as if there were no obstacles.
    #[inline]
    pub(crate) fn original_exits(&self, polygon: PolygonId) -> Exits<'_> {
        let (exits, steps): (&[PolygonExit], &[DirectedSample]) = match &self.exits {
            ExitLists::WithPositions(lists) => (lists.get(polygon.index()), &[]),
            ExitLists::Short(lists) => (&[], lists.get(polygon.index())),
        };
        Exits {
            exits: exits.iter(),
            steps: steps.iter(),
            samples: &self.samples,
        }
    }

    /// Returns this graph without the copies of positions that make searches other than the contraction faster.
    pub(crate) fn with_short_exits(self) -> Self {
        let ExitLists::WithPositions(lists) = &self.exits else {
            return self;
        };
        let steps = lists.values().iter().map(|exit| exit.step).collect();
        let lists = Csr::from_parts(lists.offsets().to_vec(), steps);
        let lists = lists.expect("the offsets of other lists of the same lengths");
        Self {
            exits: ExitLists::Short(lists.into()),
            ..self
        }
    }
}
