//! The reference implementation of heights: a scan over every triangle.

use glam::Vec3;
use portolan_core::geometry::orientation;
use portolan_core::{NavMesh, PolygonId};

/// Returns the height of a polygon's ground, like [`NavMesh::height_at`]. It uses the first triangle in which the
/// position has no negative barycentric weight. If there is none, it uses the first triangle whose smallest weight
/// is largest.
pub fn slow_height(mesh: &NavMesh, polygon: PolygonId, position: Vec3) -> f32 {
    let level = mesh.vertices()[mesh.corners(polygon)[0] as usize].y;
    let mut best = (f64::NEG_INFINITY, level);
    for [a, b, c] in mesh.surface(polygon) {
        let area = orientation(a, b, c);
        if area == 0.0 {
            continue;
        }
        let (wa, wb) = (
            orientation(b, c, position) / area,
            orientation(c, a, position) / area,
        );
        let wc = 1.0 - wa - wb;
        let smallest = wa.min(wb).min(wc);
        if smallest > best.0 {
            let (wa, wb, wc) = (wa.max(0.0), wb.max(0.0), wc.max(0.0));
            let sum = wa * f64::from(a.y) + wb * f64::from(b.y) + wc * f64::from(c.y);
            best = (smallest, (sum / (wa + wb + wc)) as f32);
            if smallest >= 0.0 {
                break;
            }
        }
    }
    best.1
}
