//! The steps of a query: locate, search, waypoints.
//!
//! Each step is a value that borrows the result of the step before. Calling the steps in the wrong order
//! does not compile, and the trail of one search cannot be mistaken for that of another.

use super::{Costs, Endpoints, Query, Status, World};
use crate::ids::Level;
use crate::navmesh::Location;
use crate::path::{Corridor, Path};
use crate::query::{
    AroundOutcome, Distance, Engine, EngineError, Observer, Outcome, Scratch, Search, Tier,
};

/// The result of step 1, [`World::locate`]: the start and the goal of a query on the mesh.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    pub(super) world: &'a World,
    pub(super) query: Query<'a>,
    pub(super) costs: &'a Costs,
    /// The engine after [`World::resolve_engine`].
    pub(super) engine: Engine,
    pub(super) endpoints: Result<Endpoints, Status>,
    /// Whether the goal of the query is off the mesh or closed, so that the path ends elsewhere.
    pub(super) is_goal_moved: bool,
}

/// The result of step 2, [`Located::search`]. The trail is in the scratch, which stays borrowed until
/// [`waypoints`](Self::waypoints) turns it into a path or this value is dropped.
#[derive(Debug)]
#[must_use = "the trail is lost unless `waypoints` turns it into a path"]
pub struct Searched<'a, 's> {
    pub(super) located: Located<'a>,
    pub(super) scratch: &'s mut Scratch,
    /// The tier of the graph that the trail refers to. It differs from the engine's tier if A* was used
    /// instead.
    pub(super) tier: Tier,
    pub(super) outcome: Result<Outcome, Status>,
}

impl World {
    /// Step 1 of a query: finds the polygons of start and goal.
    ///
    /// A point that is off the mesh is not an error: [`Located::endpoints`] returns its status.
    ///
    /// # Errors
    /// Fails if this world cannot answer the query: it lacks the engine, or the costs were built for
    /// another world.
    pub fn locate<'a>(&'a self, query: &Query<'a>) -> Result<Located<'a>, EngineError> {
        let mut located = self.prepare(query)?;
        let (endpoints, is_goal_moved) = self.locate_endpoints(query, located.costs);
        (located.endpoints, located.is_goal_moved) = (endpoints, is_goal_moved);
        Ok(located)
    }

    /// Step 1 of a query for a caller that knows the polygons of start and goal. The points of the query
    /// are ignored. The polygons must belong to this world and be open to the agent, and the points must
    /// lie on them.
    ///
    /// # Errors
    /// Fails if this world cannot answer the query, as [`locate`](Self::locate) does, and with [`EngineError::Gone`] if a
    /// polygon was replaced.
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    pub fn located<'a>(
        &'a self,
        query: &Query<'a>,
        endpoints: Endpoints,
    ) -> Result<Located<'a>, EngineError> {
        let mut located = self.prepare(query)?;
        for location in [endpoints.start, endpoints.goal] {
            assert!(
                self.mesh.has_polygon(location.polygon),
                "{:?} is not a polygon of this mesh",
                location.polygon
            );
            if self.mesh.is_gone(location.polygon) {
                return Err(EngineError::Gone(location.polygon));
            }
        }
        located.endpoints = Ok(endpoints);
        Ok(located)
    }

    /// Checks that this world can answer a query.
    fn prepare<'a>(&'a self, query: &Query<'a>) -> Result<Located<'a>, EngineError> {
        let costs = self.costs_of(query)?;
        self.check_engine(query.engine)?;
        let engine = self.resolve_engine_for(query.engine, costs);
        if engine == Engine::Auto(Tier::Exact)
            && let Some(Err(reason)) = costs.exact()
        {
            return Err(EngineError::NotExact {
                engine: query.engine,
                reason: *reason,
            });
        }
        let knows_obstacles = match engine {
            Engine::Auto(tier) => tier != Tier::Exact,
            Engine::AStar | Engine::Dijkstra | Engine::Closest | Engine::Contraction(_) => true,
            Engine::Labels | Engine::Hna { .. } | Engine::Pccp { .. } => false,
        };
        if self.mesh.has_obstacles() && !knows_obstacles {
            return Err(EngineError::Obstacles(query.engine));
        }
        if !costs.supports(engine) {
            return Err(EngineError::CostsLack(query.engine));
        }
        Ok(Located {
            world: self,
            query: *query,
            costs,
            engine,
            endpoints: Err(Status::NoPath),
            is_goal_moved: false,
        })
    }

    /// Finds start and goal on the mesh. The flag is [`Located::is_goal_moved`].
    fn locate_endpoints(
        &self,
        query: &Query<'_>,
        costs: &Costs,
    ) -> (Result<Endpoints, Status>, bool) {
        let allowed = |polygon| costs.prices().allows(&self.mesh, polygon);
        let Some(start) = self.mesh.locate(query.from, query.snap, allowed) else {
            let status = match self.mesh.has_ground_near(query.from, query.snap) {
                true => Status::StartClosed,
                false => Status::StartOffMesh,
            };
            return (Err(status), false);
        };
        if let Some(goal) = self.mesh.locate(query.to, query.snap, allowed) {
            return (Ok(Endpoints { start, goal }), false);
        }
        if !query.limits.partial {
            let status = match self.mesh.has_ground_near(query.to, query.snap) {
                true => Status::GoalClosed,
                false => Status::GoalOffMesh,
            };
            return (Err(status), false);
        }
        let closed = self.mesh.locate(query.to, query.snap, |_| true);
        // A goal on closed ground keeps its point: no path enters it, and the search gets as near as
        // possible. A goal off the mesh is replaced by the nearest open ground.
        let anywhere = glam::Vec3::INFINITY;
        let goal = closed.or_else(|| self.mesh.locate(query.to, anywhere, allowed));
        (
            goal.map(|goal| Endpoints { start, goal })
                .ok_or(Status::GoalOffMesh),
            true,
        )
    }
}

impl<'a> Located<'a> {
    /// Returns the world of the query.
    pub(crate) fn world(&self) -> &'a World {
        self.world
    }

    /// Returns start and goal on the mesh.
    ///
    /// # Errors
    /// Returns the status of the point that is off the mesh or on closed ground.
    pub fn endpoints(&self) -> Result<Endpoints, Status> {
        self.endpoints
    }

    /// Step 2 of a query: searches the graph. If start and goal are in different components of the mesh,
    /// the answer is known without a search.
    pub fn search<'s>(self, scratch: &'s mut Scratch) -> Searched<'a, 's> {
        self.search_observed(scratch, &mut ())
    }

    /// Searches as [`search`](Self::search) does, and reports every event of the engine to `observer`.
    pub fn search_observed<'s>(
        self,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer,
    ) -> Searched<'a, 's> {
        let (tier, outcome) = match self.endpoints {
            Ok(endpoints) => {
                let (tier, outcome) = self.run(endpoints, scratch, observer);
                (tier, Ok(outcome))
            }
            Err(status) => (Tier::Fast, Err(status)),
        };
        Searched {
            located: self,
            scratch,
            tier,
            outcome,
        }
    }

    /// Step 2 of a query whose path was found elsewhere, for example on a graphics card: by vertices of the fast tier's
    /// [graph](World::graph), and none if the path is the straight line within one polygon. The path is checked, and its
    /// cost is summed again. Returns `None` if it is not a path from start to goal within the cost limit.
    pub fn adopt<'s>(self, path: &[u32], scratch: &'s mut Scratch) -> Option<Searched<'a, 's>> {
        let endpoints = self.endpoints.ok()?;
        let search = self.search_of(Engine::AStar, endpoints);
        let outcome = search.adopt(path, scratch)?;
        Some(Searched {
            located: self,
            scratch,
            tier: Tier::Fast,
            outcome: Ok(outcome),
        })
    }

    /// Returns the level that HNA* or PCCP searches for this query; level 0 if it searches the whole mesh, or if the
    /// engine of the query is another one.
    pub fn searched_level(&self) -> Level {
        let level = self.endpoints.ok().and_then(|endpoints| {
            self.search_of(self.engine, endpoints)
                .searched_level(self.engine)
        });
        level.unwrap_or(Level(0))
    }

    /// Returns the outcome, and the tier of the graph that the trail refers to.
    fn run(
        &self,
        endpoints: Endpoints,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> (Tier, Outcome) {
        let Some((engine, endpoints)) = self.plan(endpoints) else {
            return (Tier::Fast, Outcome::NoPath);
        };
        if self.world.mesh.has_obstacles()
            && matches!(engine, Engine::Auto(_) | Engine::Contraction(_))
        {
            return self.run_around(engine, endpoints, scratch, observer);
        }
        let outcome = self.run_engine(engine, endpoints, scratch, observer);
        if self.needs_partial(engine, outcome) {
            return (
                Tier::Fast,
                self.run_engine(Engine::AStar, endpoints, scratch, observer),
            );
        }
        (engine.tier(), outcome)
    }

    /// Searches the contraction on a world with obstacles. The trail refers to the world's own graph.
    fn run_around(
        &self,
        engine: Engine,
        endpoints: Endpoints,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> (Tier, Outcome) {
        let world = self.world;
        let on_pieces = self.search_of(Engine::AStar, endpoints);
        let [start, goal] =
            [endpoints.start, endpoints.goal].map(|end| world.mesh.whole(end.polygon));
        if start != goal {
            let mut search = self.search_of(engine, endpoints);
            search.graph = world.graph_before_obstacles(engine.tier());
            match search.around_obstacles(&on_pieces, scratch, observer) {
                AroundOutcome::Found(cost) => return (Tier::Fast, Outcome::Found { cost }),
                // Costs over cells may be too high, so only A* knows whether a path is within a limit.
                AroundOutcome::NoPath
                    if !self.query.limits.partial
                        && self.query.limits.max_cost == f32::INFINITY
                        && world.knows_all_parts(engine.tier()) =>
                {
                    return (Tier::Fast, Outcome::NoPath);
                }
                AroundOutcome::NoPath | AroundOutcome::Unknown => {}
            }
        }
        (Tier::Fast, on_pieces.run(Engine::AStar, scratch, observer))
    }

    /// Returns the engine that searches, and between which points; `None` if there is no path without a
    /// search.
    pub(super) fn plan(&self, mut endpoints: Endpoints) -> Option<(Engine, Endpoints)> {
        let partial = self.query.limits.partial;
        let is_disconnected = self.world.are_disconnected(&endpoints);
        if is_disconnected && !partial {
            return None;
        }
        let is_closed = self.is_goal_moved && !self.allows(endpoints.goal);
        if is_disconnected && self.is_goal_moved {
            // The located goal cannot be reached: get as near as possible to the goal of the query itself.
            endpoints.goal.point = self.query.to;
        }
        let engine = match self.engine {
            Engine::Dijkstra => Engine::Dijkstra,
            // There is no path; A* finds the nearest reachable point.
            _ if is_disconnected || is_closed => Engine::AStar,
            engine => engine,
        };
        Some((engine, endpoints))
    }

    /// Returns whether A* has to find a partial path after `engine` found no path. Partial paths are those of
    /// A* on the fast tier's graph, for all engines. Engines of that graph find them on their own.
    pub(super) fn needs_partial(&self, engine: Engine, outcome: Outcome) -> bool {
        let partial = self.query.limits.partial;
        outcome == Outcome::NoPath && partial && engine.tier() != Tier::Fast
    }

    /// Searches with a resolved engine.
    pub(super) fn run_engine(
        &self,
        engine: Engine,
        endpoints: Endpoints,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let search = self.engine_search(engine, endpoints);
        search.run(engine, scratch, observer)
    }

    /// Returns the input of a search with a resolved engine. Only the fast tier returns partial paths.
    pub(super) fn engine_search(&self, engine: Engine, endpoints: Endpoints) -> Search<'a> {
        let mut search = self.search_of(engine, endpoints);
        search.limits.partial &= engine.tier() == Tier::Fast;
        search
    }

    /// Returns the cost of the path from start to goal and its first crossing. The engine
    /// [`labels`](Engine::Labels) does not compute the rest of the path; other engines find all of it. At a
    /// taut tier the final path may pass a hole on the other side, and then its first crossing can differ.
    ///
    /// Returns `None` if there is no path to the goal within the limit; partial paths do not count.
    /// Allocates nothing once `scratch` has grown to the world.
    pub fn distance(&self, scratch: &mut Scratch) -> Option<Distance> {
        let endpoints = self.endpoints.ok().filter(|_| !self.is_goal_moved)?;
        if self.world.are_disconnected(&endpoints) {
            return None;
        }
        if self.world.mesh.has_obstacles() {
            let (tier, outcome) = self.run(endpoints, scratch, &mut ());
            debug_assert_eq!(tier, Tier::Fast);
            let Outcome::Found { cost } = outcome else {
                return None;
            };
            let graph = &self.world.graph;
            let mut crossings =
                Corridor::crossings_of(graph, &scratch.trail, endpoints.goal.polygon);
            let first = crossings.next().map(|(crossing, _)| crossing);
            return Some(Distance { cost, first });
        }
        self.search_of(self.engine, endpoints)
            .distance(self.engine, scratch)
    }

    /// Computes waypoints along `path.corridor`, which may come from any search. The corridor must lead
    /// from the start's polygon to the goal's. The cost of the path is not changed. Does nothing if the
    /// start or the goal is off the mesh.
    ///
    /// # Panics
    /// Panics if the number of crossings is not one less than the number of polygons, or if the corridor
    /// belongs to another mesh.
    pub fn pull(&self, scratch: &mut Scratch, path: &mut Path) {
        let Corridor {
            polygons,
            crossings,
        } = &path.corridor;
        assert_eq!(
            polygons.len(),
            crossings.len() + 1,
            "a corridor has one polygon more than crossings"
        );
        if let Ok(endpoints) = self.endpoints {
            let points = [endpoints.start.point, endpoints.goal.point];
            let tolerance = self.query.ground_tolerance;
            path.pull(
                &self.world.mesh,
                points,
                tolerance,
                None,
                &mut scratch.pull_buffers,
            );
        }
    }

    /// Returns whether the agent may be at a location.
    fn allows(&self, location: Location) -> bool {
        self.costs
            .prices()
            .allows(&self.world.mesh, location.polygon)
    }

    /// Returns the input of a search with a resolved engine.
    fn search_of(&self, engine: Engine, endpoints: Endpoints) -> Search<'a> {
        let (world, costs, tier) = (self.world, self.costs, engine.tier());
        let (graph, contraction) = world.graph_of_tier(tier);
        // `closest` measures from the agent's real position in every cost model.
        let cost_location = |location| match engine {
            Engine::Closest | Engine::Auto(Tier::Exact) => location,
            _ => graph.cost_location(location),
        };
        Search {
            mesh: &world.mesh,
            graph,
            hierarchy: world.hierarchy.as_ref(),
            contraction,
            prices: costs.prices(),
            metric: costs.metric(),
            shortcuts: costs.shortcuts(tier),
            labels: costs.labels(),
            exact: costs.exact_index(),
            start: cost_location(endpoints.start),
            goal: cost_location(endpoints.goal),
            limits: self.query.limits,
        }
    }
}

impl Searched<'_, '_> {
    /// Returns the status that the query will have.
    pub fn status(&self) -> Status {
        match self.outcome {
            Ok(Outcome::Found { .. }) if self.located.is_goal_moved => Status::Partial,
            Ok(Outcome::Found { .. }) => Status::Found,
            Ok(Outcome::Partial { .. }) => Status::Partial,
            Ok(Outcome::NoPath) => Status::NoPath,
            Err(status) => status,
        }
    }

    /// Returns the cost of the path on the graph that was searched; `None` if there is no path.
    pub fn cost(&self) -> Option<f32> {
        match self.outcome {
            Ok(Outcome::Found { cost } | Outcome::Partial { cost, .. }) => Some(cost),
            Ok(Outcome::NoPath) | Err(_) => None,
        }
    }

    /// Returns the tier of the graph that the path refers to. It is not always the engine's tier: if a taut
    /// tier finds no path, A* on the fast tier's graph finds a partial one.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Step 3 of a query: writes the corridor and the waypoints to `path`. It is empty afterwards unless
    /// the status [has a path](Status::has_path).
    pub fn waypoints(self, path: &mut Path) -> Status {
        path.clear();
        path.version = self.located.world.version();
        path.topology = self.located.world.mesh().topology();
        let status = self.status();
        let Self {
            located,
            scratch,
            tier,
            outcome,
        } = self;
        let (Ok(outcome), Ok(endpoints)) = (outcome, located.endpoints) else {
            return status;
        };
        let (cost, end) = match outcome {
            Outcome::Found { cost } => (cost, endpoints.goal),
            Outcome::Partial { cost, end } => (cost, end),
            Outcome::NoPath => return status,
        };
        path.cost = cost;
        let world = located.world;
        if tier == Tier::Exact {
            located.follow_exact(endpoints, scratch, path);
            return status;
        }
        let (graph, _) = world.graph_of_tier(tier);
        // The contraction of a taut tier finds paths around obstacles on the world's own graph.
        let flip_tier = match (world.mesh.has_obstacles(), located.engine) {
            (true, Engine::Auto(tier) | Engine::Contraction(tier)) => tier,
            _ => tier,
        };
        let polygons = [endpoints.start.polygon, end.polygon];
        if tier.is_taut() {
            let prices = located.costs.prices();
            let factor = |polygon| prices.factor(&world.mesh, polygon);
            path.corridor
                .follow_taut(graph, &scratch.trail, polygons, factor);
        } else {
            path.corridor.follow(graph, &scratch.trail, polygons);
        }
        path.pull(
            &world.mesh,
            [endpoints.start.point, end.point],
            located.query.ground_tolerance,
            world.flips(flip_tier, located.costs.prices()),
            &mut scratch.pull_buffers,
        );
        status
    }
}
