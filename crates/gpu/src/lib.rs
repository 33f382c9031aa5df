//! Multi-agent path-finding on graphics cards.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arrays;
mod device;
mod error;
mod firsts;
mod memory;
mod paths;
mod world;

pub use device::{Gpu, Tables};
pub use error::GpuError;
pub use world::{GpuReport, GpuWorld, SliceLimits};
