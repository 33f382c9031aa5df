//! Files that say where a picture or grid lies: the coordinate system as WKT (`.prj`), and world files (`.pgw`, `.wld`).

use portolan_terrain::{Crs, Lattice};

use crate::ReadError;
use crate::text::{number, quoted};

const WKT: &str = "a coordinate system (WKT)";
/// Nesting is at most 8 deep in what programs write.
const MAX_DEPTH: usize = 32;

/// A node of WKT: a keyword, and what is in its brackets.
#[derive(Debug, Default)]
struct Node {
    keyword: String,
    texts: Vec<String>,
    numbers: Vec<f64>,
    nodes: Vec<Node>,
}

/// Reads a coordinate system from WKT, version 1 (also as ESRI writes it) or 2. Returns `None` for a metric system
/// that is not supported. A system in degrees or other units that is not supported is an error.
pub fn read_wkt(bytes: &[u8]) -> Result<Option<Crs>, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_wkt(error.to_string()))?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let mut rest = text;
    let root = node(&mut rest, 0).ok_or_else(|| {
        let start = quoted(text.as_bytes());
        not_wkt(format!("it has no complete KEYWORD[...]: {start}"))
    })?;
    if !rest.trim().is_empty() {
        return Err(not_wkt(
            "something follows after the last bracket".to_owned(),
        ));
    }
    let system = match &root.keyword[..] {
        // A compound system: the horizontal part comes first.
        "COMPD_CS" | "COMPOUNDCRS" | "BOUNDCRS" => root
            .nodes
            .iter()
            .find(|node| is_system(node))
            .unwrap_or(&root),
        _ => &root,
    };
    match &system.keyword[..] {
        "PROJCS" | "PROJCRS" | "PROJECTEDCRS" => projected(system),
        "GEOGCS" | "GEOGCRS" | "GEODCRS" | "GEOGRAPHICCRS" | "GEODETICCRS" => {
            geographic(system).map(Some)
        }
        other => Err(not_wkt(format!(
            "{} is no horizontal system",
            quoted(other.as_bytes())
        ))),
    }
}

fn is_system(node: &Node) -> bool {
    let geographic = [
        "GEOGCS",
        "GEOGCRS",
        "GEODCRS",
        "GEOGRAPHICCRS",
        "GEODETICCRS",
    ];
    let projected = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
    geographic
        .iter()
        .chain(&projected)
        .any(|&keyword| keyword == node.keyword)
}

fn geographic(system: &Node) -> Result<Crs, ReadError> {
    let datum = datum(system);
    match epsg(system).and_then(Crs::from_epsg) {
        Some(crs) if crs.is_geographic() => Ok(crs),
        _ if is_wgs84(&datum) => Ok(Crs::Wgs84),
        _ => Err(not_wkt(format!(
            "the datum {} is not supported; convert the file to WGS84",
            quoted(datum.as_bytes())
        ))),
    }
}

fn projected(system: &Node) -> Result<Option<Crs>, ReadError> {
    if let Some(crs) = epsg(system).and_then(Crs::from_epsg) {
        return Ok(Some(crs));
    }
    // The unit of the plane: version 1 has it as a direct child, version 2 in its axes.
    let mut units = system
        .nodes
        .iter()
        .filter(|node| is_length(node))
        .peekable();
    let axes = system.nodes.iter().filter(|node| node.keyword == "AXIS");
    let axis_units = axes.flat_map(|axis| axis.nodes.iter().filter(|node| is_length(node)));
    let unit = units
        .peek()
        .copied()
        .or_else(|| axis_units.into_iter().next());
    if let Some(unit) = unit.filter(|unit| unit.numbers.first() != Some(&1.0)) {
        let name = unit.texts.first().map_or("", String::as_str);
        return Err(not_wkt(format!(
            "coordinates are in {}, not in metres",
            quoted(name.as_bytes())
        )));
    }
    let is_transverse = |name: &String| {
        let name = name.to_ascii_lowercase().replace(' ', "_");
        name == "transverse_mercator"
    };
    let is_web = |name: &String| name.eq_ignore_ascii_case("Mercator_Auxiliary_Sphere");
    let mut methods = system.descendants("PROJECTION");
    if methods.any(|node| node.texts.first().is_some_and(is_web)) {
        return Ok(Some(Crs::WebMercator));
    }
    let mut names = system
        .descendants("PROJECTION")
        .chain(system.descendants("METHOD"));
    let parameter = |wanted: &[&str]| {
        let mut parameters = system.descendants("PARAMETER");
        let found = parameters.find(|node| {
            let name = node
                .texts
                .first()
                .map(|name| name.to_ascii_lowercase().replace(' ', "_"));
            name.is_some_and(|name| wanted.contains(&&name[..]))
        });
        found.and_then(|node| node.numbers.first().copied())
    };
    let meridian = parameter(&["central_meridian", "longitude_of_natural_origin"]);
    let scale = parameter(&["scale_factor", "scale_factor_at_natural_origin"]);
    let east = parameter(&["false_easting"]);
    let north = parameter(&["false_northing"]);
    let latitude = parameter(&["latitude_of_origin", "latitude_of_natural_origin"]).unwrap_or(0.0);
    let (Some(meridian), Some(0.9996), Some(500_000.0), Some(north)) =
        (meridian, scale, east, north)
    else {
        return Ok(None);
    };
    let zone = (meridian + 183.0) / 6.0;
    let is_utm = (1.0..=60.0).contains(&zone) && zone.fract() == 0.0 && latitude == 0.0;
    let is_utm = is_utm && (north == 0.0 || north == 1e7);
    let is_utm = is_utm && names.any(|node| node.texts.first().is_some_and(is_transverse));
    Ok((is_utm && is_wgs84(&datum(system))).then_some(Crs::Utm {
        zone: zone as u8,
        is_south: north > 0.0,
    }))
}

fn is_length(node: &Node) -> bool {
    node.keyword == "UNIT" || node.keyword == "LENGTHUNIT"
}

/// Returns the EPSG code of a node itself, not of its parts.
fn epsg(system: &Node) -> Option<u32> {
    let mut codes = system.nodes.iter();
    let code = codes.find(|node| {
        let is_code = node.keyword == "AUTHORITY" || node.keyword == "ID";
        is_code
            && node
                .texts
                .first()
                .is_some_and(|name| name.eq_ignore_ascii_case("EPSG"))
    })?;
    let text = code.texts.get(1).and_then(|text| text.parse().ok());
    text.or_else(|| code.numbers.first().map(|&number| number as u32))
}

/// Returns the name of the datum, or of the first member of an ensemble.
fn datum(system: &Node) -> String {
    let all = ["DATUM", "ENSEMBLE", "GEODETICDATUM", "TRF"];
    let mut nodes = all
        .into_iter()
        .flat_map(|keyword| system.descendants(keyword));
    nodes
        .next()
        .and_then(|node| node.texts.first().cloned())
        .unwrap_or_default()
}

/// Returns whether a datum is WGS84, or less than two metres from it.
fn is_wgs84(datum: &str) -> bool {
    let letters = datum
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric());
    let name: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
    let name = name.strip_prefix('D').unwrap_or(&name);
    let known = [
        "WGS84",
        "WGS1984",
        "WORLDGEODETICSYSTEM1984",
        "ETRS89",
        "ETRS1989",
        "EUROPEANTERRESTRIALREFERENCESYSTEM1989",
        "NORTHAMERICAN1983",
        "NORTHAMERICANDATUM1983",
        "NAD83",
    ];
    known.iter().any(|known| name.starts_with(known))
}

impl Node {
    /// Returns all nodes below with a keyword, in the order of the text.
    fn descendants<'a>(&'a self, keyword: &'a str) -> Box<dyn Iterator<Item = &'a Node> + 'a> {
        Box::new(self.nodes.iter().flat_map(move |node| {
            let own = (node.keyword == keyword).then_some(node);
            own.into_iter().chain(node.descendants(keyword))
        }))
    }
}

/// Parses `KEYWORD[part,part,...]`. Returns `None` if it is not complete.
fn node(rest: &mut &str, depth: usize) -> Option<Node> {
    if depth > MAX_DEPTH {
        return None;
    }
    let is_keyword = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut node = Node {
        keyword: word(rest, is_keyword).to_ascii_uppercase(),
        ..Node::default()
    };
    let closing = match rest.trim_start().chars().next()? {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    *rest = &rest.trim_start()[1..];
    loop {
        *rest = rest.trim_start();
        let next = rest.chars().next()?;
        if next == '"' {
            let end = rest[1..].find('"')?;
            node.texts.push(rest[1..=end].to_owned());
            *rest = &rest[end + 2..];
        } else if next.is_ascii_digit() || "+-.".contains(next) {
            let is_number = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
            let number = word(rest, is_number).parse().ok()?;
            node.numbers.push(number);
        } else {
            // A part without brackets is a word such as `north`.
            let mut after = *rest;
            word(&mut after, is_keyword);
            match after.trim_start().starts_with(['[', '(']) {
                true => node.nodes.push(self::node(rest, depth + 1)?),
                false if after.len() < rest.len() => *rest = after,
                false => return None,
            }
        }
        *rest = rest.trim_start();
        let next = rest.chars().next()?;
        *rest = &rest[next.len_utf8()..];
        match next {
            ',' => {}
            next if next == closing => return Some(node),
            _ => return None,
        }
    }
}

/// Takes the longest prefix of letters that belong to a word.
fn word<'a>(rest: &mut &'a str, belongs: impl Fn(char) -> bool) -> &'a str {
    let trimmed = rest.trim_start();
    let end = trimmed
        .find(|letter| !belongs(letter))
        .unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    *rest = after;
    word
}

/// Reads a world file: six numbers, one per line. They are the width of a pixel, two rotations (which must be 0), its
/// height (negative), and the x and y of the centre of the first pixel.
pub fn read_world_file(bytes: &[u8]) -> Result<Lattice, ReadError> {
    let format = "a world file";
    let words = bytes
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut numbers = Vec::new();
    for word in words.take(7) {
        let number = number(word).filter(|number: &f64| number.is_finite());
        numbers.push(number.ok_or_else(|| ReadError::NotThisFormat {
            format,
            reason: format!("{} is not a number", quoted(word)),
        })?);
    }
    let invalid = |reason: &str| ReadError::NotThisFormat {
        format,
        reason: reason.to_owned(),
    };
    let [width, a, b, height, x, y] = numbers[..] else {
        return Err(invalid("it does not have six numbers"));
    };
    if a != 0.0 || b != 0.0 || width <= 0.0 || height >= 0.0 {
        return Err(invalid(
            "the picture is rotated or its first row is not north",
        ));
    }
    Ok(Lattice {
        first: [x, y],
        step: [width, -height],
    })
}

fn not_wkt(reason: String) -> ReadError {
    ReadError::NotThisFormat {
        format: WKT,
        reason,
    }
}

#[cfg(test)]
#[path = "prj_test.rs"]
mod tests;
