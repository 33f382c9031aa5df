//! What it takes to be measured.

use glam::Vec3;

use crate::walk::from_above;

/// Somebody who finds paths on a navmesh that it was built from. It owns whatever a query needs
/// again and again, so that a warm query allocates only what the peer itself allocates.
pub(crate) trait Peer {
    /// As it stands in the table.
    fn name(&self) -> &str;

    /// Milliseconds from the navmesh to the first query.
    fn build_ms(&self) -> f64;

    /// Bytes that it keeps, where it can say.
    fn bytes(&self) -> Option<usize>;

    /// One whole query: both points on the mesh, a corridor, waypoints. The answer comes as the last
    /// query left it: call [`Answer::clear`] first.
    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer);

    /// Why its answers and times are worth nothing, where that came out on the way.
    fn trouble(&self) -> Option<&str> {
        None
    }
}

/// What came of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: Status,
    /// From start to goal, both included; heights as the peer has them.
    pub(crate) waypoints: Vec<Vec3>,
    /// The corridor by user ids, where the peer has one.
    pub(crate) polygons: Vec<u64>,
    /// What the peer's graph says that the corridor costs, where that is the portal graph.
    pub(crate) cost: Option<f64>,
    pub(crate) parts: Parts,
    /// Where the peer measures the whole query itself, because it stands in another process.
    pub(crate) own_clocks: Option<Clocks>,
}

/// Wall time and CPU time of the thread for a whole query. [Units: ns]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    pub(crate) wall: u64,
    pub(crate) cpu: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    /// A path to the goal.
    Found,
    /// A path towards the goal, which the peer did not reach.
    Partial,
    /// None.
    #[default]
    NoPath,
    /// Start or goal is not on the mesh.
    OffMesh,
}

/// Wall time of the steps of a query. [Units: ns] A peer whose search and string pulling are one
/// counts both as `corridor`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parts {
    pub(crate) locate: u64,
    pub(crate) corridor: u64,
    pub(crate) waypoints: u64,
}

impl Answer {
    /// Empties it, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.status = Status::NoPath;
        self.waypoints.clear();
        self.polygons.clear();
        self.cost = None;
        self.parts = Parts::default();
        self.own_clocks = None;
    }

    /// The length of the waypoints seen from above.
    pub(crate) fn length_xz(&self) -> f64 {
        let legs = self.waypoints.windows(2);
        legs.map(|leg| from_above(leg[0]).distance(from_above(leg[1])))
            .sum()
    }
}
