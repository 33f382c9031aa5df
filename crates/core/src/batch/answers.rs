//! The answers of a batch, as flat arrays.

use std::sync::{Mutex, PoisonError};

use glam::Vec3;

use super::by_engine::EngineMemory;
use super::label_batch::LabelMemory;
use crate::ids::PolygonId;
use crate::world::Status;

/// The answers of [`World::find_paths`](crate::World::find_paths), one entry per query, in the order of the queries.
/// Only the arrays that were [asked for](super::Want) are filled; the others are empty.
///
/// The arrays are plain and contiguous, so they map onto Arrow, NumPy and C without conversion. Reuse one value for
/// all batches: once it has grown, a batch allocates nothing per query.
#[derive(Debug, Default)]
pub struct BatchAnswers {
    /// The status of each query.
    pub statuses: Vec<Status>,
    /// The cost of each path on the graph that was searched; infinite without a path.
    pub costs: Vec<f32>,
    /// The length of each path's waypoints, which are its corners; infinite without a path. [Units: m]
    pub distances: Vec<f32>,
    /// For [`Want::Portal`](super::Want::Portal), the polygon beyond the first portal. For
    /// [`Want::Next`](super::Want::Next), the polygon that the path enters at its first waypoint, or that of the goal or of
    /// the link that the waypoint is. [`NO_POLYGON`](Self::NO_POLYGON) without a path.
    pub polygons: Vec<PolygonId>,
    /// The right and the left end of the first portal of each path. If the path starts with a link, the points where
    /// the link is entered and left. If the goal is in the polygon of the start, the goal twice. NaN without a path.
    pub portals: Vec<[Vec3; 2]>,
    /// The first waypoint after the start. NaN without a path.
    pub next: Vec<Vec3>,
    /// The polygons of each path.
    pub corridors: FlatLists<PolygonId>,
    /// The waypoints of each path: its corners, with start and goal.
    pub waypoints: FlatLists<Vec3>,
    pub(super) by_labels: LabelMemory,
    pub(super) by_engine: EngineMemory,
}

impl BatchAnswers {
    /// Stands for no polygon in [`polygons`](Self::polygons).
    pub const NO_POLYGON: PolygonId = PolygonId(u32::MAX);

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Removes all answers and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.statuses.clear();
        self.costs.clear();
        self.distances.clear();
        self.polygons.clear();
        self.portals.clear();
        self.next.clear();
        self.corridors.clear();
        self.waypoints.clear();
    }
}

/// Lists of values in two flat arrays: list `i` is `values[offsets[i]..offsets[i + 1]]`. Offsets are signed and have 64 bits,
/// as Arrow's large lists have them.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatLists<T> {
    /// The index of the first value of each list, and the number of values at the end; empty if there are no lists.
    pub offsets: Vec<i64>,
    /// The values of all lists.
    pub values: Vec<T>,
}

impl<T> Default for FlatLists<T> {
    fn default() -> Self {
        Self {
            offsets: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<T> FlatLists<T> {
    /// Returns the number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a list.
    ///
    /// # Panics
    /// Panics if there is no such list.
    pub fn get(&self, index: usize) -> &[T] {
        &self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    pub(super) fn clear(&mut self) {
        self.offsets.clear();
        self.values.clear();
    }
}

/// Buffers that threads take and give back, so that they are allocated once.
#[derive(Debug)]
pub(super) struct BufferPool<T>(Mutex<Vec<T>>);

impl<T> Default for BufferPool<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T: Default> BufferPool<T> {
    /// Calls `work` with a buffer that no other thread uses.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = lock().pop().unwrap_or_default();
        let result = work(&mut buffer);
        lock().push(buffer);
        result
    }
}
