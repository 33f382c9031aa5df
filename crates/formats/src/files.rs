//! Functions that open and save files by path, with errors that name the file.

use std::fs::File;
use std::path::Path;

#[cfg(feature = "terrain")]
use portolan_core::Up;
use portolan_core::{AreaRules, LevelOptions, Profile, Triangles};
use portolan_files::{FileError, read};
#[cfg(feature = "terrain")]
use portolan_files::{ReadError, save};
#[cfg(feature = "terrain")]
use portolan_terrain::{Crs, GroundArea, HeightMap, Price, TerrainError, TriangleWeb};

#[cfg(feature = "terrain")]
use crate::heightmap::{self, Coding};
use crate::{
    Imported, QueryPoints, QueryReader, import_bytes, read_areas, read_geometry, read_profile,
    read_queries,
};
#[cfg(feature = "terrain")]
use crate::{read_difficulty, read_ground_areas, read_price, web_of};

/// Imports a navmesh of another tool. The extension decides the format, as in [`import_bytes`].
pub fn import(path: &Path) -> Result<Imported, FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read(path, |bytes| import_bytes(&name, bytes))
}

/// Opens level geometry. The extension decides the format: `.obj`, `.gltf` or `.glb`. Buffers of a `.gltf`
/// file are read from its folder and the folders in it. `options` say how the coordinates of the file
/// become metres with y up.
pub fn open_geometry(path: &Path, options: &LevelOptions) -> Result<Triangles, FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut fetch = |relative: &str| std::fs::read(folder.join(relative));
    read(path, |bytes| {
        read_geometry(&name, bytes, options, &mut fetch)
    })
}

/// Opens a TOML file of area rules (see [`read_areas`]).
pub fn open_areas(path: &Path) -> Result<AreaRules, FileError> {
    read(path, read_areas)
}

/// Opens a CSV file of queries (see [`read_queries`]).
pub fn open_queries(path: &Path) -> Result<Vec<QueryPoints>, FileError> {
    read(path, read_queries)
}

/// Opens a CSV file of queries to read it slice by slice (see [`QueryReader`]).
pub fn open_query_reader(path: &Path) -> Result<QueryReader<File>, FileError> {
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|error| FileError::Unreadable {
        file: name(),
        error,
    })?;
    QueryReader::new(file).map_err(|error| FileError::Content {
        file: name(),
        error,
    })
}

/// Opens a TOML file of an agent's profile (see [`read_profile`]).
pub fn open_profile(path: &Path) -> Result<Profile, FileError> {
    read(path, read_profile)
}

#[cfg(feature = "terrain")]
/// Opens a height map, a PNG (see [`heightmap`]).
pub fn open_height_map(path: &Path) -> Result<HeightMap, FileError> {
    read(path, heightmap::read)
}

#[cfg(feature = "terrain")]
/// Opens a PNG whose pixels may be transparent (see [`heightmap::read_picture`]).
pub fn open_picture(path: &Path) -> Result<heightmap::Picture, FileError> {
    read(path, heightmap::read_picture)
}

#[cfg(feature = "terrain")]
/// Opens a GeoJSON file of areas, and converts their coordinates to a system (see [`read_ground_areas`]).
pub fn open_ground_areas(path: &Path, crs: Crs) -> Result<Vec<GroundArea>, FileError> {
    read(path, |bytes| read_ground_areas(bytes, crs))
}

#[cfg(feature = "terrain")]
/// Opens a TOML file with the parameters of a traversal price (see [`read_price`]).
pub fn open_price(path: &Path) -> Result<Price, FileError> {
    read(path, read_price)
}

#[cfg(feature = "terrain")]
/// Opens level geometry as a triangle web (see [`web_of`]). `difficulty` is an optional text file with the
/// difficulty of each triangle (see [`read_difficulty`]).
pub fn open_web(path: &Path, up: Up, difficulty: Option<&Path>) -> Result<TriangleWeb, FileError> {
    let options = LevelOptions {
        up,
        ..LevelOptions::default()
    };
    let triangles = open_geometry(path, &options)?;
    let (difficulty_file, difficulties) = match difficulty {
        Some(file) => (file, read(file, read_difficulty)?),
        None => (path, Vec::new()),
    };
    web_of(&triangles, difficulties).map_err(|error| {
        let is_difficulty = matches!(
            error,
            TerrainError::DifficultyCount { .. } | TerrainError::Difficulty(..)
        );
        let file = if is_difficulty { difficulty_file } else { path };
        FileError::Content {
            file: file.display().to_string(),
            error: ReadError::NotThisFormat {
                format: "a terrain",
                reason: error.to_string(),
            },
        }
    })
}

#[cfg(feature = "terrain")]
/// Writes a height map as a PNG with the given coding.
pub fn save_height_map(path: &Path, map: &HeightMap, coding: Coding) -> Result<(), FileError> {
    save(path, |file| heightmap::write(map, coding, file))
}
