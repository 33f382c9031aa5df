//! Navmeshes as Wavefront `.obj` files, one face per polygon.

use std::io::{self, BufWriter, Write};

use portolan_core::{NavMesh, NavMeshOptions, RawNavMesh};

use crate::order::by_user_id;
use crate::text::number;
use crate::wavefront::{self, Statement};
use crate::{Imported, ReadError};

/// Reads vertices, faces and areas of a navmesh; every other statement is skipped.
///
/// - `usemtl area7` gives the faces after it area 7 (0 to 255). Any other material means area 0.
/// - The user id of a polygon is the index of its face, counted from 0 in the order of the file.
/// - Vertices at the same position are not merged. Borders are matched by position, unless the caller sets
///   [`NavMeshOptions::borders`] to `None` to keep thin walls, which are borders between different vertices
///   at the same positions.
pub fn read(bytes: &[u8]) -> Result<Imported, ReadError> {
    let mut raw = RawNavMesh::default();
    let mut area = 0;
    wavefront::read(bytes, |statement| {
        match statement {
            Statement::Vertex(point) => raw.vertices.push(point),
            Statement::Face(corners) => {
                raw.polygons.push(corners.iter().copied());
                raw.areas.push(area);
            }
            Statement::Material(name) => {
                let first = wavefront::words(name).next();
                area = first.and_then(area_of_material).unwrap_or(0);
            }
        }
        Ok(())
    })?;
    if raw.polygons.is_empty() {
        return Err(ReadError::Empty { what: "faces" });
    }
    if raw.areas.iter().all(|&area| area == 0) {
        raw.areas = Vec::new();
    }
    Ok(Imported {
        raw,
        options: NavMeshOptions::default(),
    })
}

fn area_of_material(name: &[u8]) -> Option<u8> {
    let digits = name.strip_prefix(b"area")?;
    let all_digits = digits.iter().all(u8::is_ascii_digit);
    all_digits.then(|| number(digits)).flatten()
}

/// Writes the polygons as faces, in the order of their user ids, with a `usemtl areaN` wherever the area
/// changes. Faces before the first `usemtl` have area 0. [`read`] reads all of it back.
///
/// Portals are not written, because readers find them again by matching borders. Links, flags, heights and
/// user ids are lost, because the format cannot store them.
pub fn write(mesh: &NavMesh, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for vertex in mesh.vertices() {
        writeln!(out, "v {} {} {}", vertex.x, vertex.y, vertex.z)?;
    }
    let mut area = 0;
    for polygon in by_user_id(mesh) {
        if mesh.area(polygon) != area {
            area = mesh.area(polygon);
            writeln!(out, "usemtl area{area}")?;
        }
        write!(out, "f")?;
        for corner in mesh.corners(polygon) {
            write!(out, " {}", corner + 1)?;
        }
        writeln!(out)?;
    }
    out.flush()
}

#[cfg(test)]
#[path = "obj_test.rs"]
mod tests;
