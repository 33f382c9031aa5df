//! The grounds, and the places on them where paths and waves begin.

use std::path::Path;

use portolan_scenes::HeightFunction;
use portolan_terrain::{HeightMap, TerrainError, TriangleWeb, WebOptions};

use super::{GroundKind, TerrainReportOptions};
use crate::ReportError;

/// A ground that is yet to be built.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) kind: GroundKind,
    pub(super) map: HeightMap,
    /// What it was drawn from, if it was.
    pub(super) seed: u64,
}

/// Two triangles to find a way between.
#[derive(Clone, Debug)]
pub(super) struct Trip {
    pub(super) name: &'static str,
    pub(super) ends: [u32; 2],
}

/// Where a wave begins.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) triangle: u32,
}

impl Ground {
    /// All that a run measures on.
    pub(super) fn all(options: &TerrainReportOptions) -> Result<Vec<Self>, ReportError> {
        let size = options.effort.size;
        let cone = built_in(HeightFunction::Cone, size, 0)?;
        let mut grounds = vec![
            Self {
                name: "cone".to_owned(),
                title: "Cone, four triangles a square".to_owned(),
                kind: GroundKind::Cone,
                map: cone.clone(),
                seed: 0,
            },
            Self {
                name: "cone-2".to_owned(),
                title: "Cone, two triangles a square".to_owned(),
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
            // No other ground may have the name, and files have it in theirs.
            name: format!("map-{}", crate::tables::anchor(&name)),
            kind: GroundKind::Realistic,
            map: picked(&map, size).map_err(|error| wrong(&name, error))?,
            seed: 0,
        })
    }

    pub(super) fn web(&self) -> Result<TriangleWeb, ReportError> {
        let options = WebOptions {
            hidef: self.kind != GroundKind::OtherCone,
            ..WebOptions::default()
        };
        let web = self.map.triangulate(&options, None);
        web.map_err(|error| wrong(&self.name, error))
    }

    /// The long path and the shorter one.
    pub(super) fn trips(&self, web: &TriangleWeb) -> Vec<Trip> {
        let shares = match self.kind {
            // Half around the tip, across the line from 1:30 to 7:30; and on one side of it.
            GroundKind::Cone | GroundKind::OtherCone => [
                ("long", [[0.14, 0.3], [0.86, 0.72]]),
                ("short", [[0.72, 0.16], [0.9, 0.5]]),
            ],
            GroundKind::Realistic => [
                ("long", [[0.08, 0.12], [0.92, 0.86]]),
                ("medium", [[0.3, 0.72], [0.62, 0.4]]),
            ],
        };
        let trip = |(name, ends): (_, [[f32; 2]; 2])| Trip {
            name,
            ends: ends.map(|share| at(web, share)),
        };
        shares.map(trip).to_vec()
    }

    /// Where the two waves begin.
    pub(super) fn sources(&self, web: &TriangleWeb) -> [Source; 2] {
        let source = |name, triangle| Source { name, triangle };
        match self.kind {
            GroundKind::Cone | GroundKind::OtherCone => [
                source("bottom left", at(web, [0.15, 0.15])),
                source("near the tip", at(web, [0.53, 0.54])),
            ],
            GroundKind::Realistic => {
                let height = |triangle: &u32| web.centroid(*triangle).z;
                let lowest = within(web, [[0.1, 0.1], [0.9, 0.9]])
                    .min_by(|a, b| height(a).total_cmp(&height(b)));
                let highest = within(web, [[0.6, 0.3], [0.9, 0.7]])
                    .max_by(|a, b| height(a).total_cmp(&height(b)));
                [
                    source("in the valley", lowest.unwrap_or(0)),
                    source("on the hill", highest.unwrap_or(0)),
                ]
            }
        }
    }
}

fn built_in(function: HeightFunction, size: usize, seed: u64) -> Result<HeightMap, ReportError> {
    let map = function.map(size, size, seed);
    map.map_err(|error| wrong(function.name(), error))
}

pub(super) fn wrong(ground: &str, error: TerrainError) -> ReportError {
    ReportError::Terrain {
        ground: ground.to_owned(),
        error,
    }
}

/// A map whose longer side has so many pixels at most, picked evenly, corners included.
fn picked(map: &HeightMap, most: usize) -> Result<HeightMap, TerrainError> {
    let longer = map.width().max(map.height());
    if longer <= most {
        return Ok(map.clone());
    }
    let count = |pixels: usize| ((pixels - 1) * (most - 1) / (longer - 1) + 1).max(2);
    let (width, height) = (count(map.width()), count(map.height()));
    let place = |step: usize, count: usize, pixels: usize| step * (pixels - 1) / (count - 1);
    let mut values = Vec::with_capacity(width * height);
    for row in 0..height {
        let start = place(row, height, map.height()) * map.width();
        let columns = 0..width;
        values
            .extend(columns.map(|column| map.values()[start + place(column, width, map.width())]));
    }
    HeightMap::new(width, height, values)
}

/// The triangle at a share of the whole width and depth.
fn at(web: &TriangleWeb, [x, y]: [f32; 2]) -> u32 {
    let extent = web.extent();
    let place = extent.min + extent.size() * glam::vec3(x, y, 0.0);
    web.locate(place.x, place.y).unwrap_or(0)
}

/// Triangles whose middle lies between shares of the whole.
fn within(web: &TriangleWeb, [low, high]: [[f32; 2]; 2]) -> impl Iterator<Item = u32> {
    let extent = web.extent();
    (0..web.len() as u32).filter(move |&triangle| {
        let share = (web.centroid(triangle) - extent.min) / extent.size();
        (low[0]..=high[0]).contains(&share.x) && (low[1]..=high[1]).contains(&share.y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_map_keeps_its_corners_and_its_shape() {
        let values: Vec<f32> = (0..9 * 5).map(|value| value as f32 / 64.0).collect();
        let map = HeightMap::new(9, 5, values).unwrap();
        let small = picked(&map, 5).unwrap();
        assert_eq!((small.width(), small.height()), (5, 3));
        assert_eq!(small.values()[0], map.values()[0]);
        assert_eq!(small.values()[14], map.values()[44]);
        assert_eq!(small.values()[1], map.values()[2]);
        assert_eq!(picked(&map, 9).unwrap(), map);
    }
}
