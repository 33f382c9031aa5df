//! Wavefront `.obj` files whose faces are the polygons of a navmesh.
//!
//! Written by hand and not with the `tobj` crate, because faces must stay the polygons that they
//! are and an error must name its line.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use glam::vec3;
use portolan::{NavMesh, NavMeshOptions, RawNavMesh};

use crate::import::check_size;
use crate::order::by_user_id;
use crate::text::{finite, number, shown};
use crate::{Imported, ReadError};

/// Reads vertices, faces and areas; every other statement is skipped.
///
/// - `usemtl area7` gives the faces after it area 7 (0 to 255); any other material is area 0.
/// - A polygon's user id is the number of its face, counted from 0 in the order of the file.
/// - Vertices at the same position stay apart: borders are matched by where they lie, unless the
///   caller wants walls without thickness kept shut.
pub fn read(bytes: &[u8]) -> Result<Imported, ReadError> {
    check_size(bytes)?;
    let mut faces = Faces::default();
    for (line, statement) in statements(bytes) {
        faces
            .add(&statement)
            .map_err(|what| ReadError::Syntax { line, what })?;
    }
    faces.finish()
}

/// What has been read so far.
#[derive(Default)]
struct Faces {
    raw: RawNavMesh,
    area: u8,
    corners: Vec<u32>,
}

impl Faces {
    fn add(&mut self, statement: &[u8]) -> Result<(), String> {
        let mut words = words(statement);
        match words.next() {
            Some(b"v") => self.add_vertex(words),
            Some(b"f") => self.add_face(words),
            Some(b"usemtl") => {
                self.area = words.next().and_then(area_of_material).unwrap_or(0);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// `v x y z`; what follows, a weight or a colour, does not matter.
    fn add_vertex<'a>(&mut self, mut words: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        let mut coordinate = |axis: char| {
            let word = words
                .next()
                .ok_or_else(|| format!("this vertex has no {axis}"))?;
            finite(word).ok_or_else(|| format!("{axis} = {} is not a number", shown(word)))
        };
        let point = vec3(coordinate('x')?, coordinate('y')?, coordinate('z')?);
        self.raw.vertices.push(point);
        Ok(())
    }

    fn add_face<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        self.corners.clear();
        for word in words {
            let corner = self.corner(word)?;
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            let count = self.corners.len();
            return Err(format!("a face needs three corners, this one has {count}"));
        }
        self.raw.polygons.push(self.corners.iter().copied());
        self.raw.areas.push(self.area);
        Ok(())
    }

    /// `5`, `5/1`, `5//2` or `5/1/2` is vertex 5; negative numbers count back from the latest.
    fn corner(&self, word: &[u8]) -> Result<u32, String> {
        let index = word.split(|&byte| byte == b'/').next().unwrap_or(word);
        let index: i64 =
            number(index).ok_or_else(|| format!("{} is not a vertex number", shown(word)))?;
        let known = self.raw.vertices.len() as i64;
        let position = match index {
            1.. => index - 1,
            _ if index < 0 => known.saturating_add(index),
            _ => return Err("vertices are counted from 1, not from 0".into()),
        };
        u32::try_from(position)
            .ok()
            .filter(|_| position < known)
            .ok_or_else(|| format!("there is no vertex {index}, {known} were read so far"))
    }

    fn finish(mut self) -> Result<Imported, ReadError> {
        if self.raw.polygons.is_empty() {
            return Err(ReadError::Empty { what: "faces" });
        }
        if self.raw.areas.iter().all(|&area| area == 0) {
            self.raw.areas = Vec::new();
        }
        Ok(Imported {
            raw: self.raw,
            options: NavMeshOptions::default(),
        })
    }
}

fn area_of_material(name: &[u8]) -> Option<u8> {
    let digits = name.strip_prefix(b"area")?;
    let all_digits = digits.iter().all(u8::is_ascii_digit);
    all_digits.then(|| number(digits)).flatten()
}

fn words(statement: &[u8]) -> impl Iterator<Item = &[u8]> {
    statement
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Lines without their comments, joined where they end in `\`, each with the number of its first
/// line. A comment that ends in `\`, like the path of a folder, does not go on.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, [u8]>)> {
    let mut lines = (1u64..).zip(bytes.split(|&byte| byte == b'\n'));
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let (start, mut goes_on) = statement_part(line);
        let mut statement = Cow::Borrowed(start);
        while goes_on {
            let Some((_, line)) = lines.next() else { break };
            let (part, again) = statement_part(line);
            let joined = statement.to_mut();
            joined.push(b' ');
            joined.extend_from_slice(part);
            goes_on = again;
        }
        Some((number, statement))
    })
}

/// The line without comment and continuation mark, and whether it had the mark.
fn statement_part(line: &[u8]) -> (&[u8], bool) {
    if let Some(comment) = line.iter().position(|&byte| byte == b'#') {
        return (line.get(..comment).unwrap_or(line), false);
    }
    match line.trim_ascii_end().strip_suffix(b"\\") {
        Some(start) => (start, true),
        None => (line, false),
    }
}

/// Writes the polygons as faces, in the order of their user ids, with a material `areaN` wherever
/// the area changes; without any, it is 0. [`read`] takes all of that back.
///
/// Portals are not written: readers find them again where borders lie together. Links, flags,
/// heights and the user ids themselves have no place in the format.
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
