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

    /// Returns the first and the last fraction of the infinite line at which it is within a distance of a segment.
    /// The line must have a length.
    pub(super) fn contact(&self, [a, b]: [DVec2; 2], distance: f64) -> Option<[f64; 2]> {
        let direction = (self.to - self.from) / self.length;
        let [a, b] = [a, b].map(|end| end - self.from);
        let mut contact = [f64::INFINITY, f64::NEG_INFINITY];
        let mut extend = |low: f64, high: f64| {
            if low <= high {
                contact = [contact[0].min(low), contact[1].max(high)];
            }
        };
        // The circles around the ends.
        for end in [a, b] {
            let beside = direction.perp_dot(end);
            let square = distance * distance - beside * beside;
            if square >= 0.0 {
                let (foot, half) = (direction.dot(end), square.sqrt());
                extend(foot - half, foot + half);
            }
        }
        // The rectangle between them: the part of the line that is near the line of the segment and whose foot
        // is on the segment.
        let along = b - a;
        let length = along.length();
        let along = along / length;
        let (rise, run) = (along.perp_dot(direction), along.dot(direction));
        let (depth, foot) = (-along.perp_dot(a), -along.dot(a));
        let near = between(depth, rise, -distance, distance);
        let beside = between(foot, run, 0.0, length);
        extend(near[0].max(beside[0]), near[1].min(beside[1]));
        (contact[0] <= contact[1]).then(|| contact.map(|at| at / self.length))
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

/// Returns the first and the last `s` for which `start + s * slope` is between two bounds. The last is less than the
/// first if there is none.
fn between(start: f64, slope: f64, low: f64, high: f64) -> [f64; 2] {
    if slope == 0.0 {
        return match (low..=high).contains(&start) {
            true => [f64::NEG_INFINITY, f64::INFINITY],
            false => [f64::INFINITY, f64::NEG_INFINITY],
        };
    }
    let [one, two] = [(low - start) / slope, (high - start) / slope];
    [one.min(two), one.max(two)]
}
