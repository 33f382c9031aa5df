//! Nested dissection orders by position: pieces are cut along straight lines.
//!
//! A graph whose edges join vertices that are close to each other, such as the triangles of a grid, has small
//! separators along straight lines. Finding them takes a sort per piece, where a flow takes many passes
//! over its edges.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use portolan_core::Csr;

use crate::cells::{CellEdge, CellGraph};
use crate::cover::cover;
use crate::minimum_degree::vertices_by_degree;

/// Pieces of at most this many vertices are ordered by minimum degree instead of being cut.
const MAX_BY_DEGREE: usize = 48;

/// From this many vertices on, the two halves are dissected in parallel.
const MIN_PARALLEL: usize = 2000;

/// Each half has at least this fraction of a piece.
const MIN_FRACTION: f64 = 0.4;

/// The vertices of separators have this label. Pieces have other labels.
const SEPARATOR: u64 = 0;

/// Computes a nested dissection order of plain vertices by cutting along the two axes, for a
/// [`Contraction`](portolan_core::contraction::Contraction). Of all lines between the two fifths at either end of a
/// piece, the one with the best ratio of cut to balance is taken. [`order_points`](crate::order_points) finds smaller
/// separators where the vertices are far from a grid, and takes several times as long.
///
/// The same points and neighbours give the same order, on any number of threads.
///
/// # Panics
/// Panics if there is not one list of neighbours per point, or if a neighbour does not exist.
pub fn order_by_position(points: &[[f32; 2]], neighbours: &Csr<u32>) -> Vec<u32> {
    assert_eq!(points.len(), neighbours.len(), "one list per point");
    let dissection = PositionDissection {
        points,
        neighbours,
        labels: points.iter().map(|_| AtomicU64::new(1)).collect(),
        ranks: points.iter().map(|_| AtomicU32::new(0)).collect(),
    };
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    dissection.dissect(&mut order, 1);
    order
}

/// The graph, and the piece of each vertex.
struct PositionDissection<'a> {
    points: &'a [[f32; 2]],
    neighbours: &'a Csr<u32>,
    /// The label of the piece that contains each vertex. The halves of piece `n` are `2n` and `2n + 1`. Threads
    /// only compare labels with that of their own piece, which no other thread writes, so the result does not
    /// depend on their timing.
    labels: Vec<AtomicU64>,
    /// The index of each vertex in its piece while the piece is sorted.
    ranks: Vec<AtomicU32>,
}

/// A line that cuts a piece.
struct Cut {
    axis: usize,
    /// The number of vertices before the line.
    first: usize,
    /// The size of the separator, divided by the balance of the halves. Lower is better.
    score: f64,
}

impl PositionDissection<'_> {
    /// Rearranges the vertices of a piece: those of both halves, each in order, then those of the separator.
    fn dissect(&self, piece: &mut [u32], label: u64) {
        // Each half has at most three fifths of the piece, so labels of 63 bits suffice for any number of vertices.
        if piece.len() <= MAX_BY_DEGREE || label >> 62 != 0 {
            return self.order_by_degree(piece, label);
        }
        let cuts = [0, 1].map(|axis| {
            self.sort(piece, axis);
            self.best_cut(piece, label, axis)
        });
        let [x, y] = &cuts;
        let cut = if y.score < x.score { y } else { x };
        if cut.axis == 0 {
            self.sort(piece, 0);
        }
        let [first, second] = self.separate(piece, label, cut.first);
        let (halves, _) = piece.split_at_mut(first + second);
        let (before, after) = halves.split_at_mut(first);
        let (mut left, mut right) = (
            || self.dissect(before, 2 * label),
            || self.dissect(after, 2 * label + 1),
        );
        if first + second >= MIN_PARALLEL {
            rayon::join(left, right);
        } else {
            left();
            right();
        }
    }

    /// Sorts vertices along an axis, and vertices at the same coordinate along the other axis.
    fn sort(&self, piece: &mut [u32], axis: usize) {
        piece.sort_unstable_by(|&a, &b| {
            let [a_point, b_point] = [a, b].map(|vertex| self.points[vertex as usize]);
            let by_axis = |axis: usize| a_point[axis].total_cmp(&b_point[axis]);
            by_axis(axis).then(by_axis(1 - axis)).then(a.cmp(&b))
        });
    }

    fn is_in(&self, vertex: u32, label: u64) -> bool {
        self.labels[vertex as usize].load(Ordering::Relaxed) == label
    }

    fn neighbours_in(&self, vertex: u32, label: u64) -> impl Iterator<Item = u32> {
        let all = self.neighbours.get(vertex as usize).iter().copied();
        all.filter(move |&next| self.is_in(next, label) && next != vertex)
    }

    /// Finds the best line for a piece that is sorted along `axis`.
    fn best_cut(&self, piece: &[u32], label: u64, axis: usize) -> Cut {
        let count = piece.len();
        for (&vertex, rank) in piece.iter().zip(0..) {
            self.ranks[vertex as usize].store(rank, Ordering::Relaxed);
        }
        let rank_of = |vertex: u32| self.ranks[vertex as usize].load(Ordering::Relaxed) as usize;
        // An edge is cut by the lines between its two ends. The separator is at most as large as the number of
        // vertices before the line that have a neighbour after it.
        let mut best = Cut {
            axis,
            first: count / 2,
            score: f64::INFINITY,
        };
        let mut open = 0i64;
        let mut closing = vec![0i64; count + 1];
        for (rank, &vertex) in piece.iter().enumerate() {
            open -= closing[rank];
            let fraction = rank as f64 / count as f64;
            let balance = fraction * (1.0 - fraction);
            let score = open as f64 / balance;
            if (MIN_FRACTION..=1.0 - MIN_FRACTION).contains(&fraction) && score < best.score {
                best.first = rank;
                best.score = score;
            }
            // The vertex is counted until its last neighbour is before the line, too.
            let last = self.neighbours_in(vertex, label).map(rank_of).max();
            if let Some(last) = last.filter(|&last| last > rank) {
                open += 1;
                closing[last + 1] += 1;
            }
        }
        best
    }

    /// Moves the vertices of the smallest separator between the first `cut` vertices and the others to the end of
    /// the piece, and labels the halves. Returns the sizes of the halves.
    fn separate(&self, piece: &mut [u32], label: u64, cut: usize) -> [usize; 2] {
        let (first, second) = piece.split_at(cut);
        for &vertex in second {
            self.labels[vertex as usize].store(2 * label + 1, Ordering::Relaxed);
        }
        // The ends of all cut edges.
        let mut ends: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for &vertex in first {
            let before = edges.len();
            let index = ends[0].len() as u32;
            let across = self.neighbours_in(vertex, 2 * label + 1);
            edges.extend(across.map(|other| [index, other]));
            if edges.len() > before {
                ends[0].push(vertex);
            }
        }
        ends[1].extend(edges.iter().map(|edge| edge[1]));
        ends[1].sort_unstable();
        ends[1].dedup();
        for edge in &mut edges {
            let index = ends[1].binary_search(&edge[1]);
            edge[1] = index.expect("the end of a cut edge") as u32;
        }
        for &vertex in first {
            self.labels[vertex as usize].store(2 * label, Ordering::Relaxed);
        }
        let covered = cover([ends[0].len(), ends[1].len()], &edges);
        for (ends, covered) in ends.iter().zip(&covered) {
            for (&vertex, _) in ends.iter().zip(covered).filter(|&(_, &is)| is) {
                self.labels[vertex as usize].store(SEPARATOR, Ordering::Relaxed);
            }
        }
        let group = |vertex: u32| match self.labels[vertex as usize].load(Ordering::Relaxed) {
            SEPARATOR => 2,
            label => label & 1,
        };
        let mut groups = [Vec::new(), Vec::new(), Vec::new()];
        for &vertex in piece.iter() {
            groups[group(vertex) as usize].push(vertex);
        }
        let all = groups.iter().flatten();
        piece
            .iter_mut()
            .zip(all)
            .for_each(|(slot, &vertex)| *slot = vertex);
        [groups[0].len(), groups[1].len()]
    }

    fn order_by_degree(&self, piece: &mut [u32], label: u64) {
        piece.sort_unstable();
        let mut edges = Vec::new();
        let mut removed = Vec::with_capacity(piece.len());
        for (index, &vertex) in piece.iter().enumerate() {
            let neighbours = self.neighbours.get(vertex as usize);
            let mut inner = 0;
            for next in self.neighbours_in(vertex, label) {
                inner += 1;
                let other = piece.binary_search(&next).expect("a vertex of the piece");
                if index < other {
                    edges.push(CellEdge {
                        cells: [index as u32, other as u32],
                        id: 0,
                        weight: 1,
                    });
                }
            }
            removed.push((neighbours.len() - inner) as u32);
        }
        let cells = CellGraph {
            centres: vec![glam::Vec3::ZERO; piece.len()],
            weights: Vec::new(),
            removed,
            edges,
        };
        let mut order = Vec::with_capacity(piece.len());
        vertices_by_degree(&cells, piece, &mut order);
        piece.copy_from_slice(&order);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lists(count: usize, edges: impl Iterator<Item = [u32; 2]>) -> Csr<u32> {
        let pairs: Vec<(u32, u32)> = edges.flat_map(|[a, b]| [(a, b), (b, a)]).collect();
        Csr::group(count, &pairs)
    }

    fn grid(side: u32) -> (Vec<[f32; 2]>, Csr<u32>) {
        let points = (0..side * side).map(|at| [(at % side) as f32, (at / side) as f32]);
        let right = (0..side * side)
            .filter(|at| at % side + 1 < side)
            .map(|at| [at, at + 1]);
        let up = (0..side * (side - 1)).map(|at| [at, at + side]);
        (
            points.collect(),
            lists((side * side) as usize, right.chain(up)),
        )
    }

    #[test]
    fn a_grid_is_cut_along_its_lines() {
        let (points, neighbours) = grid(40);
        let order = order_by_position(&points, &neighbours);
        // The last vertices are a column or a row.
        let last = &order[order.len() - 40..];
        let is_line = [0, 1].map(|axis| {
            let at = |&vertex: &u32| points[vertex as usize][axis];
            last.iter().all(|vertex| at(vertex) == at(&last[0]))
        });
        assert!(is_line[0] || is_line[1], "{last:?}");
    }

    #[test]
    fn orders_do_not_depend_on_the_number_of_threads() {
        let (points, neighbours) = grid(90);
        let order = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap()
                .install(|| order_by_position(&points, &neighbours))
        };
        assert_eq!(order(1), order(3));
    }

    proptest! {
        #![proptest_config(portolan_oracle::cases(100))]

        /// Also with points at the same position, vertices without neighbours and loops.
        #[test]
        fn every_vertex_has_one_rank(
            points in prop::collection::vec([0u8..20, 0u8..20], 0..400),
            edges in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..900),
        ) {
            let count = points.len();
            let points: Vec<[f32; 2]> = points.into_iter().map(|point| point.map(f32::from)).collect();
            let edges = edges.into_iter().filter(|_| count > 0);
            let edges = edges.map(|edge| edge.map(|end| end.index(count) as u32));
            let neighbours = lists(count, edges);
            let mut order = order_by_position(&points, &neighbours);
            order.sort_unstable();
            prop_assert!(order.into_iter().eq(0..count as u32));
        }
    }
}
