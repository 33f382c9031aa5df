//! Minimum degree orders for small graphs: the element with the fewest remaining neighbours comes next.

use crate::cells::CellGraph;

/// Appends the edges of a cell graph to the order. Edges that earlier cuts removed count as neighbours,
/// because they all come later.
pub(crate) fn edges_by_degree(cells: &CellGraph, order: &mut Vec<u32>) {
    let count = cells.edges.len();
    let removed: usize = cells.removed.iter().map(|&removed| removed as usize).sum();
    let words = (count + removed).div_ceil(64);
    // The edges of each cell as a bit set. Removed edges are numbered after the others.
    let mut edges_of_cells = vec![0u64; cells.len() * words];
    let mut set =
        |cell: usize, edge: usize| edges_of_cells[cell * words + edge / 64] |= 1 << (edge % 64);
    for (number, edge) in cells.edges.iter().enumerate() {
        edge.cells
            .iter()
            .for_each(|&cell| set(cell as usize, number));
    }
    let mut number = count;
    for (cell, &removed) in cells.removed.iter().enumerate() {
        for _ in 0..removed {
            set(cell, number);
            number += 1;
        }
    }
    let row = |table: &[u64], at: usize, word: usize| table[at * words + word];
    let mut neighbours = vec![0u64; count * words];
    for (number, edge) in cells.edges.iter().enumerate() {
        for word in 0..words {
            let [a, b] = edge
                .cells
                .map(|cell| row(&edges_of_cells, cell as usize, word));
            neighbours[number * words + word] = a | b;
        }
    }
    eliminate(count, neighbours, |edge| order.push(cells.edges[edge].id));
}

/// Appends the cells of a cell graph, each of which represents a vertex, to the order. `ids` has their
/// numbers in the complete graph.
pub(crate) fn vertices_by_degree(cells: &CellGraph, ids: &[u32], order: &mut Vec<u32>) {
    let count = cells.len();
    let removed: usize = cells.removed.iter().map(|&removed| removed as usize).sum();
    let words = (count + removed).div_ceil(64);
    let mut neighbours = vec![0u64; count * words];
    let mut set = |vertex: usize, to: usize| neighbours[vertex * words + to / 64] |= 1 << (to % 64);
    for edge in &cells.edges {
        let [a, b] = edge.cells.map(|cell| cell as usize);
        set(a, b);
        set(b, a);
    }
    let mut number = count;
    for (vertex, &removed) in cells.removed.iter().enumerate() {
        set(vertex, vertex);
        for _ in 0..removed {
            set(vertex, number);
            number += 1;
        }
    }
    eliminate(count, neighbours, |vertex| order.push(ids[vertex]));
}

/// Calls `visit` with `count` elements in minimum degree order. `neighbours` has one row of bits per
/// element: the element itself and its neighbours, including those that come after all of these elements.
fn eliminate(count: usize, mut neighbours: Vec<u64>, mut visit: impl FnMut(usize)) {
    let words = neighbours.len() / count.max(1);
    let mut degrees: Vec<u32> = neighbours
        .chunks_exact(words.max(1))
        .map(|row| row.iter().map(|word| word.count_ones()).sum())
        .collect();
    let mut remaining: Vec<u32> = (0..count as u32).collect();
    let mut eliminated = vec![0u64; words];
    while !remaining.is_empty() {
        let index = (0..remaining.len())
            .min_by_key(|&index| (degrees[remaining[index] as usize], remaining[index]));
        let next = remaining.swap_remove(index.expect("an element remains")) as usize;
        visit(next);
        eliminated.copy_from_slice(&neighbours[next * words..(next + 1) * words]);
        eliminated[next / 64] &= !(1 << (next % 64));
        for &other in &remaining {
            let other = other as usize;
            if eliminated[other / 64] >> (other % 64) & 1 == 1 {
                let row = &mut neighbours[other * words..(other + 1) * words];
                for (word, more) in row.iter_mut().zip(&eliminated) {
                    *word |= more;
                }
                row[next / 64] &= !(1 << (next % 64));
                degrees[other] = row.iter().map(|word| word.count_ones()).sum();
            }
        }
    }
}
