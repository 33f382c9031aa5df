//! Replacing polygons: another shape of the ground is indexed in the background and swapped when it is ready.
//!
//! 1. The replacement is checked, at once ([`LiveWorld::replace`]).
//! 2. The new mesh is made and indexed, while the old world answers and changes.
//! 3. Costs are customized for the ground as it is then.
//! 4. What has changed since is repaired, and the new world is published. Only this step holds the lock of the writer.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::change::{Change, ChangeError, Switch};
use super::ground::Touched;
use super::indexer::{IndexFailure, Indexer};
use super::snapshot::Snapshot;
use super::writer::{LiveProfile, Writer, live_profiles, set_metrics};
use super::{LiveWorld, Shared, settle};
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{CheckedReplacement, NavMesh, Replacement, ReplacementError};
use crate::world::{ChangedMesh, Costs, Stage, World};

/// The reason why polygons were not replaced. The world is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The replacement is invalid.
    #[error(transparent)]
    Replacement(#[from] ReplacementError),
    /// Another replacement is not finished.
    #[error("another replacement is being indexed: wait for it, or put both into one")]
    Busy,
    /// The world has an index that cannot be made again.
    #[error(
        "this world has an index: set `LiveOptions::indexer`, for example to `portolan_index::indexer()`"
    )]
    NoIndexer,
    /// The index of the new mesh cannot be built.
    #[error("the index cannot be built again: {0}")]
    Index(String),
    /// The world was restored to a version from before an earlier replacement, so it has no longer the shape that the replacement
    /// was checked against.
    #[error("the world was restored to another shape in the meantime: replace again")]
    Restored,
    /// Links were added, before or in the meantime, and the world does not have its index again.
    #[error("links were added: settle the world, then replace again")]
    LinksAdded,
    /// [`Replacing::cancel`] was called, or the [`LiveWorld`] was dropped.
    #[error("cancelled")]
    Cancelled,
}

impl From<IndexFailure> for ReplaceError {
    fn from(failure: IndexFailure) -> Self {
        match failure {
            IndexFailure::Stopped => Self::Cancelled,
            IndexFailure::Failed(reason) => Self::Index(reason),
        }
    }
}

/// What a replacement did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Replaced {
    /// The version in which the new ground was published.
    pub version: u64,
    /// The id of each polygon of [`Replacement::add`]; `None` if it has no area.
    pub polygons: Vec<Option<PolygonId>>,
    /// The id of each link of [`Replacement::add`]; `None` if an end of it is off the mesh.
    pub links: Vec<Option<LinkId>>,
    /// The time to make the new mesh and its index, and to customize it.
    pub index_time: Duration,
    /// The time to repair what had changed in between and to publish the result. Updates waited for so long.
    pub publish_time: Duration,
}

/// A replacement that is being indexed. Dropping this value does not cancel it, except where
/// [`LiveOptions::background`](super::LiveOptions::background) is false: then nothing is done without [`wait`](Self::wait).
#[derive(Debug)]
#[must_use = "errors are returned by `wait`"]
pub struct Replacing {
    watch: Arc<Watch>,
    work: Work,
}

#[derive(Debug)]
enum Work {
    Thread(JoinHandle<Result<Replaced, ReplaceError>>),
    Waiting(Box<Job>),
}

/// How far the work is, and whether it goes on.
#[derive(Debug, Default)]
struct Watch {
    is_cancelled: AtomicBool,
    is_done: AtomicBool,
    /// The index of a stage, and the bits of an `f32`.
    stage: AtomicU32,
    fraction: AtomicU32,
}

impl Replacing {
    /// Returns the stage of the index that has last reported progress, and the fraction of it that is done. Stages that run
    /// at the same time take turns.
    pub fn progress(&self) -> (Stage, f32) {
        let stage = self.watch.stage.load(Ordering::Relaxed) as usize;
        let fraction = f32::from_bits(self.watch.fraction.load(Ordering::Relaxed));
        (Stage::ALL[stage], fraction)
    }

    /// Returns whether there is a result.
    pub fn is_done(&self) -> bool {
        self.watch.is_done.load(Ordering::Acquire)
    }

    /// Stops the work as soon as possible. If it is done already, this has no effect.
    pub fn cancel(&self) {
        self.watch.is_cancelled.store(true, Ordering::Release);
    }

    /// Waits for the result. With [`LiveOptions::background`](super::LiveOptions::background) set to false, this does the
    /// work, with the threads of the current pool.
    ///
    /// # Errors
    /// Fails if the index cannot be built, or if the work was cancelled. The world is then as it was.
    pub fn wait(self) -> Result<Replaced, ReplaceError> {
        match self.work {
            Work::Thread(thread) => thread
                .join()
                .unwrap_or_else(|_| Err(ReplaceError::Index("the thread has panicked".into()))),
            Work::Waiting(job) => job.run(),
        }
    }
}

impl LiveWorld {
    /// Takes polygons out of the world and puts others in: a tile that was baked again, new ground, a hole. The replacement
    /// is checked at once; the index is then made again in the background, on all cores but two. Until it is ready,
    /// the world stays as it was and can be updated as usual; these updates hold in the new world, too.
    ///
    /// Polygons and links that stay keep their ids. New ones get ids that were never used before. The ids of polygons that were taken out,
    /// and of links that ended on them, are gone: a change that names one is an error, and paths that lead over one
    /// are [out of date](crate::Path::is_current).
    ///
    /// An id that is gone takes memory as long as the world is used: build a new one after hundreds of thousands of them.
    ///
    /// # Errors
    /// Fails if the replacement is invalid (overlaps other polygons, names an unknown polygon, ...), if another one is not
    /// finished, or if the world has an index and [`LiveOptions::indexer`](super::LiveOptions::indexer) is not set.
    pub fn replace(&self, replacement: &Replacement) -> Result<Replacing, ReplaceError> {
        let is_busy = self.shared.is_replacing.swap(true, Ordering::AcqRel);
        if is_busy {
            return Err(ReplaceError::Busy);
        }
        let turn = Turn(Arc::clone(&self.shared));
        let base = self.shared.current.load_full();
        if self.shared.writer().indexed.is_some() {
            return Err(ReplaceError::LinksAdded);
        }
        if !self.indexer.is_enough_for(&base.world) {
            return Err(ReplaceError::NoIndexer);
        }
        let checked = base.world.mesh().check_replacement(replacement)?;
        let watch = Arc::new(Watch::default());
        let job = Box::new(Job {
            turn,
            base,
            checked,
            indexer: self.indexer.clone(),
            is_background: self.background,
            watch: Arc::clone(&watch),
        });
        let work = match self.background {
            true => Work::Thread(job.spawn()?),
            false => Work::Waiting(job),
        };
        Ok(Replacing { watch, work })
    }
}

/// The right to replace, which one replacement has at a time.
#[derive(Debug)]
struct Turn(Arc<Shared>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.writer().since_customized = None;
        self.0.is_replacing.store(false, Ordering::Release);
    }
}

/// A replacement that was checked against a snapshot.
#[derive(Debug)]
struct Job {
    turn: Turn,
    base: Arc<Snapshot>,
    checked: CheckedReplacement,
    indexer: Indexer,
    is_background: bool,
    watch: Arc<Watch>,
}

/// A new world that is ready to be published.
struct Ready {
    /// Its mesh, with the ground that it had when it was made, and without obstacles.
    mesh: NavMesh,
    topology_before: u64,
    links_before: usize,
    profiles: Vec<LiveProfile>,
    world: World,
    costs: Vec<Costs>,
}

/// The snapshot and the costs that were current before a swap.
type Retired = (Arc<Snapshot>, Vec<LiveProfile>);

impl Job {
    /// Starts a thread that does the work with all cores but two: one for readers, and one for settling.
    fn spawn(self: Box<Self>) -> Result<JoinHandle<Result<Replaced, ReplaceError>>, ReplaceError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let work = move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.saturating_sub(2).max(1));
            match pool.build() {
                Ok(pool) => pool.install(|| self.run()),
                Err(_) => self.run(),
            }
        };
        std::thread::Builder::new()
            .name("portolan-replace".into())
            .spawn(work)
            .map_err(|error| ReplaceError::Index(error.to_string()))
    }

    fn run(self: Box<Self>) -> Result<Replaced, ReplaceError> {
        let result = self.index_and_publish();
        let watch = Arc::clone(&self.watch);
        // The next replacement can begin as soon as this one says that it is done.
        drop(self);
        watch.is_done.store(true, Ordering::Release);
        result
    }

    fn index_and_publish(&self) -> Result<Replaced, ReplaceError> {
        let start = Instant::now();
        let shared = &self.turn.0;
        // 1. Mesh and index, without the changes of the ground.
        let before = &self.base.world;
        let (mesh, links) = before.mesh().replaced(&self.checked, before.version() + 1);
        let topology = mesh.topology();
        self.go_on()?;
        let progress = |stage: Stage, fraction: f32| {
            self.watch.stage.store(stage as u32, Ordering::Relaxed);
            let bits = fraction.to_bits();
            self.watch.fraction.store(bits, Ordering::Relaxed);
            match self.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let indexed = self.indexer.build(mesh, before, &progress)?;
        if indexed.mesh().topology() != topology {
            let reason = "the indexer has returned a world on another mesh";
            return Err(ReplaceError::Index(reason.into()));
        }
        self.go_on()?;

        // 2. The costs of every profile, for the ground as it is now.
        let snapshot = shared.writer().begin_swap(&shared.current);
        let ready = self.customize(indexed, &snapshot)?;
        let indexed = Instant::now();

        // 3. What has changed since.
        let (version, before) = shared.writer().swap(ready, &shared.current)?;
        let publish_time = indexed.elapsed();
        // This frees the memory of the world before, unless readers hold it, and nobody has to wait for that.
        drop(before);
        let is_settled = shared.current.load().is_settled();
        if self.is_background && !is_settled && !shared.is_settling.swap(true, Ordering::AcqRel) {
            settle::spawn(shared);
        }
        Ok(Replaced {
            version,
            polygons: self.checked.new_ids(),
            links,
            index_time: indexed - start,
            publish_time,
        })
    }

    fn customize(&self, indexed: World, snapshot: &Snapshot) -> Result<Ready, ReplaceError> {
        let before = &snapshot.world;
        let topology_before = self.base.world.mesh().topology();
        if before.mesh().topology() != topology_before {
            return Err(ReplaceError::Restored);
        }
        if before.mesh().links().len() != self.base.world.mesh().links().len() {
            return Err(ReplaceError::LinksAdded);
        }
        let version = before.version();
        let link_cost = |link| snapshot.ground.link_cost(link);
        let mesh = indexed
            .mesh()
            .with_ground_of(before.mesh(), link_cost, version + 1);
        let world = indexed
            .with_exact_tier_of(before)
            .restored(mesh.clone(), version);
        let mut profiles = live_profiles(&world, &snapshot.costs);
        self.go_on()?;
        let changed = profiles.iter().map(LiveProfile::costs);
        let (world, costs) = world.with_changed_costs(mesh.clone(), version, changed);
        let mut completed = Vec::with_capacity(costs.len());
        for costs in costs {
            completed.push(world.completed(costs));
            self.go_on()?;
        }
        set_metrics(&mut profiles, &world, &completed);
        Ok(Ready {
            mesh,
            topology_before,
            links_before: before.mesh().links().len(),
            profiles,
            world: world.with_default_costs(completed[0].clone()),
            costs: completed,
        })
    }

    fn is_stopped(&self) -> bool {
        self.watch.is_cancelled.load(Ordering::Acquire)
            || self.turn.0.is_closed.load(Ordering::Acquire)
    }

    fn go_on(&self) -> Result<(), ReplaceError> {
        match self.is_stopped() {
            true => Err(ReplaceError::Cancelled),
            false => Ok(()),
        }
    }
}

impl Writer {
    /// Returns the current snapshot, and notes what is touched from now on.
    fn begin_swap(&mut self, current: &ArcSwap<Snapshot>) -> Arc<Snapshot> {
        self.since_customized = Some(Touched::default());
        current.load_full()
    }

    /// Publishes a world of another shape, after what has changed since it was customized. Returns its version, and what is
    /// not needed any more.
    fn swap(
        &mut self,
        ready: Ready,
        current: &ArcSwap<Snapshot>,
    ) -> Result<(u64, Retired), ReplaceError> {
        let old = current.load_full();
        if old.world.mesh().topology() != ready.topology_before {
            return Err(ReplaceError::Restored);
        }
        if old.world.mesh().links().len() != ready.links_before {
            return Err(ReplaceError::LinksAdded);
        }
        self.version += 1;
        let link_cost = |link| self.ground.link_cost(link);
        let mesh = ready
            .mesh
            .with_ground_of(old.world.mesh(), link_cost, self.version);
        self.ground = self.ground.extended(&mesh);
        // Obstacles are placed again: the world was customized without them.
        let mut touched = self.ground.under_obstacles();
        if let Some(since) = self.since_customized.take() {
            touched.polygons.extend(since.polygons);
            touched.links.extend(since.links);
        }
        touched.normalize();
        touched.polygons.retain(|&polygon| !mesh.is_gone(polygon));
        touched.links.retain(|&link| !mesh.is_link_gone(link));
        let (mesh, relisted) = self.ground.cut(mesh, &touched);
        self.is_settled = touched.is_empty();
        let profiles = std::mem::replace(&mut self.profiles, ready.profiles);
        for profile in &mut self.profiles {
            profile.repair(&ready.world, &mesh, &touched);
        }
        let (world, costs) = match self.is_settled {
            true => (ready.world.restored(mesh, self.version), ready.costs),
            false => {
                let changed = self.profiles.iter().map(LiveProfile::costs);
                let mesh = ChangedMesh { mesh, relisted };
                ready.world.next_version(mesh, self.version, changed)
            }
        };
        let snapshot = Snapshot {
            world,
            costs: costs.into(),
            is_settled: self.is_settled,
            ground: self.ground.clone(),
            lineage: self.lineage,
        };
        self.publish(current, snapshot);
        self.since_settled = touched;
        Ok((self.version, (old, profiles)))
    }
}

/// Fails if a change names a polygon or link that is gone. `switch` has the elements of a named switch.
pub(super) fn check_present(
    mesh: &NavMesh,
    index: usize,
    change: &Change,
    switch: &Switch,
) -> Result<(), ChangeError> {
    let polygon = |polygon: PolygonId| match mesh.is_gone(polygon) {
        true => Err(ChangeError::Gone {
            change: index,
            polygon: polygon.0,
        }),
        false => Ok(()),
    };
    let link = |link: LinkId| match mesh.is_link_gone(link) {
        true => Err(ChangeError::LinkGone {
            change: index,
            link: link.0,
        }),
        false => Ok(()),
    };
    match *change {
        Change::Block(id)
        | Change::Unblock(id)
        | Change::Area(id, _)
        | Change::Flags(id, _)
        | Change::Factor(id, _) => polygon(id),
        Change::CloseLink(id) | Change::OpenLink(id) | Change::RemoveLink(id) => link(id),
        Change::Close(_) | Change::Open(_) => {
            switch.polygons.iter().try_for_each(|&id| polygon(id))?;
            switch.links.iter().try_for_each(|&id| link(id))
        }
        Change::Place(..) | Change::Remove(_) | Change::AddLink(_) => Ok(()),
    }
}
