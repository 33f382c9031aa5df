//! The memory of a search, owned by the caller.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;

use super::hna::{Connection, StepTimes};
use crate::contraction::{ContractionScratch, HubScratch};
use crate::graph::DirectedSample;
use crate::ids::SampleId;
use crate::path::{Corridor, Strings};
use crate::search::{Heap, SearchLabels};

/// Buffers that queries use again and again. One a thread; any mesh, any engine. Once it has seen
/// the longest query, nothing is allocated any more.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) labels: SearchLabels,
    pub(super) heap: Heap,
    pub(super) plain_heap: BinaryHeap<Reverse<(u32, SampleId)>>,
    /// The vertices of the path that the last search found, from start to goal.
    pub(crate) trail: Vec<DirectedSample>,
    pub(crate) strings: Strings,
    /// The corridor of a trail whose beginning is all that is asked for.
    pub(super) corridor: Corridor,
    /// Of a search over a hierarchy: what connects start and goal, the inter-edges between, and the
    /// ends of intra-edges still to be extracted.
    pub(super) from_start: Connection,
    pub(super) to_goal: Connection,
    pub(super) inter_edges: Vec<DirectedSample>,
    pub(super) stack: Vec<u32>,
    /// Where a search that chooses it crosses each vertex.
    pub(super) places: Vec<Vec3>,
    /// Of a search over a contraction.
    pub(super) chains: ContractionScratch,
    pub(super) hubs: HubScratch,
    pub(super) vertices: Vec<SampleId>,
    pub(super) is_timed: bool,
    pub(super) steps: StepTimes,
}

impl Scratch {
    /// Empty buffers, which grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the times of the steps of searches over a hierarchy. It costs four looks at the clock
    /// a query. Those known so far are forgotten.
    pub fn time_steps(&mut self, is_timed: bool) {
        self.is_timed = is_timed;
        self.steps = StepTimes::default();
    }

    /// What the steps of the last such search took.
    pub fn steps(&self) -> StepTimes {
        self.steps
    }
}
