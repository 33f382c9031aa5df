//! The whole job: a world is built once and then answers.

use glam::Vec3;

use crate::DEFAULT_SNAP;
use crate::graph::{GraphOptions, PortalGraph};
use crate::navmesh::{Location, NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
use crate::path::Path;
use crate::profile::{Costs, Profile};
use crate::query::{Engine, Limits, Outcome, Scratch, Search};

/// A navmesh and all that was derived from it. Immutable: share it by reference between threads,
/// each with a [`Scratch`] of its own.
#[derive(Clone, Debug)]
pub struct World {
    mesh: NavMesh,
    graph: PortalGraph,
    costs: Costs,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where the agent stands.
    pub from: Vec3,
    /// Where it wants to be.
    pub to: Vec3,
    /// Half the size of the box in which either point looks for its polygon. [Units: m]
    pub snap: Vec3,
    /// What the agent pays; `None` is the default profile.
    pub costs: Option<&'a Costs>,
    /// How to search.
    pub engine: Engine,
    /// When to give up.
    pub limits: Limits,
    /// How far waypoints may leave the ground between corners of the path. [Units: m] [Default:
    /// 0.2, what voxelisation leaves uncertain anyway] Infinite: corners only.
    pub ground_tolerance: f32,
}

impl Query<'_> {
    /// A question with default settings.
    pub fn new(from: Vec3, to: Vec3) -> Self {
        Self {
            from,
            to,
            snap: DEFAULT_SNAP,
            costs: None,
            engine: Engine::Auto,
            limits: Limits::default(),
            ground_tolerance: 0.2,
        }
    }
}

/// What came of a [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A path to the goal.
    Found,
    /// A path towards the goal, which is out of reach.
    Partial,
    /// No path.
    NoPath,
    /// The start has no polygon near it that the agent may stand on.
    StartOffMesh,
    /// The goal has none.
    GoalOffMesh,
}

impl Status {
    /// The name in files and outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Partial => "partial",
            Self::NoPath => "no_path",
            Self::StartOffMesh => "start_off_mesh",
            Self::GoalOffMesh => "goal_off_mesh",
        }
    }

    /// Whether there is a path to show.
    pub fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial)
    }
}

/// Start and goal on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The start.
    pub start: Location,
    /// The goal.
    pub goal: Location,
}

impl World {
    /// Raw polygons in, a world that answers out.
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let mesh = NavMesh::build(raw, options)?;
        Ok(Self::from_mesh(mesh))
    }

    /// The world of a checked mesh, with one sample a portal.
    pub fn from_mesh(mesh: NavMesh) -> Self {
        Self::with_graph(mesh, &GraphOptions::default())
    }

    /// The world of a checked mesh.
    pub fn with_graph(mesh: NavMesh, options: &GraphOptions) -> Self {
        let graph = PortalGraph::new(&mesh, options);
        let costs = Costs::new(&mesh, &Profile::default());
        Self { mesh, graph, costs }
    }

    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Its portal graph.
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// Makes a profile ready for this world.
    pub fn costs(&self, profile: &Profile) -> Costs {
        Costs::new(&self.mesh, profile)
    }

    /// The pipeline of one query: locate, search, waypoints. The path is overwritten; it is empty
    /// unless the status [has one](Status::has_path). Allocates nothing once `scratch` and `path`
    /// have grown to the world.
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
    pub fn locate(&self, query: &Query<'_>) -> Result<Ends, Status> {
        let costs = query.costs.unwrap_or(&self.costs);
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
    pub fn search(&self, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch) -> Outcome {
        let components = self.mesh.components();
        let apart = components.of(ends.start.polygon) != components.of(ends.goal.polygon);
        if apart && !query.limits.partial {
            return Outcome::NoPath;
        }
        let search = Search {
            mesh: &self.mesh,
            graph: &self.graph,
            costs: query.costs.unwrap_or(&self.costs),
            start: ends.start,
            goal: ends.goal,
            limits: query.limits,
        };
        search.run(query.engine, scratch)
    }

    /// Step 3: turns the trail of the last [`search`](Self::search) with this `scratch` into
    /// corridor and waypoints.
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
        path.cost = cost;
        let Scratch { trail, strings, .. } = scratch;
        path.corridor
            .follow(&self.graph, trail, ends.start.polygon, end.polygon);
        path.pull(
            &self.mesh,
            ends.start.point,
            end.point,
            query.ground_tolerance,
            strings,
        );
        status
    }
}
