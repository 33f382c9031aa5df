//! The integration tests of the bake, in one binary so that they link once.

mod areas;
mod bad_input;
mod common;
mod detail;
mod diagnose;
mod rebake;
mod tiles;
