//! The errors of a bake.

use std::fmt;

use portolan_core::NavMeshError;

use crate::TileId;

/// Why a bake failed. Every variant names the element at fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// An option is outside its limits.
    #[error("{name} = {value} is out of range (allowed: {allowed})")]
    Option {
        /// The field of [`BakeOptions`](crate::BakeOptions), or `tile` for the side of
        /// [`Tiling::Side`](crate::Tiling::Side).
        name: &'static str,
        /// The value of the option.
        value: f32,
        /// The values that the option accepts, in words.
        allowed: String,
    },
    /// The level has no triangles.
    #[error("the level has no triangles")]
    NoTriangles,
    /// The level has triangles, but none of them has an area.
    #[error("all {triangles} triangles are degenerate: they have no area")]
    OnlyDegenerate {
        /// Number of triangles.
        triangles: usize,
    },
    /// A coordinate of a vertex is infinite or not a number.
    #[error("vertex {vertex} is not finite: ({x}, {y}, {z})")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
        /// The x coordinate of the vertex.
        x: f32,
        /// The y coordinate of the vertex.
        y: f32,
        /// The z coordinate of the vertex.
        z: f32,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error(
        "triangle {triangle} refers to vertex {vertex}, but there are only {vertices} vertices"
    )]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the missing vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle has no material although others have one, or its material has no name.
    #[error("triangle {triangle} has no material, or a material without a name")]
    NoSuchMaterial {
        /// Index of the triangle.
        triangle: usize,
    },
    /// A rule uses an area number that a bake cannot write.
    #[error(
        "{rule} has area {area}, but a bake supports areas 0 to {} only",
        portolan_core::AreaRules::MAX_AREA
    )]
    Area {
        /// The rule with that area, such as `material "water"`.
        rule: String,
        /// The area number.
        area: u8,
    },
    /// A volume of the area rules is invalid.
    #[error("volume {volume}: {reason}")]
    Volume {
        /// Index of the volume.
        volume: usize,
        /// What is wrong with the volume.
        reason: &'static str,
    },
    /// The level has more cells than [`BakeOptions::max_cells`](crate::BakeOptions::max_cells).
    #[error(
        "the level has {width} x {depth} cells of {cell_size} m, more than the limit of {limit}: use \
         cells of at least {fitting} m (`--cell-size`), or scale a level in centimetres by 0.01 \
         (`--scale 0.01`, `LevelOptions::scale`)"
    )]
    TooManyCells {
        /// Number of cells along x.
        width: u64,
        /// Number of cells along z.
        depth: u64,
        /// [`BakeOptions::cell_size`](crate::BakeOptions::cell_size). [Units: m]
        cell_size: f32,
        /// [`BakeOptions::max_cells`](crate::BakeOptions::max_cells).
        limit: u64,
        /// A cell size with which the level stays below the limit. [Units: m]
        fitting: f32,
    },
    /// The level has more than 65 000 cells along y.
    #[error(
        "the level is {metres} m high, more than 65 000 cells of {cell_height} m: use cells with a \
         height of at least {fitting} m (`--cell-height`)"
    )]
    TooHigh {
        /// Height of the level. [Units: m]
        metres: f32,
        /// [`BakeOptions::cell_height`](crate::BakeOptions::cell_height). [Units: m]
        cell_height: f32,
        /// A cell height with which the level stays below the limit. [Units: m]
        fitting: f32,
    },
    /// The level is so far from the origin that 32-bit numbers cannot resolve its cells.
    #[error(
        "the level reaches {metres} m from the origin along {axis}, where 32-bit numbers are {step} m \
         apart: too coarse for cells of {cell} m, so move the level closer to the origin"
    )]
    TooFar {
        /// The axis: x, y or z.
        axis: char,
        /// The largest distance of the level from the origin along that axis. [Units: m]
        metres: f32,
        /// The distance between neighbouring 32-bit numbers of that size. [Units: m]
        step: f32,
        /// The size of a cell along that axis. [Units: m]
        cell: f32,
    },
    /// More walkable floors are above one another than Recast can distinguish.
    #[error(
        "more than 60 walkable floors are above one another near x = {x}, z = {z}: remove some of them, \
         or bake the level in two parts"
    )]
    TooManyFloors {
        /// The x coordinate of the column of floors. [Units: m]
        x: f32,
        /// The z coordinate of the column of floors. [Units: m]
        z: f32,
    },
    /// The bake has no tile with this number.
    #[error("there is no tile {tile}: tiles are numbered 0 to {}", tiles - 1)]
    NoSuchTile {
        /// The tile that does not exist.
        tile: TileId,
        /// Number of tiles.
        tiles: usize,
    },
    /// A tile has more polygons than polygon ids can number.
    #[error("tile {tile} has {polygons} polygons, which is too many: use smaller tiles (`--tile`)")]
    CrowdedTile {
        /// The tile.
        tile: TileId,
        /// Number of polygons of the tile.
        polygons: usize,
    },
    /// A tile could not be turned into polygons, not even cell by cell. This is a bug in the bake.
    #[error(
        "the ground near x = {x}, z = {z} could not be turned into polygons: {reason}; please report \
         this level as a bug"
    )]
    Tile {
        /// The x coordinate of the cell. [Units: m]
        x: f32,
        /// The z coordinate of the cell. [Units: m]
        z: f32,
        /// Why the last attempt failed.
        reason: String,
    },
    /// The bake found no walkable ground.
    #[error(
        "there is no walkable ground in this level of {:.1} x {:.1} x {:.1} m (x, y, z): {cause}",
        size[0], size[1], size[2]
    )]
    NoGround {
        /// Size of the level along x, y and z. [Units: m]
        size: [f32; 3],
        /// The likely cause.
        cause: NoGroundCause,
    },
    /// The arrays of a [`BakedParts`](crate::BakedParts) contradict one another.
    #[error("{0}")]
    Parts(&'static str),
    /// The caller stopped the bake.
    #[error("the bake was stopped")]
    Stopped,
    /// The polygons of the bake do not form a valid navmesh.
    #[error(transparent)]
    NavMesh(#[from] NavMeshError),
}

/// The likely cause of a bake without walkable ground. Its text names the flag and the option to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGroundCause {
    /// Far more of the surface points down than up.
    FacesDown,
    /// More of the surface points along z than along x or y.
    FacesAlongZ,
    /// The level is smaller than the agent.
    TooSmall,
    /// Faces point up, but the agent fits on none of them.
    Unfit,
}

impl fmt::Display for NoGroundCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FacesDown => {
                "its faces point down, so try to flip them (`--flip`, `LevelOptions::flip`)"
            }
            Self::FacesAlongZ => {
                "most of its faces point along z, so try to read it with the other axis up (`--up z`, \
                 `LevelOptions::up`)"
            }
            Self::TooSmall => {
                "it is smaller than the agent, so try to scale it up (`--scale`, `LevelOptions::scale`) \
                 or bake for a smaller agent (`--agent-radius`)"
            }
            Self::Unfit => {
                "the faces that point up are too steep, too narrow or too low under a ceiling for the \
                 agent, so try a smaller agent (`--agent-radius`, `--agent-height`) or steeper slopes \
                 (`--agent-slope`)"
            }
        })
    }
}

impl BakeError {
    pub(crate) fn option(name: &'static str, value: f32, allowed: String) -> Self {
        Self::Option {
            name,
            value,
            allowed,
        }
    }
}
