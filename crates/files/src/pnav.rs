//! `.pnav`: a validated navmesh, ready for queries.
//!
//! The file stores everything that takes long to compute from polygons: portals, components and the tree
//! that locates points. The arrays are read straight into the navmesh.
//!
//! ```
//! use glam::vec3;
//! use portolan_core::{NavMesh, NavMeshOptions, RawNavMesh};
//! use portolan_files::pnav;
//!
//! let mut raw = RawNavMesh::default();
//! raw.vertices = vec![vec3(0., 0., 0.), vec3(4., 0., 0.), vec3(4., 0., 4.), vec3(0., 0., 4.)];
//! raw.polygons.push([0, 1, 2, 3]);
//! let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("the square is valid");
//! assert_eq!(pnav::from_bytes(&pnav::to_bytes(&mesh))?, mesh);
//! # Ok::<(), portolan_files::ReadError>(())
//! ```

use std::io::{self, Read, Write};

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use portolan_core::geometry::Aabb;
use portolan_core::navmesh::{Heights, NavMeshParts, TreeChild, TreeNode};
use portolan_core::{Link, NavMesh, PolygonId, Portal, Repairs};

use crate::ReadError;
use crate::container::{Name, Reader, Writer};

/// The version of `.pnav` files that this crate writes, and the only one that it reads.
pub const VERSION: u32 = 1;

pub(crate) const KIND: Name = *b"NAVM";
const FORMAT: &str = "a .pnav file";

/// A portal as 32 bytes.
type PortalWords = [u32; 8];
/// A node of the location tree as 128 bytes. Size and alignment are those of [`TreeNode`], so that a
/// `Vec` of one is converted into a `Vec` of the other in place.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(128))]
struct NodeWords([u32; 32]);
/// A link as 48 bytes.
type LinkWords = [u32; 12];

/// Fails if the ground of a mesh has changed at run time, which files do not store.
pub(crate) fn check_unchanged(mesh: &NavMesh) -> io::Result<()> {
    match mesh.has_changes() {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "its ground has changed at run time, and files do not store such changes: save the world before the first one",
        )),
        false => Ok(()),
    }
}

/// Returns the bytes of a `.pnav` file that contains `mesh`.
///
/// # Panics
/// Panics if the ground of the mesh has changed at run time: see [`write`](fn@write).
pub fn to_bytes(mesh: &NavMesh) -> Vec<u8> {
    check_unchanged(mesh).expect("the ground has not changed");
    let mut file = Writer::new(KIND, VERSION);
    add_mesh_sections(mesh, &mut file);
    file.into_bytes()
}

/// Writes a `.pnav` file that contains `mesh` to `out`.
///
/// # Errors
/// Fails if writing fails, or if the ground of the mesh has changed at run time, which files do not store.
pub fn write(mesh: &NavMesh, out: &mut dyn Write) -> io::Result<()> {
    check_unchanged(mesh)?;
    let mut file = Writer::new(KIND, VERSION);
    add_mesh_sections(mesh, &mut file);
    file.finish(out)
}

/// Reads a navmesh from the bytes of a `.pnav` file.
pub fn from_bytes(bytes: &[u8]) -> Result<NavMesh, ReadError> {
    read(bytes, bytes.len() as u64)
}

/// Reads a navmesh from the contents of a `.pnav` file, which are `bytes` bytes long. Arrays are read
/// straight into the navmesh, without a copy of the file in memory.
pub fn read(source: impl Read, bytes: u64) -> Result<NavMesh, ReadError> {
    let mut file = Reader::open(source, bytes, KIND, FORMAT, VERSION)?;
    let parts = read_mesh_sections(&mut file)?;
    file.finish()?;
    mesh_from_parts(parts)
}

/// Adds the sections of a navmesh to a file.
fn add_mesh_sections<'a>(mesh: &'a NavMesh, file: &mut Writer<'a>) {
    let portals: Vec<PortalWords> = mesh.portals().iter().map(portal_words).collect();
    let links: Vec<LinkWords> = mesh.links().iter().map(Link::words).collect();
    let tree: Vec<NodeWords> = mesh.tree().nodes().iter().map(node_words).collect();
    file.section(*b"vert", mesh.vertices());
    file.section(*b"poly", mesh.corner_lists().offsets());
    file.section(*b"corn", mesh.corner_lists().values());
    file.section(*b"area", mesh.areas());
    file.section(*b"flag", mesh.all_flags());
    file.owned_section(*b"user", &mesh.user_ids().collect::<Vec<_>>());
    file.section(*b"hpof", mesh.heights().vertices.offsets());
    file.section(*b"hpnt", mesh.heights().vertices.values());
    file.section(*b"htof", mesh.heights().triangles.offsets());
    file.section(*b"htri", mesh.heights().triangles.values());
    file.owned_section(*b"port", &portals);
    file.owned_section(*b"link", &links);
    file.section(*b"comp", mesh.components().labels());
    file.owned_section(*b"tree", &tree);
    file.owned_section(*b"reps", &mesh.repairs().words());
}

/// Reads the sections of a navmesh from a file.
fn read_mesh_sections<R: Read>(file: &mut Reader<R>) -> Result<NavMeshParts, ReadError> {
    Ok(NavMeshParts {
        vertices: file.section(*b"vert")?,
        polygons: file.lists(*b"poly", *b"corn")?,
        areas: file.section(*b"area")?,
        flags: file.section(*b"flag")?,
        user_ids: file.section(*b"user")?,
        heights: Heights {
            vertices: file.lists(*b"hpof", *b"hpnt")?.into(),
            triangles: file.lists(*b"htof", *b"htri")?.into(),
        },
        portals: file
            .section::<PortalWords>(*b"port")?
            .into_iter()
            .map(portal)
            .collect(),
        links: file
            .section::<LinkWords>(*b"link")?
            .into_iter()
            .map(Link::from_words)
            .collect(),
        components: file.section(*b"comp")?,
        tree: file
            .section::<NodeWords>(*b"tree")?
            .into_iter()
            .map(node)
            .collect(),
        repairs: repairs(&file.section(*b"reps")?)?,
    })
}

/// Validates the sections of a navmesh, after the checksum was compared.
fn mesh_from_parts(parts: NavMeshParts) -> Result<NavMesh, ReadError> {
    NavMesh::from_parts(parts).map_err(|error| ReadError::Damaged {
        what: error.to_string(),
    })
}

fn point_words(point: Vec3) -> [u32; 3] {
    point.to_array().map(f32::to_bits)
}

fn point(words: [u32; 3]) -> Vec3 {
    Vec3::from_array(words.map(f32::from_bits))
}

fn portal_words(portal: &Portal) -> PortalWords {
    let [a, b] = portal.polygons.map(|polygon| polygon.0);
    let ([rx, ry, rz], [lx, ly, lz]) = (point_words(portal.right), point_words(portal.left));
    [a, b, rx, ry, rz, lx, ly, lz]
}

fn portal([a, b, rx, ry, rz, lx, ly, lz]: PortalWords) -> Portal {
    let polygons = [PolygonId(a), PolygonId(b)];
    Portal {
        polygons,
        right: point([rx, ry, rz]),
        left: point([lx, ly, lz]),
    }
}

fn node_words(node: &TreeNode) -> NodeWords {
    let mut all = [0; 32];
    for (box_words, aabb) in all.chunks_exact_mut(6).zip(node.boxes()) {
        box_words[..3].copy_from_slice(&point_words(aabb.min));
        box_words[3..].copy_from_slice(&point_words(aabb.max));
    }
    all[24..28].copy_from_slice(&node.children.map(|child| child.0));
    NodeWords(all)
}

fn node(NodeWords(all): NodeWords) -> TreeNode {
    let corner = |i: usize| point([all[i], all[i + 1], all[i + 2]]);
    let boxes = [0, 6, 12, 18].map(|i| Aabb {
        min: corner(i),
        max: corner(i + 3),
    });
    TreeNode::new(boxes, [24, 25, 26, 27].map(|i| TreeChild(all[i])))
}

fn repairs(words: &[u32]) -> Result<Repairs, ReadError> {
    let words = words.try_into().map_err(|_| ReadError::Damaged {
        what: "its section reps has the wrong length".to_owned(),
    })?;
    Ok(Repairs::from_words(words))
}

#[cfg(test)]
#[path = "pnav_test.rs"]
mod tests;
