//! One room: a grid of cells, some of them taken by furniture.

use glam::{Vec2, vec2};

use super::ground::Ground;
use super::streams::Quota;
use crate::random::Random;

/// The least and the most cells along one side of a room.
const MIN_CELLS: u32 = 3;
const MAX_CELLS: u32 = 8;
/// The mean side of a cell, in metres.
const CELL: f32 = 1.25;
const LINES: usize = MAX_CELLS as usize + 1;

/// A stretch of the x or z axis, in metres.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: f32,
    pub(super) end: f32,
}

/// The walls of a room.
#[derive(Clone, Copy)]
pub(super) enum Side {
    South,
    North,
    West,
    East,
}

/// A rectangle cut into cells by lines at uneven distances.
///
/// The cells along the walls are free, and every free cell can be reached from them; so the room
/// is connected, and a door may be put anywhere.
pub(super) struct Room {
    columns: usize,
    rows: usize,
    xs: [f32; LINES],
    zs: [f32; LINES],
    /// Bit `8 * row + column` says that the cell is free.
    free: u64,
    /// Bit `row` says that the row's runs begin with a single cell.
    staggered: u32,
}

/// Free cells next to one another in a row: one or two, merged into one polygon.
pub(super) struct Run {
    row: usize,
    column: usize,
    cells: usize,
}

impl Room {
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

    /// The free cells, row by row, in runs of at most two.
    fn for_each_run(&self, mut visit: impl FnMut(Run)) {
        for row in 0..self.rows {
            let mut single_first = self.staggered >> row & 1 == 1;
            let mut column = 0;
            while column < self.columns {
                let mut cells = 1;
                if self.is_free(column, row) {
                    cells += usize::from(!single_first && self.is_free(column + 1, row));
                    visit(Run { row, column, cells });
                }
                single_first = false;
                column += cells;
            }
        }
    }

    /// How many runs there are, and how many of them have two cells.
    pub(super) fn count_runs(&self) -> (usize, usize) {
        let (mut runs, mut pairs) = (0, 0);
        self.for_each_run(|run| {
            runs += 1;
            pairs += run.cells - 1;
        });
        (runs, pairs)
    }

    /// Adds vertices and polygons; `splits` says which of the pairs become two polygons after
    /// all. Gives the index of the first vertex.
    pub(super) fn lay(&self, ground: &mut Ground, floor: u32, area: u8, splits: &mut Quota) -> u32 {
        let vertices = self.lay_vertices(ground, floor);
        self.for_each_run(|Run { row, column, cells }| {
            let [south, north] = [vertices[row], vertices[row + 1]];
            if cells == 2 && !splits.take(1) {
                // The corners in the middle stay, because the rows beside this one need them.
                let [w, m, e] = [column, column + 1, column + 2];
                ground.polygon(
                    [south[w], south[m], south[e], north[e], north[m], north[w]],
                    area,
                );
                return;
            }
            for w in column..column + cells {
                let e = w + 1;
                ground.polygon([south[w], south[e], north[e], north[w]], area);
            }
        });
        vertices[0][0]
    }

    /// Adds the grid points that free cells touch, those along the walls first and in the order
    /// of [`Room::wall_vertex`]. Gives their indices by row and column of lines.
    fn lay_vertices(&self, ground: &mut Ground, floor: u32) -> [[u32; LINES]; LINES] {
        let mut vertices = [[u32::MAX; LINES]; LINES];
        let mut lay = |column: usize, row: usize| {
            vertices[row][column] = ground.vertex(self.point(column, row), floor);
        };
        for row in [0, self.rows] {
            (0..=self.columns).for_each(|column| lay(column, row));
        }
        for column in [0, self.columns] {
            (1..self.rows).for_each(|row| lay(column, row));
        }
        for row in 1..self.rows {
            for column in 1..self.columns {
                let touched = self.is_free(column, row)
                    || self.is_free(column - 1, row)
                    || self.is_free(column, row - 1)
                    || self.is_free(column - 1, row - 1);
                if touched {
                    lay(column, row);
                }
            }
        }
        vertices
    }

    fn point(&self, column: usize, row: usize) -> Vec2 {
        vec2(self.xs[column], self.zs[row])
    }

    /// How many cells stand along a wall.
    pub(super) fn wall_cells(&self, side: Side) -> usize {
        match side {
            Side::South | Side::North => self.columns,
            Side::West | Side::East => self.rows,
        }
    }

    /// Where the edge of a cell along a wall begins and ends on the wall's own axis.
    pub(super) fn wall_edge(&self, side: Side, cell: usize) -> Span {
        let lines = match side {
            Side::South | Side::North => &self.xs,
            Side::West | Side::East => &self.zs,
        };
        Span {
            start: lines[cell],
            end: lines[cell + 1],
        }
    }

    /// The index, counted from the room's first vertex, of grid point `line` along a wall.
    pub(super) fn wall_vertex(&self, side: Side, line: usize) -> u32 {
        let along_x = self.columns + 1;
        let along_z = self.rows - 1;
        let (own, south, north) = match side {
            Side::South => return line as u32,
            Side::North => return (along_x + line) as u32,
            Side::West => (2 * along_x, 0, along_x),
            Side::East => (2 * along_x + along_z, self.columns, along_x + self.columns),
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

/// Cuts a span into cells, and gives their number and the lines between them.
fn lines(span: Span, random: &mut Random) -> (usize, [f32; LINES]) {
    let length = span.end - span.start;
    let fitting = (length / CELL) as u32;
    let cells = (fitting + random.below(2)).clamp(MIN_CELLS, MAX_CELLS) as usize;
    let mut lines = [span.end; LINES];
    lines[0] = span.start;
    for (index, line) in lines.iter_mut().enumerate().take(cells).skip(1) {
        let place = index as f32 + random.between(-0.25, 0.25);
        *line = span.start + length * place / cells as f32;
    }
    (cells, lines)
}

/// Puts furniture on cells away from the walls, and gives the cells that stay free.
fn furnish(columns: usize, rows: usize, random: &mut Random) -> u64 {
    let density = match random.below(6) {
        0 => 0.0,
        _ => random.between(0.2, 0.6),
    };
    let mut along_walls = 0;
    let mut free = 0;
    for row in 0..rows {
        for column in 0..columns {
            let inside = (1..columns - 1).contains(&column) && (1..rows - 1).contains(&row);
            if !inside {
                along_walls |= cell(column, row);
                free |= cell(column, row);
            } else if !random.chance(density) {
                free |= cell(column, row);
            }
        }
    }
    reachable(along_walls, free)
}

/// The free cells that can be reached from `from`, side by side.
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
    fn a_pocket_behind_furniture_is_not_free() {
        // 5 by 5 cells; the middle one is free, but its four neighbours are not.
        let all = (0..5).fold(0, |cells, row| cells | 0b11111 << (8 * row));
        let furniture = cell(2, 1) | cell(1, 2) | cell(3, 2) | cell(2, 3);
        let free = all & !furniture;
        assert_eq!(reachable(cell(0, 0), free), free & !cell(2, 2));
    }

    #[test]
    fn cells_do_not_meet_around_the_end_of_a_row() {
        let last_and_next_first = cell(7, 0) | cell(0, 1);
        assert_eq!(reachable(cell(7, 0), last_and_next_first), cell(7, 0));
        assert_eq!(reachable(cell(0, 1), last_and_next_first), cell(0, 1));
    }
}
