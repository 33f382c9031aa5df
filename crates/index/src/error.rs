//! The error type of this crate.

use portolan_core::WorldError;
use portolan_core::contraction::LabelsError;

/// The reason why [`build`](crate::build()), [`partition`](crate::partition()) or [`order`](crate::order())
/// failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// An option is outside its limits.
    #[error("{name} = {value}: it must be from {min} to {max}")]
    Option {
        /// The field of [`PartitionOptions`](crate::PartitionOptions) or
        /// [`OrderOptions`](crate::OrderOptions).
        name: &'static str,
        /// The rejected value.
        value: u32,
        /// The minimum value.
        min: u32,
        /// The maximum value.
        max: u32,
    },
    /// The feature `metis` is needed, and this program was compiled without it.
    #[error("{0} needs METIS: turn on the feature `metis` of portolan-index")]
    NoMetis(&'static str),
    /// METIS counts with 32 bits, which is not enough for this graph.
    #[error("{count} {what} are more than METIS can process: split the mesh")]
    TooLarge {
        /// The kind of element.
        what: &'static str,
        /// The number of them.
        count: usize,
    },
    /// METIS failed.
    #[error("METIS cannot cut {nodes} nodes into {parts} parts: {reason}")]
    Metis {
        /// The number of nodes of the graph.
        nodes: usize,
        /// The requested number of parts.
        parts: usize,
        /// The message of METIS.
        reason: String,
    },
    /// The parts do not form a world: the samples do not fit the mesh, or the hierarchy would fill the
    /// memory.
    #[error(transparent)]
    World(WorldError),
    /// Hub labels cannot be built: the fast tier is missing, or they exceed the memory limit.
    #[error(transparent)]
    Labels(#[from] LabelsError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// The progress callback stopped the build.
    #[error("stopped")]
    Stopped,
}

impl From<WorldError> for IndexError {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Stopped => Self::Stopped,
            error => Self::World(error),
        }
    }
}
