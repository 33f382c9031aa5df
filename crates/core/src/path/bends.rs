//! Waypoints of a path whose bends are known.

use glam::Vec3;

use super::funnel::PathCorner;
use super::waypoints::{GroundSection, PullBuffers};
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
        buffers: &mut PullBuffers,
    ) {
        self.waypoints.clear();
        self.links.clear();
        self.waypoints.push(start);
        let mut from = start;
        let mut first = 0;
        for section in bends.chunk_by(|_, next| next.link.is_none()) {
            let mut ground = section;
            if let [through_link, rest @ ..] = section
                && let Some(link) = through_link.link
            {
                let waypoint = self.waypoints.len() as u32 - 1;
                self.links.push(LinkLeg { waypoint, link });
                self.waypoints.push(through_link.point);
                (from, first, ground) = (through_link.point, through_link.polygon as usize, rest);
            }
            let Some((to, bends)) = ground.split_last() else {
                continue;
            };
            buffers.corners.clear();
            buffers.corners.extend(bends.iter().map(|bend| PathCorner {
                point: bend.point,
                portal: bend.polygon - first as u32,
            }));
            let section = GroundSection {
                mesh,
                corridor: &self.corridor,
                first,
                end: to.polygon as usize,
                bends_inside: true,
            };
            section.set_waypoints(
                [from, to.point],
                ground_tolerance,
                buffers,
                &mut self.waypoints,
            );
            (from, first) = (to.point, to.polygon as usize);
        }
    }
}
