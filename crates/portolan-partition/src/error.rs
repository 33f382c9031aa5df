//! Why there is no partition, or no order.

/// Why [`partition`](crate::partition()) or [`order`](crate::order()) gives none.
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
