//! Where a terrain lies on the earth.

use super::Crs;
use super::projection::TransverseMercator;

/// The longest distance of longitudes and latitudes from the origin. [Units: degrees]
pub const MAX_DEGREES: f64 = 10.0;

/// How the coordinates of a triangle web relate to those of the file that it was built from.
///
/// A web stores metres relative to an origin, as `f32`. The file's own coordinates may be large or in degrees, and are
/// `f64`. Where the system has metres of its own (UTM, or an unknown system), the two differ by the origin only. For
/// longitude and latitude, and for the Mercator projection of web maps, the web uses the transverse Mercator
/// projection around the origin. It preserves angles, and lengths are too long by at most 0.004% within 55 km of the
/// meridian of the origin, 0.14% within 330 km, and 1.6% within 1 110 km, which is [`MAX_DEGREES`] at the equator.
/// Lengths in UTM differ from those on the ground, too: by -0.04% to 0.1% within a zone.
///
/// ```
/// use portolan_terrain::{Crs, Georeference};
///
/// let reference = Georeference::new([1.5, 42.5], Some(Crs::Wgs84));
/// let [x, y] = reference.to_local([1.5, 42.6]);
/// assert!(x == 0.0 && (y - 11_107.0).abs() < 1.0, "{y}");
/// let [longitude, latitude] = reference.to_file([x, y]);
/// assert!((longitude - 1.5).abs() < 1e-12 && (latitude - 42.6).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georeference {
    origin: [f64; 2],
    crs: Option<Crs>,
    /// The projection between degrees and local coordinates, if the system needs one.
    projection: Option<TransverseMercator>,
}

impl Default for Georeference {
    /// No known system: coordinates of the web are those of the file.
    fn default() -> Self {
        Self::new([0.0; 2], None)
    }
}

impl Georeference {
    /// Creates a reference with an origin in the file's coordinates.
    pub fn new(origin: [f64; 2], crs: Option<Crs>) -> Self {
        let projection = match crs {
            Some(crs @ (Crs::Wgs84 | Crs::WebMercator)) => {
                Some(TransverseMercator::around(crs.to_degrees(origin)))
            }
            Some(Crs::Utm { .. }) | None => None,
        };
        Self {
            origin,
            crs,
            projection,
        }
    }

    /// Returns the origin of the web in the file's coordinates.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Returns the system of the file's coordinates, or `None` if it is unknown.
    pub fn crs(&self) -> Option<Crs> {
        self.crs
    }

    /// Converts a point from the file's coordinates to those of the web. [Units: those of the file to m]
    pub fn to_local(&self, point: [f64; 2]) -> [f64; 2] {
        match (self.projection, self.crs) {
            (Some(projection), Some(crs)) => projection.project(crs.to_degrees(point)),
            _ => [point[0] - self.origin[0], point[1] - self.origin[1]],
        }
    }

    /// Converts a point from the coordinates of the web to those of the file. [Units: m to those of the file]
    pub fn to_file(&self, point: [f64; 2]) -> [f64; 2] {
        match (self.projection, self.crs) {
            (Some(projection), Some(crs)) => crs.from_degrees(projection.unproject(point)),
            _ => [point[0] + self.origin[0], point[1] + self.origin[1]],
        }
    }

    /// Converts a point from the coordinates of the web to longitude and latitude. Returns `None` if the system is
    /// unknown. [Units: m to degrees]
    pub fn to_degrees(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        match self.projection {
            Some(projection) => Some(projection.unproject(point)),
            None => Some(self.crs?.to_degrees(self.to_file(point))),
        }
    }

    /// Returns whether local coordinates near a point of the file are within the stated errors: for systems that
    /// are projected, the point must be within [`MAX_DEGREES`] of the origin.
    pub fn covers(&self, point: [f64; 2]) -> bool {
        let is_finite = point.iter().all(|c| c.is_finite());
        match (self.projection, self.crs) {
            (Some(_), Some(crs)) => {
                let (a, b) = (crs.to_degrees(self.origin), crs.to_degrees(point));
                let distance = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
                is_finite && b[1].abs() <= 89.0 && distance <= MAX_DEGREES
            }
            _ => is_finite,
        }
    }
}

#[cfg(test)]
#[path = "georeference_test.rs"]
mod tests;
