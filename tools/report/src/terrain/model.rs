//! The data of a terrain report, as `terrain.json` stores it.
//!
//! Times have the suffix `_us` or `_ms` or are called `seconds` or `date`. All other numbers are the same in
//! every run with the same effort. "Cost" is what the thesis calls distance or price.

use portolan_terrain::TerrainEngine;
use serde::{Deserialize, Serialize};

use super::TerrainEffort;
use super::comparison_model::{BadCell, ContourCell, EditCell, SimpleCell, UnitCell};
use crate::machine::Machine;

/// The value of [`TerrainReport::format`].
pub const TERRAIN_FORMAT: &str = "portolan terrain report 1";

/// The results of one run of [`terrain_report`](crate::terrain_report).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TerrainReport {
    /// The format of the file: [`TERRAIN_FORMAT`].
    pub format: String,
    /// The version of Portolan.
    pub version: String,
    /// The time at which the run ended, in UTC.
    pub date: String,
    /// The computer that ran the measurements.
    pub machine: Machine,
    /// How much was measured, and how often.
    pub effort: TerrainEffort,
    /// The duration of the run. [Units: s]
    pub seconds: f64,
    /// The cone, the cone with another triangulation, hills, and the map of the options.
    pub grounds: Vec<GroundCell>,
    /// The mean costs on other hills.
    pub hills: Vec<HillsCell>,
    /// The mean costs per tie tolerance, on the cone and on the other hills.
    pub ties: Vec<TieCell>,
    /// The mean costs per entry price, on realistic ground.
    pub entries: Vec<EntryCell>,
    /// The mean costs per unit distance, on the cone and on the other hills.
    pub units: Vec<UnitCell>,
    /// All merge steps of a simple map (section 8.1 of the thesis).
    pub simple: SimpleCell,
    /// The mean costs on a grid and on triangles along contour lines (chapter 10 of the thesis).
    pub contours: Vec<ContourCell>,
    /// Starts from which High Meshes find expensive paths.
    pub bad: Vec<BadCell>,
    /// The times of edits while a path is being walked (chapter 10 of the thesis).
    pub edits: Vec<EditCell>,
    /// The two distance functions on a hillside (picture 5.2 of the thesis).
    pub hillside: Vec<HillsideCell>,
    /// Build time, memory and search time per size of the ground.
    pub sizes: Vec<SizeCell>,
    /// The criteria of the evaluation, and whether the run meets them.
    #[serde(rename = "bars")]
    pub criteria: Vec<Criterion>,
}

/// A structure and the engine that searches it, in the order of table columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TerrainVariant {
    /// Portolan's A* on Low Meshes, the reference of all others.
    Astar,
    /// High Meshes with all layers.
    Full,
    /// High Meshes compressed to 10 layers as in chapter 6 of the thesis.
    Layers10,
    /// High Meshes compressed to 5 layers as in chapter 6 of the thesis.
    Layers5,
    /// High Meshes compressed to 10 layers so that the maximum number of children is as low as possible.
    Balanced10,
    /// High Meshes compressed to 5 layers in the same way.
    Balanced5,
    /// HNA* over Low Meshes.
    Hna,
    /// The contraction hierarchy over Low Meshes.
    Contraction,
}

impl TerrainVariant {
    /// All variants, in the order of table columns.
    pub const ALL: [Self; 8] = [
        Self::Astar,
        Self::Full,
        Self::Layers10,
        Self::Layers5,
        Self::Balanced10,
        Self::Balanced5,
        Self::Hna,
        Self::Contraction,
    ];

    /// The three structures of the thesis.
    pub const HIGH_MESHES: [Self; 3] = [Self::Full, Self::Layers10, Self::Layers5];

    /// All structures of High Meshes.
    pub const STRUCTURES: [Self; 5] = [
        Self::Full,
        Self::Layers10,
        Self::Layers5,
        Self::Balanced10,
        Self::Balanced5,
    ];

    /// Returns the engine of the variant.
    pub(super) const fn engine(self) -> TerrainEngine {
        match self {
            Self::Astar => TerrainEngine::AStar,
            Self::Full | Self::Layers10 | Self::Layers5 | Self::Balanced10 | Self::Balanced5 => {
                TerrainEngine::Mesh
            }
            Self::Hna => TerrainEngine::Hna { level: None },
            Self::Contraction => TerrainEngine::Contraction,
        }
    }

    /// Returns the heading of the variant's column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Astar => "A*",
            Self::Full => "full",
            Self::Layers10 => "10 layers",
            Self::Layers5 => "5 layers",
            Self::Balanced10 => "10 balanced",
            Self::Balanced5 => "5 balanced",
            Self::Hna => "HNA*",
            Self::Contraction => "contraction",
        }
    }

    /// Returns the name of the variant in file names.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Astar => "astar",
            Self::Full => "full",
            Self::Layers10 => "10-layers",
            Self::Layers5 => "5-layers",
            Self::Balanced10 => "10-balanced",
            Self::Balanced5 => "5-balanced",
            Self::Hna => "hna",
            Self::Contraction => "contraction",
        }
    }
}

/// The kind of a ground, which selects the corresponding tables of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroundKind {
    /// The cone with four triangles per square (tables 9.1 to 9.4).
    Cone,
    /// The cone with two triangles per square.
    OtherCone,
    /// Natural ground with four triangles per square (tables 9.5 to 9.8).
    Realistic,
}

/// The results on one ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundCell {
    /// The name of the ground, which is the prefix of its file names.
    pub name: String,
    /// The title of the ground on the page.
    pub title: String,
    /// The kind of the ground.
    pub kind: GroundKind,
    /// The width and height of the height map. [Units: pixels]
    pub pixels: [usize; 2],
    /// The number of triangles.
    pub triangles: usize,
    /// The number of tops after each iteration of merging. A top is a mesh that has no parent after that iteration.
    pub tops: Vec<usize>,
    /// The iterations that the page shows.
    pub steps: Vec<StepCell>,
    /// The structures of High Meshes.
    pub structures: Vec<StructureCell>,
    /// The number of HNA* levels above the triangles.
    pub hna_levels: usize,
    /// The number of upward arcs of the contraction.
    pub contraction_arcs: usize,
    /// A long path and a shorter path.
    pub paths: Vec<PathCell>,
    /// The two waves.
    pub waves: Vec<WaveCell>,
    /// The file names of the pictures of the ground.
    pub pictures: Vec<String>,
}

/// An iteration of merging that the page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCell {
    /// The number of the iteration, counted from 1.
    pub iteration: usize,
    /// The number of tops after the iteration.
    pub tops: usize,
    /// The standard deviation of heights within a top, relative to that of a compact piece with the same
    /// number of triangles at the same position; the mean over triangles. Below 1, tops follow contour lines.
    pub height_spread: f64,
    /// The file name of the picture.
    pub picture: String,
}

/// The size of a structure of High Meshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureCell {
    /// The variant that searches the structure.
    pub engine: TerrainVariant,
    /// The number of layers, including Low and Top Meshes.
    pub layers: usize,
    /// The number of meshes, including Low Meshes.
    pub meshes: usize,
    /// The mean number of children of a High Mesh.
    pub mean_children: f64,
    /// The maximum number of children of a High Mesh.
    pub max_children: usize,
}

/// The results of every engine for one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathCell {
    /// The name of the path: `long`, `short` or `medium`.
    pub name: String,
    /// The x and y coordinates of the start.
    pub from: [f32; 2],
    /// The x and y coordinates of the goal.
    pub to: [f32; 2],
    /// The results per engine.
    pub answers: Vec<PathAnswer>,
    /// The file names of the pictures, one per High Mesh structure and one of the other engines.
    pub pictures: Vec<String>,
}

/// The path that an engine finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathAnswer {
    /// The engine.
    pub engine: TerrainVariant,
    /// The search time, the median of all rounds. [Units: µs]
    pub time_us: f64,
    /// The cost of the path, which the thesis calls "distance".
    pub price: f64,
    /// The base cost, without multipliers.
    pub xyz: f64,
    /// The base cost in the plane, without height.
    pub xy: f64,
    /// The base cost of height alone.
    pub z: f64,
    /// The triangles of the path, from start to goal.
    pub triangles: Vec<u32>,
}

/// The results of every engine for a wave: the paths from one triangle to every other one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveCell {
    /// The name of the start.
    pub name: String,
    /// The x and y coordinates of the start.
    pub from: [f32; 2],
    /// The number of paths.
    pub targets: usize,
    /// The number of timed paths, the same ones for every engine.
    pub timed: usize,
    /// The results per engine.
    pub answers: Vec<WaveAnswer>,
    /// The file names of the pictures of A*, full structure, 10 and 5 layers.
    pub pictures: Vec<String>,
}

/// The results of an engine for a wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveAnswer {
    /// The engine.
    pub engine: TerrainVariant,
    /// The mean time per path, from the median of all rounds. [Units: µs]
    pub path_us: f64,
    /// The quartiles of the ratios of costs to A*'s. The fourth is the maximum.
    pub quartiles: [f64; 4],
    /// The lowest of these ratios. A value below 1, beyond rounding, indicates a bug.
    #[serde(rename = "least")]
    pub min: f64,
    /// The mean of these ratios.
    pub mean: f64,
    /// The number of targets without a valid path.
    pub missing: usize,
}

impl WaveAnswer {
    /// Returns the time of all paths of a wave, one after another, extrapolated from the timed ones.
    /// [Units: ms]
    pub fn all_ms(&self, wave: &WaveCell) -> f64 {
        self.path_us * wave.targets as f64 / 1e3
    }
}

/// The mean costs on hills with another seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillsCell {
    /// The seed of the hills.
    pub seed: u64,
    /// The number of compared paths per wave.
    pub paths: usize,
    /// The number of layers of the full structure.
    pub layers: usize,
    /// The mean costs relative to A*, from the valley and from the hill, for full structure, 10 and 5 layers.
    pub means: [[f64; 3]; 2],
    /// The same for 10 and 5 layers with balanced compression.
    pub balanced: [[f64; 2]; 2],
}

/// The mean costs relative to A* of structures that were merged with a tie tolerance, over both waves, for
/// full structure, 10 and 5 layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieCell {
    /// The tie tolerance: the relative difference of distances up to which neighbours tie.
    pub tie: f32,
    /// The mean costs on the cone.
    pub cone: [f64; 3],
    /// The mean costs on the other hills, averaged over all of them.
    pub hills: [f64; 3],
}

/// The mean costs with an entry price on realistic ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryCell {
    /// The name of the ground.
    pub ground: String,
    /// The name of the entry price.
    pub entry: String,
    /// The number of layers of the full structure.
    pub layers: usize,
    /// The mean costs relative to A* over both waves, for full structure, 10 and 5 layers.
    pub means: [f64; 3],
}

/// The costs of a distance function on a hillside that rises evenly to the north.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillsideCell {
    /// The distance function: `enlargement` or `centroid`.
    pub distances: String,
    /// The slope of the hillside: height divided by length.
    pub slope: f64,
    /// The cost per unit of length along the contour line.
    pub along: f64,
    /// The cost per unit of length straight up.
    pub up: f64,
    /// The cost per unit of length straight down.
    pub down: f64,
    /// The file name of the picture of the wave.
    pub picture: String,
}

/// Build time, memory and search time on hills of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeCell {
    /// The number of pixels per side.
    pub size: usize,
    /// The number of triangles.
    pub triangles: usize,
    /// The time to compute the costs of all crossings. [Units: ms]
    pub crossings_ms: f64,
    /// The time to merge meshes. [Units: ms]
    pub merge_ms: f64,
    /// The time to build records and joints and to compute their costs. [Units: ms]
    pub price_ms: f64,
    /// The number of layers.
    pub layers: usize,
    /// The number of meshes, including Low Meshes.
    pub meshes: usize,
    /// The memory of ground, crossings and structure together. [Units: bytes]
    pub bytes: usize,
    /// The memory of the joints alone. [Units: bytes]
    pub joint_bytes: usize,
    /// The number of timed paths.
    pub paths: usize,
    /// The mean time per path, per engine. [Units: µs]
    pub path_us: Vec<(TerrainVariant, f64)>,
}

/// A criterion of the evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// The requirement, as text.
    #[serde(rename = "what")]
    pub requirement: String,
    /// The title of the ground.
    pub ground: String,
    /// The measured values, as text.
    pub measured: String,
    /// The threshold, as text.
    #[serde(rename = "wanted")]
    pub threshold: String,
    /// Whether the criterion is met.
    pub is_met: bool,
    /// Whether the criterion depends on times, which differ from run to run.
    pub is_of_time: bool,
}
