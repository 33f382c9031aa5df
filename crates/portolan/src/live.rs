//! Worlds that change while they answer queries: doors, crates, mud, collapsing bridges.
//!
//! A [`LiveWorld`] takes batches of [`Change`]s and publishes a [`Snapshot`] after each, which is used like a
//! [`World`](crate::World). The page `docs/live.md` explains what is right at once and what is made good in the background.

pub use portolan_core::contraction::RepairWork;
pub use portolan_core::live::LiveBytes;
pub use portolan_core::{
    Change, ChangeError, Footprint, LiveOptions, LiveWorld, Obstacle, ObstacleId, Snapshot, Switch,
    Update,
};
pub use portolan_core::{
    IndexFailure, Indexer, ReplaceError, Replaced, Replacement, ReplacementError, Replacing,
};
pub use portolan_core::{LinkId, PolygonId, RawLink};
pub use portolan_index::indexer;
