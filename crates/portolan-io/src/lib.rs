//! Files that Portolan reads and writes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod error;
mod queries;
mod text;

pub use error::ReadError;
pub use queries::{Query, read_queries};
