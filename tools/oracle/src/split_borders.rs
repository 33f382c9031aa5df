//! Meshes whose polygons have corners in the middle of borders.

use glam::{Vec3, Vec3Swizzles};
use portolan_core::RawNavMesh;

use crate::CaseRng;

/// The shortest border that gets a corner. [Units: m]
const MIN_BORDER: f32 = 0.3;

/// Gives some borders of a mesh one or two more corners, which are rounded and stand out into the polygon by up to
/// `max_dent`, and cuts some polygons into triangles at these corners. The neighbours do not have the new corners, so their
/// portals are parts of borders. Links and finer surfaces are left out. [Units: m]
pub fn with_split_borders(raw: &RawNavMesh, max_dent: f32, rng: &mut CaseRng) -> RawNavMesh {
    let mut split = RawNavMesh {
        vertices: raw.vertices.clone(),
        ..RawNavMesh::default()
    };
    for (row, corners) in raw.polygons.iter().enumerate() {
        let mut outline = Vec::new();
        let mut first_split = None;
        for (i, &vertex) in corners.iter().enumerate() {
            outline.push(vertex);
            let [start, end] = [vertex, corners[(i + 1) % corners.len()]]
                .map(|vertex| raw.vertices[vertex as usize]);
            if start.xz().distance(end.xz()) < MIN_BORDER || !rng.chance(0.3) {
                continue;
            }
            let fractions = match rng.below(3) {
                0 => vec![0.5],
                1 => vec![rng.between(0.1, 0.9)],
                _ => vec![rng.between(0.1, 0.5), rng.between(0.5, 0.9)],
            };
            // The outline is counter-clockwise in (x, z).
            let along = (end - start).xz().normalize();
            let inwards = Vec3::new(-along.y, 0.0, along.x);
            for fraction in fractions {
                first_split.get_or_insert(outline.len());
                outline.push(split.vertices.len() as u32);
                let dent = inwards * rng.between(0.0, max_dent);
                split.vertices.push(start.lerp(end, fraction) + dent);
            }
        }
        let mut add = |corners: &[u32]| {
            split.polygons.push(corners.iter().copied());
            split.areas.push(raw.areas.get(row).copied().unwrap_or(0));
            split.flags.push(raw.flags.get(row).copied().unwrap_or(1));
        };
        match first_split {
            // Two parts, with the new corner in both.
            Some(at) if rng.chance(0.4) => {
                outline.rotate_left(at);
                let middle = 2 + rng.below(outline.len() - 3);
                add(&outline[..=middle]);
                outline.rotate_left(middle);
                let last = outline.len() - middle;
                add(&outline[..=last]);
            }
            _ => add(&outline),
        }
    }
    split
}
