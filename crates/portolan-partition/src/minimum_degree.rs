//! The order of few doors: the one with the fewest neighbours left comes next.

use crate::cells::Cells;

/// Writes down the doors in order. Those that were taken away count as neighbours, since they all come
/// later.
pub(crate) fn by_degree(cells: &Cells, order: &mut Vec<u32>) {
    let count = cells.doors.len();
    let taken: usize = cells.taken.iter().map(|&taken| taken as usize).sum();
    let words = (count + taken).div_ceil(64);
    // Per cell all its doors, the taken ones numbered after the others.
    let mut of_cells = vec![0u64; cells.len() * words];
    let mut set = |cell: usize, door: usize| of_cells[cell * words + door / 64] |= 1 << (door % 64);
    for (number, door) in cells.doors.iter().enumerate() {
        door.cells
            .iter()
            .for_each(|&cell| set(cell as usize, number));
    }
    let mut number = count;
    for (cell, &taken) in cells.taken.iter().enumerate() {
        for _ in 0..taken {
            set(cell, number);
            number += 1;
        }
    }
    let row = |table: &[u64], at: usize, word: usize| table[at * words + word];
    let mut beside = vec![0u64; count * words];
    for (number, door) in cells.doors.iter().enumerate() {
        for word in 0..words {
            let [a, b] = door.cells.map(|cell| row(&of_cells, cell as usize, word));
            beside[number * words + word] = a | b;
        }
    }
    let mut degrees: Vec<u32> = beside
        .chunks_exact(words.max(1))
        .map(|row| row.iter().map(|word| word.count_ones()).sum())
        .collect();
    let mut left: Vec<u32> = (0..count as u32).collect();
    let mut eliminated = vec![0u64; words];
    while !left.is_empty() {
        let place =
            (0..left.len()).min_by_key(|&place| (degrees[left[place] as usize], left[place]));
        let door = left.swap_remove(place.expect("one is left")) as usize;
        order.push(cells.doors[door].id);
        eliminated.copy_from_slice(&beside[door * words..(door + 1) * words]);
        eliminated[door / 64] &= !(1 << (door % 64));
        for &other in &left {
            let other = other as usize;
            if eliminated[other / 64] >> (other % 64) & 1 == 1 {
                let row = &mut beside[other * words..(other + 1) * words];
                for (word, more) in row.iter_mut().zip(&eliminated) {
                    *word |= more;
                }
                row[door / 64] &= !(1 << (door % 64));
                degrees[other] = row.iter().map(|word| word.count_ones()).sum();
            }
        }
    }
}
