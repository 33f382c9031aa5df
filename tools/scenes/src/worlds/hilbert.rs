//! The Hilbert order of the cells of a grid.

/// Returns the cells of a grid, as `row * columns + column`, in the order of a Hilbert curve. Consecutive
/// cells are neighbours, except where the curve leaves the grid and returns.
pub(super) fn hilbert_order(columns: usize, rows: usize) -> Vec<u32> {
    let side = columns.max(rows).next_power_of_two() as u64;
    let mut cells: Vec<u32> = (0..(columns * rows) as u32).collect();
    cells.sort_by_cached_key(|&cell| {
        let (row, column) = (cell as usize / columns, cell as usize % columns);
        curve_position(side, column as u64, row as u64)
    });
    cells
}

/// Returns the position of cell (x, y) on the curve through a square of `side` cells, a power of two.
fn curve_position(side: u64, mut x: u64, mut y: u64) -> u64 {
    let mut position = 0;
    let mut half = side / 2;
    while half > 0 {
        let (right, upper) = (x & half != 0, y & half != 0);
        let quarter = match (right, upper) {
            (false, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
            (true, false) => 3,
        };
        position += quarter * half * half;
        // The curve is mirrored in the two lower quarters.
        if !upper {
            if right {
                x = (side - 1) - x;
                y = (side - 1) - y;
            }
            (x, y) = (y, x);
        }
        half /= 2;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_cells_of_a_square_grid_are_neighbours() {
        let order = hilbert_order(16, 16);
        for step in order.windows(2) {
            let (a, b) = (step[0] as usize, step[1] as usize);
            let distance = (a / 16).abs_diff(b / 16) + (a % 16).abs_diff(b % 16);
            assert_eq!(distance, 1);
        }
    }

    #[test]
    fn every_cell_occurs_once() {
        let mut order = hilbert_order(7, 3);
        order.sort_unstable();
        assert_eq!(order, (0..21).collect::<Vec<_>>());
    }
}
