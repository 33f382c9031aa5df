//! The integration tests of the oracles, which compare them with one another.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

mod interval;
