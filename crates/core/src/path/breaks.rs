//! The breaks of the ground along a line: where the line crosses edges of the surfaces below it.

use glam::{Vec3, Vec3Swizzles};

use crate::ids::PolygonId;
use crate::navmesh::{BreaksFound, NavMesh, PlanLine, PointsByLine, RIM_DEVIATION};

/// A point of the ground within this distance of a line is on it. Breaks within twice this distance are the same.
/// [Units: m]
const ON_LINE: f64 = 1e-3;

// A line farther than this from the corners of a border crosses no part of the rim there.
const _: () = assert!(ON_LINE > RIM_DEVIATION);

/// A straight line between two corners.
pub(super) struct GroundLine {
    plan: PlanLine,
    /// The [side](PlanLine::side) of a point at the distance [`ON_LINE`].
    near: f64,
    /// Fractions of the line that differ by less are the same break.
    pub(super) same: f64,
}

impl GroundLine {
    pub(super) fn new(ends: [Vec3; 2]) -> Self {
        let plan = PlanLine::new(ends);
        Self {
            near: ON_LINE * plan.length(),
            same: 2.0 * ON_LINE / plan.length(),
            plan,
        }
    }

    /// Returns the break where the line crosses an edge whose ends lie on its two sides.
    #[inline]
    fn cut(&self, [a, b]: [Vec3; 2], [side_a, side_b]: [f64; 2]) -> (f64, f64) {
        let [from, to] = [a, b].map(Vec3::as_dvec3);
        let point = from + (to - from) * (side_a / (side_a - side_b));
        (self.plan.fraction(point.xz()), point.y)
    }

    /// Returns where the line crosses a portal, or [`PortalBelow::NONE`] if they are parallel.
    #[inline(always)]
    pub(super) fn crossing(&self, [right, left]: [Vec3; 2]) -> PortalBelow {
        let [(side_right, right_at), (side_left, left_at)] =
            [right, left].map(|end| self.plan.place(end));
        let share = side_right / (side_right - side_left);
        if !share.is_finite() {
            return PortalBelow::NONE;
        }
        let share = share.clamp(0.0, 1.0);
        let mix = |right: f64, left: f64| right + (left - right) * share;
        PortalBelow {
            at: mix(right_at, left_at),
            share,
            height: mix(f64::from(right.y), f64::from(left.y)),
        }
    }
}

/// Where a line crosses a portal.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortalBelow {
    /// The point as a fraction of the line.
    pub(super) at: f64,
    /// The point as a fraction of the portal, from its right end to its left end.
    pub(super) share: f64,
    /// The height of the point. [Units: m]
    pub(super) height: f64,
}

impl PortalBelow {
    /// The beginning of a line, where there is no portal.
    pub(super) const START: Self = Self {
        at: f64::NEG_INFINITY,
        ..Self::NONE
    };

    /// The line does not cross it.
    pub(super) const NONE: Self = Self {
        at: f64::INFINITY,
        share: 0.0,
        height: 0.0,
    };
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
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        line: &GroundLine,
        mesh: &NavMesh,
        polygon: PolygonId,
        places: &mut PointsByLine,
    ) {
        // Pieces of one polygon have the same ground.
        let polygon = mesh.whole(polygon);
        if self.polygon.replace(polygon) != Some(polygon) {
            self.find_anew(line, mesh, polygon, places);
        }
    }

    fn find_anew(
        &mut self,
        line: &GroundLine,
        mesh: &NavMesh,
        polygon: PolygonId,
        places: &mut PointsByLine,
    ) {
        let list = &mut self.list;
        list.clear();
        let visit = |(at, height)| {
            list.push((at, height));
            // Breaks beyond the end of the line are not needed.
            at <= 1.0 + line.same
        };
        match mesh.cross_surface(polygon, &line.plan, line.near, places, visit) {
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
                .map(|point| (point, line.plan.side(point))),
        );
        points.extend(
            finer_points
                .iter()
                .map(|&point| (point, line.plan.side(point))),
        );
        codes.extend(points.iter().map(|&(_, side)| code(side)));
        for (&(point, _), _) in points.iter().zip(&*codes).filter(|&(_, &code)| code == 0) {
            list.push((
                line.plan.fraction(point.xz().as_dvec2()),
                f64::from(point.y),
            ));
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
                let [a, b] = edge.map(|point| (point, line.plan.side(point)));
                if code(a.1) | code(b.1) == RIGHT | LEFT {
                    cut(a, b);
                }
            }
        }
    }

    /// Returns the height of the break that is nearest to a fraction of the line, and at most `same` away from it. The
    /// line leaves the polygon there.
    #[inline]
    pub(super) fn height_at_exit(&self, at: f64, same: f64) -> Option<f64> {
        nearest_height(self.list.iter().rev(), at, same)
    }

    /// Returns the height of the break that is nearest to a fraction of the line, and at most `same` away from it. The
    /// line enters the polygon there.
    #[inline]
    pub(super) fn height_at_entry(&self, at: f64, same: f64) -> Option<f64> {
        nearest_height(self.list.iter(), at, same)
    }
}

/// Returns the height of the break nearest to a fraction of the line, among breaks in the order of the line or in reverse.
#[inline]
fn nearest_height<'a>(
    breaks: impl Iterator<Item = &'a (f64, f64)>,
    at: f64,
    same: f64,
) -> Option<f64> {
    let mut nearest = (same, None);
    for &(fraction, height) in breaks {
        let distance = (fraction - at).abs();
        if distance <= nearest.0 {
            nearest = (distance, Some(height));
        } else if nearest.1.is_some() {
            break;
        }
    }
    nearest.1
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
