//! The working memory of exact searches.

use glam::DVec2;

use super::corners::ObstacleSides;
use super::search::GOAL;
use super::sight::Cone;
use crate::search::{EpochArray, Heap};

/// The buffers of exact searches. They work with any world.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExactScratch {
    /// What start and goal see.
    pub(super) ends: [SightOfEnd; 2],
    /// Per node, how it was reached from the start and from the goal.
    pub(super) reached: Reached,
    pub(super) queue: Heap,
    /// Nodes that an end has come to see and that are not yet considered.
    pub(super) seen: Vec<u32>,
    /// The cones behind a cone.
    pub(super) entered: Vec<Cone>,
    pub(super) hubs: HubsOfGoal,
    /// The nodes of the path, from start to goal.
    pub(super) path: Vec<PathNode>,
    pub(super) walk: super::walk::WalkBuffers,
    /// What the last search did.
    pub(super) work: SearchWork,
}

impl ExactScratch {
    /// Returns what the last search did.
    pub(crate) fn work(&self) -> SearchWork {
        self.work
    }
}

/// What one end of a query sees.
#[derive(Clone, Debug, Default)]
pub(super) struct SightOfEnd {
    pub(super) point: DVec2,
    /// The polygons that it touches.
    pub(super) touched: Vec<u32>,
    /// Cones that are still to be followed.
    pub(super) cones: Vec<Cone>,
    /// The nodes that it sees, with their distances.
    pub(super) nodes: Vec<(u32, f64)>,
    pub(super) is_seen: EpochArray<()>,
}

/// How the goal reaches hubs.
#[derive(Clone, Debug, Default)]
pub(super) struct HubsOfGoal {
    pub(super) of_hubs: Vec<HubOfGoal>,
    epoch: u32,
}

/// How the goal reaches a hub. Four of them fit into a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HubOfGoal {
    /// The distance.
    pub(super) length: f64,
    /// The index of the entry of the hub in the label of a node that the goal sees.
    pub(super) entry: u32,
    /// The hub is reached only if this is the epoch of the search.
    pub(super) epoch: u32,
}

impl HubsOfGoal {
    /// Makes all of `count` hubs unreached and returns the epoch of a new search.
    pub(super) fn reset(&mut self, count: usize) -> u32 {
        if self.of_hubs.len() < count {
            self.of_hubs.resize(count, HubOfGoal::default());
        }
        if self.epoch == u32::MAX {
            self.of_hubs.fill(HubOfGoal::default());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.epoch
    }
}

/// A node of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathNode {
    pub(super) node: u32,
    /// Whether the path reaches it through an off-mesh link, from the node before.
    pub(super) by_link: bool,
}

/// The number of steps of a search. The choice of the method for a world depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchWork {
    /// Cones of sight that were followed.
    pub cones: u32,
    /// Nodes whose edges were scanned.
    pub nodes: u32,
    /// Edges that were scanned.
    pub edges: u32,
    /// Label entries that were read.
    pub entries: u32,
}

/// Per node and end of the query, how it was reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    /// Per end, the states of the nodes.
    states: [Vec<NodeState>; 2],
    /// The nodes that the goal has reached, one bit each: a search from the start asks this for every node, and
    /// the answer is nearly always no.
    from_goal: Vec<u64>,
    epoch: u32,
}

/// How a node was reached from an end. Four of them fit into a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeState {
    pub(super) length: f64,
    /// The node before it; [`NONE`](super::NONE) if the end sees it.
    pub(super) before: u32,
    /// The epoch in which the node was reached and, in the lowest bits, [flags](NodeState::SIDES).
    stamp: u32,
}

impl NodeState {
    /// The flags: the sides of the path on which the obstacle at the node lies, whether a link leads to the node,
    /// and whether the node is settled.
    const SIDES: u32 = 0b11;
    const BY_LINK: u32 = 0b100;
    const SETTLED: u32 = 0b1000;
    const FLAG_BITS: u32 = 4;

    pub(super) fn new(length: f64, before: u32, sides: u8) -> Self {
        Self {
            length,
            before,
            stamp: u32::from(sides),
        }
    }

    /// Returns the state of a node that a link leads to.
    pub(super) fn through_link(length: f64, before: u32) -> Self {
        Self {
            length,
            before,
            stamp: u32::from(ObstacleSides::BOTH.0) | Self::BY_LINK,
        }
    }

    /// Returns the sides of the path on which the obstacle at the node lies.
    #[inline(always)]
    pub(super) fn sides(&self) -> u8 {
        (self.stamp & Self::SIDES) as u8
    }

    /// Returns whether a link leads to the node.
    pub(super) fn by_link(&self) -> bool {
        self.stamp & Self::BY_LINK != 0
    }

    /// Returns whether the edges of the node were followed.
    #[inline(always)]
    pub(super) fn is_settled(&self) -> bool {
        self.stamp & Self::SETTLED != 0
    }

    /// Returns the epoch in which the node was reached.
    #[inline(always)]
    fn epoch(&self) -> u32 {
        self.stamp >> Self::FLAG_BITS
    }
}

/// The last epoch that fits beside the flags of a state.
const MAX_EPOCH: u32 = u32::MAX >> NodeState::FLAG_BITS;

impl Reached {
    /// Forgets everything and makes room for `count` nodes.
    pub(super) fn reset(&mut self, count: usize) {
        for states in &mut self.states {
            if states.len() < count {
                states.resize(count, NodeState::default());
            }
            if self.epoch == MAX_EPOCH {
                states.fill(NodeState::default());
            }
        }
        self.epoch = self.epoch % MAX_EPOCH + 1;
        self.from_goal.clear();
        self.from_goal.resize(count.div_ceil(64), 0);
    }

    /// Returns the length of the path to a node; infinite if it was not reached.
    #[inline(always)]
    pub(super) fn length(&self, end: usize, node: usize) -> f64 {
        let state = &self.states[end][node];
        if state.epoch() == self.epoch {
            state.length
        } else {
            f64::INFINITY
        }
    }

    /// Returns the length of the path from a node to the goal; infinite if the goal has not reached it.
    #[inline(always)]
    pub(super) fn length_to_goal(&self, node: usize) -> f64 {
        match self.from_goal[node / 64] >> (node % 64) & 1 {
            0 => f64::INFINITY,
            _ => self.states[GOAL][node].length,
        }
    }

    /// Returns how a node was reached. It must have been reached.
    #[inline(always)]
    pub(super) fn known(&self, end: usize, node: usize) -> NodeState {
        debug_assert_eq!(self.states[end][node].epoch(), self.epoch);
        self.states[end][node]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, end: usize, node: usize, state: NodeState) {
        let stamp = self.epoch << NodeState::FLAG_BITS | state.stamp;
        self.states[end][node] = NodeState { stamp, ..state };
        if end == GOAL {
            self.from_goal[node / 64] |= 1 << (node % 64);
        }
    }

    #[inline(always)]
    pub(super) fn settle(&mut self, end: usize, node: usize) {
        self.states[end][node].stamp |= NodeState::SETTLED;
    }
}
