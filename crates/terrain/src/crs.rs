//! Coordinate reference systems, as far as this crate knows them.

use std::fmt;
use std::str::FromStr;

use super::projection::{TransverseMercator, web_mercator, web_mercator_to_degrees};

/// The system that the coordinates of a file refer to.
///
/// The ellipsoid is that of WGS84. ETRS89 and NAD83 are taken as WGS84: ETRS89 differs by less than a metre, and NAD83
/// by less than two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Crs {
    /// Longitude and latitude in degrees, in this order (EPSG:4326).
    Wgs84,
    /// Easting and northing in metres in a zone of the Universal Transverse Mercator projection.
    Utm {
        /// The zone, from 1 to 60.
        zone: u8,
        /// Whether the zone is south of the equator.
        is_south: bool,
    },
    /// The spherical Mercator projection of web maps (EPSG:3857). Its metres are longer on paper than on the ground,
    /// by the factor 1 / cos(latitude).
    WebMercator,
}

impl Crs {
    /// Returns the system with an EPSG code, or `None` if it is not supported. The codes are 4326 (WGS84), 32601 to
    /// 32660 and 32701 to 32760 (its UTM zones), 3857 (web maps), and, taken as WGS84, 4258 and 25828 to 25838
    /// (ETRS89) and 4269 and 26901 to 26923 (NAD83).
    pub fn from_epsg(code: u32) -> Option<Self> {
        let utm = |first: u32, is_south| Self::Utm {
            zone: (code - first) as u8,
            is_south,
        };
        Some(match code {
            4326 | 4258 | 4269 | 4979 => Self::Wgs84,
            3857 => Self::WebMercator,
            32601..=32660 => utm(32600, false),
            32701..=32760 => utm(32700, true),
            25828..=25838 => utm(25800, false),
            26901..=26923 => utm(26900, false),
            _ => return None,
        })
    }

    /// Returns the EPSG code.
    pub fn epsg(self) -> u32 {
        match self {
            Self::Wgs84 => 4326,
            Self::WebMercator => 3857,
            Self::Utm { zone, is_south } => u32::from(zone) + if is_south { 32700 } else { 32600 },
        }
    }

    /// Returns whether coordinates are longitude and latitude.
    pub fn is_geographic(self) -> bool {
        self == Self::Wgs84
    }

    /// Returns the longitude and latitude of a point in degrees.
    pub fn to_degrees(self, point: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Wgs84 => point,
            Self::Utm { zone, is_south } => {
                TransverseMercator::utm(zone, is_south).unproject(point)
            }
            Self::WebMercator => web_mercator_to_degrees(point),
        }
    }

    /// Returns the point at a longitude and latitude in degrees.
    pub fn from_degrees(self, degrees: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Wgs84 => degrees,
            Self::Utm { zone, is_south } => {
                TransverseMercator::utm(zone, is_south).project(degrees)
            }
            Self::WebMercator => web_mercator(degrees),
        }
    }
}

/// `EPSG:32631`.
impl fmt::Display for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EPSG:{}", self.epsg())
    }
}

/// The name of a coordinate system is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not supported; use EPSG:4326 (longitude and latitude), EPSG:32601 to 32660 or 32701 to 32760 (UTM), or \
     EPSG:3857 (web maps)"
)]
pub struct UnknownCrs(pub String);

/// Parses `EPSG:32631`; the letters may be small, and `EPSG:` may be left out.
impl FromStr for Crs {
    type Err = UnknownCrs;

    fn from_str(text: &str) -> Result<Self, UnknownCrs> {
        let text = text.trim();
        let code = match text.get(..5) {
            Some(start) if start.eq_ignore_ascii_case("EPSG:") => &text[5..],
            _ => text,
        };
        let crs = code.trim().parse().ok().and_then(Self::from_epsg);
        crs.ok_or_else(|| UnknownCrs(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_survive_a_round_trip() {
        for code in (0..70_000).filter(|&code| Crs::from_epsg(code).is_some()) {
            let crs = Crs::from_epsg(code).unwrap();
            assert_eq!(Crs::from_epsg(crs.epsg()), Some(crs));
            assert_eq!(crs.to_string().parse(), Ok(crs));
            assert_eq!(code.to_string().parse(), Ok(crs));
        }
        assert_eq!("epsg: 25831".parse(), "EPSG:32631".parse::<Crs>());
        for bad in [
            "",
            "EPSG:",
            "EPSG:2154",
            "WGS84",
            "EPSG:32661",
            "-4326",
            "é",
        ] {
            let error = bad.parse::<Crs>().unwrap_err().to_string();
            assert!(error.contains("EPSG:4326"), "{error}");
        }
    }
}
