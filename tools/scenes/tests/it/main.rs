//! The integration tests of the scenes. They are one binary, which links faster than several.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod baked;
mod model;
mod scenes;
