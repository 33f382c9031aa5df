//! The integration tests of the report, in one binary to save link time.

mod page;
mod terrain;
