//! Options of the commands of `portolan terrain` that show or export a terrain.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portolan_draw::terrain::TerrainView;
use portolan_terrain::{RunnerArrival, RunnerKind, RunnerMovement, RunnerPause};

use super::points::numbers;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain draw hills.pter --what steepness -o steep.png\n  \
                        portolan terrain draw hills.pter --what layer --layer 4 -o layer.png\n  \
                        portolan terrain draw hills.pter --what layer --layer 0 --iteration 12 -o merging.png\n  \
                        portolan terrain draw hills.pter --what expansions --from -0.8,-0.8 --to 0.8,0.8 --until 20 -o e.png\n\n\
                        What:\n  \
                        height        the relief\n  \
                        difficulty    the difficulty of the ground\n  \
                        steepness     how steep each triangle is\n  \
                        neighbours    how many neighbours each mesh of a layer has\n  \
                        layer         the meshes of a layer\n  \
                        clear-height  ground without colours, for paths\n  \
                        expansions    a path of the engine mesh while it is being found\n\
                        With --from and --to, every picture also shows the path of the engine mesh. --until ends it after \
                        so many expansions, with the meshes that are not expanded yet."
)]
pub(crate) struct DrawArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// What to draw (see below)
    #[arg(long, value_name = "WHAT", value_parser = view())]
    pub(crate) what: TerrainView,
    /// Picture to write: .png
    #[arg(long, short, value_name = "P.png")]
    pub(crate) output: PathBuf,
    /// Layer to draw, counted downwards from the Top Meshes, which are layer 0. A large number means triangles
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) layer: usize,
    /// Show the meshes as they were after this iteration of merging. The terrain must have been built without --layers
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<usize>,
    /// Start of a path, in the coordinates of the terrain
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true, requires = "to")]
    pub(crate) from: Option<[f32; 2]>,
    /// Goal of the path
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--to 0,-5"), allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<[f32; 2]>,
    /// Number of expansions after which the path is shown [default: all]
    #[arg(long, value_name = "N", requires = "from")]
    pub(crate) until: Option<usize>,
    /// Length of the longer side in pixels, 16 to 8192
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=8192))]
    pub(crate) size: u32,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain run hills.pter --runners 20 --steps 500 -o run\n  \
                        portolan terrain run hills.pter --kind mesh --movement random --layer 5 -o run\n  \
                        portolan terrain run hills.pter --arrival follow --from -0.8,-0.8 --to 0.8,0.8 -o run\n\n\
                        Movement:\n  \
                        random          into a random neighbour, without a goal\n  \
                        astar           A* finds the whole path\n  \
                        full            the High Meshes find the whole path\n  \
                        full-from-here  the High Meshes find the whole path again before every step\n  \
                        progressive     High Meshes are expanded as the next step needs them\n\n\
                        DIR receives runners.csv (step,runner,triangle,mesh,x,y,z,goal,status), trips.csv \
                        (runner,step,from,to,triangles,cost,cheapest), and pictures step-N.png. Equal options give equal \
                        files."
)]
pub(crate) struct RunArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Folder to write to. It is created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Number of runners
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) runners: u32,
    /// Number of steps
    #[arg(long, value_name = "K", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// What a runner occupies: a triangle, a mesh of --layer, or a triangle that is shown with the meshes above it
    #[arg(long, value_name = "KIND", default_value = RunnerKind::Triangle.name(), value_parser = named(RunnerKind::ALL, RunnerKind::name))]
    pub(crate) kind: RunnerKind,
    /// How a runner finds its path (see below)
    #[arg(long, value_name = "M", default_value = RunnerMovement::Progressive.name(), value_parser = named(RunnerMovement::ALL, RunnerMovement::name))]
    pub(crate) movement: RunnerMovement,
    /// What a runner does at its goal: follow the main path of --from and --to to and fro, go to a random triangle, or
    /// reverse its path
    #[arg(long, value_name = "A", default_value = RunnerArrival::Random.name(), value_parser = named(RunnerArrival::ALL, RunnerArrival::name))]
    pub(crate) arrival: RunnerArrival,
    /// When a runner pauses: never, at its goal, after every step, or both
    #[arg(long, value_name = "WHEN", default_value = RunnerPause::Never.name(), value_parser = named(RunnerPause::ALL, RunnerPause::name))]
    pub(crate) pause: RunnerPause,
    /// Steps that a pause takes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pause_steps: u32,
    /// Start of the main path
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--from 0,-5"), allow_hyphen_values = true, requires = "to")]
    pub(crate) from: Option<[f32; 2]>,
    /// Goal of the main path
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>("--to 0,-5"), allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<[f32; 2]>,
    /// For --kind mesh: layer, counted downwards from the Top Meshes, which are layer 0
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) layer: usize,
    /// For --kind hierarchy: number of meshes that are shown, from the triangle upwards
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) chain: u32,
    /// Use the meshes as they were after this iteration of merging. The terrain must have been built without --layers
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<usize>,
    /// Strength of the crowd that runners avoid, 0 to 1e6: how much the price of a mesh rises per runner and triangle
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    pub(crate) crowd: f32,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Steps from one picture to the next; 0 draws none [default: a tenth of --steps]
    #[arg(long, value_name = "N")]
    pub(crate) every: Option<u32>,
    /// Length of the longer side of a picture in pixels, 16 to 8192
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(16..=8192))]
    pub(crate) size: u32,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain export hills.pter -o hills.obj\n  \
                        portolan terrain export hills.pter -o hills.obj --difficulty hills.txt\n  \
                        portolan terrain build hills.obj -o again.pter --up z --difficulty hills.txt"
)]
pub(crate) struct ExportTerrainArgs {
    /// Terrain: .pter
    pub(crate) terrain: PathBuf,
    /// Triangles to write, with z up: .obj
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write the difficulties of the triangles, too: .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) difficulty: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan terrain price\n  portolan terrain price -o price.toml\n  \
                        portolan terrain price hills.pter -o price.toml"
)]
pub(crate) struct PriceArgs {
    /// Terrain whose price is written [default: the default price]
    pub(crate) terrain: Option<PathBuf>,
    /// File to write: .toml [default: print it]
    #[arg(long, short, value_name = "P.toml")]
    pub(crate) output: Option<PathBuf>,
}

fn view() -> impl TypedValueParser<Value = TerrainView> {
    named(&TerrainView::ALL, TerrainView::name)
}

/// Returns a parser of names. Help and errors list them.
pub(super) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&value| name(value))).map(move |text| {
        let mut all = all.iter().copied();
        all.find(|&value| name(value) == text)
            .expect("clap accepts only these names")
    })
}
