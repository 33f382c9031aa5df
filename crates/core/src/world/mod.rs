//! The whole job: a world is built once and then answers.

mod build;
mod costs;
mod engines;
mod error;
mod index_parts;
mod query;
mod report;
mod tiers;

use glam::Vec3;

pub use build::{Watch, unwatched};
pub use error::WorldError;
pub use index_parts::{HierarchyParts, IndexParts, TierParts};
pub use query::{Ends, Query, Status};
pub use report::{BuildReport, BuildTimes, Stage};

use self::tiers::TautTier;
use crate::contraction::Contraction;
use crate::graph::PortalGraph;
use crate::hierarchy::{Hierarchy, TableOptions};
use crate::navmesh::NavMesh;
use crate::partition::Partition;
use crate::path::{Corridor, Flips, Path, Rings};
use crate::profile::Costs;
use crate::query::{Distance, Engine, Outcome, Scratch, Search, Tier};

/// A navmesh and all that was derived from it. Immutable: share it by reference between threads,
/// each with a [`Scratch`] of its own.
#[derive(Clone, Debug)]
pub struct World {
    mesh: NavMesh,
    graph: PortalGraph,
    hierarchy: Option<Hierarchy>,
    tables: TableOptions,
    /// That of the fast tier, over `graph`.
    contraction: Option<Contraction>,
    /// By tier; none for the fast one.
    taut: [Option<TautTier>; Tier::ALL.len()],
    /// The holes of the mesh, where there is a taut tier.
    rings: Option<Rings>,
    costs: Costs,
    /// What was made for this world bears its number; a clone is the same world.
    number: u64,
    report: BuildReport,
}

impl World {
    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Gives the mesh back.
    pub fn into_mesh(self) -> NavMesh {
        self.mesh
    }

    /// Its portal graph: what all engines search that have no tiers.
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// Its hierarchy.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// The contraction of that graph: the fast tier.
    pub fn contraction(&self) -> Option<&Contraction> {
        self.contraction.as_ref()
    }

    /// Who of the polygons lies where: the partition of its hierarchy, which also has the links.
    pub fn partition(&self) -> Option<Partition> {
        let all = self.hierarchy.as_ref()?.partition();
        let polygons = self.mesh.polygon_count();
        let levels = all
            .levels()
            .map(|level| all.nodes(level)[..polygons].to_vec());
        let partition = Partition::new(polygons, levels.collect());
        Some(partition.expect("a link lies in the nodes of a polygon"))
    }

    /// The costs of queries that bring none.
    pub fn default_costs(&self) -> &Costs {
        &self.costs
    }

    /// The pipeline of one query: locate, search, waypoints. The path is overwritten; it is empty
    /// unless the status [has one](Status::has_path). Allocates nothing once `scratch` and `path`
    /// have grown to the world.
    ///
    /// # Panics
    /// When the query's costs were made for another world or [other engines](Self::costs_for), or the
    /// engine [cannot run](Self::check_engine) on this one.
    pub fn find_path(&self, query: &Query<'_>, scratch: &mut Scratch, path: &mut Path) -> Status {
        path.clear();
        // 1. Which polygons are these points on?
        let ends = match self.locate(query) {
            Ok(ends) => ends,
            Err(status) => return status,
        };
        // 2. What is the cheapest way from one to the other?
        let outcome = self.search(query, &ends, scratch);
        // 3. Where does an agent walk along it?
        self.waypoints(query, &ends, outcome, scratch, path)
    }

    /// A path with default settings, in memory of its own.
    pub fn find(&self, from: Vec3, to: Vec3, scratch: &mut Scratch) -> Result<Path, Status> {
        let mut path = Path::default();
        match self.find_path(&Query::new(from, to), scratch, &mut path) {
            Status::Found => Ok(path),
            other => Err(other),
        }
    }

    /// Step 1: puts both points on the mesh, or says which of them is off it.
    ///
    /// # Panics
    /// When the query's costs were made for another world.
    pub fn locate(&self, query: &Query<'_>) -> Result<Ends, Status> {
        let costs = self.costs_of(query);
        let allowed = |polygon| costs.allows(&self.mesh, polygon);
        let start = self
            .mesh
            .locate(query.from, query.snap, allowed)
            .ok_or(Status::StartOffMesh)?;
        let goal = self
            .mesh
            .locate(query.to, query.snap, allowed)
            .ok_or(Status::GoalOffMesh)?;
        Ok(Ends { start, goal })
    }

    /// Step 2: searches the graph. Different components are answered without a search.
    ///
    /// # Panics
    /// When the query's costs or the ends belong to another world, or the engine
    /// [cannot run](Self::check_engine) on this one.
    pub fn search(&self, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch) -> Outcome {
        let apart = self.are_apart(ends);
        if apart && !query.limits.partial {
            return Outcome::NoPath;
        }
        let engine = match self.resolve_engine(query.engine) {
            Engine::Dijkstra => Engine::Dijkstra,
            // There is no path; how near one can get is for A* to say.
            _ if apart => Engine::AStar,
            engine => engine,
        };
        let outcome = self.search_by(engine, query, ends, scratch);
        // As for all engines, on the same graph.
        if outcome == Outcome::NoPath && query.limits.partial && engine.tier().is_taut() {
            return self.search_by(Engine::AStar, query, ends, scratch);
        }
        outcome
    }

    /// Searches by a resolved engine, which at a taut tier gives no partial paths.
    fn search_by(
        &self,
        engine: Engine,
        query: &Query<'_>,
        ends: &Ends,
        scratch: &mut Scratch,
    ) -> Outcome {
        let mut search = self.search_of(engine, query, ends);
        search.limits.partial &= !engine.tier().is_taut();
        (scratch.trail_of, scratch.trail_tier) = (self.number, engine.tier());
        search.run(engine, scratch)
    }

    /// How far it is from start to goal, and how one sets out: a path's cost and its first crossing,
    /// without the rest where the query's engine is [`labels`](Engine::Labels). Other engines search as
    /// ever; the path of a taut tier may then be led past the other side of a hole, and set out another way. `None` where there is no path, or none within the limit; partial ones do not count.
    /// Allocates nothing once `scratch` has grown to the world.
    ///
    /// ```
    /// use portolan_scenes::worlds::{RandomPoints, WorldOptions, rooms};
    /// use portolan_core::{Engine, NavMeshOptions, Query, Scratch, World};
    ///
    /// let world = World::build(rooms(&WorldOptions::default()), &NavMeshOptions::default())?;
    /// // Any order will do; `portolan_index::dissect` makes one that keeps labels short.
    /// let order = (0..world.graph().sample_count() as u32).collect();
    /// let world = world.with_contraction(order)?.with_labels(100_000_000)?;
    ///
    /// let mut points = RandomPoints::new(world.mesh(), 7);
    /// let (from, to) = (points.next().unwrap(), points.next().unwrap());
    /// let query = Query { engine: Engine::Labels, ..Query::new(from, to) };
    /// let mut scratch = Scratch::new();
    /// let ends = world.locate(&query)?;
    /// let distance = world.distance(&query, &ends, &mut scratch).unwrap();
    ///
    /// let path = world.find(from, to, &mut scratch)?;
    /// assert!((distance.cost - path.cost).abs() <= 1e-5 * path.cost);
    /// assert!(distance.first.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// As [`search`](Self::search) does.
    pub fn distance(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        scratch: &mut Scratch,
    ) -> Option<Distance> {
        // What is left of a trail leads to no waypoints.
        scratch.trail_of = 0;
        let engine = self.resolve_engine(query.engine);
        let search = self.search_of(engine, query, ends);
        let joined = !self.are_apart(ends);
        joined.then(|| search.distance(engine, scratch))?
    }

    /// Whether they lie in different components, between which there is no path.
    fn are_apart(&self, ends: &Ends) -> bool {
        let components = self.mesh.components();
        components.of(ends.start.polygon) != components.of(ends.goal.polygon)
    }

    /// What a resolved engine searches.
    fn search_of<'a>(&'a self, engine: Engine, query: &Query<'a>, ends: &Ends) -> Search<'a> {
        let (tier, costs) = (engine.tier(), self.costs_of(query));
        let (graph, contraction) = self.searched(tier);
        // The reference for lengths goes from where the agent really stands.
        let stand = |place| match engine {
            Engine::Closest => place,
            _ => graph.stand(place),
        };
        Search {
            mesh: &self.mesh,
            graph,
            hierarchy: self.hierarchy.as_ref(),
            contraction,
            shortcuts: costs.shortcuts(tier),
            costs,
            start: stand(ends.start),
            goal: stand(ends.goal),
            limits: query.limits,
        }
    }

    /// Step 3: turns the trail of the last [`search`](Self::search) with this `scratch`, at whatever tier
    /// it was, into corridor and waypoints.
    ///
    /// # Panics
    /// When that search was of another world, or had another outcome.
    pub fn waypoints(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        outcome: Outcome,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Status {
        path.clear();
        let (status, cost, end) = match outcome {
            Outcome::Found { cost } => (Status::Found, cost, ends.goal),
            Outcome::Partial { cost, end } => (Status::Partial, cost, end),
            Outcome::NoPath => return Status::NoPath,
        };
        assert_eq!(
            scratch.trail_of, self.number,
            "the last search was of another world"
        );
        path.cost = cost;
        let (graph, _) = self.searched(scratch.trail_tier);
        let ends = Ends {
            start: ends.start,
            goal: end,
        };
        let polygons = [ends.start, ends.goal].map(|place| place.polygon);
        if scratch.trail_tier.is_taut() {
            let costs = self.costs_of(query);
            let factor = |polygon| costs.factor(&self.mesh, polygon);
            path.corridor
                .follow_taut(graph, &scratch.trail, polygons, factor);
        } else {
            path.corridor.follow(graph, &scratch.trail, polygons);
        }
        let flips = self.flips(scratch.trail_tier, self.costs_of(query));
        self.pull_taut(query, &ends, flips, scratch, path);
        status
    }

    /// Waypoints along `path.corridor`, whoever found it: [`waypoints`](Self::waypoints) without the
    /// search before. It leads from the start's polygon to the goal's; the cost is left alone.
    ///
    /// # Panics
    /// When the corridor has not one crossing fewer than polygons, or is of another world.
    pub fn pull(&self, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch, path: &mut Path) {
        let Corridor {
            polygons,
            crossings,
        } = &path.corridor;
        assert_eq!(
            polygons.len(),
            crossings.len() + 1,
            "polygons of a corridor and the crossings between them"
        );
        self.pull_taut(query, ends, None, scratch, path);
    }

    fn pull_taut(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        flips: Option<Flips<'_>>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) {
        path.pull(
            &self.mesh,
            [ends.start.point, ends.goal.point],
            query.ground_tolerance,
            flips,
            &mut scratch.strings,
        );
    }
}
