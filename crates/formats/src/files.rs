//! Whole files, with their names in the errors.

use std::path::Path;

#[cfg(feature = "terrain")]
use portolan_core::Up;
use portolan_core::{AreaRules, LevelOptions, Profile, Triangles};
use portolan_files::{FileError, read, read_settings};
#[cfg(feature = "terrain")]
use portolan_files::{ReadError, save};
#[cfg(feature = "terrain")]
use portolan_terrain::{HeightMap, Price, TerrainError, TriangleWeb};

#[cfg(feature = "terrain")]
use crate::heightmap::{self, Coding};
use crate::{
    Imported, QueryPoints, import_bytes, read_areas, read_geometry, read_profile, read_queries,
};
#[cfg(feature = "terrain")]
use crate::{read_difficulty, read_price, web_of};

/// Imports somebody else's navmesh; the ending of the name says what it is.
pub fn import(path: &Path) -> Result<Imported, FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read(path, |bytes| import_bytes(&name, bytes))
}

/// Opens level geometry; the ending of the name says what it is. Buffers of a `.gltf` file are read
/// from its folder and the folders in it. `options` say how the file's coordinates become metres with
/// y up.
pub fn open_geometry(path: &Path, options: &LevelOptions) -> Result<Triangles, FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut fetch = |part: &str| std::fs::read(folder.join(part));
    read(path, |bytes| {
        read_geometry(&name, bytes, options, &mut fetch)
    })
}

/// Opens the rules by which ground gets its areas.
pub fn open_areas(path: &Path) -> Result<AreaRules, FileError> {
    read_settings(path, read_areas)
}

/// Opens a CSV file of queries.
pub fn open_queries(path: &Path) -> Result<Vec<QueryPoints>, FileError> {
    read(path, read_queries)
}

/// Opens a profile.
pub fn open_profile(path: &Path) -> Result<Profile, FileError> {
    read_settings(path, read_profile)
}

#[cfg(feature = "terrain")]
/// Opens a height map: a PNG.
pub fn open_height_map(path: &Path) -> Result<HeightMap, FileError> {
    read(path, heightmap::read)
}

#[cfg(feature = "terrain")]
/// Opens the parameters of a traversal price.
pub fn open_price(path: &Path) -> Result<Price, FileError> {
    read_settings(path, read_price)
}

#[cfg(feature = "terrain")]
/// Opens level geometry as ground, and the difficulties of its triangles, if there are any, from a file
/// with one number a line.
pub fn open_web(path: &Path, up: Up, difficulty: Option<&Path>) -> Result<TriangleWeb, FileError> {
    let options = LevelOptions {
        up,
        ..LevelOptions::default()
    };
    let triangles = open_geometry(path, &options)?;
    let (blamed, difficulties) = match difficulty {
        Some(file) => (file, read(file, read_difficulty)?),
        None => (path, Vec::new()),
    };
    web_of(&triangles, difficulties).map_err(|error| {
        let is_difficulty = matches!(
            error,
            TerrainError::DifficultyCount { .. } | TerrainError::Difficulty(..)
        );
        let file = if is_difficulty { blamed } else { path };
        FileError::Content {
            file: file.display().to_string(),
            error: ReadError::NotThisFormat {
                format: "ground",
                reason: error.to_string(),
            },
        }
    })
}

#[cfg(feature = "terrain")]
/// Writes a height map: a PNG.
pub fn save_height_map(path: &Path, map: &HeightMap, coding: Coding) -> Result<(), FileError> {
    save(path, |file| heightmap::write(map, coding, file))
}
