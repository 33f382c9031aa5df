//! The data of a report, as `report.json` stores it.
//!
//! The unit of a time is the suffix of its name (`_us`, `_ms`). Lengths and costs are metres.

use serde::{Deserialize, Serialize};

use crate::batch_model::BatchCell;
use crate::change_model::ChangesCell;
use crate::device_model::{DeviceBatches, DeviceConnects, DeviceRun};
use crate::machine::Machine;
use crate::options::ReportEffort;
use crate::peers::PeersRun;

/// The value of [`Report::format`].
pub const FORMAT: &str = "portolan report 1";

/// The results of one run. The page is rendered from this value alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The format of the file: [`FORMAT`].
    pub format: String,
    /// The version of Portolan.
    pub version: String,
    /// The time at which the run ended, in UTC.
    pub date: String,
    /// The computer that ran the measurements.
    pub machine: Machine,
    /// How much was measured, and how often.
    pub effort: ReportEffort,
    /// The measuring time, without the pauses between resumed runs. [Units: s]
    pub seconds: f64,
    /// The sizes of the scenes and maps.
    pub scenes: Vec<SceneCell>,
    /// The times of A*, HNA* and PCCP, per scene and merge factor.
    pub grid: Vec<GridCell>,
    /// The memory of hierarchies.
    pub memory: Vec<MemoryCell>,
    /// The path lengths of HNA* compared with those of the papers' A*.
    pub lengths: Vec<LengthsCell>,
    /// The path lengths of PCCP compared with those of HNA*.
    pub pccp: Vec<PccpCell>,
    /// The times of HNA* on balanced and on random partitions.
    pub weights: Vec<WeightsCell>,
    /// The example paths that the page draws.
    pub examples: Vec<ExampleCell>,
    /// The comparison of all engines, including those that the papers do not have.
    #[serde(rename = "beyond", default)]
    pub comparisons: Vec<EngineComparison>,
    /// The times of batches of agents.
    #[serde(default)]
    pub batches: Vec<BatchCell>,
    /// Changes of the ground while queries run.
    #[serde(default)]
    pub changes: Vec<ChangesCell>,
    /// The results of other libraries, measured in a separate run.
    #[serde(default)]
    pub peers: Option<PeersRun>,
    /// The measurements on a graphics card, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceRun>,
}

/// The result of one measurement job, which the journal saves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Cell {
    Scene(SceneCell),
    Grid(GridCell),
    Memory(MemoryCells),
    Lengths(LengthsCells),
    Pccp(PccpCell),
    Weights(WeightsCells),
    Example(ExampleCell),
    #[serde(rename = "beyond")]
    Comparison(Box<EngineComparison>),
    Batches(BatchCell),
    Changes(Box<ChangesCell>),
    DeviceBatches(DeviceBatches),
    DeviceConnects(DeviceConnects),
}

/// The memory cells of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MemoryCells {
    pub(crate) cells: Vec<MemoryCell>,
}

/// The length cells of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LengthsCells {
    pub(crate) cells: Vec<LengthsCell>,
}

/// The weight cells of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightsCells {
    pub(crate) cells: Vec<WeightsCell>,
}

/// The size of a scene or of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneCell {
    /// The name of the scene, which the other cells repeat.
    pub scene: String,
    /// Whether this is a map from a file. Otherwise it is a built-in scene.
    pub is_map: bool,
    /// The number of triangles of the geometry; `None` if the input was a navmesh.
    pub triangles_in: Option<usize>,
    /// The number of triangles of the navmesh before they are merged into polygons.
    pub triangles_out: usize,
    /// The number of polygons.
    pub polygons: usize,
    /// The number of portals.
    pub portals: usize,
    /// The number of connected components.
    pub components: usize,
    /// The number of polygons of the largest component, where all queries start and end.
    pub largest: usize,
    /// The time to bake the geometry into a navmesh. [Units: ms]
    pub bake_ms: f64,
}

/// The times of every engine on a hierarchy with one merge factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The time to partition the navmesh. [Units: ms]
    pub partition_ms: f64,
    /// The time to build the graph, the hierarchy with its intra-edges, and all tables. [Units: ms]
    pub index_ms: f64,
    /// The times of Portolan's A*, which searches level 0.
    pub astar: Timing,
    /// The times of the papers' A*, which crosses each portal at the closest point.
    pub closest: Timing,
    /// The mean time to locate start and goal, which no other time of this cell includes. [Units: µs]
    pub locate_us: f64,
    /// The mean time to compute the corridor and waypoints of A*'s paths, which no other time of this
    /// cell includes. [Units: µs]
    pub waypoints_us: f64,
    /// The levels, from level 1 up.
    pub levels: Vec<LevelCell>,
}

/// The statistics and times of one level of a hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelCell {
    /// The level.
    pub level: u8,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of nodes that are islands, that is, without inter-edges.
    pub islands: usize,
    /// The size of the largest node divided by the mean size.
    pub balance: f64,
    /// The mean number of inter-edges per node, without islands.
    pub inter_edges_mean: f64,
    /// The maximum number of inter-edges of a node.
    pub inter_edges_max: usize,
    /// The papers' upper bound on the inter-edges of a node, for nodes of exactly mu^level polygons.
    pub published_bound: f64,
    /// The upper bound on the inter-edges of a node, for the actual node sizes.
    pub bound: i64,
    /// The number of queries whose start and goal share a node. They search the entire mesh.
    pub same_node: usize,
    /// The connect step of one query, the same query at all levels (Fuentes 2014, table 4.2).
    pub probe: Probe,
    /// The mean number of portals of the start node and the goal node together.
    pub portals_mean: f64,
    /// The engines at this level.
    pub engines: Vec<EngineCell>,
}

/// The connect step of one query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The number of inter-edges of the start's node.
    pub portals_start: usize,
    /// The number of inter-edges of the goal's node.
    pub portals_goal: usize,
    /// The time of the connect step with one A* per portal, as published. [Units: µs]
    pub connect_us: f64,
}

/// The times of one engine at one level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineCell {
    /// The connecting method: `astar`, `parallel`, `dijkstra`, `table`, or `pccp`.
    pub method: String,
    /// The mean time of step 1, which looks up the nodes of start and goal. [Units: µs]
    pub get_us: f64,
    /// The mean time of step 2, which connects start and goal to the inter-edges of their nodes.
    /// [Units: µs]
    pub connect_us: f64,
    /// The mean time of step 3, the search over inter-edges. [Units: µs]
    pub search_us: f64,
    /// The mean time of step 4, which extracts the path below the inter-edges. [Units: µs]
    pub extract_us: f64,
    /// The time of all steps.
    pub time: Timing,
    /// The number of answers whose cost differs from A*'s; `None` for PCCP, which is not exact.
    pub mismatches: Option<usize>,
}

/// The times of a set of queries. The time of a query is the median of its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The mean over all queries. [Units: µs]
    pub mean_us: f64,
    /// The median over all queries. [Units: µs]
    pub median_us: f64,
    /// The 99th percentile. [Units: µs]
    pub p99_us: f64,
    /// The slowest query. [Units: µs]
    pub max_us: f64,
    /// The number of queries.
    pub queries: usize,
    /// The mean of each round. Their relative spread is the [noise](Self::noise). [Units: µs]
    pub rounds_us: Vec<f64>,
}

/// The memory of a hierarchy. [Units: bytes]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The number of levels above the polygons.
    pub levels: u8,
    /// The memory of nodes and inter-edges. [Units: bytes]
    pub hierarchy: usize,
    /// The memory of intra-edges. [Units: bytes]
    pub intra_edges: usize,
    /// The memory of the exact connect tables. [Units: bytes]
    pub tables: usize,
    /// The memory of PCCP's tables. [Units: bytes]
    pub pccp: usize,
}

/// The lengths of HNA*'s paths after string pulling, compared with those of the papers' A*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LengthsCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// The cost model: `published` (between polygon centres) or `portals` (between portal midpoints).
    pub model: String,
    /// The mean error relative to the closest-point A*. [Units: %]
    pub mean_percent: f64,
    /// The largest error. [Units: %]
    pub max_percent: f64,
    /// The smallest error. Below 0, HNA*'s path is the shorter one. [Units: %]
    pub min_percent: f64,
    /// The number of paths.
    pub queries: usize,
    /// The number of paths as long as those of A* on the same costs, within 0.01%.
    pub same_as_astar: usize,
    /// Per path, the lengths by the closest-point A* and by HNA*. [Units: m]
    pub points: Vec<[f64; 2]>,
}

/// The paths of PCCP and of HNA* for the same queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PccpCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// The paths.
    pub paths: Vec<PccpPath>,
}

/// The lengths and costs of one query by HNA* and by PCCP.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PccpPath {
    /// The straight-line distance from start to goal. [Units: m]
    pub distance: f64,
    /// The length of HNA*'s path after string pulling. [Units: m]
    pub hna: f64,
    /// The length of PCCP's path after string pulling. [Units: m]
    pub pccp: f64,
    /// The cost of HNA*'s path. [Units: m]
    pub hna_cost: f64,
    /// The cost as PCCP counts it: from the start to the centre of its polygon, between the two centres,
    /// and from the last centre to the goal. [Units: m]
    pub over_centres: f64,
}

/// The times of HNA* on a partition with particular weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightsCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// The weights of the partition: `balanced`, `random nodes` or `random edges`.
    pub weights: String,
    /// The number of nodes of the level.
    pub nodes: usize,
    /// The size of the largest node divided by the mean size.
    pub balance: f64,
    /// The mean number of inter-edges per node, without islands.
    pub inter_edges_mean: f64,
    /// The maximum number of inter-edges of a node.
    pub inter_edges_max: usize,
    /// The times of HNA* with one A* per portal, as published.
    pub time: Timing,
    /// Per path, its length in metres and its time in microseconds.
    pub points: Vec<[f64; 2]>,
}

/// The comparison of all engines on one navmesh. Their costs are checked against Dijkstra's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineComparison {
    /// The name of the scene or map, or the kind and size of a generated world.
    pub scene: String,
    /// The kind of a generated world, `rooms` or `open`; `None` for a scene or a map.
    pub world: Option<String>,
    /// The number of polygons.
    pub polygons: usize,
    /// The merge factor of the hierarchy.
    pub mu: u32,
    /// The build times.
    pub build: BuildCell,
    /// The reason why hub labels could not be built; `None` if they were built.
    pub no_labels: Option<String>,
    /// The engines.
    pub engines: Vec<ComparedEngine>,
    /// The time to customize the same world for another profile.
    pub other_profile: ProfileCell,
    /// The times and path lengths of full queries; empty for scenes, maps and very large worlds.
    #[serde(default)]
    pub trade_off: Vec<TradeOffEngine>,
}

/// The time to build each part of an index from a navmesh. [Units: ms]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildCell {
    /// The time to partition the polygons into levels. [Units: ms]
    pub partition_ms: f64,
    /// The time to build the graph, inter-edges, intra-edges and all tables. [Units: ms]
    pub levels_ms: f64,
    /// The time to compute the contraction order. [Units: ms]
    pub order_ms: f64,
    /// The time to contract the graph, which is shared by all profiles. [Units: ms]
    pub contraction_ms: f64,
    /// The time to customize the contraction for one profile; the median of three runs. [Units: ms]
    pub customization_ms: f64,
    /// The time to compute hub labels, if they were built. [Units: ms]
    pub labels_ms: Option<f64>,
}

/// One engine of an [`EngineComparison`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedEngine {
    /// The name of the engine.
    pub engine: String,
    /// The requested result: `path`, or `distance` for the cost and the first crossing alone.
    pub want: String,
    /// The times of the search, without point location and waypoints.
    pub time: Timing,
    /// The memory that the engine needs in addition to the navmesh and its graph. [Units: bytes]
    pub bytes: usize,
    /// The time to build the data that the engine needs. [Units: ms]
    pub build_ms: f64,
    /// The number of answers whose cost differs from Dijkstra's; `None` if the engine is not exact.
    pub mismatches: Option<usize>,
}

/// The times of an engine's full queries and the lengths of its paths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TradeOffEngine {
    /// The name of the engine.
    pub engine: String,
    /// The times of location, search and waypoints together.
    pub time: Timing,
    /// The mean excess of the path length in the (x, z) plane over the shortest known path. [Units: %]
    pub mean_percent: f64,
    /// The 99th percentile of the excess. [Units: %]
    pub p99_percent: f64,
    /// The largest excess. [Units: %]
    pub max_percent: f64,
}

/// The time to customize an existing world for another profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileCell {
    /// The time to customize the contraction; the median of three runs. [Units: ms]
    pub contraction_ms: f64,
    /// The time to compute the intra-edges and tables of all levels; the median of three runs. [Units: ms]
    pub levels_ms: f64,
    /// The number of queries with that profile.
    pub queries: usize,
    /// The number of queries for which the contraction's cost differs from Dijkstra's.
    pub mismatches: usize,
}

/// The paths of one query by several engines, and the walls around them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleCell {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The paths.
    pub paths: Vec<ExamplePath>,
    /// Polygon borders without a portal: x and z of both endpoints.
    pub walls: Vec<[f32; 4]>,
}

/// A path in the (x, z) plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamplePath {
    /// The engine and level that found it.
    pub name: String,
    /// The length of the path. [Units: m]
    pub length: f64,
    /// The x and z coordinates of the waypoints.
    pub waypoints: Vec<[f32; 2]>,
}

impl Report {
    /// Returns the grid cells of a scene, by ascending merge factor.
    pub(crate) fn grid_of<'a>(&'a self, scene: &'a str) -> impl Iterator<Item = &'a GridCell> {
        self.grid.iter().filter(move |cell| cell.scene == scene)
    }

    /// Returns the grid cell of a scene and a merge factor.
    pub(crate) fn cell(&self, scene: &str, mu: u32) -> Option<&GridCell> {
        self.grid
            .iter()
            .find(|cell| cell.scene == scene && cell.mu == mu)
    }

    /// Returns the mean time of Portolan's A* on a scene, the reference of all speed-ups. A* does not
    /// depend on the merge factor, so this is the median over the cells of all merge factors.
    /// [Units: µs]
    pub(crate) fn astar_us(&self, scene: &str) -> f64 {
        let times: Vec<f64> = self.grid_of(scene).map(|c| c.astar.mean_us).collect();
        portolan_measure::percentile(&times, 0.5)
    }
}

impl EngineComparison {
    /// Returns the fastest engine that returns paths and whose name is `name`, with any level or tier.
    pub(crate) fn fastest(&self, name: &str) -> Option<&ComparedEngine> {
        let paths = self.engines.iter().filter(|engine| engine.want == "path");
        paths
            .filter(|engine| engine.engine.split(':').next() == Some(name))
            .min_by(|a, b| a.time.mean_us.total_cmp(&b.time.mean_us))
    }
}

impl ComparedEngine {
    /// Returns the name of the row in a table that lists path and distance queries.
    pub(crate) fn name(&self) -> String {
        match self.want.as_str() {
            "path" => self.engine.clone(),
            want => format!("{}, {want} only", self.engine),
        }
    }
}

impl GridCell {
    /// Returns a level of this hierarchy.
    pub(crate) fn level(&self, level: u8) -> Option<&LevelCell> {
        self.levels.iter().find(|cell| cell.level == level)
    }

    /// Returns an engine at a level, by its connecting method.
    pub(crate) fn engine(&self, level: u8, method: &str) -> Option<&EngineCell> {
        self.level(level)?.engine(method)
    }
}

impl LevelCell {
    /// Returns an engine by its connecting method.
    pub(crate) fn engine(&self, method: &str) -> Option<&EngineCell> {
        self.engines.iter().find(|engine| engine.method == method)
    }
}

impl Timing {
    /// Returns the spread of the rounds' means relative to their median.
    pub fn noise(&self) -> f64 {
        portolan_measure::relative_spread(&self.rounds_us)
    }
}
