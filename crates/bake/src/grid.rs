//! The grid of cells and tiles.
//!
//! All stages of a bake compute in units of cells, not in metres: a cell is 1 wide, 1 deep and 1 high,
//! and the grid starts at 0. The borders between cells are whole numbers, so two tiles compute the same
//! cells along their common border, without the rounding errors of a cell size such as 0.3.

use std::fmt;

use glam::{DVec3, Vec3};
use portolan_core::geometry::Aabb;

use crate::options::Tiling;
use crate::{BakeError, BakeOptions};

/// The number of a tile. Tiles are numbered from 0, row by row along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId(pub u32);

impl fmt::Display for TileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The grid of cells and tiles of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub(crate) origin: DVec3,
    pub(crate) cell: DVec3,
    /// Cells along x, y and z.
    pub(crate) size: [u32; 3],
    /// Side of a tile in cells, or 0 for a single tile.
    pub(crate) side: u32,
}

/// A rectangle of cells in the (x, z) plane. `max` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) min: [u32; 2],
    pub(crate) max: [u32; 2],
}

impl Rect {
    pub(crate) fn width(&self) -> u32 {
        self.max[0] - self.min[0]
    }

    pub(crate) fn depth(&self) -> u32 {
        self.max[1] - self.min[1]
    }

    /// Splits the longer side in two. Returns `None` for a single cell.
    pub(crate) fn halves(self) -> Option<[Self; 2]> {
        let axis = usize::from(self.depth() > self.width());
        let length = self.max[axis] - self.min[axis];
        if length < 2 {
            return None;
        }
        let mut halves = [self; 2];
        halves[0].max[axis] = self.min[axis] + length / 2;
        halves[1].min[axis] = self.min[axis] + length / 2;
        Some(halves)
    }
}

impl Grid {
    /// Creates a grid over `bounds`.
    pub(crate) fn new(bounds: &Aabb, options: &BakeOptions) -> Result<Self, BakeError> {
        let cell = Vec3::new(options.cell_size, options.cell_height, options.cell_size).as_dvec3();
        let extent = bounds.max.as_dvec3() - bounds.min.as_dvec3();
        let cells = cells_along_axes(extent, cell);
        let limit = options.max_cells.max(1);
        if !fits(cells, limit) {
            return Err(BakeError::TooManyCells {
                width: cells.x as u64,
                depth: cells.z as u64,
                cell_size: options.cell_size,
                limit,
                fitting: fitting_cell_size(extent, limit),
            });
        }
        check_height(extent.y, options)?;
        check_reach(bounds, cell)?;
        let columns = (cells.x * cells.z) as u64;
        let side = match options.tiles {
            Tiling::Auto if columns <= Tiling::SINGLE_TILE_MAX_CELLS => 0,
            Tiling::Auto => Tiling::DEFAULT_SIDE.into(),
            Tiling::SingleTile => 0,
            Tiling::Side(side) => side.into(),
        };
        Ok(Self {
            origin: bounds.min.as_dvec3(),
            cell,
            size: [cells.x as u32, cells.y as u32, cells.z as u32],
            side,
        })
    }

    /// Returns the number of tiles along x and along z.
    pub fn tiles_along(&self) -> [u32; 2] {
        match self.side {
            0 => [1, 1],
            side => [self.size[0].div_ceil(side), self.size[2].div_ceil(side)],
        }
    }

    /// Returns the number of tiles.
    pub fn tiles(&self) -> usize {
        let [x, z] = self.tiles_along();
        x as usize * z as usize
    }

    /// Returns the tile at a column, counted along x, and a row, counted along z. Returns `None` outside
    /// the grid.
    pub fn tile(&self, column: u32, row: u32) -> Option<TileId> {
        let [columns, rows] = self.tiles_along();
        (column < columns && row < rows).then(|| TileId(column + row * columns))
    }

    /// Returns the size of the grid along x, y and z. [Units: m]
    pub fn extent(&self) -> [f32; 3] {
        [0, 1, 2].map(|axis| (f64::from(self.size[axis]) * self.cell[axis]) as f32)
    }

    /// Returns the corner of the grid with the smallest coordinates. [Units: m]
    pub fn origin(&self) -> Vec3 {
        self.origin.as_vec3()
    }

    /// Returns the side of a tile, or 0 for a level that is a single tile. [Units: cells]
    pub fn tile_side(&self) -> u32 {
        self.side
    }

    /// Returns the number of cells along x and along z.
    pub fn cells_along(&self) -> [u32; 2] {
        [self.size[0], self.size[2]]
    }

    /// Returns the tile that contains the (x, z) of `position`, at any height. Returns `None` outside
    /// the grid.
    pub fn tile_at(&self, position: Vec3) -> Option<TileId> {
        let cell = ((position.as_dvec3() - self.origin) / self.cell).floor();
        let inside = |value: f64, size: u32| value >= 0.0 && value < f64::from(size);
        if !inside(cell.x, self.size[0]) || !inside(cell.z, self.size[2]) {
            return None;
        }
        let tiles = self.tiles_along();
        let tile = |value: f64| (value as u32).checked_div(self.side).unwrap_or(0);
        Some(TileId(tile(cell.x) + tile(cell.z) * tiles[0]))
    }

    /// Returns the cells of a tile.
    pub(crate) fn rect(&self, tile: TileId) -> Rect {
        let [width, depth] = self.cells_along();
        if self.side == 0 {
            return Rect {
                min: [0, 0],
                max: [width, depth],
            };
        }
        let [columns, _] = self.tiles_along();
        let min = [tile.0 % columns * self.side, tile.0 / columns * self.side];
        Rect {
            min,
            max: [
                (min[0] + self.side).min(width),
                (min[1] + self.side).min(depth),
            ],
        }
    }

    /// Returns whether a corner of a polygon is on the border of a tile.
    pub(crate) fn is_on_tile_border(&self, corner: Vec3) -> bool {
        let cells = (corner.as_dvec3() - self.origin) / self.cell;
        let is_border = |cells: f64| {
            let tiles = cells / f64::from(self.side);
            (tiles - tiles.round()).abs() * f64::from(self.side) < 0.1
        };
        self.side > 0 && (is_border(cells.x) || is_border(cells.z))
    }

    /// Converts metres to cells.
    pub(crate) fn to_cells(&self, position: Vec3) -> Vec3 {
        ((position.as_dvec3() - self.origin) / self.cell).as_vec3()
    }

    /// Converts cells to metres. Different tiles get exactly the same position for the same cell.
    pub(crate) fn to_metres(&self, cells: DVec3) -> Vec3 {
        (self.origin + cells * self.cell).as_vec3()
    }

    /// Returns the largest spacing, in x and z, of the 32-bit positions that corners are rounded to, in
    /// metres.
    pub(crate) fn position_spacing(&self) -> f32 {
        let [width, depth] = self.cells_along();
        let far = self.to_metres(DVec3::new(width.into(), 0.0, depth.into()));
        let near = self.origin.as_vec3();
        let reach = near.abs().max(far.abs());
        spacing(reach.x.max(reach.z))
    }

    /// Returns the centre of a rectangle in metres.
    pub(crate) fn centre(&self, rect: Rect) -> Vec3 {
        let centre = |axis: usize| f64::from(rect.min[axis] + rect.max[axis]) / 2.0;
        self.to_metres(DVec3::new(centre(0), 0.0, centre(1)))
    }
}

/// Returns the number of cells along each axis.
fn cells_along_axes(extent: DVec3, cell: DVec3) -> DVec3 {
    // Ground that reaches less than a thousandth of a cell into the last cell does not need that cell.
    (extent / cell - 1e-3).ceil().max(DVec3::ONE)
}

/// Returns whether a grid has at most `limit` cells in the (x, z) plane and at most 2^23 cells along x and
/// z. Up to that number, a 32-bit float can represent half cells.
fn fits(cells: DVec3, limit: u64) -> bool {
    cells.x * cells.z <= limit as f64 && cells.x.max(cells.z) <= f64::from(1 << 23)
}

/// Returns a cell size with two digits for which the level is within the limit.
fn fitting_cell_size(extent: DVec3, limit: u64) -> f32 {
    let by_area = (extent.x * extent.z / limit as f64).sqrt();
    let by_side = extent.x.max(extent.z) / limit.min(1 << 23) as f64;
    let mut size = rounded_up(by_area.max(by_side));
    // Partly covered cells count, which matters in small grids.
    while !fits(cells_along_axes(extent, DVec3::splat(size.into())), limit) {
        size = rounded_up(f64::from(size) * 1.01);
    }
    size
}

/// Refuses a level in which 32-bit positions are more than a sixteenth of a cell apart. Narrow polygons
/// that connect the ground would lose their area.
fn check_reach(bounds: &Aabb, cell: DVec3) -> Result<(), BakeError> {
    let reach = bounds.min.abs().max(bounds.max.abs());
    for (axis, name) in ['x', 'y', 'z'].into_iter().enumerate() {
        let (metres, cell) = (reach[axis], cell[axis] as f32);
        if spacing(metres) > cell / 16.0 {
            return Err(BakeError::TooFar {
                axis: name,
                metres,
                step: spacing(metres),
                cell,
            });
        }
    }
    Ok(())
}

/// Returns the distance between a number and the next larger one.
fn spacing(number: f32) -> f32 {
    number.next_up() - number
}

/// Refuses a level whose heights, plus an agent's height, do not fit into 16 bits.
pub(crate) fn check_height(metres: f64, options: &BakeOptions) -> Result<(), BakeError> {
    const MAX_CELLS_HIGH: f64 = 65_000.0;
    if metres / f64::from(options.cell_height) <= MAX_CELLS_HIGH {
        return Ok(());
    }
    Err(BakeError::TooHigh {
        metres: metres as f32,
        cell_height: options.cell_height,
        fitting: rounded_up(metres / MAX_CELLS_HIGH),
    })
}

/// Returns the next larger number with two digits, with a margin for rounding errors.
fn rounded_up(value: f64) -> f32 {
    // The power of ten of the second digit.
    let mut unit = 1.0;
    while value / unit >= 100.0 {
        unit *= 10.0;
    }
    while value / unit < 10.0 {
        unit /= 10.0;
    }
    ((value / unit * (1.0 + 1e-6)).ceil() * unit) as f32
}
