//! Meshes of tiles that share no vertices.

use glam::vec3;
use portolan_core::RawNavMesh;

use crate::CaseRng;

/// Creates tiles of a rectangle that is split at random and rotated, with some tiles left out. Tiles share no vertices, so
/// their portals are parts of borders, and ends of portals that coincide differ by rounding.
pub(crate) fn tiles(seed: u64) -> RawNavMesh {
    let mut rng = CaseRng::new(seed);
    let (turn, offset) = (rng.between(0.0, 6.3), rng.between(-50.0, 50.0));
    let mut rectangles = vec![[0.0, 0.0, 20.0, 20.0]];
    for _ in 0..4 + rng.below(40) {
        let index = rng.below(rectangles.len());
        let [west, south, east, north] = rectangles[index];
        let at = rng.between(0.2, 0.8);
        let (x, z) = (west + (east - west) * at, south + (north - south) * at);
        if (east - west).max(north - south) < 1.0 {
            continue;
        }
        let (one, two) = if east - west > north - south {
            ([west, south, x, north], [x, south, east, north])
        } else {
            ([west, south, east, z], [west, z, east, north])
        };
        rectangles[index] = one;
        rectangles.push(two);
    }
    let mut raw = RawNavMesh::default();
    for [west, south, east, north] in rectangles {
        if rng.chance(0.25) && !raw.polygons.is_empty() {
            continue;
        }
        let first = raw.vertices.len() as u32;
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        raw.vertices.extend(corners.map(|(x, z)| {
            let (sin, cos) = turn.sin_cos();
            vec3(x * cos - z * sin + offset, 0.0, x * sin + z * cos - offset)
        }));
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    }
    raw
}
