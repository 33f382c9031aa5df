//! Why there is no report.

use std::path::PathBuf;

use portolan_bake::BakeError;
use portolan_core::{HierarchyError, NavMeshError};
use portolan_files::FileError;
use portolan_index::IndexError;
use portolan_terrain::TerrainError;

/// Why a run or a comparison ends without a result, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file.
    #[error("{0}")]
    File(#[from] FileError),
    /// The folder of the report.
    #[error("{}: cannot be written: {error}", folder.display())]
    Folder {
        /// Its name as it was given.
        folder: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// A file that is no report.
    #[error("{}: {why}", file.display())]
    NoReport {
        /// Its name as it was given.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A scene could not be baked.
    #[error("{scene}: {error}")]
    Bake {
        /// The scene.
        scene: String,
        /// Why not.
        error: BakeError,
    },
    /// A world is no navmesh.
    #[error("{world}: {error}")]
    World {
        /// The world.
        world: String,
        /// Why not.
        error: NavMeshError,
    },
    /// The vertices of a graph could not be put in order.
    #[error("{scene}, the order of the contraction: {error}")]
    Order {
        /// The scene.
        scene: String,
        /// Why not.
        error: IndexError,
    },
    /// A navmesh or a terrain got no index.
    #[error("{scene}, mu = {mu}: {error}")]
    Index {
        /// The scene.
        scene: String,
        /// The merge factor.
        mu: u32,
        /// Why not.
        error: IndexError,
    },
    /// A partition could not be made a hierarchy.
    #[error("{scene}, mu = {mu}: {error}")]
    Hierarchy {
        /// The scene.
        scene: String,
        /// The merge factor.
        mu: u32,
        /// Why not.
        error: HierarchyError,
    },
    /// Two maps, or a map and a scene, have one name.
    #[error("{}: there is a scene called {name:?} already; rename the file", file.display())]
    SameName {
        /// The file.
        file: PathBuf,
        /// Its name without ending.
        name: String,
    },
    /// A mesh on which there is nothing to search.
    #[error("{}: no ground to search on: no component has two polygons", file.display())]
    NoGround {
        /// The file.
        file: PathBuf,
    },
    /// Ground that cannot be built on.
    #[error("{ground}: {error}")]
    Terrain {
        /// The ground.
        ground: String,
        /// Why not.
        error: TerrainError,
    },
    /// An engine found no walkable path where there is one.
    #[error("{ground}: {engine} finds no way from triangle {} to {}", ends[0], ends[1])]
    NoPath {
        /// The ground.
        ground: String,
        /// The engine.
        engine: &'static str,
        /// Start and goal.
        ends: [u32; 2],
    },
}
