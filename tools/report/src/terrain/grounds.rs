//! The grounds, and the positions on them where paths and waves start.

use std::path::Path;

use portolan_scenes::HeightFunction;
use portolan_terrain::{HeightMap, TerrainError, TriangleWeb, WebOptions};

use super::{GroundKind, TerrainReportOptions};
use crate::ReportError;

/// A ground to measure: a height map and how to triangulate it.
#[derive(Clone, Debug)]
pub(super) struct GroundSpec {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) kind: GroundKind,
    pub(super) map: HeightMap,
    /// The seed of generated hills; 0 for other grounds.
    pub(super) seed: u64,
}

/// A path to search: its name, start triangle and goal triangle.
#[derive(Clone, Debug)]
pub(super) struct Trip {
    pub(super) name: &'static str,
    pub(super) endpoints: [u32; 2],
}

/// The start of a wave, that is, of the paths from one triangle to all others.
#[derive(Clone, Debug)]
pub(super) struct WaveStart {
    pub(super) name: &'static str,
    pub(super) triangle: u32,
}

impl GroundSpec {
    /// Lists all grounds of a run. Reads the map of the options, if there is one.
    pub(super) fn all(options: &TerrainReportOptions) -> Result<Vec<Self>, ReportError> {
        let size = options.effort.size;
        let cone = built_in(HeightFunction::Cone, size, 0)?;
        let mut grounds = vec![
            Self {
                name: "cone".to_owned(),
                title: "Cone, four triangles per square".to_owned(),
                kind: GroundKind::Cone,
                map: cone.clone(),
                seed: 0,
            },
            Self {
                name: "cone-2".to_owned(),
                title: "Cone, two triangles per square".to_owned(),
                kind: GroundKind::OtherCone,
                map: cone,
                seed: 0,
            },
            Self::hills(size, options.effort.seed)?,
        ];
        if let Some(file) = &options.map {
            grounds.push(Self::of_file(file, size)?);
        }
        Ok(grounds)
    }

    pub(super) fn hills(size: usize, seed: u64) -> Result<Self, ReportError> {
        Ok(Self {
            name: "hills".to_owned(),
            title: "Hills".to_owned(),
            kind: GroundKind::Realistic,
            map: built_in(HeightFunction::Hills, size, seed)?,
            seed,
        })
    }

    fn of_file(file: &Path, size: usize) -> Result<Self, ReportError> {
        let map = portolan_formats::open_height_map(file)?;
        let name = file.file_stem().map_or_else(
            || file.display().to_string(),
            |stem| stem.to_string_lossy().into_owned(),
        );
        Ok(Self {
            title: format!("Map {name}"),
            // The prefix keeps the name different from those of built-in grounds.
            name: format!("map-{}", crate::tables::anchor(&name)),
            kind: GroundKind::Realistic,
            map: downsampled(&map, size).map_err(|error| terrain_error(&name, error))?,
            seed: 0,
        })
    }

    pub(super) fn web(&self) -> Result<TriangleWeb, ReportError> {
        let options = WebOptions {
            hidef: self.kind != GroundKind::OtherCone,
            ..WebOptions::default()
        };
        let web = self.map.triangulate(&options, None);
        web.map_err(|error| terrain_error(&self.name, error))
    }

    /// Returns the long path and the shorter path of the ground.
    pub(super) fn trips(&self, web: &TriangleWeb) -> Vec<Trip> {
        let fractions = match self.kind {
            // The long path goes halfway around the tip and crosses the line from 1:30 to 7:30 on a clock
            // face; the short one stays on one side of that line.
            GroundKind::Cone | GroundKind::OtherCone => [
                ("long", [[0.14, 0.3], [0.86, 0.72]]),
                ("short", [[0.72, 0.16], [0.9, 0.5]]),
            ],
            GroundKind::Realistic => [
                ("long", [[0.08, 0.12], [0.92, 0.86]]),
                ("medium", [[0.3, 0.72], [0.62, 0.4]]),
            ],
        };
        let trip = |(name, endpoints): (_, [[f32; 2]; 2])| Trip {
            name,
            endpoints: endpoints.map(|fraction| triangle_at(web, fraction)),
        };
        fractions.map(trip).to_vec()
    }

    /// Returns the starts of the two waves of the ground.
    pub(super) fn wave_starts(&self, web: &TriangleWeb) -> [WaveStart; 2] {
        let start = |name, triangle| WaveStart { name, triangle };
        match self.kind {
            GroundKind::Cone | GroundKind::OtherCone => [
                start("bottom left", triangle_at(web, [0.15, 0.15])),
                start("near the tip", triangle_at(web, [0.53, 0.54])),
            ],
            GroundKind::Realistic => {
                let height = |triangle: &u32| web.centroid(*triangle).z;
                let lowest = within(web, [[0.1, 0.1], [0.9, 0.9]])
                    .min_by(|a, b| height(a).total_cmp(&height(b)));
                let highest = within(web, [[0.6, 0.3], [0.9, 0.7]])
                    .max_by(|a, b| height(a).total_cmp(&height(b)));
                [
                    start("in the valley", lowest.unwrap_or(0)),
                    start("on the hill", highest.unwrap_or(0)),
                ]
            }
        }
    }
}

fn built_in(function: HeightFunction, size: usize, seed: u64) -> Result<HeightMap, ReportError> {
    let map = function.map(size, size, seed);
    map.map_err(|error| terrain_error(function.name(), error))
}

/// Adds the name of the ground to an error.
pub(super) fn terrain_error(ground: &str, error: TerrainError) -> ReportError {
    ReportError::Terrain {
        ground: ground.to_owned(),
        error,
    }
}

/// Reduces a map so that its longer side has at most `max_pixels` pixels. Keeps evenly spaced pixels,
/// including the corners.
fn downsampled(map: &HeightMap, max_pixels: usize) -> Result<HeightMap, TerrainError> {
    let longer = map.width().max(map.height());
    if longer <= max_pixels {
        return Ok(map.clone());
    }
    let count = |pixels: usize| ((pixels - 1) * (max_pixels - 1) / (longer - 1) + 1).max(2);
    let (width, height) = (count(map.width()), count(map.height()));
    let source_index = |step: usize, count: usize, pixels: usize| step * (pixels - 1) / (count - 1);
    let mut values = Vec::with_capacity(width * height);
    for row in 0..height {
        let start = source_index(row, height, map.height()) * map.width();
        let columns = 0..width;
        values.extend(
            columns.map(|column| map.values()[start + source_index(column, width, map.width())]),
        );
    }
    HeightMap::new(width, height, values)
}

/// Returns the triangle at the given fractions of the width and depth.
fn triangle_at(web: &TriangleWeb, [x, y]: [f32; 2]) -> u32 {
    let extent = web.extent();
    let position = extent.min + extent.size() * glam::vec3(x, y, 0.0);
    web.locate(position.x, position.y).unwrap_or(0)
}

/// Returns the triangles whose centroid is between the given fractions of the width and depth.
fn within(web: &TriangleWeb, [low, high]: [[f32; 2]; 2]) -> impl Iterator<Item = u32> {
    let extent = web.extent();
    (0..web.len() as u32).filter(move |&triangle| {
        let fraction = (web.centroid(triangle) - extent.min) / extent.size();
        (low[0]..=high[0]).contains(&fraction.x) && (low[1]..=high[1]).contains(&fraction.y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downsampling_keeps_the_corners_and_the_aspect_ratio() {
        let values: Vec<f32> = (0..9 * 5).map(|value| value as f32 / 64.0).collect();
        let map = HeightMap::new(9, 5, values).unwrap();
        let small = downsampled(&map, 5).unwrap();
        assert_eq!((small.width(), small.height()), (5, 3));
        assert_eq!(small.values()[0], map.values()[0]);
        assert_eq!(small.values()[14], map.values()[44]);
        assert_eq!(small.values()[1], map.values()[2]);
        assert_eq!(downsampled(&map, 9).unwrap(), map);
    }
}
