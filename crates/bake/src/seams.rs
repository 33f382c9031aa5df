//! Adds corners to contours, so that they follow the ground along the border of a tile.
//!
//! Recast connects the corners of a region along the border of a tile by straight lines. The tile on the
//! other side has its corners elsewhere, so on hilly ground the two lines have different heights. Where
//! they differ by more than the climb, the tiles would not be connected. Corners are therefore added until
//! a line is within a tolerance of the heights of the cells, which both tiles know.

use glam::U16Vec3;
use rerecast::{Contour, RegionId};

use crate::outline;
use crate::simplify::simplify;

/// Adds corners to the contour where it follows the border of a tile of `width` x `depth` cells, until
/// the contour is within `tolerance` cell heights of every raw corner.
pub(crate) fn follow_heights(contour: &mut Contour, width: u16, depth: u16, tolerance: f64) {
    let size = [width, depth];
    outline::refine(contour, |beyond, line| {
        let &[from, .., to] = line else {
            return Vec::new();
        };
        if !beyond.contains(RegionId::BORDER_REGION) || !is_on_tile_border(from, to, size) {
            return Vec::new();
        }
        // Along the border of a tile, raw corners are one cell apart.
        let heights: Vec<f64> = line.iter().map(|corner| corner.y.into()).collect();
        simplify(&heights, tolerance)
    });
}

/// Returns whether the line between two corners is on the border of a piece of `width` x `depth` cells.
pub(crate) fn is_on_tile_border(from: U16Vec3, to: U16Vec3, [width, depth]: [u16; 2]) -> bool {
    let on = |a: u16, b: u16, end: u16| a == b && (a == 0 || a == end);
    on(from.x, to.x, width) || on(from.z, to.z, depth)
}
