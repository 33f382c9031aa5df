//! A question, and what becomes of it.

use glam::{Vec2, Vec3};

use super::{Crowd, TerrainEngine};

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct TerrainQuery<'a> {
    /// Where the path begins.
    pub from: TerrainPosition,
    /// Where it should end.
    pub to: TerrainPosition,
    /// How to search.
    pub engine: TerrainEngine,
    /// Paths that cost more are not found. [Default: infinite]
    pub max_cost: f64,
    /// Whom to walk around, for the engine [`Mesh`](TerrainEngine::Mesh): a mesh is more expensive to enter
    /// the more agents it holds. The cost of the path does not count them. [Default: nobody]
    pub crowd: Option<&'a Crowd>,
}

impl TerrainQuery<'_> {
    /// A question with default settings. Endpoints are points `[x, y]` or numbers of triangles.
    pub fn new(from: impl Into<TerrainPosition>, to: impl Into<TerrainPosition>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            engine: TerrainEngine::default(),
            max_cost: f64::INFINITY,
            crowd: None,
        }
    }
}

/// Where a path begins or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TerrainPosition {
    /// A point in the plane, on the highest triangle there.
    Point(Vec2),
    /// The centre of a triangle.
    Triangle(u32),
}

impl From<Vec2> for TerrainPosition {
    fn from(point: Vec2) -> Self {
        Self::Point(point)
    }
}

impl From<[f32; 2]> for TerrainPosition {
    fn from(point: [f32; 2]) -> Self {
        Self::Point(point.into())
    }
}

impl From<u32> for TerrainPosition {
    fn from(triangle: u32) -> Self {
        Self::Triangle(triangle)
    }
}

/// A position on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainLocation {
    /// The triangle.
    pub triangle: u32,
    /// The point on it.
    pub point: Vec3,
}

/// Start and goal on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainEndpoints {
    /// The start.
    pub start: TerrainLocation,
    /// The goal.
    pub goal: TerrainLocation,
}

/// What came of a [`TerrainQuery`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainStatus {
    /// A path to the goal.
    #[error("a path")]
    Found,
    /// No path, or none that costs so little.
    #[error("no path")]
    NoPath,
    /// There is no ground at the start, or no such triangle.
    #[error("the start is off the map")]
    StartOffMap,
    /// There is no ground at the goal, or no such triangle.
    #[error("the goal is off the map")]
    GoalOffMap,
}

impl TerrainStatus {
    /// The name in files and outputs. The words are those of
    /// [`Status::name`](portolan_core::Status::name), so that one reader understands both.
    pub fn name(self) -> &'static str {
        use portolan_core::Status;
        match self {
            Self::Found => Status::Found.name(),
            Self::NoPath => Status::NoPath.name(),
            Self::StartOffMap => Status::StartOffMesh.name(),
            Self::GoalOffMap => Status::GoalOffMesh.name(),
        }
    }
}
