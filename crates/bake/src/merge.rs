//! Merges the triangles of a region into convex polygons.
//!
//! Recast repeatedly merges the two polygons with the longest common edge. A merge only widens the angles
//! at the ends of other edges and adds corners, so an edge that cannot be removed now cannot be removed
//! later. A single pass over all edges, the longest first, therefore finds the same polygons. The loop
//! of `rerecast` examines every pair for every merge. That is cubic in the number of corners, which is too
//! slow for an open square with a thousand pillars.

use std::collections::HashMap;

use rerecast::PolygonNavmesh;

use crate::holes;

/// Replaces the triangles of `mesh` by convex polygons of up to `max_vertices` corners. Clears the
/// neighbours of polygons.
pub(crate) fn merge(mesh: &mut PolygonNavmesh, max_vertices: u16) {
    let mut rings: Vec<Vec<u16>> = mesh.polygons().map(Iterator::collect).collect();
    let mut kept: Vec<usize> = (0..rings.len()).collect();
    if max_vertices > 3 {
        merge_rings(mesh, usize::from(max_vertices), &mut rings);
        kept.retain(|&ring| !rings[ring].is_empty());
    }
    mesh.regions = kept.iter().map(|&ring| mesh.regions[ring]).collect();
    mesh.areas = kept.iter().map(|&ring| mesh.areas[ring]).collect();
    mesh.max_vertices_per_polygon = max_vertices;
    mesh.polygons.clear();
    for &ring in &kept {
        mesh.polygons.extend_from_slice(&rings[ring]);
        let padding = usize::from(max_vertices) - rings[ring].len();
        mesh.polygons
            .extend(std::iter::repeat_n(PolygonNavmesh::NO_INDEX, padding));
    }
    mesh.polygon_neighbors.clear();
}

/// Merges rings of the same region. A ring that was merged into another one becomes empty.
fn merge_rings(mesh: &PolygonNavmesh, max_vertices: usize, rings: &mut [Vec<u16>]) {
    let mut shared_edges: Vec<(u32, [usize; 2], [u16; 2])> = Vec::new();
    let mut unmatched: HashMap<[u16; 2], usize> = HashMap::new();
    for (triangle, ring) in rings.iter().enumerate() {
        for (start, end) in edges(ring) {
            match unmatched.remove(&[end, start]) {
                Some(other) if mesh.regions[other] == mesh.regions[triangle] => {
                    let length = squared_length(mesh, start, end);
                    shared_edges.push((length, [other, triangle], [end, start]));
                }
                _ => {
                    unmatched.insert([start, end], triangle);
                }
            }
        }
    }
    shared_edges.sort_by_key(|&(length, triangles, _)| (std::cmp::Reverse(length), triangles));
    // Union-find: per ring, itself or a ring that it was merged into.
    let mut parent: Vec<usize> = (0..rings.len()).collect();
    for (_, [a, b], [start, end]) in shared_edges {
        let (a, b) = (find_root(&mut parent, a), find_root(&mut parent, b));
        if a == b || rings[a].len() + rings[b].len() - 2 > max_vertices {
            continue;
        }
        if let Some(ring) = join_rings(mesh, &rings[a], &rings[b], start, end) {
            rings[a] = ring;
            rings[b].clear();
            parent[b] = a;
        }
    }
}

fn find_root(parent: &mut [usize], mut ring: usize) -> usize {
    while parent[ring] != ring {
        parent[ring] = parent[parent[ring]];
        ring = parent[ring];
    }
    ring
}

/// Returns the directed edges of a ring, in order.
pub(crate) fn edges(ring: &[u16]) -> impl Iterator<Item = (u16, u16)> {
    let next = ring.iter().skip(1).chain(ring.first());
    ring.iter().copied().zip(next.copied())
}

fn squared_length(mesh: &PolygonNavmesh, a: u16, b: u16) -> u32 {
    let [a, b] = [a, b].map(|vertex| mesh.vertices[usize::from(vertex)]);
    let [x, z] = [a.x.abs_diff(b.x), a.z.abs_diff(b.z)].map(u32::from);
    x * x + z * z
}

/// Joins two rings along their common edge, which goes from `start` to `end` in the first ring and back in
/// the second. Returns `None` if the result would not be strictly convex at `start` and `end`.
fn join_rings(
    mesh: &PolygonNavmesh,
    a: &[u16],
    b: &[u16],
    start: u16,
    end: u16,
) -> Option<Vec<u16>> {
    let starting_after = |ring: &[u16], first: u16, second: u16| {
        let position = edges(ring).position(|edge| edge == (first, second))?;
        let mut rotated = ring.to_vec();
        rotated.rotate_left((position + 1) % ring.len());
        Some(rotated)
    };
    // The first ring from `end` around to `start`, the second from `start` around to `end`.
    let (a, b) = (
        starting_after(a, start, end)?,
        starting_after(b, end, start)?,
    );
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
