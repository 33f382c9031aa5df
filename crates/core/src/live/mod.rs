//! A world that changes while it answers queries: doors, crates, mud and collapsing bridges.
//!
//! One writer applies batches of [`Change`]s, and any number of readers take [`Snapshot`]s. A snapshot is an immutable
//! [`World`]: it answers queries as every world does, and never changes. Every path carries the version of the world
//! that found it.
//!
//! ```
//! use portolan_core::{Change, LiveWorld, NavMeshOptions, RawNavMesh, World};
//! # let mut raw = RawNavMesh::default();
//! # raw.vertices = [[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [12.0, 0.0], [0.0, 4.0], [4.0, 4.0], [8.0, 4.0], [12.0, 4.0]]
//! #     .map(|[x, z]| glam::vec3(x, 0.0, z))
//! #     .to_vec();
//! # for i in 0..3 {
//! #     raw.polygons.push([i, i + 1, i + 5, i + 4]);
//! # }
//! // Three rooms in a row.
//! let live = LiveWorld::new(World::build(raw, &NavMeshOptions::default())?);
//! let before = live.snapshot();
//! let path = before.world().find([1.0, 0.0, 2.0], [11.0, 0.0, 2.0]).unwrap();
//!
//! let room = path.corridor.polygons[1];
//! live.update(&[Change::Block(room)])?;
//! let after = live.snapshot();
//! assert!(after.world().find([1.0, 0.0, 2.0], [11.0, 0.0, 2.0]).is_err());
//! assert!(!path.is_current(after.world()));
//! // The old snapshot still has the room.
//! assert!(before.world().find([1.0, 0.0, 2.0], [11.0, 0.0, 2.0]).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is right at once
//! A*, Dijkstra, `closest`, and the contraction at every tier are right with the snapshot that follows an update: prices are
//! part of the mesh, and the contraction is [repaired](crate::contraction::RepairWork). `auto` uses only these. Shortcuts of a taut
//! tier whose path has changed cost the sum of their halves until the world is [settled](LiveWorld::settle). HNA* and PCCP are
//! right, too: the paths through a node that a change has touched are computed again by the first query that needs
//! them, and its connect table is replaced by a search inside the node until the world is settled. Hub labels and the graph of the
//! exact tier are left out of the snapshot, so these engines fail with an error until then. Labels of batches, fields, and the reachable
//! ground of probes are computed when they are first asked for.
//!
//! A link that is [added](Change::AddLink) is in the graph at once, and in the index once the world is settled. Until then
//! the world has no index: A* answers, and engines that need an index fail with an error.
//!
//! # Readers never wait
//! A snapshot is one atomic pointer (`arc-swap`). [`LiveWorld::snapshot`] loads it, and an update stores a new one when
//! the new world is complete, so no reader sees a part of an update. A reader keeps the world of its snapshot alive, and
//! nothing else: the writer never waits for it.

mod change;
mod ground;
mod indexer;
mod links;
mod obstacle;
mod replace;
mod settle;
mod snapshot;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

pub use self::change::{Change, ChangeError, Switch};
pub use self::indexer::{IndexFailure, Indexer};
pub use self::obstacle::{Footprint, Obstacle, ObstacleId};
pub use self::replace::{ReplaceError, Replaced, Replacing};
pub use self::snapshot::Snapshot;
pub use self::writer::{LiveBytes, Update};

use self::obstacle::Agent;
use self::writer::Writer;
use crate::profile::Profile;
use crate::world::World;

/// Options of a [`LiveWorld`].
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// The profiles whose costs are kept up to date, in addition to the default profile of the world. [Default: none]
    pub profiles: Vec<Profile>,
    /// Whether the world is settled by a thread in the background after an update. [Default: true] It uses one core.
    /// When it is done depends on the clock, and with it which of two paths of nearly the same length a taut tier finds.
    /// For answers that depend on the list of changes only, pass false and call [`settle`](LiveWorld::settle).
    pub background: bool,
    /// The distance that agents keep from obstacles. [Units: m] [Default: 0.6, the agent radius of `portolan bake`]
    pub agent_radius: f32,
    /// The height of agents, who do not fit under lower obstacles. [Units: m] [Default: 2, that of `portolan bake`]
    pub agent_height: f32,
    /// What makes the index again after [`LiveWorld::replace`]. [Default: none, which is enough for worlds without an index]
    pub indexer: Indexer,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            profiles: Vec::new(),
            background: true,
            agent_radius: 0.6,
            agent_height: 2.0,
            indexer: Indexer::none(),
        }
    }
}

/// A world that changes at run time. See the [module](self).
#[derive(Debug)]
pub struct LiveWorld {
    shared: Arc<Shared>,
    background: bool,
    indexer: Indexer,
}

/// What the writer, the readers and the thread in the background share.
#[derive(Debug)]
struct Shared {
    current: ArcSwap<Snapshot>,
    writer: Mutex<Writer>,
    /// Whether a thread is settling the world.
    is_settling: AtomicBool,
    /// Whether polygons are being replaced.
    is_replacing: AtomicBool,
    /// Set when the [`LiveWorld`] is dropped.
    is_closed: AtomicBool,
}

impl Shared {
    fn writer(&self) -> MutexGuard<'_, Writer> {
        // An update that panics publishes nothing, and the writer may be half updated. Nobody can use it then.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveWorld {
    /// Makes a world changeable, with the default options. This customizes every tier of the contraction once more.
    pub fn new(world: World) -> Self {
        Self::with_options(world, LiveOptions::default())
    }

    /// Makes a world changeable. This customizes every tier of the contraction for every profile.
    pub fn with_options(world: World, options: LiveOptions) -> Self {
        let agent = Agent {
            radius: options.agent_radius,
            height: options.agent_height,
        };
        let (writer, snapshot) = Writer::new(world, options.profiles, agent);
        let shared = Shared {
            current: ArcSwap::from_pointee(snapshot),
            writer: Mutex::new(writer),
            is_settling: AtomicBool::new(false),
            is_replacing: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        };
        Self {
            shared: Arc::new(shared),
            background: options.background,
            indexer: options.indexer,
        }
    }

    /// Returns the current version of the world. It never waits for an update.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.current.load_full()
    }

    /// Gives polygons and links a name, by which [`Change::Close`] and [`Change::Open`] close and open them.
    ///
    /// # Errors
    /// Fails if a polygon or a link does not exist or is gone.
    pub fn define(&self, name: impl Into<String>, switch: Switch) -> Result<(), ChangeError> {
        let mut writer = self.shared.writer();
        let mesh = self.shared.current.load_full();
        writer.define(name.into(), switch, mesh.mesh())
    }

    /// Makes changes, in order, and publishes the world that results. Readers see all of them or none.
    ///
    /// # Errors
    /// Fails if a change names a polygon, link or switch that does not exist or is gone, has a factor out of its limits, or adds a
    /// link whose ends are off the mesh. Then no change is made.
    pub fn update(&self, changes: &[Change]) -> Result<Update, ChangeError> {
        let update = self.shared.writer().update(changes, &self.shared.current)?;
        self.settle_in_background();
        Ok(update)
    }

    /// Goes back to the ground of an earlier snapshot and publishes the world of that snapshot again, under a new version.
    /// It gives the same answers, bit by bit.
    ///
    /// # Errors
    /// Fails if the snapshot is not of this world, if a link was added since, or if polygons were [replaced](Self::replace)
    /// since: ids that are gone would come back, and ids that were added would be gone.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<Update, ChangeError> {
        let update = self
            .shared
            .writer()
            .restore(snapshot, &self.shared.current)?;
        self.settle_in_background();
        Ok(update)
    }

    /// Makes everything as if the world had been built with its present ground: taut tiers are customized again,
    /// HNA* and PCCP get new tables, and the exact tier its costs. Returns when the result is published. Updates
    /// by other threads may come in between; they are repaired in what is published.
    pub fn settle(&self) {
        settle::settle(&self.shared);
    }

    /// Returns whether everything is up to date: nothing has changed since the world was last settled.
    pub fn is_settled(&self) -> bool {
        self.shared.current.load().is_settled()
    }

    /// Returns the memory that updates need. [Units: bytes]
    pub fn bytes(&self) -> LiveBytes {
        self.shared.writer().bytes()
    }

    fn settle_in_background(&self) {
        if self.background && !self.shared.is_settling.swap(true, Ordering::AcqRel) {
            settle::spawn(&self.shared);
        }
    }
}

impl Drop for LiveWorld {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::Release);
    }
}
