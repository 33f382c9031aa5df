//! Heights along the border of a tile.
//!
//! Recast draws a tile's border as one straight line between the corners of regions. The tile
//! beyond has its corners elsewhere, so on hilly ground the two lines are at different heights at
//! one place, by more than a climb now and then, and would not be joined: this is why some 4 to 8%
//! of the borders found no partner. Corners are added until the line is within a tolerance of the
//! cells' own heights, which both tiles know.

use glam::U16Vec3;
use rerecast::{Contour, RegionId};

use crate::outline;
use crate::thin::thin;

/// Adds corners to the contour wherever it runs along the border of a tile of `width` x `depth`
/// cells, until no cell's corner is more than `tolerance` off the line.
pub(crate) fn follow_heights(contour: &mut Contour, width: u16, depth: u16, tolerance: f64) {
    let size = [width, depth];
    outline::refine(contour, |beyond, line| {
        let &[from, .., to] = line else {
            return Vec::new();
        };
        if !beyond.contains(RegionId::BORDER_REGION) || !is_rim(from, to, size) {
            return Vec::new();
        }
        // Along the border of a tile, raw corners are a cell apart.
        let heights: Vec<f64> = line.iter().map(|corner| corner.y.into()).collect();
        thin(&heights, tolerance)
    });
}

/// Whether a line lies on the border of a piece of this size.
pub(crate) fn is_rim(from: U16Vec3, to: U16Vec3, [width, depth]: [u16; 2]) -> bool {
    let on = |a: u16, b: u16, end: u16| a == b && (a == 0 || a == end);
    on(from.x, to.x, width) || on(from.z, to.z, depth)
}
