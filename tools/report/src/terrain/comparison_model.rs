//! The data of the comparisons in a terrain report.

use serde::{Deserialize, Serialize};

/// The mean costs relative to A* of structures that were merged with a unit distance, over both waves, for full structure,
/// 10 and 5 layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitCell {
    /// The name of the unit distance.
    pub unit: String,
    /// The mean costs on the cone.
    pub cone: [f64; 3],
    /// The mean costs on the other hills, averaged over all of them.
    pub hills: [f64; 3],
}

/// A simple map: paths between walls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimpleCell {
    /// The number of triangles.
    pub triangles: usize,
    /// All iterations of merging.
    pub steps: Vec<SimpleStepCell>,
    /// The file name of the picture of the ground.
    pub picture: String,
}

/// An iteration of merging on the simple map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimpleStepCell {
    /// The number of the iteration, counted from 1.
    pub iteration: usize,
    /// The number of tops after the iteration.
    pub tops: usize,
    /// The fraction of triangles in a top most of which are of the same kind: path, top of a wall, or side of a wall.
    pub purity: f64,
    /// The file name of the picture.
    pub picture: String,
}

/// The mean costs on one triangulation of a ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContourCell {
    /// The name of the ground.
    pub ground: String,
    /// `grid` or `contours`.
    pub triangulation: String,
    /// The number of triangles.
    pub triangles: usize,
    /// The number of layers of the full structure.
    pub layers: usize,
    /// The mean costs relative to A* over both waves, for full structure, 10 and 5 layers.
    pub means: [f64; 3],
}

/// The paths from one start to all triangles, per engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BadCell {
    /// The name of the ground.
    pub ground: String,
    /// The name of the start.
    pub start: String,
    /// The number of paths.
    pub paths: usize,
    /// The results per engine.
    pub answers: Vec<BadAnswer>,
}

/// The costs of an engine relative to A*'s, and its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BadAnswer {
    /// The name of the engine and of the structure.
    pub engine: String,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The maximum.
    pub max: f64,
    /// The mean time per path. [Units: µs]
    pub path_us: f64,
}

/// The times of an edit while a path is being walked, each the median over several edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditCell {
    /// The number of triangles.
    pub triangles: usize,
    /// The layers of the High Meshes.
    pub layers: usize,
    /// What is edited.
    pub edit: String,
    /// The time to recompute prices of High Meshes. [Units: µs]
    pub meshes_us: f64,
    /// The time of the next step of a navigator, which finds its path again if the edit matters. [Units: µs]
    pub step_us: f64,
    /// The time to customize the contraction again, the prices of High Meshes not included. [Units: µs]
    pub contraction_us: f64,
    /// The time of a query of the contraction. [Units: µs]
    pub query_us: f64,
}
