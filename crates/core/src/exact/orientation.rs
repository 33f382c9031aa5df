//! The orientation of three points, with the exact sign.
//!
//! Every decision of the exact engine is the sign of an orientation of points of the mesh, of the start and
//! of the goal: rays are stored as the points that they pass through and never as computed intersections.
//! With exact signs there are no tolerances to choose, and points on vertices and borders need no special
//! treatment.

use glam::DVec2;
use robust::{Coord, orient2d};

/// The rounding error of [`orientation`], relative to the sum of its two products: Ozaki, Bünger, Ogita,
/// Oishi and Rump, "Simple floating-point filters for the two-dimensional orientation problem", BIT 56, 2016.
const ERROR_BOUND: f64 = 3.330_669_062_177_372e-16;

/// Returns twice the signed area of the triangle `a b c`. The sign is exact: positive if `c` lies to the left
/// of the line from `a` to `b`, 0 if the three points are on one line. The value is rounded.
#[inline(always)]
pub(super) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let left = (a.x - c.x) * (b.y - c.y);
    let right = (a.y - c.y) * (b.x - c.x);
    let area = left - right;
    if area.abs() >= ERROR_BOUND * (left + right).abs() {
        area
    } else {
        exact_orientation(a, b, c)
    }
}

#[cold]
#[inline(never)]
fn exact_orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|point| Coord {
        x: point.x,
        y: point.y,
    });
    orient2d(a, b, c)
}

#[cfg(test)]
mod tests {
    use glam::dvec2;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_sign_is_that_of_the_turn() {
        let (a, b) = (dvec2(0.0, 0.0), dvec2(1.0, 0.0));
        assert!(orientation(a, b, dvec2(0.5, 1e-300)) > 0.0);
        assert!(orientation(a, b, dvec2(0.5, -1e-300)) < 0.0);
        assert_eq!(orientation(a, b, dvec2(7.0, 0.0)), 0.0);
    }

    proptest! {
        /// Small integers, shifted far from the origin, have an orientation that integers compute exactly.
        #[test]
        fn signs_equal_those_of_integers(
            points in prop::array::uniform3(prop::array::uniform2(-9i64..10)),
            shift in prop::array::uniform2(-(1i64 << 50)..1 << 50),
        ) {
            let [a, b, c] = points;
            let exact = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let [a, b, c] = points.map(|[x, y]| dvec2((x + shift[0]) as f64, (y + shift[1]) as f64));
            let sign = |area: f64| (area > 0.0) as i64 - (area < 0.0) as i64;
            prop_assert_eq!(sign(orientation(a, b, c)), exact.signum());
        }
    }
}
