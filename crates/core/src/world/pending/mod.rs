//! Queries that run for a part of a frame and continue in a later one.

mod anytime;
mod task;

pub use self::anytime::{Anytime, AnytimeProgress, Improvement};
use self::task::Task;
use super::{Query, Status, World};
use crate::path::Path;
use crate::query::{EngineError, Scratch, SearchPhase, Tier};
use crate::search::{Budget, Meter};

/// A query that runs within a [`Budget`] per frame and continues later. Its answer (status, cost, corridor and
/// waypoints) equals that of [`World::find_path`], however often it pauses.
///
/// A*, Dijkstra, HNA* and PCCP pause between two expansions. HNA* finds nodes and connections in one piece,
/// when it starts. All other engines run to their end as soon as the budget allows one expansion; most of them
/// take microseconds. With [`Limits::partial`](crate::Limits::partial), the search of A* for the nearest
/// reachable point can pause for every engine.
///
/// Use one value per query that is under way, and use it again for later queries: its buffers are as large as
/// those of a [`Scratch`], and once they have grown to the world, nothing is allocated.
///
/// ```
/// use portolan_core::{Budget, Engine, NavMeshOptions, Path, PendingSearch, Query, SearchProgress, Status};
/// use portolan_core::World;
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mut points = RandomPoints::new(world.mesh(), 7);
/// let (from, to) = (points.next().unwrap(), points.next().unwrap());
///
/// let (mut search, mut path) = (PendingSearch::new(), Path::default());
/// search.begin(&world, &Query { engine: Engine::AStar, ..Query::new(from, to) })?;
/// // In every frame:
/// while search.run(&world, Budget::expansions(50))? == SearchProgress::Running {}
/// assert_eq!(search.path(&world, &mut path), Ok(Status::Found));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PendingSearch {
    scratch: Scratch,
    task: Option<Task>,
    /// How far the search of the task has got. `None` if the task needs no search.
    phase: Option<SearchPhase>,
}

/// The progress of a [`PendingSearch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchProgress {
    /// The budget is spent, and the search has not ended.
    Running,
    /// The search has ended. [`PendingSearch::path`] returns the path.
    Done(Status),
}

/// The reason why a search cannot continue or has no path yet. The search itself does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The search began on another world, or before an index was added to this one.
    #[error("the world has changed since the search began: begin the search again on this world")]
    WorldChanged,
    /// No search was begun.
    #[error("no search has begun: call `begin` first")]
    NotBegun,
    /// The search has no path yet.
    #[error("the search is still running and has no path yet: run it again")]
    Running,
}

impl PendingSearch {
    /// Creates a search without a query. Its buffers grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a query: locates start and goal. A query that is still running is dropped. The costs of the query
    /// are kept, so they need not outlive this call.
    ///
    /// # Errors
    /// Fails if the world cannot answer the query, as [`World::find_path`] does. Then no query is under way.
    pub fn begin(
        &mut self,
        world: &World,
        query: &Query<'_>,
    ) -> Result<SearchProgress, EngineError> {
        (self.task, self.phase) = (None, None);
        let task = self.task.insert(Task::new(world, query)?);
        self.phase = task.search.map(|(engine, _)| SearchPhase::new(engine));
        Ok(self.progress())
    }

    /// Continues the query until the budget is spent or the search has ended. With a budget of 0 expansions
    /// nothing happens.
    ///
    /// # Errors
    /// Fails with [`ResumeError::WorldChanged`] if this is not the world on which the query began, or a clone
    /// of it. The search does not change then: it can continue on its own world.
    pub fn run(&mut self, world: &World, budget: Budget) -> Result<SearchProgress, ResumeError> {
        let task = self.task.as_mut().ok_or(ResumeError::NotBegun)?;
        task.check(world)?;
        let mut meter = Meter::new(budget);
        while task.answer.is_none() && budget.expansions > 0 {
            let (Some(search), Some(phase)) = (task.input(world), &mut self.phase) else {
                break;
            };
            let Some(outcome) = search.resume(phase, &mut meter, &mut self.scratch) else {
                break;
            };
            if !task.finish(world, outcome) {
                self.phase = task.search.map(|(engine, _)| SearchPhase::new(engine));
            }
        }
        Ok(self.progress())
    }

    /// Writes the path to `path` after the search has ended. It is empty unless the status
    /// [has a path](Status::has_path).
    ///
    /// # Errors
    /// Fails if the search is still running, or if this is not the world on which it began. `path` is empty
    /// then.
    pub fn path(&mut self, world: &World, path: &mut Path) -> Result<Status, ResumeError> {
        path.clear();
        let task = self.task.as_ref().ok_or(ResumeError::NotBegun)?;
        task.check(world)?;
        let answer = task.answer.ok_or(ResumeError::Running)?;
        Ok(task.waypoints(world, answer, &mut self.scratch, path))
    }

    /// Writes the best path so far to `path`, also while the search is running, for an agent that cannot wait.
    /// The search can continue afterwards.
    ///
    /// The status is [`Found`](Status::Found) if a path to the goal is known, which may not be the cheapest
    /// yet. Otherwise it is [`Partial`](Status::Partial) if the query wants partial paths: the path then leads
    /// to the point nearest to the goal, in a straight line, that the search has reached. Otherwise it is
    /// [`NoPath`](Status::NoPath). After the search has ended this is [`path`](Self::path).
    ///
    /// # Errors
    /// Fails if no search was begun, or if this is not the world on which it began. `path` is empty then.
    pub fn best_so_far(&mut self, world: &World, path: &mut Path) -> Result<Status, ResumeError> {
        path.clear();
        let task = self.task.as_ref().ok_or(ResumeError::NotBegun)?;
        task.check(world)?;
        let answer = match (task.answer, task.fast_input(world), &self.phase) {
            (Some(answer), ..) => answer,
            (None, Some(search), Some(phase)) => {
                let outcome = search.best_so_far(phase, &mut self.scratch);
                (Tier::Fast, Ok(outcome))
            }
            _ => return Err(ResumeError::Running),
        };
        Ok(task.waypoints(world, answer, &mut self.scratch, path))
    }

    /// Returns whether the query that is under way was begun on this world or a clone of it, so that it can continue here. In a world
    /// that [changes](crate::live), a query can always continue on the snapshot on which it was begun; its path
    /// then has the [version](crate::Path::version) of that snapshot. Returns false if no query was begun.
    pub fn is_current(&self, world: &World) -> bool {
        let task = self.task.as_ref();
        task.is_some_and(|task| task.check(world).is_ok())
    }

    /// Returns the [version](World::version) of the world on which the query was begun; `None` if none was.
    pub fn version(&self) -> Option<u64> {
        self.task.as_ref().map(|task| task.version)
    }

    /// Returns whether the search has ended, or has nothing to do.
    pub fn is_done(&self) -> bool {
        self.task.as_ref().is_none_or(|task| task.answer.is_some())
    }

    fn progress(&self) -> SearchProgress {
        let task = self.task.as_ref();
        let done = task.and_then(|task| Some(task.status(task.answer?.1)));
        done.map_or(SearchProgress::Running, SearchProgress::Done)
    }
}
