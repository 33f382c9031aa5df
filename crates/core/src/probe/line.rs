//! A straight line in plan.

use glam::{DVec2, Vec3};

/// A straight line in plan. Coordinates are `f32` and are computed with in `f64`, so what is computed here is
/// far more precise than the points are.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) from: DVec2,
    pub(super) to: DVec2,
    pub(super) length: f64,
}

/// Returns the (x, z) of a point.
#[inline]
pub(super) fn in_plan(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), f64::from(point.z))
}

impl Line {
    /// Returns the line between two points, or `None` if they are not finite.
    #[inline]
    pub(super) fn new(from: Vec3, to: Vec3) -> Option<Self> {
        let is_finite = from.is_finite() && to.is_finite();
        let [from, to] = [from, to].map(in_plan);
        is_finite.then(|| Self {
            from,
            to,
            length: from.distance(to),
        })
    }

    /// Returns twice the area of the triangle of the line and a point: positive if the point is on the left.
    #[inline(always)]
    pub(super) fn side(&self, point: DVec2) -> f64 {
        (self.to - self.from).perp_dot(point - self.from)
    }

    /// Returns the fraction of this line at which it crosses the line from `right` to `left`.
    #[inline(always)]
    pub(super) fn fraction_at(&self, right: DVec2, left: DVec2) -> f64 {
        let along = left - right;
        let at_from = along.perp_dot(self.from - right);
        let at_to = along.perp_dot(self.to - right);
        at_from / (at_from - at_to)
    }

    /// Returns the fraction of this line at which it is nearest to a point.
    pub(super) fn nearest_fraction(&self, point: Vec3) -> f64 {
        let along = self.to - self.from;
        let fraction = (in_plan(point) - self.from).dot(along) / along.length_squared();
        if fraction.is_nan() {
            return 0.0;
        }
        fraction.clamp(0.0, 1.0)
    }

    /// Returns the point at a fraction, without a height.
    pub(super) fn at(&self, fraction: f64) -> Vec3 {
        let point = self.from + (self.to - self.from) * fraction;
        Vec3::new(point.x as f32, 0.0, point.y as f32)
    }
}

/// Returns the square of the distance of a point from a segment in plan.
#[inline]
pub(super) fn distance_squared([a, b]: [Vec3; 2], point: Vec3) -> f64 {
    let [a, b, point] = [a, b, point].map(in_plan);
    let along = b - a;
    let square = along.length_squared();
    let offset = point - a;
    if square == 0.0 {
        return offset.length_squared();
    }
    let fraction = (offset.dot(along) / square).clamp(0.0, 1.0);
    (offset - along * fraction).length_squared()
}
