//! Additional waypoints that keep a path on the ground between its corners.
//!
//! A straight line between two corners cuts through hills and floats above dips. The ground along the line
//! is a polyline with breaks where the line crosses a portal or an edge of a polygon's surface. A subset of
//! these breaks is enough to stay within a tolerance of all of them. The "swinging door" algorithm selects
//! it: it tracks the range of slopes that are still within the tolerance and adds a waypoint when the range
//! becomes empty.

use glam::Vec3;

use super::breaks::{Breaks, GroundLine, PortalBelow};
use super::{LinkLeg, Path};
use crate::World;
use crate::geometry::lerp;
use crate::ids::PolygonId;
use crate::navmesh::{NavMesh, PointsByLine};

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
    /// Where the current leg crosses portals.
    crossings: Vec<PortalBelow>,
    /// The breaks below the current polygon of a leg, and below the next one.
    here: Breaks,
    next: Breaks,
    /// Made when it is first needed.
    places: Option<Box<PointsByLine>>,
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
            places,
        } = &mut self.ground;
        if stays_within(mesh, polygons, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let line = GroundLine::new(ends);
        crossings.clear();
        for i in 1..polygons.len() {
            let portal = self.corridor.ends(mesh, below.start + i - 1);
            crossings.push(line.crossing(portal));
        }
        if is_straight(mesh, polygons, crossings, &line, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let places = places.get_or_insert_default();
        let mut fit = GroundFit::new(ends, tolerance, points);
        let smooth_relief = |polygon: PolygonId| {
            let relief = mesh.height_range(polygon).relief;
            (relief <= tolerance * SMOOTH).then(|| f64::from(relief))
        };
        let (mut here, mut next) = (here, next);
        here.polygon = None;
        for (i, &polygon) in polygons.iter().enumerate() {
            let portal = crossings.get(i).copied().unwrap_or(PortalBelow::NONE);
            let from = fit.reached() + line.same;
            if portal.at <= from {
                // The leg only touches this polygon, where it turns around a corner.
                continue;
            }
            let relief = smooth_relief(polygon);
            if relief.is_none() {
                here.find(&line, mesh, polygon, places);
                // The breaks at the portals themselves are passed with the heights of both sides.
                let until = portal.at.min(1.0) - line.same;
                for &(at, height) in &here.list {
                    if at > from && at < until {
                        fit.pass(at, height, 0.0);
                    }
                }
            }
            let Some(&beyond) = polygons.get(i + 1).filter(|_| portal.at <= 1.0) else {
                continue;
            };
            let at = portal.at;
            let relief_beyond = smooth_relief(beyond);
            let relief_of_both = relief.unwrap_or(0.0).max(relief_beyond.unwrap_or(0.0));
            let is_plain = |side: PolygonId| !mesh.has_finer_surface(side);
            if (relief.is_some() || is_plain(polygon))
                && (relief_beyond.is_some() || is_plain(beyond))
            {
                // The height of a portal is halfway up at a step.
                fit.pass(at, portal.height, relief_of_both);
                continue;
            }
            next.polygon = None;
            if relief_beyond.is_none() {
                next.find(&line, mesh, beyond, places);
            }
            let ground = |side: PolygonId| {
                let [right, left] = self.corridor.ends(mesh, below.start + i);
                f64::from(mesh.height_at(side, lerp(right, left, portal.share)))
            };
            let a = match relief {
                Some(_) => portal.height,
                None => {
                    let height = here.height_at_exit(at, line.same);
                    height.unwrap_or_else(|| ground(polygon))
                }
            };
            let b = match relief_beyond {
                Some(_) => portal.height,
                None => {
                    let height = next.height_at_entry(at, line.same);
                    height.unwrap_or_else(|| ground(beyond))
                }
            };
            fit.pass(at, (a + b) / 2.0, relief_of_both);
            std::mem::swap(&mut here, &mut next);
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
    /// The last break, as fraction and height. A straight line from the anchor can end here. It is the anchor itself
    /// until there is a break after it.
    candidate: (f64, f64),
    /// The range of slopes from the anchor that stay within the tolerance of all breaks since. [Units: m
    /// per full line]
    slopes: (f64, f64),
    waypoints: &'a mut Vec<Vec3>,
}

impl<'a> GroundFit<'a> {
    fn new([from, to]: [Vec3; 2], tolerance: f32, waypoints: &'a mut Vec<Vec3>) -> Self {
        let anchor = (0.0, f64::from(from.y));
        Self {
            from,
            to,
            tolerance: f64::from(tolerance),
            anchor,
            candidate: anchor,
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
    #[inline(always)]
    fn reached(&self) -> f64 {
        self.candidate.0
    }

    /// Adds a break of the ground at fraction `at` of the line. There, the path must be closer to it than the
    /// tolerance by `relief`.
    #[inline(always)]
    fn pass(&mut self, at: f64, height: f64, relief: f64) {
        // This also rejects breaks that are behind, beyond the end, or NaN.
        if !(at > self.reached() && at <= 1.0) {
            return;
        }
        let mut per_length = 1.0 / (at - self.anchor.0);
        let direct = (height - self.anchor.1) * per_length;
        // Without a break since the anchor, every slope is in range.
        if direct < self.slopes.0 || direct > self.slopes.1 {
            let point = lerp(self.from, self.to, self.candidate.0);
            self.waypoints.push(point.with_y(self.candidate.1 as f32));
            self.anchor = self.candidate;
            self.slopes = (f64::NEG_INFINITY, f64::INFINITY);
            per_length = 1.0 / (at - self.anchor.0);
        }
        self.candidate = (at, height);
        let rise = height - self.anchor.1;
        let tolerance = self.tolerance - relief;
        let [low, high] = [rise - tolerance, rise + tolerance].map(|rise| rise * per_length);
        // `f64::max` takes longer, because it cares about NaN.
        if low > self.slopes.0 {
            self.slopes.0 = low;
        }
        if high < self.slopes.1 {
            self.slopes.1 = high;
        }
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

/// Returns whether a straight line stays within the tolerance of the ground. This is certain if the ground of every polygon
/// is within the tolerance of every point of the line, or if the line's distance from the portals that it crosses is less
/// than the tolerance, by the relief of the polygons on both sides. Polygons that it only touches at its ends, where
/// the path turns around a corner, do not count.
fn is_straight(
    mesh: &NavMesh,
    polygons: &[PolygonId],
    crossings: &[PortalBelow],
    line: &GroundLine,
    [from, to]: [Vec3; 2],
    tolerance: f32,
) -> bool {
    let (low, high) = (from.y.max(to.y) - tolerance, from.y.min(to.y) + tolerance);
    let (start, rise) = (f64::from(from.y), f64::from(to.y) - f64::from(from.y));
    let (mut is_within, mut is_smooth) = (true, true);
    // The portal before a polygon, and the relief of the polygon before that, unless it is only touched.
    let (mut entry, mut relief_before) = (PortalBelow::START, f32::NEG_INFINITY);
    for (i, &polygon) in polygons.iter().enumerate() {
        let exit = crossings.get(i).copied().unwrap_or(PortalBelow::NONE);
        if exit.at == f64::INFINITY && i < crossings.len() {
            return false;
        }
        let is_touched = exit.at <= line.same || entry.at >= 1.0 - line.same;
        let mut relief = f32::NEG_INFINITY;
        if !is_touched {
            let heights = mesh.height_range(polygon);
            is_within &= heights.lowest >= low && heights.highest <= high;
            relief = heights.relief;
        }
        let max_relief = relief.max(relief_before);
        if i > 0 && max_relief >= 0.0 {
            let above = entry.height - (start + rise * entry.at.clamp(0.0, 1.0));
            is_smooth &= above.abs() + f64::from(max_relief) <= f64::from(tolerance);
        }
        is_smooth &= relief <= tolerance;
        if !(is_within || is_smooth) {
            return false;
        }
        (entry, relief_before) = (exit, relief);
    }
    true
}
