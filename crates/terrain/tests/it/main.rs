//! The integration tests of terrain, in one binary so that they are linked once.

mod changes;
mod common;
mod engines;
mod isochrones;
mod lines;
mod navigation;
mod search;
mod tree;
