//! A corridor pulled taut: the funnel from link to link, and the ground between its corners.

use glam::Vec3;

use super::flips::{FlipBuffers, Flips};
use super::funnel::{Corner, Funnel};
use super::ground::{Line, stays_within};
use super::line::bends;
use super::stretch::Stretch;
use super::{Corridor, Crossing, LinkLeg, Path};
use crate::navmesh::NavMesh;

/// Buffers for pulling strings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    funnel: Funnel,
    corners: Vec<Corner>,
    breaks: Vec<(f64, f64)>,
    flips: FlipBuffers,
    pulled: Vec<Corner>,
}

impl Path {
    /// Sets the waypoints from `start` through the path's corridor to `goal`. Between corners more
    /// are set so that no break of the ground along the way is farther than `ground_tolerance`
    /// metres above or below; an infinite one sets corners only. With `flips` the corridor changes where
    /// the other side of a hole is shorter. The cost stays what the search found, which limits and distances go by.
    pub(crate) fn pull(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        ground_tolerance: f32,
        flips: Option<Flips<'_>>,
        strings: &mut Strings,
    ) {
        self.waypoints.clear();
        self.links.clear();
        self.waypoints.push(start);
        let mut from = start;
        let (mut first, mut end) = (0, 0);
        loop {
            let is_portal = |crossing: &Crossing| matches!(crossing, Crossing::Portal(_));
            let rest = &self.corridor.crossings[end..];
            end += rest
                .iter()
                .take_while(|crossing| is_portal(crossing))
                .count();
            let link = match self.corridor.crossings.get(end) {
                Some(&Crossing::Link(link, end)) => Some((link, usize::from(end))),
                _ => None,
            };
            let to = link.map_or(goal, |(link, end)| mesh.link(link).ends[end]);
            let ends = |i: usize| self.corridor.ends(mesh, first + i);
            let Strings {
                funnel, corners, ..
            } = strings;
            bends([from, to], end - first, ends, funnel, corners);
            if let Some(flips) = flips.filter(|_| !corners.is_empty()) {
                let mut stretch = Stretch {
                    mesh,
                    corridor: &mut self.corridor,
                    first,
                    end,
                    from,
                    to,
                    corners,
                    funnel,
                    pulled: &mut strings.pulled,
                };
                flips.run(&mut stretch, &mut strings.flips);
                end = stretch.end;
            }
            let walk = Walk {
                mesh,
                corridor: &self.corridor,
                first,
                end,
            };
            walk.set_waypoints([from, to], ground_tolerance, strings, &mut self.waypoints);
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

/// A part of a corridor without links, on the ground.
struct Walk<'a> {
    mesh: &'a NavMesh,
    corridor: &'a Corridor,
    /// Its crossings.
    first: usize,
    end: usize,
}

impl Walk<'_> {
    /// Appends the waypoints after `from` up to `to`, over the corners in `strings`.
    fn set_waypoints(
        &self,
        [from, to]: [Vec3; 2],
        ground_tolerance: f32,
        Strings {
            corners, breaks, ..
        }: &mut Strings,
        waypoints: &mut Vec<Vec3>,
    ) {
        corners.push(Corner {
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
            // Polygon `i` lies before crossing `i`.
            let last = corner.portal as usize;
            let ends = [here, corner.point];
            let under = polygons.get(next..=last).unwrap_or_default();
            (here, next) = (corner.point, last + 1);
            if stays_within(self.mesh, under, ends, ground_tolerance) {
                waypoints.push(corner.point);
                continue;
            }
            let mut line = Line::new(ends[0], corner.point, ground_tolerance, waypoints);
            for (i, &polygon) in (last + 1 - under.len()..).zip(under) {
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
