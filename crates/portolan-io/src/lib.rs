//! Files that Portolan reads and writes.
//!
//! Readers take bytes and give an [`Imported`] navmesh, [`Triangles`](portolan::Triangles) or a
//! [`ReadError`]; they never panic, whatever the bytes, and never ask for much more memory than the
//! bytes take or what they tell to repeat.
//!
//! ```
//! let square = b"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4\n";
//! let imported = portolan_io::import_bytes("square.obj", square)?;
//! assert_eq!(imported.raw.polygons.len(), 1);
//! # Ok::<(), portolan_io::ReadError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod areas;
mod container;
pub mod detour;
mod error;
mod files;
pub mod geometry;
pub mod heightmap;
mod import;
pub mod obj;
mod order;
pub mod picture;
pub mod pidx;
pub mod pnav;
pub mod polyanya;
mod price;
mod profile;
pub mod pter;
mod queries;
pub mod svg;
mod text;
mod wavefront;
mod web;

pub use areas::read_areas;
pub use error::ReadError;
pub use files::{
    FileError, import, is_terrain, open_areas, open_geometry, open_height_map, open_index,
    open_navmesh, open_price, open_profile, open_queries, open_terrain, open_web, open_world,
    remove_unfinished, save, save_height_map, save_index, save_navmesh, save_terrain,
};
pub use geometry::{Up, read_geometry};
pub use import::{Imported, import_bytes};
pub use price::read_price;
pub use profile::read_profile;
pub use queries::{QueryPoints, read_queries};
pub use web::{read_difficulty, web_of};
