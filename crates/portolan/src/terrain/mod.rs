//! Natural ground, where every direction costs differently: the terrain thesis (seed 004), whole.
//!
//! The stages, in this order:
//!
//! 1. [`TriangleWeb`]: triangles with heights and a difficulty each, and who lies next to whom;
//! 2. [`LowGraph`]: every triangle is a Low Mesh, and a [`Price`] says what each crossing costs, one way
//!    and the other;
//! 3. [`LowGraph::astar`], [`LowGraph::dijkstra`] and [`LowGraph::wave`]: exact searches, which the
//!    hierarchies over the same graph are measured against;
//! 4. [`LowContraction`] and [`LowHna`]: the contraction and HNA* over that graph, as exact and faster.
//!
//! Coordinates are the thesis's: x and y are the plane, **z is up**. (The navmeshes of this crate have
//! y up: nothing is shared between the two but the machinery of searches.)

mod astar;
mod contraction;
mod error;
mod extent;
mod hna;
mod labels;
mod low;
mod price;
mod scratch;
mod web;

pub use contraction::LowContraction;
pub use error::TerrainError;
pub use extent::Extent;
pub use hna::LowHna;
pub use low::{Base, LowGraph};
pub use price::{Distances, Price};
pub use scratch::LowScratch;
pub use web::{NONE, TriangleWeb};
