//! The breaks of the ground along a line: where the line crosses edges of the surfaces below it.

use glam::{DVec2, Vec3, Vec3Swizzles};

use crate::geometry::lerp;
use crate::ids::PolygonId;
use crate::navmesh::{BreaksFound, NavMesh, PointByLine, RIM_DEVIATION};

/// A point of the ground within this distance of a line is on it. Breaks within twice this distance are the same.
/// [Units: m]
const ON_LINE: f64 = 1e-3;

// A line farther than this from the corners of a border crosses no part of the rim there.
const _: () = assert!(ON_LINE >= RIM_DEVIATION);

/// A straight line between two corners, in plan.
pub(super) struct GroundLine {
    from: DVec2,
    along: DVec2,
    /// `along` divided by its squared length.
    per_length: DVec2,
    /// The [side](Self::side) of a point at the distance [`ON_LINE`].
    near: f64,
    /// Fractions of the line that differ by less are the same break.
    pub(super) same: f64,
}

impl GroundLine {
    pub(super) fn new([from, to]: [Vec3; 2]) -> Self {
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

    /// Returns where a point lies relative to the line.
    #[inline]
    fn place(&self, point: Vec3) -> PointByLine {
        let offset = point.xz().as_dvec2() - self.from;
        PointByLine {
            side: self.along.perp_dot(offset),
            fraction: self.per_length.dot(offset),
            height: point.y,
        }
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
    pub(super) fn crossing(&self, [right, left]: [Vec3; 2]) -> Option<(f64, Vec3)> {
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
pub(super) struct Breaks {
    /// The polygon, if its breaks along the current line are known.
    pub(super) polygon: Option<PolygonId>,
    pub(super) list: Vec<(f64, f64)>,
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
    /// Finds the breaks of a polygon, unless they are known.
    pub(super) fn find(&mut self, line: &GroundLine, mesh: &NavMesh, polygon: PolygonId) {
        // Pieces of one polygon have the same ground.
        let polygon = mesh.whole(polygon);
        if self.polygon.replace(polygon) == Some(polygon) {
            return;
        }
        let list = &mut self.list;
        list.clear();
        let visit = |(at, height)| {
            list.push((at, height));
            // Breaks beyond the end of the line are not needed.
            at <= 1.0 + line.same
        };
        match mesh.cross_surface(polygon, |point| line.place(point), line.near, visit) {
            BreaksFound::InOrder => {}
            BreaksFound::Unordered => self.sort(),
            BreaksFound::Incomplete => {
                self.list.clear();
                self.find_among_all_edges(line, mesh, polygon);
                self.sort();
            }
        }
    }

    fn sort(&mut self) {
        self.list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Compares the line with every edge. This is needed for polygons without a finer surface, for surfaces
    /// of which the mesh does not know how their triangles are connected, and for lines that cross a rim more than twice.
    fn find_among_all_edges(&mut self, line: &GroundLine, mesh: &NavMesh, polygon: PolygonId) {
        let Self {
            list,
            points,
            codes,
            ..
        } = self;
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
    }

    /// Returns the height of the break that is nearest to a fraction of the line, and at most `same` away from it.
    pub(super) fn height_at(&self, at: f64, same: f64) -> Option<f64> {
        let mut nearest = (same, None);
        for &(fraction, height) in self.list.iter().rev() {
            let distance = (fraction - at).abs();
            if distance <= nearest.0 {
                nearest = (distance, Some(height));
            }
        }
        nearest.1
    }
}

/// Returns whether a polygon without a finer surface is flat: it is a triangle, or level to within a
/// millimetre. The ground then has no breaks inside it.
fn is_flat(mesh: &NavMesh, polygon: PolygonId) -> bool {
    let heights = mesh.height_range(polygon);
    heights.highest - heights.lowest <= 1e-3 || mesh.corners(polygon).len() == 3
}

#[cfg(test)]
#[path = "breaks_test.rs"]
mod tests;
