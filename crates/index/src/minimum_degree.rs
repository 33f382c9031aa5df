//! The order of few doors, or few vertices: the one with the fewest neighbours left comes next.

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
    eliminate(count, beside, |door| order.push(cells.doors[door].id));
}

/// The same for vertices: cells, and doors as the edges between them. `ids` are their numbers in the whole
/// graph.
pub(crate) fn vertices_by_degree(cells: &Cells, ids: &[u32], order: &mut Vec<u32>) {
    let count = cells.len();
    let taken: usize = cells.taken.iter().map(|&taken| taken as usize).sum();
    let words = (count + taken).div_ceil(64);
    let mut beside = vec![0u64; count * words];
    let mut set = |vertex: usize, to: usize| beside[vertex * words + to / 64] |= 1 << (to % 64);
    for door in &cells.doors {
        let [a, b] = door.cells.map(|cell| cell as usize);
        set(a, b);
        set(b, a);
    }
    let mut number = count;
    for (vertex, &taken) in cells.taken.iter().enumerate() {
        set(vertex, vertex);
        for _ in 0..taken {
            set(vertex, number);
            number += 1;
        }
    }
    eliminate(count, beside, |vertex| order.push(ids[vertex]));
}

/// Tells so many elements in order. `beside` has a row of bits for each: itself and its neighbours, also those
/// that come after all of these.
fn eliminate(count: usize, mut beside: Vec<u64>, mut tell: impl FnMut(usize)) {
    let words = beside.len() / count.max(1);
    let mut degrees: Vec<u32> = beside
        .chunks_exact(words.max(1))
        .map(|row| row.iter().map(|word| word.count_ones()).sum())
        .collect();
    let mut left: Vec<u32> = (0..count as u32).collect();
    let mut eliminated = vec![0u64; words];
    while !left.is_empty() {
        let place =
            (0..left.len()).min_by_key(|&place| (degrees[left[place] as usize], left[place]));
        let next = left.swap_remove(place.expect("one is left")) as usize;
        tell(next);
        eliminated.copy_from_slice(&beside[next * words..(next + 1) * words]);
        eliminated[next / 64] &= !(1 << (next % 64));
        for &other in &left {
            let other = other as usize;
            if eliminated[other / 64] >> (other % 64) & 1 == 1 {
                let row = &mut beside[other * words..(other + 1) * words];
                for (word, more) in row.iter_mut().zip(&eliminated) {
                    *word |= more;
                }
                row[next / 64] &= !(1 << (next % 64));
                degrees[other] = row.iter().map(|word| word.count_ones()).sum();
            }
        }
    }
}
