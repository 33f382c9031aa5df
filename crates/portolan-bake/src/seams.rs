//! Heights along the border of a tile.
//!
//! Recast draws a tile's border as one straight line between the corners of regions. The tile
//! beyond has its corners elsewhere, so on hilly ground the two lines are at different heights at
//! one place, by more than a climb now and then, and would not be joined: this is why some 4 to 8%
//! of the borders found no partner. Corners are added until the line is within a tolerance of the
//! cells' own heights, which both tiles know.

use glam::U16Vec3;
use rerecast::{Contour, RegionId};

/// Adds corners to the contour wherever it runs along the border of a tile of `width` x `depth`
/// cells, until no cell's corner is more than `tolerance` off the line.
pub(crate) fn follow_heights(contour: &mut Contour, width: u16, depth: u16, tolerance: f32) {
    let ring = &contour.vertices;
    let raw: Vec<U16Vec3> = contour.raw_vertices.iter().map(|&(at, _)| at).collect();
    let Some(mut at) = ring
        .first()
        .and_then(|&(first, _)| raw.iter().position(|&corner| corner == first))
    else {
        return;
    };
    let mut followed = Vec::with_capacity(ring.len());
    for (index, &(corner, flags)) in ring.iter().enumerate() {
        followed.push((corner, flags));
        let (next, _) = ring[(index + 1) % ring.len()];
        // Corners of the contour are corners of the raw one, in the same order.
        let steps = (1..=raw.len()).find(|step| raw[(at + step) % raw.len()] == next);
        let Some(steps) = steps else { return };
        let beyond = RegionId::from(flags as u16);
        if beyond.contains(RegionId::BORDER_REGION) && is_rim(corner, next, width, depth) {
            let line: Vec<U16Vec3> = (0..=steps).map(|s| raw[(at + s) % raw.len()]).collect();
            let mut kept = Vec::new();
            keep_heights(&line, 0, &mut kept, tolerance);
            followed.extend(kept.into_iter().map(|k| (line[k], flags)));
        }
        at = (at + steps) % raw.len();
    }
    contour.vertices = followed;
}

fn is_rim(a: U16Vec3, b: U16Vec3, width: u16, depth: u16) -> bool {
    let on = |a: u16, b: u16, end: u16| a == b && (a == 0 || a == end);
    on(a.x, b.x, width) || on(a.z, b.z, depth)
}

/// Ramer, Douglas and Peucker over heights: pushes the indices of the inner corners to keep, in
/// order.
fn keep_heights(line: &[U16Vec3], offset: usize, kept: &mut Vec<usize>, tolerance: f32) {
    let [first, .., last] = line else { return };
    let along = |at: U16Vec3| f32::from(at.x.abs_diff(first.x) + at.z.abs_diff(first.z));
    let whole = along(*last).max(1.0);
    let off = |at: U16Vec3| {
        let share = along(at) / whole;
        let height = f32::from(first.y) * (1.0 - share) + f32::from(last.y) * share;
        (f32::from(at.y) - height).abs()
    };
    let inner = 1..line.len() - 1;
    let Some(worst) = inner.max_by(|&a, &b| off(line[a]).total_cmp(&off(line[b]))) else {
        return;
    };
    if off(line[worst]) > tolerance {
        keep_heights(&line[..=worst], offset, kept, tolerance);
        kept.push(offset + worst);
        keep_heights(&line[worst..], offset + worst, kept, tolerance);
    }
}
