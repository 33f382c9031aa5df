//! Cells and tiles: the frame that all stages count in.
//!
//! Stages work in cells, not in metres: a cell is 1 wide, 1 deep and 1 high, the grid begins at 0.
//! Borders between cells are whole numbers then, so two tiles see the same cells along their
//! common border, whatever rounding a cell size of 0.3 brings.

use std::fmt;

use glam::{DVec3, Vec3};
use portolan_core::geometry::Aabb;

use crate::options::Tiles;
use crate::{BakeError, BakeOptions};

/// A tile by its number, counted along x first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId(pub u32);

impl fmt::Display for TileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where the cells and the tiles of a bake are.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub(crate) origin: DVec3,
    pub(crate) cell: DVec3,
    /// Cells along x, y and z.
    pub(crate) size: [u32; 3],
    /// Side of a tile in cells; 0: one piece.
    pub(crate) side: u32,
}

/// A rectangle of cells: from the first to before the second corner.
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

    /// Cut in two across its longer side; `None` where it is a single cell.
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
    /// A grid over `bounds`.
    pub(crate) fn new(bounds: &Aabb, options: &BakeOptions) -> Result<Self, BakeError> {
        let cell = Vec3::new(options.cell_size, options.cell_height, options.cell_size).as_dvec3();
        let extent = bounds.max.as_dvec3() - bounds.min.as_dvec3();
        let cells = cells_of(extent, cell);
        let limit = options.max_cells.max(1);
        if !fits(cells, limit) {
            return Err(BakeError::TooManyCells {
                width: cells.x as u64,
                depth: cells.z as u64,
                cell_size: options.cell_size,
                limit,
                fitting: fitting(extent, limit),
            });
        }
        check_height(extent.y, options)?;
        check_reach(bounds, cell)?;
        let columns = (cells.x * cells.z) as u64;
        let side = match options.tiles {
            Tiles::Auto if columns <= Tiles::WHOLE_BELOW => 0,
            Tiles::Auto => Tiles::SIDE.into(),
            Tiles::Whole => 0,
            Tiles::Side(side) => side.into(),
        };
        Ok(Self {
            origin: bounds.min.as_dvec3(),
            cell,
            size: [cells.x as u32, cells.y as u32, cells.z as u32],
            side,
        })
    }

    /// Number of tiles along x and along z.
    pub fn tiles_along(&self) -> [u32; 2] {
        match self.side {
            0 => [1, 1],
            side => [self.size[0].div_ceil(side), self.size[2].div_ceil(side)],
        }
    }

    /// Number of tiles.
    pub fn tiles(&self) -> usize {
        let [x, z] = self.tiles_along();
        x as usize * z as usize
    }

    /// The tile in this column, counted along x, and in this row, counted along z; `None` where there
    /// is no such tile.
    pub fn tile(&self, column: u32, row: u32) -> Option<TileId> {
        let [columns, rows] = self.tiles_along();
        (column < columns && row < rows).then(|| TileId(column + row * columns))
    }

    /// The sides of the box that its cells fill, along x, y and z. [Units: m]
    pub fn extent(&self) -> [f32; 3] {
        [0, 1, 2].map(|axis| (f64::from(self.size[axis]) * self.cell[axis]) as f32)
    }

    /// The corner of its cells with the least x, y and z. [Units: m]
    pub fn origin(&self) -> Vec3 {
        self.origin.as_vec3()
    }

    /// Side of a tile, in cells; 0 where the level is baked in one piece.
    pub fn tile_side(&self) -> u32 {
        self.side
    }

    /// Number of cells along x and along z.
    pub fn cells_along(&self) -> [u32; 2] {
        [self.size[0], self.size[2]]
    }

    /// The tile below or above a place; `None` outside the grid.
    pub fn tile_at(&self, place: Vec3) -> Option<TileId> {
        let cell = ((place.as_dvec3() - self.origin) / self.cell).floor();
        let inside = |value: f64, size: u32| value >= 0.0 && value < f64::from(size);
        if !inside(cell.x, self.size[0]) || !inside(cell.z, self.size[2]) {
            return None;
        }
        let along = self.tiles_along();
        let tile = |value: f64| (value as u32).checked_div(self.side).unwrap_or(0);
        Some(TileId(tile(cell.x) + tile(cell.z) * along[0]))
    }

    /// The cells of a tile.
    pub(crate) fn rect(&self, tile: TileId) -> Rect {
        let [width, depth] = self.cells_along();
        if self.side == 0 {
            return Rect {
                min: [0, 0],
                max: [width, depth],
            };
        }
        let [along, _] = self.tiles_along();
        let min = [tile.0 % along * self.side, tile.0 / along * self.side];
        Rect {
            min,
            max: [
                (min[0] + self.side).min(width),
                (min[1] + self.side).min(depth),
            ],
        }
    }

    /// Whether a corner of a polygon lies on the border between two tiles.
    pub(crate) fn is_seam(&self, corner: Vec3) -> bool {
        let cells = (corner.as_dvec3() - self.origin) / self.cell;
        let is_line = |cells: f64| {
            let tiles = cells / f64::from(self.side);
            (tiles - tiles.round()).abs() * f64::from(self.side) < 0.1
        };
        self.side > 0 && (is_line(cells.x) || is_line(cells.z))
    }

    /// From metres to cells.
    pub(crate) fn to_cells(&self, place: Vec3) -> Vec3 {
        ((place.as_dvec3() - self.origin) / self.cell).as_vec3()
    }

    /// From cells to metres. The same cell gives the same place, whichever tile asks.
    pub(crate) fn to_metres(&self, cells: DVec3) -> Vec3 {
        (self.origin + cells * self.cell).as_vec3()
    }

    /// How far apart the places are that a corner of cells, seen from above, is rounded to.
    pub(crate) fn rounding(&self) -> f32 {
        let [width, depth] = self.cells_along();
        let far = self.to_metres(DVec3::new(width.into(), 0.0, depth.into()));
        let near = self.origin.as_vec3();
        let reach = near.abs().max(far.abs());
        spacing(reach.x.max(reach.z))
    }

    /// The middle of a rectangle, in metres.
    pub(crate) fn middle(&self, rect: Rect) -> Vec3 {
        let middle = |axis: usize| f64::from(rect.min[axis] + rect.max[axis]) / 2.0;
        self.to_metres(DVec3::new(middle(0), 0.0, middle(1)))
    }
}

/// Number of cells along each axis.
fn cells_of(extent: DVec3, cell: DVec3) -> DVec3 {
    // Ground that reaches into a cell by less than a thousandth has no use for it.
    (extent / cell - 1e-3).ceil().max(DVec3::ONE)
}

/// Whether there are few enough cells, seen from above, and along each axis as few as 32 bits count
/// by halves.
fn fits(cells: DVec3, limit: u64) -> bool {
    cells.x * cells.z <= limit as f64 && cells.x.max(cells.z) <= f64::from(1 << 23)
}

/// A cell size of two digits with which a level fits.
fn fitting(extent: DVec3, limit: u64) -> f32 {
    let by_area = (extent.x * extent.z / limit as f64).sqrt();
    let by_side = extent.x.max(extent.z) / limit.min(1 << 23) as f64;
    let mut size = rounded_up(by_area.max(by_side));
    // Parts of cells count as whole ones, which matters where there are few.
    while !fits(cells_of(extent, DVec3::splat(size.into())), limit) {
        size = rounded_up(f64::from(size) * 1.01);
    }
    size
}

/// Refuses a level whose places cannot be told to a sixteenth of a cell: polygons that are narrow
/// but hold the ground together would come out without area.
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

/// The distance between a number and the next.
fn spacing(number: f32) -> f32 {
    number.next_up() - number
}

/// Refuses a level in which heights, and room for an agent above them, do not fit into 16 bits.
pub(crate) fn check_height(metres: f64, options: &BakeOptions) -> Result<(), BakeError> {
    const MOST: f64 = 65_000.0;
    if metres / f64::from(options.cell_height) <= MOST {
        return Ok(());
    }
    Err(BakeError::TooHigh {
        metres: metres as f32,
        cell_height: options.cell_height,
        fitting: rounded_up(metres / MOST),
    })
}

/// The next number with two digits, with some room for rounding.
fn rounded_up(value: f64) -> f32 {
    // The power of ten that leaves two digits.
    let mut unit = 1.0;
    while value / unit >= 100.0 {
        unit *= 10.0;
    }
    while value / unit < 10.0 {
        unit /= 10.0;
    }
    ((value / unit * (1.0 + 1e-6)).ceil() * unit) as f32
}
