//! The ground of a polygon: its height at a place, and the nearest place on it.
//!
//! Hills give a polygon hundreds of triangles, in no particular order, of which a query needs one
//! or a few. So each point is first marked with the sides of the query that it lies on, and a
//! triangle whose points have a mark in common is passed over without a look at its geometry, as
//! Cohen and Sutherland clip lines. That needs nothing stored or derived, and only what cannot be
//! the answer is passed over. With 200 triangles a polygon, location takes about a seventh of the time
//! that a look at every triangle took, a quarter where it waits for memory, and waypoints that follow
//! the ground an eighth and a sixth: `locate_on_hills` and `follow_hills` of
//! `cargo bench -p portolan-core --bench location`, with 1000 and with 12 000 polygons.

use glam::Vec3;

use super::NavMesh;
use crate::csr::Csr;
use crate::geometry::{Aabb, distance_squared_xz, lerp, nearest_fraction, orientation};
use crate::ids::PolygonId;

/// Finer surfaces of polygons, validated. Either both lists are empty, and no polygon has one, or
/// both hold a list a polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heights {
    /// Per polygon, points besides its corners.
    pub vertices: Csr<Vec3>,
    /// Per polygon, triangles over its corners and then its further points.
    pub triangles: Csr<[u16; 3]>,
}

/// A surface of triangles from one point, the hub, to `sides` borders in a row, beginning at corner
/// `first`; none where there is a finer surface.
struct Spokes {
    hub: Vec3,
    first: usize,
    sides: usize,
}

impl NavMesh {
    /// The triangles that give a polygon its heights: its finer surface where it has one, else a fan
    /// around one of its corners, else, where every fan would leave out a corner that lies on the
    /// line through its neighbours, the tent over its borders whose top is the mean of the corners.
    /// All go through every corner and, but for a finer surface, are linear from corner to corner,
    /// so neighbours agree along their border.
    #[inline]
    pub fn surface(&self, polygon: PolygonId) -> impl Iterator<Item = [Vec3; 3]> {
        let corners = self.corners(polygon);
        let count = corners.len();
        let (_, triangles) = self.finer_surface(polygon);
        let corner = move |i: usize| self.vertices[corners[i % count] as usize];
        let Spokes { hub, first, sides } = self.spokes(polygon);
        let finer = triangles
            .iter()
            .map(move |triangle| triangle.map(|i| self.surface_point(polygon, i)));
        (first..first + sides)
            .map(move |i| [hub, corner(i), corner(i + 1)])
            .chain(finer)
    }

    /// The edges of a polygon's surface that may lie inside it and that the line through `from` and
    /// `to` can meet: of a finer surface those with ends on both sides of the line or near it, else
    /// all from the hub of its fan or tent.
    #[inline]
    pub(crate) fn edges_across(
        &self,
        polygon: PolygonId,
        from: Vec3,
        to: Vec3,
    ) -> impl Iterator<Item = [Vec3; 2]> {
        let corners = self.corners(polygon);
        let count = corners.len();
        let Spokes { hub, first, sides } = self.spokes(polygon);
        // A fan's outermost spokes are borders.
        let spokes = if sides == count {
            0..count
        } else {
            first + 1..first + sides
        };
        let spokes = spokes.map(move |i| [hub, self.vertices[corners[i % count] as usize]]);
        // Up to a millimetre from the line counts as both sides of it. No coordinate passes 1e8, so
        // the share of an edge beyond that at which the line meets it is off 0 to 1 by more than
        // 1e-12, which rounding does not undo.
        let near = 1e-3 * distance_squared_xz(from, to).sqrt();
        let marks = self.marks(polygon, |point| {
            let side = orientation(from, to, point);
            u8::from(side > near) | u8::from(side < -near) << 1
        });
        let (_, triangles) = self.finer_surface(polygon);
        let edges = triangles
            .iter()
            .filter(move |&triangle| marks.in_common(triangle) == 0)
            .map(move |triangle| triangle.map(|i| self.surface_point(polygon, i)))
            .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        spokes.chain(edges)
    }

    #[inline]
    fn spokes(&self, polygon: PolygonId) -> Spokes {
        let corners = self.corners(polygon);
        let count = corners.len();
        if !self.finer_surface(polygon).1.is_empty() {
            Spokes {
                hub: Vec3::ZERO,
                first: 0,
                sides: 0,
            }
        } else if let Some(middle) = self.fan_middle(corners) {
            // Seen from the middle of a fan, the two borders next to it are no triangles.
            let hub = self.vertices[corners[middle] as usize];
            Spokes {
                hub,
                first: middle + 1,
                sides: count - 2,
            }
        } else {
            Spokes {
                hub: self.centre(polygon),
                first: 0,
                sides: count,
            }
        }
    }

    /// The first corner whose neighbours both bend their borders by more than a millimetre.
    #[inline]
    fn fan_middle(&self, corners: &[u32]) -> Option<usize> {
        let count = corners.len();
        let corner = |i: usize| self.vertices[corners[i % count] as usize];
        let bends = |i: usize| {
            let (before, after) = (corner(i + count - 1), corner(i + 1));
            orientation(before, corner(i), after) > 1e-3 * distance_squared_xz(before, after).sqrt()
        };
        (0..count).find(|&i| count == 3 || bends(i + count - 1) && bends(i + 1))
    }

    /// The polygon's further points and triangles, both empty where it has none.
    #[inline]
    pub fn finer_surface(&self, polygon: PolygonId) -> (&[Vec3], &[[u16; 3]]) {
        if self.heights.triangles.is_empty() {
            return (&[], &[]);
        }
        let index = polygon.index();
        (
            self.heights.vertices.get(index),
            self.heights.triangles.get(index),
        )
    }

    /// Point `i` of a polygon's finer surface: a corner or one of its further points.
    #[inline]
    fn surface_point(&self, polygon: PolygonId, i: u16) -> Vec3 {
        let corners = self.corners(polygon);
        let (points, _) = self.finer_surface(polygon);
        match points.get(usize::from(i).wrapping_sub(corners.len())) {
            Some(&point) => point,
            None => self.vertices[corners[usize::from(i)] as usize],
        }
    }

    /// What `mark` says of the points of a polygon's finer surface; nothing where it has none.
    #[inline]
    fn marks(&self, polygon: PolygonId, mark: impl Fn(Vec3) -> u8) -> Marks {
        let mut marks = Marks([u8::MAX; MARKED]);
        let (points, triangles) = self.finer_surface(polygon);
        if triangles.is_empty() {
            return marks;
        }
        let corners = self.corner_points(polygon);
        let first = corners.len() % MARKED;
        for (i, corner) in corners.enumerate() {
            marks.0[i % MARKED] &= mark(corner);
        }
        // Up to the end of the table, and then around it: in runs, which the compiler vectorises.
        let (points, more) = points.split_at(points.len().min(MARKED - first));
        for (place, &point) in marks.0[first..].iter_mut().zip(points) {
            *place &= mark(point);
        }
        for points in more.chunks(MARKED) {
            for (place, &point) in marks.0.iter_mut().zip(points) {
                *place &= mark(point);
            }
        }
        marks
    }

    /// The height of a polygon's ground at the (x, z) of `place`. Outside the polygon it is the
    /// height at the nearest of its surface's triangles, continued.
    pub fn height_at(&self, polygon: PolygonId, place: Vec3) -> f32 {
        let level = self.vertices[self.corners(polygon)[0] as usize].y;
        let is_level = |point: Vec3| point.y == level;
        let finer = self.finer_surface(polygon).1.len();
        // Most floors are level, and need no triangles to say how high they are.
        if finer == 0 && self.corner_points(polygon).all(is_level) {
            return level;
        }
        if finer > FEW
            && let Some(height) = self.height_among_near(polygon, place)
        {
            return height;
        }
        height_among(self.surface(polygon), place).map_or(level, |(_, height)| height)
    }

    /// The height at a place from the triangles of a finer surface that are near it, where that is
    /// sure to be the height from all of them.
    ///
    /// Passed over are triangles all of whose points lie more than `gap` to the same side of the
    /// place, along x or along z. The weights of a triangle's corners add up to 1 and give the place
    /// as their mean, so if none were below -w, the place would be at most 2w times the triangle's
    /// extent outside its box. Hence one of the weights is below -gap / (2 extent), and half of that
    /// is left to rounding. On a surface about as large as its polygon, a triangle takes more than
    /// that only if it is narrower than some 1e-12 of its length, and then its weights are noise to
    /// begin with.
    #[inline]
    fn height_among_near(&self, polygon: PolygonId, place: Vec3) -> Option<f32> {
        let bounds = Aabb::around(self.corner_points(polygon));
        let size = bounds.max - bounds.min;
        let margin = (size.x + size.z) / 256.0;
        let (low, high) = (place - margin, place + margin);
        let gap = (place.x - low.x)
            .min(high.x - place.x)
            .min(place.z - low.z)
            .min(high.z - place.z);
        // Far from the origin `f32` may not have the margin; nor does a place that is no number.
        if !place.is_finite() || gap <= margin / 2.0 {
            return None;
        }
        let marks = self.marks(polygon, |point| {
            u8::from(point.x < low.x)
                | u8::from(point.x > high.x) << 1
                | u8::from(point.z < low.z) << 2
                | u8::from(point.z > high.z) << 3
        });
        let (points, triangles) = self.finer_surface(polygon);
        let near = triangles
            .iter()
            .filter(|&triangle| marks.in_common(triangle) == 0)
            .map(|triangle| triangle.map(|i| self.surface_point(polygon, i)));
        let (weight, height) = height_among(near, place)?;
        let is_sure = || {
            let all = bounds.union(Aabb::around(points.iter().copied()));
            let extent = (all.max - all.min).with_y(0.0).max_element();
            weight > -f64::from(gap) / (4.0 * f64::from(extent))
        };
        (weight >= 0.0 || is_sure()).then_some(height)
    }

    /// Whether the (x, z) of `place` lies in the polygon or on its border.
    #[inline]
    pub fn contains_xz(&self, polygon: PolygonId, place: Vec3) -> bool {
        self.borders(polygon)
            .all(|[a, b]| orientation(a, b, place) >= 0.0)
    }

    /// The point of a polygon's ground nearest to `place` seen from above: straight below or above
    /// it where the polygon is, else on the polygon's border.
    pub fn nearest_on(&self, polygon: PolygonId, place: Vec3) -> Vec3 {
        match self.nearest_xz(polygon, place) {
            Nearest::Ground(point) => point,
            Nearest::Place(point) => point.with_y(self.height_at(polygon, point)),
        }
    }

    /// What [`nearest_on`](Self::nearest_on) gives, but for a height that would take a look at the
    /// surface.
    #[inline]
    pub(super) fn nearest_xz(&self, polygon: PolygonId, place: Vec3) -> Nearest {
        if self.contains_xz(polygon, place) {
            return Nearest::Place(place);
        }
        let mut least = f64::INFINITY;
        let mut on_border = place;
        for [a, b] in self.borders(polygon) {
            let point = lerp(a, b, nearest_fraction(a, b, place));
            let distance = distance_squared_xz(point, place);
            if distance < least {
                (least, on_border) = (distance, point);
            }
        }
        if self.finer_surface(polygon).1.is_empty() {
            Nearest::Ground(on_border)
        } else {
            Nearest::Place(on_border)
        }
    }
}

/// Places for marks. Points beyond share a place, and have the marks there that all of them have, so
/// nothing is passed over wrongly. Recast gives a polygon at most 255 points.
const MARKED: usize = 512;

/// Up to so many triangles are sooner looked at than passed over.
const FEW: usize = 12;

/// Marks of the points of a finer surface, by their numbers modulo [`MARKED`].
struct Marks([u8; MARKED]);

impl Marks {
    /// The marks that all of these points have.
    #[inline]
    fn in_common(&self, &[a, b, c]: &[u16; 3]) -> u8 {
        let of = |point: u16| self.0[usize::from(point) % MARKED];
        of(a) & of(b) & of(c)
    }
}

/// A point of a polygon nearest to a place seen from above.
pub(super) enum Nearest {
    /// On its ground.
    Ground(Vec3),
    /// Above or below its ground.
    Place(Vec3),
}

/// The height of triangles at a place, and the smallest of its weights there. The triangle that
/// contains the place has no negative weight; rounding may leave the place in a crack between two,
/// so it is the one whose smallest weight is largest, the first among equals.
#[inline]
fn height_among(triangles: impl Iterator<Item = [Vec3; 3]>, place: Vec3) -> Option<(f64, f32)> {
    let mut best = None;
    for [a, b, c] in triangles {
        let whole = orientation(a, b, c);
        if whole == 0.0 {
            continue;
        }
        let (wa, wb) = (
            orientation(b, c, place) / whole,
            orientation(c, a, place) / whole,
        );
        let wc = 1.0 - wa - wb;
        let smallest = wa.min(wb).min(wc);
        if smallest > best.map_or(f64::NEG_INFINITY, |(weight, _)| weight) {
            let (wa, wb, wc) = (wa.max(0.0), wb.max(0.0), wc.max(0.0));
            let sum = wa * f64::from(a.y) + wb * f64::from(b.y) + wc * f64::from(c.y);
            best = Some((smallest, (sum / (wa + wb + wc)) as f32));
            if smallest >= 0.0 {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
#[path = "surface_test.rs"]
mod tests;
