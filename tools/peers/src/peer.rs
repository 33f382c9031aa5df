//! The interface of a library that is measured.

use glam::Vec3;

use crate::walk::length_in_plan;

/// A path-finder on a navmesh. It owns its reusable buffers, so that a repeated query allocates only what the
/// library itself allocates.
pub(crate) trait Peer {
    /// Returns the name of the row in the table.
    fn name(&self) -> &str;

    /// Returns the time to build everything from the navmesh. [Units: ms]
    fn build_ms(&self) -> f64;

    /// Returns the memory in bytes, if it is known.
    fn bytes(&self) -> Option<usize>;

    /// Runs a complete query: locates both points, finds a corridor and computes waypoints. `answer` still contains
    /// the last answer, so implementations must call [`PeerAnswer::clear`] first.
    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer);

    /// Returns why the answers and times are invalid, if the peer has failed during the measurement.
    fn failure(&self) -> Option<&str> {
        None
    }
}

/// The answer of a peer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PeerAnswer {
    pub(crate) status: PeerStatus,
    /// The waypoints from start to goal, both included, with the heights that the peer returns.
    pub(crate) waypoints: Vec<Vec3>,
    /// The user ids of the corridor's polygons, if the peer returns a corridor.
    pub(crate) polygons: Vec<u64>,
    /// The cost of the corridor, if the peer searches Portolan's portal graph exactly.
    pub(crate) cost: Option<f64>,
    pub(crate) times: StepTimes,
    /// The times of the complete query, if the peer runs in another process and measures itself.
    pub(crate) own_clocks: Option<Clocks>,
}

/// Wall time and CPU time of the thread for a complete query. [Units: ns]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    pub(crate) wall: u64,
    pub(crate) cpu: u64,
}

/// The result of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum PeerStatus {
    /// The peer found a path to the goal.
    Found,
    /// The peer found a path that ends before the goal.
    Partial,
    /// The peer found no path.
    #[default]
    NoPath,
    /// Start or goal is not on the mesh.
    OffMesh,
}

/// The wall times of the steps of a query. [Units: ns] If search and string pulling are one step, `corridor`
/// contains both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StepTimes {
    pub(crate) locate: u64,
    pub(crate) corridor: u64,
    pub(crate) waypoints: u64,
}

impl PeerAnswer {
    /// Clears the answer and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.status = PeerStatus::NoPath;
        self.waypoints.clear();
        self.polygons.clear();
        self.cost = None;
        self.times = StepTimes::default();
        self.own_clocks = None;
    }

    /// Returns the length of the path in the (x, z) plane.
    pub(crate) fn length_xz(&self) -> f64 {
        length_in_plan(&self.waypoints)
    }
}
