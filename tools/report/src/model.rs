//! Every number of a report, as its JSON holds it. Times are microseconds, lengths metres.

use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::options::Effort;
use crate::peers::PeersRun;

/// What `report.json` is.
pub const FORMAT: &str = "portolan report 1";

/// One run. The page is made of nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// Portolan's version.
    pub version: String,
    /// When it ended, UTC.
    pub date: String,
    /// Where it ran.
    pub machine: Machine,
    /// How much was measured.
    pub effort: Effort,
    /// How long it took, interruptions not counted. [Units: s]
    pub seconds: f64,
    /// The scenes.
    pub scenes: Vec<SceneCell>,
    /// Scene after scene, merge factor after merge factor.
    pub grid: Vec<GridCell>,
    /// What levels take in memory.
    pub memory: Vec<MemoryCell>,
    /// Lengths against A*.
    pub lengths: Vec<LengthsCell>,
    /// Lengths of PCCP against those of HNA*.
    pub pccp: Vec<PccpCell>,
    /// Balanced against random weights.
    pub weights: Vec<WeightsCell>,
    /// Paths to look at.
    pub examples: Vec<ExampleCell>,
    /// Engines that the papers do not have beside those that they do.
    #[serde(default)]
    pub beyond: Vec<BeyondCell>,
    /// Others, measured in a run of their own.
    #[serde(default)]
    pub peers: Option<PeersRun>,
}

/// What is measured at a time, and kept when a run is interrupted.
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
    Beyond(Box<BeyondCell>),
}

/// Several of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MemoryCells {
    pub(crate) cells: Vec<MemoryCell>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LengthsCells {
    pub(crate) cells: Vec<LengthsCell>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightsCells {
    pub(crate) cells: Vec<WeightsCell>,
}

/// A scene or a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneCell {
    /// Its name, which the other cells repeat.
    pub scene: String,
    /// Whether it is a navmesh of the user's.
    pub is_map: bool,
    /// Triangles of the geometry; none where it came as a navmesh.
    pub triangles_in: Option<usize>,
    /// Triangles of the navmesh, before they are merged into polygons.
    pub triangles_out: usize,
    /// Polygons.
    pub polygons: usize,
    /// Portals.
    pub portals: usize,
    /// Connected components.
    pub components: usize,
    /// Polygons of the largest, where queries begin and end.
    pub largest: usize,
    /// Geometry to navmesh.
    pub bake_ms: f64,
}

/// One merge factor: a hierarchy, and what every engine takes on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// Navmesh to partition.
    pub partition_ms: f64,
    /// Partition to hierarchy, intra-edges and all tables.
    pub index_ms: f64,
    /// Portolan's A*, level 0.
    pub astar: Timing,
    /// A* that crosses portals at the closest point.
    pub closest: Timing,
    /// Finding the polygons of start and goal; in no other time of this cell.
    pub locate_us: f64,
    /// Corridor and waypoints of A*'s answers; in no other time of this cell.
    pub waypoints_us: f64,
    /// From level 1 on.
    pub levels: Vec<LevelCell>,
}

/// One level of a hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelCell {
    /// The level.
    pub level: u8,
    /// Its nodes.
    pub nodes: usize,
    /// Of these, islands: nothing leads to them.
    pub islands: usize,
    /// The largest node over the mean one.
    pub balance: f64,
    /// Inter-edges a node, on average; islands do not count.
    pub inter_edges_mean: f64,
    /// The most of a node.
    pub inter_edges_max: usize,
    /// The papers' bound for nodes of exactly mu^x polygons.
    pub published_bound: f64,
    /// The bound that holds for the nodes there are.
    pub bound: i64,
    /// Queries whose ends share a node: those search the whole mesh.
    pub same_node: usize,
    /// One query, the same at all levels: what table 4.2 of the thesis lists.
    pub probe: Probe,
    /// Portals of start's and goal's node together, mean over the queries.
    pub portals_mean: f64,
    /// Engines at this level.
    pub engines: Vec<EngineCell>,
}

/// The connect step of one query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Inter-edges of the start's node.
    pub portals_start: usize,
    /// Of the goal's.
    pub portals_goal: usize,
    /// One A* a portal, as published.
    pub connect_us: f64,
}

/// An engine at a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineCell {
    /// How it connects: `astar`, `parallel`, `dijkstra`, `table`, or `pccp`.
    pub method: String,
    /// Step 1: nodes of start and goal.
    pub get_us: f64,
    /// Step 2: to the inter-edges of their nodes.
    pub connect_us: f64,
    /// Step 3: over inter-edges.
    pub search_us: f64,
    /// Step 4: what lies under them.
    pub extract_us: f64,
    /// All of it.
    pub time: Timing,
    /// Answers whose cost is not A*'s; none for PCCP, which does not promise it.
    pub mismatches: Option<usize>,
}

/// What searches took. Of each query the median of its rounds counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Mean over the queries.
    pub mean_us: f64,
    /// What half of them do not exceed.
    pub median_us: f64,
    /// What 99% do not.
    pub p99_us: f64,
    /// The slowest.
    pub max_us: f64,
    /// Queries.
    pub queries: usize,
    /// The mean of every round by itself: how far they lie apart is the noise.
    pub rounds_us: Vec<f64>,
}

/// Bytes of a hierarchy with so many levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The highest level.
    pub levels: u8,
    /// Nodes and inter-edges.
    pub hierarchy: usize,
    /// Intra-edges.
    pub intra_edges: usize,
    /// Exact connect tables.
    pub tables: usize,
    /// PCCP's tables.
    pub pccp: usize,
}

/// Lengths of HNA*'s paths, pulled taut, against those of the papers' A*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LengthsCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// `published`: centre to centre; `portals`: over the middles of portals.
    pub model: String,
    /// Mean error against the closest-point A*. [Units: %]
    pub mean_percent: f64,
    /// The largest.
    pub max_percent: f64,
    /// The least: below 0, HNA*'s path is the shorter one.
    pub min_percent: f64,
    /// Paths.
    pub queries: usize,
    /// Paths as long as those of A* on the same costs, within 0.01%.
    pub same_as_astar: usize,
    /// Length by the closest-point A* and by HNA*, a pair a path.
    pub points: Vec<[f64; 2]>,
}

/// PCCP against HNA* on the same queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PccpCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// The paths.
    pub paths: Vec<PccpPath>,
}

/// One path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PccpPath {
    /// From start to goal as the crow flies.
    pub distance: f64,
    /// HNA*'s path, pulled taut.
    pub hna: f64,
    /// PCCP's path, pulled taut.
    pub pccp: f64,
    /// HNA*'s cost.
    pub hna_cost: f64,
    /// What PCCP counts: from the start to the centre of its polygon, between centres, and to the
    /// goal.
    pub over_centres: f64,
}

/// A partition by other weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightsCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// `balanced`, `random nodes` or `random edges`.
    pub weights: String,
    /// Nodes of the level.
    pub nodes: usize,
    /// The largest node over the mean one.
    pub balance: f64,
    /// Inter-edges a node, on average; islands do not count.
    pub inter_edges_mean: f64,
    /// The most of a node.
    pub inter_edges_max: usize,
    /// HNA* as published.
    pub time: Timing,
    /// Length of each path and the time it took, a pair a path.
    pub points: Vec<[f64; 2]>,
}

/// All engines on one world, in one run, their answers compared with Dijkstra's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeyondCell {
    /// The scene, the map, or the world with its size.
    pub scene: String,
    /// `rooms` or `open`, of a world; none of a scene or a map.
    pub world: Option<String>,
    /// Its polygons.
    pub polygons: usize,
    /// The merge factor of the levels.
    pub mu: u32,
    /// What making it took.
    pub build: BuildCell,
    /// Why there are no hub labels, where there are none.
    pub no_labels: Option<String>,
    /// What engines take.
    pub engines: Vec<BeyondEngine>,
    /// The same world for another kind of agent.
    pub other_profile: ProfileCell,
    /// Time and length of whole queries, on worlds that are not too large.
    #[serde(default)]
    pub trade_off: Vec<TradeOffEngine>,
}

/// Milliseconds from the navmesh on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildCell {
    /// Polygons to levels.
    pub partition_ms: f64,
    /// Levels to inter-edges, intra-edges and all tables.
    pub levels_ms: f64,
    /// The ranks of the contraction.
    pub order_ms: f64,
    /// Ranks to arcs, for any profile.
    pub contraction_ms: f64,
    /// Arcs to shortcuts, for one profile. The median of three.
    pub customization_ms: f64,
    /// Shortcuts to hub labels, where there are any.
    pub labels_ms: Option<f64>,
}

/// An engine among all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeyondEngine {
    /// Its name.
    pub engine: String,
    /// `path`, or `distance`: its cost and first crossing alone.
    pub want: String,
    /// Searches, without location and waypoints.
    pub time: Timing,
    /// What it needs in memory beyond the navmesh and its graph.
    pub bytes: usize,
    /// What making that took.
    pub build_ms: f64,
    /// Answers whose cost is not Dijkstra's; none where the least is not promised.
    pub mismatches: Option<usize>,
}

/// An engine's whole queries, and how long its paths are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TradeOffEngine {
    /// Its name.
    pub engine: String,
    /// Location, search and waypoints.
    pub time: Timing,
    /// Excess of lengths from above over the shortest known, mean. [Units: %]
    pub mean_percent: f64,
    /// What 99% do not exceed.
    pub p99_percent: f64,
    /// The largest.
    pub max_percent: f64,
}

/// What another profile takes on a world that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileCell {
    /// The shortcuts of the contraction. The median of three.
    pub contraction_ms: f64,
    /// Intra-edges and tables of all levels. The median of three.
    pub levels_ms: f64,
    /// Queries of that profile.
    pub queries: usize,
    /// Those that the contraction answers with another cost than Dijkstra's.
    pub mismatches: usize,
}

/// One query's paths, and the walls around them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleCell {
    /// The scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The paths.
    pub paths: Vec<ExamplePath>,
    /// Borders without a portal, seen from above: x and z of both ends.
    pub walls: Vec<[f32; 4]>,
}

/// A path, seen from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamplePath {
    /// What found it.
    pub name: String,
    /// How long it is.
    pub length: f64,
    /// x and z of its waypoints.
    pub waypoints: Vec<[f32; 2]>,
}

impl Report {
    /// A scene's cells of the grid, by rising merge factor.
    pub(crate) fn grid_of<'a>(&'a self, scene: &'a str) -> impl Iterator<Item = &'a GridCell> {
        self.grid.iter().filter(move |cell| cell.scene == scene)
    }

    /// One of them.
    pub(crate) fn cell(&self, scene: &str, mu: u32) -> Option<&GridCell> {
        self.grid
            .iter()
            .find(|cell| cell.scene == scene && cell.mu == mu)
    }

    /// Portolan's A* on a scene, the median over all merge factors, of which it knows none: what
    /// speed-ups are over. [Units: us]
    pub(crate) fn astar_us(&self, scene: &str) -> f64 {
        let times: Vec<f64> = self.grid_of(scene).map(|c| c.astar.mean_us).collect();
        portolan_measure::percentile(&times, 0.5)
    }
}

impl BeyondCell {
    /// The fastest of the engines whose names begin so, and that give a path.
    pub(crate) fn fastest(&self, name: &str) -> Option<&BeyondEngine> {
        let paths = self.engines.iter().filter(|engine| engine.want == "path");
        paths
            .filter(|engine| engine.engine.split(':').next() == Some(name))
            .min_by(|a, b| a.time.mean_us.total_cmp(&b.time.mean_us))
    }
}

impl BeyondEngine {
    /// How it is called where not only paths are compared.
    pub(crate) fn name(&self) -> String {
        match self.want.as_str() {
            "path" => self.engine.clone(),
            want => format!("{}, {want} only", self.engine),
        }
    }
}

impl GridCell {
    /// One of its levels.
    pub(crate) fn level(&self, level: u8) -> Option<&LevelCell> {
        self.levels.iter().find(|cell| cell.level == level)
    }

    /// An engine's mean at a level.
    pub(crate) fn engine(&self, level: u8, method: &str) -> Option<&EngineCell> {
        self.level(level)?.engine(method)
    }
}

impl LevelCell {
    /// One of its engines.
    pub(crate) fn engine(&self, method: &str) -> Option<&EngineCell> {
        self.engines.iter().find(|engine| engine.method == method)
    }
}

impl Timing {
    /// How far the rounds lie apart, over their median.
    pub fn noise(&self) -> f64 {
        portolan_measure::relative_spread(&self.rounds_us)
    }
}
