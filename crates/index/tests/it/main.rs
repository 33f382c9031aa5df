//! The integration tests of indexing, in one binary so that they link once.

mod engines;
mod orders;
mod partition;
mod pinned;
mod real_maps;
mod taut;
