//! Every number of a terrain report, as its JSON holds it. Whatever is a time says so in its name: `_us`,
//! `_ms`, `seconds`, `date`. All else is the same in every run.

use portolan_terrain::TerrainEngine;
use serde::{Deserialize, Serialize};

use super::TerrainEffort;
use crate::machine::Machine;

/// What `terrain.json` is.
pub const TERRAIN_FORMAT: &str = "portolan terrain report 1";

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TerrainReport {
    /// [`TERRAIN_FORMAT`].
    pub format: String,
    /// Portolan's version.
    pub version: String,
    /// When it ended, UTC.
    pub date: String,
    /// Where it ran.
    pub machine: Machine,
    /// How much was measured.
    pub effort: TerrainEffort,
    /// How long it took.
    pub seconds: f64,
    /// The cone, its other triangulation, hills, and the user's map.
    pub grounds: Vec<GroundCell>,
    /// Prices on other hills.
    pub hills: Vec<HillsCell>,
    /// How near is a tie, on the cone and on the other hills.
    pub ties: Vec<TieCell>,
    /// The four entry prices on realistic ground.
    pub entries: Vec<EntryCell>,
    /// Picture 5.2: both distances on a hillside.
    pub hillside: Vec<HillsideCell>,
    /// What building takes, over sizes.
    pub sizes: Vec<SizeCell>,
    /// What had to be shown, and whether it was.
    pub bars: Vec<Bar>,
}

/// A structure and the engine that searches it, in the order of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TerrainVariant {
    /// A* on Low Meshes, ours, which all others are compared with.
    Astar,
    /// High Meshes, all layers.
    Full,
    /// High Meshes, compressed to 10 layers.
    Layers10,
    /// High Meshes, compressed to 5 layers.
    Layers5,
    /// HNA* over Low Meshes.
    Hna,
    /// The contraction of Low Meshes.
    Contraction,
}

impl TerrainVariant {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Astar,
        Self::Full,
        Self::Layers10,
        Self::Layers5,
        Self::Hna,
        Self::Contraction,
    ];

    /// The thesis's three.
    pub const HIGH_MESHES: [Self; 3] = [Self::Full, Self::Layers10, Self::Layers5];

    /// The engine.
    pub(super) const fn engine(self) -> TerrainEngine {
        match self {
            Self::Astar => TerrainEngine::AStar,
            Self::Full | Self::Layers10 | Self::Layers5 => TerrainEngine::Mesh,
            Self::Hna => TerrainEngine::Hna { level: None },
            Self::Contraction => TerrainEngine::Contraction,
        }
    }

    /// The heading of its column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Astar => "A*",
            Self::Full => "full",
            Self::Layers10 => "10 layers",
            Self::Layers5 => "5 layers",
            Self::Hna => "HNA*",
            Self::Contraction => "contraction",
        }
    }

    /// Its name in that of a file.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Astar => "astar",
            Self::Full => "full",
            Self::Layers10 => "10-layers",
            Self::Layers5 => "5-layers",
            Self::Hna => "hna",
            Self::Contraction => "contraction",
        }
    }
}

/// What kind of ground it is, and so which tables of the thesis it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroundKind {
    /// The cone with four triangles a square: tables 9.1 to 9.4.
    Cone,
    /// The cone with two triangles a square.
    OtherCone,
    /// Natural ground with four triangles a square: tables 9.5 to 9.8.
    Realistic,
}

/// One ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundCell {
    /// Its name, which those of files begin with.
    pub name: String,
    /// What it is called on the page.
    pub title: String,
    /// Its kind.
    pub kind: GroundKind,
    /// Pixels a row, and rows.
    pub pixels: [usize; 2],
    /// Triangles.
    pub triangles: usize,
    /// Tops after each iteration of merging.
    pub tops: Vec<usize>,
    /// Some of these iterations, looked at.
    pub steps: Vec<StepCell>,
    /// The full structure, 10 layers, 5 layers.
    pub structures: Vec<StructureCell>,
    /// Levels of HNA* above the triangles.
    pub hna_levels: usize,
    /// Arcs of the contraction, upwards.
    pub contraction_arcs: usize,
    /// A long path, and a shorter one.
    pub paths: Vec<PathCell>,
    /// Two waves.
    pub waves: Vec<WaveCell>,
    /// Pictures of the ground itself: their files.
    pub pictures: Vec<String>,
}

/// An iteration of merging.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCell {
    /// Counted from 1.
    pub iteration: usize,
    /// Tops after it.
    pub tops: usize,
    /// How far heights within a top are apart (standard deviation), over those of a compact piece of as
    /// many triangles at the same place, in the mean over triangles. Below 1, tops follow contour lines.
    pub height_spread: f64,
    /// Its picture.
    pub picture: String,
}

/// A structure of High Meshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureCell {
    /// Whose it is.
    pub engine: TerrainVariant,
    /// Layers, Low and Top Mesh counted.
    pub layers: usize,
    /// Meshes, Low Meshes counted.
    pub meshes: usize,
    /// Children of a High Mesh in the mean.
    pub mean_children: f64,
    /// Children of the High Mesh that has the most.
    pub max_children: usize,
}

/// One path, by every engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathCell {
    /// `long`, `short` or `medium`.
    pub name: String,
    /// Where it begins, x and y.
    pub from: [f32; 2],
    /// Where it ends.
    pub to: [f32; 2],
    /// By engine.
    pub answers: Vec<PathAnswer>,
    /// Its pictures, one a High Mesh structure and one of the other engines.
    pub pictures: Vec<String>,
}

/// What an engine answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathAnswer {
    /// Who.
    pub engine: TerrainVariant,
    /// The median of all rounds.
    pub time_us: f64,
    /// What the path costs: the thesis's "distance".
    pub price: f64,
    /// Price base: no multipliers.
    pub xyz: f64,
    /// Price base without height.
    pub xy: f64,
    /// Price base by height alone.
    pub z: f64,
    /// The triangles, from start to goal.
    pub triangles: Vec<u32>,
}

/// Paths from one place to every other, by every engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveCell {
    /// What the place is.
    pub name: String,
    /// Where all begin, x and y.
    pub from: [f32; 2],
    /// Paths.
    pub targets: usize,
    /// How many of them were timed, the same for every engine.
    pub timed: usize,
    /// By engine.
    pub answers: Vec<WaveAnswer>,
    /// Pictures of A*, full, 10 and 5 layers.
    pub pictures: Vec<String>,
}

/// What an engine makes of a wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaveAnswer {
    /// Who.
    pub engine: TerrainVariant,
    /// A path in the mean, the median of all rounds.
    pub path_us: f64,
    /// Prices over A*'s: quartiles, of which the fourth is the maximum.
    pub quartiles: [f64; 4],
    /// The lowest of these ratios. Below 1 by more than rounding would be a mistake.
    pub least: f64,
    /// The mean of these ratios.
    pub mean: f64,
    /// Targets without a walkable path.
    pub missing: usize,
}

impl WaveAnswer {
    /// All paths of a wave, one after the other. [Units: ms]
    pub fn all_ms(&self, wave: &WaveCell) -> f64 {
        self.path_us * wave.targets as f64 / 1e3
    }
}

/// Hills of another seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillsCell {
    /// The seed.
    pub seed: u64,
    /// Paths of each wave that were compared.
    pub paths: usize,
    /// Layers of the full structure.
    pub layers: usize,
    /// Mean over A* from the valley and from the hill: full structure, 10 layers, 5 layers.
    pub means: [[f64; 3]; 2],
}

/// A share within which neighbours tie: the means over A* that structures merged by it have, of both waves
/// together. Full structure, 10 layers, 5 layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieCell {
    /// The share.
    pub tie: f32,
    /// On the cone.
    pub cone: [f64; 3],
    /// On the other hills, the mean over all of them.
    pub hills: [f64; 3],
}

/// An entry price on realistic ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryCell {
    /// The ground.
    pub ground: String,
    /// Its name.
    pub entry: String,
    /// Layers of the full structure.
    pub layers: usize,
    /// Mean over A*, of both waves together: full structure, 10 layers, 5 layers.
    pub means: [f64; 3],
}

/// A way of taking distances, on a hillside that rises evenly to the north.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillsideCell {
    /// `enlargement` or `centroid`.
    pub distances: String,
    /// Height over length.
    pub slope: f64,
    /// What a length of 1 along the contour line costs.
    pub along: f64,
    /// What a length of 1 straight up costs.
    pub up: f64,
    /// What a length of 1 straight down costs.
    pub down: f64,
    /// The picture of the wave.
    pub picture: String,
}

/// A size of realistic ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeCell {
    /// Pixels a side.
    pub size: usize,
    /// Triangles.
    pub triangles: usize,
    /// Pricing crossings.
    pub crossings_ms: f64,
    /// Merging.
    pub merge_ms: f64,
    /// Records, joints and their prices.
    pub price_ms: f64,
    /// Layers.
    pub layers: usize,
    /// Meshes, Low Meshes counted.
    pub meshes: usize,
    /// Bytes of everything: ground, crossings, structure.
    pub bytes: usize,
    /// Bytes of the joints alone.
    pub joint_bytes: usize,
    /// Paths that engines were timed on.
    pub paths: usize,
    /// A path in the mean, by engine.
    pub path_us: Vec<(TerrainVariant, f64)>,
}

/// Something that had to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// What.
    pub what: String,
    /// Where.
    pub ground: String,
    /// What was measured, in words.
    pub measured: String,
    /// What it had to be, in words.
    pub wanted: String,
    /// Whether it was met.
    pub is_met: bool,
    /// Whether that hangs on times, which differ from run to run.
    pub is_of_time: bool,
}
