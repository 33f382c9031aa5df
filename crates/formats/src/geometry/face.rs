//! Faces of more than three corners, cut into triangles.

use earcut::Earcut;
use glam::{DVec3, Vec3};

/// Most corners of a face that is no fan. The time grows with their square where sides cross one
/// another, to half a second here.
const MAX_CORNERS: usize = 1 << 12;

/// Cuts faces, one after the other.
pub(super) struct Cutter {
    earcut: Earcut<f64>,
    outline: Vec<[f64; 2]>,
    ears: Vec<u32>,
}

impl Cutter {
    pub(super) fn new() -> Self {
        Self {
            earcut: Earcut::new(),
            outline: Vec::new(),
            ears: Vec::new(),
        }
    }

    /// Adds the triangles of a face to `triangles`; they go around as the face does. A fan where
    /// that covers the face, ears where it does not. A face without area becomes a fan of triangles
    /// without area. `corners` are at least three, and indices of `vertices`.
    pub(super) fn cut(
        &mut self,
        vertices: &[Vec3],
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), String> {
        if corners.len() > 3 && !self.is_fan(vertices, corners) {
            if corners.len() > MAX_CORNERS {
                return Err(format!(
                    "a face that is not convex may have {MAX_CORNERS} corners, this one has {}",
                    corners.len()
                ));
            }
            let outline = self.outline.iter().copied();
            self.earcut.earcut(outline, &[], &mut self.ears);
            if !self.ears.is_empty() {
                let outline = &self.outline;
                triangles.extend(self.ears.as_chunks::<3>().0.iter().map(|&[a, b, c]| {
                    let [p, q, r] = [a, b, c].map(|corner| outline[corner as usize]);
                    let [b, c] = if turn(p, q, r) < 0.0 { [c, b] } else { [b, c] };
                    [a, b, c].map(|corner| corners[corner as usize])
                }));
                return Ok(());
            }
        }
        let sides = corners[1..].windows(2);
        triangles.extend(sides.map(|side| [corners[0], side[0], side[1]]));
        Ok(())
    }

    /// Whether the triangles between the first corner and each side cover the face. They do if
    /// none of them goes around the wrong way: then the first corner sees every side from within.
    ///
    /// All that is asked of the outline is which way corners turn, and that survives if the axis
    /// nearest to the normal is left out; the other two are set such that the face goes around
    /// counter-clockwise.
    fn is_fan(&mut self, vertices: &[Vec3], corners: &[u32]) -> bool {
        let place = |corner: u32| vertices[corner as usize].as_dvec3();
        let first = place(corners[0]);
        let spokes = corners.windows(2).map(|side| {
            let [a, b] = [side[0], side[1]].map(|corner| place(corner) - first);
            a.cross(b)
        });
        let normal: DVec3 = spokes.sum();
        let axis = normal.abs().max_position();
        let [mut u, mut v] = [(axis + 1) % 3, (axis + 2) % 3];
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        self.outline.clear();
        self.outline.extend(corners.iter().map(|&corner| {
            let place = place(corner);
            [place[u], place[v]]
        }));
        normal == DVec3::ZERO
            || self.outline[1..]
                .windows(2)
                .all(|side| turn(self.outline[0], side[0], side[1]) >= 0.0)
    }
}

/// Above zero where `a`, `b`, `c` go around counter-clockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    fn cut(vertices: &[Vec3]) -> Vec<[u32; 3]> {
        let corners: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut triangles = Vec::new();
        Cutter::new()
            .cut(vertices, &corners, &mut triangles)
            .unwrap();
        triangles
    }

    /// The sum of the normals of the triangles, and of their lengths.
    fn area(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec3, f32) {
        let normals = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|corner| vertices[corner as usize]);
            0.5 * (b - a).cross(c - a)
        });
        let sum = |(all, lengths), normal: Vec3| (all + normal, lengths + normal.length());
        normals.fold((Vec3::ZERO, 0.0), sum)
    }

    const ELL: [[f32; 2]; 6] = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]];

    #[test]
    fn a_convex_face_is_a_fan() {
        let square = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, z]| vec3(x, 0., z));
        assert_eq!(cut(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_bent_face_lies_on_its_outline_and_keeps_its_side() {
        for start in 0..ELL.len() {
            for back in [false, true] {
                for plane in 0..3 {
                    let mut face = ELL.map(|[u, v]| match plane {
                        0 => vec3(u, v, 0.5 * u),
                        1 => vec3(0.1 * v, u, v),
                        _ => vec3(v, 7.0, u),
                    });
                    face.rotate_left(start);
                    if back {
                        face.reverse();
                    }
                    let triangles = cut(&face);
                    let (sum, lengths) = area(&face, &triangles);
                    let corners: Vec<u32> = (0..6).collect();
                    let fan = corners[1..].windows(2).map(|side| [0, side[0], side[1]]);
                    // Whatever a fan covers twice it takes away once.
                    let (expected, _) = area(&face, &fan.collect::<Vec<_>>());
                    assert!((sum - expected).length() < 1e-5, "{face:?}: {triangles:?}");
                    assert!((lengths - expected.length()).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_face_without_area_stays() {
        let line = [0., 1., 2., 3.].map(|x| vec3(x, 0., 0.));
        assert_eq!(cut(&line), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(cut(&[Vec3::ONE; 3]), [[0, 1, 2]]);
    }

    #[test]
    fn a_comb_of_many_teeth() {
        let mut comb = vec![vec3(0., -1., 0.), vec3(1000., -1., 0.)];
        comb.extend((0..=1000).rev().map(|x| vec3(x as f32, (x % 2) as f32, 0.)));
        let triangles = cut(&comb);
        let (sum, lengths) = area(&comb, &triangles);
        assert!((sum.z - 1500.0).abs() < 1e-2, "{sum}");
        assert!((lengths - 1500.0).abs() < 1e-2, "{lengths}");
    }

    #[test]
    fn too_many_corners() {
        let teeth = MAX_CORNERS as u32 + 1;
        let comb: Vec<Vec3> = (0..teeth)
            .map(|x| vec3(x as f32, (x % 2) as f32, 0.))
            .collect();
        let corners: Vec<u32> = (0..teeth).collect();
        let error = Cutter::new()
            .cut(&comb, &corners, &mut Vec::new())
            .unwrap_err();
        assert_eq!(
            error,
            "a face that is not convex may have 4096 corners, this one has 4097"
        );
    }
}
