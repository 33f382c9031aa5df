//! The integration tests of the command line. They are one binary, because linking several takes long.

mod bake;
mod batch;
mod bench;
mod bench_agents;
mod common;
mod exact;
mod files;
mod gpu;
mod heightmap;
mod import_export;
mod index;
mod index_queries;
mod info;
mod labels;
mod path;
mod path_pictures;
mod probe;
mod profile;
mod rebake;
mod report;
mod scene;
mod terrain;
mod terrain_report;
mod tiers;
mod tune;
mod usage;
