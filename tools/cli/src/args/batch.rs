//! The options of `portolan batch`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use glam::Vec3;
use portolan_core::Want;

use super::index::size;
use super::points::half_extents;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan batch level.pidx queries.csv -o paths.csv\n  \
                        portolan batch level.pidx queries.csv -o portals.arrow --want portal\n  \
                        portolan batch level.pidx queries.csv -o next.csv --want next --engine contraction:fast\n  \
                        portolan batch level.pnav queries.csv -o lengths.csv --want distance --engine astar\n  \
                        portolan batch level.pidx queries.csv -o next.csv --want next --gpu\n\n\
                        The file of queries is CSV with the header sx,sy,sz,gx,gy,gz: the coordinates of start and \
                        goal in metres. Other columns are ignored. It is read in slices, so memory does not grow \
                        with the number of queries.\n\n\
                        What is written, one row per query after query (from 0) and status:\n  \
                        distance   distance,cost: the length of the waypoints, and the cost on the graph\n  \
                        portal     cost,polygon,ax,ay,az,bx,by,bz: the polygon beyond the first portal, and the\n             \
                        portal's ends\n  \
                        next       cost,nx,ny,nz,polygon: the first waypoint, and the polygon that it leads into\n  \
                        corridor   distance,cost,polygons\n  \
                        waypoints  distance,cost,polygons,waypoints\n\
                        In CSV, lists are separated by spaces and a waypoint is x;y;z. Fields are empty (null in \
                        Arrow) if there is no path; the status says why. Polygons are listed by their user ids. \
                        Queries without a path are no error: the exit code is 0.\n\n\
                        Engines: portal and next are answered by labels, arrays of costs that are computed from the \
                        contraction at the tier fast before the first query; this needs a .pidx with a contraction; \
                        index --engines labels is not needed. The others are answered by auto. `portolan path --help` lists \
                        the engines. A .pnav has no contraction: use --engine astar for portal and next."
)]
pub(crate) struct BatchArgs {
    /// Navmesh (.pnav) or index (.pidx)
    pub(crate) world: PathBuf,
    /// File of queries: .csv
    pub(crate) queries: PathBuf,
    /// File to write: .csv, or .arrow, an Arrow IPC file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How much of each path is written; less is faster
    #[arg(long, value_name = "WANT", default_value = "waypoints")]
    pub(crate) want: WantName,
    /// Search engine [default: labels for portal and next, auto for the others]
    #[arg(long, value_name = "E")]
    pub(crate) engine: Option<String>,
    /// Largest distance per axis from a start or goal to the nearest polygon, 0 to 1e8 metres
    #[arg(long, value_name = "X,Y,Z", value_parser = half_extents, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// Costs of the agents and where they may go, as TOML; see `portolan path --help` [default: the profile
    /// that the index was built with]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Largest size of the labels in memory, in bytes, for portal and next by labels; K, M and G stand for
    /// thousands, millions and billions. If they need more, the command fails
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size, allow_hyphen_values = true)]
    pub(crate) labels_limit: usize,
    /// Open the .pidx without checking it; see `portolan path --help`
    #[arg(long)]
    pub(crate) trust: bool,
    /// Search on a graphics card, with the engines astar, hna, pccp, contraction:fast and labels [default engine:
    /// labels for portal and next, contraction:fast for the others]. Needs a program built with --features gpu
    #[arg(long)]
    pub(crate) gpu: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WantName {
    Distance,
    Portal,
    Next,
    Corridor,
    Waypoints,
}

impl From<WantName> for Want {
    fn from(name: WantName) -> Self {
        match name {
            WantName::Distance => Self::Distance,
            WantName::Portal => Self::Portal,
            WantName::Next => Self::Next,
            WantName::Corridor => Self::Corridor,
            WantName::Waypoints => Self::Waypoints,
        }
    }
}
