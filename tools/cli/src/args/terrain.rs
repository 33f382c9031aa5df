//! The commands of `portolan terrain` and their options.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use portolan_formats::elevation::{GroundCrs, tile::TileCoding};
use portolan_terrain::{EntryPrice, TerrainEngine};

use super::UpAxis;
use super::points::{numbers, reals};

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
    /// Build terrain (.pter) from elevation files (.hgt, .asc, .tif, .png) or triangles (.obj, .gltf, .glb)
    Build(BuildArgs),
    /// Find one path on terrain
    Path(TerrainPathArgs),
    /// Find the paths from one point to all triangles and draw their prices
    Wave(WaveArgs),
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
                        portolan terrain build N42E001.hgt.zip -o andorra.pter --window 1.4,42.4,1.8,42.7\n  \
                        portolan terrain build west.tif east.tif -o both.pter --step 2 --areas lakes.geojson\n  \
                        portolan terrain build 12/2064/1512.png -o tile.pter --colours terrarium\n  \
                        portolan terrain build island.obj -o island.pter --up z --price cart.toml\n\n\
                        Elevation files have heights in metres and know where they lie: SRTM (.hgt, also in a \
                        .zip), ESRI ASCII grid (.asc, with the system in a .prj), GeoTIFF (.tif), and tiles of web \
                        maps (.png). Points are then in the coordinates of the file, x first: longitude and \
                        latitude, or easting and northing. docs/hike.md shows the way from such a file to a hike.\n\n\
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
                        distances = \"enlargement\"          how distances are measured; or \"centroid\"\n\n\
                        Fewer layers mean more children per mesh. A search then visits more meshes, and its paths \
                        are closer to the cheapest."
)]
pub(crate) struct BuildArgs {
    /// The ground: elevation files that fit together (.hgt, .zip, .asc, .tif, .png), a height map (.png) or
    /// triangles (.obj, .gltf, .glb)
    #[arg(required = true)]
    pub(crate) ground: Vec<PathBuf>,
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
    /// Coordinate system of elevation files that do not name it: EPSG:4326 (longitude and latitude), EPSG:326ZZ
    /// or 327ZZ (UTM zone ZZ, north or south), EPSG:3857 (web maps), or local (metres)
    #[arg(long, value_name = "EPSG:N", value_parser = crs)]
    pub(crate) crs: Option<GroundCrs>,
    /// Elevation files only: two opposite corners of the part to keep, in the coordinates of the files
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = reals::<4>("--window 1.4,42.4,1.8,42.7"), allow_hyphen_values = true)]
    pub(crate) window: Option<[f64; 4]>,
    /// Elevation files only: keep every Nth row and column
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) step: u32,
    /// The colours of a .png code heights in metres: terrarium or mapbox (Terrain-RGB)
    #[arg(long, value_name = "CODE", value_parser = tile_coding())]
    pub(crate) colours: Option<TileCoding>,
    /// Elevation files only: a .png with one pixel per sample; nobody can walk where it is black
    #[arg(long, value_name = "FILE")]
    pub(crate) mask: Option<PathBuf>,
    /// Elevation files only: polygons (.geojson) with the property "closed": true, where nobody can walk, or
    /// "difficulty": 0 to 1
    #[arg(long, value_name = "FILE")]
    pub(crate) areas: Option<PathBuf>,
    /// Refuse ground with more triangles than this, because of the memory that it needs
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub(crate) max_triangles: usize,
    /// Pictures only: coordinates of two opposite corners of the map [default: the longer side is
    /// from -1 to 1]
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = reals::<4>("--extent 0,0,100,100"), allow_hyphen_values = true)]
    pub(crate) extent: Option<[f64; 4]>,
    /// Pictures only: heights of the darkest and of the brightest pixel [default: 0,1]
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
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --engine astar -o path.png\n  \
                        portolan terrain path hills.pter --from -0.8,-0.8 --to 0.8,0.8 --json\n  \
                        portolan terrain path andorra.pter --from 1.52,42.5 --to 1.44,42.59 -o hike.gpx \
                        --height-profile hike.svg\n\n\
                        Engines:\n  \
                        mesh         searches from the Top Mesh down; fast, but the path may not be the cheapest\n  \
                        astar        A* from triangle to triangle; finds the cheapest path\n  \
                        dijkstra     Dijkstra's algorithm; finds the cheapest path, slowly\n  \
                        hna          HNA*; finds the cheapest path; hna:LEVEL selects a level\n  \
                        contraction  a contraction hierarchy; finds the cheapest path\n\
                        hna and contraction are faster than astar, but a .pter does not store them: they are built \
                        for each run of this command, which takes longer than the query.\n\n\
                        In the output, price is the total. xyz, xy and z are lengths with the costs of up, down and \
                        sideways, before difficulty, steepness and angles are applied. length, ascent and descent \
                        are those of the line on the ground, without costs."
)]
pub(crate) struct TerrainPathArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Start of the path, in the coordinates of the file that the terrain was built from
    #[arg(long, value_name = "X,Y", value_parser = reals::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: [f64; 2],
    /// Goal of the path, in the coordinates of the file that the terrain was built from
    #[arg(long, value_name = "X,Y", value_parser = reals::<2>("--to 0,-5"), allow_hyphen_values = true)]
    pub(crate) to: [f64; 2],
    /// Search engine: mesh, astar, dijkstra, hna, hna:LEVEL or contraction
    #[arg(long, value_name = "E", default_value_t)]
    pub(crate) engine: TerrainEngine,
    /// Print JSON: status, price, lengths, points and triangles
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the path: a picture (.png), longitudes and latitudes (.geojson, .gpx), or metres from the origin of
    /// the terrain (.obj)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the heights along the path: .svg
    #[arg(long, value_name = "H.svg")]
    pub(crate) height_profile: Option<PathBuf>,
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
    #[arg(long, value_name = "X,Y", value_parser = reals::<2>("--from 0,-5"), allow_hyphen_values = true)]
    pub(crate) from: Option<[f64; 2]>,
    /// Search engine: mesh, astar, dijkstra, hna, hna:LEVEL or contraction
    #[arg(long, value_name = "E", default_value_t)]
    pub(crate) engine: TerrainEngine,
    /// Picture to write: .png
    #[arg(long, short, value_name = "W.png")]
    pub(crate) output: PathBuf,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
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

/// Parses the name of a coordinate system.
fn crs(text: &str) -> Result<GroundCrs, String> {
    match text {
        "local" => Ok(GroundCrs::Local),
        _ => match text.parse() {
            Ok(crs) => Ok(GroundCrs::Known(crs)),
            Err(error) => Err(format!("{error}, or local (metres)")),
        },
    }
}

/// Returns a parser of the codes of heights.
fn tile_coding() -> impl TypedValueParser<Value = TileCoding> {
    PossibleValuesParser::new(["terrarium", "mapbox"]).map(|name| match &name[..] {
        "terrarium" => TileCoding::Terrarium,
        _ => TileCoding::Mapbox,
    })
}

/// Returns a parser of entry prices. Help and errors list their names.
fn entry_price() -> impl TypedValueParser<Value = EntryPrice> {
    PossibleValuesParser::new(EntryPrice::ALL.map(EntryPrice::name)).map(|name| {
        let mut all = EntryPrice::ALL.into_iter();
        all.find(|entry| entry.name() == name)
            .expect("clap accepts only names of entry prices")
    })
}
