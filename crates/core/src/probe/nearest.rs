//! The nearest point of the mesh.

use glam::Vec3;

use super::Probe;
use crate::ids::PolygonId;
use crate::navmesh::Location;

impl Probe<'_> {
    /// Finds the open polygon nearest to a position, within the box that extends `snap` to each side of it.
    /// [Units: m] [`NavMesh::locate`](crate::NavMesh::locate) has the rule.
    pub fn nearest(&self, position: Vec3, snap: Vec3) -> Option<Location> {
        self.mesh
            .locate(position, snap, |polygon| self.is_open(polygon))
    }

    /// Finds the polygon nearest to a position among the open ones for which `filter` returns `true`. It is at
    /// most `radius` away, in space; an infinite radius searches the whole mesh. [Units: m]
    ///
    /// Each polygon stands for its point that is nearest in plan: straight below or above the position, or
    /// else on the border. The polygon whose point is nearest in space is the answer, and the lower id among
    /// equals. Returns `None` if there is none, if the position is not finite, or if the radius is not a
    /// number.
    pub fn nearest_within(
        &self,
        position: Vec3,
        radius: f32,
        filter: impl Fn(PolygonId) -> bool,
    ) -> Option<Location> {
        let allowed = |polygon| self.is_open(polygon) && filter(polygon);
        // The nearest point in the box around the sphere is in the sphere, unless no point is.
        let location = self.mesh.locate(position, Vec3::splat(radius), allowed)?;
        let distance = location.point.as_dvec3().distance(position.as_dvec3());
        (distance <= f64::from(radius)).then_some(location)
    }
}
