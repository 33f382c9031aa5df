//! The options of `portolan probe`.

use std::path::PathBuf;

use clap::Args;
use glam::Vec3;

use super::points::{half_extents, point};

#[derive(Args)]
#[command(
    group = clap::ArgGroup::new("question").required(true),
    after_help = "Examples:\n  \
                  portolan probe city.pidx --near 10,0,5\n  \
                  portolan probe city.pidx --ray 10,2,5 40,2,5 --svg ray.svg\n  \
                  portolan probe city.pidx --move 10,2,5 12,2,9 --json\n  \
                  portolan probe city.pidx --wall 10,2,5 --radius 20\n  \
                  portolan probe city.pidx --around 10,2,5 --radius 15 --svg around.svg\n  \
                  portolan probe city.pidx --random 100 --seed 7\n\n\
                  Each question is one call of the library: Probe::nearest, ray, slide, nearest_wall, polygons_within \
                  with walls_within, and RandomPoints. A point is first snapped to the ground, as for `portolan path`.\n\n\
                  JSON has, as they apply: status, point, polygon, distance, normal, hit, polygons, points.\n\
                  Statuses: found; hit and clear for --ray; none if there is nothing within --radius; off_mesh. \
                  The exit code is 1 with none and off_mesh."
)]
pub(crate) struct ProbeArgs {
    /// Navmesh (.pnav) or index (.pidx)
    pub(crate) world: PathBuf,
    /// Find the point of the ground nearest to this one, and how much ground is reachable from there
    #[arg(long, value_name = "X,Y,Z", group = "question", value_parser = point("--near"), allow_hyphen_values = true)]
    pub(crate) near: Option<Vec3>,
    /// Cast a ray along the ground from A to B, up to the first wall
    #[arg(long, value_names = ["A", "B"], num_args = 2, group = "question", value_parser = point("--ray 0,0,0"), allow_hyphen_values = true)]
    pub(crate) ray: Option<Vec<Vec3>>,
    /// Move an agent along the ground from A towards B; it slides along walls
    #[arg(long = "move", value_names = ["A", "B"], num_args = 2, group = "question", value_parser = point("--move 0,0,0"), allow_hyphen_values = true)]
    pub(crate) slide: Option<Vec<Vec3>>,
    /// Find the wall nearest to this point
    #[arg(long, value_name = "X,Y,Z", group = "question", value_parser = point("--wall"), allow_hyphen_values = true)]
    pub(crate) wall: Option<Vec3>,
    /// List the polygons and walls around this point
    #[arg(long, value_name = "X,Y,Z", group = "question", value_parser = point("--around"), allow_hyphen_values = true)]
    pub(crate) around: Option<Vec3>,
    /// Choose this many random points, uniform by area, 1 to 1 000 000. With --within they are around a point
    #[arg(long, value_name = "N", group = "question", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) random: Option<u32>,
    /// Choose random points within --radius of this point only
    #[arg(long, value_name = "X,Y,Z", requires = "random", value_parser = point("--within"), allow_hyphen_values = true)]
    pub(crate) within: Option<Vec3>,
    /// Radius in metres of --wall, --around and --within
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = super::metres, allow_hyphen_values = true)]
    pub(crate) radius: f32,
    /// Seed of --random
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Where the agent may go, as TOML; closed ground is a wall [default: the profile of the index]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Largest distance per axis from a point to the nearest polygon, 0 to 1e8 metres
    #[arg(long, value_name = "X,Y,Z", value_parser = half_extents, allow_hyphen_values = true, default_value = "0.5,2,0.5")]
    pub(crate) snap: Vec3,
    /// Print JSON; polygons are listed by their user ids
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the navmesh and the answer
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Open the .pidx without checking it; see `portolan path --help`
    #[arg(long)]
    pub(crate) trust: bool,
}
