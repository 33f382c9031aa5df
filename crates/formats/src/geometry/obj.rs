//! Level geometry as Wavefront `.obj` files.

use std::io::{self, BufWriter, Write};

use portolan_core::Triangles;

use super::TriangleCollector;
use super::face::Triangulator;
use crate::ReadError;
use crate::wavefront::{self, Statement};

/// Reads vertices, faces and the names of materials; every other statement is skipped.
///
/// Faces with more than three corners are triangulated. They may be concave if they are flat or nearly so.
/// `usemtl NAME` gives the faces after it a material, whether or not an `.mtl` file defines it.
pub fn read(bytes: &[u8]) -> Result<Triangles, ReadError> {
    let mut collector = TriangleCollector::default();
    let mut triangulator = Triangulator::new();
    let mut material = String::new();
    wavefront::read(bytes, |statement| {
        let triangles = &mut collector.triangles;
        match statement {
            Statement::Vertex(point) => triangles.vertices.push(point),
            Statement::Face(corners) => {
                triangulator.triangulate(&triangles.vertices, corners, &mut triangles.triangles)?;
            }
            Statement::Material(name) => {
                collector.assign_material(&material);
                material = String::from_utf8_lossy(name).into_owned();
            }
        }
        Ok(())
    })?;
    collector.assign_material(&material);
    collector.finish()
}

/// Writes `comments`, then the triangles with a `usemtl` wherever the material changes.
///
/// [`read`] returns the same triangles if their materials are numbered in the order of first use, as [`read`]
/// itself does, and if `materials` is empty when no triangle has one.
///
/// # Errors
/// Returns the errors of `out`, and [`io::ErrorKind::InvalidInput`] for anything that the format cannot store:
/// a vertex that is not finite or does not exist, or a material that does not exist or whose name cannot be
/// read back (for example because it starts with a space or contains a line break).
pub fn write(triangles: &Triangles, comments: &[String], out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "# {line}")?;
    }
    for (i, vertex) in triangles.vertices.iter().enumerate() {
        if !vertex.is_finite() {
            return Err(invalid(format!("vertex {i} is {vertex}")));
        }
        writeln!(out, "v {} {} {}", vertex.x, vertex.y, vertex.z)?;
    }
    let vertices = triangles.vertices.len();
    let mut current = "";
    for (i, corners) in triangles.triangles.iter().enumerate() {
        let material = material_of(triangles, i)?;
        if material != current {
            if !wavefront::is_material_name(material) {
                return Err(invalid(format!(
                    "the material name {material:?} cannot be written"
                )));
            }
            writeln!(out, "usemtl {material}")?;
            current = material;
        }
        if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= vertices) {
            return Err(invalid(format!("triangle {i} has no vertex {corner}")));
        }
        let [a, b, c] = corners.map(|corner| u64::from(corner) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    out.flush()
}

fn material_of(triangles: &Triangles, triangle: usize) -> io::Result<&str> {
    if triangles.materials.is_empty() {
        return Ok("");
    }
    let index = triangles.materials.get(triangle);
    index
        .and_then(|&index| triangles.material_names.get(index as usize))
        .map(String::as_str)
        .ok_or_else(|| {
            invalid(format!(
                "the material of triangle {triangle} does not exist"
            ))
        })
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

#[cfg(test)]
#[path = "obj_test.rs"]
mod tests;
