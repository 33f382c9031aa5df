//! The options of `portolan bench`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use glam::Vec3;
use portolan_core::Want;

use super::points::half_extents;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan bench level.pnav --random 1000 --seed 7\n  \
                        portolan bench level.pnav --queries Q.csv --engines astar,dijkstra \
                        --json bench.json --lengths lengths.csv\n  \
                        portolan bench level.pidx --engines contraction,astar,hna:1:dijkstra,hna:2:table,pccp:2\n  \
                        portolan bench level.pidx --engines contraction:fast,contraction,contraction:best \
                        --lengths lengths.csv\n  \
                        portolan bench level.pidx --engines auto,contraction,auto:exact\n  \
                        portolan bench level.pidx --agents 100000 --want portal --threads 2 --json agents.json\n  \
                        portolan bench level.pidx --updates 1000 --kind door --beside --json updates.json\n\n\
                        `portolan path --help` lists the engines and their quality tiers.\n\
                        Engines take turns on each query. The time of a query is the median over the rounds, in \
                        microseconds. The steps of a search over a hierarchy (nodes, connect, overlay, extract) \
                        are timed in further rounds, because the clock between them slows the search down.\n\
                        Each query runs on one thread, and --threads N times N queries at once. Only \
                        hna:LEVEL:parallel can use several threads for one query. If it is among the engines, queries are \
                        timed one at a time, --threads is the number of threads of this engine [default: all cores], and \
                        the other engines use one. The JSON has threads (queries at once) and, per engine, threads (the \
                        most that one query can use; a query with little work uses one).\n\
                        The costs of exact engines are compared with those of Dijkstra's algorithm; the column \
                        mismatches counts the differences, and if there is one the exit code is 1. The engines \
                        closest and pccp and the tiers default and best do not promise the least cost on the \
                        graph, and auto:exact finds shorter paths than the graph has; compare the lengths of \
                        their paths with --lengths.\n\
                        With --agents, batches are measured instead of single queries: all agents are answered in one \
                        call, on --threads threads, and their polygons are known. frame_ms is the median over the rounds \
                        of the time for all agents. astar, dijkstra, closest, hna and pccp are measured on 20 000 agents \
                        at most; the column agents says on how many. The first 20 000 answers of each engine are compared \
                        with single queries (for labels, with contraction:fast); if one differs, the exit code is 1.\n\
                        With --updates, each update closes a polygon or opens it again, and the costs of all tiers follow. \
                        update is the time to repair them, publish the time until readers have the new world. Paths and \
                        costs are compared with those of Dijkstra's algorithm after every tenth update. With --beside, queries \
                        by auto are timed next to 1000 updates per second, while the world settles in the background.\n\
                        With --gpu, the engines astar, hna, pccp, contraction:fast and labels run on a graphics card. The \
                        column fallbacks counts the agents that it left to the CPU. Of two paths with the same cost it may \
                        find the other one, so only statuses and costs are compared, and for labels the first portal or \
                        waypoint too.\n\
                        A file of queries is CSV with the header sx,sy,sz,gx,gy,gz: the coordinates of start and \
                        goal in metres."
)]
pub(crate) struct BenchArgs {
    /// Navmesh (.pnav) or index (.pidx)
    pub(crate) world: PathBuf,
    /// File of queries to run instead of random ones
    #[arg(long, value_name = "Q.csv", conflicts_with_all = ["random", "seed"])]
    pub(crate) queries: Option<PathBuf>,
    /// Number of random queries, 1 to 10 000 000. Their starts and goals are spread evenly over the
    /// largest component
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000), allow_hyphen_values = true)]
    pub(crate) random: u32,
    /// Measure batches of this many random agents, 1 to 10 000 000, whose polygons are known
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000), conflicts_with_all = ["queries", "random", "lengths", "ground", "snap"])]
    pub(crate) agents: Option<u32>,
    /// What agents ask for: portal, next or waypoints; see `portolan batch --help` [default: portal]
    #[arg(long, value_name = "WANT", requires = "agents")]
    pub(crate) want: Option<AgentsWantName>,
    /// Answer the agents on a graphics card. Needs a program built with --features gpu
    #[arg(long, requires = "agents")]
    pub(crate) gpu: bool,
    /// Measure this many updates of the ground, 2 to 1 000 000: polygons are closed and opened again, or
    /// taken out and put back
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000), conflicts_with_all = ["agents", "queries", "random", "lengths", "ground", "snap", "engines", "profile", "rounds"])]
    pub(crate) updates: Option<u32>,
    /// What changes: any polygon, the polygon of a narrow passage, a disc of 2 m that stands somewhere, or a patch of 32
    /// polygons that is taken out or put back, after which the index is made again [default: polygon]
    #[arg(long, value_name = "KIND", requires = "updates")]
    pub(crate) kind: Option<UpdateKindName>,
    /// Also time queries while another thread makes 1000 updates per second, for four seconds; with --kind tile, while
    /// the index is made again
    #[arg(long, requires = "updates")]
    pub(crate) beside: bool,
    /// Seed of the random queries; another seed gives other queries
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Engines to compare, separated by commas [default: auto, astar, dijkstra, and everything that the
    /// index supports: contraction at each tier, auto:exact, labels, hna, pccp, and hna at each level. With --agents:
    /// labels for portal and next, contraction:fast, auto, hna, pccp, astar]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) engines: Option<Vec<String>>,
    /// Number of times that each query is timed, 1 to 1000. More rounds reduce the noise of other
    /// programs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// Also time waypoints that follow the ground to within 0.2 m: the column `ground` is on top of the
    /// corners. Without it, only the corners of paths are computed, which is what a query returns by default
    #[arg(long)]
    pub(crate) ground: bool,
    /// Largest distance per axis from a start or goal to the nearest polygon, 0 to 1e8 metres
    #[arg(long, value_name = "X,Y,Z", value_parser = half_extents, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// Costs of the agent and where it may go, as TOML; see `portolan path --help` [default: the profile
    /// that the index was built with]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Write all results as JSON
    #[arg(long, value_name = "OUT.json")]
    pub(crate) json: Option<PathBuf>,
    /// Write one row per query and engine as CSV, with the columns query, engine, status, length,
    /// length_xz, cost, polygons and waypoints
    #[arg(long, value_name = "OUT.csv")]
    pub(crate) lengths: Option<PathBuf>,
    /// Open the .pidx without checking it, which takes a few milliseconds for any size. Only for files that
    /// `portolan index` wrote and nothing has changed since: with others the command may crash or answer wrongly
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentsWantName {
    Portal,
    Next,
    Waypoints,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpdateKindName {
    Polygon,
    Door,
    Obstacle,
    Tile,
}

impl From<AgentsWantName> for Want {
    fn from(name: AgentsWantName) -> Self {
        match name {
            AgentsWantName::Portal => Self::Portal,
            AgentsWantName::Next => Self::Next,
            AgentsWantName::Waypoints => Self::Waypoints,
        }
    }
}
