//! The input of Detour's tile builder for one chunk.

use std::collections::HashMap;

use glam::{U16Vec3, Vec3};
use portolan_core::NavMesh;

use super::pieces::{MAX_CORNERS, PolygonPiece, PolygonPieces};

/// The value for no corner or no neighbour.
const NO_INDEX: u16 = u16::MAX;

/// The input of a tile, in the layout that `dtNavMeshCreateParams` points to.
#[derive(Debug)]
pub(super) struct TileInput {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// The size of a cell, which is the unit of `cells`.
    pub(super) cell: f32,
    /// The exact corners.
    pub(super) vertices: Vec<Vec3>,
    /// The corners, rounded to cells.
    pub(super) cells: Vec<U16Vec3>,
    /// Per piece, six corners, then the neighbours beyond its six edges.
    pub(super) polygons: Vec<[u16; 2 * MAX_CORNERS]>,
    /// The finer surface, if the navmesh has one.
    pub(super) detail: Option<Detail>,
}

/// The finer surface of each piece: its corners, additional points, and triangles over both.
#[derive(Debug, Default)]
pub(super) struct Detail {
    /// Per piece, the first vertex, the number of vertices, the first triangle and the number of triangles.
    pub(super) meshes: Vec<[u32; 4]>,
    pub(super) vertices: Vec<Vec3>,
    /// Three corners, and two bits of flags per edge. The flag is 1 if the edge lies on the border of the polygon.
    pub(super) triangles: Vec<[u8; 4]>,
}

impl TileInput {
    /// Creates the input without neighbours. [`set_neighbour`](Self::set_neighbour) adds them.
    pub(super) fn new(mesh: &NavMesh, pieces: &PolygonPieces, chunk: &[u32]) -> Self {
        let mut local: HashMap<u32, u16> = HashMap::new();
        let mut vertices = Vec::new();
        let mut polygons = Vec::with_capacity(chunk.len());
        let mut detail = Detail::default();
        let has_detail = mesh.polygons().any(|p| !mesh.finer_surface(p).1.is_empty());
        for &piece in chunk {
            let piece = &pieces.pieces[piece as usize];
            let mut polygon = [NO_INDEX; 2 * MAX_CORNERS];
            for (slot, &corner) in polygon.iter_mut().zip(piece.corners()) {
                *slot = *local.entry(corner).or_insert_with(|| {
                    vertices.push(mesh.vertices()[corner as usize]);
                    vertices.len() as u16 - 1
                });
            }
            polygons.push(polygon);
            if has_detail {
                detail.push(mesh, piece);
            }
        }
        let points = || vertices.iter().chain(&detail.vertices).copied();
        let low = points().reduce(Vec3::min).unwrap_or_default();
        let high = points().reduce(Vec3::max).unwrap_or_default();
        // Detour's bounding volume tree needs the same cell size for all axes. Not all 65 536 cells are used, because
        // Detour adds one to the upper end of a box, which must not overflow.
        let cell = ((high - low).max_element() / 65_000.0).max(1e-5);
        let cells = vertices
            .iter()
            .map(|&point| ((point - low) / cell).round().as_u16vec3())
            .collect();
        Self {
            low,
            high,
            cell,
            vertices,
            cells,
            polygons,
            detail: has_detail.then_some(detail),
        }
    }

    /// Sets the neighbour beyond an edge.
    pub(super) fn set_neighbour(&mut self, polygon: usize, edge: u8, neighbour: u16) {
        self.polygons[polygon][MAX_CORNERS + usize::from(edge)] = neighbour;
    }
}

impl Detail {
    fn push(&mut self, mesh: &NavMesh, piece: &PolygonPiece) {
        let count = piece.corners().len();
        let (mut points, finer) = mesh.finer_surface(piece.polygon);
        let (first, first_triangle) = (self.vertices.len(), self.triangles.len());
        let is_undivided = count == mesh.corners(piece.polygon).len();
        let max = usize::from(u8::MAX);
        if is_undivided && !finer.is_empty() && finer.len() <= max && count + points.len() <= max {
            // Corners are reversed, except for the first one, so indices and triangles are reversed, too.
            let reversed = |i: u16| match usize::from(i) {
                corner if corner < count => ((count - corner) % count) as u8,
                point => point as u8,
            };
            let triangles = finer.iter().map(|t| [t[2], t[1], t[0]].map(reversed));
            self.triangles.extend(with_borders(triangles));
        } else {
            points = &[];
            let fan = (2..count).map(|i| [0, i as u8 - 1, i as u8]);
            self.triangles.extend(with_borders(fan));
        }
        let corners = piece.corners().iter();
        self.vertices
            .extend(corners.map(|&v| mesh.vertices()[v as usize]));
        self.vertices.extend(points);
        self.meshes.push(
            [
                first,
                count + points.len(),
                first_triangle,
                self.triangles.len() - first_triangle,
            ]
            .map(|n| n as u32),
        );
    }
}

/// Adds the flags of border edges, which are edges of only one triangle. Detour dereferences a null pointer if a
/// surface has no border edge, so then all edges are flagged.
fn with_borders(triangles: impl Iterator<Item = [u8; 3]> + Clone) -> impl Iterator<Item = [u8; 4]> {
    let edges = |[a, b, c]: [u8; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
    let mut uses: HashMap<[u8; 2], u32> = HashMap::new();
    for edge in triangles.clone().flat_map(edges) {
        *uses.entry(edge).or_default() += 1;
    }
    let has_no_border = !uses.values().any(|&uses| uses == 1);
    triangles.map(move |triangle| {
        let on_border = edges(triangle).map(|edge| u8::from(has_no_border || uses[&edge] == 1));
        let flags = on_border[0] | on_border[1] << 2 | on_border[2] << 4;
        [triangle[0], triangle[1], triangle[2], flags]
    })
}
