//! The integration tests of foreign formats, in one binary so that they link once.

mod geometry;
mod real_maps;
mod round_trip;
