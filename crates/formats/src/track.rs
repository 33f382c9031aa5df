//! Paths over natural ground for other programs: GPX, GeoJSON and Wavefront `.obj`.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

/// The decimals of degrees: a unit of the last one is at most 1.2 mm on the ground.
const DEGREE_DECIMALS: usize = 8;
/// The decimals of heights, in metres.
const HEIGHT_DECIMALS: usize = 2;

/// Writes a path as GPX 1.1 with one track. Points are longitude and latitude in degrees (WGS84) and the height in
/// metres.
pub fn write_gpx(name: &str, points: &[[f64; 3]], out: &mut dyn Write) -> io::Result<()> {
    let name = name
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    // XML 1.0 has no control characters.
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"Portolan\" \
         xmlns=\"http://www.topografix.com/GPX/1/1\">\n  <trk>\n    <name>{name}</name>\n    <trkseg>"
    )?;
    for [longitude, latitude, height] in points {
        writeln!(
            out,
            "      <trkpt lat=\"{latitude:.DEGREE_DECIMALS$}\" lon=\"{longitude:.DEGREE_DECIMALS$}\">\
             <ele>{height:.HEIGHT_DECIMALS$}</ele></trkpt>"
        )?;
    }
    writeln!(out, "    </trkseg>\n  </trk>\n</gpx>")
}

/// Writes a path as a GeoJSON feature with a line. Points are longitude and latitude in degrees (WGS84) and the height
/// in metres.
pub fn write_geojson(
    properties: Map<String, Value>,
    points: &[[f64; 3]],
    out: &mut dyn Write,
) -> io::Result<()> {
    let positions = points.iter().map(|&[longitude, latitude, height]| {
        json!([
            rounded(longitude, DEGREE_DECIMALS),
            rounded(latitude, DEGREE_DECIMALS),
            rounded(height, HEIGHT_DECIMALS)
        ])
    });
    let feature = json!({
        "type": "Feature",
        "properties": properties,
        "geometry": { "type": "LineString", "coordinates": positions.collect::<Vec<_>>() },
    });
    writeln!(out, "{feature}")
}

/// Writes a path as a line of an `.obj`, in metres with z up. `comment` is one line at the top.
pub fn write_line_obj(comment: &str, points: &[[f64; 3]], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}\no path", comment.replace(['\n', '\r'], " "))?;
    for [x, y, z] in points {
        writeln!(out, "v {x} {y} {z}")?;
    }
    write!(out, "l")?;
    for index in 1..=points.len() {
        write!(out, " {index}")?;
    }
    writeln!(out)
}

/// Rounds a number to a number of decimals.
pub fn rounded(value: f64, decimals: usize) -> f64 {
    let text = format!("{value:.decimals$}");
    // A number that was just written can be read. -0 becomes 0.
    text.parse().unwrap_or(value) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [[f64; 3]; 2] = [[1.5, 42.5, 2000.0], [1.500_000_012_3, -42.6, 2100.128]];

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_track_is_gpx() {
        let gpx = text(|out| write_gpx("a <b> & c\n", &POINTS, out));
        assert!(gpx.contains("<name>a &lt;b&gt; &amp; c</name>"), "{gpx}");
        let first = "<trkpt lat=\"42.50000000\" lon=\"1.50000000\"><ele>2000.00</ele></trkpt>";
        let second = "<trkpt lat=\"-42.60000000\" lon=\"1.50000001\"><ele>2100.13</ele></trkpt>";
        let at = |part| gpx.find(part).unwrap_or_else(|| panic!("{gpx}"));
        assert!(at(first) < at(second));
    }

    #[test]
    fn a_track_is_geojson() {
        let properties = Map::from_iter([("cost".to_owned(), json!(3.5))]);
        let written = text(|out| write_geojson(properties, &POINTS, out));
        let feature: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(feature["properties"]["cost"], 3.5);
        let coordinates = &feature["geometry"]["coordinates"];
        assert_eq!(
            *coordinates,
            json!([[1.5, 42.5, 2000.0], [1.50000001, -42.6, 2100.13]])
        );
    }

    #[test]
    fn a_track_is_a_line_of_an_obj() {
        let written = text(|out| write_line_obj("one\nline", &POINTS, out));
        let expected =
            "# one line\no path\nv 1.5 42.5 2000\nv 1.5000000123 -42.6 2100.128\nl 1 2\n";
        assert_eq!(written, expected);
    }
}
