//! The options of `bake` and `rebake`.

use std::path::PathBuf;

use clap::Args;

use super::{Islands, UpAxis};

#[derive(Args)]
#[command(
    after_help = "Units: lengths are metres, unless an option says cells or degrees; y is up. The defaults \
                        are for a person: 2 m high, 0.6 m from the middle to the side, steps up to 0.9 m, slopes \
                        up to 45 degrees, cells of 0.3 m.\n\n\
                        Examples:\n  portolan bake level.obj -o level.pnav\n  \
                        portolan bake level.glb -o level.pnav --agent-radius 0.4 --cell-size 0.2\n  \
                        portolan bake blender.obj -o level.pnav --up z\n  \
                        portolan bake unreal.obj -o level.pnav --up z --flip --scale 0.01\n  \
                        portolan bake level.obj -o level.pnav --areas areas.toml\n  \
                        portolan bake level.obj -o level.pnav --tile 128 --keep level.pbake\n\n\
                        Areas are TOML, in metres with y up: [materials] with grass = 2 or water = \"hole\"; \
                        [[box]] with min, max and area = 7 or hole = true; [[volume]] with a convex outline of \
                        [x, z] corners, bottom, top and area or hole; [[link]] with from, to, both_ways, cost, \
                        area, flags; [area_flags] with the flags of an area's polygons, 7 = 0x10 or \
                        7 = [\"swim\"], and [flag_names] with swim = 0x10. Polygons of other areas have the flags 1. \
                        A profile with exclude_flags = 0x10 stays out of them. Where surfaces lie within a climb \
                        of one another, the higher area counts.\n\n\
                        A level that looks as if another axis were up, its faces were turned over or it were in \
                        centimetres gets a warning on stderr that names the option, also with --quiet.\n\
                        Heights are those of cells: up to a cell height above level ground.\n\
                        Too little ground? What is too steep, too low under ceilings, too \
                        narrow for the agent or upside down is not walkable; smaller cells find \
                        narrower passages."
)]
pub(crate) struct BakeArgs {
    /// The level: .obj, .gltf or .glb
    pub(crate) geometry: PathBuf,
    /// Where to write it: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Also keep what it takes to bake single tiles again: .pbake, for `portolan rebake`
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Areas, flags, holes and off-mesh links, as TOML (see below)
    #[arg(long, value_name = "FILE")]
    pub(crate) areas: Option<PathBuf>,
    /// Side of a cell, in metres: half or a third of the agent's radius finds every gap that it
    /// fits through; time grows with the square of 1 / this
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.3,
        allow_hyphen_values = true
    )]
    pub(crate) cell_size: f32,
    /// Height of a cell, in metres: heights, steps and ceilings are known this finely
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.2,
        allow_hyphen_values = true
    )]
    pub(crate) cell_height: f32,
    /// Lowest ceiling that agents walk under, in metres
    #[arg(
        long,
        value_name = "M",
        default_value_t = 2.0,
        allow_hyphen_values = true
    )]
    pub(crate) agent_height: f32,
    /// How far an agent's middle stays from walls, in metres
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.6,
        allow_hyphen_values = true
    )]
    pub(crate) agent_radius: f32,
    /// Highest step that agents take, in metres
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.9,
        allow_hyphen_values = true
    )]
    pub(crate) agent_climb: f32,
    /// Steepest ground that agents walk on, in degrees
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 45.0,
        allow_hyphen_values = true
    )]
    pub(crate) agent_slope: f32,
    /// Most corners of a polygon, 3 to 6; 3 makes triangles
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        allow_hyphen_values = true
    )]
    pub(crate) max_vertices: u16,
    /// Side of a tile, in cells, 16 to 1024; 0 bakes in one piece [default: one piece up to a
    /// million cells, else 512]
    #[arg(long, value_name = "CELLS", allow_hyphen_values = true)]
    pub(crate) tile: Option<u16>,
    /// Islands smaller than the square of this are dropped, in cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 8,
        allow_hyphen_values = true
    )]
    pub(crate) min_region: u16,
    /// Regions smaller than the square of this are merged with a neighbour, in cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 20,
        allow_hyphen_values = true
    )]
    pub(crate) merge_region: u16,
    /// Longest stretch of wall without a corner, in metres; 0 sets no limit
    #[arg(
        long,
        value_name = "M",
        default_value_t = 12.0,
        allow_hyphen_values = true
    )]
    pub(crate) max_edge: f32,
    /// How far a border may run beside its cells, in cells: less keeps the steps of slanting walls,
    /// more cuts corners
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 1.3,
        allow_hyphen_values = true
    )]
    pub(crate) max_edge_error: f32,
    /// Distance of the points at which heights are compared with the ground, in cells; 0 takes
    /// heights from polygons' corners
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 6.0,
        allow_hyphen_values = true
    )]
    pub(crate) detail_sample: f32,
    /// How far heights may be off the ground there, in cell heights
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 1.0,
        allow_hyphen_values = true
    )]
    pub(crate) detail_error: f32,
    /// Largest number of cells, seen from above, to take on
    #[arg(
        long,
        value_name = "N",
        default_value_t = 400_000_000,
        allow_hyphen_values = true
    )]
    pub(crate) max_cells: u64,
    #[command(flatten)]
    pub(crate) islands: Islands,
}

/// How the file of a level is read.
#[derive(Args)]
pub(crate) struct LevelArgs {
    /// The axis that points up in the file: z in Blender, Unreal and CAD
    #[arg(long, default_value = "y")]
    pub(crate) up: UpAxis,
    /// Turn all faces over, for a file whose faces are wound clockwise or that was mirrored
    #[arg(long)]
    pub(crate) flip: bool,
    /// Metres in a unit of the file: 0.01 for centimetres, 0.0254 for inches
    #[arg(long, value_name = "M", default_value_t = 1.0, value_parser = scale, allow_hyphen_values = true)]
    pub(crate) scale: f32,
}

#[derive(Args)]
#[command(
    after_help = "Units: as the first bake. The agent, the cells, the tiles, the axis that is up, --flip and \
                        --scale are those of the first bake; they are in the .pbake.\n\n\
                        Example:\n  portolan bake level.obj -o level.pnav --tile 128 --keep level.pbake\n  \
                        portolan info level.pbake                    the tiles that there are\n  \
                        portolan rebake level.pbake level.obj --tile 2,0 -o level.pnav --keep level.pbake\n  \
                        portolan rebake level.pbake level.obj --at 41.5,7 -o level.pnav\n\n\
                        A change within the agent's radius and three cells of a tile's border also changes the \
                        tile beyond it: bake both again. Geometry outside of the first bake's bounds, or below \
                        them, is not seen: that takes a full bake. Without changes the .pnav comes out byte by \
                        byte as that of the full bake, given the same --min-component and --holding."
)]
pub(crate) struct RebakeArgs {
    /// The kept bake: .pbake
    pub(crate) kept: PathBuf,
    /// The level as it is now: .obj, .gltf or .glb
    pub(crate) geometry: PathBuf,
    /// A tile to bake again: its column along x and its row along z, from 0; may be given several times
    #[arg(long, value_name = "X,Z", value_parser = tile, required_unless_present = "at")]
    pub(crate) tile: Vec<[u32; 2]>,
    /// Bake the tile at this position again, in metres; may be given several times
    #[arg(long, value_name = "X,Z", value_parser = position, allow_hyphen_values = true)]
    pub(crate) at: Vec<[f32; 2]>,
    /// Where to write the navmesh: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Where to keep the new bake: .pbake, the old one or another
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// Areas, flags, holes and off-mesh links, as TOML [default: those of the first bake]
    #[arg(long, value_name = "FILE")]
    pub(crate) areas: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) islands: Islands,
}

/// Reads metres in a unit.
fn scale(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok();
    number
        .filter(|scale: &f32| scale.is_finite() && *scale > 0.0)
        .ok_or_else(|| "it takes a number above 0, as 0.01 for centimetres".to_owned())
}

/// Reads `X,Z` of a tile.
fn tile(text: &str) -> Result<[u32; 2], String> {
    pair(text).ok_or_else(|| "a tile is two whole numbers with a comma: X,Z".to_owned())
}

/// Reads `X,Z` in metres.
fn position(text: &str) -> Result<[f32; 2], String> {
    pair(text)
        .filter(|position: &[f32; 2]| position.iter().all(|axis| axis.is_finite()))
        .ok_or_else(|| "a position is two finite numbers with a comma: X,Z".to_owned())
}

fn pair<T: std::str::FromStr>(text: &str) -> Option<[T; 2]> {
    let (x, z) = text.split_once(',')?;
    Some([x.trim().parse().ok()?, z.trim().parse().ok()?])
}
