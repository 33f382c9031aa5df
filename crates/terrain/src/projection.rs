//! Map projections: how longitude and latitude become metres in a plane, and back.
//!
//! The transverse Mercator projection uses the series of Krüger in the third flattening up to its fourth power (Karney,
//! "Transverse Mercator with an accuracy of a few nanometers", Journal of Geodesy 85, 2011). Within 3 000 km of the
//! central meridian, it is exact to a micrometre. Functions are those of `libm`, which gives the same bits on
//! every platform.

use std::f64::consts::FRAC_PI_2;

/// The equatorial radius of the ellipsoid of WGS84. [Units: m]
const EQUATOR: f64 = 6_378_137.0;
/// The flattening of the ellipsoid of WGS84.
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// A transverse Mercator projection of the ellipsoid of WGS84: it preserves angles, and its scale is `scale` along
/// the central meridian and grows by the square of the distance from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TransverseMercator {
    /// The longitude of the central meridian. [Units: degrees]
    meridian: f64,
    /// The scale along the central meridian.
    scale: f64,
    /// The x of the central meridian and the y of the equator. [Units: m]
    shift: [f64; 2],
}

impl TransverseMercator {
    /// Returns the projection of a UTM zone from 1 to 60.
    pub(super) fn utm(zone: u8, is_south: bool) -> Self {
        Self {
            meridian: 6.0 * f64::from(zone) - 183.0,
            scale: 0.9996,
            shift: [500_000.0, if is_south { 1e7 } else { 0.0 }],
        }
    }

    /// Returns the projection around a point: the point becomes (0, 0), and the scale there is 1.
    pub(super) fn around([longitude, latitude]: [f64; 2]) -> Self {
        let mut projection = Self {
            meridian: longitude,
            scale: 1.0,
            shift: [0.0, 0.0],
        };
        projection.shift = projection.project([longitude, latitude]).map(|c| 0.0 - c);
        projection
    }

    /// Projects a longitude and a latitude. [Units: degrees to m]
    pub(super) fn project(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let east = wrapped(longitude - self.meridian).to_radians();
        // The tangent of the conformal latitude: that of a sphere onto which angles are preserved.
        let tangent = conformal(libm::tan(latitude.to_radians()));
        let (sin, cos) = (libm::sin(east), libm::cos(east));
        let north = libm::atan2(tangent, cos);
        let east = libm::asinh(sin / (tangent * tangent + cos * cos).sqrt());
        let [north, east] = corrected(north, east, &FORWARD, 1.0);
        let radius = self.scale * rectifying_radius();
        [
            radius * east + self.shift[0],
            radius * north + self.shift[1],
        ]
    }

    /// Returns the longitude and the latitude of a projected point. [Units: m to degrees]
    pub(super) fn unproject(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let radius = self.scale * rectifying_radius();
        let (north, east) = ((y - self.shift[1]) / radius, (x - self.shift[0]) / radius);
        let [north, east] = corrected(north, east, &BACKWARD, -1.0);
        let (sinh, cos) = (libm::sinh(east), libm::cos(north));
        let tangent = libm::sin(north) / (sinh * sinh + cos * cos).sqrt();
        let longitude = self.meridian + libm::atan2(sinh, cos).to_degrees();
        [
            wrapped(longitude),
            libm::atan(geodetic(tangent)).to_degrees(),
        ]
    }
}

/// Projects to the spherical Mercator projection of web maps, EPSG:3857. [Units: degrees to m]
pub(super) fn web_mercator([longitude, latitude]: [f64; 2]) -> [f64; 2] {
    let north = libm::asinh(libm::tan(latitude.to_radians()));
    [EQUATOR * longitude.to_radians(), EQUATOR * north]
}

/// Returns the longitude and the latitude of a point of the spherical Mercator projection. [Units: m to degrees]
pub(super) fn web_mercator_to_degrees([x, y]: [f64; 2]) -> [f64; 2] {
    let latitude = libm::atan(libm::sinh(y / EQUATOR));
    [(x / EQUATOR).to_degrees(), latitude.to_degrees()]
}

/// Returns the same angle between -180 and 180. [Units: degrees]
fn wrapped(angle: f64) -> f64 {
    match (-180.0..=180.0).contains(&angle) {
        true => angle,
        false => (angle + 180.0).rem_euclid(360.0) - 180.0,
    }
}

const N: f64 = FLATTENING / (2.0 - FLATTENING);
const N2: f64 = N * N;
const N3: f64 = N2 * N;
const N4: f64 = N3 * N;

/// The coefficients from the conformal sphere to the plane.
const FORWARD: [f64; 4] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 5.0 * N3 / 16.0 + 41.0 * N4 / 180.0,
    13.0 * N2 / 48.0 - 3.0 * N3 / 5.0 + 557.0 * N4 / 1440.0,
    61.0 * N3 / 240.0 - 103.0 * N4 / 140.0,
    49561.0 * N4 / 161_280.0,
];

/// The coefficients from the plane to the conformal sphere.
const BACKWARD: [f64; 4] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 37.0 * N3 / 96.0 - N4 / 360.0,
    N2 / 48.0 + N3 / 15.0 - 437.0 * N4 / 1440.0,
    17.0 * N3 / 480.0 - 37.0 * N4 / 840.0,
    4397.0 * N4 / 161_280.0,
];

/// Returns the radius of a circle with the length of a meridian. [Units: m]
fn rectifying_radius() -> f64 {
    EQUATOR / (1.0 + N) * (1.0 + N2 / 4.0 + N4 / 64.0)
}

/// Adds the terms of a series to a position.
fn corrected(north: f64, east: f64, coefficients: &[f64; 4], sign: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (term, coefficient) in (1..).zip(coefficients) {
        let (north, east) = (f64::from(2 * term) * north, f64::from(2 * term) * east);
        sums[0] += coefficient * libm::sin(north) * libm::cosh(east);
        sums[1] += coefficient * libm::cos(north) * libm::sinh(east);
    }
    [north + sign * sums[0], east + sign * sums[1]]
}

/// Returns the tangent of the conformal latitude for the tangent of a latitude.
fn conformal(tangent: f64) -> f64 {
    let eccentricity = (FLATTENING * (2.0 - FLATTENING)).sqrt();
    let secant = (1.0 + tangent * tangent).sqrt();
    let sigma = libm::sinh(eccentricity * libm::atanh(eccentricity * tangent / secant));
    tangent * (1.0 + sigma * sigma).sqrt() - sigma * secant
}

/// Returns the tangent of the latitude for the tangent of a conformal latitude, by Newton's method.
fn geodetic(conformal_tangent: f64) -> f64 {
    let squared = FLATTENING * (2.0 - FLATTENING);
    let mut tangent = conformal_tangent / (1.0 - squared);
    // Each step doubles the number of correct digits, and the first value has two.
    for _ in 0..5 {
        let found = conformal(tangent);
        let step = (conformal_tangent - found) / (1.0 + found * found).sqrt()
            * (1.0 + (1.0 - squared) * tangent * tangent)
            / ((1.0 - squared) * (1.0 + tangent * tangent).sqrt());
        tangent += step;
    }
    match tangent.is_finite() {
        true => tangent,
        // A pole.
        false => libm::tan(libm::copysign(FRAC_PI_2, conformal_tangent)),
    }
}

#[cfg(test)]
#[path = "projection_test.rs"]
mod tests;
