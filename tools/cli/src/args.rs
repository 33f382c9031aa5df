//! Verbs and their options.

mod bake;
mod heightmap;
mod index;
mod points;
mod terrain;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::Vec3;

pub(crate) use bake::{BakeArgs, LevelArgs, RebakeArgs};
pub(crate) use heightmap::{Bits, HeightmapArgs};
pub(crate) use index::{IndexArgs, ModelName, TuneArgs, WeightsName};
pub(crate) use points::join_points;
use points::{half_sizes, point};
pub(crate) use terrain::{
    BuildArgs, GroundEngine, TerrainArgs, TerrainPathArgs, TerrainReportArgs, TerrainVerb, WaveArgs,
};

/// Finds paths on navigation meshes.
///
/// Without a verb: the demo, which makes a world, asks it for paths with several engines, shows a
/// table and draws a picture.
#[derive(Parser)]
#[command(
    name = "portolan",
    version,
    after_help = "Examples:\n  portolan                                    the demo\n  \
                  portolan scene city-islands -o city.obj     a level to try things on\n  \
                  portolan bake city.obj -o city.pnav         its navmesh\n  \
                  portolan index city.pnav -o city.pidx       what makes paths on it fast\n  \
                  portolan bench city.pidx --random 1000      how fast paths are on it\n  \
                  portolan path level.pnav --from 3,0,3 --to 40,0,30 --svg path.svg\n\n\
                  Exit codes: 0 done, 1 the answer is no (no path, off the mesh), 2 bad input."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every verb takes.
#[derive(Args)]
pub(crate) struct Common {
    /// Only results and errors: no progress, no summaries.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Threads to work with. Answers do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Make a built-in scene: a level to bake, as .obj, or a world, as .pnav
    Scene(SceneArgs),
    /// Make a height map, as .png: a built-in function, or a formula
    Heightmap(HeightmapArgs),
    /// Turn level geometry (.obj, .gltf, .glb) into a navmesh
    Bake(BakeArgs),
    /// Bake some tiles of a kept bake (.pbake) again, after the level changed there
    Rebake(RebakeArgs),
    /// Read somebody else's navmesh, check it and write it as .pnav
    Import(ImportArgs),
    /// Write a .pnav as .obj (faces are the polygons) or Polyanya .mesh
    Export(ExportArgs),
    /// Build what makes paths on a navmesh fast: a contraction, a hierarchy
    Index(IndexArgs),
    /// Say what is in a file of ours
    Info(InfoArgs),
    /// Find one path
    Path(PathArgs),
    /// Natural ground: from a height map to meshes, paths and waves
    Terrain(TerrainArgs),
    /// Find the merge factor and levels that suit a world, by measurement
    Tune(TuneArgs),
    /// Measure engines on many queries, and check their answers
    Bench(BenchArgs),
    /// Remake the papers' tables and figures by measurement, or compare two such reports
    Report(ReportArgs),
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan scene --list\n  \
                        portolan scene medieval -o town.obj\n  \
                        portolan scene tower -o tower.pnav --floors 20 --seed 7\n  \
                        portolan scene open -o hills.pnav --polygons 20000 --relief 8 --links\n\n\
                        A level is geometry: as .obj it is for `portolan bake`, as .pnav it comes \
                        baked with the default options. A world is a navmesh made without a bake: \
                        the faces of its .obj are the polygons, for `portolan import`.")]
pub(crate) struct SceneArgs {
    /// Which scene; --list names them
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// Where to write it: .obj or .pnav
    #[arg(long, short, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Name the scenes there are, with the polygons of each size
    #[arg(long)]
    pub(crate) list: bool,
    /// How large: a level has its paper's number of polygons at size paper and ten times as many at
    /// large, small is for tests; a world has 5 500, 100 000 and 1 000
    #[arg(long, default_value = "paper")]
    pub(crate) size: Size,
    /// Another seed gives another scene of the same kind
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Storeys: of the tower, or of a world, 4 m apart and joined by ramps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), allow_hyphen_values = true)]
    pub(crate) floors: Option<u32>,
    /// Worlds: how large, in polygons (met within 10% from 500 on); overrides --size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50_000_000), allow_hyphen_values = true)]
    pub(crate) polygons: Option<u32>,
    /// Worlds: give patches of ground the areas 1, 2 and 3
    #[arg(long)]
    pub(crate) areas: bool,
    /// Worlds: add off-mesh links, one-way and two-way (.pnav only: .obj cannot hold them)
    #[arg(long)]
    pub(crate) links: bool,
    /// Worlds: metres by which the ground goes up and down
    #[arg(long, value_name = "M", value_parser = relief, allow_hyphen_values = true)]
    pub(crate) relief: Option<f32>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Size {
    Small,
    Paper,
    Large,
}

/// Which islands stay.
#[derive(Args)]
pub(crate) struct Islands {
    /// Drop islands with fewer polygons
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) min_component: u32,
    /// Drop islands that hold none of these points; may be given several times
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
                        .bin is a Detour tile set (MSET 1, tiles of version 7), .mesh is Polyanya's \
                        version 2, the faces of an .obj are taken as the polygons."
)]
pub(crate) struct ImportArgs {
    /// The foreign navmesh: .bin, .mesh or .obj
    pub(crate) foreign: PathBuf,
    /// Where to write it: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Metres of height between two borders that still lie on one another [default: as the file
    /// says, or 0.9]
    #[arg(long, value_name = "M", value_parser = metres, allow_hyphen_values = true)]
    pub(crate) step: Option<f32>,
    /// Match borders by common corners only; for meshes whose walls have no thickness
    #[arg(long, conflicts_with = "step")]
    pub(crate) no_border_matching: bool,
    /// Metres by which a corner may dent its polygon [default: 0.01, or what the coordinates'
    /// rounding asks for]
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
    /// The navmesh
    pub(crate) world: PathBuf,
    /// Where to write it: .obj or .mesh
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan info level.pnav\n  portolan info level.pidx --json\n  portolan info hills.pter"
)]
pub(crate) struct InfoArgs {
    /// The file
    pub(crate) file: PathBuf,
    /// For programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan path level.pnav --from 3,0,3 --to 40,0,30\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine auto:best\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine hna:2\n  \
                        portolan path level.pnav --from 3,0,3 --to 40,0,30 --json --svg path.svg\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --svg nodes.svg --level 1\n  \
                        portolan path level.pidx --from 3,0,3 --to 40,0,30 --engine astar --svg astar.svg --show-search\n  \
                        portolan path level.pnav --from 3,0,3 --to 12,6,30 --partial\n\n\
                        Engines, on any world: auto, astar, dijkstra, closest (crosses portals at the \
                        point closest to where it comes from). On an index, those that it was made \
                        for: contraction; labels; hna chooses its level, \
                        hna:2 searches level 2, hna:2:dijkstra says how start and goal are connected \
                        (astar, parallel, dijkstra, table); pccp and pccp:2 connect from the centres \
                        of polygons, as published. auto is contraction where there is one, else hna \
                        where there is a hierarchy, else astar.\n\
                        Tiers: auto and contraction may end in a quality tier that the index has. :fast is \
                        the graph of portals' middles with exact sums, on which all other engines work, \
                        too; without an ending they are at the default tier, whose paths are shorter; \
                        :best are shorter still. auto does what auto:fast does where there is no default \
                        tier. `portolan index --tiers` says which an index has.\n\
                        Statuses: found, partial, no_path, start_off_mesh, goal_off_mesh. The exit \
                        code is 1 when there is no path to show.\n\
                        A profile is TOML: forbidden = [7], include_flags, exclude_flags, links = \
                        false, and under [factors] what a metre costs by area: 3 = 2.5."
)]
pub(crate) struct PathArgs {
    /// The world: .pnav or .pidx
    pub(crate) world: PathBuf,
    /// Where the agent stands, in metres, y up
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--from"), allow_hyphen_values = true)]
    pub(crate) from: Vec3,
    /// Where it wants to be
    #[arg(long, value_name = "X,Y,Z", value_parser = point("--to"), allow_hyphen_values = true)]
    pub(crate) to: Vec3,
    /// How to search; the engines are below
    #[arg(long, value_name = "E", default_value = "auto")]
    pub(crate) engine: String,
    /// What the agent pays and where it may go, as TOML [default: the profile of the index]. For
    /// another one than the index was made with, shortcuts, intra-edges and tables are made anew first
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Where the goal is on the mesh but out of reach, go as near as one can get
    #[arg(long)]
    pub(crate) partial: bool,
    /// Give up on paths that cost more
    #[arg(long, value_name = "C", value_parser = metres, allow_hyphen_values = true)]
    pub(crate) max_cost: Option<f32>,
    /// How far a point may be from its polygon: half the size of a box
    #[arg(long, value_name = "X,Y,Z", value_parser = half_sizes, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// For programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw mesh, corridor and waypoints
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// In the picture, a colour for each node of this level. From level 1 on also red dots for its
    /// inter-edges, yellow lines for the intra-edges of the nodes that the path leads through, white
    /// lines from start and goal to the inter-edges of their nodes, and in blue the path as that
    /// level knows it
    #[arg(long, value_name = "N", requires = "svg")]
    pub(crate) level: Option<u8>,
    /// Yellow lines for the intra-edges of all nodes
    #[arg(long, requires = "level")]
    pub(crate) all_intra_edges: bool,
    /// In the picture, what the engine looked at: of astar and dijkstra the vertices that they settled,
    /// of hna:LEVEL the inter-edges and intra-edges, of contraction, and of auto where there is one, the
    /// chains of start and goal and, as a ring, where the path turns from one to the other. Not for
    /// other engines, nor with --partial, --max-cost or --level
    #[arg(long, requires = "svg", conflicts_with_all = ["level", "partial", "max_cost"])]
    pub(crate) show_search: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan bench level.pnav --random 1000 --seed 7\n  \
                        portolan bench level.pnav --queries Q.csv --engines astar,dijkstra \
                        --json bench.json --lengths lengths.csv\n  \
                        portolan bench level.pidx --engines contraction,astar,hna:1:dijkstra,hna:2:table,pccp:2\n  \
                        portolan bench level.pidx --engines contraction:fast,contraction,contraction:best \
                        --lengths lengths.csv\n\n\
                        Queries are CSV with the columns sx,sy,sz,gx,gy,gz. Engines take turns on \
                        each query; times are medians over the rounds, in microseconds. The steps \
                        of a search over a hierarchy (nodes, connect, overlay, extract) are timed in \
                        rounds of their own, so that the clock does not slow the search that is \
                        compared. `portolan path --help` lists the engines and their tiers. Costs of engines \
                        that promise the least on the graph are compared with Dijkstra's; those of the \
                        tiers default and best do not: --lengths compares paths."
)]
pub(crate) struct BenchArgs {
    /// The world: .pnav or .pidx
    pub(crate) world: PathBuf,
    /// Queries to ask
    #[arg(long, value_name = "Q.csv", conflicts_with_all = ["random", "seed"])]
    pub(crate) queries: Option<PathBuf>,
    /// Ask this many random queries, spread over the ground of the largest component
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000), allow_hyphen_values = true)]
    pub(crate) random: u32,
    /// Another seed asks other queries
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Engines to compare [default: auto,astar,dijkstra, and what an index has of contraction at each
    /// tier, labels, hna, pccp and hna at each level]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) engines: Option<Vec<String>>,
    /// How often each query is timed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// How far a point may be from its polygon: half the size of a box
    #[arg(long, value_name = "X,Y,Z", value_parser = half_sizes, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// What the agents pay and where they may go, as TOML [default: the profile of the index]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Write all figures
    #[arg(long, value_name = "OUT.json")]
    pub(crate) json: Option<PathBuf>,
    /// Write a row a query and engine: query,engine,status,length,length_xz,cost,polygons,waypoints
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) lengths: Option<PathBuf>,
}

/// Reads metres of relief.
fn relief(text: &str) -> Result<f32, String> {
    metres(text)
        .ok()
        .filter(|&relief| relief <= 1000.0)
        .ok_or_else(|| "it takes 0 to 1000".to_owned())
}

/// Reads a number that is finite and not negative.
fn metres(text: &str) -> Result<f32, String> {
    let number = text
        .trim()
        .parse()
        .ok()
        .filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "it takes a finite number that is not negative".to_owned())
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan report -o report --quick\n  \
                        portolan report -o report --maps level.pnav town.obj\n  \
                        portolan report -o report --scenes city-islands,sirius --mu 6,10,20\n  \
                        portolan report -o report --from report/report.json --peers peers.json\n  \
                        portolan report --diff before/report.json after/report.json\n\n\
                        DIR holds index.html (opens without a network), figures/*.svg, tables/*.csv and \
                        report.json with every number. A run that is interrupted goes on where it was \
                        when it is started again with the same options.")]
pub(crate) struct ReportArgs {
    /// The folder to write the report to; it is made where there is none
    #[arg(long, short, value_name = "DIR", required_unless_present = "diff")]
    pub(crate) output: Option<PathBuf>,
    /// Measure on these navmeshes too: .pnav, or .obj whose faces are the polygons
    #[arg(long, value_name = "FILES", num_args = 1.., value_delimiter = ',')]
    pub(crate) maps: Vec<PathBuf>,
    /// Fewer merge factors, levels and paths: minutes become a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// Built-in scenes to measure on, or `none` [default: the papers' nine]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) scenes: Option<Vec<String>>,
    /// Merge factors to measure [default: 2 to 10, 12, 14, 15, 16, 18, 20; with --quick fewer]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) mu: Option<Vec<u32>>,
    /// Paths a cell [default: 120; with --quick 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) queries: Option<u32>,
    /// Polygons of the worlds rooms and open on which all engines are compared [default: 1000,3000,
    /// 12000,36000,88000; with --quick 500,2000]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub(crate) world_sizes: Option<Vec<u32>>,
    /// Another seed makes other scenes of the same kind, and asks other queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show others beside us, of the JSON that `cargo xtask peers --json` wrote
    #[arg(long, value_name = "PEERS.json")]
    pub(crate) peers: Option<PathBuf>,
    /// Compare two reports: what became faster or slower from A to B
    #[arg(long, value_names = ["A.json", "B.json"], num_args = 2, conflicts_with_all = ["output", "maps", "quick", "scenes", "mu", "queries", "world_sizes", "from", "peers"])]
    pub(crate) diff: Option<Vec<PathBuf>>,
    /// Measure nothing: make page, figures and tables of a report.json once more
    #[arg(long, value_name = "A.json", conflicts_with_all = ["maps", "quick", "scenes", "mu", "queries", "world_sizes"])]
    pub(crate) from: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
