//! What can go wrong on a device.

use portolan_core::{Engine, EngineError};

/// The reason why a device cannot answer. Every variant can be answered on the CPU instead, by
/// [`World::find_paths`](portolan_core::World::find_paths) with the same options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter that can run compute kernels.
    #[error("no graphics adapter was found: install a Vulkan, Metal or DirectX 12 driver")]
    NoAdapter {
        /// What the drivers say.
        reason: String,
    },
    /// The adapter does not give access to a device.
    #[error("the graphics adapter '{adapter}' cannot be used: {reason}")]
    NoDevice {
        /// The name of the adapter.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// The device was lost, or ran out of memory, while it was working.
    #[error("the graphics adapter '{adapter}' failed: {reason}")]
    Failed {
        /// The name of the adapter.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// No kernel implements the engine.
    #[error(
        "{0} does not run on a graphics card: use astar, hna, pccp, contraction:fast or labels"
    )]
    NoKernel(Engine),
    /// An array of the world does not fit into one binding of the device.
    #[error(
        "the {part} takes {bytes} bytes, and this device binds at most {limit}: use another engine"
    )]
    TooLarge {
        /// What does not fit.
        part: &'static str,
        /// Its size. [Units: bytes]
        bytes: u64,
        /// The limit of the device. [Units: bytes]
        limit: u64,
    },
    /// A batch asks with the costs of another profile, world or version than those on the device, or a crowd walks in a world that
    /// is not a version of its own.
    #[error(
        "the device has another profile, world or version: call `GpuWorld::update` or `Gpu::upload`"
    )]
    ForeignWorld,
    /// The levels of the hierarchy wait on the device until the world is settled.
    #[error(
        "{0} waits until the world is settled: answer on the CPU, or call `LiveWorld::settle` and `GpuWorld::update`"
    )]
    Unsettled(Engine),
    /// There are obstacles, which kernels do not know.
    #[error(
        "there are obstacles, which the kernels do not know: answer on the CPU until they are removed"
    )]
    Obstacles,
    /// This world cannot answer with the engine at all.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
