//! The buffers of floods.

use crate::ids::PolygonId;
use crate::search::{EpochArray, Heap};

use super::random::ClippedPolygons;

/// The buffers of the methods of a [`Probe`](crate::Probe) that flood polygons. Keep one per thread. It
/// grows to the largest world that it was used with; nothing in it depends on the world.
#[derive(Clone, Debug, Default)]
pub struct ProbeScratch {
    /// Whether a polygon has been reached.
    pub(super) reached: EpochArray<()>,
    /// The polygons that have been reached, in this order, each with the index of the one before it.
    pub(super) queue: Vec<(PolygonId, u32)>,
    /// The polygons that a growing circle meets, by the radius at which it does.
    pub(super) heap: Heap,
    /// The parts of polygons that are inside a square.
    pub(super) clipped: ClippedPolygons,
    /// The polygons that the last slide passed.
    pub(super) trail: Vec<PolygonId>,
}

impl ProbeScratch {
    /// Creates empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the polygons that the last [`slide`](crate::Probe::slide) led through: the first is the polygon
    /// of its start, the last is that of its result, and portals connect each with the next.
    pub fn trail(&self) -> &[PolygonId] {
        &self.trail
    }

    /// Begins a flood at a polygon.
    pub(super) fn begin(&mut self, polygons: usize, from: PolygonId) {
        self.reached.reset(polygons);
        self.queue.clear();
        self.reach(from, 0);
    }

    /// Adds a polygon to the flood, which the polygon at index `before` of the queue leads to. Returns false if
    /// it has been reached before.
    #[inline]
    pub(super) fn reach(&mut self, polygon: PolygonId, before: u32) -> bool {
        let is_new = self.reached.get(polygon.index()).is_none();
        if is_new {
            self.reached.set(polygon.index(), ());
            self.queue.push((polygon, before));
        }
        is_new
    }

    /// Sets the trail to the polygons that lead to the one at an index of the queue.
    pub(super) fn set_trail(&mut self, mut index: usize) {
        self.trail.clear();
        while index > 0 {
            let (polygon, before) = self.queue[index];
            self.trail.push(polygon);
            index = before as usize;
        }
        self.trail.push(self.queue[0].0);
        self.trail.reverse();
    }
}
