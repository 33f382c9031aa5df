//! Cuts polygons, and joins their pieces with each other and with the neighbours.

use std::sync::Arc;

use glam::{DVec2, Vec3};

use super::pieces::{Line, Piece, inside, pieces_around};
use super::{
    Block, CUT_TOLERANCE, CutPolygon, CutPortal, Cuts, NumberedBlock, PortalOwner, Stretch,
};
use crate::csr::Csr;
use crate::geometry::lerp;
use crate::ids::{LinkId, PolygonId, PortalId};
use crate::navmesh::{NavMesh, Portal};
use crate::union_find::UnionFind;

/// A gap narrower than this is closed. [Units: m]
const MIN_WIDTH: f64 = 2.0 * CUT_TOLERANCE;

fn in_plan(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), f64::from(point.z))
}

impl NavMesh {
    /// Returns this mesh with other obstacles in some polygons: exactly these blocks. Blocks that do not reach a polygon's
    /// ground leave it whole. Also returns the polygons and pieces whose portals are others now.
    pub(crate) fn with_blocks(
        &self,
        changed: Vec<(PolygonId, Vec<NumberedBlock>)>,
    ) -> (Self, Vec<PolygonId>) {
        let mut mesh = self.clone();
        let mut cuts = match self.cuts.as_deref() {
            Some(cuts) => cuts.clone(),
            None => Cuts::new(self),
        };
        let mut portals: Vec<PortalId> = Vec::new();
        let mut listed: Vec<PolygonId> = Vec::new();
        for (polygon, blocks) in changed {
            if let Some(old) = cuts.of_polygons.at(polygon.index()).clone() {
                cuts.pieces.free(old.first_piece - cuts.polygons as u32);
                cuts.count -= 1;
                cuts.corners.free(old.first_corner);
                cuts.overlay_portals.free(old.first_portal);
                for piece in old.pieces() {
                    cuts.lists.set(piece.index(), None);
                }
                cuts.lists.set(polygon.index(), None);
                cuts.of_polygons.set(polygon.index(), None);
            }
            if let Some(cut) = self.cut_polygon(&cuts, polygon, blocks) {
                let cut = Arc::new(cut);
                let first = cut.first_piece - cuts.polygons as u32;
                cuts.pieces.give(first, cut.corners.len(), &cut);
                cuts.count += 1;
                cuts.corners.give(cut.first_corner, cut.points.len(), &cut);
                let owner = PortalOwner::Polygon(Arc::clone(&cut));
                cuts.overlay_portals
                    .give(cut.first_portal, cut.portals.len(), &owner);
                cuts.of_polygons.set(polygon.index(), Some(cut));
            }
            portals.extend_from_slice(self.portals_of.get(polygon.index()));
            listed.push(polygon);
        }
        portals.sort_unstable();
        portals.dedup();
        let mut is_max_gone = false;
        for &portal in &portals {
            if let Some(old) = cuts.of_portals.at(portal.index()) {
                let first = old.first;
                is_max_gone |= old.shift == cuts.max_shift;
                cuts.overlay_portals.free(first);
            }
            let cut = self.cut_parts(&cuts, portal).map(Arc::new);
            if let Some(cut) = &cut {
                cuts.max_shift = cuts.max_shift.max(cut.shift);
                let owner = PortalOwner::Portal(Arc::clone(cut));
                cuts.overlay_portals
                    .give(cut.first, cut.parts.len(), &owner);
            }
            cuts.of_portals.set(portal.index(), cut);
            listed.extend(self.portals[portal.index()].polygons);
        }
        listed.sort_unstable();
        listed.dedup();
        let mut relisted = Vec::new();
        for polygon in listed {
            self.relist(&mut cuts, polygon, &mut relisted);
        }
        let must_measure = is_max_gone && cuts.count > 0;
        mesh.cuts = (cuts.count > 0).then(|| Arc::new(cuts));
        if must_measure {
            let shifts = mesh.cut_portals().map(|(_, cut)| cut.shift);
            let max_shift = shifts.fold(0.0, f32::max);
            if let Some(cuts) = mesh.cuts.as_mut().and_then(Arc::get_mut) {
                cuts.max_shift = max_shift;
            }
        }
        (mesh, relisted)
    }

    /// Moves the ends of links from the pieces of another version of this mesh to those that they lie in now. `cost` is the
    /// cost of a link; one with an end under an obstacle is closed.
    pub(crate) fn with_links_moved(mut self, old: &Self, cost: impl Fn(LinkId) -> f32) -> Self {
        let mut links = self.links.to_vec();
        for (id, link) in (0..).map(LinkId).zip(&mut links) {
            link.cost = cost(id);
            for end in 0..2 {
                let whole = old.whole(link.polygons[end]);
                let piece = self.piece_at(whole, link.ends[end]);
                link.polygons[end] = piece.unwrap_or(whole);
                if piece.is_none() {
                    link.cost = f32::INFINITY;
                }
            }
        }
        self.links = links.into();
        self
    }

    /// Cuts a polygon around blocks. Returns `None` if it stays whole.
    fn cut_polygon(
        &self,
        cuts: &Cuts,
        polygon: PolygonId,
        mut blocks: Vec<NumberedBlock>,
    ) -> Option<CutPolygon> {
        let points: Vec<Vec3> = self.corner_points(polygon).collect();
        let corners: Vec<DVec2> = points.iter().copied().map(in_plan).collect();
        blocks.retain(|(_, block)| self.is_closed_by(polygon, &corners, block));
        if blocks.is_empty() {
            return None;
        }
        let outlines = blocks.iter().map(|(_, block)| block.outline.as_slice());
        let pieces = pieces_around(corners.clone(), outlines);
        let first_piece = (cuts.polygons + cuts.pieces.find(pieces.len()) as usize) as u32;
        let mut cut = CutPolygon {
            whole: polygon,
            first_piece,
            first_corner: 0,
            first_portal: 0,
            points: Vec::new(),
            corners: Csr::new(),
            portals: Vec::new(),
            groups: (0..pieces.len() as u32).collect(),
            borders: Vec::new(),
            blocks,
        };
        let corner_count = pieces.iter().map(|piece| piece.corners.len()).sum();
        cut.first_corner = cuts.corners.find(corner_count);
        let first_vertex = (cuts.vertices + cut.first_corner as usize) as u32;
        for piece in &pieces {
            let start = cut.points.len() as u32;
            cut.points.extend(piece.corners.iter().map(|&corner| {
                let same = corners.iter().position(|&original| original == corner);
                same.map_or_else(|| self.on_ground(polygon, corner), |i| points[i])
            }));
            cut.corners
                .push((start..cut.points.len() as u32).map(|i| first_vertex + i));
        }
        cut.portals = self.portals_between(polygon, &cut.blocks, &pieces, first_piece);
        let mut joined = UnionFind::new(pieces.len());
        for portal in &cut.portals {
            let [a, b] = portal.polygons.map(|piece| piece.0 - first_piece);
            joined.join(a, b);
        }
        cut.groups
            .iter_mut()
            .for_each(|group| *group = joined.root(*group));
        cut.first_portal = cuts.overlay_portals.find(cut.portals.len());
        cut.borders = self.stretches(polygon, &pieces, first_piece);
        Some(cut)
    }

    fn on_ground(&self, polygon: PolygonId, point: DVec2) -> Vec3 {
        let point = Vec3::new(point.x as f32, 0.0, point.y as f32);
        point.with_y(self.height_at(polygon, point))
    }

    /// Returns whether a block closes ground of a polygon with these corners.
    fn is_closed_by(&self, polygon: PolygonId, corners: &[DVec2], block: &Block) -> bool {
        if inside(corners, &block.outline).is_none() {
            return false;
        }
        // The ground within the outline is made of parts of triangles, whose lowest and highest points are corners.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for triangle in self.surface(polygon) {
            let [a, b, c] = triangle.map(in_plan);
            let area = (b - a).perp_dot(c - a);
            if area <= 0.0 {
                continue;
            }
            for p in inside(&[a, b, c], &block.outline).into_iter().flatten() {
                let weights = [
                    (c - b).perp_dot(p - b),
                    (a - c).perp_dot(p - c),
                    (b - a).perp_dot(p - a),
                ];
                let heights = weights
                    .iter()
                    .zip(triangle)
                    .map(|(w, corner)| w * f64::from(corner.y));
                let height = heights.sum::<f64>() / area;
                (low, high) = (low.min(height), high.max(height));
            }
        }
        if low > high {
            // The surface does not cover that part of the polygon: all of its heights count.
            let range = self.height_range(polygon);
            (low, high) = (f64::from(range.lowest), f64::from(range.highest));
        }
        low <= f64::from(block.top) && high >= f64::from(block.bottom)
    }

    /// Returns the portals between the pieces of a polygon, where they lie on both sides of the same side of an outline.
    fn portals_between(
        &self,
        polygon: PolygonId,
        blocks: &[NumberedBlock],
        pieces: &[Piece],
        first_piece: u32,
    ) -> Vec<Portal> {
        struct Edge {
            line: (usize, usize),
            /// Along the side of the outline.
            span: [f64; 2],
            piece: PolygonId,
        }
        let side = |(outline, corner): (usize, usize)| {
            let outline = &blocks[outline].1.outline;
            let from = outline[corner];
            (
                from,
                (outline[(corner + 1) % outline.len()] - from).normalize(),
            )
        };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (piece, id) in pieces.iter().zip(first_piece..) {
            for ([a, b], line) in piece.edges() {
                let Line::Side(outline, corner) = line else {
                    continue;
                };
                let (origin, along) = side((outline, corner));
                let [a, b] = [a, b].map(|p| along.dot(p - origin));
                let edge = Edge {
                    line: (outline, corner),
                    span: [a.min(b), a.max(b)],
                    piece: PolygonId(id),
                };
                // A counter-clockwise piece lies to the left of its edges.
                if a < b {
                    left.push(edge)
                } else {
                    right.push(edge)
                }
            }
        }
        left.sort_by_key(|edge| edge.line);
        let mut portals = Vec::new();
        for outer in &right {
            let first = left.partition_point(|edge| edge.line < outer.line);
            let beside = left[first..]
                .iter()
                .take_while(|edge| edge.line == outer.line);
            for inner in beside {
                let from = outer.span[0].max(inner.span[0]);
                let to = outer.span[1].min(inner.span[1]);
                if to - from < MIN_WIDTH {
                    continue;
                }
                let (origin, along) = side(outer.line);
                let [start, end] =
                    [from, to].map(|at| self.on_ground(polygon, origin + along * at));
                portals.push(Portal::new(inner.piece, outer.piece, start, end));
            }
        }
        portals.sort_by_key(|portal| portal.polygons);
        portals
    }

    /// Returns the parts of a polygon's portals that its pieces have.
    fn stretches(
        &self,
        polygon: PolygonId,
        pieces: &[Piece],
        first_piece: u32,
    ) -> Vec<(PortalId, Vec<Stretch>)> {
        let portals = self.portals_of.get(polygon.index()).iter();
        let of_portal = |&id: &PortalId| {
            let portal = &self.portals[id.index()];
            let (border, _) = self.border_position(polygon, portal.midpoint());
            let [right, left] = [portal.right, portal.left].map(in_plan);
            let along = (left - right) / (left - right).length_squared().max(f64::MIN_POSITIVE);
            let mut stretches = Vec::new();
            for (piece, number) in pieces.iter().zip(first_piece..) {
                let edges = piece
                    .edges()
                    .filter(|(_, line)| *line == Line::Border(border));
                for (ends, _) in edges {
                    let [a, b] = ends.map(|p| along.dot(p - right).clamp(0.0, 1.0));
                    stretches.push(Stretch {
                        polygon: PolygonId(number),
                        from: a.min(b),
                        to: a.max(b),
                    });
                }
            }
            stretches.sort_by(|a, b| a.from.total_cmp(&b.from));
            (id, stretches)
        };
        portals.map(of_portal).collect()
    }

    /// Returns what is left of a portal if the polygon on one side of it is cut.
    fn cut_parts(&self, cuts: &Cuts, id: PortalId) -> Option<CutPortal> {
        let portal = self.portals[id.index()];
        let sides = portal.polygons.map(|p| cuts.of_polygons.at(p.index()));
        if sides.iter().all(|side| side.is_none()) {
            return None;
        }
        let all = |polygon| {
            [Stretch {
                polygon,
                from: 0.0,
                to: 1.0,
            }]
        };
        let [whole_a, whole_b] = portal.polygons.map(all);
        let stretches = |cut: &'_ Option<Arc<CutPolygon>>| {
            cut.as_ref().map(|cut| {
                let of_portal = cut.borders.iter().find(|(border, _)| *border == id);
                of_portal.map_or(Vec::new(), |(_, stretches)| stretches.clone())
            })
        };
        let [a, b] = [stretches(sides[0]), stretches(sides[1])];
        let (a, b) = (
            a.as_deref().unwrap_or(&whole_a),
            b.as_deref().unwrap_or(&whole_b),
        );
        let length = in_plan(portal.right).distance(in_plan(portal.left));
        let mut cut = CutPortal {
            portal: id,
            first: 0,
            parts: Vec::new(),
            spans: Vec::new(),
            shift: 0.0,
        };
        for one in a {
            for other in b {
                let (from, to) = (one.from.max(other.from), one.to.min(other.to));
                // A portal that was this narrow before stays open.
                if (to - from) * length < MIN_WIDTH.min(length / 2.0) || to <= from {
                    continue;
                }
                let [right, left] = [from, to].map(|at| match at {
                    0.0 => portal.right,
                    1.0 => portal.left,
                    at => lerp(portal.right, portal.left, at),
                });
                cut.parts
                    .push(Portal::new(one.polygon, other.polygon, right, left));
                cut.spans.push([from, to]);
            }
        }
        // Samples outside an only part move into it, and those of several parts may change places.
        let share = match cut.spans[..] {
            [] => 0.0,
            [[from, to]] => from.max(1.0 - to) + (to - from) / 4.0,
            _ => 1.0,
        };
        cut.shift = (share * f64::from((portal.left - portal.right).length())) as f32 * 1.001;
        cut.first = cuts.overlay_portals.find(cut.parts.len());
        Some(cut)
    }

    /// Lists the portals of a polygon or of its pieces anew.
    fn relist(&self, cuts: &mut Cuts, polygon: PolygonId, relisted: &mut Vec<PolygonId>) {
        let own = self.portals_of.get(polygon.index());
        let first_portal = cuts.portals as u32;
        let parts: Vec<(PortalId, Portal)> = own
            .iter()
            .filter_map(|portal| cuts.of_portals.at(portal.index()).as_ref())
            .flat_map(|cut| {
                (first_portal + cut.first..)
                    .map(PortalId)
                    .zip(cut.parts.iter().copied())
            })
            .collect();
        let Some(cut) = cuts.of_polygons.at(polygon.index()).clone() else {
            let has_parts = own
                .iter()
                .any(|portal| cuts.of_portals.at(portal.index()).is_some());
            let list = has_parts.then(|| {
                let whole = own.iter().copied();
                let whole = whole.filter(|portal| cuts.of_portals.at(portal.index()).is_none());
                whole.chain(parts.iter().map(|(id, _)| *id)).collect()
            });
            cuts.lists.set(polygon.index(), list);
            relisted.push(polygon);
            return;
        };
        cuts.lists.set(polygon.index(), Some(Arc::new([])));
        let inner = (first_portal + cut.first_portal..)
            .map(PortalId)
            .zip(cut.portals.iter().copied());
        let all: Vec<(PortalId, Portal)> = inner.chain(parts).collect();
        for piece in cut.pieces() {
            let of_piece = all
                .iter()
                .filter(|(_, portal)| portal.polygons.contains(&piece));
            let mut list: Vec<PortalId> = of_piece.map(|(id, _)| *id).collect();
            list.sort_unstable();
            cuts.lists.set(piece.index(), Some(list.into()));
            relisted.push(piece);
        }
    }
}
