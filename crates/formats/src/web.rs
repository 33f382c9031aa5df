//! Level geometry as a triangle web for terrain, and the difficulties of its triangles.

use std::collections::HashMap;

use glam::{Vec3, vec3};
use portolan_core::Triangles;
use portolan_terrain::{TerrainError, TriangleWeb};

use crate::ReadError;
use crate::import::check_size;
use crate::text::{number, quoted};

/// Converts level geometry into a triangle web. A rotation turns (x, y, z) with y up into (x, -z, y) with z
/// up.
///
/// Triangles keep their indices. Vertices at the same position are merged, so that triangles that touch become
/// neighbours. Vertices without a triangle are left out. `difficulties` has one entry per triangle or none at
/// all.
pub fn web_of(triangles: &Triangles, difficulties: Vec<f32>) -> Result<TriangleWeb, TerrainError> {
    let mut points = Vec::new();
    let mut point_at: HashMap<[u32; 3], u32> = HashMap::new();
    let mut corners = Vec::with_capacity(triangles.triangles.len());
    for (triangle, vertices) in triangles.triangles.iter().enumerate() {
        let mut merged = [0; 3];
        for (corner, &vertex) in merged.iter_mut().zip(vertices) {
            let Some(&position) = triangles.vertices.get(vertex as usize) else {
                return Err(TerrainError::NoPoint {
                    triangle,
                    point: vertex,
                    points: triangles.vertices.len(),
                });
            };
            // The sum turns -0 into 0, because both are the same position.
            let position = vec3(position.x, -position.z, position.y) + Vec3::ZERO;
            *corner = *point_at
                .entry(position.to_array().map(f32::to_bits))
                .or_insert_with(|| {
                    points.push(position);
                    points.len() as u32 - 1
                });
        }
        corners.push(merged);
    }
    TriangleWeb::new(points, corners, difficulties)
}

/// Reads the difficulties of triangles: one number per line, from 0 (easy) to 1 (hardest), in the order of
/// the triangles. Empty lines are skipped, and so is everything after a `#`.
///
/// A face with more than three corners becomes several triangles, and each of them needs a line.
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
                "{} is not a difficulty; use a number from 0 to 1",
                quoted(word)
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
    use portolan_terrain::NO_TRIANGLE;

    use super::*;
    use crate::{LevelOptions, Up, open_web, read_geometry};

    /// Two triangles whose common corners are duplicate vertices, one of them with -0 as a coordinate.
    const SQUARE: &[u8] = b"v 0 1 0\nv 0 1 2\nv 2 1 2\nv -0 1 0\nv 2 1 2\nv 2 3 0\nv 9 9 9\n\
                            f 1 2 3\nf 4 5 6\n";

    #[test]
    fn triangles_that_touch_become_neighbours() {
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
        assert_eq!(
            web.neighbours(),
            [[NO_TRIANGLE, NO_TRIANGLE, 1], [0, NO_TRIANGLE, NO_TRIANGLE]]
        );
        assert_eq!(web.extent().min, vec3(0.0, -2.0, 1.0));
        assert_eq!(web.extent().max, vec3(2.0, 0.0, 3.0));
        let [a, b, c] = web.corners(0);
        assert!((b - a).cross(c - a).z > 0.0);
        let web = read(b"v 0 0 5\nv 1 0 5\nv 0 2 6\nf 1 2 3\n", Up::Z);
        assert_eq!(web.points()[2], vec3(0.0, 2.0, 6.0));
    }

    #[test]
    fn difficulties_are_one_per_line() {
        let text = b"# easy, then hard\r\n0\r\n\r\n 0.75 # mud\r\n";
        assert_eq!(read_difficulty(text).unwrap(), [0.0, 0.75]);
        let message = |text: &[u8]| read_difficulty(text).unwrap_err().to_string();
        assert!(message(b"0\n2\n").starts_with("line 2: '2' is not a difficulty"));
        assert!(message(b"nan").starts_with("line 1"));
        assert!(message(b"0.1,0.2").starts_with("line 1"));
        assert!(message(b"# nothing\n").contains("no difficulties"));
    }

    #[test]
    fn errors_name_the_wrong_file() {
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
