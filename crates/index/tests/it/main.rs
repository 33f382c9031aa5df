//! The integration tests of this crate, in one binary so that they link once.

mod build;
#[cfg(feature = "metis")]
mod engines;
mod exact;
mod memory;
#[cfg(feature = "metis")]
mod orders;
#[cfg(feature = "metis")]
mod partition;
mod pinned;
#[cfg(feature = "metis")]
mod real_maps;
mod replace;
mod taut;
