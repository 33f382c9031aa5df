//! The integration tests of foreign formats, in one binary so that they link once.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod geometry;
mod real_maps;
mod round_trip;
