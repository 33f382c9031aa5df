//! The working memory of queries, owned by the caller.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;

use super::around::AroundBuffers;
use super::hna::{NodeConnection, StepTimes, Workers};
use crate::contraction::{ContractionScratch, HubScratch};
use crate::exact::{ExactScratch, SearchWork};
use crate::graph::{DirectedSample, PolygonExit};
use crate::ids::SampleId;
use crate::path::{Bend, Corridor, PullBuffers};
use crate::search::{Heap, SearchLabels};
use crate::world::RepairBuffers;

/// The buffers of queries. Keep one per thread and reuse it; it works with any world and any engine. Once
/// it has grown to the largest query, queries allocate nothing.
///
/// ```
/// use portolan_core::{Path, Query, Scratch, Status, World};
///
/// fn count_reachable(world: &World, from: [f32; 3], goals: &[[f32; 3]]) -> usize {
///     let (mut scratch, mut path) = (Scratch::new(), Path::default());
///     let mut count = 0;
///     for &goal in goals {
///         let query = Query::new(from, goal);
///         let status = world.find_path(&query, &mut scratch, &mut path);
///         count += usize::from(status == Ok(Status::Found));
///     }
///     count
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) labels: SearchLabels,
    pub(super) heap: Heap,
    pub(super) plain_heap: BinaryHeap<Reverse<(u32, SampleId)>>,
    /// The vertices of one polygon.
    pub(super) exits: Vec<PolygonExit>,
    /// The trail of the last search, from start to goal.
    pub(crate) trail: Vec<DirectedSample>,
    pub(crate) pull_buffers: PullBuffers,
    /// The corridor of a taut trail of which only the first crossing is needed.
    pub(super) corridor: Corridor,
    /// The state of a search over a hierarchy: the connections of start and goal, the workers that found them
    /// by A*, the inter-edges of the path, and a stack of intra-edges that are still to be unpacked.
    pub(super) from_start: NodeConnection,
    pub(super) to_goal: NodeConnection,
    pub(super) workers: Workers,
    pub(super) inter_edges: Vec<DirectedSample>,
    pub(super) stack: Vec<u32>,
    /// Per vertex, the point where `closest` crosses it.
    pub(super) crossing_points: Vec<Vec3>,
    /// The state of a search over a contraction or by hub labels.
    pub(super) chains: ContractionScratch,
    pub(super) hubs: HubScratch,
    pub(super) vertices: Vec<SampleId>,
    /// The state of a query on a world with obstacles.
    pub(super) around: AroundBuffers,
    /// The state of an exact search, and the bends of its path.
    pub(crate) exact: ExactScratch,
    pub(crate) bends: Vec<Bend>,
    /// The state of the repair of a path.
    pub(crate) repair: RepairBuffers,
    pub(super) is_timed: bool,
    pub(super) steps: StepTimes,
}

impl Scratch {
    /// Creates empty buffers, which grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enables or disables the measurement of the steps of HNA* and PCCP. It reads the clock about five
    /// times per query. Times measured before are reset.
    pub fn time_steps(&mut self, is_timed: bool) {
        self.is_timed = is_timed;
        self.steps = StepTimes::default();
    }

    /// Returns what the last search at the exact tier did.
    pub fn exact_work(&self) -> SearchWork {
        self.exact.work()
    }

    /// Returns the times of the steps of the last HNA* or PCCP query; 0 if measurement is disabled.
    pub fn steps(&self) -> StepTimes {
        self.steps
    }
}
