//! Queries for paths, and the status that a query returns.

use glam::{Vec2, Vec3};

use super::{Crowd, TerrainEngine, TerrainProfile};

/// A query for a path from one position to another. See [`Terrain::find_path`](super::Terrain::find_path) for an
/// example.
#[derive(Clone, Copy, Debug)]
pub struct TerrainQuery<'a> {
    /// The start of the path.
    pub from: TerrainPosition,
    /// The goal of the path.
    pub to: TerrainPosition,
    /// The search engine. [Default: [`Contraction`](TerrainEngine::Contraction)]
    pub engine: TerrainEngine,
    /// The maximum cost of a path. A path that costs more is not found. [Default: infinite]
    pub max_cost: f64,
    /// The prices of the query. [Default: those that the terrain was built with]
    pub profile: Option<&'a TerrainProfile>,
    /// How the points of the path are computed from its triangles. [Default: [`Refined`](TerrainLine::Refined)]
    pub line: TerrainLine,
    /// A crowd to avoid: the price of entering a mesh rises with the number of agents in it. The cost of the path
    /// does not include that. Only the engine [`Mesh`](TerrainEngine::Mesh) supports crowds. [Default: none]
    pub crowd: Option<&'a Crowd>,
}

impl TerrainQuery<'_> {
    /// Creates a query with default settings. A position is a point `[x, y]` or the id of a triangle.
    pub fn new(from: impl Into<TerrainPosition>, to: impl Into<TerrainPosition>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            engine: TerrainEngine::default(),
            max_cost: f64::INFINITY,
            profile: None,
            line: TerrainLine::default(),
            crowd: None,
        }
    }
}

/// How the points of a path are computed from the triangles that a search has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TerrainLine {
    /// The midpoints of the edges between the triangles.
    Midpoints,
    /// Straight lines across triangles where they are cheaper than the midpoints, then crossings that slide along
    /// their edges. It takes a fraction of the time of [`Refined`](Self::Refined), and is as good where the ground is
    /// flat.
    Straightened,
    /// In addition, a search over points on the edges around the line, so that the line can leave the triangles that the
    /// search has found. `docs/terrain.md` has its excess over the optimum.
    #[default]
    Refined,
}

/// The start or the goal of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TerrainPosition {
    /// A point in the (x, y) plane. Where triangles overlap in plan, the highest one is taken.
    Point(Vec2),
    /// The centroid of a triangle.
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

/// A position on a terrain, which results from locating a [`TerrainPosition`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainLocation {
    /// The triangle.
    pub triangle: u32,
    /// The point on the triangle.
    pub point: Vec3,
}

/// Start and goal of a path on a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainEndpoints {
    /// The start.
    pub start: TerrainLocation,
    /// The goal.
    pub goal: TerrainLocation,
}

/// The result of a [`TerrainQuery`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainStatus {
    /// A path was found.
    #[error("a path")]
    Found,
    /// There is no path, or none within the maximum cost.
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
    /// Returns the name in files and outputs. The names are those of
    /// [`Status::name`](portolan_core::Status::name), so that one reader can handle both.
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
