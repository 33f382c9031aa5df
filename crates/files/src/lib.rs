//! Portolan's own file formats.
//!
//! - `.pnav`: a navmesh
//! - `.pidx`: an index, which is a navmesh with everything that queries need
//! - `.pter`: a terrain (feature `terrain`)
//! - `.pbake`: a baked level, tile by tile (feature `bake`)
//!
//! Every file carries magic bytes, a version, its size and a checksum. It is written under a temporary
//! name and then renamed, so no other process ever sees half a file. Readers never panic: a truncated file
//! or a flipped bit is a [`ReadError`].
//!
//! ```no_run
//! use std::path::Path;
//!
//! let world = portolan_files::open_world(Path::new("city.pidx"))?;
//! println!("{} polygons", world.mesh().polygon_count());
//! # Ok::<(), portolan_files::FileError>(())
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod checksum;
mod container;
mod disk;
mod error;
mod mapping;
#[cfg(feature = "bake")]
pub mod pbake;
pub mod pidx;
pub mod pnav;
#[cfg(feature = "terrain")]
pub mod pter;
#[cfg(test)]
mod test_damage;

pub use disk::{
    FileError, OpenOptions, is_index, open_index, open_index_with, open_navmesh, open_world,
    open_world_with, read, remove_unfinished, save, save_index, save_navmesh,
};
#[cfg(feature = "bake")]
pub use disk::{is_bake, open_bake, save_bake};
#[cfg(feature = "terrain")]
pub use disk::{is_terrain, open_terrain, save_terrain};
pub use error::ReadError;
