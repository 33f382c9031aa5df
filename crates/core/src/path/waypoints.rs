//! String pulling of a corridor: the funnel between links, and the ground between its corners.

use glam::Vec3;

use super::flips::{FlipBuffers, Flips};
use super::funnel::{Funnel, PathCorner};
use super::ground::{GroundLine, stays_within};
use super::line::find_bends;
use super::section::CorridorSection;
use super::{Corridor, Crossing, LinkLeg, Path};
use crate::navmesh::NavMesh;

/// The buffers of [`Path::pull`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PullBuffers {
    funnel: Funnel,
    pub(super) corners: Vec<PathCorner>,
    breaks: Vec<(f64, f64)>,
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
            let ground = GroundSection {
                mesh,
                corridor: &self.corridor,
                first,
                end,
                bends_inside: false,
            };
            ground.set_waypoints([from, to], ground_tolerance, buffers, &mut self.waypoints);
            let Some((link, side)) = link else { break };
            let waypoint = self.waypoints.len() as u32 - 1;
            self.links.push(LinkLeg { waypoint, link });
            from = mesh.link(link).ends[1 - side];
            self.waypoints.push(from);
            end += 1;
            first = end;
        }
    }
}

/// A section of a corridor without links.
pub(super) struct GroundSection<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) corridor: &'a Corridor,
    /// The range `first..end` of its crossings in the corridor.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Whether the path may bend inside a polygon, which then is below both legs. Otherwise it bends at
    /// portals.
    pub(super) bends_inside: bool,
}

impl GroundSection<'_> {
    /// Appends the waypoints after `from` up to `to`, over the corners in the buffers.
    pub(super) fn set_waypoints(
        &self,
        [from, to]: [Vec3; 2],
        ground_tolerance: f32,
        PullBuffers {
            corners, breaks, ..
        }: &mut PullBuffers,
        waypoints: &mut Vec<Vec3>,
    ) {
        corners.push(PathCorner {
            point: to,
            portal: (self.end - self.first) as u32,
        });
        if ground_tolerance == f32::INFINITY {
            waypoints.extend(corners.iter().map(|corner| corner.point));
            return;
        }
        let polygons = &self.corridor.polygons[self.first..=self.end];
        let mut here = from;
        let mut next = 0;
        for corner in corners.iter() {
            // Polygon `i` is before crossing `i`.
            let last = corner.portal as usize;
            let ends = [here, corner.point];
            let polygons_below = polygons.get(next..=last).unwrap_or_default();
            (here, next) = (corner.point, last + usize::from(!self.bends_inside));
            if stays_within(self.mesh, polygons_below, ends, ground_tolerance) {
                waypoints.push(corner.point);
                continue;
            }
            let mut line = GroundLine::new(ends[0], corner.point, ground_tolerance, waypoints);
            for (i, &polygon) in (last + 1 - polygons_below.len()..).zip(polygons_below) {
                let crossing =
                    (i < last)
                        .then(|| [polygons[i], polygons[i + 1]])
                        .and_then(|sides| {
                            let portal = self.corridor.ends(self.mesh, self.first + i);
                            line.crossing(self.mesh, portal, sides)
                        });
                let until = crossing.map_or(1.0, |(at, _)| at);
                line.pass_over(self.mesh, polygon, until, breaks);
                if let Some((at, height)) = crossing {
                    line.pass(at, height);
                }
            }
            line.finish();
        }
    }
}
