//! The polygon of each waypoint.

use glam::Vec3;

use super::{Crossing, Path};
use crate::geometry::{distance_xz, lerp, nearest_fraction, orientation};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// A waypoint with the polygon and the area that it lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The position of the waypoint.
    pub point: Vec3,
    /// The polygon that contains the waypoint. On a border it is the polygon that the path enters.
    pub polygon: PolygonId,
    /// The area of that polygon.
    pub area: u8,
}

/// The distance below which a point counts as touching; larger than the rounding error of waypoints.
/// [Units: m]
const TOUCH_TOLERANCE: f64 = 1e-4;

/// Returns the distance in plan between a point and a segment.
fn distance_to_segment([a, b]: [Vec3; 2], point: Vec3) -> f64 {
    distance_xz(lerp(a, b, nearest_fraction(a, b, point)), point)
}

/// Returns whether two segments touch or cross in plan.
pub(crate) fn segments_touch(leg: [Vec3; 2], portal: [Vec3; 2]) -> bool {
    let splits =
        |[a, b]: [Vec3; 2], [c, d]: [Vec3; 2]| orientation(a, b, c) * orientation(a, b, d) < 0.0;
    (splits(leg, portal) && splits(portal, leg))
        || portal
            .iter()
            .any(|&end| distance_to_segment(leg, end) <= TOUCH_TOLERANCE)
        || leg
            .iter()
            .any(|&end| distance_to_segment(portal, end) <= TOUCH_TOLERANCE)
}

impl Path {
    /// Returns the waypoints with their polygons and areas. `mesh` must be the mesh on which the path was
    /// found.
    ///
    /// A leg is straight and stays in the corridor, so it touches the portals that it crosses, in order. A
    /// waypoint lies in the last polygon that contains it among those up to the first portal that the leg
    /// does not touch. The containment test is needed because a leg along a wall can touch a portal without
    /// crossing it.
    pub fn stops<'a>(&'a self, mesh: &'a NavMesh) -> impl Iterator<Item = Stop> + 'a {
        let (polygons, crossings) = (&self.corridor.polygons, &self.corridor.crossings);
        let mut links = self.links.iter().map(|leg| leg.waypoint as usize);
        let mut link = links.next();
        let (mut here, mut from) = (0, None);
        self.waypoints.iter().enumerate().map(move |(i, &point)| {
            let leg = [from.replace(point).unwrap_or(point), point];
            let contains =
                |polygon| distance_xz(mesh.nearest_on(polygon, point), point) <= TOUCH_TOLERANCE;
            // The polygons of the last waypoint and of a link's entry are known from the corridor.
            let is_known = i + 1 == self.waypoints.len() || link == Some(i);
            let mut next = here;
            while let Some(&Crossing::Portal(portal)) = crossings.get(next) {
                let ends = mesh.portal(portal).ends_from(polygons[next]);
                if !is_known && !segments_touch(leg, ends) {
                    break;
                }
                next += 1;
                if is_known || contains(polygons[next]) {
                    here = next;
                }
            }
            let polygon = polygons[here];
            if link == Some(i) {
                // The next waypoint is the other end of the link.
                link = links.next();
                here += 1;
                from = None;
            }
            Stop {
                point,
                polygon,
                area: mesh.area(polygon),
            }
        })
    }
}
