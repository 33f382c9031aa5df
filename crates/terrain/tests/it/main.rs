//! The integration tests of terrain, in one binary so that they link once.

mod engines;
mod meshes;
mod search;
