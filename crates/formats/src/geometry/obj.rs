//! Wavefront `.obj` files whose faces are level geometry.

use std::io::{self, BufWriter, Write};

use portolan_core::Triangles;

use super::Collected;
use super::face::Cutter;
use crate::ReadError;
use crate::wavefront::{self, Statement};

/// Reads vertices, faces and the names of materials; every other statement is skipped.
///
/// Faces of more than three corners are cut, concave ones too as long as they are flat or nearly
/// so. `usemtl NAME` gives the faces after it a material, whether or not an `.mtl` file defines it.
pub fn read(bytes: &[u8]) -> Result<Triangles, ReadError> {
    let mut collected = Collected::default();
    let mut cutter = Cutter::new();
    let mut material = String::new();
    wavefront::read(bytes, |statement| {
        let heap = &mut collected.heap;
        match statement {
            Statement::Vertex(point) => heap.vertices.push(point),
            Statement::Face(corners) => {
                cutter.cut(&heap.vertices, corners, &mut heap.triangles)?;
            }
            Statement::Material(name) => {
                collected.paint(&material);
                material = String::from_utf8_lossy(name).into_owned();
            }
        }
        Ok(())
    })?;
    collected.paint(&material);
    collected.finish()
}

/// Writes the triangles, after `comments`, with a `usemtl` wherever the material changes.
///
/// [`read`] takes back the same triangles, provided that their materials are as it makes them: in
/// the order of first use, and empty where no triangle has one.
///
/// # Errors
/// Besides those of `out`, [`io::ErrorKind::InvalidInput`] for what the format cannot hold: a
/// vertex that is not finite or does not exist, a material that does not exist or whose name is no such name.
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
                return Err(invalid(format!("no name for a material: {material:?}")));
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
