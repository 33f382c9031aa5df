//! Waypoints of a path whose bends are known.

use glam::Vec3;

use super::ground::PolygonsBelow;
use super::{LinkLeg, Path};
use crate::ids::LinkId;
use crate::navmesh::NavMesh;

/// A point where a path bends, or its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bend {
    pub(crate) point: Vec3,
    /// The last polygon of the leg that ends here, as an index into the corridor. The next leg begins there.
    pub(crate) polygon: u32,
    /// The off-mesh link that this leg uses, if any.
    pub(crate) link: Option<LinkId>,
}

impl Path {
    /// Sets the waypoints from `start` over the bends of the path's corridor, the last of which is the goal.
    /// Adds waypoints between them so that no [break](super::ground) of the ground is more than
    /// `ground_tolerance` metres above or below the path.
    pub(crate) fn bend(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        bends: &[Bend],
        ground_tolerance: f32,
    ) {
        self.waypoints.clear();
        self.links.clear();
        self.polygons_below.clear();
        self.waypoints.push(start);
        let mut first = 0;
        for bend in bends {
            let below = match bend.link {
                None => PolygonsBelow::new(first, bend.polygon),
                Some(link) => {
                    let waypoint = self.waypoints.len() as u32 - 1;
                    self.links.push(LinkLeg { waypoint, link });
                    PolygonsBelow::NONE
                }
            };
            self.waypoints.push(bend.point);
            self.polygons_below.push(below);
            first = bend.polygon;
        }
        self.follow_ground(mesh, ground_tolerance);
    }
}
