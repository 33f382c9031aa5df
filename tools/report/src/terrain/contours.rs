//! Whether tops follow contour lines, as a number.

use std::collections::HashMap;

use portolan_terrain::{NO_TRIANGLE, TriangleWeb};

/// Tops of fewer triangles than this have no shape to speak of.
const LEAST: usize = 6;

/// How far heights within a top are apart, over those of a compact piece of as many triangles at the same
/// place, in the mean over triangles. 1 where every top is smaller than six triangles, or all is flat.
///
/// Without its compact piece a number would say nothing: on a plain any mesh has one height.
pub(super) fn height_spread(web: &TriangleWeb, tops: &[u32]) -> f64 {
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for (triangle, &top) in (0..).zip(tops) {
        members.entry(top).or_default().push(triangle);
    }
    let mut pieces: Vec<Vec<u32>> = members.into_values().collect();
    // A sum of floats has to be in one order to be the same in every run.
    pieces.sort_unstable();
    let mut seen = vec![0; web.len()];
    let (mut own, mut compact) = (0.0, 0.0);
    for (mark, piece) in (1..).zip(pieces.iter().filter(|piece| piece.len() >= LEAST)) {
        let around = compact_piece(web, piece, &mut seen, mark);
        own += spread(web, piece) * piece.len() as f64;
        compact += spread(web, &around) * piece.len() as f64;
    }
    if compact > 0.0 { own / compact } else { 1.0 }
}

/// As many triangles around the one that lies nearest to the middle, ring by ring.
fn compact_piece(web: &TriangleWeb, piece: &[u32], seen: &mut [u32], mark: u32) -> Vec<u32> {
    let middles = || {
        piece
            .iter()
            .map(|&triangle| web.centroid(triangle).truncate())
    };
    let middle = middles().sum::<glam::Vec2>() / piece.len() as f32;
    let nearest = piece.iter().zip(middles()).min_by(|a, b| {
        let [a, b] = [a.1, b.1].map(|place| place.distance_squared(middle));
        a.total_cmp(&b)
    });
    let mut around: Vec<u32> = nearest.map(|(&triangle, _)| triangle).into_iter().collect();
    let mut next = 0;
    while next < around.len() && around.len() < piece.len() {
        seen[around[next] as usize] = mark;
        for neighbour in web.neighbours()[around[next] as usize] {
            let is_new = neighbour != NO_TRIANGLE && seen[neighbour as usize] != mark;
            if is_new && around.len() < piece.len() {
                seen[neighbour as usize] = mark;
                around.push(neighbour);
            }
        }
        next += 1;
    }
    around
}

/// The standard deviation of heights.
fn spread(web: &TriangleWeb, piece: &[u32]) -> f64 {
    let heights = || {
        piece
            .iter()
            .map(|&triangle| f64::from(web.centroid(triangle).z))
    };
    let mean = heights().sum::<f64>() / piece.len() as f64;
    let squares = heights().map(|height| (height - mean) * (height - mean));
    (squares.sum::<f64>() / piece.len() as f64).sqrt()
}

/// Which iterations to look at, so many at most: those whose numbers of tops fall by about the same factor
/// from one to the next, without the first few, in which there is nothing to see, and without the last.
pub(super) fn chosen(tops: &[usize], most: usize) -> Vec<usize> {
    let Some(&first) = tops.first() else {
        return Vec::new();
    };
    let (from, to) = ((first as f64 / 2.0).max(2.0), 2.0);
    let mut chosen: Vec<usize> = (0..most)
        .filter_map(|step| {
            let share = step as f64 / (most.max(2) - 1) as f64;
            let wanted = from.ln() + share * f64::ln(to / from);
            let apart = |iteration: &usize| ((tops[*iteration] as f64).ln() - wanted).abs();
            let several = (0..tops.len()).filter(|&iteration| tops[iteration] > 1);
            several.min_by(|a, b| apart(a).total_cmp(&apart(b)))
        })
        .collect();
    chosen.dedup();
    // Iterations are counted from 1.
    chosen.iter().map(|iteration| iteration + 1).collect()
}

#[cfg(test)]
mod tests {
    use portolan_terrain::{HeightMap, WebOptions};

    use super::*;

    /// A hillside of 16 x 16 squares, in 16 pieces: strips along the contour lines, strips straight up, and
    /// blocks.
    #[test]
    fn strips_along_contours_are_told_from_blocks() {
        let heights: Vec<f64> = (0..17 * 17).map(|pixel| f64::from(pixel / 17)).collect();
        let map = HeightMap::stretched(17, 17, &heights).unwrap();
        let web = map.triangulate(&WebOptions::default(), None).unwrap();
        let by = |piece: fn(u32, u32) -> u32| {
            let tops = (0..web.len() as u32).map(|triangle| {
                let square = triangle / 2;
                piece(square % 16, square / 16)
            });
            height_spread(&web, &tops.collect::<Vec<u32>>())
        };
        let [along, across] = [by(|_, row| row), by(|column, _| column)];
        let blocks = by(|column, row| column / 4 + 4 * (row / 4));
        assert!(along < 0.4, "{along}");
        assert!((0.7..1.3).contains(&blocks), "{blocks}");
        assert!(across > 2.0, "{across}");
    }

    #[test]
    fn chosen_iterations_fall_evenly() {
        let tops = [500, 260, 120, 61, 30, 16, 8, 5, 4, 3, 2, 1];
        let iterations = chosen(&tops, 4);
        assert_eq!(iterations, [2, 4, 7, 11]);
        assert!(chosen(&[1], 8).is_empty());
        assert!(chosen(&[], 8).is_empty());
    }
}
