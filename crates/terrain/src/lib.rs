//! Natural ground, where every direction costs differently: the terrain thesis (seed 004), whole.
//!
//! The stages, in this order:
//!
//! 1. [`HeightMap`]: heights on a grid, from a picture or a function;
//! 2. [`TriangleWeb`]: triangles with heights and a difficulty each, and who lies next to whom;
//! 3. [`LowGraph`]: every triangle is a Low Mesh, and a [`Price`] says what each crossing costs, one way
//!    and the other. [`LowGraph::astar`], [`LowGraph::dijkstra`] and [`LowGraph::wave`] search it exactly:
//!    they are what hierarchies over the same graph are measured against;
//! 4. [`Merged`]: Low Meshes merged into High Meshes, iteration by iteration, up to one Top Mesh an island,
//!    and [compressed](Merged::compressed) to a few layers;
//! 5. [`Meshes`]: the same with neighbour records and joints, which a [`Navigation`] finds its way by, around
//!    a [`Crowd`] if there is one;
//! 6. [`LowContraction`] and [`LowHna`]: the contraction and HNA* over the graph of 3, as exact and faster.
//!
//! [`Terrain`] puts them together.
//!
//! Coordinates are the thesis's: x and y are the plane, **z is up**. (The navmeshes of this crate have
//! y up: nothing is shared between the two but the machinery of searches.)

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod astar;
mod compress;
mod contraction;
mod crowd;
mod error;
mod extent;
mod height_map;
mod hna;
mod inner;
mod labels;
mod low;
mod merge;
mod meshes;
mod navigate;
mod orders;
mod price;
mod scratch;
mod web;
mod whole;

pub use contraction::LowContraction;
pub use crowd::Crowd;
pub use error::TerrainError;
pub use extent::Extent;
pub use height_map::{HeightMap, WebOptions};
pub use hna::LowHna;
pub use inner::{Distance, EntryPrice};
pub use low::{Base, LowGraph};
pub use merge::{MergeOptions, Merged};
pub use meshes::{Joint, Meshes};
pub use navigate::{Navigation, NavigationScratch};
pub use orders::order_terrain;
#[cfg(feature = "metis")]
pub use orders::partition_terrain;
pub use price::{Distances, Price};
pub use scratch::LowScratch;
pub use web::{NONE, TriangleWeb};
pub use whole::{MeshEngine, Terrain, TerrainOptions, TerrainParts, TerrainScratch};
