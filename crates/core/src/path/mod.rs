//! From a trail of samples to a corridor of polygons, and from there to waypoints.

mod corridor;
mod directed;
mod flips;
mod funnel;
mod ground;
mod line;
mod rings;
mod stops;
mod stretch;
mod taut;
mod waypoints;
mod wedge;

use glam::Vec3;

pub use corridor::{Corridor, Crossing};
pub(crate) use flips::{Effort, Flips};
pub(crate) use rings::Rings;
pub use stops::Stop;
pub(crate) use taut::TautCosts;
pub(crate) use waypoints::Strings;

use crate::geometry::distance_xz;
use crate::ids::LinkId;

/// Where to walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The polygons it passes.
    pub corridor: Corridor,
    /// The points to walk to, in straight lines, from the start to the goal. Both are there even
    /// when they are the same point.
    pub waypoints: Vec<Vec3>,
    /// Which of the lines between waypoints are off-mesh links, in order.
    pub links: Vec<LinkLeg>,
    /// What the graph says that it costs. Compare costs with costs only, and with those of one tier: a
    /// graph's path bends at every portal, a taut tier's at some, so this is above
    /// [`length`](Self::length) even where every factor is 1.
    pub cost: f32,
}

/// A part of a path that is not walked on the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLeg {
    /// It leads from this waypoint to the next.
    pub waypoint: u32,
    /// The link.
    pub link: LinkId,
}

impl Path {
    /// The length of the waypoints in space.
    pub fn length(&self) -> f64 {
        self.legs()
            .fold(0.0, |sum, [a, b]| sum + a.as_dvec3().distance(b.as_dvec3()))
    }

    /// The length of the waypoints seen from above.
    pub fn length_xz(&self) -> f64 {
        self.legs().fold(0.0, |sum, [a, b]| sum + distance_xz(a, b))
    }

    /// The lines between waypoints.
    pub fn legs(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.waypoints.windows(2).map(|pair| [pair[0], pair[1]])
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.corridor.clear();
        self.waypoints.clear();
        self.links.clear();
        self.cost = 0.0;
    }
}
