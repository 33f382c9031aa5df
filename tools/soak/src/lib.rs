//! Random worlds, profiles and queries: every engine against the oracle, until time is up.
//!
//! A seed determines a [`Case`]: a world with everything that engines need, a profile, and the oracle for both.
//! Each of the [`CHECKS`] asks the case its own random queries and asserts what it promises. A new feature adds
//! itself by a function in [`checks`] and a line in [`CHECKS`].
//!
//! The checks are assertions, and a panic anywhere is a difference, so an engine that panics is found as well.

mod case;
pub mod checks;
mod compared;
mod run;

pub use case::{Ask, Case, EngineFilter};
pub use checks::{CHECKS, Check};
pub use compared::Compared;
pub use run::{Difference, Report, Settings, record_panics, soak};
