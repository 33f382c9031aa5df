//! One room: a grid of cells, some of which are occupied by furniture.

use glam::{Vec2, vec2};

use super::mesh_builder::MeshBuilder;
use super::streams::Quota;
use crate::random::Random;

/// Minimum number of cells along a side of a room.
const MIN_CELLS: u32 = 3;
/// Maximum number of cells along a side of a room.
const MAX_CELLS: u32 = 8;
/// Mean side of a cell, in metres.
const CELL: f32 = 1.25;
const LINES: usize = MAX_CELLS as usize + 1;

/// An interval of the x or z axis, in metres.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: f32,
    pub(super) end: f32,
}

/// The walls of a room.
#[derive(Clone, Copy)]
pub(super) enum WallSide {
    South,
    North,
    West,
    East,
}

/// A rectangle that is cut into cells by unevenly spaced lines.
///
/// The cells along the walls are free and every free cell is connected to them. So the room is connected
/// and a door can be anywhere.
pub(super) struct FurnishedRoom {
    columns: usize,
    rows: usize,
    xs: [f32; LINES],
    zs: [f32; LINES],
    /// Bit `8 * row + column` is set if the cell is free.
    free: u64,
    /// Bit `row` is set if the first run of the row is a single cell.
    staggered: u32,
}

/// One or two neighbouring free cells of a row, which are merged into one polygon.
pub(super) struct CellRun {
    row: usize,
    column: usize,
    cells: usize,
}

impl FurnishedRoom {
    pub(super) fn new(width: Span, depth: Span, random: &mut Random) -> Self {
        let (columns, xs) = lines(width, random);
        let (rows, zs) = lines(depth, random);
        Self {
            columns,
            rows,
            xs,
            zs,
            free: furnish(columns, rows, random),
            staggered: random.bits(),
        }
    }

    pub(super) fn free_cells(&self) -> usize {
        self.free.count_ones() as usize
    }

    fn is_free(&self, column: usize, row: usize) -> bool {
        column < self.columns && row < self.rows && self.free & cell(column, row) != 0
    }

    /// Calls `visit` with the runs of free cells, row by row.
    fn for_each_run(&self, mut visit: impl FnMut(CellRun)) {
        for row in 0..self.rows {
            let mut single_first = self.staggered >> row & 1 == 1;
            let mut column = 0;
            while column < self.columns {
                let mut cells = 1;
                if self.is_free(column, row) {
                    cells += usize::from(!single_first && self.is_free(column + 1, row));
                    visit(CellRun { row, column, cells });
                }
                single_first = false;
                column += cells;
            }
        }
    }

    /// Returns the number of runs, and how many of them have two cells.
    pub(super) fn count_runs(&self) -> (usize, usize) {
        let (mut runs, mut pairs) = (0, 0);
        self.for_each_run(|run| {
            runs += 1;
            pairs += run.cells - 1;
        });
        (runs, pairs)
    }

    /// Adds vertices and polygons. `splits` decides which runs of two cells become two polygons. Returns the
    /// index of the first vertex.
    pub(super) fn add_to(
        &self,
        builder: &mut MeshBuilder,
        floor: u32,
        area: u8,
        splits: &mut Quota,
    ) -> u32 {
        let vertices = self.add_vertices(builder, floor);
        self.for_each_run(|CellRun { row, column, cells }| {
            let [south, north] = [vertices[row], vertices[row + 1]];
            if cells == 2 && !splits.take(1) {
                // The corners in the middle are kept, because the neighbouring rows need them.
                let [w, m, e] = [column, column + 1, column + 2];
                builder.add_polygon(
                    [south[w], south[m], south[e], north[e], north[m], north[w]],
                    area,
                );
                return;
            }
            for w in column..column + cells {
                let e = w + 1;
                builder.add_polygon([south[w], south[e], north[e], north[w]], area);
            }
        });
        vertices[0][0]
    }

    /// Adds the grid points at the corners of free cells, first those along the walls in the order of
    /// [`FurnishedRoom::wall_vertex`]. Returns their indices by row and column.
    fn add_vertices(&self, builder: &mut MeshBuilder, floor: u32) -> [[u32; LINES]; LINES] {
        let mut vertices = [[u32::MAX; LINES]; LINES];
        let mut add = |column: usize, row: usize| {
            vertices[row][column] = builder.add_vertex(self.point(column, row), floor);
        };
        for row in [0, self.rows] {
            (0..=self.columns).for_each(|column| add(column, row));
        }
        for column in [0, self.columns] {
            (1..self.rows).for_each(|row| add(column, row));
        }
        for row in 1..self.rows {
            for column in 1..self.columns {
                let is_used = self.is_free(column, row)
                    || self.is_free(column - 1, row)
                    || self.is_free(column, row - 1)
                    || self.is_free(column - 1, row - 1);
                if is_used {
                    add(column, row);
                }
            }
        }
        vertices
    }

    fn point(&self, column: usize, row: usize) -> Vec2 {
        vec2(self.xs[column], self.zs[row])
    }

    /// Returns the number of cells along a wall.
    pub(super) fn wall_cells(&self, side: WallSide) -> usize {
        match side {
            WallSide::South | WallSide::North => self.columns,
            WallSide::West | WallSide::East => self.rows,
        }
    }

    /// Returns the interval that a cell along a wall occupies on the axis of the wall.
    pub(super) fn wall_edge(&self, side: WallSide, cell: usize) -> Span {
        let lines = match side {
            WallSide::South | WallSide::North => &self.xs,
            WallSide::West | WallSide::East => &self.zs,
        };
        Span {
            start: lines[cell],
            end: lines[cell + 1],
        }
    }

    /// Returns the index of grid point `line` along a wall, relative to the first vertex of the room.
    pub(super) fn wall_vertex(&self, side: WallSide, line: usize) -> u32 {
        let along_x = self.columns + 1;
        let along_z = self.rows - 1;
        let (own, south, north) = match side {
            WallSide::South => return line as u32,
            WallSide::North => return (along_x + line) as u32,
            WallSide::West => (2 * along_x, 0, along_x),
            WallSide::East => (2 * along_x + along_z, self.columns, along_x + self.columns),
        };
        let index = match line {
            0 => south,
            _ if line == self.rows => north,
            _ => own + line - 1,
        };
        index as u32
    }
}

fn cell(column: usize, row: usize) -> u64 {
    1 << (8 * row + column)
}

/// Cuts a span into cells. Returns the number of cells and the lines between them.
fn lines(span: Span, random: &mut Random) -> (usize, [f32; LINES]) {
    let length = span.end - span.start;
    let fitting_cells = (length / CELL) as u32;
    let cells = (fitting_cells + random.below(2)).clamp(MIN_CELLS, MAX_CELLS) as usize;
    let mut lines = [span.end; LINES];
    lines[0] = span.start;
    for (index, line) in lines.iter_mut().enumerate().take(cells).skip(1) {
        let line_position = index as f32 + random.between(-0.25, 0.25);
        *line = span.start + length * line_position / cells as f32;
    }
    (cells, lines)
}

/// Places furniture on cells away from the walls. Returns the cells that are free and reachable.
fn furnish(columns: usize, rows: usize, random: &mut Random) -> u64 {
    let density = match random.below(6) {
        0 => 0.0,
        _ => random.between(0.2, 0.6),
    };
    let mut along_walls = 0;
    let mut free = 0;
    for row in 0..rows {
        for column in 0..columns {
            let is_inside = (1..columns - 1).contains(&column) && (1..rows - 1).contains(&row);
            if !is_inside {
                along_walls |= cell(column, row);
                free |= cell(column, row);
            } else if !random.chance(density) {
                free |= cell(column, row);
            }
        }
    }
    reachable(along_walls, free)
}

/// Returns the free cells that are connected to `from` over common sides.
fn reachable(from: u64, free: u64) -> u64 {
    const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
    let mut reached = from;
    loop {
        let east = (reached << 1) & !FIRST_COLUMN;
        let west = (reached & !FIRST_COLUMN) >> 1;
        let grown = (reached | east | west | reached << 8 | reached >> 8) & free;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_enclosed_by_furniture_is_not_reachable() {
        // 5 x 5 cells; the one in the centre is free, but its four neighbours are not.
        let all = (0..5).fold(0, |cells, row| cells | 0b11111 << (8 * row));
        let furniture = cell(2, 1) | cell(1, 2) | cell(3, 2) | cell(2, 3);
        let free = all & !furniture;
        assert_eq!(reachable(cell(0, 0), free), free & !cell(2, 2));
    }

    #[test]
    fn the_end_of_a_row_is_not_connected_to_the_start_of_the_next() {
        let last_and_next_first = cell(7, 0) | cell(0, 1);
        assert_eq!(reachable(cell(7, 0), last_and_next_first), cell(7, 0));
        assert_eq!(reachable(cell(0, 1), last_and_next_first), cell(0, 1));
    }
}
