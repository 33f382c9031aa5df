//! The order in which a grid is numbered.

/// The cells of a grid, as `row * columns + column`, along a Hilbert curve: neighbours in the
/// list are neighbours on the ground, except where the curve leaves the grid and comes back.
pub(super) fn hilbert_order(columns: usize, rows: usize) -> Vec<u32> {
    let side = columns.max(rows).next_power_of_two() as u64;
    let mut cells: Vec<u32> = (0..(columns * rows) as u32).collect();
    cells.sort_by_cached_key(|&cell| {
        let (row, column) = (cell as usize / columns, cell as usize % columns);
        distance(side, column as u64, row as u64)
    });
    cells
}

/// How far along the curve through a square of `side` cells, a power of two, cell (x, y) lies.
fn distance(side: u64, mut x: u64, mut y: u64) -> u64 {
    let mut along = 0;
    let mut half = side / 2;
    while half > 0 {
        let (right, upper) = (x & half != 0, y & half != 0);
        let quarter = match (right, upper) {
            (false, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
            (true, false) => 3,
        };
        along += quarter * half * half;
        // The curve enters the two lower quarters turned over.
        if !upper {
            if right {
                x = (side - 1) - x;
                y = (side - 1) - y;
            }
            (x, y) = (y, x);
        }
        half /= 2;
    }
    along
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_goes_to_a_neighbour_of_a_square_grid() {
        let order = hilbert_order(16, 16);
        for step in order.windows(2) {
            let (a, b) = (step[0] as usize, step[1] as usize);
            let apart = (a / 16).abs_diff(b / 16) + (a % 16).abs_diff(b % 16);
            assert_eq!(apart, 1);
        }
    }

    #[test]
    fn every_cell_comes_once() {
        let mut order = hilbert_order(7, 3);
        order.sort_unstable();
        assert_eq!(order, (0..21).collect::<Vec<_>>());
    }
}
