//! The integration tests of the bake. They are one binary, which links faster than several.
#![allow(
    clippy::disallowed_methods,
    reason = "levels for tests may use trigonometry of the platform"
)]

mod areas;
mod bad_input;
mod common;
mod detail;
mod diagnose;
mod pinned;
mod rebake;
mod replacement;
mod tiles;
