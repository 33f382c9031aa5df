//! A query and its status.

use glam::Vec3;

use super::Costs;
use crate::DEFAULT_SNAP;
use crate::navmesh::Location;
use crate::query::{Engine, Limits};

/// A query for a path from one point to another.
///
/// ```
/// use portolan_core::{Engine, Limits, Query, Tier};
///
/// let query = Query {
///     engine: Engine::Auto(Tier::Fast),
///     limits: Limits { partial: true, ..Limits::default() },
///     ground_tolerance: 0.2, // waypoints follow the ground
///     ..Query::new([0.0, 0.0, -5.0], [12.0, 0.0, 3.0])
/// };
/// assert_eq!(query.to, glam::vec3(12.0, 0.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The position of the agent. [Units: m]
    pub from: Vec3,
    /// The position of the goal. [Units: m]
    pub to: Vec3,
    /// Half the size of the box around each point in which its polygon is searched. [Units: m] [Default:
    /// [`DEFAULT_SNAP`]] A larger box accepts points that are farther from the mesh, and takes longer to
    /// search.
    pub snap: Vec3,
    /// The costs of the agent, built by [`World::costs`](crate::World::costs) of the same world; `None`
    /// uses the world's default profile. [Default: `None`]
    pub costs: Option<&'a Costs>,
    /// The engine that searches. [Default: [`Engine::Auto`] at the default tier]
    pub engine: Engine,
    /// The cost limit, and whether a partial path is wanted. [Default: no limit, no partial paths]
    pub limits: Limits,
    /// The maximum height difference between the path and the ground below it. [Units: m] [Default: infinity]
    /// By default, waypoints are the corners of the path. A finite value adds waypoints between them that follow
    /// the ground; a smaller one adds more, and 0.2 is about the precision of voxelization.
    /// [`Path::on_ground`](crate::Path::on_ground) computes them later, for the legs that need them.
    pub ground_tolerance: f32,
    /// Whether the path lists the polygons that it passes. [Default: true] An exact path is found without them,
    /// so it is faster with `false`, provided that its waypoints need not follow the ground either
    /// (`ground_tolerance` is infinite). All other paths list them in any case.
    pub corridor: bool,
}

impl Query<'_> {
    /// Creates a query with default settings.
    pub fn new(from: impl Into<Vec3>, to: impl Into<Vec3>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            snap: DEFAULT_SNAP,
            costs: None,
            engine: Engine::default(),
            limits: Limits::default(),
            ground_tolerance: f32::INFINITY,
            corridor: true,
        }
    }
}

/// The status of a query: whether there is a path, and if not, why.
///
/// ```
/// use portolan_core::Status;
///
/// assert!(Status::Partial.has_path());
/// assert!(!Status::GoalClosed.has_path());
/// assert_eq!(Status::NoPath.to_string(), "no path");
/// assert_eq!(Status::NoPath.name(), "no_path");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Status {
    /// There is a path to the goal.
    #[error("a path")]
    Found,
    /// The goal cannot be reached; the path leads to the nearest reachable point.
    #[error("a path to the nearest reachable point; the goal cannot be reached")]
    Partial,
    /// There is no path, or none within the cost limit.
    #[error("no path")]
    NoPath,
    /// There is no polygon near the start: move it, or increase [`Query::snap`].
    #[error("the start is off the mesh")]
    StartOffMesh,
    /// There is no polygon near the goal: move it, or increase [`Query::snap`].
    #[error("the goal is off the mesh")]
    GoalOffMesh,
    /// All polygons near the start are closed to the agent, or below an obstacle.
    #[error("the start is on ground that is closed to this agent")]
    StartClosed,
    /// All polygons near the goal are closed to the agent, or below an obstacle.
    #[error("the goal is on ground that is closed to this agent")]
    GoalClosed,
}

impl Status {
    /// Returns the name in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Partial => "partial",
            Self::NoPath => "no_path",
            Self::StartOffMesh => "start_off_mesh",
            Self::GoalOffMesh => "goal_off_mesh",
            Self::StartClosed => "start_closed",
            Self::GoalClosed => "goal_closed",
        }
    }

    /// Returns whether the start or the goal is off the mesh or on ground that is closed to the agent.
    pub fn is_off_mesh(self) -> bool {
        use Status::{GoalClosed, GoalOffMesh, StartClosed, StartOffMesh};
        matches!(self, StartOffMesh | GoalOffMesh | StartClosed | GoalClosed)
    }

    /// Returns whether there is a path, full or partial.
    pub fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial)
    }
}

/// Start and goal of a query as locations on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoints {
    /// The location of the start.
    pub start: Location,
    /// The location of the goal.
    pub goal: Location,
}
