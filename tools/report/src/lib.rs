//! The evaluation of the HNA* papers, remade by one command.
//!
//! A [`run`] measures cell after cell and keeps each in a file, so that it can be continued; what
//! they come to is one [`Report`], and of nothing else are the page, its figures and its tables made.
//! [`diff`] says what became faster or slower from one to another.
//!
//! [`terrain_report`] does the same for the terrain thesis.
#![allow(
    clippy::disallowed_methods,
    reason = "statistics and charts may differ in the last bit"
)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod diff;
mod error;
mod exhibit;
mod figures;
mod jobs;
mod journal;
mod machine;
mod measure;
mod model;
mod options;
mod page;
mod peers;
mod published;
mod run;
mod scenes;
mod tables;
mod terrain;

pub use diff::{Change, Diff, diff};
pub use error::ReportError;
pub use machine::Machine;
pub use model::*;
pub use options::{Effort, ReportOptions, SCENES};
pub use page::write;
pub use peers::{PeersEngine, PeersExcess, PeersMap, PeersRun};
pub use run::{Progress, open, run};
pub use terrain::*;
