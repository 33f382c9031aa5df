//! A corridor pulled taut: the funnel from link to link, and the ground between its corners.

use glam::Vec3;

use super::funnel::{Corner, Funnel};
use super::ground::{Line, stays_within};
use super::{Crossing, LinkLeg, Path};
use crate::geometry::{between, distance_squared_xz, nearest_share};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// Buffers for pulling strings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    funnel: Funnel,
    corners: Vec<Corner>,
    breaks: Vec<(f64, f64)>,
}

impl Path {
    /// Sets the waypoints from `start` through the path's corridor to `goal`. Between corners more
    /// are set so that no break of the ground along the way is farther than `ground_tolerance`
    /// metres above or below; an infinite one sets corners only.
    pub(crate) fn pull(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        ground_tolerance: f32,
        strings: &mut Strings,
    ) {
        self.waypoints.clear();
        self.links.clear();
        self.waypoints.push(start);
        let mut from = start;
        let mut first = 0;
        for i in 0..=self.corridor.crossings.len() {
            let link = match self.corridor.crossings.get(i) {
                Some(Crossing::Portal(_)) => continue,
                Some(&Crossing::Link(link, end)) => Some((link, usize::from(end))),
                None => None,
            };
            let to = link.map_or(goal, |(link, end)| mesh.link(link).ends[end]);
            let stretch = Stretch {
                mesh,
                polygons: &self.corridor.polygons[first..=i],
                crossings: &self.corridor.crossings[first..i],
            };
            stretch.pull(from, to, ground_tolerance, strings, &mut self.waypoints);
            if let Some((link, end)) = link {
                let waypoint = self.waypoints.len() as u32 - 1;
                self.links.push(LinkLeg { waypoint, link });
                from = mesh.link(link).ends[1 - end];
                self.waypoints.push(from);
                first = i + 1;
            }
        }
    }
}

/// A part of a corridor without links.
struct Stretch<'a> {
    mesh: &'a NavMesh,
    polygons: &'a [PolygonId],
    crossings: &'a [Crossing],
}

impl Stretch<'_> {
    /// Right and left end of crossing `i`.
    fn ends(&self, i: usize) -> [Vec3; 2] {
        let Crossing::Portal(portal) = self.crossings[i] else {
            unreachable!("a stretch ends at the first link");
        };
        self.mesh.portal(portal).ends_from(self.polygons[i])
    }

    /// Appends the waypoints after `from` up to `to`.
    fn pull(
        &self,
        from: Vec3,
        to: Vec3,
        ground_tolerance: f32,
        strings: &mut Strings,
        waypoints: &mut Vec<Vec3>,
    ) {
        let Strings {
            funnel,
            corners,
            breaks,
        } = strings;
        corners.clear();
        let count = self.crossings.len();
        // Portals on which the line begins or ends do not bend it. Left in, they would: by rounding,
        // a point on a portal lies behind it as often as not.
        let first = (0..count)
            .take_while(|&i| lies_on(from, self.ends(i)))
            .count();
        let last = (first..count)
            .rev()
            .take_while(|&i| lies_on(to, self.ends(i)))
            .count();
        let portals = first..count - last;
        funnel.pull(from, to, portals.map(|i| self.ends(i)), corners);
        corners
            .iter_mut()
            .for_each(|corner| corner.portal += first as u32);
        corners.push(Corner {
            point: to,
            portal: count as u32,
        });
        if ground_tolerance == f32::INFINITY {
            waypoints.extend(corners.iter().map(|corner| corner.point));
            return;
        }
        let mut here = from;
        let mut next = 0;
        for corner in corners.iter() {
            // Polygon `i` lies before crossing `i`.
            let last = corner.portal as usize;
            let ends = [here, corner.point];
            let under = self.polygons.get(next..=last).unwrap_or_default();
            (here, next) = (corner.point, last + 1);
            if stays_within(self.mesh, under, ends, ground_tolerance) {
                waypoints.push(corner.point);
                continue;
            }
            let mut line = Line::new(ends[0], corner.point, ground_tolerance, waypoints);
            for (i, &polygon) in (last + 1 - under.len()..).zip(under) {
                let crossing = (i < last)
                    .then(|| [self.polygons[i], self.polygons[i + 1]])
                    .and_then(|sides| line.crossing(self.mesh, self.ends(i), sides));
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

/// Whether a point is on a portal, seen from above and as far as rounding can tell.
fn lies_on(point: Vec3, [right, left]: [Vec3; 2]) -> bool {
    let nearest = between(right, left, nearest_share(right, left, point));
    let rounding =
        8.0 * f64::from(f32::EPSILON) * f64::from(point.x.abs().max(point.z.abs()).max(1.0));
    distance_squared_xz(nearest, point) <= rounding * rounding
}
