//! The integration tests of the command line, in one binary so that they link once.

mod bake;
mod bench;
mod common;
mod files;
mod heightmap;
mod import_export;
mod index;
mod info;
mod labels;
mod path;
mod profile;
mod rebake;
mod report;
mod scene;
mod terrain;
mod terrain_report;
mod tiers;
mod tune;
mod usage;
