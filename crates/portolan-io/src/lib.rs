//! Files that Portolan reads and writes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod detour;
mod error;
mod import;
pub mod polyanya;
mod queries;
mod text;

pub use error::ReadError;
pub use import::Imported;
pub use queries::{Query, read_queries};
