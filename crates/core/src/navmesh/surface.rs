//! The ground of a polygon: the height at a position and the nearest point.
//!
//! On hills a polygon can have hundreds of triangles in arbitrary order, of which a query needs one or
//! a few. So each surface point first gets an outcode, as in the line clipping of Cohen and Sutherland:
//! a set of bits that say on which sides of the query it lies. A triangle whose points have a bit in
//! common cannot contain the answer and is skipped. Nothing has to be stored for this. With 200
//! triangles per polygon, point location takes 1/7 (1000 polygons) to 1/4 (12 000 polygons) of the time
//! of a scan over every triangle, and waypoints that follow the ground take 1/8 to 1/6: benches
//! `locate_on_hills` and `follow_hills` of `cargo bench -p portolan-core --bench location`.

use glam::Vec3;

use super::NavMesh;
use crate::csr::Lists;
use crate::geometry::{Aabb, distance_squared_xz, lerp, nearest_fraction, orientation};
use crate::ids::PolygonId;

/// The validated finer surfaces of polygons. Both lists are empty if no polygon has a finer surface.
/// Otherwise both have one list per polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heights {
    /// Per polygon, points besides its corners. [Units: m]
    pub vertices: Lists<Vec3>,
    /// Per polygon, triangles. Indices count the corners of the polygon first and then its points in
    /// `vertices`.
    pub triangles: Lists<[u16; 3]>,
}

/// Triangles from one point, the hub, to `borders` consecutive borders, starting at corner `first`.
/// `borders` is 0 for a polygon with a finer surface.
struct Spokes {
    hub: Vec3,
    first: usize,
    borders: usize,
}

impl NavMesh {
    /// Iterates over the triangles that define the heights of a polygon. They are the polygon's finer
    /// surface if it has one, and otherwise a fan around one of its corners. A piece has the surface of its polygon. If every fan would skip a
    /// corner that lies on the line through its neighbours, they are a tent whose top is the mean of
    /// the corners.
    ///
    /// All of these surfaces contain every corner. A fan or a tent is linear along each border, so
    /// neighbouring polygons agree there.
    #[inline]
    pub fn surface(&self, polygon: PolygonId) -> impl Iterator<Item = [Vec3; 3]> + Clone {
        let polygon = self.whole(polygon);
        let (_, triangles) = self.finer_surface(polygon);
        let point = self.surface_points(polygon);
        let finer = triangles.iter().map(move |triangle| triangle.map(point));
        self.spoke_triangles(polygon).chain(finer)
    }

    /// Iterates over the triangles of the fan or tent of a polygon without a finer surface.
    #[inline]
    fn spoke_triangles(&self, polygon: PolygonId) -> impl Iterator<Item = [Vec3; 3]> + Clone {
        let corners = self.corners(polygon);
        let count = corners.len();
        let corner = move |i: usize| self.vertex(corners[i % count]);
        let Spokes {
            hub,
            first,
            borders,
        } = self.spokes(polygon);
        (first..first + borders).map(move |i| [hub, corner(i), corner(i + 1)])
    }

    /// Iterates over the inner edges of the fan or tent of a polygon without a finer surface.
    #[inline]
    pub(crate) fn spoke_edges(&self, polygon: PolygonId) -> impl Iterator<Item = [Vec3; 2]> {
        let polygon = self.whole(polygon);
        let corners = self.corners(polygon);
        let count = corners.len();
        let Spokes {
            hub,
            first,
            borders,
        } = self.spokes(polygon);
        // The outermost spokes of a fan are borders of the polygon.
        let spokes = if borders == count {
            0..count
        } else {
            first + 1..first + borders
        };
        spokes.map(move |i| [hub, self.vertex(corners[i % count])])
    }

    /// Returns the fan or the tent of a polygon without a finer surface.
    #[inline]
    fn spokes(&self, polygon: PolygonId) -> Spokes {
        let corners = self.corners(polygon);
        let count = corners.len();
        if !self.finer_surface(polygon).1.is_empty() {
            Spokes {
                hub: Vec3::ZERO,
                first: 0,
                borders: 0,
            }
        } else if let Some(hub_corner) = self.fan_hub(corners) {
            // The two borders next to the hub have no triangle in the fan.
            let hub = self.vertex(corners[hub_corner]);
            Spokes {
                hub,
                first: hub_corner + 1,
                borders: count - 2,
            }
        } else {
            Spokes {
                hub: self.centre(polygon),
                first: 0,
                borders: count,
            }
        }
    }

    /// Returns the first corner whose two neighbours both lie more than a millimetre outside the line
    /// through their own neighbours. A fan around it has no degenerate triangle.
    #[inline]
    fn fan_hub(&self, corners: &[u32]) -> Option<usize> {
        let count = corners.len();
        let corner = |i: usize| self.vertex(corners[i % count]);
        let bends = |i: usize| {
            let (before, after) = (corner(i + count - 1), corner(i + 1));
            orientation(before, corner(i), after) > 1e-3 * distance_squared_xz(before, after).sqrt()
        };
        (0..count).find(|&i| count == 3 || bends(i + count - 1) && bends(i + 1))
    }

    /// Returns the points (besides the corners) and the triangles of a polygon's finer surface. Both
    /// are empty if the polygon has none. See [`Heights::triangles`] for the indices.
    #[inline]
    pub fn finer_surface(&self, polygon: PolygonId) -> (&[Vec3], &[[u16; 3]]) {
        if self.heights.triangles.is_empty() {
            return (&[], &[]);
        }
        let index = self.whole(polygon).index();
        (
            self.heights.vertices.get(index),
            self.heights.triangles.get(index),
        )
    }

    /// Returns whether a polygon has a finer surface.
    #[inline]
    pub(crate) fn has_finer_surface(&self, polygon: PolygonId) -> bool {
        let triangles = &self.heights.triangles;
        !triangles.is_empty() && !triangles.get(self.whole(polygon).index()).is_empty()
    }

    /// Returns the points of a polygon's finer surface by index: its corners, then its additional points.
    #[inline]
    fn surface_points(&self, polygon: PolygonId) -> impl Fn(u16) -> Vec3 + Copy {
        let corners = self.corners(polygon);
        let (points, _) = self.finer_surface(polygon);
        move |i| match points.get(usize::from(i).wrapping_sub(corners.len())) {
            Some(&point) => point,
            None => self.vertex(corners[usize::from(i)]),
        }
    }

    /// Computes the outcodes of the points of a polygon's finer surface with `outcode`.
    #[inline]
    fn outcodes(&self, polygon: PolygonId, outcode: impl Fn(Vec3) -> u8) -> Outcodes {
        let mut outcodes = Outcodes([u8::MAX; OUTCODES]);
        let (points, triangles) = self.finer_surface(polygon);
        if triangles.is_empty() {
            return outcodes;
        }
        let corners = self.corner_points(polygon);
        let first = corners.len() % OUTCODES;
        for (i, corner) in corners.enumerate() {
            outcodes.0[i % OUTCODES] &= outcode(corner);
        }
        // The points fill the table to its end and then wrap around. Contiguous runs let the compiler
        // vectorise the loops.
        let (points, more) = points.split_at(points.len().min(OUTCODES - first));
        for (slot, &point) in outcodes.0[first..].iter_mut().zip(points) {
            *slot &= outcode(point);
        }
        for points in more.chunks(OUTCODES) {
            for (slot, &point) in outcodes.0.iter_mut().zip(points) {
                *slot &= outcode(point);
            }
        }
        outcodes
    }

    /// Returns the height of a polygon's ground at the (x, z) of `position`. [Units: m] For a position
    /// outside the polygon it returns a height of the nearest triangle of the surface.
    pub fn height_at(&self, polygon: PolygonId, position: Vec3) -> f32 {
        // The ground of a piece is that of its polygon.
        let polygon = self.whole(polygon);
        let level = self.vertex(self.corners(polygon)[0]).y;
        let is_level = |point: Vec3| point.y == level;
        let finer_triangles = self.finer_surface(polygon).1.len();
        // Most floors are level. Their height needs no triangles.
        if finer_triangles == 0 {
            if self.corner_points(polygon).all(is_level) {
                return level;
            }
            let found = height_among(self.spoke_triangles(polygon), position);
            return found.map_or(level, |(_, height)| height);
        }
        if finer_triangles > SCAN_ALL
            && let Some(height) = self.height_among_near(polygon, position)
        {
            return height;
        }
        height_among(self.surface(polygon), position).map_or(level, |(_, height)| height)
    }

    /// Computes the height at a position from the nearby triangles of a finer surface. Returns `None`
    /// if a scan over all triangles might give another height.
    ///
    /// A triangle is skipped if all of its points lie more than `gap` to the same side of the position,
    /// along x or along z. The barycentric weights of the position add up to 1. If none were below -w,
    /// the position would lie at most 2w times the triangle's extent outside the triangle's box. Hence
    /// one weight of a skipped triangle is below -gap / (2 extent). Half of that is reserved for
    /// rounding errors. If the surface is about as large as the polygon, only a triangle narrower than
    /// some 1e-12 of its length has larger rounding errors, and the weights of such a triangle are
    /// meaningless anyway.
    #[inline]
    fn height_among_near(&self, polygon: PolygonId, position: Vec3) -> Option<f32> {
        let bounds = Aabb::around(self.corner_points(polygon));
        let size = bounds.max - bounds.min;
        let margin = (size.x + size.z) / 256.0;
        let (low, high) = (position - margin, position + margin);
        let gap = (position.x - low.x)
            .min(high.x - position.x)
            .min(position.z - low.z)
            .min(high.z - position.z);
        // Far from the origin, `f32` may be too coarse for the margin.
        if !position.is_finite() || gap <= margin / 2.0 {
            return None;
        }
        let outcodes = self.outcodes(polygon, |point| {
            u8::from(point.x < low.x)
                | u8::from(point.x > high.x) << 1
                | u8::from(point.z < low.z) << 2
                | u8::from(point.z > high.z) << 3
        });
        let (points, triangles) = self.finer_surface(polygon);
        let point = self.surface_points(polygon);
        let near = triangles
            .iter()
            .filter(|&triangle| outcodes.in_common(triangle) == 0)
            .map(|triangle| triangle.map(point));
        let (weight, height) = height_among(near, position)?;
        let is_certain = || {
            let all = bounds.union(Aabb::around(points.iter().copied()));
            let extent = (all.max - all.min).with_y(0.0).max_element();
            weight > -f64::from(gap) / (4.0 * f64::from(extent))
        };
        (weight >= 0.0 || is_certain()).then_some(height)
    }

    /// Returns whether the (x, z) of `position` lies in the polygon or on its border.
    #[inline]
    pub fn contains_xz(&self, polygon: PolygonId, position: Vec3) -> bool {
        self.borders(polygon)
            .all(|[a, b]| orientation(a, b, position) >= 0.0)
    }

    /// Returns 0 if the (x, z) of `position` lies in the polygon or on its border, and otherwise the square of a
    /// lower bound on its distance from the polygon in plan: the largest distance from the line of a border.
    #[inline]
    pub(super) fn outside_xz(&self, polygon: PolygonId, position: Vec3) -> f64 {
        let mut max = 0.0f64;
        // Each corner is read once: this takes most of the time of a location.
        let mut points = self.corner_points(polygon);
        let Some(mut a) = points.next_back() else {
            return max;
        };
        for b in self.corner_points(polygon) {
            let side = orientation(a, b, position);
            if side < 0.0 {
                // A border without length has no side.
                max = max.max(side * side / distance_squared_xz(a, b));
            }
            a = b;
        }
        max
    }

    /// Returns the point of a polygon's ground that is nearest to `position` in plan. It lies straight
    /// below or above `position` if the polygon contains it in (x, z), and otherwise on the border.
    pub fn nearest_on(&self, polygon: PolygonId, position: Vec3) -> Vec3 {
        match self.nearest_xz(polygon, position) {
            NearestInPlan::OnGround(point) => point,
            NearestInPlan::HeightUnknown(point) => point.with_y(self.height_at(polygon, point)),
        }
    }

    /// Finds the same point as [`nearest_on`](Self::nearest_on), but without a height if that would
    /// need the triangles of the surface.
    #[inline]
    pub(super) fn nearest_xz(&self, polygon: PolygonId, position: Vec3) -> NearestInPlan {
        if self.contains_xz(polygon, position) {
            return NearestInPlan::HeightUnknown(position);
        }
        let mut min_distance = f64::INFINITY;
        let mut on_border = position;
        for [a, b] in self.borders(polygon) {
            let point = lerp(a, b, nearest_fraction(a, b, position));
            let distance = distance_squared_xz(point, position);
            if distance < min_distance {
                (min_distance, on_border) = (distance, point);
            }
        }
        // The edges of a piece may lie above or below its ground.
        let is_whole = polygon.index() < self.polygons.len();
        if is_whole && self.finer_surface(polygon).1.is_empty() {
            NearestInPlan::OnGround(on_border)
        } else {
            NearestInPlan::HeightUnknown(on_border)
        }
    }
}

/// The size of the table of outcodes. Points with the same index modulo this share a slot with
/// the bits that all of them have, so no triangle is skipped by mistake. Recast gives a polygon at most
/// 255 points.
const OUTCODES: usize = 512;

/// Up to this number of triangles, a scan over all of them is faster than outcodes.
const SCAN_ALL: usize = 12;

/// The outcodes of the points of a finer surface, by point index modulo [`OUTCODES`].
struct Outcodes([u8; OUTCODES]);

impl Outcodes {
    /// Returns the bits that the outcodes of all three points have in common.
    #[inline]
    fn in_common(&self, &[a, b, c]: &[u16; 3]) -> u8 {
        let of = |point: u16| self.0[usize::from(point) % OUTCODES];
        of(a) & of(b) & of(c)
    }
}

/// The point of a polygon that is nearest to a position in plan.
pub(super) enum NearestInPlan {
    /// The point lies on the ground.
    OnGround(Vec3),
    /// The point has the right (x, z), but its height is not computed yet.
    HeightUnknown(Vec3),
}

/// Returns the height of a surface at a position, and the smallest barycentric weight of the position
/// in the triangle that was used. A triangle that contains the position has no negative weight. Because
/// rounding may leave the position in a crack between two triangles, this uses the triangle whose
/// smallest weight is largest, and the first one among equals.
#[inline]
fn height_among(
    triangles: impl Iterator<Item = [Vec3; 3]> + Clone,
    position: Vec3,
) -> Option<(f64, f32)> {
    let height = |[wa, wb, wc]: [f64; 3], [a, b, c]: [Vec3; 3]| {
        let (wa, wb, wc) = (wa.max(0.0), wb.max(0.0), wc.max(0.0));
        let sum = wa * f64::from(a.y) + wb * f64::from(b.y) + wc * f64::from(c.y);
        (sum / (wa + wb + wc)) as f32
    };
    // The first triangle that contains the position is the answer if there is one. Most others are recognized
    // by their first weight.
    for [a, b, c] in triangles.clone() {
        let area = orientation(a, b, c);
        let wa = orientation(b, c, position) / area;
        if area == 0.0 || wa < 0.0 {
            continue;
        }
        let wb = orientation(c, a, position) / area;
        let wc = 1.0 - wa - wb;
        let smallest = wa.min(wb).min(wc);
        if smallest >= 0.0 {
            return Some((smallest, height([wa, wb, wc], [a, b, c])));
        }
    }
    let mut best = None;
    for [a, b, c] in triangles {
        let area = orientation(a, b, c);
        if area == 0.0 {
            continue;
        }
        let (wa, wb) = (
            orientation(b, c, position) / area,
            orientation(c, a, position) / area,
        );
        let wc = 1.0 - wa - wb;
        let smallest = wa.min(wb).min(wc);
        if smallest > best.map_or(f64::NEG_INFINITY, |(weight, _)| weight) {
            best = Some((smallest, height([wa, wb, wc], [a, b, c])));
        }
    }
    best
}
