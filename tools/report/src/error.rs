//! The errors of a run.

use std::path::PathBuf;

use portolan_bake::BakeError;
use portolan_core::{HierarchyError, NavMeshError};
use portolan_files::FileError;
use portolan_index::IndexError;
use portolan_terrain::TerrainError;

/// An error that ends a run or a comparison. Its message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file could not be read or written.
    #[error("{0}")]
    File(#[from] FileError),
    /// The folder of the report could not be created or written.
    #[error("{}: cannot be written: {error}", folder.display())]
    Folder {
        /// The folder, as the caller named it.
        folder: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A file is not a report, a peers run or a navmesh.
    #[error("{}: {why}", file.display())]
    NoReport {
        /// The file, as the caller named it.
        file: PathBuf,
        /// The reason.
        why: String,
    },
    /// A scene could not be baked.
    #[error("{scene}: {error}")]
    Bake {
        /// The name of the scene.
        scene: String,
        /// The cause.
        error: BakeError,
    },
    /// A generated world is not a valid navmesh.
    #[error("{world}: {error}")]
    World {
        /// The name of the world.
        world: String,
        /// The cause.
        error: NavMeshError,
    },
    /// No contraction order could be computed.
    #[error("{scene}, contraction order: {error}")]
    Order {
        /// The name of the scene.
        scene: String,
        /// The cause.
        error: IndexError,
    },
    /// No index could be built.
    #[error("{scene}, mu = {mu}: {error}")]
    Index {
        /// The name of the scene.
        scene: String,
        /// The merge factor.
        mu: u32,
        /// The cause.
        error: IndexError,
    },
    /// No hierarchy could be built from a partition.
    #[error("{scene}, mu = {mu}: {error}")]
    Hierarchy {
        /// The name of the scene.
        scene: String,
        /// The merge factor.
        mu: u32,
        /// The cause.
        error: HierarchyError,
    },
    /// Two maps, or a map and a scene, have the same name.
    #[error("{}: another scene or map is already called {name:?}; rename the file", file.display())]
    SameName {
        /// The file.
        file: PathBuf,
        /// Its name without extension.
        name: String,
    },
    /// A map has no component of two or more polygons, so there is nothing to search.
    #[error("{}: no two polygons are connected, so there is nothing to search", file.display())]
    NothingToSearch {
        /// The file.
        file: PathBuf,
    },
    /// There is no graphics card, it failed, or the program was built without support for graphics cards.
    #[error("{0}")]
    Device(String),
    /// A terrain could not be built.
    #[error("{ground}: {error}")]
    Terrain {
        /// The name of the ground.
        ground: String,
        /// The cause.
        error: TerrainError,
    },
    /// An engine found no path, or an invalid one, between two connected triangles.
    #[error("{ground}: {engine} finds no path from triangle {} to {}", endpoints[0], endpoints[1])]
    NoPath {
        /// The name of the ground.
        ground: String,
        /// The name of the engine.
        engine: &'static str,
        /// The start and goal triangles.
        endpoints: [u32; 2],
    },
}
