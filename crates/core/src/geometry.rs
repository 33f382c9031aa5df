//! Geometry in plan. The ground plane is (x, z), and y is the height.
//!
//! Predicates take `f32` points and compute in `f64`. The difference of two `f32` is exact there
//! except for extreme exponents, so signs are right far from the origin, where `f32` is too coarse.

use glam::Vec3;

/// Returns twice the signed area of the triangle `a b c` in (x, z). It is positive if `c` lies to the
/// left of the line from `a` to `b`, with x to the right and z up.
#[inline]
pub fn orientation(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let (ax, az) = (f64::from(a.x), f64::from(a.z));
    (f64::from(b.x) - ax) * (f64::from(c.z) - az) - (f64::from(b.z) - az) * (f64::from(c.x) - ax)
}

/// Returns whether two points have the same x and z.
#[inline]
pub fn same_point(a: Vec3, b: Vec3) -> bool {
    a.x == b.x && a.z == b.z
}

/// Returns the distance of two points in (x, z).
#[inline]
pub fn distance_xz(a: Vec3, b: Vec3) -> f64 {
    distance_squared_xz(a, b).sqrt()
}

/// Returns the square of the distance of two points in (x, z).
#[inline]
pub fn distance_squared_xz(a: Vec3, b: Vec3) -> f64 {
    let (dx, dz) = (
        f64::from(b.x) - f64::from(a.x),
        f64::from(b.z) - f64::from(a.z),
    );
    dx * dx + dz * dz
}

/// Returns the distance of two points in space, which is the length that costs are computed from.
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f32 {
    (b - a).length()
}

/// Returns the fraction, from 0 to 1, at which the segment from `a` to `b` is nearest to `p` in (x, z).
/// It is 0 for a segment without length.
#[inline]
pub fn nearest_fraction(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let (ax, az) = (f64::from(a.x), f64::from(a.z));
    let (dx, dz) = (f64::from(b.x) - ax, f64::from(b.z) - az);
    let square = dx * dx + dz * dz;
    if square == 0.0 {
        return 0.0;
    }
    (((f64::from(p.x) - ax) * dx + (f64::from(p.z) - az) * dz) / square).clamp(0.0, 1.0)
}

/// Interpolates linearly between `a` and `b`: 0 gives `a`, 1 gives `b`.
#[inline]
pub fn lerp(a: Vec3, b: Vec3, fraction: f64) -> Vec3 {
    let mix = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * fraction) as f32;
    Vec3::new(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z))
}

/// Intersects the line through `a` and `b` with the line through `c` and `d` in (x, z). Returns the
/// fraction from `a` to `b` and the fraction from `c` to `d` at which they meet, or `None` if they are
/// parallel.
#[inline]
pub fn intersection_fractions(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Option<(f64, f64)> {
    let (at_c, at_d) = (orientation(a, b, c), orientation(a, b, d));
    let (at_a, at_b) = (orientation(c, d, a), orientation(c, d, b));
    let (across, along) = (at_c - at_d, at_a - at_b);
    (across != 0.0 && along != 0.0).then(|| (at_a / along, at_c / across))
}

/// An axis-aligned bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Aabb {
    /// The smallest coordinates.
    pub min: Vec3,
    /// The largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The empty box, whose union with any other box is that box.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// Returns the smallest box that contains all points.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, p| Self {
            min: aabb.min.min(p),
            max: aabb.max.max(p),
        })
    }

    /// Returns the smallest box that contains both boxes.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns this box, extended by `margin` on every side.
    #[inline]
    pub fn grown(self, margin: Vec3) -> Self {
        Self {
            min: self.min - margin,
            max: self.max + margin,
        }
    }

    /// Returns whether the boxes share a point.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Returns the distance of `p` from the box along each axis, which is 0 inside.
    #[inline]
    pub fn gap(self, p: Vec3) -> Vec3 {
        (self.min - p).max(p - self.max).max(Vec3::ZERO)
    }

    /// Returns the centre of the box.
    #[inline]
    pub fn centre(self) -> Vec3 {
        (self.min + self.max) * 0.5
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    #[test]
    fn orientation_is_positive_on_the_left() {
        let (a, b) = (vec3(0., 5., 0.), vec3(1., -5., 0.));
        assert!(orientation(a, b, vec3(0., 0., 1.)) > 0.0);
        assert!(orientation(a, b, vec3(0., 0., -1.)) < 0.0);
        assert_eq!(orientation(a, b, vec3(7., 9., 0.)), 0.0);
    }

    #[test]
    fn lines_intersect_unless_they_are_parallel() {
        let crossing = intersection_fractions(
            vec3(0., 0., 0.),
            vec3(4., 0., 0.),
            vec3(1., 0., -1.),
            vec3(1., 0., 3.),
        );
        assert_eq!(crossing, Some((0.25, 0.25)));
        let (a, b) = (vec3(0., 0., 0.), vec3(1., 0., 1.));
        assert_eq!(intersection_fractions(a, b, a + Vec3::X, b + Vec3::X), None);
        assert_eq!(intersection_fractions(a, a, a, b), None);
    }

    #[test]
    fn nearest_fraction_stays_on_the_segment() {
        assert_eq!(nearest_fraction(Vec3::ONE, Vec3::ONE, Vec3::ZERO), 0.0);
        assert_eq!(
            nearest_fraction(Vec3::ZERO, vec3(2., 0., 0.), vec3(1., 8., 3.)),
            0.5
        );
        assert_eq!(
            nearest_fraction(Vec3::ZERO, vec3(2., 0., 0.), vec3(9., 0., 0.)),
            1.0
        );
    }
}
