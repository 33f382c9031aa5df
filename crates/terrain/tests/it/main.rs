//! The integration tests of terrain, in one binary so that they are linked once.

mod changes;
mod common;
mod edits;
mod engines;
mod navigation;
mod runners;
mod search;
mod tree;
