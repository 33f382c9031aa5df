//! The integration tests of the scenes, in one binary so that they link once.

mod baked;
mod model;
mod scenes;
