//! Level geometry as glTF 2.0 files, `.gltf` and `.glb`.
//!
//! The schema is that of the `gltf` crate. Its readers and its validation are not used, because they index out
//! of range if a file refers to elements that do not exist, and because their errors do not name the element.

mod accessor;
mod buffer;
mod container;
mod scene;

use glam::{DAffine3, Vec3};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Mesh, Root};
use portolan_core::Triangles;

use self::accessor::Accessors;
use self::buffer::GltfBuffers;
use super::{Fetch, TriangleCollector};
use crate::ReadError;
use crate::import::check_size;
use crate::text::quoted_name;

/// The maximum number of triangles, and of vertices. There is a limit because a few lines can instantiate a
/// large mesh many times. At the limit, triangles and vertices take 1.5 GiB each.
const MAX_ELEMENTS: usize = 1 << 27;

/// The prefixes of extensions that a file may require, because its triangles are the same without them.
const HARMLESS_PREFIXES: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "EXT_texture_",
    "MSFT_texture_",
];

/// The extension for positions as integers, which is supported.
const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Reads the meshes of the nodes of the default scene. Without a default scene it reads all scenes, and
/// without scenes all nodes. `fetch` reads buffers that are separate files.
///
/// - Every mesh is transformed by its node and the ancestors of that node. If the transform mirrors it, the
///   triangles are reversed, so that they still face up.
/// - Triangles, strips and fans are read; points and lines are skipped. Skins and morph targets are not
///   applied.
/// - The material of a triangle is the name of the primitive's material. A material without a name counts as
///   no material.
pub fn read(bytes: &[u8], fetch: &mut Fetch<'_>) -> Result<Triangles, ReadError> {
    read_limited(MAX_ELEMENTS, bytes, fetch)
}

/// Reads a file with at most `max_elements` vertices and as many triangles.
fn read_limited(
    max_elements: usize,
    bytes: &[u8],
    fetch: &mut Fetch<'_>,
) -> Result<Triangles, ReadError> {
    check_size(bytes)?;
    let (root, binary) = container::open(bytes)?;
    check_extensions(&root)?;
    let mut scene_collector = SceneCollector {
        accessors: Accessors {
            root: &root,
            buffers: GltfBuffers::new(&root.buffers, binary, fetch),
            max_zeros: bytes.len() as u64,
        },
        collector: TriangleCollector::default(),
        max_elements,
    };
    scene::for_each_node(&root, |index, transform| {
        scene_collector.add_node(index, transform)
    })?;
    scene_collector.collector.finish()
}

fn check_extensions(root: &Root) -> Result<(), ReadError> {
    let unknown = root.extensions_required.iter().find(|name| {
        *name != QUANTIZATION && !HARMLESS_PREFIXES.iter().any(|kind| name.starts_with(kind))
    });
    match unknown {
        Some(name) => Err(ReadError::Element {
            element: format!("extension {}", quoted_name(name)),
            what: "the file requires it, but it is not supported; export without it".into(),
        }),
        None => Ok(()),
    }
}

/// Names an element of the file by its index and, if it has one, its name.
fn label(kind: &str, index: usize, name: Option<&String>) -> String {
    match name {
        Some(name) => format!("{kind} {index} {}", quoted_name(name)),
        None => format!("{kind} {index}"),
    }
}

/// Collects the triangles of the nodes of a scene.
struct SceneCollector<'a, 'f> {
    accessors: Accessors<'a, 'f>,
    collector: TriangleCollector,
    /// The maximum number of vertices, and of triangles.
    max_elements: usize,
}

impl SceneCollector<'_, '_> {
    fn add_node(&mut self, index: usize, transform: &DAffine3) -> Result<(), ReadError> {
        let root = self.accessors.root;
        let Some(node) = root.nodes.get(index) else {
            return Ok(());
        };
        let Some(mesh_index) = node.mesh.map(|mesh| mesh.value()) else {
            return Ok(());
        };
        let node_label = label("node", index, node.name.as_ref());
        let Some(mesh) = root.meshes.get(mesh_index) else {
            return Err(ReadError::Element {
                element: node_label,
                what: format!("there is no mesh {mesh_index}"),
            });
        };
        self.add_mesh(mesh, transform).map_err(|(primitive, what)| {
            let mesh_label = label("mesh", mesh_index, mesh.name.as_ref());
            ReadError::Element {
                element: format!("{node_label}, {mesh_label}, primitive {primitive}"),
                what,
            }
        })
    }

    /// Adds all primitives of a mesh. The error comes with the index of the primitive.
    fn add_mesh(&mut self, mesh: &Mesh, transform: &DAffine3) -> Result<(), (usize, String)> {
        // Primitives of a mesh often use the same vertices.
        let mut transformed = Vec::new();
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            self.add_primitive(primitive, transform, &mut transformed)
                .map_err(|what| (i, what))?;
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        transform: &DAffine3,
        transformed: &mut Vec<TransformedVertices>,
    ) -> Result<(), String> {
        let mode = match primitive.mode {
            Checked::Valid(mode) => mode,
            Checked::Invalid => return Err("its mode is not one of 0 to 6".into()),
        };
        if !matches!(
            mode,
            Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan
        ) {
            return Ok(());
        }
        let positions = primitive
            .attributes
            .get(&Checked::Valid(Semantic::Positions))
            .ok_or("it has no attribute POSITION")?
            .value();
        let vertices = match transformed
            .iter()
            .find(|known| known.positions == positions)
        {
            Some(known) => *known,
            None => {
                let new = self.add_vertices(positions, transform)?;
                transformed.push(new);
                new
            }
        };
        let corners = match primitive.indices {
            Some(indices) => self.accessors.indices(indices.value())?,
            None => (0..vertices.count).collect(),
        };
        check_corners(mode, &corners, vertices.count)?;
        let mirrored = transform.matrix3.determinant() < 0.0;
        let triangles = &mut self.collector.triangles.triangles;
        let windings = windings(mode, &corners);
        check_limit(
            self.max_elements,
            triangles.len(),
            windings.len(),
            "triangles",
        )?;
        triangles.extend(windings.map(|[a, b, c]| {
            let winding = if mirrored { [a, c, b] } else { [a, b, c] };
            winding.map(|corner| vertices.first + corner)
        }));
        let material = primitive.material.map(|material| material.value());
        self.collector
            .assign_material(material_name(self.accessors.root, material)?);
        Ok(())
    }

    fn add_vertices(
        &mut self,
        positions: usize,
        transform: &DAffine3,
    ) -> Result<TransformedVertices, String> {
        let points = self.accessors.positions(positions)?;
        let vertices = &mut self.collector.triangles.vertices;
        let first = vertices.len();
        check_limit(self.max_elements, first, points.len(), "vertices")?;
        vertices.reserve(points.len());
        for (i, point) in points.iter().enumerate() {
            if !point.is_finite() {
                return Err(format!("position {i} is {point}, which is not finite"));
            }
            let position: Vec3 = transform.transform_point3(point.as_dvec3()).as_vec3();
            if !position.is_finite() {
                return Err(format!(
                    "position {i} is transformed to {position}, which is not finite"
                ));
            }
            vertices.push(position);
        }
        Ok(TransformedVertices {
            positions,
            first: first as u32,
            count: points.len() as u32,
        })
    }
}

fn check_limit(max: usize, count: usize, added: usize, what: &str) -> Result<(), String> {
    match count.checked_add(added).is_some_and(|total| total <= max) {
        true => Ok(()),
        false => Err(format!(
            "with it, the scene has more than {max} {what}; split the level into several files"
        )),
    }
}

/// The vertices of an accessor, transformed by a node.
#[derive(Clone, Copy)]
struct TransformedVertices {
    positions: usize,
    first: u32,
    count: u32,
}

fn check_corners(mode: Mode, corners: &[u32], vertices: u32) -> Result<(), String> {
    let count = corners.len();
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(format!("{count} corners are not a multiple of three"));
    }
    if count < 3 {
        return Err(format!(
            "a triangle needs 3 corners, but there are only {count}"
        ));
    }
    match corners.iter().position(|&corner| corner >= vertices) {
        Some(i) => Err(format!(
            "index {i} is {}, but there are only {vertices} vertices",
            corners[i]
        )),
        None => Ok(()),
    }
}

/// Iterates over the triangles of a list of corners, with the winding of the specification.
fn windings(mode: Mode, corners: &[u32]) -> impl ExactSizeIterator<Item = [u32; 3]> {
    let count = match mode {
        Mode::Triangles => corners.len() / 3,
        _ => corners.len().saturating_sub(2),
    };
    (0..count).map(move |i| {
        let indices = match mode {
            Mode::Triangles => [3 * i, 3 * i + 1, 3 * i + 2],
            Mode::TriangleFan => [i + 1, i + 2, 0],
            // The winding of the triangles of a strip alternates.
            _ => [i, i + 1 + i % 2, i + 2 - i % 2],
        };
        indices.map(|index| corners[index])
    })
}

fn material_name(root: &Root, material: Option<usize>) -> Result<&str, String> {
    let Some(index) = material else {
        return Ok("");
    };
    let material = root
        .materials
        .get(index)
        .ok_or_else(|| format!("there is no material {index}"))?;
    Ok(material.name.as_deref().unwrap_or(""))
}

#[cfg(test)]
#[path = "errors_test.rs"]
mod errors_tests;
#[cfg(test)]
mod test_file;
#[cfg(test)]
#[path = "gltf_test.rs"]
mod tests;
