//! Points seen from above. The ground plane is (x, z); y is height.
//!
//! Predicates take `f32` points and compute in `f64`: a difference of two `f32` is exact there
//! but for extreme exponents, so signs are right far from the origin, where `f32` would guess.

use glam::Vec3;

/// Twice the signed area of the triangle `a b c` in (x, z). Positive when `c` lies to the left of
/// the line from `a` to `b`, x to the right and z up.
#[inline]
pub fn orientation(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let (ax, az) = (f64::from(a.x), f64::from(a.z));
    (f64::from(b.x) - ax) * (f64::from(c.z) - az) - (f64::from(b.z) - az) * (f64::from(c.x) - ax)
}

/// Whether two points lie at the same place in (x, z).
#[inline]
pub fn same_point(a: Vec3, b: Vec3) -> bool {
    a.x == b.x && a.z == b.z
}

/// Distance in (x, z).
#[inline]
pub fn distance_xz(a: Vec3, b: Vec3) -> f64 {
    distance_squared_xz(a, b).sqrt()
}

/// The square of the distance in (x, z).
#[inline]
pub fn distance_squared_xz(a: Vec3, b: Vec3) -> f64 {
    let (dx, dz) = (
        f64::from(b.x) - f64::from(a.x),
        f64::from(b.z) - f64::from(a.z),
    );
    dx * dx + dz * dz
}

/// Distance in space, the length that costs are made of.
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f32 {
    (b - a).length()
}

/// The share of the way from `a` to `b` at which the segment passes nearest to `p` in (x, z).
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

/// The point at `share` of the way from `a` to `b`.
#[inline]
pub fn lerp(a: Vec3, b: Vec3, share: f64) -> Vec3 {
    let mix = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * share) as f32;
    Vec3::new(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z))
}

/// Where the line through `a` and `b` meets the line through `c` and `d` in (x, z), as a share of
/// each. `None` when they are parallel.
#[inline]
pub fn intersection_fractions(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Option<(f64, f64)> {
    let (at_c, at_d) = (orientation(a, b, c), orientation(a, b, d));
    let (at_a, at_b) = (orientation(c, d, a), orientation(c, d, b));
    let (across, along) = (at_c - at_d, at_a - at_b);
    (across != 0.0 && along != 0.0).then(|| (at_a / along, at_c / across))
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box around nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The smallest box around points.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, p| Self {
            min: aabb.min.min(p),
            max: aabb.max.max(p),
        })
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// This box, larger by `by` on every side.
    #[inline]
    pub fn grown(self, by: Vec3) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// Whether the boxes share a point.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// How far `p` lies outside the box, axis by axis.
    #[inline]
    pub fn gap(self, p: Vec3) -> Vec3 {
        (self.min - p).max(p - self.max).max(Vec3::ZERO)
    }

    /// Its middle.
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
    fn left_is_positive() {
        let (a, b) = (vec3(0., 5., 0.), vec3(1., -5., 0.));
        assert!(orientation(a, b, vec3(0., 0., 1.)) > 0.0);
        assert!(orientation(a, b, vec3(0., 0., -1.)) < 0.0);
        assert_eq!(orientation(a, b, vec3(7., 9., 0.)), 0.0);
    }

    #[test]
    fn lines_meet_where_they_should() {
        let meet = intersection_fractions(
            vec3(0., 0., 0.),
            vec3(4., 0., 0.),
            vec3(1., 0., -1.),
            vec3(1., 0., 3.),
        );
        assert_eq!(meet, Some((0.25, 0.25)));
        let (a, b) = (vec3(0., 0., 0.), vec3(1., 0., 1.));
        assert_eq!(intersection_fractions(a, b, a + Vec3::X, b + Vec3::X), None);
        assert_eq!(intersection_fractions(a, a, a, b), None);
    }

    #[test]
    fn the_nearest_share_of_a_point_is_its_start() {
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
