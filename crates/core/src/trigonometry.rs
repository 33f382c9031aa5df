//! Cosine, directions and arc cosine, computed with operations that IEEE 754 defines exactly. The functions of the
//! standard library differ in the last bit between platforms; these give the same bits everywhere.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec2;

/// Returns the cosine of an angle, with an error below 1e-15. [Limit: 0..=pi/2] [Units: rad]
pub fn cos(angle: f64) -> f64 {
    // The Taylor series. Its first omitted term is below 1e-24.
    let square = angle * angle;
    let mut sum = 1.0;
    for term in (1..=13).rev() {
        let term = f64::from(2 * term);
        sum = 1.0 - square / (term * (term - 1.0)) * sum;
    }
    sum
}

/// Returns the unit vector at a finite angle from the first axis towards the second. [Units: rad]
pub fn direction(angle: f64) -> DVec2 {
    let angle = angle.rem_euclid(TAU);
    let quarter = (angle / FRAC_PI_2).floor().min(3.0);
    let rest = (angle - quarter * FRAC_PI_2).clamp(0.0, FRAC_PI_2);
    let first = DVec2::new(cos(rest), cos(FRAC_PI_2 - rest));
    (0..quarter as u32).fold(first, |direction, _| direction.perp())
}

/// Returns the angle from 0 to pi whose cosine is `cosine`, with a relative error below 1e-15.
/// [Limit: -1..=1] [Units: rad]
pub fn acos(cosine: f64) -> f64 {
    // tan(a / 2)² = (1 - cos a) / (1 + cos a)
    (2.0 * atan(((1.0 - cosine) / (1.0 + cosine)).sqrt())).min(PI)
}

/// Returns the angle whose tangent is `tangent`. [Limit: 0..=infinity] [Units: rad]
fn atan(tangent: f64) -> f64 {
    if tangent > 1.0 {
        return FRAC_PI_2 - atan(1.0 / tangent);
    }
    // tan(a / 2) = tan a / (1 + sqrt(1 + tan² a)). After three halvings the angle is at most pi / 32.
    let half = |tangent: f64| tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let small = half(half(half(tangent)));
    // The Taylor series. Its first omitted term is below 1e-20 of the sum.
    let square = small * small;
    let mut sum = 0.0;
    for term in (0..=9).rev() {
        sum = 1.0 / f64::from(2 * term + 1) - square * sum;
    }
    8.0 * small * sum
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;

    #[test]
    fn cos_agrees_with_the_standard_library() {
        for step in 0..=9000 {
            let angle = f64::from(step) / 9000.0 * FRAC_PI_2;
            let error = (cos(angle) - angle.cos()).abs();
            assert!(error < 1e-15, "cos({angle}) has an error of {error}");
        }
    }

    #[test]
    fn directions_agree_with_the_standard_library() {
        for step in -20_000..=20_000 {
            let angle = f64::from(step) / 1000.0;
            let error = (direction(angle) - DVec2::from_angle(angle)).length();
            assert!(
                error < 1e-14,
                "the direction of {angle} has an error of {error}"
            );
        }
        assert_eq!(direction(-1e-300).y, 0.0);
    }

    #[test]
    fn acos_agrees_with_the_standard_library() {
        for step in -10_000..=10_000 {
            let cosine = f64::from(step) / 10_000.0;
            let error = (acos(cosine) - cosine.acos()).abs();
            assert!(error < 2e-15, "acos({cosine}) has an error of {error}");
        }
        assert_eq!(acos(1.0), 0.0);
        assert_eq!(acos(-1.0), PI);
        let nearly_one = 1.0 - f64::EPSILON;
        assert!((acos(nearly_one) / nearly_one.acos() - 1.0).abs() < 1e-7);
    }
}
