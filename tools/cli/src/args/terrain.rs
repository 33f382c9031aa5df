//! What `portolan terrain` takes.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use portolan_terrain::{EntryPrice, TerrainEngine};

use super::UpAxis;
use super::points::numbers;

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan heightmap hills -o hills.png\n  \
                        portolan terrain build hills.png -o hills.pter --hidef --layers 10\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 -o path.png\n  \
                        portolan terrain wave hills.pter -o wave.png\n  \
                        portolan terrain info hills.pter\n  \
                        portolan terrain report -o report\n\n\
                        Natural ground, where every direction costs differently: x and y are the plane, z is \
                        up. Triangles are Low Meshes; those that belong together are merged into High \
                        Meshes, and those again, up to one Top Mesh an island, along the ground's own \
                        lines. Paths are found from the top down.")]
pub(crate) struct TerrainArgs {
    #[command(subcommand)]
    pub(crate) verb: TerrainVerb,
}

#[derive(Subcommand)]
pub(crate) enum TerrainVerb {
    /// Turn a height map (.png) or geometry (.obj, .gltf, .glb) into ground to navigate: .pter
    Build(BuildArgs),
    /// Find one path
    Path(TerrainPathArgs),
    /// Find the paths from one place to everywhere, and draw what they cost
    Wave(WaveArgs),
    /// Say what is in a .pter file
    Info(TerrainInfoArgs),
    /// Remake the thesis's tables and pictures by measurement
    Report(TerrainReportArgs),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain build hills.png -o hills.pter\n  \
                        portolan terrain build hills.png -o hills.pter --hidef --layers 10 --steps steps\n  \
                        portolan terrain build alps.png -o alps.pter --difficulty forest.png --extent \
                        0,0,46080,46080 --height-range 840,2946\n  \
                        portolan terrain build island.obj -o island.pter --up z --price cart.toml\n\n\
                        A height map is grey, 8 or 16 bit, or has its magnitudes in red, green and blue; \
                        the top of the picture is the north, the highest y. Difficulties are a picture of \
                        the same size (black easy, white hard), or for geometry a text with a number from 0 \
                        to 1 for each triangle.\n\
                        A price is TOML; what it leaves out is the thesis's: up = 10, down = 5, sideways = 1, \
                        difficulty = 1, steepness = 1, difficulty_change = 1, angle = 1, concave = 1.05, \
                        convex = 0.95, steepness_change = 1, floor = 0.1, distances = \"enlargement\" or \
                        \"centroid\".\n\
                        Fewer layers have more children each: more to look at, and paths that are closer to \
                        the cheapest."
)]
pub(crate) struct BuildArgs {
    /// The ground: a height map (.png), or triangles (.obj, .gltf, .glb)
    pub(crate) ground: PathBuf,
    /// Where to write it: .pter
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Height map: four triangles a square, around a middle vertex, instead of two. No direction is
    /// favoured then
    #[arg(long)]
    pub(crate) hidef: bool,
    /// How hard the ground is to walk on: .png for a height map, .txt for geometry
    #[arg(long, value_name = "FILE")]
    pub(crate) difficulty: Option<PathBuf>,
    /// What crossings cost, as TOML
    #[arg(long, value_name = "P.toml")]
    pub(crate) price: Option<PathBuf>,
    /// Layers at most, Low Meshes and Top Mesh counted; 2 or more [default: all that merging makes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), allow_hyphen_values = true)]
    pub(crate) layers: Option<u32>,
    /// Draw what is merged, iteration by iteration, into this folder; of many iterations some 60, by how
    /// many meshes are left
    #[arg(long, value_name = "DIR")]
    pub(crate) steps: Option<PathBuf>,
    /// What getting into a mesh adds: the mean to the rest of it, or to the child that is worst by
    /// distance, by price, or by price for its distance
    #[arg(long, value_name = "KIND", default_value = EntryPrice::default().name(), value_parser = entry_price())]
    pub(crate) entry: EntryPrice,
    /// Height map: where it lies [default: the longer side from -1 to 1]
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::<4>("--extent 0,0,100,100"), allow_hyphen_values = true)]
    pub(crate) extent: Option<[f32; 4]>,
    /// Height map: where its lowest and its highest pixel lie [default: 0,1]
    #[arg(long, value_name = "LOW,HIGH", value_parser = numbers::<2>("--height-range 0,100"), allow_hyphen_values = true)]
    pub(crate) height_range: Option<[f32; 2]>,
    /// Children that a new mesh has at most, where more are equally near: 2 to 1024. On flat ground all
    /// are
    #[arg(long, alias = "most-children", value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1024), allow_hyphen_values = true)]
    pub(crate) max_children: u32,
    /// By what share neighbours may be farther than the nearest and still count as nearest: 0 to 1. 0.1
    /// makes fewer and larger meshes; over hills paths by all layers get cheaper
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 1e-5,
        allow_hyphen_values = true
    )]
    pub(crate) tie: f32,
    /// Geometry: the axis that points up in the file. In the ground it is z: (x, y, z) with y up becomes
    /// (x, -z, y)
    #[arg(long, default_value = "y")]
    pub(crate) up: UpAxis,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --engine astar -o path.png\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --json\n\n\
                        Engines: mesh goes from the Top Mesh down, fast and not exact; astar and dijkstra \
                        go from triangle to triangle and find the cheapest path. hna and contraction find \
                        it, too, and faster; but the file does not hold them, so they are built first, \
                        which takes longer than a path.\n\
                        price is what the path costs; xyz, xy and z are its lengths before difficulty, \
                        steepness and angles multiply them, with every axis weighed as the price says. \
                        length, ascent and descent are those of the line over the ground, unweighed."
)]
pub(crate) struct TerrainPathArgs {
    /// The ground: .pter
    pub(crate) terrain: PathBuf,
    /// Where the path begins
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: [f32; 2],
    /// Where it should end
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--to 0,-5"), allow_hyphen_values = true)]
    pub(crate) to: [f32; 2],
    /// The engine that finds it: mesh, astar, dijkstra, hna, hna:LEVEL or contraction
    #[arg(long, value_name = "E", default_value_t)]
    pub(crate) engine: TerrainEngine,
    /// For programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the path: .png
    #[arg(long, short, value_name = "P.png")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain wave hills.pter -o wave.png\n  \
                        portolan terrain wave hills.pter -o wave.png --from 0.5,-0.2 --engine astar\n  \
                        portolan terrain wave hills.pter -o wave.png --json\n\n\
                        The picture is dark where paths are cheap and bright where they cost most, in bands \
                        of equal price; white cannot be reached. Prices are compared with the cheapest: q1, q2 and q3 are the ratios that a quarter, half \
                        and three quarters of all paths do not exceed, q4 is the worst.\n\
                        Of astar and dijkstra one search to everywhere gives all the prices that one for each \
                        triangle would."
)]
pub(crate) struct WaveArgs {
    /// The ground: .pter
    pub(crate) terrain: PathBuf,
    /// Where paths begin [default: the middle, or the triangle nearest to it]
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: Option<[f32; 2]>,
    /// The engine that finds them: mesh, astar, dijkstra, hna, hna:LEVEL or contraction
    #[arg(long, value_name = "E", default_value_t)]
    pub(crate) engine: TerrainEngine,
    /// The picture: .png
    #[arg(long, short, value_name = "W.png")]
    pub(crate) output: PathBuf,
    /// For programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain info hills.pter\n  portolan terrain info hills.pter --json"
)]
pub(crate) struct TerrainInfoArgs {
    /// The ground: .pter
    pub(crate) terrain: PathBuf,
    /// For programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan terrain report -o report\n  \
                        portolan terrain report -o report --quick\n  \
                        portolan terrain report -o report --map alps.png --size 129\n\n\
                        DIR holds index.html (opens without a network), pictures/*.png, tables/*.csv and \
                        terrain.json with every number. Apart from times it is the same in every run.")]
pub(crate) struct TerrainReportArgs {
    /// The folder to write the report to; it is made where there is none
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Smaller ground, and fewer rounds and paths: minutes become seconds
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure on this height map too, as realistic ground; of one that is larger than --size, so many
    /// pixels are picked evenly
    #[arg(long, value_name = "H.png")]
    pub(crate) map: Option<PathBuf>,
    /// Pixels a side of each ground [default: 65; with --quick 33]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(9..=1025))]
    pub(crate) size: Option<u32>,
    /// Another seed makes other hills
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Reads an entry price by its name, which help and errors list.
fn entry_price() -> impl TypedValueParser<Value = EntryPrice> {
    PossibleValuesParser::new(EntryPrice::ALL.map(EntryPrice::name)).map(|name| {
        let mut all = EntryPrice::ALL.into_iter();
        all.find(|entry| entry.name() == name)
            .expect("one of the possible values")
    })
}
