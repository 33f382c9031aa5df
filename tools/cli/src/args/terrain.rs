//! The commands of `portolan terrain` and their options.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use portolan_terrain::{EntryPrice, TerrainEngine, TerrainLine};

use super::UpAxis;
use super::points::numbers;

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan heightmap hills -o hills.png\n  \
                        portolan terrain build hills.png -o hills.pter --hidef --layers 10\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 -o path.png\n  \
                        portolan terrain wave hills.pter -o wave.png\n  \
                        portolan terrain info hills.pter\n  \
                        portolan terrain report -o report\n\n\
                        Terrain is natural ground: there are no walls, but uphill, downhill and rough ground cost \
                        more. x and y span the plane, z is up. The triangles of the ground are called Low Meshes. \
                        They are merged step by step into larger High Meshes, along contour lines and similar \
                        features, until each island is one Top Mesh. The engine `mesh` searches from the Top Mesh \
                        down. docs/terrain.md explains the method.")]
pub(crate) struct TerrainArgs {
    #[command(subcommand)]
    pub(crate) command: TerrainCommand,
}

#[derive(Subcommand)]
pub(crate) enum TerrainCommand {
    /// Build terrain (.pter) from a height map (.png) or triangles (.obj, .gltf, .glb)
    Build(BuildArgs),
    /// Find one path on terrain
    Path(TerrainPathArgs),
    /// Find the paths from one point to all triangles and draw their prices
    Wave(WaveArgs),
    /// Find the ground that can be reached from a point within limits, as polygons
    Isochrone(IsochroneArgs),
    /// Measure several engines on the same random queries
    Bench(TerrainBenchArgs),
    /// Describe a .pter file
    Info(TerrainInfoArgs),
    /// Repeat the evaluation of the terrain thesis
    Report(TerrainReportArgs),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain build hills.png -o hills.pter\n  \
                        portolan terrain build hills.png -o hills.pter --hidef --layers 10 --steps steps\n  \
                        portolan terrain build alps.png -o alps.pter --difficulty forest.png --extent \
                        0,0,46080,46080 --height-range 840,2946\n  \
                        portolan terrain build island.obj -o island.pter --up z --price cart.toml\n\n\
                        A height map is grey, with 8 or 16 bits, or has 24 bits split into red, green and blue. \
                        The top of the picture is north, the highest y. The difficulty of the ground is a picture \
                        of the same size, from black (easy) to white (hard), or for geometry a text file with one \
                        number from 0 to 1 per triangle.\n\n\
                        A price is a TOML file. These are its parameters and their defaults:\n  \
                        up = 10, down = 5, sideways = 1    cost per metre by direction\n  \
                        difficulty = 1, steepness = 1      weights of difficulty and steepness\n  \
                        difficulty_change = 1, steepness_change = 1, angle = 1\n                                     \
                        weights of changes from one triangle to the next\n  \
                        concave = 1.05, convex = 0.95      factors for angles that bend down and up\n  \
                        floor = 0.1                        lower bound of a distance, per diagonal of the triangle\n  \
                        distances = \"enlargement\"          how distances are measured; or \"centroid\",\n                                     \
                        \"simple-enlargement\"\n  \
                        y_factor = 1                       factor for distances along y\n  \
                        max_up = 1e6, max_down = 1e6       slope limits, as rise divided by run\n\
                        distances can also be a model of walking, which knows only difficulty, max_up and max_down:\n  \
                        \"tobler\" (seconds), \"naismith\" (seconds, with Langmuir's correction), \"minetti\" (joules \
                        per kilogram)\n\n\
                        Fewer layers mean more children per mesh. A search then visits more meshes, and its paths \
                        are closer to the cheapest."
)]
pub(crate) struct BuildArgs {
    /// The ground: a height map (.png) or triangles (.obj, .gltf, .glb)
    pub(crate) ground: PathBuf,
    /// Terrain to write: .pter
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Height maps only: split each square into four triangles around its centre instead of two. No
    /// direction is then preferred, but there are twice as many triangles
    #[arg(long)]
    pub(crate) hidef: bool,
    /// How difficult the ground is to walk on: .png for a height map, .txt for geometry
    #[arg(long, value_name = "FILE")]
    pub(crate) difficulty: Option<PathBuf>,
    /// Parameters of the price of a step from one triangle to the next, as TOML (see below)
    #[arg(long, value_name = "P.toml")]
    pub(crate) price: Option<PathBuf>,
    /// Largest number of layers, at least 2, including Low Meshes and Top Meshes. 10 is a good choice for
    /// a large map [default: all layers that merging creates]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), allow_hyphen_values = true)]
    pub(crate) layers: Option<u32>,
    /// Draw the meshes after each iteration of merging into this folder, which must be new or empty. Of
    /// more than 60 iterations it draws about 60
    #[arg(long, value_name = "DIR")]
    pub(crate) steps: Option<PathBuf>,
    /// Price added for entering a High Mesh: that of continuing to its other children on average, or to
    /// the child with the highest distance (worst-unweighted), price (worst-weighted) or price per
    /// distance (worst-unit)
    #[arg(long, value_name = "KIND", default_value = EntryPrice::default().name(), value_parser = entry_price())]
    pub(crate) entry: EntryPrice,
    /// Height maps only: coordinates of two opposite corners of the map [default: the longer side is
    /// from -1 to 1]
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::<4>("--extent 0,0,100,100"), allow_hyphen_values = true)]
    pub(crate) extent: Option<[f32; 4]>,
    /// Height maps only: heights of black and white [default: 0,1]
    #[arg(long, value_name = "LOW,HIGH", value_parser = numbers::<2>("--height-range 0,100"), allow_hyphen_values = true)]
    pub(crate) height_range: Option<[f32; 2]>,
    /// Largest number of children of a new mesh if several neighbours are equally near, 2 to 1024. It
    /// matters on flat ground, where all neighbours are
    #[arg(long, alias = "most-children", value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1024), allow_hyphen_values = true)]
    pub(crate) max_children: u32,
    /// Neighbours count as equally near if their distances differ by at most this fraction, 0 to 1. 0.1
    /// gives fewer and larger meshes, and on hills cheaper paths if --layers is not given
    #[arg(
        long,
        value_name = "FRACTION",
        default_value_t = 1e-5,
        allow_hyphen_values = true
    )]
    pub(crate) tie: f32,
    /// Geometry only: axis that points up in the file. In the terrain z is up: with y, the point (x, y, z)
    /// becomes (x, -z, y)
    #[arg(long, default_value = "y")]
    pub(crate) up: UpAxis,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --engine mesh -o path.png\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --json\n\n\
                        Engines:\n  \
                        contraction  a contraction hierarchy, which terrain build stores; finds the cheapest path\n  \
                        astar        A* from triangle to triangle; finds the cheapest path\n  \
                        dijkstra     Dijkstra's algorithm; finds the cheapest path, slowly\n  \
                        hna          HNA*; finds the cheapest path; hna:LEVEL selects a level\n  \
                        mesh         searches from the Top Mesh down; the path may not be the cheapest\n\
                        hna is not stored in a .pter: it is built for each run of this command, which takes longer \
                        than the query.\n\n\
                        In the output, price is the total from centre to centre of the triangles. xyz, xy and z are lengths \
                        with the costs of up, down and sideways, before difficulty, steepness and angles are applied.\n\
                        points is the line that the path walks over: it crosses triangles anywhere. line is its price; \
                        length, ascent and descent are its own, without costs; time is in seconds, after Tobler unless \
                        the price is another walking time."
)]
pub(crate) struct TerrainPathArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Start of the path, in the coordinates of the terrain
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: [f32; 2],
    /// Goal of the path, in the coordinates of the terrain
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--to 0,-5"), allow_hyphen_values = true)]
    pub(crate) to: [f32; 2],
    /// Search engine: contraction, astar, dijkstra, hna, hna:LEVEL or mesh
    #[arg(long, value_name = "E", default_value_t)]
    pub(crate) engine: TerrainEngine,
    /// Price of the query instead of that of the terrain: tobler, naismith, minetti, or a price file (.toml). The engines
    /// contraction, astar and dijkstra know it
    #[arg(long, value_name = "PRICE")]
    pub(crate) price: Option<PathBuf>,
    /// The points of the line: refined, straightened (faster, and as good on flat ground) or midpoints
    #[arg(long, value_name = "L", default_value = "refined")]
    pub(crate) line: LineName,
    /// Print JSON: status, price, lengths, time, points and triangles
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the path on the terrain: .png
    #[arg(long, short, value_name = "P.png")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain wave hills.pter -o wave.png\n  \
                        portolan terrain wave hills.pter -o wave.png --from 0.5,-0.2 --engine astar\n  \
                        portolan terrain wave hills.pter -o wave.png --json\n\n\
                        The picture is dark where paths are cheap and bright where they are expensive, in bands of \
                        equal price. White cannot be reached.\n\
                        The table has the ratio of each path's price to the cheapest price: q1, q2 and q3 are its \
                        quartiles, q4 is its maximum.\n\
                        astar and dijkstra need a single search for all triangles; the other engines run one query \
                        per triangle."
)]
pub(crate) struct WaveArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Start of all paths [default: the centre of the terrain, or the triangle nearest to it]
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: Option<[f32; 2]>,
    /// Search engine: mesh, astar, dijkstra, hna, hna:LEVEL or contraction
    #[arg(long, value_name = "E", default_value_t = TerrainEngine::Mesh)]
    pub(crate) engine: TerrainEngine,
    /// Picture to write: .png
    #[arg(long, short, value_name = "W.png")]
    pub(crate) output: PathBuf,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
                        portolan terrain isochrone alps.pter --from 20000,15000 --limits 30,60,120 --price tobler -o \
                        reach.geojson\n  \
                        portolan terrain isochrone hills.pter --from 0.1,0.2 --limits 1,2 -o reach.svg\n\n\
                        Limits are minutes if the price is a walking time (tobler, naismith, or a price file with one of them \
                        as its distances), kilojoules per kilogram for minetti, and otherwise prices.\n\
                        The GeoJSON has one MultiPolygon per limit, the largest first, in the coordinates of the \
                        terrain. Rings have holes where ground cannot be reached or does not exist.")]
pub(crate) struct IsochroneArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Start, in the coordinates of the terrain
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: [f32; 2],
    /// Limits, separated by commas
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        required = true,
        allow_hyphen_values = true
    )]
    pub(crate) limits: Vec<f64>,
    /// Price instead of that of the terrain: tobler, naismith, minetti, or a price file (.toml)
    #[arg(long, value_name = "PRICE")]
    pub(crate) price: Option<PathBuf>,
    /// File to write: .geojson or .svg
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Print the area of each isochrone as JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan terrain bench hills.pter\n  \
                        portolan terrain bench hills.pter --random 1000 --seed 7 --engines contraction,astar,mesh --json \
                        bench.json\n\n\
                        Starts and goals are random triangles. Engines take turns on each query. The time of a query \
                        is the median over the rounds, in microseconds. search finds the triangles, line refines the \
                        line through them.\n\
                        ratio is the price of the triangles divided by the lowest price, as a mean and at most. The \
                        prices of exact engines are compared with those of Dijkstra's algorithm; mismatches counts the \
                        differences, and if there is one the exit code is 1. mesh is not exact.")]
pub(crate) struct TerrainBenchArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Number of random queries, 1 to 1 000 000
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    pub(crate) random: u32,
    /// Seed of the random queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Engines to measure, separated by commas: contraction, astar, dijkstra, hna, hna:LEVEL, mesh
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "contraction,astar,hna,mesh"
    )]
    pub(crate) engines: Vec<TerrainEngine>,
    /// Number of times that each query is measured, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// Write the results as JSON
    #[arg(long, value_name = "OUT.json")]
    pub(crate) json: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain info hills.pter\n  portolan terrain info hills.pter --json"
)]
pub(crate) struct TerrainInfoArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Print JSON, with more details than the text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan terrain report -o report\n  \
                        portolan terrain report -o report --quick\n  \
                        portolan terrain report -o report --map alps.png --size 129\n\n\
                        DIR receives index.html, which needs no network, pictures/*.png, tables/*.csv, and \
                        terrain.json with all numbers. Only times differ from run to run. docs/terrain.md describes \
                        the thesis.")]
pub(crate) struct TerrainReportArgs {
    /// Folder to write the report to; it is created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Measure on smaller maps, with fewer rounds and paths. The run takes seconds instead of minutes
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure on this height map too, as an example of real ground. If it is larger than --size, it is
    /// sampled evenly
    #[arg(long, value_name = "H.png")]
    pub(crate) map: Option<PathBuf>,
    /// Pixels per side of each map, 9 to 1025 [default: 65; 33 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(9..=1025))]
    pub(crate) size: Option<u32>,
    /// Seed of the generated maps; another seed gives other hills
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// The name of a [`TerrainLine`].
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum LineName {
    Refined,
    Straightened,
    Midpoints,
}

impl From<LineName> for TerrainLine {
    fn from(name: LineName) -> Self {
        match name {
            LineName::Refined => Self::Refined,
            LineName::Straightened => Self::Straightened,
            LineName::Midpoints => Self::Midpoints,
        }
    }
}

/// Returns a parser of entry prices. Help and errors list their names.
fn entry_price() -> impl TypedValueParser<Value = EntryPrice> {
    PossibleValuesParser::new(EntryPrice::ALL.map(EntryPrice::name)).map(|name| {
        let mut all = EntryPrice::ALL.into_iter();
        all.find(|entry| entry.name() == name)
            .expect("clap accepts only names of entry prices")
    })
}
