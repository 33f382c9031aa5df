//! The integration tests of the report, in one binary to save link time.

mod device;
mod page;
mod terrain;
