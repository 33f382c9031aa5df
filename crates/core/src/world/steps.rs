//! The steps of one query, each made from the one before: locate, search, waypoints.
//!
//! A step is a value that borrows what the step before left behind, so a wrong order does not compile,
//! and the trail of one search cannot be read as that of another.

use super::{Costs, Endpoints, Query, Status, World};
use crate::navmesh::Location;
use crate::path::{Corridor, Path};
use crate::query::{Distance, Engine, EngineError, Observer, Outcome, Scratch, Search, Tier};

/// Start and goal of a query on the mesh: what [`World::locate`] found.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    world: &'a World,
    query: Query<'a>,
    costs: &'a Costs,
    /// As [`World::resolve_engine`] has it.
    engine: Engine,
    ends: Result<Endpoints, Status>,
    /// The query's goal is off the mesh or closed, so the path ends elsewhere.
    is_goal_moved: bool,
}

/// What a search found. The trail lies in the scratch, which stays borrowed until waypoints are made of
/// it or it is dropped.
#[derive(Debug)]
#[must_use = "the trail is lost unless `waypoints` makes a path of it"]
pub struct Searched<'a, 's> {
    located: Located<'a>,
    scratch: &'s mut Scratch,
    /// The tier whose graph the trail's vertices are of: not the engine's where it was left to A*.
    tier: Tier,
    outcome: Result<Outcome, Status>,
}

impl World {
    /// DirectedSample 1: puts both points on the mesh.
    ///
    /// An error means that the query cannot be asked of this world: it lacks the engine, or the costs were
    /// made for another world. A point off the mesh is an answer: [`Located::ends`] has the status.
    pub fn locate<'a>(&'a self, query: &Query<'a>) -> Result<Located<'a>, EngineError> {
        let mut located = self.ask(query)?;
        let (ends, is_goal_moved) = self.ends(query, located.costs);
        (located.ends, located.is_goal_moved) = (ends, is_goal_moved);
        Ok(located)
    }

    /// DirectedSample 1 for somebody who knows the polygons of start and goal; the query's points are not looked at.
    /// The polygons must be this world's and open to the agent, and the points must lie on them.
    ///
    /// # Panics
    /// When this mesh has no such polygon.
    pub fn located<'a>(
        &'a self,
        query: &Query<'a>,
        ends: Endpoints,
    ) -> Result<Located<'a>, EngineError> {
        let mut located = self.ask(query)?;
        for place in [ends.start, ends.goal] {
            assert!(
                place.polygon.index() < self.mesh.polygon_count(),
                "{:?} is not a polygon of this mesh",
                place.polygon
            );
        }
        located.ends = Ok(ends);
        Ok(located)
    }

    /// Whether this query can be asked of this world.
    fn ask<'a>(&'a self, query: &Query<'a>) -> Result<Located<'a>, EngineError> {
        let costs = self.costs_of(query)?;
        self.check_engine(query.engine)?;
        let engine = self.resolve_engine(query.engine);
        if !costs.serve(engine) {
            return Err(EngineError::CostsLack(query.engine));
        }
        Ok(Located {
            world: self,
            query: *query,
            costs,
            engine,
            ends: Err(Status::NoPath),
            is_goal_moved: false,
        })
    }

    /// Start and goal on the mesh, and whether the goal is not where the query wants it.
    fn ends(&self, query: &Query<'_>, costs: &Costs) -> (Result<Endpoints, Status>, bool) {
        let allowed = |polygon| costs.prices().allows(&self.mesh, polygon);
        let Some(start) = self.mesh.locate(query.from, query.snap, allowed) else {
            let is_closed = self.mesh.locate(query.from, query.snap, |_| true).is_some();
            let status = match is_closed {
                true => Status::StartClosed,
                false => Status::StartOffMesh,
            };
            return (Err(status), false);
        };
        if let Some(goal) = self.mesh.locate(query.to, query.snap, allowed) {
            return (Ok(Endpoints { start, goal }), false);
        }
        let closed = self.mesh.locate(query.to, query.snap, |_| true);
        if !query.limits.partial {
            let status = match closed {
                Some(_) => Status::GoalClosed,
                None => Status::GoalOffMesh,
            };
            return (Err(status), false);
        }
        // Closed ground keeps its point: no path enters it, and the search gets as near as it can. Off the
        // mesh, the nearest open ground takes the goal's place.
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
    /// Start and goal, or which of them is off the mesh or on closed ground.
    pub fn endpoints(&self) -> Result<Endpoints, Status> {
        self.ends
    }

    /// DirectedSample 2: searches the graph. Different components are answered without a search.
    pub fn search<'s>(self, scratch: &'s mut Scratch) -> Searched<'a, 's> {
        self.search_observed(scratch, &mut ())
    }

    /// As [`search`](Self::search), and tells the observer what the engine looks at.
    pub fn search_observed<'s>(
        self,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer,
    ) -> Searched<'a, 's> {
        let (tier, outcome) = match self.ends {
            Ok(ends) => {
                let (tier, outcome) = self.run(ends, scratch, observer);
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

    /// The outcome, and the tier of the graph that the trail is on.
    fn run(
        &self,
        mut ends: Endpoints,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> (Tier, Outcome) {
        let partial = self.query.limits.partial;
        let is_apart = self.world.are_apart(&ends);
        if is_apart && !partial {
            return (Tier::Fast, Outcome::NoPath);
        }
        let is_closed = self.is_goal_moved && !self.allows(ends.goal);
        if is_apart && self.is_goal_moved {
            // Nobody gets to that point anyway: as near as possible to where the goal really is.
            ends.goal.point = self.query.to;
        }
        let engine = match self.engine {
            Engine::Dijkstra => Engine::Dijkstra,
            // There is no path; how near one can get is for A* to say.
            _ if is_apart || is_closed => Engine::AStar,
            engine => engine,
        };
        let outcome = self.run_by(engine, ends, scratch, observer);
        // As for all engines, on the same graph.
        if outcome == Outcome::NoPath && partial && engine.tier().is_taut() {
            return (
                Tier::Fast,
                self.run_by(Engine::AStar, ends, scratch, observer),
            );
        }
        (engine.tier(), outcome)
    }

    /// Searches by a resolved engine, which at a taut tier gives no partial paths.
    fn run_by(
        &self,
        engine: Engine,
        ends: Endpoints,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut search = self.search_of(engine, ends);
        search.limits.partial &= !engine.tier().is_taut();
        search.run(engine, scratch, observer)
    }

    /// How far it is from start to goal, and how one sets out: a path's cost and its first crossing,
    /// without the rest of the path where the engine is [`labels`](Engine::Labels). Other engines search
    /// all of it. At a taut tier the path itself may pass a hole on the other side and set out otherwise.
    ///
    /// `None` where there is no path, or none within the limit; partial paths do not count. Allocates
    /// nothing once `scratch` has grown to the world.
    pub fn distance(&self, scratch: &mut Scratch) -> Option<Distance> {
        let ends = self.ends.ok().filter(|_| !self.is_goal_moved)?;
        if self.world.are_apart(&ends) {
            return None;
        }
        self.search_of(self.engine, ends)
            .distance(self.engine, scratch)
    }

    /// Waypoints along `path.corridor`, whichever search found it. It leads from the start's polygon to
    /// the goal's; the cost is left alone. Nothing happens where start or goal are off the mesh.
    ///
    /// # Panics
    /// When the corridor has not one crossing fewer than polygons, or belongs to another mesh.
    pub fn pull(&self, scratch: &mut Scratch, path: &mut Path) {
        let Corridor {
            polygons,
            crossings,
        } = &path.corridor;
        assert_eq!(
            polygons.len(),
            crossings.len() + 1,
            "polygons of a corridor and the crossings between them"
        );
        if let Ok(ends) = self.ends {
            let ends = [ends.start.point, ends.goal.point];
            let tolerance = self.query.ground_tolerance;
            path.pull(
                &self.world.mesh,
                ends,
                tolerance,
                None,
                &mut scratch.strings,
            );
        }
    }

    fn allows(&self, place: Location) -> bool {
        self.costs.prices().allows(&self.world.mesh, place.polygon)
    }

    /// What a resolved engine searches.
    fn search_of(&self, engine: Engine, ends: Endpoints) -> Search<'a> {
        let (world, costs, tier) = (self.world, self.costs, engine.tier());
        let (graph, contraction) = world.searched(tier);
        // The reference for lengths goes from where the agent really stands.
        let stand = |place| match engine {
            Engine::Closest => place,
            _ => graph.cost_location(place),
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
            start: stand(ends.start),
            goal: stand(ends.goal),
            limits: self.query.limits,
        }
    }
}

impl Searched<'_, '_> {
    /// What the answer will be.
    pub fn status(&self) -> Status {
        match self.outcome {
            Ok(Outcome::Found { .. }) if self.located.is_goal_moved => Status::Partial,
            Ok(Outcome::Found { .. }) => Status::Found,
            Ok(Outcome::Partial { .. }) => Status::Partial,
            Ok(Outcome::NoPath) => Status::NoPath,
            Err(status) => status,
        }
    }

    /// What the path costs on the graph that was searched; `None` where there is none.
    pub fn cost(&self) -> Option<f32> {
        match self.outcome {
            Ok(Outcome::Found { cost } | Outcome::Partial { cost, .. }) => Some(cost),
            Ok(Outcome::NoPath) | Err(_) => None,
        }
    }

    /// The tier whose graph the path is on. Not always the engine's: where a taut tier finds no path, A*
    /// on the fast tier's graph finds a partial one.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// DirectedSample 3: writes corridor and waypoints into `path`, which is empty afterwards unless the status
    /// [has a path](Status::has_path).
    pub fn waypoints(self, path: &mut Path) -> Status {
        path.clear();
        let status = self.status();
        let Self {
            located,
            scratch,
            tier,
            outcome,
        } = self;
        let (Ok(outcome), Ok(ends)) = (outcome, located.ends) else {
            return status;
        };
        let (cost, end) = match outcome {
            Outcome::Found { cost } => (cost, ends.goal),
            Outcome::Partial { cost, end } => (cost, end),
            Outcome::NoPath => return status,
        };
        path.cost = cost;
        let world = located.world;
        let (graph, _) = world.searched(tier);
        let polygons = [ends.start.polygon, end.polygon];
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
            [ends.start.point, end.point],
            located.query.ground_tolerance,
            world.flips(tier, located.costs.prices()),
            &mut scratch.strings,
        );
        status
    }
}
