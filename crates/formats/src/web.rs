//! Level geometry as ground, and the difficulties of its triangles.

use std::collections::HashMap;

use glam::{Vec3, vec3};
use portolan_core::Triangles;
use portolan_terrain::{TerrainError, TriangleWeb};

use crate::ReadError;
use crate::import::check_size;
use crate::text::{number, shown};

/// Makes level geometry ground: (x, y, z) with y up becomes (x, -z, y) with z up, a turn.
///
/// Triangles keep their numbers. Vertices at the same position become one, so that triangles beside one
/// another know it; those without a triangle are left out. `difficulties` has one entry a triangle, or none
/// at all.
pub fn web_of(triangles: &Triangles, difficulties: Vec<f32>) -> Result<TriangleWeb, TerrainError> {
    let mut points = Vec::new();
    let mut point_at: HashMap<[u32; 3], u32> = HashMap::new();
    let mut corners = Vec::with_capacity(triangles.triangles.len());
    for (triangle, vertices) in triangles.triangles.iter().enumerate() {
        let mut merged = [0; 3];
        for (corner, &vertex) in merged.iter_mut().zip(vertices) {
            let Some(&place) = triangles.vertices.get(vertex as usize) else {
                return Err(TerrainError::NoPoint {
                    triangle,
                    point: vertex,
                    points: triangles.vertices.len(),
                });
            };
            // 0 and -0 are one place.
            let place = vec3(place.x, -place.z, place.y) + Vec3::ZERO;
            *corner = *point_at
                .entry(place.to_array().map(f32::to_bits))
                .or_insert_with(|| {
                    points.push(place);
                    points.len() as u32 - 1
                });
        }
        corners.push(merged);
    }
    TriangleWeb::new(points, corners, difficulties)
}

/// Reads difficulties, 0 easy to 1 as hard as can be: one number a line, for the triangles in the order of
/// their file. Empty lines and what follows a `#` do not count.
///
/// A face of more than three corners is several triangles.
pub fn read_difficulty(bytes: &[u8]) -> Result<Vec<f32>, ReadError> {
    check_size(bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut difficulties = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.split(|&byte| byte == b'#').next().unwrap_or(text);
        let word = text.trim_ascii();
        if word.is_empty() {
            continue;
        }
        let difficulty = number(word).filter(|value: &f32| (0.0..=1.0).contains(value));
        difficulties.push(difficulty.ok_or_else(|| ReadError::Syntax {
            line,
            what: format!(
                "{} is no difficulty; it takes a number from 0 to 1",
                shown(word)
            ),
        })?);
    }
    if difficulties.is_empty() {
        return Err(ReadError::Empty {
            what: "difficulties",
        });
    }
    Ok(difficulties)
}

#[cfg(test)]
mod tests {
    use portolan_terrain::NONE;

    use super::*;
    use crate::{LevelOptions, Up, open_web, read_geometry};

    /// Two triangles whose common corners are written twice, one of them as -0.
    const SQUARE: &[u8] = b"v 0 1 0\nv 0 1 2\nv 2 1 2\nv -0 1 0\nv 2 1 2\nv 2 3 0\nv 9 9 9\n\
                            f 1 2 3\nf 4 5 6\n";

    #[test]
    fn geometry_becomes_ground() {
        let read = |bytes: &[u8], up| {
            let options = LevelOptions {
                up,
                ..LevelOptions::default()
            };
            let triangles =
                read_geometry("w.obj", bytes, &options, &mut |_| unreachable!()).unwrap();
            web_of(&triangles, Vec::new()).unwrap()
        };
        let web = read(SQUARE, Up::Y);
        assert_eq!(web.neighbours(), [[NONE, NONE, 1], [0, NONE, NONE]]);
        assert_eq!(web.extent().min, vec3(0.0, -2.0, 1.0));
        assert_eq!(web.extent().max, vec3(2.0, 0.0, 3.0));
        let [a, b, c] = web.corners(0);
        assert!((b - a).cross(c - a).z > 0.0);
        let web = read(b"v 0 0 5\nv 1 0 5\nv 0 2 6\nf 1 2 3\n", Up::Z);
        assert_eq!(web.points()[2], vec3(0.0, 2.0, 6.0));
    }

    #[test]
    fn difficulties_are_one_a_line() {
        let text = b"# easy, then hard\r\n0\r\n\r\n 0.75 # mud\r\n";
        assert_eq!(read_difficulty(text).unwrap(), [0.0, 0.75]);
        let message = |text: &[u8]| read_difficulty(text).unwrap_err().to_string();
        assert!(message(b"0\n2\n").starts_with("line 2: '2' is no difficulty"));
        assert!(message(b"nan").starts_with("line 1"));
        assert!(message(b"0.1,0.2").starts_with("line 1"));
        assert!(message(b"# nothing\n").contains("no difficulties"));
    }

    #[test]
    fn the_file_that_is_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [ground, hard] = ["w.obj", "hard.txt"].map(|name| folder.path().join(name));
        std::fs::write(&ground, SQUARE).unwrap();
        std::fs::write(&hard, "0.5\n1\n").unwrap();
        let web = open_web(&ground, Up::Y, Some(&hard)).unwrap();
        assert_eq!(web.difficulty(), [0.5, 1.0]);
        std::fs::write(&hard, "0.5\n").unwrap();
        let error = open_web(&ground, Up::Y, Some(&hard))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("hard.txt: ") && error.contains("1 difficulties for 2"),
            "{error}"
        );
        std::fs::write(&ground, "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n").unwrap();
        let error = open_web(&ground, Up::Y, None).unwrap_err().to_string();
        assert!(
            error.contains("w.obj: ") && error.contains("triangle 0"),
            "{error}"
        );
    }
}
