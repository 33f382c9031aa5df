//! Triangles of a region, merged into convex polygons.
//!
//! Recast merges the pair with the longest common border, again and again. Merging only ever widens
//! the angles at a border's ends and adds corners, so a border that cannot go stays for good, and
//! one pass over all borders, the longest first, finds the same polygons. `rerecast`'s own loop
//! looks at every pair for every merge, cubic in the corners of a contour: minutes for one open
//! square with a thousand pillars.

use std::collections::HashMap;

use rerecast::PolygonNavmesh;

use crate::holes;

/// Replaces the triangles of `mesh` by convex polygons of up to `most` corners. Neighbours are not
/// kept.
pub(crate) fn merge(mesh: &mut PolygonNavmesh, most: u16) {
    let mut rings: Vec<Vec<u16>> = mesh.polygons().map(Iterator::collect).collect();
    let mut kept: Vec<usize> = (0..rings.len()).collect();
    if most > 3 {
        merge_rings(mesh, usize::from(most), &mut rings);
        kept.retain(|&ring| !rings[ring].is_empty());
    }
    mesh.regions = kept.iter().map(|&ring| mesh.regions[ring]).collect();
    mesh.areas = kept.iter().map(|&ring| mesh.areas[ring]).collect();
    mesh.max_vertices_per_polygon = most;
    mesh.polygons.clear();
    for &ring in &kept {
        mesh.polygons.extend_from_slice(&rings[ring]);
        let padding = usize::from(most) - rings[ring].len();
        mesh.polygons
            .extend(std::iter::repeat_n(PolygonNavmesh::NO_INDEX, padding));
    }
    mesh.polygon_neighbors.clear();
}

/// Merges rings of one region; one that was merged into another is left empty.
fn merge_rings(mesh: &PolygonNavmesh, most: usize, rings: &mut [Vec<u16>]) {
    let mut borders: Vec<(u32, [usize; 2], [u16; 2])> = Vec::new();
    let mut open: HashMap<[u16; 2], usize> = HashMap::new();
    for (triangle, ring) in rings.iter().enumerate() {
        for (start, end) in sides(ring) {
            match open.remove(&[end, start]) {
                Some(other) if mesh.regions[other] == mesh.regions[triangle] => {
                    let length = length(mesh, start, end);
                    borders.push((length, [other, triangle], [end, start]));
                }
                _ => {
                    open.insert([start, end], triangle);
                }
            }
        }
    }
    borders.sort_by_key(|&(length, triangles, _)| (std::cmp::Reverse(length), triangles));
    // Where a triangle has gone: to itself, or to the ring that it was merged into.
    let mut into: Vec<usize> = (0..rings.len()).collect();
    for (_, [a, b], [start, end]) in borders {
        let (a, b) = (find(&mut into, a), find(&mut into, b));
        if a == b || rings[a].len() + rings[b].len() - 2 > most {
            continue;
        }
        if let Some(ring) = joined(mesh, &rings[a], &rings[b], start, end) {
            rings[a] = ring;
            rings[b].clear();
            into[b] = a;
        }
    }
}

fn find(into: &mut [usize], mut ring: usize) -> usize {
    while into[ring] != ring {
        into[ring] = into[into[ring]];
        ring = into[ring];
    }
    ring
}

/// A ring's sides, in order.
pub(crate) fn sides(ring: &[u16]) -> impl Iterator<Item = (u16, u16)> {
    let next = ring.iter().skip(1).chain(ring.first());
    ring.iter().copied().zip(next.copied())
}

fn length(mesh: &PolygonNavmesh, a: u16, b: u16) -> u32 {
    let [a, b] = [a, b].map(|vertex| mesh.vertices[usize::from(vertex)]);
    let [x, z] = [a.x.abs_diff(b.x), a.z.abs_diff(b.z)].map(u32::from);
    x * x + z * z
}

/// Both rings in one, where the first runs from `start` to `end` and the second back; `None` where
/// that would not be strictly convex at both ends.
fn joined(mesh: &PolygonNavmesh, a: &[u16], b: &[u16], start: u16, end: u16) -> Option<Vec<u16>> {
    let from = |ring: &[u16], first: u16, second: u16| {
        let position = sides(ring).position(|side| side == (first, second))?;
        let mut turned = ring.to_vec();
        turned.rotate_left((position + 1) % ring.len());
        Some(turned)
    };
    // From `end` around to `start`, and from `start` around to `end`.
    let (a, b) = (from(a, start, end)?, from(b, end, start)?);
    let corner = |vertex: u16| (mesh.vertices[usize::from(vertex)], 0);
    let is_convex = |before: u16, at: u16, after: u16| {
        holes::twice_area(&[corner(before), corner(at), corner(after)]) > 0
    };
    let at_start = is_convex(a[a.len() - 2], start, b[1]);
    let at_end = is_convex(b[b.len() - 2], end, a[1]);
    (at_start && at_end).then(|| {
        let mut ring = a;
        ring.extend_from_slice(&b[1..b.len() - 1]);
        ring
    })
}
