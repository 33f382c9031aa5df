//! The commands of the program and their options.

mod bake;
mod batch;
mod bench;
mod heightmap;
mod index;
mod points;
mod probe;
mod terrain;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::Vec3;

pub(crate) use bake::{BakeArgs, LevelArgs, RebakeArgs};
pub(crate) use batch::BatchArgs;
pub(crate) use bench::{BenchArgs, UpdateKindName};
pub(crate) use heightmap::{Bits, HeightmapArgs};
pub(crate) use index::{IndexArgs, ModelName, TuneArgs, WeightsName};
pub(crate) use points::join_points;
use points::{half_extents, point};
pub(crate) use probe::ProbeArgs;
pub(crate) use terrain::{
    BuildArgs, IsochroneArgs, TerrainArgs, TerrainBenchArgs, TerrainCommand, TerrainPathArgs,
    TerrainReportArgs, WaveArgs,
};

/// Finds paths on navigation meshes.
///
/// Without a command it runs a demo of some seconds: it bakes a built-in level, builds an index,
/// compares the search engines in a table and draws a path as portolan-demo.svg.
#[derive(Parser)]
#[command(
    name = "portolan",
    version,
    after_help = "Examples:\n  \
                  portolan                                  run the demo\n  \
                  portolan scene city-islands -o city.obj   generate a level to experiment with\n  \
                  portolan bake city.obj -o city.pnav       build its navmesh\n  \
                  portolan index city.pnav -o city.pidx     precompute an index for fast queries\n  \
                  portolan bench city.pidx --random 1000    measure 1000 random queries\n  \
                  portolan path city.pidx --from -20,2,25 --to 150,2,-25 --snap 9,9,9 --svg path.svg\n\n\
                  Files: .pnav is a navmesh; .pidx is an index, which contains its navmesh; .pbake is a bake \
                  that can be updated tile by tile; .pter is a terrain.\n\
                  Exit codes: 0 success; 1 the command ran and its answer is no, for example no path; 2 wrong \
                  usage or wrong input, with one line on stderr."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The options that all commands have.
#[derive(Args)]
pub(crate) struct Common {
    /// Print only results, warnings and errors, without progress and summaries.
    #[arg(long, short, global = true, display_order = 900)]
    pub(crate) quiet: bool,
    /// Number of threads, 1 to 1024. Results do not depend on it [default: all cores; 1 for
    /// bench without --agents, tune and the demo; see `portolan bench --help` for hna:LEVEL:parallel].
    #[arg(long, global = true, display_order = 901, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Subcommand)]
pub(crate) enum CliCommand {
    /// Generate a built-in scene: level geometry (.obj) or a navmesh (.pnav)
    Scene(SceneArgs),
    /// Generate a height map (.png) from a built-in function or a formula
    Heightmap(HeightmapArgs),
    /// Build a navmesh (.pnav) from level geometry (.obj, .gltf, .glb)
    Bake(BakeArgs),
    /// Bake single tiles again after the level changed there
    Rebake(RebakeArgs),
    /// Convert a navmesh of another program (.bin, .mesh, .obj) to .pnav
    Import(ImportArgs),
    /// Convert a .pnav to .obj or to Polyanya's .mesh
    Export(ExportArgs),
    /// Precompute an index (.pidx) that makes queries on a navmesh fast
    Index(IndexArgs),
    /// Describe a file: .pnav, .pidx, .pbake or .pter
    Info(InfoArgs),
    /// Find one path on a navmesh
    Path(PathArgs),
    /// Find paths for many queries at once and write them as a table (.csv, .arrow)
    Batch(BatchArgs),
    /// Ask about the ground: nearest point, ray, sliding, walls, surroundings, random points
    Probe(ProbeArgs),
    /// Build terrain from a height map and find paths on it
    Terrain(TerrainArgs),
    /// Find the best merge factor and number of levels for a hierarchy by measurement
    Tune(TuneArgs),
    /// Measure search engines on many queries and check their answers
    Bench(BenchArgs),
    /// Repeat the evaluation of the HNA* papers, or compare two such reports
    Report(ReportArgs),
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan scene --list\n  \
                        portolan scene medieval -o town.obj\n  \
                        portolan scene tower -o tower.pnav --floors 20 --seed 7\n  \
                        portolan scene open -o hills.pnav --polygons 20000 --relief 8 --links\n\n\
                        There are two kinds of scenes. A level is geometry: its .obj is input for `portolan \
                        bake`, and its .pnav is baked with the default options. A world is generated as a \
                        navmesh, without a bake: the faces of its .obj are polygons, which `portolan import` \
                        reads.")]
pub(crate) struct SceneArgs {
    /// Name of the scene; see --list
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// File to write: .obj or .pnav
    #[arg(long, short, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// List the scenes and their numbers of polygons
    #[arg(long)]
    pub(crate) list: bool,
    /// Size of the scene. A level has about as many polygons as in the HNA* papers at size paper, ten
    /// times as many at large, and few at small, which is meant for tests. A world has 1000 polygons
    /// at small, 5500 at paper and 100 000 at large
    #[arg(long, default_value = "paper")]
    pub(crate) size: Size,
    /// Seed of the random numbers; another seed gives another scene of the same kind
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Number of storeys of the level `tower` or of a world, 1 to 256. The storeys of a world are 4 m
    /// apart, with ramps between them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), allow_hyphen_values = true)]
    pub(crate) floors: Option<u32>,
    /// Worlds only: number of polygons, 1 to 50 000 000, instead of --size. From 500 on, the result is
    /// within 10% of it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000), allow_hyphen_values = true)]
    pub(crate) polygons: Option<u32>,
    /// Worlds only: assign the areas 1, 2 and 3 to patches of ground, to try out cost factors
    #[arg(long)]
    pub(crate) areas: bool,
    /// Worlds only: add one-way and two-way off-mesh links. Needs a .pnav, because .obj has no links
    #[arg(long)]
    pub(crate) links: bool,
    /// Worlds only: how far the ground goes up and down, 0 to 1000 metres
    #[arg(long, value_name = "M", value_parser = relief, allow_hyphen_values = true)]
    pub(crate) relief: Option<f32>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Size {
    Small,
    Paper,
    Large,
}

/// The options that select which islands of a navmesh to keep.
#[derive(Args)]
pub(crate) struct Islands {
    /// Drop islands (connected components) with fewer than N polygons
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) min_component: u32,
    /// Keep only islands that contain this point; may be given several times to keep several islands
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--holding"), allow_hyphen_values = true)]
    pub(crate) holding: Vec<Vec3>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum UpAxis {
    Y,
    Z,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan import all_tiles_navmesh.bin -o level.pnav\n  \
                        portolan import arena.mesh -o arena.pnav\n  \
                        portolan import level.obj -o level.pnav --min-component 10\n\n\
                        Formats: .bin is a Detour tile set (MSET version 1 with tiles of version 7), .mesh is \
                        Polyanya's format, version 2, and each face of an .obj becomes one polygon. Every \
                        polygon must be convex."
)]
pub(crate) struct ImportArgs {
    /// Navmesh of another program: .bin, .mesh or .obj
    pub(crate) foreign: PathBuf,
    /// File to write: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Largest height difference at which two polygon edges that overlap in plan become a portal, in
    /// metres: the step that agents can climb [default: the value in the file, else 0.9]
    #[arg(long, value_name = "M", value_parser = metres, allow_hyphen_values = true)]
    pub(crate) step: Option<f32>,
    /// Connect polygons only along edges with common vertices. Use this if walls have no thickness, so
    /// that polygons on their two sides stay separate
    #[arg(long, conflicts_with = "step")]
    pub(crate) no_border_matching: bool,
    /// How far a vertex may lie inside the line through its two neighbours before its polygon counts as
    /// not convex, in metres. Paths may leave a polygon by as much [default: 0.01, or more if the
    /// coordinates are coarsely rounded]
    #[arg(long, value_name = "M", value_parser = metres, allow_hyphen_values = true)]
    pub(crate) convexity_tolerance: Option<f32>,
    #[command(flatten)]
    pub(crate) islands: Islands,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan export level.pnav -o level.obj\n  \
                        portolan export level.pnav -o level.mesh"
)]
pub(crate) struct ExportArgs {
    /// Navmesh: .pnav
    pub(crate) world: PathBuf,
    /// File to write: .obj, with one face per polygon, or .mesh, Polyanya's format. Neither stores links,
    /// flags, user ids and detail triangles; .mesh does not store areas and heights either
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan info level.pnav\n  portolan info level.pidx --json\n  portolan info hills.pter"
)]
pub(crate) struct InfoArgs {
    /// File to describe: .pnav, .pidx, .pbake or .pter
    pub(crate) file: PathBuf,
    /// Print JSON, with more details than the text
    #[arg(long)]
    pub(crate) json: bool,
    /// Check everything about a .pidx, also that its shortcuts are paths. Other commands check that the file is not
    /// damaged and safe to use
    #[arg(long, conflicts_with = "trust")]
    pub(crate) check: bool,
    /// Open the .pidx without checking it, which takes a few milliseconds for any size. Only for files that
    /// `portolan index` wrote and nothing has changed since: with others the command may crash or answer wrongly
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan path level.pnav --from 3,0,3 --to 40,0,30\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine auto:best\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine auto:exact --svg exact.svg --show-search\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine hna:2\n  \
                        portolan path level.pnav --from 3,0,3 --to 40,0,30 --json --svg path.svg\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --svg nodes.svg --level 1\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine astar --svg astar.svg --show-search\n  \
                        portolan path level.pnav --from 3,0,3 --to 12,6,30 --partial\n\n\
                        Engines for any file:\n  \
                        auto         the best engine that the file supports: exact paths where they cost no more,\n               \
                        else contraction, else hna, else astar; the output says which tier answered\n  \
                        astar        A* on the graph of portal midpoints\n  \
                        dijkstra     Dijkstra's algorithm on the same graph; slow, to check the others\n  \
                        closest      A* that crosses each portal at the point nearest to its previous point; costs are not exact\n\
                        Engines for a .pidx that was built for them:\n  \
                        contraction  a customizable contraction hierarchy; the fastest for single paths\n  \
                        labels       hub labels; for very many distances on a navmesh that does not change\n  \
                        hna          HNA*, at the level that suits start and goal\n  \
                        hna:2        HNA* at level 2\n  \
                        hna:2:table  HNA* at level 2; start and goal are connected to it by table (a lookup),\n               \
                        dijkstra (one search), astar or parallel (one search per inter-edge)\n  \
                        pccp         HNA* with precomputed connecting paths from polygon centres, as published;\n               \
                        pccp:2 uses level 2; costs are not exact\n\n\
                        Quality tiers: a suffix selects the tier of auto and contraction, as in auto:best. The \
                        tier fast searches the graph of portal midpoints, like all other engines, and its costs \
                        are exact there. The tiers default and best give shorter paths and take more memory. \
                        auto:exact finds the shortest path in plan, that is in (x, z), among all paths on the \
                        navmesh; slopes are not counted. Its cost is the length in plan times the cost per \
                        metre, plus the costs of links. It needs the same cost per metre on all open ground: \
                        with a profile that gives areas different costs, auto:exact is an error, and auto uses \
                        the tier default. Without a suffix, the tier is exact if the index was built so \
                        (`portolan info` says it), else default; if the index has neither, auto uses fast.\n\n\
                        Statuses: found, partial, no_path, start_off_mesh, goal_off_mesh, start_closed, \
                        goal_closed. The exit code is 1 if there is no path to show.\n\n\
                        A profile is a TOML file: forbidden = [7] closes areas; include_flags and exclude_flags \
                        select polygons by their flags; links = false closes off-mesh links; the table [factors] \
                        has the cost per metre of an area, as in 3 = 2.5."
)]
pub(crate) struct PathArgs {
    /// Navmesh (.pnav) or index (.pidx)
    pub(crate) world: PathBuf,
    /// Start of the path, in metres; y is up
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--from"), allow_hyphen_values = true)]
    pub(crate) from: Vec3,
    /// Goal of the path, in metres; y is up
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--to"), allow_hyphen_values = true)]
    pub(crate) to: Vec3,
    /// Search engine; the list is below
    #[arg(long, value_name = "E", default_value = "auto")]
    pub(crate) engine: String,
    /// Costs of the agent and where it may go, as TOML (see below). If it is not the profile that the
    /// index was built with, shortcuts, intra-edges and tables are recomputed before the query [default:
    /// the profile of the index]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Close the polygon at this point before the query, as a game does with a door; may be repeated. --snap applies, and a
    /// picture shows closed ground in dark red
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--block"), allow_hyphen_values = true)]
    pub(crate) block: Vec<Vec3>,
    /// Put a disc with this centre and radius, 2 m high, on the ground before the query; may be repeated. Agents keep 0.6 m
    /// away from it
    #[arg(long, value_name = "X,Y,Z,R", value_parser = disc, allow_hyphen_values = true, conflicts_with_all = ["level", "show_search"])]
    pub(crate) disc: Vec<[f32; 4]>,
    /// If the goal cannot be reached, find a path to the reachable point that is nearest to it
    #[arg(long)]
    pub(crate) partial: bool,
    /// Ignore paths that cost more than this, at least 0. The cost is in metres, times the factors of
    /// the profile [default: no limit]
    #[arg(long, value_name = "C", value_parser = metres, allow_hyphen_values = true)]
    pub(crate) max_cost: Option<f32>,
    /// Largest distance per axis from --from and --to to the nearest polygon, 0 to 1e8 metres. Use more
    /// if points are not on the ground
    #[arg(long, value_name = "X,Y,Z", value_parser = half_extents, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// Print JSON: status, lengths, cost, polygons, waypoints, links, engine, tier and times
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the navmesh, the corridor and the waypoints
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// In the picture, colour the nodes of this level of the hierarchy. From level 1 on it also shows
    /// inter-edges as red dots, the intra-edges of nodes on the path as yellow lines, the connections of
    /// start and goal as white lines, and the path at that level in blue
    #[arg(long, value_name = "N", requires = "svg")]
    pub(crate) level: Option<u8>,
    /// In the picture, show the intra-edges of all nodes, not only of those on the path
    #[arg(long, requires = "level")]
    pub(crate) all_intra_edges: bool,
    /// In the picture, show what the search visited: the settled vertices of astar, dijkstra and
    /// closest; the inter-edges and intra-edges of hna and pccp; the paths that contraction climbs from
    /// start and goal to the root, with a ring where they meet; what start and goal see of the ground and
    /// its corners for auto:exact. Excludes --partial, --max-cost and --level
    #[arg(long, requires = "svg", conflicts_with_all = ["level", "partial", "max_cost"])]
    pub(crate) show_search: bool,
    /// Open the .pidx without checking it, which takes a few milliseconds for any size. Only for files that
    /// `portolan index` wrote and nothing has changed since: with others the command may crash or answer wrongly
    #[arg(long)]
    pub(crate) trust: bool,
}

/// Parses the value of `--disc`, in metres.
fn disc(text: &str) -> Result<[f32; 4], String> {
    let disc = points::numbers::<4>("--disc 4,0,3,1")(text)?;
    let [.., radius] = disc;
    let is_valid = radius > 0.0;
    is_valid
        .then_some(disc)
        .ok_or_else(|| "the radius must be more than 0".to_owned())
}

/// Parses the value of `--relief`, in metres.
fn relief(text: &str) -> Result<f32, String> {
    metres(text)
        .ok()
        .filter(|&relief| relief <= 1000.0)
        .ok_or_else(|| "expected a number from 0 to 1000".to_owned())
}

/// Parses a finite number that is not negative.
fn metres(text: &str) -> Result<f32, String> {
    let number = text
        .trim()
        .parse()
        .ok()
        .filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a finite number of at least 0".to_owned())
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan report -o report --quick\n  \
                        portolan report -o report --maps level.pnav town.obj\n  \
                        portolan report -o report --scenes city-islands,sirius --mu 6,10,20\n  \
                        portolan report -o report --from report/report.json --peers peers.json\n  \
                        portolan report --diff before/report.json after/report.json\n\n\
                        The report repeats the evaluations of HNA* (Pelechano and Fuentes 2016) and MA-HNA* \
                        (Rahmani and Pelechano 2020) and adds the other engines. A full run takes 5 to \
                        30 minutes, --quick one to two.\n\
                        DIR receives index.html, which needs no network, figures/*.svg, tables/*.csv, and \
                        report.json with all numbers. An interrupted run continues where it stopped if you start \
                        it again with the same options.")]
pub(crate) struct ReportArgs {
    /// Folder to write the report to; it is created if it does not exist
    #[arg(long, short, value_name = "DIR", required_unless_present = "diff")]
    pub(crate) output: Option<PathBuf>,
    /// Measure on these navmeshes too: .pnav, or .obj whose faces are polygons
    #[arg(long, value_name = "FILES", num_args = 1.., value_delimiter = ',')]
    pub(crate) maps: Vec<PathBuf>,
    /// Measure fewer merge factors, levels and paths. The run takes one to two minutes, and its numbers
    /// are less certain
    #[arg(long)]
    pub(crate) quick: bool,
    /// Built-in scenes to measure on, separated by commas, or `none` [default: the nine scenes of the
    /// papers]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) scenes: Option<Vec<String>>,
    /// Merge factors to measure, 2 to 1000 each [default: 2 to 10, 12, 14, 15, 16, 18, 20; fewer with
    /// --quick]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) mu: Option<Vec<u32>>,
    /// Number of paths per combination of scene, merge factor and level, 1 to 100 000 [default: 120; 30
    /// with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) queries: Option<u32>,
    /// Numbers of polygons, 100 to 10 000 000 each, of the worlds `rooms` and `open` on which all
    /// engines are compared [default: 1000,3000,12000,36000,88000; 500,2000 with --quick]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub(crate) world_sizes: Option<Vec<u32>>,
    /// Seed of scenes and queries; another seed gives others of the same kind
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Add the comparison with other libraries that `cargo xtask peers --json` wrote
    #[arg(long, value_name = "PEERS.json")]
    pub(crate) peers: Option<PathBuf>,
    /// Measure a graphics card too, or the program that emulates one. Build portolan with `--features gpu`
    #[arg(long)]
    pub(crate) gpu: bool,
    /// Compare two reports and list what became faster or slower from A to B
    #[arg(long, value_names = ["A.json", "B.json"], num_args = 2, conflicts_with_all = ["output", "maps", "quick", "scenes", "mu", "queries", "world_sizes", "from", "peers", "gpu"])]
    pub(crate) diff: Option<Vec<PathBuf>>,
    /// Write page, figures and tables from this report.json, without measuring again
    #[arg(long, value_name = "A.json", conflicts_with_all = ["maps", "quick", "scenes", "mu", "queries", "world_sizes", "gpu"])]
    pub(crate) from: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }
}
