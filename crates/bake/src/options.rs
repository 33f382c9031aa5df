//! The options of a bake, their limits and their conversion to whole cells.

use crate::BakeError;

/// The options of a bake: the resolution of the grid, the size of the agent, and how finely the
/// polygons follow the ground. The defaults are those of RecastDemo.
///
/// Lengths are in metres. Where Recast counts in cells, the agent's height and radius are rounded up
/// to whole cells and its climb is rounded down.
///
/// ```
/// use portolan_bake::{BakeOptions, Tiling};
///
/// // A small, nimble agent in a large level that is cut into tiles of 38.4 m.
/// let options = BakeOptions {
///     cell_size: 0.15,
///     cell_height: 0.1,
///     agent_height: 1.2,
///     agent_radius: 0.3,
///     agent_climb: 0.5,
///     tiles: Tiling::Side(256),
///     ..BakeOptions::default()
/// };
/// assert_eq!(options.agent_slope, 45.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// Side of a cell in the (x, z) plane. [Limit: 0.001..=1000] [Units: m] A half or a third of the
    /// agent's radius resolves every gap that the agent fits through. Smaller cells follow walls more
    /// closely; the time of a bake grows with the square of `1 / cell_size`.
    pub cell_size: f32,
    /// Height of a cell. [Limit: 0.001..=1000] [Units: m] Heights, climbs and ceilings are resolved to
    /// this length. Smaller values cost little time, but a level can be at most 65 000 cells high.
    pub cell_height: f32,
    /// Lowest ceiling that the agent can walk under. [Limit: above 0, at most 250 cells] [Units: m]
    /// A larger value removes ground under low ceilings.
    pub agent_height: f32,
    /// Distance that the agent's centre keeps from walls and ledges. [Limit: >= 0, at most 250 cells]
    /// [Units: m] A larger value closes narrow passages. With 0, walls thinner than a cell can be lost.
    pub agent_radius: f32,
    /// Highest step that the agent takes up or down. [Limit: >= 0, less than the agent's height]
    /// [Units: m] Too low a value separates the steps of stairs; too high a value connects floors over
    /// crates and tables.
    pub agent_climb: f32,
    /// Steepest ground that the agent walks on. [Limit: 0..=89] [Units: degrees] Steeper faces
    /// are not walkable: a smaller value removes more of the hillsides.
    pub agent_slope: f32,
    /// Maximum number of corners per polygon. [Limit: 3..=6] With 3, all polygons are triangles, and
    /// there are two to three times as many of them.
    pub max_vertices: u16,
    /// Islands of fewer cells than the square of this number are dropped. [Limit: 0..=255]
    /// [Units: cells] A larger value removes more table tops and other small spots that agents
    /// cannot reach. An island that reaches the border of a tile is measured across all of its tiles.
    pub min_region: u16,
    /// Regions of fewer cells than the square of this number are merged with a neighbour where
    /// possible. [Limit: 0..=255] [Units: cells] A larger value gives fewer and larger polygons, which
    /// take longer to triangulate.
    pub merge_region: u16,
    /// Maximum length of an edge along a wall. [Limit: 0..=1e8] [Units: m] A smaller value gives more
    /// polygons with better proportions. 0, or less than a cell, means no limit. More than 255 cells
    /// count as 255 cells.
    pub max_edge: f32,
    /// Maximum distance between the outline of a polygon and the outline of its cells.
    /// [Limit: 0..=100] [Units: cells] 1.3 straightens the staircase that slanting walls leave in a
    /// grid. A smaller value keeps that staircase, a larger one cuts corners.
    pub max_edge_error: f32,
    /// Distance between the points at which the height of the ground is compared with the height of
    /// the polygon. [Limit: 0, or 0.9..=1e6] [Units: cells, rounded to whole ones] A smaller value
    /// finds smaller bumps and takes longer. How many of the points are kept depends on
    /// `detail_error`. With 0, a polygon has no heights besides those of its corners.
    pub detail_sample: f32,
    /// Maximum distance between the surface of a polygon and the ground, at the points that
    /// `detail_sample` selects. [Limit: 0..=1e6] [Units: cell heights] A smaller value gives smoother
    /// hills and larger files. A polygon gets at most 250 inner points, even if its error stays larger.
    /// The ground is the top of the solid cells, which is above the geometry: by up to a cell height
    /// where the ground is level, and on slopes also by the rise within a cell.
    pub detail_error: f32,
    /// How the level is cut into tiles. Smaller tiles are quicker to bake again, but each border
    /// between tiles adds polygons. See [`Tiling`].
    pub tiles: Tiling,
    /// Maximum number of cells in the (x, z) plane; a larger level is refused with
    /// [`BakeError::TooManyCells`]. [Limit: >= 1] A bake takes some microseconds per cell, and a level
    /// in the wrong unit can have billions of cells.
    pub max_cells: u64,
}

/// How a level is cut into tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tiling {
    /// A single tile if the level has at most [`Tiling::SINGLE_TILE_MAX_CELLS`] cells in the (x, z)
    /// plane, else square tiles with a side of [`Tiling::DEFAULT_SIDE`] cells.
    #[default]
    Auto,
    /// A single tile for the entire level. Its regions and contours use one core only, and its memory grows
    /// with the size of the level. It is still split where Recast cannot process it in one piece.
    SingleTile,
    /// Square tiles with a side of this many cells. [Limit: 16..=1024] Smaller tiles are quicker to bake
    /// again and use more cores, but each border between tiles adds polygons.
    Side(u16),
}

impl Tiling {
    /// Maximum number of cells that [`Tiling::Auto`] bakes as a single tile.
    pub const SINGLE_TILE_MAX_CELLS: u64 = 1 << 20;
    /// Side of the tiles that [`Tiling::Auto`] chooses. [Units: cells] In a large city, tiles of 256 cells
    /// bake slightly faster but give more polygons.
    pub const DEFAULT_SIDE: u16 = 512;
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            cell_size: 0.3,
            cell_height: 0.2,
            agent_height: 2.0,
            agent_radius: 0.6,
            agent_climb: 0.9,
            agent_slope: 45.0,
            max_vertices: 6,
            min_region: 8,
            merge_region: 20,
            max_edge: 12.0,
            max_edge_error: 1.3,
            detail_sample: 6.0,
            detail_error: 1.0,
            tiles: Tiling::Auto,
            max_cells: 400_000_000,
        }
    }
}

/// The lengths among the options in whole cells, checked against their limits.
#[derive(Clone, Debug)]
pub(crate) struct CellLengths {
    pub(crate) height: u16,
    pub(crate) radius: u16,
    pub(crate) climb: u16,
    pub(crate) max_edge: u16,
}

impl CellLengths {
    /// Width of the strip around a tile that is voxelised with it, in cells. Erosion and the heights of
    /// corners depend on no cell outside it.
    pub(crate) fn border(&self) -> u16 {
        self.radius + 3
    }
}

impl BakeOptions {
    /// Checks every value against its limits and converts the lengths to cells.
    pub(crate) fn check(&self) -> Result<CellLengths, BakeError> {
        let check_range = |name, value: f32, min: f32, max: f32| {
            if (min..=max).contains(&value) {
                Ok(())
            } else {
                let allowed = format!("{min} to {max}");
                Err(BakeError::option(name, value, allowed))
            }
        };
        check_range("cell_size", self.cell_size, 0.001, 1000.0)?;
        check_range("cell_height", self.cell_height, 0.001, 1000.0)?;
        check_range("agent_slope", self.agent_slope, 0.0, 89.0)?;
        check_range("max_vertices", self.max_vertices.into(), 3.0, 6.0)?;
        check_range("min_region", self.min_region.into(), 0.0, 255.0)?;
        check_range("merge_region", self.merge_region.into(), 0.0, 255.0)?;
        check_range("max_edge_error", self.max_edge_error, 0.0, 100.0)?;
        check_range("detail_error", self.detail_error, 0.0, 1e6)?;
        let sample = self.detail_sample;
        if sample != 0.0 && !(0.9..=1e6).contains(&sample) {
            let allowed = "0, or 0.9 to 1000000".to_owned();
            return Err(BakeError::option("detail_sample", sample, allowed));
        }
        if let Tiling::Side(side) = self.tiles {
            check_range("tile", side.into(), 16.0, 1024.0)?;
        }
        let (height, radius, climb) = (self.agent_height, self.agent_radius, self.agent_climb);
        let max_height = 250.0 * self.cell_height;
        if !(height > 0.0 && height <= max_height) {
            let allowed = format!("more than 0 and at most {max_height}, which is 250 cells");
            return Err(BakeError::option("agent_height", height, allowed));
        }
        let max_radius = 250.0 * self.cell_size;
        if !(0.0..=max_radius).contains(&radius) {
            let allowed = format!("0 to {max_radius}, which is 250 cells");
            return Err(BakeError::option("agent_radius", radius, allowed));
        }
        check_range("max_edge", self.max_edge, 0.0, 1e8)?;
        if !(0.0..height).contains(&climb) {
            let allowed = format!("at least 0 and less than the agent's height of {height} m");
            return Err(BakeError::option("agent_climb", climb, allowed));
        }
        // The tolerance keeps an exact number of cells exact when the division rounds.
        let round_up = |length: f32, cell: f32| (length / cell - 1e-4).ceil().max(0.0) as u16;
        let round_down = |length: f32, cell: f32| (length / cell + 1e-4).floor() as u16;
        Ok(CellLengths {
            height: round_up(self.agent_height, self.cell_height).max(1),
            radius: round_up(self.agent_radius, self.cell_size),
            climb: round_down(self.agent_climb, self.cell_height),
            // rerecast squares this number in 16 bits.
            max_edge: round_down(self.max_edge, self.cell_size).min(255),
        })
    }
}
