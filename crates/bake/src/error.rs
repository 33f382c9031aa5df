//! Why a bake cannot be done.

use std::fmt;

use portolan_core::NavMeshError;

use crate::TileId;

/// Why a bake cannot be done. Every variant says which element is to blame.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// An option is beyond its limits.
    #[error("{name} = {value}: it takes {allowed}")]
    Option {
        /// The field of [`BakeOptions`](crate::BakeOptions).
        name: &'static str,
        /// What it was set to.
        value: f32,
        /// What it can be set to.
        allowed: String,
    },
    /// There is nothing to bake.
    #[error("there are no triangles")]
    NoTriangles,
    /// There are triangles, but none with an area.
    #[error("all {triangles} triangles are degenerate: they have no area")]
    OnlyDegenerate {
        /// How many there are.
        triangles: usize,
    },
    /// A vertex is not a point.
    #[error("vertex {vertex} is not finite: ({x}, {y}, {z})")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
        /// Its x.
        x: f32,
        /// Its y.
        y: f32,
        /// Its z.
        z: f32,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, there are {vertices}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex that it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A triangle has a material that does not exist, or the list of materials has another length.
    #[error("triangle {triangle} has no material, or one that has no name")]
    NoSuchMaterial {
        /// Index of the triangle.
        triangle: usize,
    },
    /// A material or a volume has an area that a bake cannot make.
    #[error(
        "{what} has area {area}: a bake takes 0 to {}",
        portolan_core::AreaRules::MAX_AREA
    )]
    Area {
        /// Which.
        what: String,
        /// Its area.
        area: u8,
    },
    /// A volume is not one.
    #[error("volume {volume}: {what}")]
    Volume {
        /// Its index.
        volume: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The level has more cells than the bake takes on.
    #[error(
        "{width} x {depth} cells of {cell_size} m are more than the limit of {limit}; \
         a cell size of {fitting} m would fit; a level in centimetres is scaled by 0.01 \
         (`--scale 0.01`, `LevelOptions::scale`)"
    )]
    TooManyCells {
        /// Cells along x.
        width: u64,
        /// Cells along z.
        depth: u64,
        /// The cell size that was asked for.
        cell_size: f32,
        /// [`BakeOptions::max_cells`](crate::BakeOptions::max_cells).
        limit: u64,
        /// The cell size with which the level stays below the limit.
        fitting: f32,
    },
    /// The level is higher than heights can be counted.
    #[error(
        "the level is {metres} m high, which is more than 65 000 cells of {cell_height} m; \
         a cell height of {fitting} m would fit"
    )]
    TooHigh {
        /// Its height.
        metres: f32,
        /// The cell height that was asked for.
        cell_height: f32,
        /// The cell height with which it can be counted.
        fitting: f32,
    },
    /// The level lies where 32-bit numbers are too far apart for its cells.
    #[error(
        "the level reaches {metres} m from the origin along {axis}, where numbers are {step} m \
         apart: too much for cells of {cell} m; move it nearer"
    )]
    TooFar {
        /// Along which axis: x, y or z.
        axis: char,
        /// How far it reaches.
        metres: f32,
        /// The distance between a number of that size and the next.
        step: f32,
        /// Side or height of a cell.
        cell: f32,
    },
    /// More floors lie above one another than can be told apart.
    #[error("more than 60 floors lie above one another near x = {x}, z = {z}")]
    TooManyFloors {
        /// Where.
        x: f32,
        /// Where.
        z: f32,
    },
    /// There is no such tile.
    #[error("there is no tile {tile}: tiles are 0 to {}", tiles - 1)]
    NoSuchTile {
        /// The tile that was asked for.
        tile: TileId,
        /// How many there are.
        tiles: usize,
    },
    /// A tile came out with more polygons than can be named.
    #[error("tile {tile} has {polygons} polygons; smaller tiles would do")]
    CrowdedTile {
        /// The tile.
        tile: TileId,
        /// How many polygons it has.
        polygons: usize,
    },
    /// A tile could not be turned into polygons at any size: a fault of ours.
    #[error("the ground near x = {x}, z = {z} could not be turned into polygons: {what}")]
    Tile {
        /// Where.
        x: f32,
        /// Where.
        z: f32,
        /// What the last attempt said.
        what: String,
    },
    /// Nothing to walk on came out of it.
    #[error(
        "nothing to walk on came out of a level of {:.1} x {:.1} x {:.1} m (x, y, z): {cause}",
        size[0], size[1], size[2]
    )]
    NoGround {
        /// The sides of the box around the level. [Units: m]
        size: [f32; 3],
        /// The likely cause.
        cause: NoGroundCause,
    },
    /// A baked level from a file contradicts itself.
    #[error("{0}")]
    Parts(&'static str),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
    /// The polygons did not pass the check.
    #[error(transparent)]
    NavMesh(#[from] NavMeshError),
}

/// Why nothing to walk on came out of a level, as far as one can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGroundCause {
    /// Hardly any face points up, and more point down than sideways.
    FacesDown,
    /// Hardly any face points up, and more point along z than in any other direction.
    FacesAlongZ,
    /// The level is smaller than the ground that an agent needs.
    TooSmall,
    /// There is ground, but none that the agent can use.
    Unfit,
}

impl fmt::Display for NoGroundCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FacesDown => {
                "its faces point down, so turn them over (`--flip`, `LevelOptions::flip`)"
            }
            Self::FacesAlongZ => {
                "its faces point along z and not up, so read it with the other axis up (`--up z`, \
                 `LevelOptions::up`)"
            }
            Self::TooSmall => {
                "it is too small for the agent, so scale it (`--scale 100` for a file in units of 100 m, \
                 `LevelOptions::scale`) or bake for a smaller agent"
            }
            Self::Unfit => {
                "what points up is too steep, too narrow or too low under a ceiling for the agent"
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
