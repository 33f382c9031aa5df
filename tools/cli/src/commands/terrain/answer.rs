//! Writes the path of `portolan terrain path` to files.

use std::path::Path;

use glam::Vec3;
use portolan_draw::chart::height_profile;
use portolan_files::save;
use portolan_formats::track;
use portolan_terrain::{Terrain, TerrainPath};
use serde_json::{Map, Value, json};

use super::coordinates::FileCoordinates;
use crate::args::TerrainPathArgs;
use crate::commands::extension;
use crate::outcome::Failure;

/// What `-o` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerKind {
    Picture,
    GeoJson,
    Gpx,
    Obj,
}

impl AnswerKind {
    /// Returns the kind that the name of a file asks for. A pipe or a device gets a picture.
    pub(super) fn of(file: &Path) -> Result<Self, Failure> {
        let is_plain = !file.exists() || file.is_file();
        match &extension(file)[..] {
            "png" => Ok(Self::Picture),
            "geojson" => Ok(Self::GeoJson),
            "gpx" => Ok(Self::Gpx),
            "obj" => Ok(Self::Obj),
            _ if !is_plain => Ok(Self::Picture),
            _ => Err(Failure::new(format!(
                "{}: -o writes .png, .geojson, .gpx or .obj",
                file.display()
            ))),
        }
    }
}

/// Fails if an output cannot be written for this terrain. It is checked before the search.
pub(super) fn check(args: &TerrainPathArgs, terrain: &Terrain) -> Result<(), Failure> {
    let Some(output) = &args.output else {
        return Ok(());
    };
    let needs_degrees = matches!(
        AnswerKind::of(output)?,
        AnswerKind::GeoJson | AnswerKind::Gpx
    );
    match needs_degrees && terrain.web().georeference().crs().is_none() {
        false => Ok(()),
        true => Err(Failure::new(format!(
            "{}: longitudes and latitudes cannot be written, because the coordinate system of {} is not known; build it \
             again with `portolan terrain build --crs EPSG:N`",
            output.display(),
            args.terrain.display()
        ))),
    }
}

/// Fails if the name of a height profile does not end in `.svg`.
pub(super) fn check_profile(file: &Path) -> Result<(), Failure> {
    let is_plain = !file.exists() || file.is_file();
    match is_plain && extension(file) != "svg" {
        true => Err(Failure::new(format!(
            "{}: --height-profile writes .svg",
            file.display()
        ))),
        false => Ok(()),
    }
}

/// Writes a path that was found as points.
pub(super) fn write(
    output: &Path,
    kind: AnswerKind,
    args: &TerrainPathArgs,
    terrain: &Terrain,
    path: &TerrainPath,
) -> Result<(), Failure> {
    let coordinates = FileCoordinates::new(terrain.web());
    let degrees = || -> Vec<[f64; 3]> {
        let points = path.points.iter();
        points
            .filter_map(|&point| coordinates.degrees(point))
            .collect()
    };
    match kind {
        AnswerKind::Picture => {}
        AnswerKind::Gpx => {
            let name = format!("{} ({})", args.terrain.display(), args.engine);
            save(output, |out| track::write_gpx(&name, &degrees(), out))?;
        }
        AnswerKind::GeoJson => {
            let properties = Map::from_iter(numbers(args, path));
            save(output, |out| {
                track::write_geojson(properties, &degrees(), out)
            })?;
        }
        AnswerKind::Obj => {
            let points: Vec<_> = path
                .points
                .iter()
                .map(|point| point.as_dvec3().to_array())
                .collect();
            let georeference = terrain.web().georeference();
            let [x, y] = georeference.origin();
            let crs = georeference
                .crs()
                .map_or("an unknown system".to_owned(), |crs| crs.to_string());
            let comment = format!("z is up; the origin is {x},{y} in {crs}");
            save(output, |out| track::write_line_obj(&comment, &points, out))?;
        }
    }
    Ok(())
}

/// Returns the numbers of a path that every output has.
fn numbers(args: &TerrainPathArgs, path: &TerrainPath) -> [(String, Value); 5] {
    [
        ("cost".to_owned(), json!(path.cost)),
        ("length".to_owned(), json!(path.length())),
        ("ascent".to_owned(), json!(path.ascent())),
        ("descent".to_owned(), json!(path.descent())),
        ("engine".to_owned(), json!(args.engine.to_string())),
    ]
}

/// Draws the heights along a path.
pub(super) fn write_profile(output: &Path, points: &[Vec3], text: &str) -> Result<(), Failure> {
    let mut distance = 0.0;
    let mut last: Option<Vec3> = None;
    let profile: Vec<[f64; 2]> = points
        .iter()
        .map(|&point| {
            let plan = point.truncate().as_dvec2();
            distance += last.map_or(0.0, |last| last.truncate().as_dvec2().distance(plan));
            last = Some(point);
            [distance, f64::from(point.z)]
        })
        .collect();
    let drawing = height_profile::svg(text, &profile);
    Ok(save(output, |out| out.write_all(drawing.as_bytes()))?)
}
