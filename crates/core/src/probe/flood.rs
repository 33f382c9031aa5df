//! The polygons around a location: those that are connected with it inside a circle.

use glam::Vec3;

use super::line::distance_squared;
use super::{Probe, ProbeScratch};
use crate::ids::PolygonId;
use crate::navmesh::Location;

impl Probe<'_> {
    /// Sets `polygons` to the polygons that are connected with a location inside a circle around it, in plan.
    /// [Units: m] The first is the polygon of the location. An open polygon is connected if a portal that comes
    /// within the circle leads to it from a connected one. So every polygon has a point in the circle, and
    /// ground behind a wall or on another floor is left out, unless it is connected inside the circle, too.
    /// Polygons with fewer portals to pass come first, and then those whose portal has the lower id.
    ///
    /// The list is empty if the location is not finite or the radius is negative or not a number. Time is in
    /// proportion to the number of polygons.
    pub fn polygons_within(
        &self,
        at: Location,
        radius: f32,
        scratch: &mut ProbeScratch,
        polygons: &mut Vec<PolygonId>,
    ) {
        polygons.clear();
        if self.flood(at, radius, scratch) {
            polygons.extend(scratch.queue.iter().map(|&(polygon, _)| polygon));
        }
    }

    /// Sets the queue of `scratch` to the polygons that are connected with a location inside a circle. Returns
    /// false if there is no such circle.
    pub(super) fn flood(&self, at: Location, radius: f32, scratch: &mut ProbeScratch) -> bool {
        let is_valid = at.point.is_finite() && radius >= 0.0;
        if is_valid {
            let radius = f64::from(radius);
            self.flood_circle(at.polygon, at.point, radius * radius, scratch, |_, _| true);
        }
        is_valid
    }

    /// Floods the polygons that are connected with a polygon inside a circle. Calls `visit` with each of them
    /// and its index in the queue, until it returns false.
    #[inline]
    pub(super) fn flood_circle(
        &self,
        from: PolygonId,
        centre: Vec3,
        max_distance_squared: f64,
        scratch: &mut ProbeScratch,
        mut visit: impl FnMut(PolygonId, usize) -> bool,
    ) {
        scratch.begin(self.mesh.polygon_slots(), from);
        let mut next = 0;
        while let Some(&(polygon, _)) = scratch.queue.get(next) {
            if !visit(polygon, next) {
                return;
            }
            for &portal in self.mesh.portals_of(polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(polygon);
                let distance = distance_squared([portal.right, portal.left], centre);
                if distance <= max_distance_squared && self.is_open(beyond) {
                    scratch.reach(beyond, next as u32);
                }
            }
            next += 1;
        }
    }
}
