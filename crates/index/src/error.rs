//! Why there is no partition, or no order.

use portolan_core::Samples;

/// Why [`partition`](crate::partition()) or [`order`](crate::order()) gives none, or
/// [`add_tier`](crate::add_tier()) no tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionFailure {
    /// An option is beyond its limits.
    #[error("{name} = {value}: it takes {least} to {most}")]
    Option {
        /// The field of [`PartitionOptions`](crate::PartitionOptions) or
        /// [`OrderOptions`](crate::OrderOptions).
        name: &'static str,
        /// What it was set to.
        value: u32,
        /// The least it can be set to.
        least: u32,
        /// The most it can be set to.
        most: u32,
    },
    /// Samples that no graph of the mesh can have.
    #[error("{0}: there can be 1 to 64 samples each, p1 to p100, and 2^30 of them in all")]
    Samples(Samples),
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
    /// The watcher said so.
    #[error("stopped")]
    Stopped,
}
