//! The integration tests of all formats, in one binary so that they are linked only once.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod geometry;
#[cfg(feature = "terrain")]
mod real_elevation;
mod real_maps;
mod round_trip;
