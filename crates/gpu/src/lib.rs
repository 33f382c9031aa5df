//! Multi-agent path-finding on graphics cards, after Rahmani and Pelechano 2020 (MA-HNA*), on any vendor's card.
//!
//! [`Gpu`] is a device with compiled kernels. [`Gpu::upload`] puts a world on it, with the costs of one kind of agent, and
//! [`GpuWorld::find_paths`] answers a batch as [`World::find_paths`](portolan_core::World::find_paths) does on the CPU.
//! [`GpuWorld::crowd`] keeps the positions of agents on the device and returns only their next waypoints. After a world has changed,
//! [`GpuWorld::update`] writes only what differs.
//!
//! | engine | kernel |
//! |---|---|
//! | `astar` | one A* per agent: the baseline |
//! | `hna` | HNA* with the connect step in parallel: one A* per agent and inter-edge of its start's and its goal's node, and then one A* over inter-edges per agent |
//! | `pccp` | HNA* that reads connecting paths from tables |
//! | `contraction:fast` | the query of the contraction hierarchy, which has no open list |
//! | `labels` | first portals and first waypoints, from arrays of costs by depth, without an open list or a tree |
//!
//! Agents are answered in slices that fit the limits of the device ([`SliceLimits`]). The memory of an agent is bounded; an
//! agent that needs more is answered by the CPU and counted ([`GpuReport::fallbacks`]). The device returns the vertices of each
//! path. The CPU checks them, sums the cost again in the order of its own sums, and computes waypoints. `labels` find no
//! path, so first portals and first waypoints are what the device computed. Where several paths cost the same up to rounding, it
//! searches the contraction instead.
//!
//! ```no_run
//! use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
//! use portolan_core::{Engine, Tier};
//! # fn example(world: &portolan_core::World, queries: &[[glam::Vec3; 2]]) -> Result<(), Box<dyn std::error::Error>> {
//! let gpu = portolan_gpu::Gpu::new()?;
//! let device = gpu.upload(world, world.default_costs())?;
//! let options = BatchOptions { engine: Engine::Contraction(Tier::Fast), ..BatchOptions::new(Want::Waypoints) };
//! let mut answers = BatchAnswers::default();
//! let queries = BatchQueries::Points(queries);
//! match device.find_paths(queries, &options, &mut answers) {
//!     Ok(report) => println!("{}: {} fallbacks", gpu.name(), report.fallbacks),
//!     // The CPU can always answer.
//!     Err(_) => world.find_paths(queries, &options, &mut answers)?,
//! }
//! # Ok(()) }
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arrays;
mod contraction;
mod crowd;
mod device;
mod error;
#[cfg(feature = "estimate")]
mod estimate;
mod firsts;
mod kernels;
mod memory;
mod parts;
mod paths;
mod plan;
mod rows;
mod source;
mod table;
mod update;
mod world;

pub use crowd::Crowd;
pub use device::Gpu;
pub use error::GpuError;
#[cfg(feature = "estimate")]
pub use estimate::KernelCounts;
pub use kernels::Tables;
pub use update::GpuUpdate;
pub use world::{GpuReport, GpuWorld, SliceLimits};

#[cfg(test)]
mod kernels_test;
#[cfg(test)]
mod orientation_test;

/// The code of the page about graphics cards.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/gpu.md")]
struct GpuPage;
