//! The text format of Polyanya's meshes, version 2: flat, with neighbours written down.

mod write;

use glam::{Vec3, vec3};
use portolan_core::{NavMeshOptions, RawNavMesh};

use crate::import::check_size;
use crate::text::{finite, number, shown};
use crate::{Imported, ReadError};

pub use write::{LeftOut, write};

const FORMAT: &str = "a Polyanya mesh";
const VERSION: u32 = 2;

/// Reads a mesh; its (x, y) becomes (x, 0, z).
///
/// Two polygons meet where they have two corners in a row in common, so the neighbours in the
/// file add nothing except walls: where both polygons write `-1` for the border that they share,
/// it is a wall without thickness. To keep it shut, all but one of them get a corner of their own
/// in the middle of that border, which then no longer is the same one. Every other disagreement,
/// such as a neighbour that does not name this polygon in return, is an error.
///
/// A polygon's user id is its number in the file.
pub fn read(bytes: &[u8]) -> Result<Imported, ReadError> {
    check_size(bytes)?;
    let mut words = Words {
        bytes,
        rest: bytes,
        line: 1,
    };
    let [vertex_count, polygon_count] = header(&mut words)?;

    let mut vertices = Vec::new();
    for vertex in 0..vertex_count {
        vertices.push(read_vertex(&mut words, vertex, polygon_count)?);
    }
    let mut borders = Vec::new();
    let mut lines = Vec::new();
    for polygon in 0..polygon_count {
        lines.push(read_polygon(
            &mut words,
            polygon,
            [vertex_count, polygon_count],
            &mut borders,
        )?);
    }
    if let Some(word) = words.next() {
        return Err(words.error(format!("{} after the last polygon", shown(word))));
    }
    if lines.is_empty() {
        return Err(ReadError::Empty { what: "polygons" });
    }

    let walls = thin_walls(&borders).map_err(|(polygon, what)| ReadError::Syntax {
        line: lines.get(polygon as usize).copied().unwrap_or(0),
        what,
    })?;
    Ok(Imported {
        raw: assemble(vertices, &borders, &walls),
        options: NavMeshOptions {
            borders: None,
            ..NavMeshOptions::default()
        },
    })
}

/// The words of a text, and the line of the latest.
struct Words<'a> {
    bytes: &'a [u8],
    rest: &'a [u8],
    line: u64,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self
            .rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())?;
        let (space, word) = self.rest.split_at_checked(start)?;
        self.line += space.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let end = word
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(word.len());
        let (word, rest) = word.split_at_checked(end)?;
        self.rest = rest;
        Some(word)
    }

    fn expect(&mut self, what: &str) -> Result<&'a [u8], ReadError> {
        self.next().ok_or_else(|| ReadError::Truncated {
            what: what.to_owned(),
            at: self.bytes.len() as u64,
        })
    }

    fn coordinate(&mut self, what: &str) -> Result<f32, ReadError> {
        let word = self.expect(what)?;
        finite(word)
            .ok_or_else(|| self.error(format!("expected {what}, {} is no number", shown(word))))
    }

    fn count(&mut self, what: &str) -> Result<u32, ReadError> {
        let word = self.expect(what)?;
        number(word).ok_or_else(|| self.error(format!("expected {what}, not {}", shown(word))))
    }

    /// A number below `limit`.
    fn index(&mut self, limit: u32, what: &str) -> Result<u32, ReadError> {
        let index = self.count(what)?;
        if index >= limit {
            return Err(self.error(format!("{what} {index} does not exist, there are {limit}")));
        }
        Ok(index)
    }

    /// A polygon below `limit`, or -1 for none.
    fn neighbour(&mut self, limit: u32) -> Result<Option<u32>, ReadError> {
        let mut ahead = Words { ..*self };
        if ahead.next() == Some(b"-1") {
            *self = ahead;
            return Ok(None);
        }
        self.index(limit, "neighbour polygon").map(Some)
    }

    fn error(&self, what: String) -> ReadError {
        ReadError::Syntax {
            line: self.line,
            what,
        }
    }
}

/// The numbers of vertices and of polygons.
fn header(words: &mut Words) -> Result<[u32; 2], ReadError> {
    if words.next() != Some(b"mesh") {
        return Err(ReadError::NotThisFormat {
            format: FORMAT,
            reason: "it does not begin with the word mesh".into(),
        });
    }
    let version = words.expect("the version")?;
    if number(version) != Some(VERSION) {
        return Err(ReadError::Version {
            format: FORMAT,
            found: shown(version),
            supported: VERSION,
            again: "export",
        });
    }
    Ok([
        words.count("the number of vertices")?,
        words.count("the number of polygons")?,
    ])
}

/// `x y n p1 .. pn`. The polygons around the vertex are only checked: they follow from the rest.
fn read_vertex(words: &mut Words, vertex: u32, polygons: u32) -> Result<Vec3, ReadError> {
    let x = words.coordinate(&format!("x of vertex {vertex}"))?;
    let y = words.coordinate(&format!("y of vertex {vertex}"))?;
    let around = words.count("the number of polygons around a vertex")?;
    for _ in 0..around {
        words.neighbour(polygons)?;
    }
    Ok(vec3(x, 0.0, y))
}

/// One side of a polygon. Borders are kept in the order of the file.
#[derive(Clone, Copy)]
struct Border {
    polygon: u32,
    /// From this corner of the polygon ...
    from: u32,
    /// ... to the next.
    to: u32,
    neighbour: Option<u32>,
}

impl Border {
    /// The same for all polygons that have this border.
    fn endpoints(&self) -> [u32; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }
}

/// `n v1 .. vn p1 .. pn`, where `pi` lies behind the border from `v(i-1)` to `vi`. Gives the line.
fn read_polygon(
    words: &mut Words,
    polygon: u32,
    [vertices, polygons]: [u32; 2],
    borders: &mut Vec<Border>,
) -> Result<u64, ReadError> {
    let count = words.count("the number of corners")?;
    let line = words.line;
    if count < 3 {
        return Err(words.error(format!("polygon {polygon} has {count} corners")));
    }
    let first_border = borders.len();
    let first = words.index(vertices, "vertex")?;
    let mut from = first;
    for _ in 1..count {
        let to = words.index(vertices, "vertex")?;
        borders.push(Border {
            polygon,
            from,
            to,
            neighbour: None,
        });
        from = to;
    }
    borders.push(Border {
        polygon,
        from,
        to: first,
        neighbour: None,
    });

    let own = borders.get_mut(first_border..).unwrap_or_default();
    if own.iter().any(|border| border.from == border.to) {
        return Err(words.error(format!(
            "polygon {polygon} has the same corner twice in a row"
        )));
    }
    // The first neighbour lies behind the border that ends at the first corner.
    own.rotate_right(1);
    for border in own.iter_mut() {
        border.neighbour = words.neighbour(polygons)?;
        if border.neighbour == Some(polygon) {
            return Err(words.error(format!("polygon {polygon} is its own neighbour")));
        }
    }
    own.rotate_left(1);
    Ok(line)
}

/// The borders, by position and ascending, that must not meet the others between the same
/// corners. Otherwise the polygon that is wrong, and why.
fn thin_walls(borders: &[Border]) -> Result<Vec<usize>, (u32, String)> {
    let mut by_ends: Vec<(usize, &Border)> = borders.iter().enumerate().collect();
    by_ends.sort_by_key(|(position, border)| (border.endpoints(), *position));

    let mut walls = Vec::new();
    for shared in by_ends.chunk_by(|(_, a), (_, b)| a.endpoints() == b.endpoints()) {
        let mut open = 0;
        for (_, border) in shared {
            let Some(neighbour) = border.neighbour else {
                continue;
            };
            open += 1;
            let Border { polygon, .. } = **border;
            let [a, b] = border.endpoints();
            let answer = shared.iter().find(|(_, other)| other.polygon == neighbour);
            let trouble = match answer {
                None => "which has no such border",
                Some((_, other)) if other.neighbour != Some(polygon) => "which does not agree",
                _ if open > 2 => "but more than two polygons meet there",
                _ => continue,
            };
            return Err((
                polygon,
                format!(
                    "polygon {polygon} says that polygon {neighbour} lies behind its border \
                     between the vertices {a} and {b}, {trouble}"
                ),
            ));
        }
        let closed = shared
            .iter()
            .filter(|(_, border)| border.neighbour.is_none());
        // A lone wall may keep its border: nothing is left that it could meet.
        let may_stay = usize::from(open == 0);
        walls.extend(closed.map(|(position, _)| *position).skip(may_stay));
    }
    walls.sort_unstable();
    Ok(walls)
}

/// Puts the polygons together, with an extra corner in each of the borders `walls`.
fn assemble(mut vertices: Vec<Vec3>, borders: &[Border], walls: &[usize]) -> RawNavMesh {
    let mut raw = RawNavMesh::default();
    let mut walls = walls.iter().copied().peekable();
    let mut corners = Vec::new();
    let mut position = 0;
    for polygon in borders.chunk_by(|a, b| a.polygon == b.polygon) {
        corners.clear();
        for border in polygon {
            corners.push(border.from);
            if walls.next_if_eq(&position).is_some() {
                corners.push(vertices.len() as u32);
                vertices.push(middle(&vertices, border));
            }
            position += 1;
        }
        raw.polygons.push(corners.iter().copied());
    }
    raw.vertices = vertices;
    raw
}

fn middle(vertices: &[Vec3], border: &Border) -> Vec3 {
    // Halved before they are added, so that the sum of large numbers stays finite.
    border
        .endpoints()
        .iter()
        .filter_map(|&vertex| vertices.get(vertex as usize))
        .map(|&vertex| 0.5 * vertex)
        .sum()
}

#[cfg(test)]
#[path = "polyanya_test.rs"]
mod tests;
