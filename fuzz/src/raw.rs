//! Raw navmeshes. Most polygons are neighbours on a coarse grid, so that many inputs are valid. Others have indices out
//! of range, lists of the wrong length or extreme numbers.

use glam::{Vec3, vec3};
use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use portolan_core::{BorderMatching, NavMeshOptions, RawLink, RawNavMesh};

/// A navmesh and the options to build it with.
#[derive(Debug)]
pub struct RawInput {
    /// The polygons.
    pub raw: RawNavMesh,
    /// The tolerances.
    pub options: NavMeshOptions,
}

impl<'a> Arbitrary<'a> for RawInput {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let options = options(bytes)?;
        let mut raw = RawNavMesh {
            vertices: list(bytes, 24, point)?,
            ..RawNavMesh::default()
        };
        let polygons = bytes.int_in_range(0..=12)?;
        for _ in 0..polygons {
            let corners = match bytes.int_in_range(0..=3)? {
                3 => list(bytes, 8, |bytes| index(bytes, raw.vertices.len()))?,
                _ => rectangle(bytes, &mut raw.vertices)?,
            };
            raw.polygons.push(corners);
        }
        raw.areas = per_polygon(bytes, polygons)?;
        raw.flags = per_polygon(bytes, polygons)?;
        raw.ids = per_polygon(bytes, polygons)?;
        if rarely(bytes)? {
            for _ in 0..length(bytes, polygons)? {
                raw.heights.vertices.push(list(bytes, 4, point)?);
            }
            for _ in 0..length(bytes, polygons)? {
                let triangles = list(bytes, 6, |bytes| {
                    let corner = |bytes: &mut _| index(bytes, 8).map(|index| index as u16);
                    Ok([corner(bytes)?, corner(bytes)?, corner(bytes)?])
                })?;
                raw.heights.triangles.push(triangles);
            }
        }
        raw.links = list(bytes, 3, |bytes| link(bytes, polygons))?;
        Ok(Self { raw, options })
    }
}

fn options(bytes: &mut Unstructured) -> Result<NavMeshOptions> {
    let mut options = NavMeshOptions::default();
    if rarely(bytes)? {
        options.convexity_tolerance = number(bytes)?;
    }
    options.borders = match bytes.int_in_range(0..=3)? {
        0 => None,
        1 => Some(BorderMatching {
            gap: number(bytes)?,
            step: number(bytes)?,
        }),
        _ => Some(BorderMatching::default()),
    };
    Ok(options)
}

fn link(bytes: &mut Unstructured, polygons: usize) -> Result<RawLink> {
    let mut end = || match rarely(bytes)? {
        true => index(bytes, polygons).map(Some),
        false => Ok(None),
    };
    Ok(RawLink {
        polygons: [end()?, end()?],
        start: point(bytes)?,
        end: point(bytes)?,
        snap: match rarely(bytes)? {
            true => point(bytes)?,
            false => portolan_core::DEFAULT_SNAP,
        },
        cost: match rarely(bytes)? {
            true => Some(number(bytes)?),
            false => None,
        },
        both_ways: bytes.arbitrary()?,
        area: bytes.arbitrary()?,
        flags: bytes.arbitrary()?,
        id: bytes.arbitrary()?,
    })
}

/// Adds a horizontal rectangle of the grid. It shares existing vertices with its neighbours.
fn rectangle(bytes: &mut Unstructured, vertices: &mut Vec<Vec3>) -> Result<Vec<u32>> {
    let from = grid_point(bytes)?;
    let size: u8 = bytes.arbitrary()?;
    let across = Vec3::X * f32::from(1 + (size & 3));
    let along = Vec3::Z * f32::from(1 + ((size >> 2) & 3));
    let corners = [from, from + along, from + along + across, from + across];
    let mut index = |corner: Vec3| {
        let existing = vertices.iter().position(|&vertex| vertex == corner);
        existing.unwrap_or_else(|| {
            vertices.push(corner);
            vertices.len() - 1
        }) as u32
    };
    Ok(corners.map(&mut index).to_vec())
}

/// Returns a point of the grid or, rarely, any other point.
fn point(bytes: &mut Unstructured) -> Result<Vec3> {
    match rarely(bytes)? {
        true => Ok(vec3(number(bytes)?, number(bytes)?, number(bytes)?)),
        false => grid_point(bytes),
    }
}

/// Returns a point of a grid with 8 x 8 points, 1 m apart, on four floors that are half a metre apart.
fn grid_point(bytes: &mut Unstructured) -> Result<Vec3> {
    let code: u8 = bytes.arbitrary()?;
    let [x, z, floor] = [code & 7, (code >> 3) & 7, code >> 6];
    Ok(vec3(x.into(), f32::from(floor) * 0.5, z.into()))
}

/// Returns a special number or, rarely, an `f32` of arbitrary bits.
fn number(bytes: &mut Unstructured) -> Result<f32> {
    let special = [
        0.0,
        -0.0,
        -1.0,
        0.5,
        1e-30,
        1e19,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    match rarely(bytes)? {
        true => bytes.arbitrary(),
        false => bytes.choose(&special).copied(),
    }
}

/// Returns an index into `count` elements or, rarely, any number.
fn index(bytes: &mut Unstructured, count: usize) -> Result<u32> {
    if count == 0 || rarely(bytes)? {
        return bytes.arbitrary();
    }
    Ok(bytes.choose_index(count)? as u32)
}

/// Returns an empty list or one value per polygon. The length of the list is rarely wrong.
fn per_polygon<'a, T: Arbitrary<'a>>(
    bytes: &mut Unstructured<'a>,
    polygons: usize,
) -> Result<Vec<T>> {
    if bytes.arbitrary()? {
        return Ok(Vec::new());
    }
    let length = length(bytes, polygons)?;
    (0..length).map(|_| bytes.arbitrary()).collect()
}

/// Returns the number of polygons or, rarely, another number.
fn length(bytes: &mut Unstructured, polygons: usize) -> Result<usize> {
    match rarely(bytes)? {
        true => bytes.int_in_range(0..=polygons + 1),
        false => Ok(polygons),
    }
}

fn list<'a, T>(
    bytes: &mut Unstructured<'a>,
    max_length: usize,
    mut element: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let length = bytes.int_in_range(0..=max_length)?;
    (0..length).map(|_| element(bytes)).collect()
}

/// Returns true once in sixteen times, but never after the bytes have run out, when they read as zeros.
fn rarely(bytes: &mut Unstructured) -> Result<bool> {
    Ok(bytes.int_in_range(0..=15u8)? == 15)
}
