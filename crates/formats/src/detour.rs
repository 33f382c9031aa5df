//! Detour tile sets as RecastDemo saves them: magic `MSET`, version 1, little-endian.
//!
//! A set is a header and its tiles, each with a small header of its reference and size. A tile is the memory
//! image that `dtCreateNavMeshData` creates: a header with counts, then arrays of records. References have 32
//! or 64 bits, depending on how Detour was compiled. No field says which, but the offset of the first tile's
//! magic does.

use std::collections::HashMap;

use glam::{Vec3, vec3};
use portolan_core::{BorderMatching, NavMeshOptions, RawHeights, RawLink, RawNavMesh};

use crate::import::{border_tolerance, check_size};
use crate::{Imported, ReadError};

const FORMAT: &str = "a Detour tile set";
const SET_MAGIC: [u8; 4] = *b"TESM";
const SET_VERSION: u32 = 1;
const SET_HEADER: usize = 40;
const TILE_MAGIC: [u8; 4] = *b"VAND";
const TILE_VERSION: u32 = 7;
const TILE_HEADER: usize = 100;
const MAX_CORNERS: usize = 6;

const GROUND: u8 = 0;
const OFF_MESH: u8 = 1;
const BOTH_WAYS: u8 = 1;

/// Reads all tiles of a Detour tile set.
///
/// - A polygon without flags is open unless the profile requires flags. Detour's default filter closes it;
///   `include_flags = 0xffff` in the profile does the same.
/// - The user id of a polygon is its Detour reference: reference of the tile | index in the tile.
/// - Tiles do not share vertices. Their borders are matched by position: within 1 cm as in Detour, or within
///   the rounding error of `f32` in a world so large that it exceeds 1 cm, and within twice the climb in
///   height.
/// - An off-mesh connection becomes a link. Its polygons are searched within its radius and the climb, as in
///   Detour.
/// - A tile without reference or size ends the set, as in RecastDemo.
pub fn read(bytes: &[u8]) -> Result<Imported, ReadError> {
    check_size(bytes)?;
    let (tile_count, mut unread) = set_header(bytes)?;
    let truncated = |tile: u32| ReadError::Truncated {
        what: format!("tile {tile} of {tile_count}"),
        at: bytes.len() as u64,
    };

    let mut set = TileSet::default();
    let mut reference_width = None;
    for tile in 0..tile_count {
        let at_tile = |what: String| ReadError::Tile {
            tile: tile as usize,
            what,
        };
        let width = match reference_width {
            Some(width) => width,
            None if unread.len() < ReferenceWidth::Wide.tile_header() + TILE_MAGIC.len() => {
                return Err(truncated(tile));
            }
            None => match ReferenceWidth::of_first_tile(unread) {
                Some(width) => *reference_width.insert(width),
                None if unread.starts_with(&[0; 8]) => break,
                None => return Err(at_tile("it does not start with the magic DNAV".into())),
            },
        };
        let (reference, size) = width.take_tile_header(&mut unread).ok_or(truncated(tile))?;
        if reference == 0 || size == 0 {
            unread = &[];
            break;
        }
        let tile_bytes = take(&mut unread, size as usize).ok_or(truncated(tile))?;
        check_tile_version(tile_bytes)?;
        Tile::parse(tile_bytes, width, reference)
            .and_then(|parsed| set.add(tile as usize, &parsed))
            .map_err(at_tile)?;
    }
    if !unread.is_empty() {
        return Err(ReadError::NotThisFormat {
            format: FORMAT,
            reason: format!(
                "{} bytes follow the last of its {tile_count} tiles",
                unread.len()
            ),
        });
    }
    set.finish()
}

/// Checks the header of a set. Returns the number of tiles and the bytes after the header.
fn set_header(bytes: &[u8]) -> Result<(u32, &[u8]), ReadError> {
    let not_a_set = |reason: &str| ReadError::NotThisFormat {
        format: FORMAT,
        reason: reason.to_owned(),
    };
    match bytes.first_chunk() {
        Some(&SET_MAGIC) => {}
        Some(b"MSET") => {
            return Err(not_a_set(
                "it is big-endian; save it on a little-endian machine",
            ));
        }
        Some(b"TEST") => {
            return Err(not_a_set(
                "it is a tile cache, whose tiles have no polygons yet; save the navmesh instead",
            ));
        }
        Some(&TILE_MAGIC) => {
            return Err(not_a_set(
                "it is a single tile without a set; save the whole navmesh",
            ));
        }
        _ => return Err(not_a_set("it does not start with the magic MSET")),
    }
    let (header, unread) =
        bytes
            .split_first_chunk::<SET_HEADER>()
            .ok_or_else(|| ReadError::Truncated {
                what: "the header".into(),
                at: bytes.len() as u64,
            })?;
    let version = u32_at(header, 4);
    if version != SET_VERSION {
        return Err(ReadError::Version {
            format: FORMAT,
            found: version.to_string(),
            supported: SET_VERSION,
            remedy: "export it again",
        });
    }
    // The other fields are the sizes of Detour's tables and its grid, which are not needed.
    Ok((u32_at(header, 8), unread))
}

/// The width of Detour's references in a set.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ReferenceWidth {
    /// 32 bits: 4 bytes of reference and 4 of size before each tile, links of 12 bytes.
    Narrow,
    /// 64 bits: 8 bytes of reference, 4 of size and 4 of padding, links of 16 bytes.
    Wide,
}

impl ReferenceWidth {
    fn tile_header(self) -> usize {
        match self {
            Self::Narrow => 8,
            Self::Wide => 16,
        }
    }

    /// Finds the width from the offset of the first tile's magic. A narrow tile has its magic at the offset
    /// of a wide tile's size, and its x in the grid at the offset of a wide tile's magic, so neither can be
    /// mistaken for the other in a file below 1.1 GB.
    fn of_first_tile(bytes: &[u8]) -> Option<Self> {
        [Self::Narrow, Self::Wide].into_iter().find(|width| {
            bytes
                .get(width.tile_header()..)
                .is_some_and(|tile| tile.starts_with(&TILE_MAGIC))
        })
    }

    /// Takes the header of a tile off the front. Returns the reference and the size of the tile.
    fn take_tile_header(self, unread: &mut &[u8]) -> Option<(u64, u32)> {
        match self {
            Self::Narrow => {
                let header: &[u8; 8] = take_chunk(unread)?;
                Some((u64::from(u32_at(header, 0)), u32_at(header, 4)))
            }
            Self::Wide => {
                let header: &[u8; 16] = take_chunk(unread)?;
                let low = u64::from(u32_at(header, 0));
                let high = u64::from(u32_at(header, 4));
                Some((high << 32 | low, u32_at(header, 8)))
            }
        }
    }
}

/// Checks the version of a tile. This is not part of [`Tile::parse`], because the error is about the version
/// and not about an invalid tile.
fn check_tile_version(bytes: &[u8]) -> Result<(), ReadError> {
    match bytes.first_chunk::<8>().map(|start| u32_at(start, 4)) {
        Some(version) if bytes.starts_with(&TILE_MAGIC) && version != TILE_VERSION => {
            Err(ReadError::Version {
                format: "a Detour tile",
                found: version.to_string(),
                supported: TILE_VERSION,
                remedy: "export it again",
            })
        }
        _ => Ok(()),
    }
}

/// A tile, divided into its arrays. They are as long as its header says and fill the tile exactly.
struct Tile<'a> {
    reference: u64,
    location: [u32; 3],
    climb: f32,
    vertices: &'a [[u8; 12]],
    polygons: &'a [[u8; 32]],
    details: &'a [[u8; 12]],
    detail_vertices: &'a [[u8; 12]],
    detail_triangles: &'a [[u8; 4]],
    connections: &'a [[u8; 36]],
}

impl<'a> Tile<'a> {
    fn parse(bytes: &'a [u8], width: ReferenceWidth, reference: u64) -> Result<Self, String> {
        let (header, mut unread) = bytes
            .split_first_chunk::<TILE_HEADER>()
            .ok_or("it is smaller than its own header")?;
        if !header.starts_with(&TILE_MAGIC) {
            return Err("it does not start with the magic DNAV".into());
        }
        let climb = f32_at(header, 68);
        if !(climb.is_finite() && climb >= 0.0) {
            return Err(format!("its climb is {climb}, which is not a height"));
        }
        let mut split = || {
            let vertices = records(&mut unread, u32_at(header, 28))?;
            let polygons = records(&mut unread, u32_at(header, 24))?;
            let links = u32_at(header, 32);
            match width {
                ReferenceWidth::Narrow => drop(records::<12>(&mut unread, links)?),
                ReferenceWidth::Wide => drop(records::<16>(&mut unread, links)?),
            }
            let details = records(&mut unread, u32_at(header, 36))?;
            let detail_vertices = records(&mut unread, u32_at(header, 40))?;
            let detail_triangles = records(&mut unread, u32_at(header, 44))?;
            let _tree = records::<16>(&mut unread, u32_at(header, 48))?;
            let connections = records(&mut unread, u32_at(header, 52))?;
            unread.is_empty().then_some(Self {
                reference,
                location: [u32_at(header, 8), u32_at(header, 12), u32_at(header, 16)],
                climb,
                vertices,
                polygons,
                details,
                detail_vertices,
                detail_triangles,
                connections,
            })
        };
        split().ok_or_else(|| {
            let size = bytes.len();
            format!("its counts do not add up to its {size} bytes")
        })
    }
}

/// The tiles read so far.
#[derive(Default)]
struct TileSet {
    raw: RawNavMesh,
    climb: f32,
    tile_at: HashMap<[u32; 3], usize>,
    tile_of_reference: HashMap<u64, usize>,
}

impl TileSet {
    fn add(&mut self, number: usize, tile: &Tile) -> Result<(), String> {
        if let Some(other) = self.tile_at.insert(tile.location, number) {
            let [x, y, layer] = tile.location.map(u32::cast_signed);
            return Err(format!(
                "it is at ({x}, {y}), layer {layer}, like tile {other}"
            ));
        }
        if let Some(other) = self.tile_of_reference.insert(tile.reference, number) {
            return Err(format!("it has the same reference as tile {other}"));
        }
        self.climb = self.climb.max(tile.climb);
        self.add_ground(tile)?;
        self.add_links(tile)
    }

    fn add_ground(&mut self, tile: &Tile) -> Result<(), String> {
        let base = self.raw.vertices.len() as u32;
        // The ends of off-mesh connections are vertices, too. They come last and are not needed.
        let mut used = 0;
        let mut unclaimed_vertices = tile.detail_vertices.len();
        let mut unclaimed_triangles = tile.detail_triangles.len();
        for (index, record) in tile.polygons.iter().enumerate() {
            let at_polygon = |what: String| format!("polygon {index} {what}");
            match polygon_type(record) {
                GROUND => {}
                OFF_MESH => continue,
                other => return Err(at_polygon(format!("has type {other}, which is unknown"))),
            }
            let count = usize::from(record[30]);
            if !(3..=MAX_CORNERS).contains(&count) {
                return Err(at_polygon(format!(
                    "has {count} corners; 3 to {MAX_CORNERS} are allowed"
                )));
            }
            let mut corners = [0; MAX_CORNERS];
            for (k, corner) in corners.iter_mut().take(count).enumerate() {
                let vertex = u16_at(record, 4 + 2 * k);
                if usize::from(vertex) >= tile.vertices.len() {
                    return Err(at_polygon(format!(
                        "has vertex {vertex}, but the tile has only {} vertices",
                        tile.vertices.len()
                    )));
                }
                used = used.max(usize::from(vertex) + 1);
                *corner = base + u32::from(vertex);
            }
            self.raw.polygons.push(corners.into_iter().take(count));
            self.raw.areas.push(area(record));
            self.raw.flags.push(u16_at(record, 28));
            self.raw.ids.push(tile.reference | index as u64);

            let detail_mesh = DetailMesh::of(tile, index, count).map_err(at_polygon)?;
            // The limit refuses a small file in which every polygon refers to the same large detail mesh.
            if detail_mesh.vertices.len() > unclaimed_vertices
                || detail_mesh.triangles.len() > unclaimed_triangles
            {
                return Err(at_polygon(
                    "shares its detail mesh with another polygon".into(),
                ));
            }
            unclaimed_vertices -= detail_mesh.vertices.len();
            unclaimed_triangles -= detail_mesh.triangles.len();
            detail_mesh.add_to(&mut self.raw.heights)?;
        }
        for record in tile.vertices.iter().take(used) {
            self.raw.vertices.push(point_at(record, 0)?);
        }
        Ok(())
    }

    fn add_links(&mut self, tile: &Tile) -> Result<(), String> {
        for (index, record) in tile.connections.iter().enumerate() {
            let at_connection = |what: &str| format!("off-mesh connection {index} {what}");
            let radius = f32_at(record, 24);
            if !(radius.is_finite() && radius >= 0.0) {
                return Err(at_connection(&format!("has radius {radius}")));
            }
            let polygon = tile
                .polygons
                .get(usize::from(u16_at(record, 28)))
                .filter(|polygon| polygon_type(polygon) == OFF_MESH)
                .ok_or_else(|| at_connection("has no polygon of its own"))?;
            self.raw.links.push(RawLink {
                start: point_at(record, 0)?,
                end: point_at(record, 12)?,
                polygons: [None; 2],
                snap: vec3(radius, tile.climb, radius),
                cost: None,
                both_ways: record[30] & BOTH_WAYS != 0,
                area: area(polygon),
                flags: u16_at(polygon, 28),
                id: u64::from(u32_at(record, 32)),
            });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Imported, ReadError> {
        if self.raw.polygons.is_empty() {
            return Err(ReadError::Empty { what: "polygons" });
        }
        if self.raw.heights.triangles.values().is_empty() {
            self.raw.heights = RawHeights::default();
        }
        let gap = border_tolerance(&self.raw.vertices);
        let options = NavMeshOptions {
            convexity_tolerance: gap,
            borders: Some(BorderMatching {
                gap,
                // Detour's `overlapSlabs` compares with twice the climb.
                step: 2.0 * self.climb,
            }),
        };
        Ok(Imported {
            raw: self.raw,
            options,
        })
    }
}

/// The part of a tile's detail mesh that belongs to one polygon: the heights between its corners.
#[derive(Default)]
struct DetailMesh<'a> {
    vertices: &'a [[u8; 12]],
    triangles: &'a [[u8; 4]],
}

impl<'a> DetailMesh<'a> {
    /// Returns the detail mesh of polygon `index`. A tile may have fewer detail meshes than polygons; the
    /// polygons without one have no heights besides those of their corners.
    fn of(tile: &Tile<'a>, index: usize, corners: usize) -> Result<Self, String> {
        let Some(detail) = tile.details.get(index) else {
            return Ok(Self::default());
        };
        let detail_mesh = Self {
            vertices: part(tile.detail_vertices, u32_at(detail, 0), detail[8])
                .ok_or("has detail vertices that do not exist")?,
            triangles: part(tile.detail_triangles, u32_at(detail, 4), detail[9])
                .ok_or("has detail triangles that do not exist")?,
        };
        let points = corners + detail_mesh.vertices.len();
        let mut corners_of_triangles = detail_mesh
            .triangles
            .iter()
            .flat_map(|[a, b, c, _]| [a, b, c]);
        match corners_of_triangles.find(|&&vertex| usize::from(vertex) >= points) {
            Some(vertex) => Err(format!(
                "has detail vertex {vertex}, but only {points} vertices"
            )),
            None => Ok(detail_mesh),
        }
    }

    /// Adds the heights of the polygon. Detour and [`RawHeights`] both number the corners first and the
    /// detail vertices after them.
    fn add_to(&self, heights: &mut RawHeights) -> Result<(), String> {
        let points: Result<Vec<Vec3>, String> =
            self.vertices.iter().map(|v| point_at(v, 0)).collect();
        heights.vertices.push(points?);
        heights.triangles.push(
            self.triangles
                .iter()
                .map(|&[a, b, c, _edge_flags]| [a, b, c].map(u16::from)),
        );
        Ok(())
    }
}

fn polygon_type(record: &[u8; 32]) -> u8 {
    record[31] >> 6
}

fn area(record: &[u8; 32]) -> u8 {
    record[31] & 0x3f
}

/// Returns `count` elements from `base` on, or `None` if there are fewer.
fn part<T>(all: &[T], base: u32, count: u8) -> Option<&[T]> {
    all.get(base as usize..)?.get(..usize::from(count))
}

/// Takes `count` records of `N` bytes off the front.
fn records<'a, const N: usize>(unread: &mut &'a [u8], count: u32) -> Option<&'a [[u8; N]]> {
    let section = take(unread, (count as usize).checked_mul(N)?)?;
    Some(section.as_chunks().0)
}

fn take<'a>(unread: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = unread.split_at_checked(length)?;
    *unread = after;
    Some(taken)
}

fn take_chunk<'a, const N: usize>(unread: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, after) = unread.split_first_chunk()?;
    *unread = after;
    Some(taken)
}

// Records are arrays of known size and offsets are constants of the format, so the following functions
// cannot index out of range.

fn u16_at<const N: usize>(record: &[u8; N], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

fn u32_at<const N: usize>(record: &[u8; N], at: usize) -> u32 {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
}

fn f32_at<const N: usize>(record: &[u8; N], at: usize) -> f32 {
    f32::from_bits(u32_at(record, at))
}

fn point_at<const N: usize>(record: &[u8; N], at: usize) -> Result<Vec3, String> {
    let point = vec3(
        f32_at(record, at),
        f32_at(record, at + 4),
        f32_at(record, at + 8),
    );
    if point.is_finite() {
        Ok(point)
    } else {
        Err(format!("it has a point at {point}, which is not finite"))
    }
}

#[cfg(test)]
#[path = "detour_test.rs"]
mod tests;
