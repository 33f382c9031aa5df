//! A question, and what becomes of it.

use glam::Vec3;

use super::Costs;
use crate::DEFAULT_SNAP;
use crate::navmesh::Location;
use crate::query::{Engine, Limits};

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where the agent stands.
    pub from: Vec3,
    /// Where it wants to be.
    pub to: Vec3,
    /// Half the size of the box in which either point looks for its polygon. [Units: m]
    pub snap: Vec3,
    /// What the agent pays, made for the world that is asked by [`World::costs`](crate::World::costs);
    /// `None` is the default profile.
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
    pub fn new(from: impl Into<Vec3>, to: impl Into<Vec3>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            snap: DEFAULT_SNAP,
            costs: None,
            engine: Engine::default(),
            limits: Limits::default(),
            ground_tolerance: 0.2,
        }
    }
}

/// What came of a [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Status {
    /// A path to the goal.
    #[error("a path")]
    Found,
    /// A path towards the goal, which is out of reach.
    #[error("a path towards the goal, which is out of reach")]
    Partial,
    /// No path.
    #[error("no path")]
    NoPath,
    /// There is no polygon near the start.
    #[error("the start is off the mesh")]
    StartOffMesh,
    /// There is no polygon near the goal.
    #[error("the goal is off the mesh")]
    GoalOffMesh,
    /// The only polygons near the start are closed to the agent.
    #[error("the start is on ground that is closed to this agent")]
    StartClosed,
    /// The only polygons near the goal are closed to the agent.
    #[error("the goal is on ground that is closed to this agent")]
    GoalClosed,
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
            Self::StartClosed => "start_closed",
            Self::GoalClosed => "goal_closed",
        }
    }

    /// Whether start or goal has no ground that the agent may stand on: off the mesh or closed.
    pub fn is_off_mesh(self) -> bool {
        use Status::{GoalClosed, GoalOffMesh, StartClosed, StartOffMesh};
        matches!(self, StartOffMesh | GoalOffMesh | StartClosed | GoalClosed)
    }

    /// Whether there is a path to show.
    pub fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial)
    }
}

/// Start and goal on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoints {
    /// The start.
    pub start: Location,
    /// The goal.
    pub goal: Location,
}
