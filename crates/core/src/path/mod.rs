//! Turns the trail that a search finds into a corridor of polygons, and the corridor into waypoints.

mod bends;
mod breaks;
mod corridor;
mod directed;
mod first_bend;
mod flips;
mod funnel;
mod ground;
mod line;
mod rings;
mod section;
mod stops;
mod taut;
mod waypoints;
mod wedge;

use glam::Vec3;

pub(crate) use bends::Bend;
pub use corridor::{Corridor, Crossing};
pub(crate) use directed::DirectedPortal;
pub(crate) use first_bend::FirstBend;
pub(crate) use flips::{FlipEffort, Flips};
pub(crate) use funnel::{Funnel, PathCorner};
use ground::{GroundBuffers, PolygonsBelow};
pub(crate) use line::{TautLine, find_bends};
pub(crate) use rings::Rings;
pub use stops::Stop;
pub(crate) use stops::segments_touch;
pub(crate) use taut::TautCosts;
pub(crate) use waypoints::PullBuffers;

use crate::geometry::distance_xz;
use crate::ids::LinkId;

/// The result of a query: the corridor of polygons, the waypoints to walk along, and the cost.
///
/// ```
/// use portolan_core::{NavMeshOptions, RawNavMesh, World};
///
/// // A floor of 10 m x 10 m.
/// let mut raw = RawNavMesh::default();
/// raw.vertices = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]
///     .map(|[x, z]| glam::vec3(x, 0.0, z))
///     .to_vec();
/// raw.polygons.push([0, 1, 2, 3]);
/// let world = World::build(raw, &NavMeshOptions::default())?;
///
/// let path = world.find([1.0, 0.0, 1.0], [4.0, 0.0, 5.0]).unwrap();
/// assert_eq!(path.waypoints.len(), 2); // start and goal: nothing is in between
/// assert_eq!(path.corridor.polygons.len(), 1);
/// assert!((path.length() - 5.0).abs() < 1e-6);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The polygons that the path passes, in order.
    pub corridor: Corridor,
    /// The points to walk to in straight lines, from the start to the goal. Both are listed even if they
    /// are the same point. These are the corners of the path, unless the
    /// [query](crate::Query::ground_tolerance) has asked for waypoints that follow the ground.
    pub waypoints: Vec<Vec3>,
    /// The legs, in order, that use an off-mesh link instead of the ground.
    pub links: Vec<LinkLeg>,
    /// The cost of the path on the graph that was searched. Compare it only with other costs of the same
    /// tier. It usually exceeds [`length`](Self::length) even if every factor is 1, because the path on the
    /// graph bends at sample points: at each portal in the fast tier, at some portals in taut tiers.
    pub cost: f32,
    /// The [version](crate::World::version) of the world that found the path.
    pub version: u64,
    /// The [topology](crate::NavMesh::topology) of the mesh on which the path was found. The portals of the corridor are those of
    /// this topology only; its polygons and links keep their ids.
    pub topology: u64,
    /// Per leg between corners, the polygons below it. Empty if they are not known, or if the waypoints follow
    /// the ground already.
    polygons_below: Vec<PolygonsBelow>,
    ground: GroundBuffers,
}

/// Compares the answers, and not what is only in memory to compute heights.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.cost == other.cost
            && self.corridor == other.corridor
            && self.waypoints == other.waypoints
            && self.links == other.links
    }
}

/// A leg of a path that uses an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLeg {
    /// The index of the waypoint at which the leg starts; it ends at the next waypoint.
    pub waypoint: u32,
    /// The link that is used.
    pub link: LinkId,
}

impl Path {
    /// Returns the length of the path in space. [Units: m]
    pub fn length(&self) -> f64 {
        self.legs()
            .fold(0.0, |sum, [a, b]| sum + a.as_dvec3().distance(b.as_dvec3()))
    }

    /// Returns the length of the path in plan, that is in the (x, z) plane. [Units: m]
    pub fn length_xz(&self) -> f64 {
        self.legs().fold(0.0, |sum, [a, b]| sum + distance_xz(a, b))
    }

    /// Returns the straight lines between consecutive waypoints.
    pub fn legs(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.waypoints.windows(2).map(|pair| [pair[0], pair[1]])
    }

    /// Removes all contents and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.corridor.clear();
        self.waypoints.clear();
        self.links.clear();
        self.polygons_below.clear();
        self.cost = 0.0;
    }
}
