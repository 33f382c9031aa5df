//! The evaluation of the HNA* papers, remade by one command.
//!
//! A [`run`] measures cell after cell and keeps each in a file, so that it can be continued; what
//! they come to is one [`Report`], and of nothing else are the page, its figures and its tables made.
//! [`diff`] says what became faster or slower between two.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod error;
mod jobs;
mod journal;
mod machine;
mod measure;
mod model;
mod options;
mod page;
mod run;
mod scenes;
mod statistics;

pub use error::ReportError;
pub use machine::Machine;
pub use model::*;
pub use options::{Effort, ReportOptions, SCENES};
pub use run::{Progress, run};
