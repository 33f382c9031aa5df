//! Additional waypoints that keep a path on the ground between its corners.
//!
//! A straight line between two corners cuts through hills and floats above dips. The ground along the line
//! is a polyline with breaks where the line crosses a portal or an edge of a polygon's surface. A subset of
//! these breaks is enough to stay within a tolerance of all of them. The "swinging door" algorithm selects
//! it: it tracks the range of slopes that are still within the tolerance and adds a waypoint when the range
//! becomes empty.

use glam::Vec3;

use super::{LinkLeg, Path};
use crate::World;
use crate::geometry::{intersection_fractions, lerp};
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

/// Ground-following waypoints, and breaks of the ground below a polygon.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundBuffers {
    points: Vec<Vec3>,
    breaks: Vec<(f64, f64)>,
}

impl Path {
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
        let GroundBuffers { points, breaks } = &mut self.ground;
        if stays_within(mesh, polygons, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let mut line = GroundLine::new(ends[0], ends[1], tolerance, points);
        for (i, &polygon) in below.clone().zip(polygons) {
            let crossing = (i + 1 < below.end)
                .then(|| [polygon, self.corridor.polygons[i + 1]])
                .and_then(|sides| line.crossing(mesh, self.corridor.ends(mesh, i), sides));
            let until = crossing.map_or(1.0, |(at, _)| at);
            line.pass_over(mesh, polygon, until, breaks);
            if let Some((at, height)) = crossing {
                line.pass(at, height);
            }
        }
        line.finish();
    }
}

/// A straight line between two corners that is being fitted to the ground.
struct GroundLine<'a> {
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

impl<'a> GroundLine<'a> {
    fn new(from: Vec3, to: Vec3, tolerance: f32, waypoints: &'a mut Vec<Vec3>) -> Self {
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

    /// Returns where the line crosses a portal, as a fraction of the line, and the height there. The height
    /// is that of the portal, which at a step is halfway up. If either side has a finer surface, it is the
    /// mean of the heights of the two sides.
    fn crossing(
        &self,
        mesh: &NavMesh,
        portal: [Vec3; 2],
        sides: [PolygonId; 2],
    ) -> Option<(f64, f64)> {
        let (at, fraction) = intersection_fractions(self.from, self.to, portal[0], portal[1])?;
        let point = lerp(portal[0], portal[1], fraction.clamp(0.0, 1.0));
        let is_plain = |side: &PolygonId| mesh.finer_surface(*side).1.is_empty();
        let height = if sides.iter().all(is_plain) {
            f64::from(point.y)
        } else {
            let [a, b] = sides.map(|side| f64::from(mesh.height_at(side, point)));
            (a + b) / 2.0
        };
        Some((at, height))
    }

    /// Adds the breaks within a polygon, up to the fraction `until` of the line. `breaks` is a buffer.
    fn pass_over(
        &mut self,
        mesh: &NavMesh,
        polygon: PolygonId,
        until: f64,
        breaks: &mut Vec<(f64, f64)>,
    ) {
        if is_flat(mesh, polygon) && mesh.finer_surface(polygon).1.is_empty() {
            return;
        }
        // The breaks at the portals themselves are added by the caller, with the portals' heights.
        let margin = 1e-6;
        let from = self.reached() + margin;
        breaks.clear();
        for [start, end] in mesh.edges_across(polygon, self.from, self.to) {
            if let Some((at, fraction)) = intersection_fractions(self.from, self.to, start, end)
                && (0.0..=1.0).contains(&fraction)
                && at > from
                && at < until - margin
            {
                breaks.push((at, f64::from(lerp(start, end, fraction).y)));
            }
        }
        breaks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        breaks
            .iter()
            .for_each(|&(at, height)| self.pass(at, height));
    }

    /// Ends the line and adds its last waypoint.
    fn finish(mut self) {
        self.pass(1.0, f64::from(self.to.y));
        self.waypoints.push(self.to);
    }

    /// Returns the fraction of the line up to which breaks have been added.
    fn reached(&self) -> f64 {
        self.candidate
            .map_or(self.anchor.0, |candidate| candidate.0)
    }

    /// Adds a break of the ground at fraction `at` of the line.
    fn pass(&mut self, at: f64, height: f64) {
        // This also rejects breaks that are behind, beyond the end, or NaN.
        if !(at > self.reached() && at <= 1.0) {
            return;
        }
        let slope = |anchor: (f64, f64), height: f64| (height - anchor.1) / (at - anchor.0);
        let direct = slope(self.anchor, height);
        if let Some(candidate) = self.candidate
            && !(self.slopes.0..=self.slopes.1).contains(&direct)
        {
            let point = lerp(self.from, self.to, candidate.0);
            self.waypoints.push(point.with_y(candidate.1 as f32));
            self.anchor = candidate;
            self.slopes = (f64::NEG_INFINITY, f64::INFINITY);
        }
        self.candidate = Some((at, height));
        self.slopes.0 = self
            .slopes
            .0
            .max(slope(self.anchor, height - self.tolerance));
        self.slopes.1 = self
            .slopes
            .1
            .min(slope(self.anchor, height + self.tolerance));
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

/// Returns whether a polygon without a finer surface is flat: it is a triangle, or level to within a
/// millimetre. The ground then has no breaks inside it.
fn is_flat(mesh: &NavMesh, polygon: PolygonId) -> bool {
    let heights = mesh.height_range(polygon);
    heights.highest - heights.lowest <= 1e-3 || mesh.corners(polygon).len() == 3
}
