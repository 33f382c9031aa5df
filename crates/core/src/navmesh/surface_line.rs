//! Follows a straight line over the finer surface of a polygon.

use glam::{DVec2, Vec3, Vec3Swizzles};
use wide::f64x4;

use super::NavMesh;
use super::surface_web::{LANES, MAX_POINTS, MAX_RIM, SurfaceWeb, WebEdge};
use crate::ids::PolygonId;

/// A straight line in plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanLine {
    from: DVec2,
    along: DVec2,
    /// `along` divided by its squared length.
    per_length: DVec2,
    length: f64,
}

impl PlanLine {
    #[inline]
    pub(crate) fn new([from, to]: [Vec3; 2]) -> Self {
        let from = from.xz().as_dvec2();
        let along = to.xz().as_dvec2() - from;
        let length_squared = along.length_squared().max(f64::MIN_POSITIVE);
        Self {
            from,
            along,
            per_length: along / length_squared,
            length: length_squared.sqrt(),
        }
    }

    /// Returns the length of the line, which is not 0. [Units: m]
    #[inline]
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// Returns on which side of the line a point lies: its distance times the length of the line, positive on the
    /// left.
    #[inline]
    pub(crate) fn side(&self, point: Vec3) -> f64 {
        self.along.perp_dot(point.xz().as_dvec2() - self.from)
    }

    /// Returns on which [side](Self::side) of the line a point lies, and how far along it.
    #[inline(always)]
    pub(crate) fn place(&self, point: Vec3) -> (f64, f64) {
        let offset = point.xz().as_dvec2() - self.from;
        (self.along.perp_dot(offset), self.per_length.dot(offset))
    }

    /// Returns how far along the line a point lies, as a fraction of it.
    #[inline]
    pub(crate) fn fraction(&self, point: DVec2) -> f64 {
        self.per_length.dot(point - self.from)
    }
}

/// Whether [`NavMesh::cross_surface`] has found the breaks of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreaksFound {
    /// It has found all breaks, in the order of the line.
    InOrder,
    /// It has found all breaks, in any order.
    Unordered,
    /// It has not found all breaks.
    Incomplete,
}

/// Where the points of a surface are relative to a line. Only the first values are in use.
#[derive(Clone, Debug)]
pub(crate) struct PointsByLine {
    /// Per point, its [side](PlanLine::side).
    sides: [f64; MAX_POINTS],
    /// Per point, how far along the line it lies, as a fraction of the line.
    fractions: [f64; MAX_POINTS],
}

impl Default for PointsByLine {
    fn default() -> Self {
        Self {
            sides: [0.0; MAX_POINTS],
            fractions: [0.0; MAX_POINTS],
        }
    }
}

impl PointsByLine {
    /// Returns where the line crosses an edge between a point on its left and one on its right: as a fraction of the line,
    /// and the height.
    #[inline(always)]
    fn cut(&self, web: &SurfaceWeb<'_>, [left, right]: [u8; 2]) -> (f64, f64) {
        let [left, right] = [left, right].map(usize::from);
        let share = self.sides[right] / (self.sides[right] - self.sides[left]);
        let mix = |right: f64, left: f64| right + (left - right) * share;
        (
            mix(self.fractions[right], self.fractions[left]),
            mix(web.height(right), web.height(left)),
        )
    }
}

/// Which points of a rim lie where relative to a line: one bit each.
#[derive(Clone, Copy, Debug, Default)]
struct RimSides {
    right: u64,
    /// The points that are close to the line.
    near: u64,
}

impl SurfaceWeb<'_> {
    /// Computes where the points lie relative to a line. Points on the rim whose sides are at most `near` are close to it.
    #[inline(always)]
    fn place(&self, line: &PlanLine, near: f64, points: &mut PointsByLine) -> RimSides {
        let splat = f64x4::splat;
        let (from_x, from_z) = (splat(line.from.x), splat(line.from.y));
        let (along_x, along_z) = (splat(line.along.x), splat(line.along.y));
        let (per_length_x, per_length_z) = (splat(line.per_length.x), splat(line.per_length.y));
        let near = splat(near);
        let (sides, _) = points.sides.as_chunks_mut::<LANES>();
        let (fractions, _) = points.fractions.as_chunks_mut::<LANES>();
        let places = sides.iter_mut().zip(fractions);
        let mut rim = RimSides::default();
        for (lane, (&[xs, zs], place)) in self.positions.iter().zip(places).enumerate() {
            let x = f64x4::from(xs.map(f64::from)) - from_x;
            let z = f64x4::from(zs.map(f64::from)) - from_z;
            let side = along_x * z - along_z * x;
            *place.0 = side.to_array();
            *place.1 = (per_length_x * x + per_length_z * z).to_array();
            // Bits beyond the rim do not matter.
            let shift = (lane * LANES) as u32 % u64::BITS;
            if lane < MAX_RIM / LANES {
                rim.right |= u64::from(side.simd_lt(f64x4::ZERO).to_bitmask()) << shift;
                rim.near |= u64::from(side.abs().simd_le(near).to_bitmask()) << shift;
            }
        }
        let all = u64::MAX >> (MAX_RIM - self.rim);
        RimSides {
            right: rim.right & all,
            near: rim.near & all,
        }
    }
}

impl NavMesh {
    /// Calls `visit` with the breaks of a polygon's finer surface along a line: where an edge crosses the line,
    /// as a fraction of the line, and the height there. If the rim runs along the line, its points there are
    /// breaks, too. Ends when `visit` returns false.
    ///
    /// An edge of the rim runs along the line if the sides of both ends are at most `near`, which must be at least the
    /// side of a point at the distance [`RIM_DEVIATION`](super::RIM_DEVIATION). Pieces have no surface of their own.
    ///
    /// Triangles with points on both sides form strips, because each of them has exactly two edges that change sides.
    /// A strip begins where the rim changes from the left to the right. A point on the line counts as left. If there
    /// is one such place, the line crosses one strip.
    #[inline]
    pub(crate) fn cross_surface(
        &self,
        polygon: PolygonId,
        line: &PlanLine,
        near: f64,
        points: &mut PointsByLine,
        mut visit: impl FnMut((f64, f64)) -> bool,
    ) -> BreaksFound {
        let Some(web) = self.surface_webs.of(polygon.index()) else {
            return BreaksFound::Incomplete;
        };
        let RimSides { right, near } = web.place(line, near, points);
        let left = u64::MAX >> (MAX_RIM - web.rim) & !right;
        let at_next = |bits: u64| bits >> 1 | (bits & 1) << (web.rim - 1);
        let next_on_rim = |point: usize| match point + 1 == web.rim {
            true => 0,
            false => point + 1,
        };

        let mut found = BreaksFound::InOrder;
        let mut near_edges = near & at_next(near);
        while near_edges != 0 {
            found = BreaksFound::Unordered;
            let point = near_edges.trailing_zeros() as usize;
            near_edges &= near_edges - 1;
            for end in [point, next_on_rim(point)] {
                visit((points.fractions[end], web.height(end)));
            }
        }
        if left & !near == 0 || right & !near == 0 {
            // The line touches only the rim.
            return found;
        }
        let entries = left & at_next(right);
        if entries & entries.wrapping_sub(1) != 0 {
            return BreaksFound::Incomplete;
        }
        let entry = entries.trailing_zeros() as usize;
        // The edge through which the line enters a triangle runs from the left to the right.
        let mut ends = [entry as u8, next_on_rim(entry) as u8];
        let mut edge = web.rim_edge(entry);
        if !visit(points.cut(&web, ends)) {
            return found;
        }
        for _ in 0..web.triangles {
            let entered = web.edge(edge);
            let top = entered.opposite();
            // Which end the point opposite replaces is unpredictable, so there is no branch.
            let is_right = usize::from(points.sides[usize::from(top)] < 0.0);
            ends[is_right] = top;
            edge = entered.next(is_right);
            if !visit(points.cut(&web, ends)) || edge == WebEdge::NONE {
                break;
            }
        }
        found
    }
}
