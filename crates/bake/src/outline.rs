//! Adds raw corners to simplified contours. Raw corners are the corners of cells that Recast traced before
//! it simplified the contour.

use std::collections::HashSet;

use glam::U16Vec3;
use rerecast::{Contour, RegionId};

/// Adds raw corners to a contour. `select` is called for each edge of the contour, with the region on the
/// other side and all raw corners of the edge, including its endpoints. It returns the indices of the
/// inner corners to add, in order.
pub(crate) fn refine(contour: &mut Contour, select: impl Fn(RegionId, &[U16Vec3]) -> Vec<usize>) {
    let ring = &contour.vertices;
    let raw: Vec<U16Vec3> = contour.raw_vertices.iter().map(|&(at, _)| at).collect();
    let Some(mut at) = ring
        .first()
        .and_then(|&(first, _)| raw.iter().position(|&corner| corner == first))
    else {
        return;
    };
    let mut refined = Vec::with_capacity(ring.len());
    for (index, &(corner, flags)) in ring.iter().enumerate() {
        refined.push((corner, flags));
        let (next, _) = ring[(index + 1) % ring.len()];
        // The corners of the contour are a subsequence of the raw corners.
        let steps = (1..=raw.len()).find(|step| raw[(at + step) % raw.len()] == next);
        let Some(steps) = steps else { return };
        let line: Vec<U16Vec3> = (0..=steps).map(|s| raw[(at + s) % raw.len()]).collect();
        let added = select(RegionId::from(flags as u16), &line);
        refined.extend(added.into_iter().map(|index| (line[index], flags)));
        at = (at + steps) % raw.len();
    }
    contour.vertices = refined;
}

/// Adds to every contour the corners that the region on the other side has along their common border.
/// Where a wall touches that border in a single point, Recast gives a corner to only one of the two
/// regions. Without that corner, the two contours differ and a triangle between them is lost.
pub(crate) fn share_corners(contours: &mut [Contour]) {
    let corners: HashSet<(RegionId, u16, u16)> = contours
        .iter()
        .flat_map(|contour| {
            let region = contour.region;
            let ring = contour.vertices.iter();
            ring.map(move |&(corner, _)| (region, corner.x, corner.z))
        })
        .collect();
    for contour in contours {
        refine(contour, |beyond, line| {
            let is_open = beyond != RegionId::NONE && !beyond.contains(RegionId::BORDER_REGION);
            let inner = if is_open { 1..line.len() - 1 } else { 0..0 };
            inner
                .filter(|&index| corners.contains(&(beyond, line[index].x, line[index].z)))
                .collect()
        });
    }
}
