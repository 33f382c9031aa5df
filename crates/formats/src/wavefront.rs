//! A parser of Wavefront `.obj` statements, shared by the readers of navmeshes and of level geometry.
//!
//! It is written by hand because the `tobj` crate does not fit: an error must name its line, faces must stay
//! polygons, and a material must keep its name even if no `.mtl` file defines it.

use std::borrow::Cow;

use glam::{Vec3, vec3};

use crate::ReadError;
use crate::import::check_size;
use crate::text::{finite, number, quoted};

/// A statement that is used; all others are skipped.
pub(crate) enum Statement<'a> {
    /// A finite point.
    Vertex(Vec3),
    /// Three or more indices of vertices that precede the face.
    Face(&'a [u32]),
    /// The name of the material of the faces that follow; empty if they have none.
    Material(&'a [u8]),
}

/// Calls `visit` with every [`Statement`]. The errors of `visit` get the number of the line.
pub(crate) fn read(
    bytes: &[u8],
    mut visit: impl FnMut(Statement<'_>) -> Result<(), String>,
) -> Result<(), ReadError> {
    check_size(bytes)?;
    // Some editors put a byte order mark before the first statement.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut vertices = 0;
    let mut corners = Vec::new();
    for (line, statement) in statements(bytes) {
        let parsed = parse(&statement, &mut vertices, &mut corners);
        parsed
            .and_then(|statement| statement.map_or(Ok(()), &mut visit))
            .map_err(|what| ReadError::Syntax { line, what })?;
    }
    Ok(())
}

/// Parses a statement. `vertices` is the number of vertices so far.
fn parse<'a>(
    statement: &'a [u8],
    vertices: &mut u32,
    corners: &'a mut Vec<u32>,
) -> Result<Option<Statement<'a>>, String> {
    let mut words = words(statement);
    Ok(match words.next() {
        Some(b"v") => {
            *vertices += 1;
            Some(Statement::Vertex(point(words)?))
        }
        Some(b"f") => {
            corners.clear();
            for word in words {
                corners.push(corner(word, *vertices)?);
            }
            if corners.len() < 3 {
                let count = corners.len();
                return Err(format!("a face needs 3 corners, but this one has {count}"));
            }
            Some(Statement::Face(corners))
        }
        Some(b"usemtl") => Some(Statement::Material(material(statement))),
        _ => None,
    })
}

/// Parses the words after `v`. A weight or a colour after `x y z` is ignored.
fn point<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<Vec3, String> {
    let mut coordinate = |axis: char| {
        let word = words
            .next()
            .ok_or_else(|| format!("this vertex has no {axis}"))?;
        finite(word).ok_or_else(|| format!("{axis} = {} is not a finite number", quoted(word)))
    };
    Ok(vec3(coordinate('x')?, coordinate('y')?, coordinate('z')?))
}

/// Parses a corner of a face: `5`, `5/1`, `5//2` and `5/1/2` are vertex 5, and negative numbers count back
/// from the latest vertex.
fn corner(word: &[u8], vertices: u32) -> Result<u32, String> {
    let index = word.split(|&byte| byte == b'/').next().unwrap_or(word);
    let index: i64 =
        number(index).ok_or_else(|| format!("{} is not a vertex number", quoted(word)))?;
    let known = i64::from(vertices);
    let from_zero = match index {
        1.. => index - 1,
        _ if index < 0 => known.saturating_add(index),
        _ => return Err("there is no vertex 0; vertices are counted from 1".into()),
    };
    u32::try_from(from_zero)
        .ok()
        .filter(|_| from_zero < known)
        .ok_or_else(|| format!("there is no vertex {index}; the lines before define {known}"))
}

/// Returns everything after the word `usemtl`, because names can contain spaces.
fn material(statement: &[u8]) -> &[u8] {
    let statement = statement.trim_ascii_start();
    let name = statement.strip_prefix(b"usemtl").unwrap_or(statement);
    name.trim_ascii()
}

/// Returns whether the statement `usemtl NAME` is read back as the same name.
pub(crate) fn is_material_name(name: &str) -> bool {
    statements(format!("usemtl {name}").as_bytes())
        .next()
        .is_some_and(|(_, statement)| material(&statement) == name.as_bytes())
}

pub(crate) fn words(statement: &[u8]) -> impl Iterator<Item = &[u8]> {
    statement
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Iterates over statements: lines without their comments, joined where a line ends in `\`. Each comes with
/// the number of its first line. A comment that ends in `\`, such as a Windows path, does not continue.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, [u8]>)> {
    let mut lines = (1u64..).zip(bytes.split(|&byte| byte == b'\n'));
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let (start, mut continues) = statement_part(line);
        let mut statement = Cow::Borrowed(start);
        while continues {
            let Some((_, line)) = lines.next() else { break };
            let (part, part_continues) = statement_part(line);
            let joined = statement.to_mut();
            joined.push(b' ');
            joined.extend_from_slice(part);
            continues = part_continues;
        }
        Some((number, statement))
    })
}

/// Returns the line without its comment and its continuation mark, and whether it had that mark.
fn statement_part(line: &[u8]) -> (&[u8], bool) {
    if let Some(comment) = comment(line) {
        return (line.get(..comment).unwrap_or(line), false);
    }
    match line.trim_ascii_end().strip_suffix(b"\\") {
        Some(start) => (start, true),
        None => (line, false),
    }
}

/// Returns the offset at which a comment starts. A `#` inside a material name, as in `usemtl brick#2`, does
/// not start one.
fn comment(line: &[u8]) -> Option<usize> {
    let is_name = line.trim_ascii_start().starts_with(b"usemtl");
    let mut before = b' ';
    line.iter().position(|&byte| {
        let starts_word = before.is_ascii_whitespace();
        before = byte;
        byte == b'#' && (starts_word || !is_name)
    })
}
