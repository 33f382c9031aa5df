//! Files of our own: `.pnav` (a navmesh), `.pidx` (an index), with the feature `terrain` `.pter` (terrain)
//! and with the feature `bake` `.pbake` (a baked level, tile by tile).
//!
//! Every file carries magic bytes, a version, its size and a checksum. It is written under a temporary
//! name and renamed, so nobody ever sees half of one. A reader never panics, whatever the bytes: a
//! truncated file or a flipped bit is a [`ReadError`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod container;
mod error;
#[cfg(feature = "bake")]
pub mod pbake;
pub mod pidx;
pub mod pnav;
#[cfg(feature = "terrain")]
pub mod pter;
mod whole;

pub use error::ReadError;
pub use whole::{
    FileError, open_index, open_navmesh, open_world, read, read_settings, remove_unfinished, save,
    save_index, save_navmesh,
};
#[cfg(feature = "bake")]
pub use whole::{is_bake, open_bake, save_bake};
#[cfg(feature = "terrain")]
pub use whole::{is_terrain, open_terrain, save_terrain};
