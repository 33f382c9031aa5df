//! Additional waypoints that keep a path on the ground between its corners.
//!
//! A straight line between two corners cuts through hills and floats above dips. The ground along the line
//! is a polyline with breaks where the line crosses a portal or an edge of a polygon's surface. A subset of
//! these breaks is enough to stay within a tolerance of all of them. The "swinging door" algorithm selects
//! it: it tracks the range of slopes that are still within the tolerance and adds a waypoint when the range
//! becomes empty.

use glam::Vec3;

use super::breaks::{Breaks, GroundLine};
use super::{LinkLeg, Path};
use crate::World;
use crate::geometry::lerp;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// The polygons below a leg: a range of the corridor, which may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PolygonsBelow {
    first: u32,
    /// The end of the range.
    end: u32,
}

impl PolygonsBelow {
    /// A leg that uses a link.
    pub(super) const NONE: Self = Self { first: 0, end: 0 };

    pub(super) fn new(first: u32, last: u32) -> Self {
        Self {
            first,
            end: last + 1,
        }
    }
}

/// Ground-following waypoints, and what is computed on the way to them.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundBuffers {
    points: Vec<Vec3>,
    /// Where the current leg crosses portals: as a fraction of the leg, and the point of the portal. `None` if
    /// they are parallel.
    crossings: Vec<Option<(f64, Vec3)>>,
    /// The breaks below the current polygon of a leg, and below the next one.
    here: Breaks,
    next: Breaks,
}

impl Path {
    /// Returns the polygon that the path enters at the end of a leg, or the last polygon below the leg if it ends at the
    /// goal or at a link. Returns `None` if the path has no corridor or no such leg, or if it follows the ground.
    pub(crate) fn polygon_after_leg(&self, leg: usize) -> Option<PolygonId> {
        let below = self.polygons_below.get(leg)?;
        // The next leg begins at the same crossing, unless a link or the goal is in between.
        let next = self.polygons_below.get(leg + 1);
        let enters =
            next.is_some_and(|next| next.first == below.end && *next != PolygonsBelow::NONE);
        let polygon = if enters {
            below.end
        } else {
            below.end.checked_sub(1)?
        };
        self.corridor.polygons.get(polygon as usize).copied()
    }

    /// Returns waypoints that follow the ground: the corners of the path, and points between them so that no
    /// break of the ground is more than `tolerance` metres above or below the path. A smaller tolerance adds more
    /// points; 0.2 is about the precision of voxelization.
    ///
    /// The result is kept in the path until the next call, so nothing is allocated once the path has grown. If
    /// the waypoints of the path follow the ground already, or if the path has no
    /// [corridor](crate::Query::corridor), they are returned as they are.
    ///
    /// # Panics
    /// May panic if `world` is not the one in which the path was found.
    pub fn on_ground(&mut self, world: &World, tolerance: f32) -> &[Vec3] {
        self.ground.points.clear();
        self.ground.points.extend(self.waypoints.first());
        for leg in 1..self.waypoints.len() {
            self.write_leg(world.mesh(), leg - 1, tolerance);
        }
        &self.ground.points
    }

    /// Returns the part of [`on_ground`](Self::on_ground) that belongs to one leg, from waypoint `leg` to
    /// waypoint `leg + 1`, both included. An agent needs only the legs that it will walk soon.
    ///
    /// # Panics
    /// Panics if the path has no such leg. May panic if `world` is not the one in which the path was found.
    pub fn leg_on_ground(&mut self, world: &World, leg: usize, tolerance: f32) -> &[Vec3] {
        self.ground.points.clear();
        self.ground.points.push(self.waypoints[leg]);
        self.write_leg(world.mesh(), leg, tolerance);
        &self.ground.points
    }

    /// Replaces the corners by waypoints that follow the ground, unless the tolerance is infinite.
    pub(super) fn follow_ground(&mut self, mesh: &NavMesh, tolerance: f32) {
        if tolerance == f32::INFINITY {
            return;
        }
        self.ground.points.clear();
        self.ground.points.extend(self.waypoints.first());
        let mut link = 0;
        for leg in 1..self.waypoints.len() {
            let begins_here = |link: &&mut LinkLeg| link.waypoint as usize == leg - 1;
            if let Some(next) = self.links.get_mut(link).filter(begins_here) {
                next.waypoint = self.ground.points.len() as u32 - 1;
                link += 1;
            }
            self.write_leg(mesh, leg - 1, tolerance);
        }
        std::mem::swap(&mut self.waypoints, &mut self.ground.points);
        self.polygons_below.clear();
    }

    /// Appends the waypoints after the beginning of a leg.
    fn write_leg(&mut self, mesh: &NavMesh, leg: usize, tolerance: f32) {
        let ends = [self.waypoints[leg], self.waypoints[leg + 1]];
        let below = self.polygons_below.get(leg);
        let below = below.map_or(0..0, |below| below.first as usize..below.end as usize);
        let polygons = self
            .corridor
            .polygons
            .get(below.clone())
            .unwrap_or_default();
        let GroundBuffers {
            points,
            crossings,
            here,
            next,
        } = &mut self.ground;
        if stays_within(mesh, polygons, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let line = GroundLine::new(ends);
        crossings.clear();
        let portals = below.start..below.start + polygons.len().saturating_sub(1);
        crossings.extend(portals.map(|i| line.crossing(self.corridor.ends(mesh, i))));
        if is_straight(mesh, polygons, crossings, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let mut fit = GroundFit::new(ends, tolerance, points);
        let smooth_relief = |polygon: PolygonId| {
            let relief = mesh.height_range(polygon).relief;
            Some(f64::from(relief)).filter(|_| relief <= tolerance * SMOOTH)
        };
        here.polygon = None;
        for (i, &polygon) in polygons.iter().enumerate() {
            let portal = crossings.get(i).copied().flatten();
            let from = fit.reached() + line.same;
            if portal.is_some_and(|(at, _)| at <= from) {
                // The leg only touches this polygon, where it turns around a corner.
                continue;
            }
            let relief = smooth_relief(polygon);
            if relief.is_none() {
                here.find(&line, mesh, polygon);
                // The breaks at the portals themselves are passed with the heights of both sides.
                let until = portal.map_or(1.0, |(at, _)| at) - line.same;
                let inside = |&&(at, _): &&(f64, f64)| at > from && at < until;
                for &(at, height) in here.list.iter().filter(inside) {
                    fit.pass(at, height, 0.0);
                }
            }
            let (Some((at, point)), Some(&beyond)) = (portal, polygons.get(i + 1)) else {
                continue;
            };
            let relief_beyond = smooth_relief(beyond);
            let relief_of_both = relief.unwrap_or(0.0).max(relief_beyond.unwrap_or(0.0));
            let is_plain = |side: PolygonId| !mesh.has_finer_surface(side);
            if (relief.is_some() || is_plain(polygon))
                && (relief_beyond.is_some() || is_plain(beyond))
            {
                // The height of a portal is halfway up at a step.
                fit.pass(at, f64::from(point.y), relief_of_both);
                continue;
            }
            next.polygon = None;
            if relief_beyond.is_none() {
                next.find(&line, mesh, beyond);
            }
            let sides = [(&*here, polygon, relief), (&*next, beyond, relief_beyond)];
            let [a, b] = sides.map(|(breaks, side, relief)| {
                if relief.is_some() {
                    return f64::from(point.y);
                }
                let height = breaks.height_at(at, line.same);
                height.unwrap_or_else(|| f64::from(mesh.height_at(side, point)))
            });
            fit.pass(at, (a + b) / 2.0, relief_of_both);
            std::mem::swap(here, next);
        }
        fit.finish();
    }
}

/// The ground of a polygon is smooth if its relief is at most this part of the tolerance. Then its breaks are
/// not computed. Instead, the path must be that much closer to the ground where it enters and leaves.
const SMOOTH: f32 = 0.25;

/// A straight line between two corners that is being fitted to the ground.
struct GroundFit<'a> {
    from: Vec3,
    to: Vec3,
    tolerance: f64,
    /// The last waypoint: its position as a fraction of the line, and its height.
    anchor: (f64, f64),
    /// The last break, as fraction and height. A straight line from the anchor can end here.
    candidate: Option<(f64, f64)>,
    /// The range of slopes from the anchor that stay within the tolerance of all breaks since. [Units: m
    /// per full line]
    slopes: (f64, f64),
    waypoints: &'a mut Vec<Vec3>,
}

impl<'a> GroundFit<'a> {
    fn new([from, to]: [Vec3; 2], tolerance: f32, waypoints: &'a mut Vec<Vec3>) -> Self {
        Self {
            from,
            to,
            tolerance: f64::from(tolerance),
            anchor: (0.0, f64::from(from.y)),
            candidate: None,
            slopes: (f64::NEG_INFINITY, f64::INFINITY),
            waypoints,
        }
    }

    /// Ends the line and adds its last waypoint.
    fn finish(mut self) {
        self.pass(1.0, f64::from(self.to.y), 0.0);
        self.waypoints.push(self.to);
    }

    /// Returns the fraction of the line up to which breaks have been added.
    fn reached(&self) -> f64 {
        self.candidate
            .map_or(self.anchor.0, |candidate| candidate.0)
    }

    /// Adds a break of the ground at fraction `at` of the line. There, the path must be closer to it than the
    /// tolerance by `relief`.
    #[inline]
    fn pass(&mut self, at: f64, height: f64, relief: f64) {
        // This also rejects breaks that are behind, beyond the end, or NaN.
        if !(at > self.reached() && at <= 1.0) {
            return;
        }
        let mut per_length = 1.0 / (at - self.anchor.0);
        let direct = (height - self.anchor.1) * per_length;
        if let Some(candidate) = self.candidate
            && !(self.slopes.0..=self.slopes.1).contains(&direct)
        {
            let point = lerp(self.from, self.to, candidate.0);
            self.waypoints.push(point.with_y(candidate.1 as f32));
            self.anchor = candidate;
            self.slopes = (f64::NEG_INFINITY, f64::INFINITY);
            per_length = 1.0 / (at - self.anchor.0);
        }
        self.candidate = Some((at, height));
        let rise = height - self.anchor.1;
        let slope = |height: f64| height * per_length;
        let tolerance = self.tolerance - relief;
        self.slopes.0 = self.slopes.0.max(slope(rise - tolerance));
        self.slopes.1 = self.slopes.1.min(slope(rise + tolerance));
    }
}

/// Returns whether the ground of these polygons stays within the tolerance of every point of the line. If
/// it does, no breaks need to be computed.
fn stays_within(
    mesh: &NavMesh,
    polygons: &[PolygonId],
    [from, to]: [Vec3; 2],
    tolerance: f32,
) -> bool {
    let (low, high) = (from.y.max(to.y) - tolerance, from.y.min(to.y) + tolerance);
    polygons.iter().all(|&polygon| {
        let heights = mesh.height_range(polygon);
        heights.lowest >= low && heights.highest <= high
    })
}

/// Returns whether a straight line stays within the tolerance of the ground. This is certain if its distance from
/// the portals that it crosses is less than the tolerance, by the relief of the polygons on both sides.
fn is_straight(
    mesh: &NavMesh,
    polygons: &[PolygonId],
    crossings: &[Option<(f64, Vec3)>],
    [from, to]: [Vec3; 2],
    tolerance: f32,
) -> bool {
    let relief = |polygon: PolygonId| mesh.height_range(polygon).relief;
    let (start, rise) = (f64::from(from.y), f64::from(to.y) - f64::from(from.y));
    polygons.iter().all(|&polygon| relief(polygon) <= tolerance)
        && crossings
            .iter()
            .zip(polygons.windows(2))
            .all(|(crossing, sides)| {
                crossing.is_some_and(|(at, point)| {
                    let above = f64::from(point.y) - (start + rise * at.clamp(0.0, 1.0));
                    let relief = relief(sides[0]).max(relief(sides[1]));
                    above.abs() + f64::from(relief) <= f64::from(tolerance)
                })
            })
}
