//! A query that outlives the borrow of its world: everything that is needed to continue it in another frame.

use super::ResumeError;
use crate::path::Path;
use crate::query::{Engine, EngineError, Outcome, Scratch, Search, Tier};
use crate::world::{Costs, Endpoints, Located, Query, Searched, Status, World};

/// A query between two calls. It owns a copy of the costs, which share their large parts with the original,
/// so copying allocates nothing.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The query. Its costs are `costs`.
    query: Query<'static>,
    costs: Costs,
    /// The id of the world, and its version.
    world: u64,
    pub(super) version: u64,
    /// The engine after [`World::resolve_engine`].
    engine: Engine,
    endpoints: Result<Endpoints, Status>,
    is_goal_moved: bool,
    /// The engine that searches now, and between which points; `None` if nothing has to be searched.
    pub(super) search: Option<(Engine, Endpoints)>,
    /// The path that is known, and the tier that its trail refers to.
    pub(super) answer: Option<(Tier, Result<Outcome, Status>)>,
}

impl Task {
    /// Locates start and goal. The answer is set if no search is needed.
    pub(super) fn new(world: &World, query: &Query<'_>) -> Result<Self, EngineError> {
        let located = world.locate(query)?;
        let mut search = located.endpoints.map(|endpoints| located.plan(endpoints));
        if world.mesh.has_obstacles()
            && let Ok(Some((engine @ (Engine::Auto(_) | Engine::Contraction(_)), _))) = &mut search
        {
            // The contraction does not stand alone on a world with obstacles.
            *engine = Engine::AStar;
        }
        let answer = match search {
            Ok(Some(_)) => None,
            Ok(None) => Some(Ok(Outcome::NoPath)),
            Err(status) => Some(Err(status)),
        };
        Ok(Self {
            query: Query {
                costs: None,
                ..*query
            },
            costs: located.costs.clone(),
            world: world.id,
            version: world.version,
            engine: located.engine,
            endpoints: located.endpoints,
            is_goal_moved: located.is_goal_moved,
            search: search.ok().flatten(),
            answer: answer.map(|answer| (Tier::Fast, answer)),
        })
    }

    /// Checks that this is the world on which the query began.
    pub(super) fn check(&self, world: &World) -> Result<(), ResumeError> {
        match self.world == world.id {
            true => Ok(()),
            false => Err(ResumeError::WorldChanged),
        }
    }

    fn located<'a>(&'a self, world: &'a World) -> Located<'a> {
        Located {
            world,
            query: self.query,
            costs: &self.costs,
            engine: self.engine,
            endpoints: self.endpoints,
            is_goal_moved: self.is_goal_moved,
        }
    }

    /// Returns the input of the search that runs now.
    pub(super) fn input<'a>(&'a self, world: &'a World) -> Option<Search<'a>> {
        let (engine, endpoints) = self.search?;
        Some(self.located(world).engine_search(engine, endpoints))
    }

    /// Returns the same input on the graph of the fast tier, which all engines search that can pause. An
    /// engine of another tier has reached nothing but the start until it ends.
    pub(super) fn fast_input<'a>(&'a self, world: &'a World) -> Option<Search<'a>> {
        let (engine, endpoints) = self.search?;
        let engine = match engine.tier() {
            Tier::Fast => engine,
            _ => Engine::AStar,
        };
        Some(self.located(world).engine_search(engine, endpoints))
    }

    /// Receives the outcome of the search that ran. Returns `false` if A* has to search for a partial path.
    pub(super) fn finish(&mut self, world: &World, outcome: Outcome) -> bool {
        let Some((engine, endpoints)) = self.search else {
            return true;
        };
        if self.located(world).needs_partial(engine, outcome) {
            self.search = Some((Engine::AStar, endpoints));
            return false;
        }
        self.answer = Some((engine.tier(), Ok(outcome)));
        true
    }

    /// Returns the status of an answer.
    pub(super) fn status(&self, outcome: Result<Outcome, Status>) -> Status {
        match outcome {
            Ok(Outcome::Found { .. }) if self.is_goal_moved => Status::Partial,
            Ok(Outcome::Found { .. }) => Status::Found,
            Ok(Outcome::Partial { .. }) => Status::Partial,
            Ok(Outcome::NoPath) => Status::NoPath,
            Err(status) => status,
        }
    }

    /// Writes the corridor and the waypoints of an answer to `path`. Its trail must be in the scratch.
    pub(super) fn waypoints(
        &self,
        world: &World,
        (tier, outcome): (Tier, Result<Outcome, Status>),
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Status {
        let searched = Searched {
            located: self.located(world),
            scratch,
            tier,
            outcome,
        };
        searched.waypoints(path)
    }
}
