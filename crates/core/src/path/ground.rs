//! Additional waypoints that keep a path on the ground between its corners.
//!
//! A straight line between two corners cuts through hills and floats above dips. The ground along the line
//! is a polyline with breaks where the line crosses a portal or an edge of a polygon's surface. A subset of
//! these breaks is enough to stay within a tolerance of all of them. The "swinging door" algorithm selects
//! it: it tracks the range of slopes that are still within the tolerance and adds a waypoint when the range
//! becomes empty.

use glam::{DVec2, Vec3, Vec3Swizzles};

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
    /// The breaks below the current polygon of a leg, and below the next one.
    here: Breaks,
    next: Breaks,
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
        let GroundBuffers { points, here, next } = &mut self.ground;
        if stays_within(mesh, polygons, ends, tolerance) {
            points.push(ends[1]);
            return;
        }
        let line = GroundLine::new(ends);
        let mut fit = GroundFit::new(ends, tolerance, points);
        here.polygon = None;
        for (i, &polygon) in below.clone().zip(polygons) {
            let beyond = polygons.get(i + 1 - below.start).copied();
            let portal = beyond.and_then(|beyond| {
                let (at, point) = line.crossing(self.corridor.ends(mesh, i))?;
                Some((at, point, beyond))
            });
            let from = fit.reached() + line.same;
            if portal.is_some_and(|(at, ..)| at <= from) {
                // The leg only touches this polygon, where it turns around a corner.
                continue;
            }
            here.find(&line, mesh, polygon);
            // The breaks at the portals themselves are passed with the heights of both sides.
            let until = portal.map_or(1.0, |(at, ..)| at) - line.same;
            let inside = |&&(at, _): &&(f64, f64)| at > from && at < until;
            for &(at, height) in here.list.iter().filter(inside) {
                fit.pass(at, height);
            }
            let Some((at, point, beyond)) = portal else {
                continue;
            };
            let is_plain = |side: PolygonId| mesh.finer_surface(side).1.is_empty();
            if is_plain(polygon) && is_plain(beyond) {
                // The height of a portal is halfway up at a step.
                fit.pass(at, f64::from(point.y));
                continue;
            }
            next.polygon = None;
            next.find(&line, mesh, beyond);
            let sides = [(&*here, polygon), (&*next, beyond)];
            let [a, b] = sides.map(|(breaks, side)| {
                let height = breaks.height_at(at, line.same);
                height.unwrap_or_else(|| f64::from(mesh.height_at(side, point)))
            });
            fit.pass(at, (a + b) / 2.0);
            std::mem::swap(here, next);
        }
        fit.finish();
    }
}

/// A point of the ground within this distance of a line is on it. Breaks within twice this distance are the same.
/// [Units: m]
const ON_LINE: f64 = 1e-3;

/// A straight line between two corners, in plan.
struct GroundLine {
    from: DVec2,
    along: DVec2,
    /// `along` divided by its squared length.
    per_length: DVec2,
    /// The [side](Self::side) of a point at the distance [`ON_LINE`].
    near: f64,
    /// Fractions of the line that differ by less are the same break.
    same: f64,
}

impl GroundLine {
    fn new([from, to]: [Vec3; 2]) -> Self {
        let from = from.xz().as_dvec2();
        let along = to.xz().as_dvec2() - from;
        let length_squared = along.length_squared().max(f64::MIN_POSITIVE);
        let length = length_squared.sqrt();
        Self {
            from,
            along,
            per_length: along / length_squared,
            near: ON_LINE * length,
            same: 2.0 * ON_LINE / length,
        }
    }

    /// Returns on which side of the line a point lies: its distance times the length of the line, positive on the
    /// left.
    #[inline]
    fn side(&self, point: Vec3) -> f64 {
        self.along.perp_dot(point.xz().as_dvec2() - self.from)
    }

    /// Returns how far along the line a point lies, as a fraction of it.
    #[inline]
    fn fraction(&self, point: DVec2) -> f64 {
        self.per_length.dot(point - self.from)
    }

    /// Returns the break where the line crosses an edge whose ends lie on its two sides.
    #[inline]
    fn cut(&self, [a, b]: [Vec3; 2], [side_a, side_b]: [f64; 2]) -> (f64, f64) {
        let [from, to] = [a, b].map(Vec3::as_dvec3);
        let point = from + (to - from) * (side_a / (side_a - side_b));
        (self.fraction(point.xz()), point.y)
    }

    /// Returns where the line crosses a portal, as a fraction of the line, and the point of the portal there; `None`
    /// if they are parallel.
    #[inline]
    fn crossing(&self, [right, left]: [Vec3; 2]) -> Option<(f64, Vec3)> {
        let [side_right, side_left] = [right, left].map(|end| self.side(end));
        let fraction = side_right / (side_right - side_left);
        let point = lerp(right, left, fraction.clamp(0.0, 1.0));
        fraction
            .is_finite()
            .then(|| (self.fraction(point.xz().as_dvec2()), point))
    }
}

/// Where the ground of a polygon breaks along a line: fractions of the line and heights, in ascending order. The
/// borders of the polygon are among the breaks. A flat polygon without a finer surface has none.
#[derive(Clone, Debug, Default)]
struct Breaks {
    /// The polygon, if its breaks along the current line are known.
    polygon: Option<PolygonId>,
    list: Vec<(f64, f64)>,
    /// The points of the surface, and on which side of the line they lie.
    points: Vec<(Vec3, f64)>,
    /// Per point, [`RIGHT`] or [`LEFT`], or 0 if it is on the line. An edge is cut if its ends have both bits.
    codes: Vec<u8>,
}

/// A point to the right of a line.
const RIGHT: u8 = 1;
/// A point to the left of a line.
const LEFT: u8 = 2;

impl Breaks {
    fn find(&mut self, line: &GroundLine, mesh: &NavMesh, polygon: PolygonId) {
        if self.polygon.replace(polygon) == Some(polygon) {
            return;
        }
        let Self {
            list,
            points,
            codes,
            ..
        } = self;
        list.clear();
        let (finer_points, triangles) = mesh.finer_surface(polygon);
        if triangles.is_empty() && is_flat(mesh, polygon) {
            return;
        }
        let code = |side: f64| {
            let (right, left) = (side < -line.near, side > line.near);
            (u8::from(right) * RIGHT) | (u8::from(left) * LEFT)
        };
        points.clear();
        codes.clear();
        points.extend(
            mesh.corner_points(polygon)
                .map(|point| (point, line.side(point))),
        );
        points.extend(finer_points.iter().map(|&point| (point, line.side(point))));
        codes.extend(points.iter().map(|&(_, side)| code(side)));
        for (&(point, _), _) in points.iter().zip(&*codes).filter(|&(_, &code)| code == 0) {
            list.push((line.fraction(point.xz().as_dvec2()), f64::from(point.y)));
        }
        let mut cut = |(a, side_a): (Vec3, f64), (b, side_b): (Vec3, f64)| {
            list.push(line.cut([a, b], [side_a, side_b]));
        };
        for triangle in triangles {
            let [a, b, c] = triangle.map(usize::from);
            let [code_a, code_b, code_c] = [codes[a], codes[b], codes[c]];
            if code_a | code_b | code_c != RIGHT | LEFT {
                continue;
            }
            // Inner edges are cut twice; the second break at a fraction is ignored.
            for [(i, code_i), (j, code_j)] in [
                [(a, code_a), (b, code_b)],
                [(b, code_b), (c, code_c)],
                [(c, code_c), (a, code_a)],
            ] {
                if code_i | code_j == RIGHT | LEFT {
                    cut(points[i], points[j]);
                }
            }
        }
        if triangles.is_empty() {
            let borders = (0..points.len()).map(|i| [i, (i + 1) % points.len()]);
            for [a, b] in borders.filter(|&[a, b]| codes[a] | codes[b] == RIGHT | LEFT) {
                cut(points[a], points[b]);
            }
            for edge in mesh.spoke_edges(polygon) {
                let [a, b] = edge.map(|point| (point, line.side(point)));
                if code(a.1) | code(b.1) == RIGHT | LEFT {
                    cut(a, b);
                }
            }
        }
        list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Returns the height of the break that is nearest to a fraction of the line, and at most `same` away from it.
    fn height_at(&self, at: f64, same: f64) -> Option<f64> {
        let mut nearest = (same, None);
        for &(fraction, height) in &self.list {
            let distance = (fraction - at).abs();
            if distance <= nearest.0 {
                nearest = (distance, Some(height));
            }
        }
        nearest.1
    }
}

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
        self.slopes.0 = self.slopes.0.max(slope(rise - self.tolerance));
        self.slopes.1 = self.slopes.1.min(slope(rise + self.tolerance));
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

#[cfg(test)]
#[path = "ground_test.rs"]
mod tests;
