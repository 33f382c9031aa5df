//! Contours and the cells' own corners that they were simplified from.

use std::collections::HashSet;

use glam::U16Vec3;
use rerecast::{Contour, RegionId};

/// Gives the contour more of the corners that it was simplified from. `pick` sees each of its lines,
/// with all raw corners from end to end and the region beyond, and returns the inner ones to add, by
/// index and in order.
pub(crate) fn refine(contour: &mut Contour, pick: impl Fn(RegionId, &[U16Vec3]) -> Vec<usize>) {
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
        // Corners of the contour are corners of the raw one, in the same order.
        let steps = (1..=raw.len()).find(|step| raw[(at + step) % raw.len()] == next);
        let Some(steps) = steps else { return };
        let line: Vec<U16Vec3> = (0..=steps).map(|s| raw[(at + s) % raw.len()]).collect();
        let added = pick(RegionId::from(flags as u16), &line);
        refined.extend(added.into_iter().map(|index| (line[index], flags)));
        at = (at + steps) % raw.len();
    }
    contour.vertices = refined;
}

/// Gives every contour the corners that the region beyond has on their common border. Where a wall
/// touches the border in one point, Recast ends a line there for the region that goes around the
/// wall and not for the other: the two would not meet, and a triangle between them be lost.
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
