//! The integration tests of the bake, in one binary so that they link once.
#![allow(clippy::disallowed_methods, reason = "levels for tests may be round")]

mod areas;
mod bad_input;
mod common;
mod detail;
mod diagnose;
mod rebake;
mod tiles;
