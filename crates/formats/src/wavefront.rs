//! Statements of Wavefront `.obj` files, for the two readers that make something of them.
//!
//! Written by hand and not with the `tobj` crate: an error must name its line, faces must stay the
//! polygons that they are, and a material must keep its name even where no `.mtl` defines it.

use std::borrow::Cow;

use glam::{Vec3, vec3};

use crate::ReadError;
use crate::import::check_size;
use crate::text::{finite, number, shown};

/// A statement that matters.
pub(crate) enum Statement<'a> {
    /// A finite point.
    Vertex(Vec3),
    /// Three or more indices of vertices that came before.
    Face(&'a [u32]),
    /// The name of the material of the faces that follow; empty where they have none.
    Material(&'a [u8]),
}

/// Hands every statement that matters to `take`; the others are skipped. What `take` refuses gets
/// the number of its line.
pub(crate) fn read(
    bytes: &[u8],
    mut take: impl FnMut(Statement<'_>) -> Result<(), String>,
) -> Result<(), ReadError> {
    check_size(bytes)?;
    // Editors put a mark in front of UTF-8 that is no part of the first statement.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut vertices = 0;
    let mut corners = Vec::new();
    for (line, statement) in statements(bytes) {
        let parsed = parse(&statement, &mut vertices, &mut corners);
        parsed
            .and_then(|statement| statement.map_or(Ok(()), &mut take))
            .map_err(|what| ReadError::Syntax { line, what })?;
    }
    Ok(())
}

/// `vertices` is how many there were so far.
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
                return Err(format!("a face needs three corners, this one has {count}"));
            }
            Some(Statement::Face(corners))
        }
        Some(b"usemtl") => Some(Statement::Material(material(statement))),
        _ => None,
    })
}

/// `v x y z`; what follows, a weight or a colour, does not matter.
fn point<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<Vec3, String> {
    let mut coordinate = |axis: char| {
        let word = words
            .next()
            .ok_or_else(|| format!("this vertex has no {axis}"))?;
        finite(word).ok_or_else(|| format!("{axis} = {} is not a number", shown(word)))
    };
    Ok(vec3(coordinate('x')?, coordinate('y')?, coordinate('z')?))
}

/// `5`, `5/1`, `5//2` or `5/1/2` is vertex 5; negative numbers count back from the latest.
fn corner(word: &[u8], vertices: u32) -> Result<u32, String> {
    let index = word.split(|&byte| byte == b'/').next().unwrap_or(word);
    let index: i64 =
        number(index).ok_or_else(|| format!("{} is not a vertex number", shown(word)))?;
    let known = i64::from(vertices);
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

/// All that follows the word `usemtl`: names may have spaces in them.
fn material(statement: &[u8]) -> &[u8] {
    let statement = statement.trim_ascii_start();
    let name = statement.strip_prefix(b"usemtl").unwrap_or(statement);
    name.trim_ascii()
}

/// Whether a name comes back from `usemtl NAME` as it is.
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
    if let Some(comment) = comment(line) {
        return (line.get(..comment).unwrap_or(line), false);
    }
    match line.trim_ascii_end().strip_suffix(b"\\") {
        Some(start) => (start, true),
        None => (line, false),
    }
}

/// Where a comment begins. In the middle of a word of a name, as in `usemtl brick#2`, none does.
fn comment(line: &[u8]) -> Option<usize> {
    let is_name = line.trim_ascii_start().starts_with(b"usemtl");
    let mut before = b' ';
    line.iter().position(|&byte| {
        let starts_word = before.is_ascii_whitespace();
        before = byte;
        byte == b'#' && (starts_word || !is_name)
    })
}
