//! The integration tests of the scenes, in one binary so that they link once.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod baked;
mod model;
mod scenes;
