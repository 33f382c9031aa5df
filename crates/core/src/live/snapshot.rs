//! One version of a world that changes.

use std::ops::Deref;
use std::sync::Arc;

use super::ground::Ground;
use crate::world::{Costs, World};

/// One version of a [`LiveWorld`](super::LiveWorld): a world that does not change, and the costs of the profiles that are
/// kept up to date. It is used like a [`World`].
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) world: World,
    /// The costs of every profile; the first is the default one.
    pub(super) costs: Arc<[Costs]>,
    pub(super) is_settled: bool,
    pub(super) ground: Ground,
    /// Tells worlds apart.
    pub(super) lineage: u64,
}

impl Snapshot {
    /// Returns the world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the version: the number of updates before this snapshot, including those that settled the world.
    pub fn version(&self) -> u64 {
        self.world.version()
    }

    /// Returns the costs of one of the [profiles](super::LiveOptions::profiles), by its index in that list.
    ///
    /// # Panics
    /// Panics if there is no such profile.
    pub fn costs(&self, profile: usize) -> &Costs {
        &self.costs[profile + 1]
    }

    /// Returns whether everything is up to date, and nothing waits for [`LiveWorld::settle`](super::LiveWorld::settle).
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }
}

impl Deref for Snapshot {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}
