//! The order of plain vertices, each at a place: by flows, as doors between cells are.
//!
//! A flow cuts edges. The fewest vertices that lie at them are a separator.

use glam::Vec3;

use crate::cells::{Cells, Door};
use crate::cover::cover;
#[cfg(feature = "metis")]
use crate::dissection::dissect_weighted;
use crate::minimum_degree::vertices_by_degree;
use crate::multilevel::halve;
use crate::{IndexError, OrderMethod, OrderOptions};

/// Few vertices, which are not parted any further.
const FEW: usize = 32;

/// From how many vertices on halves are parted side by side.
const MANY: usize = 1000;

/// A piece of a graph.
struct Piece {
    /// Vertices as cells, edges as doors.
    cells: Cells,
    /// Per vertex its number in the whole graph.
    ids: Vec<u32>,
}

/// Orders plain vertices for a [`Contraction`](portolan_core::contraction::Contraction): few vertices
/// separate the graph again and again, and those come last. `pairs` are the edges, in any order;
/// they may repeat. y is taken for the height.
///
/// The same points, pairs and options give the same order, on any number of threads.
///
/// # Panics
/// When a pair names a point that does not exist.
pub fn order_points(
    points: Vec<Vec3>,
    pairs: impl Iterator<Item = [u32; 2]>,
    options: &OrderOptions,
) -> Result<Vec<u32>, IndexError> {
    options.check()?;
    match options.method {
        OrderMethod::Flow => Ok(by_flow(points, pairs, options)),
        #[cfg(feature = "metis")]
        OrderMethod::Metis => {
            let weights = vec![1; points.len()];
            dissect_weighted(&weights, pairs, options.separators, options.seed)
        }
        #[cfg(not(feature = "metis"))]
        OrderMethod::Metis => Err(IndexError::NoMetis("an order by METIS")),
    }
}

fn by_flow(
    places: Vec<Vec3>,
    edges: impl Iterator<Item = [u32; 2]>,
    options: &OrderOptions,
) -> Vec<u32> {
    let count = places.len();
    let doors = edges.filter(|[a, b]| a != b).zip(0..);
    let doors = doors.map(|(cells, id)| Door {
        cells,
        id,
        weight: 1,
    });
    let cells = Cells {
        weights: vec![1; count],
        taken: vec![0; count],
        centres: places,
        doors: doors.collect(),
    };
    let ids = (0..count as u32).collect();
    let mut order = Vec::with_capacity(count);
    part(Piece { cells, ids }, options, &mut order);
    order
}

/// Writes down the vertices of a piece in order: those of either half, then those between.
fn part(piece: Piece, options: &OrderOptions, order: &mut Vec<u32>) {
    if piece.cells.len() <= FEW {
        return vertices_by_degree(&piece.cells, &piece.ids, order);
    }
    let (groups, count) = piece.cells.components();
    if count > 1 {
        for component in piece.split(&groups, count) {
            part(component, options, order);
        }
        return;
    }
    let second = halve(&piece.cells, options.separators, options.seed);
    let groups = separated(&piece.cells, &second);
    let are_many = piece.cells.len() >= MANY;
    let parts = piece.split(&groups, 3);
    let [first, second, between] = <[Piece; 3]>::try_from(parts).ok().expect("three parts");
    if are_many {
        let mut after = Vec::with_capacity(second.ids.len());
        rayon::join(
            || part(first, options, order),
            || part(second, options, &mut after),
        );
        order.append(&mut after);
    } else {
        part(first, options, order);
        part(second, options, order);
    }
    order.extend(between.ids);
}

/// Per vertex 0 or 1 for its half, and 2 where it lies between them: the fewest that part them.
fn separated(cells: &Cells, second: &[bool]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut names = vec![NONE; cells.len()];
    let mut ends: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    let mut name = |vertex: u32| {
        let ends = &mut ends[usize::from(second[vertex as usize])];
        let name = &mut names[vertex as usize];
        if *name == NONE {
            *name = ends.len() as u32;
            ends.push(vertex);
        }
        *name
    };
    let mut cut = Vec::new();
    for door in &cells.doors {
        let [a, b] = door.cells;
        match (second[a as usize], second[b as usize]) {
            (false, true) => cut.push([name(a), name(b)]),
            (true, false) => cut.push([name(b), name(a)]),
            _ => {}
        }
    }
    let covered = cover([ends[0].len(), ends[1].len()], &cut);
    let mut groups: Vec<u32> = second.iter().map(|&is| u32::from(is)).collect();
    for (ends, covered) in ends.iter().zip(&covered) {
        for (&vertex, _) in ends.iter().zip(covered).filter(|&(_, &is)| is) {
            groups[vertex as usize] = 2;
        }
    }
    groups
}

impl Piece {
    /// The vertices of each group, which are numbered from 0.
    fn split(self, groups: &[u32], count: usize) -> Vec<Self> {
        let mut ids = vec![Vec::new(); count];
        for (&id, &group) in self.ids.iter().zip(groups) {
            ids[group as usize].push(id);
        }
        let (parts, _) = self.cells.split(groups, count);
        let pieces = parts.into_iter().zip(ids);
        pieces.map(|(cells, ids)| Self { cells, ids }).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    fn ordered(count: u32, edges: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
        let place = |vertex: u32| vec3((vertex % 70) as f32, 0.0, (vertex / 70) as f32);
        let places = (0..count).map(place).collect();
        let order = by_flow(places, edges, &OrderOptions::default());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count));
        order
    }

    #[test]
    fn a_star_is_parted_by_its_middle() {
        let order = ordered(30_000, (1..30_000).map(|vertex| [0, vertex]));
        assert_eq!(order.last(), Some(&0));
    }

    #[test]
    fn vertices_that_nothing_joins() {
        ordered(500, std::iter::empty());
        assert!(ordered(0, std::iter::empty()).is_empty());
    }

    #[test]
    fn everything_beside_everything() {
        ordered(60, (0..60).flat_map(|a| (0..a).map(move |b| [a, b])));
    }

    #[test]
    fn the_last_vertex_halves_a_row() {
        let order = ordered(70, (1..70).map(|vertex| [vertex - 1, vertex]));
        assert!((20..50).contains(order.last().unwrap()), "{order:?}");
    }
}
