//! String pulling of a corridor: the funnel between links.

use glam::Vec3;

use super::flips::{FlipBuffers, Flips};
use super::funnel::{Funnel, PathCorner};
use super::ground::PolygonsBelow;
use super::line::find_bends;
use super::section::CorridorSection;
use super::{Crossing, LinkLeg, Path};
use crate::navmesh::NavMesh;

/// The buffers of [`Path::pull`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PullBuffers {
    funnel: Funnel,
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
        let (mut first, mut end) = (0, 0);
        loop {
            let is_portal = |crossing: &Crossing| matches!(crossing, Crossing::Portal(_));
            let remaining = &self.corridor.crossings[end..];
            end += remaining
                .iter()
                .take_while(|crossing| is_portal(crossing))
                .count();
            let link = match self.corridor.crossings.get(end) {
                Some(&Crossing::Link(link, end)) => Some((link, usize::from(end))),
                _ => None,
            };
            let to = link.map_or(goal, |(link, end)| mesh.link(link).ends[end]);
            let ends = |i: usize| self.corridor.ends(mesh, first + i);
            let PullBuffers {
                funnel, corners, ..
            } = buffers;
            find_bends([from, to], end - first, ends, funnel, corners);
            if let Some(flips) = flips.filter(|_| !corners.is_empty()) {
                let mut section = CorridorSection {
                    mesh,
                    corridor: &mut self.corridor,
                    first,
                    end,
                    from,
                    to,
                    corners,
                    funnel,
                    pulled: &mut buffers.pulled,
                };
                flips.run(&mut section, &mut buffers.flips);
                end = section.end;
            }
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
            end += 1;
            first = end;
        }
        self.follow_ground(mesh, ground_tolerance);
    }
}
