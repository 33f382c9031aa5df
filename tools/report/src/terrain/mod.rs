//! The evaluation of the terrain thesis (seed 004, chapters 8 and 9), remade by one command.
//!
//! [`terrain_report`] measures ground after ground; what it gives is a [`TerrainReport`], every number of
//! which stands in the JSON, and pictures. Tables, verdicts and the page are made of these alone.

mod bars;
mod contours;
mod exhibits;
mod grounds;
mod measure;
mod model;
mod options;
mod page;
mod pictures;
mod published;
mod run;
mod structure;
mod subject;

pub use bars::terrain_bars;
pub use model::*;
pub use options::{TerrainEffort, TerrainReportOptions};
pub use page::write_terrain;
pub use pictures::NamedPicture;
pub use run::{TerrainMeasured, terrain_report};
