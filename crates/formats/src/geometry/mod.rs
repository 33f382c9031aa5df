//! Level geometry: triangles with materials. The extension of a file decides its format.
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

/// A function that reads a file which another file refers to. It gets a path relative to the folder of that
/// other file, separated by `/`. The path never leaves that folder.
pub type Fetch<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// Reads an `.obj`, `.gltf` or `.glb` file. Only the extension of `name` matters. `fetch` reads the buffers
/// that a `.gltf` file stores in separate files. `options` say how the coordinates of the file become metres
/// with y up.
///
/// Triangles without area and vertices without triangles are kept. If some triangles have a material, those
/// without one have the material `""`.
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
                supported: ".obj, .gltf and .glb",
            });
        }
    };
    options.apply(&mut triangles);
    let mut vertices = triangles.vertices.iter();
    if let Some(vertex) = vertices.position(|vertex| !vertex.is_finite()) {
        return Err(ReadError::Element {
            element: format!("vertex {vertex}"),
            what: format!("it is not finite after scaling by {}", options.scale),
        });
    }
    Ok(triangles)
}

/// Collects triangles and numbers their materials in the order of first use.
#[derive(Default)]
struct TriangleCollector {
    triangles: Triangles,
    index_of: HashMap<String, u32>,
    /// The number of triangles that have their material.
    assigned: usize,
}

impl TriangleCollector {
    /// Assigns a material to all triangles since the last call. `""` means none.
    fn assign_material(&mut self, name: &str) {
        let count = self.triangles.triangles.len();
        if count == self.assigned {
            return;
        }
        let has_no_materials = self.triangles.material_names.is_empty();
        if !(has_no_materials && name.is_empty()) {
            if has_no_materials && self.assigned > 0 {
                self.assign_material_until(self.assigned, "");
            }
            self.assign_material_until(count, name);
        }
        self.assigned = count;
    }

    fn assign_material_until(&mut self, count: usize, name: &str) {
        let material = match self.index_of.get(name) {
            Some(&known) => known,
            None => {
                let next = self.triangles.material_names.len() as u32;
                self.triangles.material_names.push(name.to_owned());
                self.index_of.insert(name.to_owned(), next);
                next
            }
        };
        self.triangles.materials.resize(count, material);
    }

    /// Returns the triangles, all of which must have got a material before.
    fn finish(self) -> Result<Triangles, ReadError> {
        if self.triangles.triangles.is_empty() {
            return Err(ReadError::Empty { what: "triangles" });
        }
        Ok(self.triangles)
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

    const UNCHANGED: LevelOptions = LevelOptions {
        up: Up::Y,
        flip: false,
        scale: 1.0,
    };

    #[test]
    fn the_extension_decides_the_reader() {
        let message = |name: &str| read(name, b"\n", &UNCHANGED).unwrap_err().to_string();
        for name in ["w.obj", "w.gltf", "w.glb"] {
            let empty = read(name, b"", &UNCHANGED).unwrap_err();
            assert_eq!(empty.to_string(), "the file is empty", "{name}");
        }
        assert_eq!(message("a/b.x/W.OBJ"), "the file has no triangles");
        assert!(message("w.gltf").starts_with("not glTF: "));
        assert!(message("w.glb").starts_with("not glTF: "));
        assert_eq!(
            message("w.fbx"),
            "files of type '.fbx' are not supported; supported are .obj, .gltf and .glb"
        );
        assert!(message("").starts_with("files of type '' are not"));
    }

    #[test]
    fn z_up_is_rotated_to_y_up() {
        let flat = b"v 0 0 3\nv 2 0 3\nv 2 1 3\nf 1 2 3\n";
        let z_up = LevelOptions {
            up: Up::Z,
            ..UNCHANGED
        };
        let turned = read("flat.obj", flat, &z_up).unwrap();
        assert_eq!(
            turned.vertices,
            [vec3(0., 3., 0.), vec3(2., 3., 0.), vec3(2., 3., -1.)]
        );
        assert!(turned.normal(0).y > 0.0);
        let kept = read("flat.obj", flat, &UNCHANGED).unwrap();
        assert_eq!(kept.vertices[2], vec3(2., 1., 3.));
    }

    #[test]
    fn faces_are_flipped_and_points_scaled() {
        let floor = b"v 0 0 0\nv 0 0 400\nv 400 0 400\nf 1 2 3\n";
        let options = LevelOptions {
            flip: true,
            scale: 0.01,
            ..UNCHANGED
        };
        let read_floor = read("floor.obj", floor, &options).unwrap();
        assert_eq!(read_floor.vertices[2], vec3(4., 0., 4.));
        assert_eq!(read_floor.triangles, [[0, 2, 1]]);
        for scale in [f32::MAX, f32::INFINITY, f32::NAN] {
            let options = LevelOptions { scale, ..UNCHANGED };
            let error = read("floor.obj", floor, &options).unwrap_err().to_string();
            assert!(error.contains("not finite after scaling"), "{error}");
        }
    }

    #[test]
    fn materials_are_numbered_in_the_order_of_use() {
        let mut collector = TriangleCollector::default();
        for name in ["", "b", "a", "b", ""] {
            collector.assign_material("never used");
            collector.triangles.triangles.push([0; 3]);
            collector.assign_material(name);
        }
        let triangles = collector.finish().unwrap();
        assert_eq!(triangles.material_names, ["", "b", "a"]);
        assert_eq!(triangles.materials, [0, 1, 2, 1, 0]);
    }
}
