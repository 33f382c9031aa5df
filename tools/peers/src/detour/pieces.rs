//! Splits a navmesh into polygons that Detour can represent: pieces with at most six corners, in chunks of
//! neighbouring pieces that are small enough for a tile.

use glam::{DVec2, Vec3};
use portolan_core::{NavMesh, PolygonId};

use crate::walk::in_plan;

/// The maximum number of corners of a Detour polygon.
pub(super) const MAX_CORNERS: usize = 6;

/// A polygon or a part of it. Its corners are in reverse order, because Detour's polygons are clockwise in (x, z).
#[derive(Clone, Copy, Debug)]
pub(super) struct PolygonPiece {
    pub(super) polygon: PolygonId,
    corners: [u32; MAX_CORNERS],
    count: u8,
}

impl PolygonPiece {
    /// Returns the corners as indices of [`NavMesh::vertices`].
    pub(super) fn corners(&self) -> &[u32] {
        &self.corners[..usize::from(self.count)]
    }
}

/// An edge that two pieces share, as a part of an edge of each piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedEdge {
    pub(super) parts: [EdgePart; 2],
    /// Whether it is a full edge of both pieces.
    pub(super) is_full_edge: bool,
}

/// A part of an edge of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgePart {
    pub(super) piece: u32,
    /// The edge from corner `edge` to the next corner.
    pub(super) edge: u8,
    /// The side of a tile that the edge would lie on, as Detour numbers them: 0 = +x, 2 = +z, 4 = -x, 6 = -z.
    pub(super) facing: u8,
    /// The start and the end of the part along the edge, in units of 1/255 of the edge, which is Detour's resolution.
    pub(super) span: [u8; 2],
}

/// The pieces of a navmesh and their shared edges.
#[derive(Debug, Default)]
pub(super) struct PolygonPieces {
    pub(super) pieces: Vec<PolygonPiece>,
    pub(super) shared_edges: Vec<SharedEdge>,
    /// Per polygon, the index of its first piece.
    first: Vec<u32>,
}

impl PolygonPieces {
    pub(super) fn of(mesh: &NavMesh) -> Self {
        let mut this = Self::default();
        for polygon in mesh.polygons() {
            this.cut(mesh, polygon);
        }
        for portal in mesh.portals() {
            let ends = portal.polygons.map(|polygon| {
                let [start, end] = portal.ends_from(polygon);
                BorderPart::find(mesh, polygon, start, end)
            });
            let mut parts = [0, 1].map(|i| {
                let (piece, edge) = this.edge_of(mesh, portal.polygons[i], ends[i].border);
                let [a, b] = ends[i].fractions;
                EdgePart {
                    piece,
                    edge,
                    facing: facing(mesh, portal.polygons[i], ends[i].border),
                    span: [1.0 - b, 1.0 - a].map(|fraction| (fraction * 255.0).round() as u8),
                }
            });
            let is_full_edge = ends.iter().all(|part| part.is_full_edge);
            if is_full_edge {
                parts.iter_mut().for_each(|part| part.span = [0, 255]);
            }
            this.shared_edges.push(SharedEdge {
                parts,
                is_full_edge,
            });
        }
        this
    }

    /// Splits a polygon into fans of up to six corners around its first corner, the hub.
    fn cut(&mut self, mesh: &NavMesh, polygon: PolygonId) {
        let corners = mesh.corners(polygon);
        self.first.push(self.pieces.len() as u32);
        let mut from = 1;
        loop {
            let to = corners.len().min(from + MAX_CORNERS - 1);
            let mut piece = PolygonPiece {
                polygon,
                corners: [corners[0]; MAX_CORNERS],
                count: (to - from + 1) as u8,
            };
            // The hub stays first, so that Detour's triangle fan for heights has the same centre as Portolan's.
            let others = corners[from..to].iter().rev();
            for (reversed, &corner) in piece.corners[1..].iter_mut().zip(others) {
                *reversed = corner;
            }
            self.pieces.push(piece);
            if to == corners.len() {
                return;
            }
            let (before, after) = (self.pieces.len() as u32 - 1, self.pieces.len() as u32);
            let next_count = corners.len().min(to + MAX_CORNERS - 2) - to + 2;
            let full_edge = |piece, edge| EdgePart {
                piece,
                edge,
                facing: 0,
                span: [0, 255],
            };
            // In reverse order, the first edge of a fan leads from the hub to the last of the other corners, and the
            // last edge from the first of the other corners to the hub.
            self.shared_edges.push(SharedEdge {
                parts: [full_edge(before, 0), full_edge(after, next_count as u8 - 1)],
                is_full_edge: true,
            });
            from = to - 1;
        }
    }

    /// Returns the piece and the edge that correspond to a border of a polygon.
    fn edge_of(&self, mesh: &NavMesh, polygon: PolygonId, border: usize) -> (u32, u8) {
        let corners = mesh.corners(polygon);
        let (start, end) = (corners[border], corners[(border + 1) % corners.len()]);
        let first = self.first[polygon.index()];
        let fans = (corners.len() - 2).div_ceil(MAX_CORNERS - 2) as u32;
        // The two borders at the hub belong to the first and the last fan. Each fan has four of the others.
        let piece = match border {
            0 => first,
            _ if border == corners.len() - 1 => first + fans - 1,
            _ => first + ((border - 1) / (MAX_CORNERS - 2)) as u32,
        };
        let reversed = self.pieces[piece as usize].corners();
        let edge = (0..reversed.len())
            .find(|&i| reversed[i] == end && reversed[(i + 1) % reversed.len()] == start);
        (piece, edge.expect("a border is an edge of its fan") as u8)
    }

    /// Splits the pieces into `count` chunks of neighbouring pieces. Their sizes differ by at most one.
    fn cut_into(&self, mesh: &NavMesh, count: usize) -> Vec<Vec<u32>> {
        fn halve(centres: &[DVec2], mut pieces: Vec<u32>, count: usize, out: &mut Vec<Vec<u32>>) {
            if count == 1 {
                // Restore the order of the navmesh, so that consecutive pieces stay consecutive.
                pieces.sort_unstable();
                out.push(pieces);
                return;
            }
            let centre_of = |piece: u32| centres[piece as usize];
            let low = pieces.iter().map(|&p| centre_of(p)).reduce(DVec2::min);
            let high = pieces.iter().map(|&p| centre_of(p)).reduce(DVec2::max);
            let size = high.unwrap_or_default() - low.unwrap_or_default();
            let coordinate = |piece: u32| {
                let centre = centre_of(piece);
                if size.x > size.y { centre.x } else { centre.y }
            };
            let lower_count = pieces.len() * (count / 2) / count;
            pieces.select_nth_unstable_by(lower_count, |&a, &b| {
                coordinate(a)
                    .total_cmp(&coordinate(b))
                    .then_with(|| a.cmp(&b))
            });
            let upper = pieces.split_off(lower_count);
            halve(centres, pieces, count / 2, out);
            halve(centres, upper, count - count / 2, out);
        }
        let centres: Vec<DVec2> = self
            .pieces
            .iter()
            .map(|piece| {
                let points = piece.corners().iter().map(|&v| mesh.vertices()[v as usize]);
                points.map(in_plan).sum::<DVec2>() / f64::from(piece.count)
            })
            .collect();
        let mut chunks = Vec::new();
        let all = (0..self.pieces.len() as u32).collect();
        halve(&centres, all, count, &mut chunks);
        chunks
    }

    /// Splits the pieces into as few chunks as possible, such that each has at most `limit` pieces and fits the other
    /// limits of a tile. Returns `None` if that takes more than `max_chunks`.
    pub(super) fn chunks(
        &self,
        mesh: &NavMesh,
        limit: usize,
        max_chunks: usize,
    ) -> Option<Vec<Vec<u32>>> {
        let fits = |chunk: &Vec<u32>| {
            let pieces = || chunk.iter().map(|&piece| &self.pieces[piece as usize]);
            let mut corners: Vec<u32> = pieces().flat_map(PolygonPiece::corners).copied().collect();
            corners.sort_unstable();
            corners.dedup();
            let points = pieces().map(|piece| mesh.finer_surface(piece.polygon).0.len());
            corners.len() < usize::from(u16::MAX) && points.sum::<usize>() <= u16::MAX.into()
        };
        (self.pieces.len().div_ceil(limit)..=max_chunks)
            .filter(|&count| count > 0)
            .map(|count| self.cut_into(mesh, count))
            .find(|chunks| chunks.iter().all(fits))
    }
}

/// The part of a polygon's border that a portal covers.
struct BorderPart {
    border: usize,
    fractions: [f64; 2],
    is_full_edge: bool,
}

impl BorderPart {
    /// Finds the border from `start` to `end`, or else the border nearest to both.
    fn find(mesh: &NavMesh, polygon: PolygonId, start: Vec3, end: Vec3) -> Self {
        let ends = [in_plan(start), in_plan(end)];
        let mut best = (f64::INFINITY, 0, [0.0; 2]);
        for (border, [from, to]) in mesh.borders(polygon).enumerate() {
            if [from, to] == [start, end] {
                return Self {
                    border,
                    fractions: [0.0, 1.0],
                    is_full_edge: true,
                };
            }
            let (from, along) = (in_plan(from), in_plan(to) - in_plan(from));
            let fractions = ends.map(|end| {
                ((end - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE))
                    .clamp(0.0, 1.0)
            });
            let off = (0..2)
                .map(|i| (from + along * fractions[i]).distance(ends[i]))
                .fold(0.0, f64::max);
            if off < best.0 && fractions[0] < fractions[1] {
                best = (off, border, fractions);
            }
        }
        let (_, border, fractions) = best;
        Self {
            border,
            fractions,
            is_full_edge: false,
        }
    }
}

/// Returns the side of a tile that a border would lie on, according to its outward direction.
fn facing(mesh: &NavMesh, polygon: PolygonId, border: usize) -> u8 {
    let along = mesh
        .borders(polygon)
        .nth(border)
        .map_or(DVec2::X, |[from, to]| in_plan(to) - in_plan(from));
    // Polygons are counter-clockwise, so outside is to the right.
    let out = DVec2::new(along.y, -along.x);
    match (out.x.abs() >= out.y.abs(), out.x > 0.0, out.y > 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 4,
        (false, _, true) => 2,
        (false, _, false) => 6,
    }
}
