//! Queries with a first path soon and better ones later.

use super::task::Task;
use super::{ResumeError, SearchProgress};
use crate::path::Path;
use crate::query::{AnytimeSearch, EngineError, Found, Outcome, Scratch};
use crate::search::{Budget, Meter};
use crate::world::{Query, Status, World};

/// The largest useful bound on the excess of the first path: beyond it, the search does not get faster.
const MAX_FIRST_BOUND: f32 = 100.0;

/// A query with a first path soon, and better ones until the cheapest: ARA* (Likhachev, Gordon and Thrun 2003)
/// on the portal graph with [`Engine::AStar`](crate::Engine::AStar), and on a level of the hierarchy with
/// [`Engine::Hna`](crate::Engine::Hna), for which Pelechano and Fuentes 2016 propose it. Each path has a bound
/// on its excess over the cheapest one.
///
/// Other engines answer with one path, whose bound is 1: no better one will follow. Contraction and labels find
/// it in microseconds.
///
/// Like a [`PendingSearch`](crate::PendingSearch), it owns its buffers, pauses within a [`Budget`], is meant to
/// be used again, and allocates nothing once it is warm.
///
/// ```
/// use portolan_core::{Anytime, AnytimeProgress, Budget, Engine, NavMeshOptions, Path, Query, Status, World};
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mut points = RandomPoints::new(world.mesh(), 7);
/// let (from, to) = (points.next().unwrap(), points.next().unwrap());
///
/// let (mut search, mut path) = (Anytime::new(), Path::default());
/// search.begin(&world, &Query { engine: Engine::AStar, ..Query::new(from, to) })?;
/// // The agent starts to walk along the first path; later paths may be cheaper.
/// while let AnytimeProgress::Better(better) = search.improve(&world, Budget::UNLIMITED)? {
///     println!("cost {}, at most {} times the optimum", better.cost, better.bound);
///     assert_eq!(search.path(&world, &mut path), Ok(Status::Found));
/// }
/// assert_eq!(search.bound(), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Anytime {
    scratch: Scratch,
    task: Option<Task>,
    search: AnytimeSearch,
    first_bound: f32,
    /// The bound of the path in the task's answer, if it leads to the goal.
    bound: Option<f32>,
    is_done: bool,
}

/// A better path of an [`Anytime`] query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Improvement {
    /// The cost of the path on the graph.
    pub cost: f32,
    /// The cost is at most this factor times the cost of the cheapest path on the graph, up to rounding. It
    /// decreases with every improvement. The last path has the bound 1: it is the cheapest.
    pub bound: f32,
}

/// The progress of an [`Anytime`] query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnytimeProgress {
    /// The budget is spent, and there is nothing new.
    Running,
    /// There is a better path, or a better bound on the same path. [`Anytime::path`] returns the path.
    Better(Improvement),
    /// The query has ended: the path is the best, or there is none to the goal.
    Done(Status),
}

impl Default for Anytime {
    fn default() -> Self {
        Self::new()
    }
}

impl Anytime {
    /// The default bound of the first path.
    pub const FIRST_BOUND: f32 = 3.0;

    /// Creates a search without a query. Its first path costs at most [`FIRST_BOUND`](Self::FIRST_BOUND) times
    /// the optimum.
    pub fn new() -> Self {
        Self::with_first_bound(Self::FIRST_BOUND)
    }

    /// Creates a search without a query whose first path costs at most `bound` times the optimum. [Limit: 1 to
    /// 100; values outside are clamped, and NaN is 1] A larger bound gives a first path earlier, and often a more expensive
    /// one.
    pub fn with_first_bound(bound: f32) -> Self {
        Self {
            scratch: Scratch::new(),
            task: None,
            search: AnytimeSearch::default(),
            first_bound: match bound.is_nan() {
                true => 1.0,
                false => bound.clamp(1.0, MAX_FIRST_BOUND),
            },
            bound: None,
            is_done: true,
        }
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
        (self.task, self.bound, self.is_done) = (None, None, true);
        let task = self.task.insert(Task::new(world, query)?);
        self.search.begin(self.first_bound);
        self.is_done = task.answer.is_some();
        Ok(match task.answer {
            Some((_, outcome)) => SearchProgress::Done(task.status(outcome)),
            None => SearchProgress::Running,
        })
    }

    /// Continues the query until there is a better path or the budget is spent. With a budget of 0 expansions
    /// nothing happens. The rest of the budget is lost if there is a better path: call this again to use the
    /// time until a deadline.
    ///
    /// # Errors
    /// Fails with [`ResumeError::WorldChanged`] if this is not the world on which the query began, or a clone
    /// of it. The search does not change then.
    pub fn improve(
        &mut self,
        world: &World,
        budget: Budget,
    ) -> Result<AnytimeProgress, ResumeError> {
        let task = self.task.as_mut().ok_or(ResumeError::NotBegun)?;
        task.check(world)?;
        let mut meter = Meter::new(budget);
        while !self.is_done && budget.expansions > 0 {
            let (Some((engine, _)), Some(search)) = (task.search, task.input(world)) else {
                break;
            };
            let found = search.improve(engine, &mut self.search, &mut meter, &mut self.scratch);
            match found {
                None => return Ok(AnytimeProgress::Running),
                Some(Found::Path { cost, bound }) => {
                    task.finish(world, Outcome::Found { cost });
                    self.bound = Some(bound);
                    self.is_done = bound == 1.0;
                    return Ok(AnytimeProgress::Better(Improvement { cost, bound }));
                }
                // A* searches for a partial path if the engine of another tier found no path.
                Some(Found::Nothing(outcome)) => match task.finish(world, outcome) {
                    true => self.is_done = true,
                    false => self.search.begin(1.0),
                },
            }
        }
        Ok(match task.answer {
            Some((_, outcome)) if self.is_done => AnytimeProgress::Done(task.status(outcome)),
            _ => AnytimeProgress::Running,
        })
    }

    /// Writes the best path so far to `path`: that of the last [`Improvement`]. The search can continue
    /// afterwards. `path` is empty unless the status [has a path](Status::has_path).
    ///
    /// # Errors
    /// Fails with [`ResumeError::Running`] if there is no path yet, and if this is not the world on which the
    /// query began. `path` is empty then.
    pub fn path(&mut self, world: &World, path: &mut Path) -> Result<Status, ResumeError> {
        path.clear();
        let task = self.task.as_ref().ok_or(ResumeError::NotBegun)?;
        task.check(world)?;
        let answer = task.answer.ok_or(ResumeError::Running)?;
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

    /// Returns the bound of the best path so far; `None` if there is no path to the goal yet.
    pub fn bound(&self) -> Option<f32> {
        self.bound
    }

    /// Returns whether there is nothing to improve: the path is the cheapest, or there is no path, or no query
    /// was begun.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}
