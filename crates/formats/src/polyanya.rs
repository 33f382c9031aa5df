//! The mesh format of Polyanya (Cui, Harabor, Grastien 2017), version 2: text, flat, with explicit neighbours.

mod write;

use glam::{Vec3, vec3};
use portolan_core::{NavMeshOptions, RawNavMesh};

use crate::import::check_size;
use crate::text::{finite, number, quoted};
use crate::{Imported, ReadError};

pub use write::{LeftOut, write};

const FORMAT: &str = "a Polyanya mesh";
const VERSION: u32 = 2;

/// Reads a Polyanya mesh. Its (x, y) becomes (x, 0, z).
///
/// Two polygons are adjacent if they share two consecutive corners, so the neighbours in the file add nothing
/// except thin walls: if both polygons have `-1` for a border that they share, it is a wall without thickness.
/// To keep it closed, all but one of the polygons get an extra corner at the midpoint of that border, so that
/// the borders no longer match. Every other contradiction, such as a neighbour that does not name this
/// polygon in return, is an error.
///
/// The user id of a polygon is its index in the file.
pub fn read(bytes: &[u8]) -> Result<Imported, ReadError> {
    check_size(bytes)?;
    let mut words = WordReader {
        bytes,
        unread: bytes,
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
        return Err(words.error(format!("{} after the last polygon", quoted(word))));
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

/// Reads the words of a text and counts lines.
struct WordReader<'a> {
    bytes: &'a [u8],
    unread: &'a [u8],
    /// The line of the latest word, counted from 1.
    line: u64,
}

impl<'a> WordReader<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self
            .unread
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())?;
        let (space, word) = self.unread.split_at_checked(start)?;
        self.line += space.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let end = word
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(word.len());
        let (word, unread) = word.split_at_checked(end)?;
        self.unread = unread;
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
        finite(word).ok_or_else(|| self.error(format!("expected {what}, found {}", quoted(word))))
    }

    fn count(&mut self, what: &str) -> Result<u32, ReadError> {
        let word = self.expect(what)?;
        number(word).ok_or_else(|| self.error(format!("expected {what}, found {}", quoted(word))))
    }

    /// Reads an index below `limit`.
    fn index(&mut self, limit: u32, what: &str) -> Result<u32, ReadError> {
        let index = self.count(what)?;
        if index >= limit {
            return Err(self.error(format!(
                "{what} {index} does not exist; the header says {limit}"
            )));
        }
        Ok(index)
    }

    /// Reads a polygon below `limit`, or -1, which means none.
    fn neighbour(&mut self, limit: u32) -> Result<Option<u32>, ReadError> {
        let mut lookahead = WordReader { ..*self };
        if lookahead.next() == Some(b"-1") {
            *self = lookahead;
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

/// Reads the header. Returns the number of vertices and the number of polygons.
fn header(words: &mut WordReader) -> Result<[u32; 2], ReadError> {
    if words.next() != Some(b"mesh") {
        return Err(ReadError::NotThisFormat {
            format: FORMAT,
            reason: "it does not start with the word mesh".into(),
        });
    }
    let version = words.expect("the version")?;
    if number(version) != Some(VERSION) {
        return Err(ReadError::Version {
            format: FORMAT,
            found: quoted(version),
            supported: VERSION,
            remedy: "export it again",
        });
    }
    Ok([
        words.count("the number of vertices")?,
        words.count("the number of polygons")?,
    ])
}

/// Reads a vertex, `x y n p1 .. pn`. The polygons around it are only checked, because they follow from the
/// polygons themselves.
fn read_vertex(words: &mut WordReader, vertex: u32, polygons: u32) -> Result<Vec3, ReadError> {
    let x = words.coordinate(&format!("x of vertex {vertex}"))?;
    let y = words.coordinate(&format!("y of vertex {vertex}"))?;
    let around = words.count("the number of polygons around a vertex")?;
    for _ in 0..around {
        words.neighbour(polygons)?;
    }
    Ok(vec3(x, 0.0, y))
}

/// One side of a polygon. Borders are stored in the order of the file.
#[derive(Clone, Copy)]
struct MeshBorder {
    polygon: u32,
    /// The corner at which the border starts.
    from: u32,
    /// The next corner of the polygon.
    to: u32,
    /// The polygon on the other side.
    neighbour: Option<u32>,
}

impl MeshBorder {
    /// Returns both corners in ascending order, so that they are equal for all polygons at this border.
    fn endpoints(&self) -> [u32; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }
}

/// Reads a polygon, `n v1 .. vn p1 .. pn`, where `pi` is the neighbour across the border from `v(i-1)` to
/// `vi`. Returns its line.
fn read_polygon(
    words: &mut WordReader,
    polygon: u32,
    [vertices, polygons]: [u32; 2],
    borders: &mut Vec<MeshBorder>,
) -> Result<u64, ReadError> {
    let count = words.count("the number of corners")?;
    let line = words.line;
    if count < 3 {
        return Err(words.error(format!(
            "polygon {polygon} has {count} corners; 3 are needed"
        )));
    }
    let first_border = borders.len();
    let first = words.index(vertices, "vertex")?;
    let mut from = first;
    for _ in 1..count {
        let to = words.index(vertices, "vertex")?;
        borders.push(MeshBorder {
            polygon,
            from,
            to,
            neighbour: None,
        });
        from = to;
    }
    borders.push(MeshBorder {
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
    // The first neighbour belongs to the border that ends at the first corner.
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

/// Returns the indices, ascending, of the borders that must not match the other borders between the same
/// corners. The error is the polygon whose neighbours contradict the other polygons, and why.
fn thin_walls(borders: &[MeshBorder]) -> Result<Vec<usize>, (u32, String)> {
    let mut by_endpoints: Vec<(usize, &MeshBorder)> = borders.iter().enumerate().collect();
    by_endpoints.sort_by_key(|(index, border)| (border.endpoints(), *index));

    let mut walls = Vec::new();
    for shared in by_endpoints.chunk_by(|(_, a), (_, b)| a.endpoints() == b.endpoints()) {
        let mut open = 0;
        for (_, border) in shared {
            let Some(neighbour) = border.neighbour else {
                continue;
            };
            open += 1;
            let MeshBorder { polygon, .. } = **border;
            let [a, b] = border.endpoints();
            let opposite = shared.iter().find(|(_, other)| other.polygon == neighbour);
            let problem = match opposite {
                None => "which has no such border",
                Some((_, other)) if other.neighbour != Some(polygon) => {
                    "which does not name it in return"
                }
                _ if open > 2 => "but more than two polygons meet there",
                _ => continue,
            };
            return Err((
                polygon,
                format!(
                    "polygon {polygon} names polygon {neighbour} as its neighbour \
                     between the vertices {a} and {b}, {problem}"
                ),
            ));
        }
        let closed = shared
            .iter()
            .filter(|(_, border)| border.neighbour.is_none());
        // If all borders are closed, one of them can stay unchanged, because no other border matches it then.
        let unchanged = usize::from(open == 0);
        walls.extend(closed.map(|(index, _)| *index).skip(unchanged));
    }
    walls.sort_unstable();
    Ok(walls)
}

/// Builds the polygons, with an extra corner in each of the borders `walls`.
fn assemble(mut vertices: Vec<Vec3>, borders: &[MeshBorder], walls: &[usize]) -> RawNavMesh {
    let mut raw = RawNavMesh::default();
    let mut walls = walls.iter().copied().peekable();
    let mut corners = Vec::new();
    let mut index = 0;
    for polygon in borders.chunk_by(|a, b| a.polygon == b.polygon) {
        corners.clear();
        for border in polygon {
            corners.push(border.from);
            if walls.next_if_eq(&index).is_some() {
                corners.push(vertices.len() as u32);
                vertices.push(midpoint(&vertices, border));
            }
            index += 1;
        }
        raw.polygons.push(corners.iter().copied());
    }
    raw.vertices = vertices;
    raw
}

fn midpoint(vertices: &[Vec3], border: &MeshBorder) -> Vec3 {
    // The endpoints are halved before they are added, so that the sum of large numbers stays finite.
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
