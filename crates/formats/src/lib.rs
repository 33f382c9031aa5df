//! Readers and writers of file formats that are not Portolan's own.
//!
//! - level geometry: `.obj`, `.gltf`, `.glb` ([`open_geometry`])
//! - navmeshes: Detour tile sets, Polyanya meshes, `.obj` ([`import`])
//! - area rules, profiles (TOML) and lists of queries (CSV)
//! - answers of batches as CSV, and as Arrow files with the feature `arrow` ([`CsvAnswers`])
//! - height maps (PNG) and traversal prices (TOML), with the feature `terrain`
//!
//! A reader takes bytes and returns a value or a [`ReadError`]. No input makes it panic. Its memory is
//! bounded by the size of the input and of the meshes that the input instantiates.
//!
//! ```
//! let square = b"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4\n";
//! let imported = portolan_formats::import_bytes("square.obj", square)?;
//! assert_eq!(imported.raw.polygons.len(), 1);
//! # Ok::<(), portolan_files::ReadError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answers;
mod areas;
pub mod detour;
mod files;
pub mod geometry;
#[cfg(feature = "terrain")]
pub mod heightmap;
mod import;
pub mod obj;
mod order;
pub mod polyanya;
#[cfg(feature = "terrain")]
mod price;
mod profile;
mod queries;
mod text;
mod wavefront;
#[cfg(feature = "terrain")]
mod web;
#[cfg(feature = "terrain")]
mod web_text;

#[cfg(feature = "arrow")]
pub use answers::ArrowAnswers;
pub use answers::CsvAnswers;
pub use areas::read_areas;
pub use files::{import, open_areas, open_geometry, open_profile, open_queries, open_query_reader};
#[cfg(feature = "terrain")]
pub use files::{open_height_map, open_price, open_web, save_height_map};
pub use geometry::read_geometry;
pub use import::{Imported, import_bytes};
pub use portolan_core::{LevelOptions, Up};
pub use portolan_files::{FileError, ReadError};
#[cfg(feature = "terrain")]
pub use price::read_price;
pub use profile::read_profile;
pub use queries::{QueryPoints, QueryReader, read_queries};
#[cfg(feature = "terrain")]
pub use web::{read_difficulty, web_of};
#[cfg(feature = "terrain")]
pub use web_text::{price_text, write_difficulty, write_web};
