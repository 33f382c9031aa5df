//! Repeats the evaluation of the HNA* papers and of the terrain thesis.
//!
//! [`run`] measures one cell (a scene and a setting) after another. It saves each finished cell, so that
//! an interrupted run can be resumed. The result is one [`Report`]. The page, its figures and its tables
//! are rendered from the report alone. [`diff`] compares the times of two reports.
//!
//! [`terrain_report`] repeats chapters 8 and 9 of the terrain thesis and returns a [`TerrainReport`]; see
//! `docs/terrain.md`.
//!
//! The papers:
//!
//! - N. Pelechano, C. Fuentes: "Hierarchical path-finding for Navigation Meshes (HNA*)", 2016.
//! - C. Fuentes Paredes: "Study and Development of Hierarchical Path Finding to Speed Up Crowd
//!   Simulation", master thesis, Universitat Politècnica de Catalunya, 2014.
//! - V. Rahmani, N. Pelechano: "Multi-agent parallel hierarchical path finding in navigation meshes
//!   (MA-HNA*)", 2020.
//!
//! ```no_run
//! use portolan_report::{ReportEffort, ReportOptions, run};
//!
//! let options = ReportOptions {
//!     effort: ReportEffort::quick(),
//!     ..ReportOptions::default()
//! };
//! let report = run(&options, "report".as_ref(), &|progress| {
//!     println!("{} of {}: {}", progress.done, progress.total, progress.label);
//! })?;
//! println!("{} scenes, see report/index.html", report.scenes.len());
//! # Ok::<(), portolan_report::ReportError>(())
//! ```
#![allow(
    clippy::disallowed_methods,
    reason = "statistics and charts may differ in the last bit"
)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod batch_model;
mod change_model;
mod device;
mod device_model;
mod diff;
mod error;
mod figures;
mod jobs;
mod journal;
mod machine;
mod measure;
mod mesh_source;
mod model;
mod options;
mod page;
mod page_item;
mod peers;
mod published;
mod roofline;
mod run;
mod tables;
mod terrain;

pub use batch_model::{BatchCell, BatchEngine, BatchTime};
pub use change_model::ChangesCell;
pub use device_model::{DeviceBatches, DeviceConnect, DeviceEngine, DeviceRun, KernelWork};
pub use diff::{Diff, TimingChange, diff};
pub use error::ReportError;
pub use machine::Machine;
pub use model::*;
pub use options::{ReportEffort, ReportOptions, SCENES};
pub use page::write;
pub use peers::{PeersEngine, PeersExcess, PeersMap, PeersRun};
pub use run::{ReportProgress, open, run};
pub use terrain::*;
