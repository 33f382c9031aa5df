//! The polygon of each waypoint.

use glam::Vec3;

use super::{Crossing, Path};
use crate::geometry::{between, distance_xz, nearest_share, turn};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// A waypoint and the ground that it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The waypoint.
    pub point: Vec3,
    /// The polygon that it lies in. On a border, the one that the path goes on into.
    pub polygon: PolygonId,
    /// The area of that polygon.
    pub area: u8,
}

/// What counts as on a portal: more than waypoints are rounded by. [Units: m]
const ROUNDING: f64 = 1e-4;

/// Whether a point at the end of a leg through the polygon before a portal is on the portal or beyond it.
/// A wall can lie in line with a portal: on the line but beside the portal the leg has not passed it.
fn has_passed(point: Vec3, [right, left]: [Vec3; 2]) -> bool {
    let (across, along) = (turn(right, left, point), distance_xz(right, left));
    if across.abs() > ROUNDING * along {
        return across < 0.0;
    }
    let share = nearest_share(right, left, point);
    distance_xz(between(right, left, share), point) <= ROUNDING
}

impl Path {
    /// The waypoints with their polygons and areas. `mesh` is the one that the path was found on.
    ///
    /// Along a leg, which is straight, a portal has been passed as soon as the leg has crossed its line: the
    /// polygon before a portal, being convex, lies on one side of it. So one walk along the corridor tells
    /// the polygons of all waypoints.
    pub fn stops<'a>(&'a self, mesh: &'a NavMesh) -> impl Iterator<Item = Stop> + 'a {
        let crossings = &self.corridor.crossings;
        let mut links = self
            .links
            .iter()
            .map(|leg| leg.waypoint as usize)
            .peekable();
        let mut here = 0;
        let mut from_link = false;
        self.waypoints.iter().enumerate().map(move |(i, &point)| {
            if from_link {
                // Off the link.
                here += 1;
            }
            from_link = links.next_if_eq(&i).is_some();
            let is_last = i + 1 == self.waypoints.len();
            while let Some(Crossing::Portal(portal)) = crossings.get(here) {
                let [right, left] = mesh.portal(*portal).ends_from(self.corridor.polygons[here]);
                // The last waypoint and the beginning of a link lie in a known polygon.
                if !is_last && !from_link && !has_passed(point, [right, left]) {
                    break;
                }
                here += 1;
            }
            let polygon = self.corridor.polygons[here];
            Stop {
                point,
                polygon,
                area: mesh.area(polygon),
            }
        })
    }
}
