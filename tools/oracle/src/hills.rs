//! Hilly navmeshes: large polygons with finer surfaces of many triangles, like those of baked hills.

use glam::{Vec3, vec3};
use portolan_core::RawNavMesh;
use portolan_scenes::Random;

/// The length of a polygon's side. [Units: m]
const SIDE: f32 = 12.0;

/// Creates a square grid of about `polygons` quads. Each has a finer surface of `parts` * `parts` * 2
/// triangles in random order. Corners and inner points have random offsets.
pub fn hills(polygons: usize, parts: u16, seed: u64) -> RawNavMesh {
    let mut random = Random::new(seed);
    let mut raw = RawNavMesh::default();
    let columns = (polygons as f64).sqrt().round().max(1.0) as u32;
    for row in 0..=columns {
        for column in 0..=columns {
            let mut offset = |at: u32| (at as f32 + 0.15 * (random.unit() - 0.5)) * SIDE;
            let (x, z) = (offset(column), offset(row));
            raw.vertices.push(vec3(x, height(x, z), z));
        }
    }
    for row in 0..columns {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let quad = [a, a + 1, a + columns + 2, a + columns + 1];
            raw.polygons.push(quad);
            let corners = quad.map(|v| raw.vertices[v as usize]);
            add_surface(&mut raw, corners, parts, &mut random);
        }
    }
    raw
}

fn add_surface(raw: &mut RawNavMesh, [a, b, c, d]: [Vec3; 4], parts: u16, random: &mut Random) {
    let mut points = Vec::new();
    let mut indices = Vec::new();
    let is_end = |i: u16| i == 0 || i == parts;
    for row in 0..=parts {
        for column in 0..=parts {
            let corner = match (column == 0, row == 0) {
                (true, true) => 0,
                (false, true) => 1,
                (false, false) => 2,
                (true, false) => 3,
            };
            if is_end(row) && is_end(column) {
                indices.push(corner);
                continue;
            }
            indices.push(4 + points.len() as u16);
            // Points on borders have no offset, so that the borders stay straight.
            let mut fraction = |i: u16| {
                let offset = 0.3 * (random.unit() - 0.5);
                (f32::from(i) + if is_end(i) { 0.0 } else { offset }) / f32::from(parts)
            };
            let (u, v) = (fraction(column), fraction(row));
            let point = a.lerp(b, u).lerp(d.lerp(c, u), v);
            points.push(point.with_y(height(point.x, point.z)));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..parts {
        for column in 0..parts {
            let first = usize::from(row * (parts + 1) + column);
            let above = first + usize::from(parts) + 1;
            let [a, b] = [indices[first], indices[first + 1]];
            let [c, d] = [indices[above + 1], indices[above]];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    random.shuffle(&mut triangles);
    raw.heights.vertices.push(points);
    raw.heights.triangles.push(triangles);
}

/// Returns the height of rolling ground. It uses no trigonometry, so it is the same on every platform.
fn height(x: f32, z: f32) -> f32 {
    let wave = |t: f32| {
        let part = t - 2.0 * (t / 2.0).floor() - 1.0;
        1.0 - part * part
    };
    2.0 * wave(x / 13.0) * wave(z / 11.0) + 0.8 * wave((x + z) / 7.0)
}
