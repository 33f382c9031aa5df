//! Level geometry: triangles from files, told apart by the ending of the name.
//!
//! ```
//! use portolan_formats::{LevelOptions, read_geometry};
//!
//! let floor = b"usemtl grass\nv 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n";
//! let options = LevelOptions::default();
//! let triangles = read_geometry("floor.obj", floor, &options, &mut |_| unreachable!())?;
//! assert_eq!(triangles.triangles, [[0, 1, 2], [0, 2, 3]]);
//! assert_eq!(triangles.material_names, ["grass"]);
//! # Ok::<(), portolan_files::ReadError>(())
//! ```

mod face;
pub mod gltf;
pub mod obj;

use std::collections::HashMap;
use std::io;

use portolan_core::{LevelOptions, Triangles};

use crate::ReadError;
use crate::import::extension;

/// Fetches a file that another one refers to. It gets a path relative to the folder of that one,
/// parted by `/`, that never leads out of the folder.
pub type Fetch<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// Reads an `.obj`, `.gltf` or `.glb` file. Only the ending of `name` matters; `fetch` is asked for
/// the buffers that a `.gltf` file keeps in files beside it. `options` say how the file's
/// coordinates become metres with y up.
///
/// Triangles without area and vertices without triangles are kept. A triangle without a material
/// has, if others have one, the material `""`.
pub fn read_geometry(
    name: &str,
    bytes: &[u8],
    options: &LevelOptions,
    fetch: &mut Fetch<'_>,
) -> Result<Triangles, ReadError> {
    let extension = extension(name);
    let mut triangles = match extension.to_ascii_lowercase().as_str() {
        ".obj" => obj::read(bytes)?,
        ".gltf" | ".glb" => gltf::read(bytes, fetch)?,
        _ => {
            return Err(ReadError::UnknownExtension {
                extension: extension.to_owned(),
                known: ".obj, .gltf and .glb",
            });
        }
    };
    options.apply(&mut triangles);
    let mut vertices = triangles.vertices.iter();
    if let Some(vertex) = vertices.position(|vertex| !vertex.is_finite()) {
        return Err(ReadError::Element {
            element: format!("vertex {vertex}"),
            what: format!("it is not finite once scaled by {}", options.scale),
        });
    }
    Ok(triangles)
}

/// Triangles under way, with their materials in the order of first use.
#[derive(Default)]
struct Collected {
    heap: Triangles,
    index_of: HashMap<String, u32>,
    /// How many triangles have got their material.
    painted: usize,
}

impl Collected {
    /// Gives the triangles that have come since the last time their material; `""` is none.
    fn paint(&mut self, name: &str) {
        let count = self.heap.triangles.len();
        if count == self.painted {
            return;
        }
        let nothing_named = self.heap.material_names.is_empty();
        if !(nothing_named && name.is_empty()) {
            if nothing_named && self.painted > 0 {
                self.paint_until(self.painted, "");
            }
            self.paint_until(count, name);
        }
        self.painted = count;
    }

    fn paint_until(&mut self, count: usize, name: &str) {
        let material = match self.index_of.get(name) {
            Some(&known) => known,
            None => {
                let next = self.heap.material_names.len() as u32;
                self.heap.material_names.push(name.to_owned());
                self.index_of.insert(name.to_owned(), next);
                next
            }
        };
        self.heap.materials.resize(count, material);
    }

    /// The last triangles have to be painted.
    fn finish(self) -> Result<Triangles, ReadError> {
        if self.heap.triangles.is_empty() {
            return Err(ReadError::Empty { what: "triangles" });
        }
        Ok(self.heap)
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;
    use portolan_core::Up;

    use super::*;

    fn read(name: &str, bytes: &[u8], options: &LevelOptions) -> Result<Triangles, ReadError> {
        read_geometry(name, bytes, options, &mut |_| {
            Err(io::ErrorKind::NotFound.into())
        })
    }

    const AS_IT_IS: LevelOptions = LevelOptions {
        up: Up::Y,
        flip: false,
        scale: 1.0,
    };

    #[test]
    fn the_ending_chooses_the_reader() {
        let message = |name: &str| read(name, b"\n", &AS_IT_IS).unwrap_err().to_string();
        for name in ["w.obj", "w.gltf", "w.glb"] {
            let empty = read(name, b"", &AS_IT_IS).unwrap_err();
            assert_eq!(empty.to_string(), "the file is empty", "{name}");
        }
        assert_eq!(message("a/b.x/W.OBJ"), "there are no triangles in it");
        assert!(message("w.gltf").starts_with("not glTF: "));
        assert!(message("w.glb").starts_with("not glTF: "));
        assert_eq!(
            message("w.fbx"),
            "no reader for '.fbx'; known are .obj, .gltf and .glb"
        );
        assert!(message("").starts_with("no reader for ''"));
    }

    #[test]
    fn z_up_is_a_turn() {
        let flat = b"v 0 0 3\nv 2 0 3\nv 2 1 3\nf 1 2 3\n";
        let z_up = LevelOptions {
            up: Up::Z,
            ..AS_IT_IS
        };
        let turned = read("flat.obj", flat, &z_up).unwrap();
        assert_eq!(
            turned.vertices,
            [vec3(0., 3., 0.), vec3(2., 3., 0.), vec3(2., 3., -1.)]
        );
        assert!(turned.normal(0).y > 0.0);
        let kept = read("flat.obj", flat, &AS_IT_IS).unwrap();
        assert_eq!(kept.vertices[2], vec3(2., 1., 3.));
    }

    #[test]
    fn faces_are_flipped_and_points_scaled() {
        let floor = b"v 0 0 0\nv 0 0 400\nv 400 0 400\nf 1 2 3\n";
        let options = LevelOptions {
            flip: true,
            scale: 0.01,
            ..AS_IT_IS
        };
        let read_floor = read("floor.obj", floor, &options).unwrap();
        assert_eq!(read_floor.vertices[2], vec3(4., 0., 4.));
        assert_eq!(read_floor.triangles, [[0, 2, 1]]);
        for scale in [f32::MAX, f32::INFINITY, f32::NAN] {
            let options = LevelOptions { scale, ..AS_IT_IS };
            let error = read("floor.obj", floor, &options).unwrap_err().to_string();
            assert!(error.contains("not finite once scaled"), "{error}");
        }
    }

    #[test]
    fn names_come_in_the_order_of_use() {
        let mut collected = Collected::default();
        for name in ["", "b", "a", "b", ""] {
            collected.paint("never used");
            collected.heap.triangles.push([0; 3]);
            collected.paint(name);
        }
        let heap = collected.finish().unwrap();
        assert_eq!(heap.material_names, ["", "b", "a"]);
        assert_eq!(heap.materials, [0, 1, 2, 1, 0]);
    }
}
