//! Natural ground, where every direction costs differently: the terrain thesis (seed 004), whole.
//!
//! [`Terrain::build`] makes a [`Terrain`] of a [`TriangleWeb`]; [`Terrain::find_path`] answers a
//! [`TerrainQuery`] by any [`TerrainEngine`], [`Terrain::wave`] gives the costs to everywhere, and
//! [`Terrain::navigate`] a path that is found while it is walked, around a [`Crowd`] if there is one.
//!
//! The stages, in this order:
//!
//! 1. [`HeightMap`]: heights on a grid, from a picture or a function;
//! 2. [`TriangleWeb`]: triangles with heights and a difficulty each, and the neighbours of each;
//! 3. [`LowGraph`]: every triangle is a Low Mesh, and a [`Price`] says what each crossing costs, in one
//!    direction and the other. A* and Dijkstra's algorithm search it exactly: other engines are compared with
//!    them;
//! 4. [`Merged`]: Low Meshes merged into High Meshes, iteration by iteration, up to one Top Mesh an island,
//!    and [compressed](Merged::compressed) to a few layers;
//! 5. [`Meshes`]: the same with neighbour records and joints, which a [`Navigation`] finds its path by;
//! 6. [`LowContraction`] and [`LowHna`], on request: the contraction and HNA* over the graph of 3, as exact
//!    and faster.
//!
//! Coordinates are the thesis's: x and y are the plane, **z is up**. (The navmeshes of `portolan-core` have
//! y up: nothing is shared between the two but the machinery of searches.)

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod astar;
mod compress;
mod contraction;
mod crowd;
mod engine;
mod error;
mod extent;
mod find;
mod height_map;
mod hna;
mod inner;
mod labels;
mod low;
mod merge;
mod meshes;
mod navigate;
mod orders;
mod path;
mod price;
mod query;
mod scratch;
mod terrain;
mod web;

pub use contraction::LowContraction;
pub use crowd::Crowd;
pub use engine::{TerrainEngine, TerrainEngineError, UnknownTerrainEngine};
pub use error::TerrainError;
pub use extent::Extent;
pub use height_map::{HeightMap, WebOptions};
pub use hna::LowHna;
pub use inner::{Distance, EntryPrice};
pub use low::{Base, LowGraph};
pub use merge::{MergeOptions, Merged};
pub use meshes::{Joint, Meshes};
pub use navigate::Navigation;
pub use orders::order_terrain;
#[cfg(feature = "metis")]
pub use orders::partition_terrain;
pub use path::TerrainPath;
pub use price::{Distances, Price, PriceParameter};
pub use query::{TerrainEndpoints, TerrainLocation, TerrainPosition, TerrainQuery, TerrainStatus};
pub use scratch::TerrainScratch;
pub use terrain::{Terrain, TerrainOptions, TerrainParts};
pub use web::{NONE, TriangleWeb};
