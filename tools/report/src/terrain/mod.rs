//! Repeats the evaluation of the terrain thesis (chapters 8 and 9; see `docs/terrain.md`).
//!
//! [`terrain_report`] measures one ground after another and returns a [`TerrainReport`] and pictures. The
//! tables, the verdicts and the page are rendered from these alone.

mod built_ground;
mod comparison_items;
mod comparison_model;
mod comparisons;
mod contours;
mod criteria;
mod grounds;
mod measure;
mod model;
mod options;
mod page;
mod page_items;
mod pictures;
mod published;
mod run;
mod structure_items;

pub use comparison_model::{
    BadAnswer, BadCell, ContourCell, EditCell, SimpleCell, SimpleStepCell, UnitCell,
};
pub use criteria::terrain_criteria;
pub use model::*;
pub use options::{TerrainEffort, TerrainReportOptions};
pub use page::write_terrain;
pub use pictures::NamedPicture;
pub use run::{TerrainMeasured, terrain_report};
