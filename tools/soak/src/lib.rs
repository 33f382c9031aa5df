//! A soak test: it draws random worlds, profiles and queries and compares every engine with the oracle, for a given time.
//!
//! A seed determines a [`SoakCase`]: a world with everything that engines need, a profile, and the oracle for both.
//! Each of the [`CHECKS`] runs random queries of its own on the case and asserts properties of the answers. To check a
//! new feature, add a function to [`checks`] and an entry to [`CHECKS`].
//!
//! The checks are assertions, and every panic is reported as a difference, so an engine that panics is also found.

mod answer_counts;
mod case;
pub mod checks;
mod run;

pub use answer_counts::AnswerCounts;
pub use case::{EngineFilter, FindPath, SoakCase};
pub use checks::{CHECKS, SoakCheck};
pub use run::{Difference, Settings, SoakReport, record_panics, soak};
