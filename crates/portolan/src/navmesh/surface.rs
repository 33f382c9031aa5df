//! The ground of a polygon: its height at a place, and the nearest place on it.

use glam::Vec3;

use super::NavMesh;
use crate::csr::Csr;
use crate::geometry::{between, distance_squared_xz, nearest_share, turn};
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
        let (points, triangles) = self.finer_surface(polygon);
        let corner = move |i: usize| self.vertices[corners[i % count] as usize];
        let Spokes { hub, first, sides } = self.spokes(polygon);
        let finer = triangles.iter().map(move |triangle| {
            triangle.map(|i| match points.get((i as usize).wrapping_sub(count)) {
                Some(&point) => point,
                None => corner(i as usize),
            })
        });
        (first..first + sides)
            .map(move |i| [hub, corner(i), corner(i + 1)])
            .chain(finer)
    }

    /// The edges of a polygon's surface that may lie inside it: all where it has a finer one, else
    /// those from the hub of its fan or tent.
    #[inline]
    pub(crate) fn inner_edges(&self, polygon: PolygonId) -> impl Iterator<Item = [Vec3; 2]> {
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
        let finer = if sides == 0 { usize::MAX } else { 0 };
        let edges = self
            .surface(polygon)
            .take(finer)
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
            turn(before, corner(i), after) > 1e-3 * distance_squared_xz(before, after).sqrt()
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

    /// The height of a polygon's ground at the (x, z) of `place`. Outside the polygon it is the
    /// height at the nearest of its surface's triangles, continued.
    pub fn height_at(&self, polygon: PolygonId, place: Vec3) -> f32 {
        let level = self.vertices[self.corners(polygon)[0] as usize].y;
        let is_level = |point: Vec3| point.y == level;
        // Most floors are level, and need no triangles to say how high they are.
        if self.finer_surface(polygon).1.is_empty() && self.corner_points(polygon).all(is_level) {
            return level;
        }
        // The triangle that contains the place has no negative weight; rounding may leave the
        // place in a crack between two, so take the one whose smallest weight is largest.
        let mut best = (f64::NEG_INFINITY, level);
        for [a, b, c] in self.surface(polygon) {
            let whole = turn(a, b, c);
            if whole == 0.0 {
                continue;
            }
            let (wa, wb) = (turn(b, c, place) / whole, turn(c, a, place) / whole);
            let wc = 1.0 - wa - wb;
            let smallest = wa.min(wb).min(wc);
            if smallest > best.0 {
                let (wa, wb, wc) = (wa.max(0.0), wb.max(0.0), wc.max(0.0));
                let sum = wa * f64::from(a.y) + wb * f64::from(b.y) + wc * f64::from(c.y);
                best = (smallest, (sum / (wa + wb + wc)) as f32);
                if smallest >= 0.0 {
                    break;
                }
            }
        }
        best.1
    }

    /// Whether the (x, z) of `place` lies in the polygon or on its border.
    #[inline]
    pub fn contains_xz(&self, polygon: PolygonId, place: Vec3) -> bool {
        self.borders(polygon).all(|[a, b]| turn(a, b, place) >= 0.0)
    }

    /// The point of a polygon's ground nearest to `place` seen from above: straight below or above
    /// it where the polygon is, else on the polygon's border.
    pub fn nearest_on(&self, polygon: PolygonId, place: Vec3) -> Vec3 {
        if self.contains_xz(polygon, place) {
            return place.with_y(self.height_at(polygon, place));
        }
        let mut least = f64::INFINITY;
        let mut on_border = place;
        for [a, b] in self.borders(polygon) {
            let point = between(a, b, nearest_share(a, b, place));
            let distance = distance_squared_xz(point, place);
            if distance < least {
                (least, on_border) = (distance, point);
            }
        }
        if self.finer_surface(polygon).1.is_empty() {
            on_border
        } else {
            on_border.with_y(self.height_at(polygon, on_border))
        }
    }
}
