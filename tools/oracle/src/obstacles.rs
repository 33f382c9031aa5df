//! Random obstacles.

use glam::Vec3;
use portolan_core::{NavMesh, Obstacle, PolygonId};

use crate::CaseRng;

/// Draws a point of a polygon, between its centre and a corner.
pub fn point_of_polygon(mesh: &NavMesh, polygon: PolygonId, rng: &mut CaseRng) -> Vec3 {
    let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
    let corner = corners[rng.below(corners.len())];
    let share = rng.below(100) as f32 / 100.0;
    let point = mesh.centre(polygon).lerp(corner, share);
    point.with_y(mesh.height_at(polygon, point))
}

/// Draws a disc, a box or a prism that stands somewhere on the mesh and is at most about `size` metres large.
pub fn random_obstacle(mesh: &NavMesh, size: f32, rng: &mut CaseRng) -> Obstacle {
    let polygon = rng.polygon(mesh);
    let base = point_of_polygon(mesh, polygon, rng);
    let mut length = || size * (0.05 + rng.below(100) as f32 / 100.0);
    let [a, b, turn] = [length(), length(), length()];
    match rng.below(3) {
        0 => Obstacle::disc(base, a, 1.0),
        1 => Obstacle::upright_box(base, [a, b * 0.2], turn, 1.0),
        _ => {
            let corners = [[-a, -b], [a, -b], [0.0, a]];
            let outline = corners.map(|[x, z]| [base.x + x, base.z + z]);
            Obstacle::prism(outline, base.y - 0.5, base.y + 1.0)
        }
    }
}
