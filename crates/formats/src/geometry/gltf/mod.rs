//! glTF 2.0, as `.gltf` and as `.glb`.
//!
//! The schema is that of the `gltf` crate. Its readers are not used: they, and even its validation,
//! index out of range where a file refers to what is not there, and their errors name nothing.

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
use self::buffer::Buffers;
use super::{Collected, Fetch};
use crate::ReadError;
use crate::import::check_size;
use crate::text::shown_name;

/// Most triangles, and most vertices: a few lines can place a large mesh many times. Either takes
/// 1.5 GiB.
const MOST: usize = 1 << 27;

/// Extensions that a file may demand, as the triangles are the same without them.
const HARMLESS_KINDS: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "EXT_texture_",
    "MSFT_texture_",
];

/// Integers as positions, which are read.
const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Reads the meshes of all nodes of the default scene; where there is none, of all scenes, and
/// where there are none either, of all nodes. `fetch` is asked for buffers that are files.
///
/// - Every mesh is moved as its node and the nodes above it say. Where that mirrors it, triangles
///   are turned around, so that their upper sides stay the upper sides.
/// - Triangles, strips and fans are read, points and lines skipped. Skins and morph targets are not
///   applied.
/// - A triangle's material is the name of the primitive's; without a name it has none.
pub fn read(bytes: &[u8], fetch: &mut Fetch<'_>) -> Result<Triangles, ReadError> {
    read_at_most(MOST, bytes, fetch)
}

/// Neither more vertices nor more triangles than `most`.
fn read_at_most(most: usize, bytes: &[u8], fetch: &mut Fetch<'_>) -> Result<Triangles, ReadError> {
    check_size(bytes)?;
    let (root, binary) = container::open(bytes)?;
    check_extensions(&root)?;
    let mut placement = Placement {
        accessors: Accessors {
            root: &root,
            buffers: Buffers::new(&root.buffers, binary, fetch),
            max_zeros: bytes.len() as u64,
        },
        collected: Collected::default(),
        most,
    };
    scene::for_each_node(&root, |index, transform| {
        placement.add_node(index, transform)
    })?;
    placement.collected.finish()
}

fn check_extensions(root: &Root) -> Result<(), ReadError> {
    let unknown = root.extensions_required.iter().find(|name| {
        *name != QUANTIZATION && !HARMLESS_KINDS.iter().any(|kind| name.starts_with(kind))
    });
    match unknown {
        Some(name) => Err(ReadError::Element {
            element: format!("extension {}", shown_name(name)),
            what: "the file demands it, but it is not supported; export without it".into(),
        }),
        None => Ok(()),
    }
}

/// A numbered thing of the file, with its name if it has one.
fn label(kind: &str, index: usize, name: Option<&String>) -> String {
    match name {
        Some(name) => format!("{kind} {index} {}", shown_name(name)),
        None => format!("{kind} {index}"),
    }
}

/// What has been placed so far.
struct Placement<'a, 'f> {
    accessors: Accessors<'a, 'f>,
    collected: Collected,
    /// At most this many vertices, and triangles.
    most: usize,
}

impl Placement<'_, '_> {
    fn add_node(&mut self, index: usize, moved: &DAffine3) -> Result<(), ReadError> {
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
        self.add_mesh(mesh, moved).map_err(|(primitive, what)| {
            let mesh_label = label("mesh", mesh_index, mesh.name.as_ref());
            ReadError::Element {
                element: format!("{node_label}, {mesh_label}, primitive {primitive}"),
                what,
            }
        })
    }

    /// An error is that of a primitive.
    fn add_mesh(&mut self, mesh: &Mesh, moved: &DAffine3) -> Result<(), (usize, String)> {
        // Primitives often divide the same vertices among them.
        let mut placed = Vec::new();
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            self.add_primitive(primitive, moved, &mut placed)
                .map_err(|what| (i, what))?;
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        moved: &DAffine3,
        placed: &mut Vec<PlacedVertices>,
    ) -> Result<(), String> {
        let mode = match primitive.mode {
            Checked::Valid(mode) => mode,
            Checked::Invalid => return Err("its mode is none of 0 to 6".into()),
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
        let vertices = match placed.iter().find(|known| known.positions == positions) {
            Some(known) => *known,
            None => {
                let new = self.add_vertices(positions, moved)?;
                placed.push(new);
                new
            }
        };
        let corners = match primitive.indices {
            Some(indices) => self.accessors.indices(indices.value())?,
            None => (0..vertices.count).collect(),
        };
        check_corners(mode, &corners, vertices.count)?;
        let mirrored = moved.matrix3.determinant() < 0.0;
        let triangles = &mut self.collected.heap.triangles;
        let windings = windings(mode, &corners);
        check_room(self.most, triangles.len(), windings.len(), "triangles")?;
        triangles.extend(windings.map(|[a, b, c]| {
            let winding = if mirrored { [a, c, b] } else { [a, b, c] };
            winding.map(|corner| vertices.first + corner)
        }));
        let material = primitive.material.map(|material| material.value());
        self.collected
            .paint(material_name(self.accessors.root, material)?);
        Ok(())
    }

    fn add_vertices(
        &mut self,
        positions: usize,
        moved: &DAffine3,
    ) -> Result<PlacedVertices, String> {
        let points = self.accessors.positions(positions)?;
        let vertices = &mut self.collected.heap.vertices;
        let first = vertices.len();
        check_room(self.most, first, points.len(), "vertices")?;
        vertices.reserve(points.len());
        for (i, point) in points.iter().enumerate() {
            if !point.is_finite() {
                return Err(format!("position {i} is {point}, which is not finite"));
            }
            let place: Vec3 = moved.transform_point3(point.as_dvec3()).as_vec3();
            if !place.is_finite() {
                return Err(format!(
                    "position {i} is moved beyond all numbers, to {place}"
                ));
            }
            vertices.push(place);
        }
        Ok(PlacedVertices {
            positions,
            first: first as u32,
            count: points.len() as u32,
        })
    }
}

fn check_room(most: usize, there: usize, more: usize, what: &str) -> Result<(), String> {
    match there.checked_add(more).is_some_and(|all| all <= most) {
        true => Ok(()),
        false => Err(format!("with it there are more than {most} {what}")),
    }
}

/// The vertices of an accessor where a node has moved them.
#[derive(Clone, Copy)]
struct PlacedVertices {
    positions: usize,
    first: u32,
    count: u32,
}

fn check_corners(mode: Mode, corners: &[u32], vertices: u32) -> Result<(), String> {
    let count = corners.len();
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(format!("{count} corners do not make whole triangles"));
    }
    if count < 3 {
        return Err(format!("{count} corners do not make a triangle"));
    }
    match corners.iter().position(|&corner| corner >= vertices) {
        Some(i) => Err(format!(
            "index {i} is {}, but there are only {vertices} vertices",
            corners[i]
        )),
        None => Ok(()),
    }
}

/// The triangles that a row of corners stands for, as the specification winds them.
fn windings(mode: Mode, corners: &[u32]) -> impl ExactSizeIterator<Item = [u32; 3]> {
    let count = match mode {
        Mode::Triangles => corners.len() / 3,
        _ => corners.len().saturating_sub(2),
    };
    (0..count).map(move |i| {
        let places = match mode {
            Mode::Triangles => [3 * i, 3 * i + 1, 3 * i + 2],
            Mode::TriangleFan => [i + 1, i + 2, 0],
            // Every other triangle of a strip goes around the other way.
            _ => [i, i + 1 + i % 2, i + 2 - i % 2],
        };
        places.map(|place| corners[place])
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
