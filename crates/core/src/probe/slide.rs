//! Moves along the ground, sliding along walls.

use glam::Vec3;

use super::{Probe, ProbeScratch};
use crate::geometry::{distance_squared_xz, distance_xz, lerp, nearest_fraction};
use crate::ids::PolygonId;
use crate::navmesh::Location;

/// What a slide may exceed its circle by, as in Detour. [Units: m]
const MARGIN: f64 = 1e-3;

impl Probe<'_> {
    /// Moves an agent from a location towards a target and returns where it gets to. Where the target is not
    /// on the ground that the agent can walk on, the agent slides along the walls, closer to the target. It
    /// never leaves the mesh, and it gets to another floor only where portals lead there. This is the
    /// counterpart of Detour's `moveAlongSurface`.
    ///
    /// The result is the point nearest to the target in plan, on any of the polygons that are connected with
    /// the polygon of `from` inside the circle whose diameter runs from `from` to the target. That is, an
    /// open polygon takes part if a portal leads to it from a polygon that takes part and the portal comes
    /// within the circle, grown by a millimetre. Among equally near points, the polygon with the fewest
    /// portals from that of `from` has the result, and of these the one that is found first in the order of
    /// portals. The height of the target does not matter.
    ///
    /// The polygon of `from` takes part even if it is closed, so an agent can leave ground that was closed
    /// under its feet. A target that is not finite gives `from`. Time is in proportion to the polygons that
    /// take part, which are a few if the target is as far away as an agent gets in one frame.
    ///
    /// ```
    /// # use glam::vec3;
    /// # use portolan_core::{DEFAULT_SNAP, NavMeshOptions, ProbeScratch, World};
    /// # let raw = portolan_scenes::WorldScene::Rooms.build(&Default::default());
    /// # let world = World::build(raw, &NavMeshOptions::default())?;
    /// # let probe = world.probe();
    /// # let position = world.mesh().centre(portolan_core::PolygonId(0));
    /// let mut scratch = ProbeScratch::new();
    /// let mut agent = probe.nearest(position, DEFAULT_SNAP).expect("on the mesh");
    /// for frame in 0..600 {
    ///     // 3 m/s to the east. In the end the agent stands at a wall.
    ///     agent = probe.slide(agent, agent.point + vec3(0.05, 0.0, 0.0), &mut scratch);
    /// }
    /// assert!(world.mesh().contains_xz(agent.polygon, agent.point));
    /// # Ok::<(), portolan_core::NavMeshError>(())
    /// ```
    pub fn slide(&self, from: Location, target: Vec3, scratch: &mut ProbeScratch) -> Location {
        let mesh = self.mesh;
        if !target.is_finite() || !from.point.is_finite() {
            scratch.trail.clear();
            scratch.trail.push(from.polygon);
            return from;
        }
        if mesh.contains_xz(from.polygon, target) {
            scratch.trail.clear();
            scratch.trail.push(from.polygon);
            return self.at(from.polygon, target);
        }
        let centre = lerp(from.point, target, 0.5);
        let radius = distance_xz(from.point, target) / 2.0 + MARGIN;
        let mut nearest = (f64::INFINITY, 0, target);
        self.flood_circle(
            from.polygon,
            centre,
            radius * radius,
            scratch,
            |polygon, index| {
                let (distance, point) = self.nearest_in_plan(polygon, target);
                if distance < nearest.0 {
                    nearest = (distance, index, point);
                }
                distance > 0.0
            },
        );
        let (_, index, point) = nearest;
        scratch.set_trail(index);
        self.at(scratch.queue[index].0, point)
    }

    /// Returns the point of a polygon nearest to a position in plan, and the square of its distance. The
    /// height of the point is unknown.
    fn nearest_in_plan(&self, polygon: PolygonId, position: Vec3) -> (f64, Vec3) {
        if self.mesh.contains_xz(polygon, position) {
            return (0.0, position);
        }
        let mut nearest = (f64::INFINITY, position);
        for [a, b] in self.mesh.borders(polygon) {
            let point = lerp(a, b, nearest_fraction(a, b, position));
            let distance = distance_squared_xz(point, position);
            if distance < nearest.0 {
                nearest = (distance, point);
            }
        }
        nearest
    }

    /// Returns the location on a polygon that is nearest to a position in plan.
    pub(super) fn nearest_on(&self, polygon: PolygonId, position: Vec3) -> Location {
        let (_, point) = self.nearest_in_plan(polygon, position);
        self.at(polygon, point)
    }

    /// Returns the location above or below a point of a polygon.
    fn at(&self, polygon: PolygonId, point: Vec3) -> Location {
        let point = self.on_ground(polygon, point);
        Location { polygon, point }
    }
}
