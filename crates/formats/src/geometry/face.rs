//! Triangulation of faces with more than three corners.

use earcut::Earcut;
use glam::{DVec3, Vec3};

/// The maximum number of corners of a face that is not a fan. If sides cross each other, the time grows with
/// the square of that number.
const MAX_CORNERS: usize = 1 << 12;

/// Triangulates faces and reuses its buffers for the next one.
pub(super) struct Triangulator {
    earcut: Earcut<f64>,
    outline: Vec<[f64; 2]>,
    ears: Vec<u32>,
}

impl Triangulator {
    pub(super) fn new() -> Self {
        Self {
            earcut: Earcut::new(),
            outline: Vec::new(),
            ears: Vec::new(),
        }
    }

    /// Appends the triangles of a face to `triangles`, with the orientation of the face. It uses a fan if that
    /// covers the face, and ear clipping otherwise. A face without area becomes a fan of triangles without
    /// area. `corners` are at least three indices of `vertices`.
    pub(super) fn triangulate(
        &mut self,
        vertices: &[Vec3],
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), String> {
        if corners.len() > 3 && !self.is_fan(vertices, corners) {
            if corners.len() > MAX_CORNERS {
                return Err(format!(
                    "a concave face can have at most {MAX_CORNERS} corners, but this one has {}",
                    corners.len()
                ));
            }
            let outline = self.outline.iter().copied();
            self.earcut.earcut(outline, &[], &mut self.ears);
            if !self.ears.is_empty() {
                let outline = &self.outline;
                triangles.extend(self.ears.as_chunks::<3>().0.iter().map(|&[a, b, c]| {
                    let [p, q, r] = [a, b, c].map(|corner| outline[corner as usize]);
                    let [b, c] = if orientation(p, q, r) < 0.0 {
                        [c, b]
                    } else {
                        [b, c]
                    };
                    [a, b, c].map(|corner| corners[corner as usize])
                }));
                return Ok(());
            }
        }
        let sides = corners[1..].windows(2);
        triangles.extend(sides.map(|side| [corners[0], side[0], side[1]]));
        Ok(())
    }

    /// Returns whether the triangles between the first corner and each side cover the face. They do if all of
    /// them have the orientation of the face, because then the first corner sees every side from inside.
    ///
    /// Also sets `outline` to the face projected along the coordinate axis that is nearest to its normal, with
    /// the other two axes ordered so that the outline is counter-clockwise. The projection keeps orientations,
    /// which is all that is needed here.
    fn is_fan(&mut self, vertices: &[Vec3], corners: &[u32]) -> bool {
        let position = |corner: u32| vertices[corner as usize].as_dvec3();
        let first = position(corners[0]);
        let normals = corners.windows(2).map(|side| {
            let [a, b] = [side[0], side[1]].map(|corner| position(corner) - first);
            a.cross(b)
        });
        let normal: DVec3 = normals.sum();
        let axis = normal.abs().max_position();
        let [mut u, mut v] = [(axis + 1) % 3, (axis + 2) % 3];
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        self.outline.clear();
        self.outline.extend(corners.iter().map(|&corner| {
            let position = position(corner);
            [position[u], position[v]]
        }));
        normal == DVec3::ZERO
            || self.outline[1..]
                .windows(2)
                .all(|side| orientation(self.outline[0], side[0], side[1]) >= 0.0)
    }
}

/// Returns a positive number if `a`, `b`, `c` are counter-clockwise.
fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    fn triangulate(vertices: &[Vec3]) -> Vec<[u32; 3]> {
        let corners: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut triangles = Vec::new();
        Triangulator::new()
            .triangulate(vertices, &corners, &mut triangles)
            .unwrap();
        triangles
    }

    /// Returns the sum of the area vectors of the triangles, and the sum of their areas.
    fn area(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec3, f32) {
        let normals = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|corner| vertices[corner as usize]);
            0.5 * (b - a).cross(c - a)
        });
        let sum = |(all, lengths), normal: Vec3| (all + normal, lengths + normal.length());
        normals.fold((Vec3::ZERO, 0.0), sum)
    }

    const L_SHAPE: [[f32; 2]; 6] = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]];

    #[test]
    fn a_convex_face_becomes_a_fan() {
        let square = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, z]| vec3(x, 0., z));
        assert_eq!(triangulate(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_concave_face_keeps_its_area_and_its_orientation() {
        for start in 0..L_SHAPE.len() {
            for is_reversed in [false, true] {
                for plane in 0..3 {
                    let mut face = L_SHAPE.map(|[u, v]| match plane {
                        0 => vec3(u, v, 0.5 * u),
                        1 => vec3(0.1 * v, u, v),
                        _ => vec3(v, 7.0, u),
                    });
                    face.rotate_left(start);
                    if is_reversed {
                        face.reverse();
                    }
                    let triangles = triangulate(&face);
                    let (sum, lengths) = area(&face, &triangles);
                    let corners: Vec<u32> = (0..6).collect();
                    let fan = corners[1..].windows(2).map(|side| [0, side[0], side[1]]);
                    // A fan covers some ground twice, but the area vectors of those triangles cancel out.
                    let (expected, _) = area(&face, &fan.collect::<Vec<_>>());
                    assert!((sum - expected).length() < 1e-5, "{face:?}: {triangles:?}");
                    assert!((lengths - expected.length()).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_face_without_area_is_kept() {
        let line = [0., 1., 2., 3.].map(|x| vec3(x, 0., 0.));
        assert_eq!(triangulate(&line), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangulate(&[Vec3::ONE; 3]), [[0, 1, 2]]);
    }

    #[test]
    fn a_comb_with_many_teeth_keeps_its_area() {
        let mut comb = vec![vec3(0., -1., 0.), vec3(1000., -1., 0.)];
        comb.extend((0..=1000).rev().map(|x| vec3(x as f32, (x % 2) as f32, 0.)));
        let triangles = triangulate(&comb);
        let (sum, lengths) = area(&comb, &triangles);
        assert!((sum.z - 1500.0).abs() < 1e-2, "{sum}");
        assert!((lengths - 1500.0).abs() < 1e-2, "{lengths}");
    }

    #[test]
    fn a_concave_face_with_too_many_corners_is_an_error() {
        let teeth = MAX_CORNERS as u32 + 1;
        let comb: Vec<Vec3> = (0..teeth)
            .map(|x| vec3(x as f32, (x % 2) as f32, 0.))
            .collect();
        let corners: Vec<u32> = (0..teeth).collect();
        let error = Triangulator::new()
            .triangulate(&comb, &corners, &mut Vec::new())
            .unwrap_err();
        assert_eq!(
            error,
            "a concave face can have at most 4096 corners, but this one has 4097"
        );
    }
}
