//! Natural ground, where every direction costs differently: the terrain thesis (seed 004), whole.
//!
//! The stages, in this order:
//!
//! 1. [`HeightMap`]: heights on a grid, from a picture or from a [`HeightFunction`];
//! 2. [`TriangleWeb`]: triangles with heights and a difficulty each, and who lies next to whom;
//! 3. [`LowGraph`]: every triangle is a Low Mesh, and a [`Price`] says what each crossing costs, one way
//!    and the other.
//!
//! Coordinates are the thesis's: x and y are the plane, **z is up**. (The navmeshes of this crate have
//! y up: nothing is shared between the two but the machinery of searches.)

mod error;
mod extent;
mod functions;
mod height_map;
mod low;
mod price;
mod web;

pub use error::TerrainError;
pub use extent::Extent;
pub use functions::{HeightFunction, UnknownFunction};
pub use height_map::{HeightMap, WebOptions};
pub use low::{Base, LowGraph};
pub use price::{Distances, Price};
pub use web::{NONE, TriangleWeb};
