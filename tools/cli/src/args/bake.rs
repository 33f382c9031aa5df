//! The options of `portolan bake` and `portolan rebake`.

use std::path::PathBuf;

use clap::Args;

use super::{Islands, UpAxis};

#[derive(Args)]
#[command(
    after_help = "Units: lengths are in metres, unless an option says cells or degrees; y is up. The defaults \
                        suit a person: 2 m high, with a radius of 0.6 m, who climbs steps up to 0.9 m and slopes up \
                        to 45 degrees.\n\n\
                        Examples:\n  portolan bake level.obj -o level.pnav\n  \
                        portolan bake level.glb -o level.pnav --agent-radius 0.4 --cell-size 0.2\n  \
                        portolan bake blender.obj -o level.pnav --up z\n  \
                        portolan bake unreal.obj -o level.pnav --up z --flip --scale 0.01\n  \
                        portolan bake level.obj -o level.pnav --areas areas.toml\n  \
                        portolan bake level.obj -o level.pnav --tile 128 --keep level.pbake\n\n\
                        The file of --areas is TOML, in metres with y up. An area is a number from 0 to 62 that \
                        profiles give a cost.\n  \
                        [materials]   areas by material: grass = 2, or water = \"hole\" to cut it out\n  \
                        [[box]]       min, max, and area = 7 or hole = true\n  \
                        [[volume]]    outline (convex, a list of [x, z]), bottom, top, and area or hole\n  \
                        [[link]]      from, to, both_ways, cost, area, flags\n  \
                        [area_flags]  flags of an area's polygons: 7 = 0x10, or 7 = [\"swim\"]\n  \
                        [flag_names]  names for [area_flags]: swim = 0x10\n\
                        Polygons of an area without an entry in [area_flags] have the flags 1. A profile with exclude_flags = 0x10 \
                        avoids polygons with that flag. If two surfaces are less than --agent-climb apart in \
                        height, the larger area number wins.\n\n\
                        If the wrong axis seems to be up, faces seem to be flipped or the unit seems to be wrong, \
                        a warning on stderr names the option to change, also with --quiet.\n\
                        The navmesh follows the cells: on level ground it is up to --cell-height above the \
                        geometry.\n\
                        If ground is missing, it is too steep, too low under a ceiling, too narrow for the agent, \
                        or upside down. Smaller cells find narrower passages."
)]
pub(crate) struct BakeArgs {
    /// Level geometry: .obj, .gltf or .glb
    pub(crate) geometry: PathBuf,
    /// Navmesh to write: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Also write a .pbake, with which `portolan rebake` can update single tiles
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Areas, flags, holes and off-mesh links, as TOML (see below)
    #[arg(long, value_name = "FILE")]
    pub(crate) areas: Option<PathBuf>,
    /// Side of a voxel cell in plan, 0.001 to 1000 metres. A half or a third of --agent-radius finds every
    /// gap that the agent fits through. Halving it makes the bake take four times as long
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.3,
        allow_hyphen_values = true
    )]
    pub(crate) cell_size: f32,
    /// Height of a voxel cell, 0.001 to 1000 metres: the precision of heights, steps and ceilings. Smaller
    /// cells cost little time
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.2,
        allow_hyphen_values = true
    )]
    pub(crate) cell_height: f32,
    /// Lowest ceiling that the agent can walk under, in metres; above 0, at most 250 cells
    #[arg(
        long,
        value_name = "M",
        default_value_t = 2.0,
        allow_hyphen_values = true
    )]
    pub(crate) agent_height: f32,
    /// Distance of the agent's centre from walls and ledges, in metres; at most 250 cells. With 0, walls
    /// thinner than a cell can disappear
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.6,
        allow_hyphen_values = true
    )]
    pub(crate) agent_radius: f32,
    /// Highest step that the agent can take up or down, in metres; less than --agent-height. Too low
    /// interrupts stairs, too high connects ground across obstacles
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.9,
        allow_hyphen_values = true
    )]
    pub(crate) agent_climb: f32,
    /// Steepest ground that the agent can walk on, 0 to 89 degrees
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 45.0,
        allow_hyphen_values = true
    )]
    pub(crate) agent_slope: f32,
    /// Largest number of vertices per polygon, 3 to 6. Triangles (3) give two to three times as many
    /// polygons, and slower queries
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        allow_hyphen_values = true
    )]
    pub(crate) max_vertices: u16,
    /// Side of a tile, 16 to 1024 cells, or 0 for a single tile. Small tiles are faster to bake again
    /// and use more cores, but each border adds polygons [default: a single tile up to a million cells,
    /// else 512]
    #[arg(long, value_name = "CELLS", allow_hyphen_values = true)]
    pub(crate) tile: Option<u16>,
    /// Drop islands that are smaller than a square of this side, 0 to 255 cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 8,
        allow_hyphen_values = true
    )]
    pub(crate) min_region: u16,
    /// Merge regions that are smaller than a square of this side with a neighbour, 0 to 255 cells. More
    /// gives fewer and larger polygons
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 20,
        allow_hyphen_values = true
    )]
    pub(crate) merge_region: u16,
    /// Longest polygon edge along a wall, in metres; 0 for no limit. Less gives more and squarer polygons
    #[arg(
        long,
        value_name = "M",
        default_value_t = 12.0,
        allow_hyphen_values = true
    )]
    pub(crate) max_edge: f32,
    /// Largest distance between the border of the navmesh and the border of its cells, 0 to 100 cells.
    /// Less keeps the staircase of slanting walls, more cuts corners
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 1.3,
        allow_hyphen_values = true
    )]
    pub(crate) max_edge_error: f32,
    /// Distance between the points where heights are compared with the ground, at least 0.9 cells. Less
    /// finds smaller bumps. With 0, heights are interpolated between the vertices of a polygon
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 6.0,
        allow_hyphen_values = true
    )]
    pub(crate) detail_sample: f32,
    /// Largest height error at the points of --detail-sample, in cell heights. Less gives smoother hills and
    /// a larger file
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 1.0,
        allow_hyphen_values = true
    )]
    pub(crate) detail_error: f32,
    /// Refuse to bake a level with more cells than this in plan. A level in the wrong unit has
    /// billions
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

/// The options that say how to read a level.
#[derive(Args)]
pub(crate) struct LevelArgs {
    /// Axis that points up in the file; z is usual for Blender, Unreal and CAD
    #[arg(long, default_value = "y")]
    pub(crate) up: UpAxis,
    /// Flip all faces, for a file with clockwise faces or a mirrored one
    #[arg(long)]
    pub(crate) flip: bool,
    /// Length of a unit of the file, in metres: 0.01 for centimetres, 0.0254 for inches
    #[arg(long, value_name = "M", default_value_t = 1.0, value_parser = scale, allow_hyphen_values = true)]
    pub(crate) scale: f32,
}

#[derive(Args)]
#[command(
    after_help = "The .pbake stores the options of the first bake: agent, cells, tiles, --up, --flip and --scale.\n\n\
                        Example:\n  portolan bake level.obj -o level.pnav --tile 128 --keep level.pbake\n  \
                        portolan info level.pbake                    show the grid of tiles\n  \
                        portolan rebake level.pbake level.obj --tile 2,0 -o level.pnav --keep level.pbake\n  \
                        portolan rebake level.pbake level.obj --at 41.5,7 -o level.pnav\n\n\
                        A change that is closer to a tile's border than the agent's radius plus three cells also \
                        affects the tile beyond: bake both. Geometry outside or below the bounds of the first bake \
                        is ignored; it needs a full bake. If the level has not changed, the .pnav is identical to \
                        that of the full bake with the same --min-component and --holding."
)]
pub(crate) struct RebakeArgs {
    /// The bake to update: .pbake, from `portolan bake --keep`
    pub(crate) kept: PathBuf,
    /// The changed level geometry: .obj, .gltf or .glb
    pub(crate) geometry: PathBuf,
    /// Tile to bake again: column along x and row along z, from 0; may be given several times
    #[arg(long, value_name = "X,Z", value_parser = tile, required_unless_present = "at")]
    pub(crate) tile: Vec<[u32; 2]>,
    /// Position in metres whose tile to bake again; may be given several times
    #[arg(long, value_name = "X,Z", value_parser = position, allow_hyphen_values = true)]
    pub(crate) at: Vec<[f32; 2]>,
    /// Navmesh to write: .pnav
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Also write the updated bake: .pbake; it may replace the old one
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// Areas, flags, holes and off-mesh links, as TOML; see `portolan bake --help` [default: those of
    /// the first bake]
    #[arg(long, value_name = "FILE")]
    pub(crate) areas: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) islands: Islands,
}

/// Parses the value of `--scale`, in metres per unit.
fn scale(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok();
    number
        .filter(|scale: &f32| scale.is_finite() && *scale > 0.0)
        .ok_or_else(|| "expected a number above 0, such as 0.01 for centimetres".to_owned())
}

/// Parses the column and row of a tile.
fn tile(text: &str) -> Result<[u32; 2], String> {
    pair(text).ok_or_else(|| "expected two whole numbers separated by a comma: X,Z".to_owned())
}

/// Parses a position in plan, in metres.
fn position(text: &str) -> Result<[f32; 2], String> {
    pair(text)
        .filter(|position: &[f32; 2]| position.iter().all(|axis| axis.is_finite()))
        .ok_or_else(|| "expected two finite numbers separated by a comma: X,Z".to_owned())
}

fn pair<T: std::str::FromStr>(text: &str) -> Option<[T; 2]> {
    let (x, z) = text.split_once(',')?;
    Some([x.trim().parse().ok()?, z.trim().parse().ok()?])
}
