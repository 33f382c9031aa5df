//! Path-finding over natural ground, where the cost of a crossing depends on its direction.
//!
//! The ground is a web of triangles with heights. Walking uphill costs more than walking downhill, and a swamp
//! costs more than a meadow. [`Terrain::build`] turns a [`TriangleWeb`] into a [`Terrain`], and
//! [`Terrain::find_path`] answers a [`TerrainQuery`] with any [`TerrainEngine`]. [`Terrain::wave`] computes the
//! costs to all triangles. [`Terrain::navigate`] finds a path while it is being walked, and avoids a [`Crowd`] on
//! request.
//!
//! The method is that of the terrain thesis (see `docs/terrain.md`), and so are the terms:
//!
//! - A *Low Mesh* is one triangle. A *High Mesh* consists of Low or High Meshes, its children. A *Top Mesh* has
//!   no parent. If there are several Top Meshes, the *Global Mesh* has all of them as children.
//! - A *joint* is a crossing from one Low Mesh to a neighbouring one.
//! - The *traversal price* is the cost of a crossing. The *entry* is the price that entering a High Mesh adds to
//!   the price of entering its child at the border.
//!
//! A terrain is built in these stages:
//!
//! 1. [`HeightMap`] contains heights on a grid, from a picture or a function.
//! 2. [`TriangleWeb`] contains triangles, their difficulties and their neighbours.
//! 3. [`LowGraph`] is the directed graph of the Low Meshes. A [`Price`] defines the cost of each crossing, per
//!    direction. A* and Dijkstra's algorithm search it exactly, and are the reference for the other engines.
//! 4. [`MeshTree`] results from merging Low Meshes into High Meshes until one Top Mesh per island is left. It can
//!    be [compressed](MeshTree::compressed) to a few layers.
//! 5. [`Meshes`] adds neighbour records and joints to the tree. [`Navigation`] searches them.
//! 6. [`LowContraction`], the default engine, is a contraction hierarchy over the graph of stage 3. [`LowHna`] is HNA*
//!    over the same graph, and optional. Both are exact, and faster than A*.
//!
//! Coordinates are those of the thesis: x and y span the plane, and **z is up**. Navmeshes in `portolan-core` have
//! y up. Both crates use the same search algorithms.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod astar;
mod compress;
mod contraction;
mod crowd;
mod engine;
mod entry_price;
mod error;
mod extent;
mod find;
mod ground;
mod height_map;
mod hna;
mod isochrone;
mod labels;
mod line_wave;
mod low;
mod merge;
mod meshes;
mod navigate;
mod orders;
mod path;
mod price;
mod profile;
mod query;
mod refine;
mod scratch;
mod strip;
mod terrain;
mod walking;
mod web;
mod window;

pub use contraction::LowContraction;
pub use crowd::Crowd;
pub use engine::{TerrainEngine, TerrainEngineError, UnknownTerrainEngine};
pub use entry_price::{EntryPrice, MeshDistance};
pub use error::TerrainError;
pub use extent::Extent;
pub use height_map::{HeightMap, WebOptions};
pub use hna::LowHna;
pub use isochrone::{Isochrone, IsochronePolygon};
pub use line_wave::LineWave;
pub use low::{BaseLengths, LowGraph};
pub use merge::{MergeOptions, MeshTree};
pub use meshes::{Joint, Meshes, NO_MESH};
pub use navigate::Navigation;
#[cfg(feature = "metis")]
pub use orders::partition_terrain;
pub use orders::{order_by_position, order_terrain};
pub use path::TerrainPath;
pub use price::{Distances, Price, PriceParameter};
pub use profile::TerrainProfile;
pub use query::{
    TerrainEndpoints, TerrainLine, TerrainLocation, TerrainPosition, TerrainQuery, TerrainStatus,
};
pub use scratch::TerrainScratch;
pub use terrain::{Terrain, TerrainOptions, TerrainParts};
pub use web::{NO_TRIANGLE, TriangleWeb};
