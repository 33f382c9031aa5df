//! String pulling of a corridor: the funnel between links.

use glam::Vec3;

use super::directed::DirectedPortal;
use super::flips::{FlipBuffers, Flips};
use super::funnel::{Funnel, PathCorner};
use super::ground::PolygonsBelow;
use super::line::find_bends;
use super::section::CorridorSection;
use super::{LinkLeg, Path};
use crate::navmesh::NavMesh;

/// The buffers of [`Path::pull`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PullBuffers {
    funnel: Funnel,
    /// The crossings between two links.
    crossings: Vec<DirectedPortal>,
    corners: Vec<PathCorner>,
    flips: FlipBuffers,
    pulled: Vec<PathCorner>,
}

impl Path {
    /// Sets the waypoints from `start` through the path's corridor to `goal`. Adds waypoints between corners
    /// so that no [break](super::ground) of the ground is more than `ground_tolerance` metres above or below
    /// the path; an infinite tolerance adds none. With `flips`, the corridor is changed where passing a hole
    /// on the other side is shorter. The cost is not changed: limits and distances refer to the cost that
    /// the search found.
    pub(crate) fn pull(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        ground_tolerance: f32,
        flips: Option<Flips<'_>>,
        buffers: &mut PullBuffers,
    ) {
        self.waypoints.clear();
        self.links.clear();
        self.polygons_below.clear();
        self.waypoints.push(start);
        let mut from = start;
        let mut first = 0;
        loop {
            let PullBuffers {
                funnel,
                crossings,
                corners,
                ..
            } = buffers;
            let link = self.corridor.portals_from(mesh, first, crossings);
            let to = link.map_or(goal, |(link, end)| mesh.link(link).ends[end]);
            find_bends([from, to], mesh, crossings, funnel, corners);
            let is_among_pieces = || crossings.iter().any(|one| mesh.is_of_piece(one.portal()));
            let can_flip = !corners.is_empty() && (!mesh.has_obstacles() || !is_among_pieces());
            if let Some(flips) = flips.filter(|_| can_flip) {
                let count = crossings.len();
                let mut section = CorridorSection {
                    mesh,
                    crossings,
                    is_changed: false,
                    from,
                    to,
                    corners,
                    funnel,
                    pulled: &mut buffers.pulled,
                };
                flips.run(&mut section, &mut buffers.flips);
                if section.is_changed {
                    self.corridor
                        .replace_portals(mesh, first..first + count, section.crossings);
                }
            }
            let end = first + buffers.crossings.len();
            let mut below = first as u32;
            for corner in &buffers.corners {
                // Polygon `i` is before crossing `i`.
                let last = first as u32 + corner.portal;
                self.waypoints.push(corner.point);
                self.polygons_below.push(PolygonsBelow::new(below, last));
                below = last + 1;
            }
            self.waypoints.push(to);
            self.polygons_below
                .push(PolygonsBelow::new(below, end as u32));
            let Some((link, side)) = link else { break };
            let waypoint = self.waypoints.len() as u32 - 1;
            self.links.push(LinkLeg { waypoint, link });
            from = mesh.link(link).ends[1 - side];
            self.waypoints.push(from);
            self.polygons_below.push(PolygonsBelow::NONE);
            first = end + 1;
        }
        self.follow_ground(mesh, ground_tolerance);
    }
}
