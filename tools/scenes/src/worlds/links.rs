//! Adds random off-mesh links to a world.

use glam::Vec3;

use super::streams::{StreamId, stream};
use crate::random::Random;
use portolan_core::{RawLink, RawNavMesh};

const POLYGONS_PER_LINK: usize = 200;
/// Maximum difference between the indices of the two polygons of a link. Polygons are numbered along a
/// Hilbert curve, so this also limits the length of nearly all links.
const MAX_INDEX_DISTANCE: u32 = 400;
/// One link in this number may have any length.
const LINKS_PER_TELEPORTER: usize = 10;

/// Adds one link per 200 polygons, and at least one if there are two polygons. Every second link can be
/// used both ways. The costs of links alternate between their length, less and more.
pub(super) fn add_links(mesh: &mut RawNavMesh, seed: u64) {
    let polygons = mesh.polygons.len() as u32;
    if polygons < 2 {
        return;
    }
    let mut random = stream(seed, StreamId::Links, 0, 0);
    let count = (polygons as usize / POLYGONS_PER_LINK).max(1);
    mesh.links = (0..count)
        .map(|index| {
            let from = random.below(polygons);
            let span = if index % LINKS_PER_TELEPORTER == 0 {
                polygons
            } else {
                polygons.min(MAX_INDEX_DISTANCE)
            };
            let to = (from + 1 + random.below(span - 1)) % polygons;
            let start = point_inside(mesh, from, &mut random);
            let end = point_inside(mesh, to, &mut random);
            let length = start.distance(end);
            RawLink {
                start,
                end,
                polygons: [Some(from), Some(to)],
                cost: match index % 3 {
                    0 => None,
                    1 => Some(length * random.between(0.2, 0.9)),
                    _ => Some(length * random.between(1.1, 3.0)),
                },
                both_ways: index % 2 == 1,
                id: index as u64,
                ..RawLink::default()
            }
        })
        .collect();
}

/// Returns a random point inside a polygon: a mean of its corners with positive weights, which is
/// strictly inside a convex polygon.
fn point_inside(mesh: &RawNavMesh, polygon: u32, random: &mut Random) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut weights = 0.0;
    for &corner in mesh.polygons.get(polygon as usize) {
        let weight = random.between(0.2, 1.0);
        sum += mesh.vertices[corner as usize] * weight;
        weights += weight;
    }
    sum / weights
}
