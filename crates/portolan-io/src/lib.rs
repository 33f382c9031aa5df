//! Files that Portolan reads and writes.
//!
//! Readers take bytes and give an [`Imported`] navmesh or a [`ReadError`]; they never panic,
//! whatever the bytes, and never ask for much more memory than the bytes take.
//!
//! ```
//! let square = b"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4\n";
//! let imported = portolan_io::import_bytes("square.obj", square)?;
//! assert_eq!(imported.raw.polygons.len(), 1);
//! # Ok::<(), portolan_io::ReadError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod detour;
mod error;
mod import;
pub mod obj;
mod order;
pub mod polyanya;
mod queries;
mod text;

pub use error::ReadError;
pub use import::{Imported, import_bytes};
pub use queries::{Query, read_queries};
