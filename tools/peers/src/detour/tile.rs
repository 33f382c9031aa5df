//! What Detour's tile builder is told of a chunk.

use std::collections::HashMap;

use glam::{U16Vec3, Vec3};
use portolan_core::NavMesh;

use super::pieces::{MAX_CORNERS, Piece, Pieces};

/// No corner, or no neighbour.
const NONE: u16 = u16::MAX;

/// A tile's input, as `dtNavMeshCreateParams` points to it.
#[derive(Debug)]
pub(super) struct TileInput {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Side of the cells that `cells` counts in.
    pub(super) cell: f32,
    /// The exact corner points, and the cells that they lie in.
    pub(super) vertices: Vec<Vec3>,
    pub(super) cells: Vec<U16Vec3>,
    /// Per piece six corners, then the neighbours beyond its six edges.
    pub(super) polygons: Vec<[u16; 2 * MAX_CORNERS]>,
    /// None of all three where the navmesh has no finer surface.
    pub(super) detail: Option<Detail>,
}

/// Finer surfaces: of each piece the corners, then further points, and triangles over both.
#[derive(Debug, Default)]
pub(super) struct Detail {
    /// Per piece: first vertex, number of vertices, first triangle, number of triangles.
    pub(super) meshes: Vec<[u32; 4]>,
    pub(super) vertices: Vec<Vec3>,
    /// Three corners and a bit pair an edge, 1 where the edge is on the polygon's border.
    pub(super) triangles: Vec<[u8; 4]>,
}

impl TileInput {
    /// Without neighbours: [`join`](Self::join) adds them.
    pub(super) fn new(mesh: &NavMesh, pieces: &Pieces, chunk: &[u32]) -> Self {
        let mut local: HashMap<u32, u16> = HashMap::new();
        let mut vertices = Vec::new();
        let mut polygons = Vec::with_capacity(chunk.len());
        let mut detail = Detail::default();
        let has_detail = mesh.polygons().any(|p| !mesh.finer_surface(p).1.is_empty());
        for &piece in chunk {
            let piece = &pieces.pieces[piece as usize];
            let mut polygon = [NONE; 2 * MAX_CORNERS];
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
        // One size for all three axes, as the box tree has it. Not all of the 65 536 cells: Detour
        // adds one to a box's far end and would begin again at 0.
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

    /// Makes `neighbour` the one beyond an edge.
    pub(super) fn join(&mut self, polygon: usize, edge: u8, neighbour: u16) {
        self.polygons[polygon][MAX_CORNERS + usize::from(edge)] = neighbour;
    }
}

impl Detail {
    fn push(&mut self, mesh: &NavMesh, piece: &Piece) {
        let count = piece.corners().len();
        let (mut points, finer) = mesh.finer_surface(piece.polygon);
        let (first, first_triangle) = (self.vertices.len(), self.triangles.len());
        let is_whole = count == mesh.corners(piece.polygon).len();
        let most = usize::from(u8::MAX);
        if is_whole && !finer.is_empty() && finer.len() <= most && count + points.len() <= most {
            // Turned like the corners, of which the first stays first.
            let turned = |i: u16| match usize::from(i) {
                corner if corner < count => ((count - corner) % count) as u8,
                point => point as u8,
            };
            let triangles = finer.iter().map(|t| [t[2], t[1], t[0]].map(turned));
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

/// Adds which edges are on the border: those of one triangle only. Detour follows a null pointer
/// where a surface has none, so a heap of triangles has all.
fn with_borders(triangles: impl Iterator<Item = [u8; 3]> + Clone) -> impl Iterator<Item = [u8; 4]> {
    let edges = |[a, b, c]: [u8; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
    let mut uses: HashMap<[u8; 2], u32> = HashMap::new();
    for edge in triangles.clone().flat_map(edges) {
        *uses.entry(edge).or_default() += 1;
    }
    let is_heap = !uses.values().any(|&uses| uses == 1);
    triangles.map(move |triangle| {
        let on_border = edges(triangle).map(|edge| u8::from(is_heap || uses[&edge] == 1));
        let flags = on_border[0] | on_border[1] << 2 | on_border[2] << 4;
        [triangle[0], triangle[1], triangle[2], flags]
    })
}
