//! Measures whether merged meshes follow contour lines.
//!
//! A *top* is a mesh that has no parent after a given iteration of merging.

use std::collections::HashMap;

use portolan_terrain::{NO_TRIANGLE, TriangleWeb};

/// Tops with fewer triangles than this are ignored, because they have no meaningful shape.
const MIN_TRIANGLES: usize = 6;

/// Returns the standard deviation of heights within a top, divided by that of a compact piece with the same
/// number of triangles at the same position; the mean over triangles. Below 1, tops follow contour lines. The
/// result is 1 if every top has fewer than six triangles or the ground is flat.
///
/// The compact piece is the reference, because the deviation alone depends on the slope of the ground.
pub(super) fn height_spread(web: &TriangleWeb, tops: &[u32]) -> f64 {
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for (triangle, &top) in (0..).zip(tops) {
        members.entry(top).or_default().push(triangle);
    }
    let mut pieces: Vec<Vec<u32>> = members.into_values().collect();
    // A fixed order makes the sum of floats the same in every run.
    pieces.sort_unstable();
    let mut seen = vec![0; web.len()];
    let (mut own, mut compact) = (0.0, 0.0);
    for (mark, piece) in (1..).zip(pieces.iter().filter(|piece| piece.len() >= MIN_TRIANGLES)) {
        let around = compact_piece(web, piece, &mut seen, mark);
        own += height_deviation(web, piece) * piece.len() as f64;
        compact += height_deviation(web, &around) * piece.len() as f64;
    }
    if compact > 0.0 { own / compact } else { 1.0 }
}

/// Returns as many triangles as `piece` has, in breadth-first order around its most central triangle.
fn compact_piece(web: &TriangleWeb, piece: &[u32], seen: &mut [u32], mark: u32) -> Vec<u32> {
    let centroids = || {
        piece
            .iter()
            .map(|&triangle| web.centroid(triangle).truncate())
    };
    let centre = centroids().sum::<glam::Vec2>() / piece.len() as f32;
    let nearest = piece.iter().zip(centroids()).min_by(|a, b| {
        let [a, b] = [a.1, b.1].map(|centroid| centroid.distance_squared(centre));
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

/// Returns the standard deviation of the heights of a piece.
fn height_deviation(web: &TriangleWeb, piece: &[u32]) -> f64 {
    let heights = || {
        piece
            .iter()
            .map(|&triangle| f64::from(web.centroid(triangle).z))
    };
    let mean = heights().sum::<f64>() / piece.len() as f64;
    let squares = heights().map(|height| (height - mean) * (height - mean));
    (squares.sum::<f64>() / piece.len() as f64).sqrt()
}

/// Selects up to `max_count` iterations to show, counted from 1. The number of tops falls by about the same
/// factor from one to the next. The first few iterations and the last one are omitted, because they show
/// nothing.
pub(super) fn select_iterations(tops: &[usize], max_count: usize) -> Vec<usize> {
    let Some(&first) = tops.first() else {
        return Vec::new();
    };
    let (from, to) = ((first as f64 / 2.0).max(2.0), 2.0);
    let mut selected: Vec<usize> = (0..max_count)
        .filter_map(|step| {
            let fraction = step as f64 / (max_count.max(2) - 1) as f64;
            let target = from.ln() + fraction * f64::ln(to / from);
            let distance = |iteration: &usize| ((tops[*iteration] as f64).ln() - target).abs();
            let several = (0..tops.len()).filter(|&iteration| tops[iteration] > 1);
            several.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        })
        .collect();
    selected.dedup();
    selected.iter().map(|iteration| iteration + 1).collect()
}

#[cfg(test)]
mod tests {
    use portolan_terrain::{HeightMap, WebOptions};

    use super::*;

    /// Divides a hillside of 16 x 16 squares into 16 pieces: strips along the contour lines, strips straight
    /// up, and blocks.
    #[test]
    fn strips_along_contours_have_less_height_spread_than_blocks() {
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
    fn selected_iterations_are_evenly_spaced_on_a_log_scale() {
        let tops = [500, 260, 120, 61, 30, 16, 8, 5, 4, 3, 2, 1];
        let iterations = select_iterations(&tops, 4);
        assert_eq!(iterations, [2, 4, 7, 11]);
        assert!(select_iterations(&[1], 8).is_empty());
        assert!(select_iterations(&[], 8).is_empty());
    }
}
