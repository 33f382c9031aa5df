//! Areas of natural ground as GeoJSON (RFC 7946): polygons that are closed or difficult.

use portolan_terrain::{AreaEffect, Crs, GroundArea};
use serde_json::Value;

use crate::ReadError;
use crate::text::quoted_name;

const FORMAT: &str = "areas (GeoJSON)";

/// Reads areas from GeoJSON: polygons and multipolygons, in a feature or a collection of features. A feature has the
/// property `"closed": true` or `"difficulty"` with a number from 0 to 1.
///
/// Coordinates are longitude and latitude, and become those of `crs`. An old member `crs` with another system is
/// an error.
pub fn read_ground_areas(bytes: &[u8], crs: Crs) -> Result<Vec<GroundArea>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let root: Value = serde_json::from_slice(bytes).map_err(|error| ReadError::Syntax {
        line: error.line() as u64,
        what: error.to_string(),
    })?;
    check_system(&root)?;
    let features = match text(&root, "type") {
        "FeatureCollection" => match root.get("features").and_then(Value::as_array) {
            Some(features) => features.iter().collect(),
            None => return Err(not_areas("the collection has no list of features")),
        },
        "Feature" => vec![&root],
        other => {
            return Err(not_areas(&format!(
                "its type is {}, not FeatureCollection or Feature",
                quoted_name(other)
            )));
        }
    };
    let mut areas = Vec::new();
    for (index, feature) in features.into_iter().enumerate() {
        add_feature(feature, crs, &mut areas).map_err(|what| ReadError::Element {
            element: format!("feature {index}"),
            what,
        })?;
    }
    match areas.is_empty() {
        true => Err(ReadError::Empty { what: "areas" }),
        false => Ok(areas),
    }
}

/// Fails if the file names a system other than longitude and latitude, as files before RFC 7946 could.
fn check_system(root: &Value) -> Result<(), ReadError> {
    let name = root.get("crs").filter(|crs| !crs.is_null());
    let name = name.map(|crs| text(crs.get("properties").unwrap_or(&Value::Null), "name"));
    match name {
        Some(name) if !name.ends_with("CRS84") && !name.ends_with(":4326") => {
            Err(not_areas(&format!(
                "its coordinates are in {}; convert them to longitude and latitude (WGS84)",
                quoted_name(name)
            )))
        }
        _ => Ok(()),
    }
}

fn add_feature(feature: &Value, crs: Crs, areas: &mut Vec<GroundArea>) -> Result<(), String> {
    let null = Value::Null;
    let properties = feature.get("properties").unwrap_or(&null);
    let effect = effect(properties)?;
    let geometry = feature.get("geometry").unwrap_or(&null);
    let coordinates = geometry.get("coordinates").unwrap_or(&null);
    let polygons = match text(geometry, "type") {
        "Polygon" => vec![coordinates],
        "MultiPolygon" => list(coordinates)?.iter().collect(),
        other => {
            return Err(format!(
                "its geometry is {}, not a polygon",
                quoted_name(other)
            ));
        }
    };
    for polygon in polygons {
        let rings = list(polygon)?.iter().map(|ring| read_ring(ring, crs));
        let rings: Vec<_> = rings.collect::<Result<_, _>>()?;
        if rings.is_empty() {
            return Err("a polygon has no ring".to_owned());
        }
        areas.push(GroundArea { rings, effect });
    }
    Ok(())
}

fn effect(properties: &Value) -> Result<AreaEffect, String> {
    let is_closed = match properties.get("closed") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_closed)) => *is_closed,
        Some(_) => return Err("\"closed\" is neither true nor false".to_owned()),
    };
    let difficulty = properties
        .get("difficulty")
        .filter(|value| !value.is_null());
    match (is_closed, difficulty) {
        (true, _) => Ok(AreaEffect::Closed),
        (false, Some(value)) => {
            let value = value.as_f64().map(|value| value as f32);
            let value = value.filter(|value| (0.0..=1.0).contains(value));
            let value = value.ok_or("\"difficulty\" is not a number from 0 to 1")?;
            Ok(AreaEffect::Difficulty(value))
        }
        (false, None) => {
            Err("it has neither \"closed\": true nor \"difficulty\" from 0 to 1".to_owned())
        }
    }
}

fn read_ring(ring: &Value, crs: Crs) -> Result<Vec<[f64; 2]>, String> {
    let mut points = Vec::new();
    for position in list(ring)? {
        let numbers = list(position)?;
        let number = |index: usize| numbers.get(index).and_then(Value::as_f64);
        let (Some(longitude), Some(latitude)) = (number(0), number(1)) else {
            return Err("a position is not a longitude and a latitude".to_owned());
        };
        // Web maps end at 85.06°, and no projection here has the poles.
        if longitude.abs() > 360.0 || latitude.abs() >= 90.0 {
            return Err(format!(
                "{longitude},{latitude} is no longitude and latitude"
            ));
        }
        points.push(crs.from_degrees([longitude, latitude]));
    }
    if points.len() < 4 || points.first() != points.last() {
        return Err(
            "a ring has less than four positions, or does not end where it starts".to_owned(),
        );
    }
    points.pop();
    Ok(points)
}

fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value
        .as_array()
        .ok_or_else(|| "its coordinates are not nested lists".to_owned())
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn not_areas(reason: &str) -> ReadError {
    ReadError::NotThisFormat {
        format: FORMAT,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "[[[1,42],[2,42],[2,43],[1,43],[1,42]]]";

    fn feature(properties: &str, kind: &str, coordinates: &str) -> String {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":{{\"type\":\"{kind}\",\"coordinates\":\
             {coordinates}}}}}"
        )
    }

    fn collection(features: &[String]) -> String {
        let features = features.join(",");
        format!("{{\"type\":\"FeatureCollection\",\"features\":[{features}]}}")
    }

    #[test]
    fn polygons_become_areas() {
        let closed = feature("{\"closed\":true,\"name\":\"lake\"}", "Polygon", SQUARE);
        let mud = feature(
            "{\"difficulty\":0.5}",
            "MultiPolygon",
            &format!("[{SQUARE},{SQUARE}]"),
        );
        let file = collection(&[closed.clone(), mud]);
        let areas = read_ground_areas(file.as_bytes(), Crs::Wgs84).unwrap();
        assert_eq!(areas.len(), 3);
        assert_eq!(areas[0].effect, AreaEffect::Closed);
        assert_eq!(
            areas[0].rings,
            [[[1.0, 42.0], [2.0, 42.0], [2.0, 43.0], [1.0, 43.0]]]
        );
        assert_eq!(areas[2].effect, AreaEffect::Difficulty(0.5));
        let utm = Crs::from_epsg(32631).unwrap();
        let areas = read_ground_areas(closed.as_bytes(), utm).unwrap();
        let [x, y] = areas[0].rings[0][0];
        // By PROJ.
        assert!(
            (x - 334_361.178).abs() < 0.01 && (y - 4_651_711.059).abs() < 0.01,
            "{x} {y}"
        );
    }

    #[test]
    fn every_truncation_is_an_error() {
        let file = collection(&[feature("{\"closed\":true}", "Polygon", SQUARE)]);
        for end in 0..file.len() {
            assert!(
                read_ground_areas(&file.as_bytes()[..end], Crs::Wgs84).is_err(),
                "{end}"
            );
        }
    }

    #[test]
    fn errors_name_the_feature() {
        let good = feature("{\"closed\":true}", "Polygon", SQUARE);
        for (bad, words) in [
            (feature("{}", "Polygon", SQUARE), "neither"),
            (
                feature("{\"closed\":1}", "Polygon", SQUARE),
                "neither true nor false",
            ),
            (
                feature("{\"difficulty\":2}", "Polygon", SQUARE),
                "from 0 to 1",
            ),
            (feature("{\"closed\":true}", "Point", "[1,2]"), "'Point'"),
            (
                feature(
                    "{\"closed\":true}",
                    "Polygon",
                    "[[[1,42],[2,42],[2,43],[1,43]]]",
                ),
                "end where",
            ),
            (
                feature(
                    "{\"closed\":true}",
                    "Polygon",
                    "[[[1,92],[2,42],[2,43],[1,92]]]",
                ),
                "1,92",
            ),
            (
                feature("{\"closed\":true}", "Polygon", "[[[1],[2],[3],[1]]]"),
                "a position",
            ),
            (feature("{\"closed\":true}", "Polygon", "[]"), "no ring"),
            (feature("{\"closed\":true}", "Polygon", "3"), "nested"),
        ] {
            let file = collection(&[good.clone(), bad]);
            let error = read_ground_areas(file.as_bytes(), Crs::Wgs84)
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with("feature 1: ") && error.contains(words),
                "{error}"
            );
        }
        let message = |text: &str| {
            read_ground_areas(text.as_bytes(), Crs::Wgs84)
                .unwrap_err()
                .to_string()
        };
        assert!(message("{\"type\":\"Topology\"}").contains("Topology"));
        assert!(message("{\"type\":\"FeatureCollection\",\"features\":[]}").contains("no areas"));
        let old = "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\
                   \"urn:ogc:def:crs:EPSG::25831\"}},\"features\":[]}";
        assert!(message(old).contains("25831"));
        assert!(message(&"[".repeat(100_000)).contains("line 1"));
    }
}
