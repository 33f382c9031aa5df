//! Why there is no index.

use portolan_core::WorldError;
use portolan_core::contraction::LabelsError;

/// Why [`build`](crate::build()), [`partition`](crate::partition()) or [`order`](crate::order()) fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// An option is beyond its limits.
    #[error("{name} = {value}: it takes {min} to {max}")]
    Option {
        /// The field of [`PartitionOptions`](crate::PartitionOptions) or
        /// [`OrderOptions`](crate::OrderOptions).
        name: &'static str,
        /// What it was set to.
        value: u32,
        /// The least it can be set to.
        min: u32,
        /// The most it can be set to.
        max: u32,
    },
    /// This program was compiled without METIS.
    #[error("{0} needs METIS: turn on the feature `metis` of portolan-index")]
    NoMetis(&'static str),
    /// METIS counts in 32 bits.
    #[error("{count} {what} are more than METIS can count")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// METIS gave up.
    #[error("METIS cannot cut {nodes} nodes into {parts} parts: {why}")]
    Metis {
        /// Nodes of the graph.
        nodes: usize,
        /// Parts that it was asked for.
        parts: usize,
        /// What METIS says.
        why: String,
    },
    /// The parts make no world: samples that no graph of the mesh can have, or a hierarchy that would fill
    /// the memory.
    #[error(transparent)]
    World(WorldError),
    /// There are no hub labels: no fast tier to make them of, or too many bytes.
    #[error(transparent)]
    Labels(#[from] LabelsError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// The watcher stopped it.
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
