//! The polygon of each waypoint.

use glam::Vec3;

use super::{Crossing, Path};
use crate::geometry::{distance_xz, lerp, nearest_fraction, orientation};
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

/// What counts as touching: more than waypoints are rounded by. [Units: m]
const ROUNDING: f64 = 1e-4;

/// The distance in plan between a point and a line between two others.
fn aside([a, b]: [Vec3; 2], point: Vec3) -> f64 {
    distance_xz(lerp(a, b, nearest_fraction(a, b, point)), point)
}

/// Whether two lines touch or cross, in plan.
fn touch(leg: [Vec3; 2], portal: [Vec3; 2]) -> bool {
    let splits =
        |[a, b]: [Vec3; 2], [c, d]: [Vec3; 2]| orientation(a, b, c) * orientation(a, b, d) < 0.0;
    (splits(leg, portal) && splits(portal, leg))
        || portal.iter().any(|&end| aside(leg, end) <= ROUNDING)
        || leg.iter().any(|&end| aside(portal, end) <= ROUNDING)
}

impl Path {
    /// The waypoints with their polygons and areas. `mesh` is the one that the path was found on.
    ///
    /// A leg is straight and stays in the corridor, so it touches the portals that it passes, one after the
    /// other. Of the polygons up to the first portal that it does not touch, a waypoint lies in the last one
    /// that holds it: a leg along a wall can touch a portal without passing it.
    pub fn stops<'a>(&'a self, mesh: &'a NavMesh) -> impl Iterator<Item = Stop> + 'a {
        let (polygons, crossings) = (&self.corridor.polygons, &self.corridor.crossings);
        let mut links = self.links.iter().map(|leg| leg.waypoint as usize);
        let mut link = links.next();
        let (mut here, mut from) = (0, None);
        self.waypoints.iter().enumerate().map(move |(i, &point)| {
            let leg = [from.replace(point).unwrap_or(point), point];
            let holds = |polygon| distance_xz(mesh.nearest_on(polygon, point), point) <= ROUNDING;
            // The last waypoint and the beginning of a link lie in a known polygon.
            let is_known = i + 1 == self.waypoints.len() || link == Some(i);
            let mut next = here;
            while let Some(&Crossing::Portal(portal)) = crossings.get(next) {
                let ends = mesh.portal(portal).ends_from(polygons[next]);
                if !is_known && !touch(leg, ends) {
                    break;
                }
                next += 1;
                if is_known || holds(polygons[next]) {
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
