//! The navmesh as Detour can hold it: pieces of at most six corners, joined at their edges, in
//! chunks of neighbours that are small enough for a tile.

use glam::{DVec2, Vec3};
use portolan_core::{NavMesh, PolygonId};

/// Most corners of a Detour polygon.
pub(super) const MAX_CORNERS: usize = 6;

/// All or a part of a polygon, the corners turned: Detour's go around clockwise in (x, z).
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) polygon: PolygonId,
    corners: [u32; MAX_CORNERS],
    count: u8,
}

impl Piece {
    /// Indices of [`NavMesh::vertices`].
    pub(super) fn corners(&self) -> &[u32] {
        &self.corners[..usize::from(self.count)]
    }
}

/// Where two pieces meet, seen from each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) sides: [Side; 2],
    /// Whether both edges are the same from end to end.
    pub(super) is_whole: bool,
}

/// A stretch of an edge of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) piece: u32,
    /// From corner `edge` to the next.
    pub(super) edge: u8,
    /// The side of a tile that the edge would lie on, in Detour's count: 0 = +x, 2 = +z, 4 = -x,
    /// 6 = -z.
    pub(super) facing: u8,
    /// Where on the edge it begins and ends, in shares of 255: Detour knows no finer ones.
    pub(super) span: [u8; 2],
}

/// A navmesh in pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) pieces: Vec<Piece>,
    pub(super) joints: Vec<Joint>,
    /// Per polygon, its first piece.
    first: Vec<u32>,
}

impl Pieces {
    pub(super) fn of(mesh: &NavMesh) -> Self {
        let mut this = Self::default();
        for polygon in mesh.polygons() {
            this.cut(mesh, polygon);
        }
        for portal in mesh.portals() {
            let ends = portal.polygons.map(|polygon| {
                let [start, end] = portal.ends_from(polygon);
                Stretch::find(mesh, polygon, start, end)
            });
            let mut sides = [0, 1].map(|i| {
                let (piece, edge) = this.edge_of(mesh, portal.polygons[i], ends[i].border);
                let [a, b] = ends[i].shares;
                Side {
                    piece,
                    edge,
                    facing: facing(mesh, portal.polygons[i], ends[i].border),
                    span: [1.0 - b, 1.0 - a].map(|share| (share * 255.0).round() as u8),
                }
            });
            let is_whole = ends.iter().all(|stretch| stretch.is_whole);
            if is_whole {
                sides.iter_mut().for_each(|side| side.span = [0, 255]);
            }
            this.joints.push(Joint { sides, is_whole });
        }
        this
    }

    /// Cuts a polygon into fans of six corners around its first one.
    fn cut(&mut self, mesh: &NavMesh, polygon: PolygonId) {
        let corners = mesh.corners(polygon);
        self.first.push(self.pieces.len() as u32);
        let mut from = 1;
        loop {
            let to = corners.len().min(from + MAX_CORNERS - 1);
            let mut piece = Piece {
                polygon,
                corners: [corners[0]; MAX_CORNERS],
                count: (to - from + 1) as u8,
            };
            // The hub stays first: Detour's fan of heights is then around the same corner as ours.
            let others = corners[from..to].iter().rev();
            for (turned, &corner) in piece.corners[1..].iter_mut().zip(others) {
                *turned = corner;
            }
            self.pieces.push(piece);
            if to == corners.len() {
                return;
            }
            let (before, after) = (self.pieces.len() as u32 - 1, self.pieces.len() as u32);
            let next_count = corners.len().min(to + MAX_CORNERS - 2) - to + 2;
            let side = |piece, edge| Side {
                piece,
                edge,
                facing: 0,
                span: [0, 255],
            };
            // Turned, a fan's first edge runs from its hub to the last of the others, and its last
            // one from the first of the others to the hub.
            self.joints.push(Joint {
                sides: [side(before, 0), side(after, next_count as u8 - 1)],
                is_whole: true,
            });
            from = to - 1;
        }
    }

    /// The piece and the edge of it that a polygon's border has become.
    fn edge_of(&self, mesh: &NavMesh, polygon: PolygonId, border: usize) -> (u32, u8) {
        let corners = mesh.corners(polygon);
        let (start, end) = (corners[border], corners[(border + 1) % corners.len()]);
        let first = self.first[polygon.index()];
        let fan = (corners.len() - 2).div_ceil(MAX_CORNERS - 2) as u32;
        // Borders next to the hub are the outermost; of the others, each fan has four.
        let piece = match border {
            0 => first,
            _ if border == corners.len() - 1 => first + fan - 1,
            _ => first + ((border - 1) / (MAX_CORNERS - 2)) as u32,
        };
        let turned = self.pieces[piece as usize].corners();
        let edge = (0..turned.len())
            .find(|&i| turned[i] == end && turned[(i + 1) % turned.len()] == start);
        (piece, edge.expect("a border is an edge of its fan") as u8)
    }

    /// Cuts the pieces into `count` chunks of neighbours, equally large but for one.
    fn cut_into(&self, mesh: &NavMesh, count: usize) -> Vec<Vec<u32>> {
        fn halve(centres: &[DVec2], mut pieces: Vec<u32>, count: usize, out: &mut Vec<Vec<u32>>) {
            if count == 1 {
                // As before the cut, so that neighbours in the navmesh's order stay so.
                pieces.sort_unstable();
                out.push(pieces);
                return;
            }
            let of = |piece: u32| centres[piece as usize];
            let low = pieces.iter().map(|&p| of(p)).reduce(DVec2::min);
            let high = pieces.iter().map(|&p| of(p)).reduce(DVec2::max);
            let size = high.unwrap_or_default() - low.unwrap_or_default();
            let at = |piece: u32| {
                let centre = of(piece);
                if size.x > size.y { centre.x } else { centre.y }
            };
            let less = pieces.len() * (count / 2) / count;
            pieces.select_nth_unstable_by(less, |&a, &b| {
                at(a).total_cmp(&at(b)).then_with(|| a.cmp(&b))
            });
            let rest = pieces.split_off(less);
            halve(centres, pieces, count / 2, out);
            halve(centres, rest, count - count / 2, out);
        }
        let centres: Vec<DVec2> = self
            .pieces
            .iter()
            .map(|piece| {
                let points = piece.corners().iter().map(|&v| mesh.vertices()[v as usize]);
                points.map(flat).sum::<DVec2>() / f64::from(piece.count)
            })
            .collect();
        let mut chunks = Vec::new();
        let all = (0..self.pieces.len() as u32).collect();
        halve(&centres, all, count, &mut chunks);
        chunks
    }

    /// As few chunks as each keeps to `limit` pieces and to what else a tile can count, `None` if
    /// more than `most` would be needed.
    pub(super) fn chunks(
        &self,
        mesh: &NavMesh,
        limit: usize,
        most: usize,
    ) -> Option<Vec<Vec<u32>>> {
        let fits = |chunk: &Vec<u32>| {
            let pieces = || chunk.iter().map(|&piece| &self.pieces[piece as usize]);
            let mut corners: Vec<u32> = pieces().flat_map(Piece::corners).copied().collect();
            corners.sort_unstable();
            corners.dedup();
            let points = pieces().map(|piece| mesh.finer_surface(piece.polygon).0.len());
            corners.len() < usize::from(u16::MAX) && points.sum::<usize>() <= u16::MAX.into()
        };
        (self.pieces.len().div_ceil(limit)..=most)
            .filter(|&count| count > 0)
            .map(|count| self.cut_into(mesh, count))
            .find(|chunks| chunks.iter().all(fits))
    }
}

/// The part of a border that a portal is.
struct Stretch {
    border: usize,
    shares: [f64; 2],
    is_whole: bool,
}

impl Stretch {
    /// The border that runs from `start` to `end`, else the one nearest to both.
    fn find(mesh: &NavMesh, polygon: PolygonId, start: Vec3, end: Vec3) -> Self {
        let ends = [flat(start), flat(end)];
        let mut best = (f64::INFINITY, 0, [0.0; 2]);
        for (border, [from, to]) in mesh.borders(polygon).enumerate() {
            if [from, to] == [start, end] {
                return Self {
                    border,
                    shares: [0.0, 1.0],
                    is_whole: true,
                };
            }
            let (from, run) = (flat(from), flat(to) - flat(from));
            let shares = ends.map(|place| {
                ((place - from).dot(run) / run.length_squared().max(f64::MIN_POSITIVE))
                    .clamp(0.0, 1.0)
            });
            let off = (0..2)
                .map(|i| (from + run * shares[i]).distance(ends[i]))
                .fold(0.0, f64::max);
            if off < best.0 && shares[0] < shares[1] {
                best = (off, border, shares);
            }
        }
        let (_, border, shares) = best;
        Self {
            border,
            shares,
            is_whole: false,
        }
    }
}

/// The side of a tile that a border would lie on: where its outside is.
fn facing(mesh: &NavMesh, polygon: PolygonId, border: usize) -> u8 {
    let run = mesh
        .borders(polygon)
        .nth(border)
        .map_or(DVec2::X, |[from, to]| flat(to) - flat(from));
    // Counter-clockwise: outside is to the right.
    let out = DVec2::new(run.y, -run.x);
    match (out.x.abs() >= out.y.abs(), out.x > 0.0, out.y > 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 4,
        (false, _, true) => 2,
        (false, _, false) => 6,
    }
}

/// Its (x, z).
fn flat(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}
