//! Polygons with obstacles in them: they are cut into pieces around the obstacles, at run time.
//!
//! Pieces, their corners and the portals between them have numbers above those of the mesh as it was built, so everything
//! that was derived from the mesh stays valid. A polygon that is cut keeps its id, but nothing is located in it and no portal
//! leads to it any more.

mod build;
mod cross;
mod pieces;
mod rows;

use std::sync::Arc;

use glam::{DVec2, Vec3};

pub(crate) use self::cross::{CUT_SAMPLES, CutCosts, MovedSample};
pub(crate) use self::pieces::CUT_TOLERANCE;
pub(crate) use self::rows::Rows;
use super::{NavMesh, Portal};
use crate::csr::Csr;
use crate::ids::{PolygonId, PortalId};
use crate::paged::Paged;

/// What an obstacle closes to the centre of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// The outline in (x, z), convex and in counter-clockwise order.
    pub(crate) outline: Vec<DVec2>,
    /// The ground between these heights is closed.
    pub(crate) bottom: f32,
    pub(crate) top: f32,
}

/// An obstacle by its number, and what it closes.
pub(crate) type NumberedBlock = (u64, Arc<Block>);

/// What is left of a polygon around the obstacles in it.
#[derive(Debug)]
pub(crate) struct CutPolygon {
    /// The polygon.
    pub(crate) whole: PolygonId,
    /// The obstacles.
    blocks: Vec<NumberedBlock>,
    /// The id of the first piece.
    first_piece: u32,
    /// The numbers of the first corner and of the first portal between pieces, among those of pieces.
    first_corner: u32,
    first_portal: u32,
    points: Vec<Vec3>,
    /// Per piece, its corners as indices into the vertices of the mesh.
    corners: Csr<u32>,
    /// The portals between pieces.
    portals: Vec<Portal>,
    /// Per piece, the lowest piece that it is connected with inside the polygon.
    groups: Vec<u32>,
    /// Per portal of the polygon, the parts that the pieces have of it, from its right end to its left end.
    borders: Vec<(PortalId, Vec<Stretch>)>,
}

/// Two cuts of polygons of one mesh are equal if their obstacles are.
impl PartialEq for CutPolygon {
    fn eq(&self, other: &Self) -> bool {
        self.whole == other.whole && self.blocks == other.blocks
    }
}

/// A part of a portal, as fractions of the way from its right end to its left end, and the polygon on one side of it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    polygon: PolygonId,
    from: f64,
    to: f64,
}

impl CutPolygon {
    /// Iterates over the ids of the pieces.
    pub(crate) fn pieces(&self) -> impl ExactSizeIterator<Item = PolygonId> + use<> {
        let first = self.first_piece;
        (0..self.corners.len() as u32).map(move |piece| PolygonId(first + piece))
    }

    /// Returns the group of a piece: pieces of different groups are not connected inside the polygon.
    fn group(&self, piece: PolygonId) -> u32 {
        self.groups[(piece.0 - self.first_piece) as usize]
    }

    /// Returns the obstacles in the polygon.
    pub(crate) fn blocks(&self) -> &[NumberedBlock] {
        &self.blocks
    }
}

/// What is left of a portal of a polygon that is cut: the parts where it is open on both sides.
#[derive(Debug)]
pub(crate) struct CutPortal {
    portal: PortalId,
    first: u32,
    parts: Vec<Portal>,
    /// The parts again, as fractions of the portal. [`Portal::polygons`] of a part tells what they connect.
    spans: Vec<[f64; 2]>,
    /// At least the distance by which a sample of the portal may have moved. [Units: m]
    shift: f32,
}

/// The element to which a portal of the overlay belongs.
#[derive(Clone, Debug)]
enum PortalOwner {
    Polygon(Arc<CutPolygon>),
    Portal(Arc<CutPortal>),
}

impl PortalOwner {
    fn portals(&self) -> &[Portal] {
        match self {
            Self::Polygon(cut) => &cut.portals,
            Self::Portal(cut) => &cut.parts,
        }
    }
}

/// All polygons of a mesh that are cut. A clone shares them.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    /// The numbers of vertices, polygons and portals of the mesh, above which those of pieces begin.
    vertices: usize,
    polygons: usize,
    portals: usize,
    /// How many polygons are cut.
    count: usize,
    /// At least the distance by which any sample may have moved. [Units: m]
    max_shift: f32,
    of_polygons: Paged<Option<Arc<CutPolygon>>>,
    of_portals: Paged<Option<Arc<CutPortal>>>,
    pieces: Rows<Arc<CutPolygon>>,
    corners: Rows<Arc<CutPolygon>>,
    overlay_portals: Rows<PortalOwner>,
    /// The portals of pieces, and those of polygons that are cut or have a neighbour that is.
    lists: Paged<Option<Arc<[PortalId]>>>,
}

/// The rest follows from the obstacles in all polygons.
impl PartialEq for Cuts {
    fn eq(&self, other: &Self) -> bool {
        let all = |cuts: &Self| {
            let cuts = cuts.pieces.owners().cloned();
            let mut cuts: Vec<Arc<CutPolygon>> = cuts.collect();
            cuts.sort_unstable_by_key(|cut| cut.whole);
            cuts
        };
        self.count == other.count && all(self) == all(other)
    }
}

impl Cuts {
    fn new(mesh: &NavMesh) -> Self {
        Self {
            vertices: mesh.vertices.len(),
            polygons: mesh.polygons.len(),
            portals: mesh.portals.len(),
            count: 0,
            max_shift: 0.0,
            of_polygons: Paged::new(None),
            of_portals: Paged::new(None),
            pieces: Rows::default(),
            corners: Rows::default(),
            overlay_portals: Rows::default(),
            lists: Paged::new(None),
        }
    }

    /// Returns a portal between pieces, by its number among these.
    #[inline]
    pub(crate) fn overlay_portal(&self, number: usize) -> Option<&Portal> {
        let (owner, at) = self.overlay_portals.get(number)?;
        owner.portals().get(at)
    }

    /// Returns the number of polygons, including those of pieces, some of which may be free.
    fn polygon_slots(&self) -> usize {
        self.polygons + self.pieces.end()
    }

    /// Returns a number above that of every portal between pieces.
    pub(crate) fn overlay_portal_slots(&self) -> usize {
        self.overlay_portals.end()
    }

    fn piece(&self, polygon: PolygonId) -> Option<(&CutPolygon, usize)> {
        let number = polygon.index().checked_sub(self.polygons)?;
        let (cut, at) = self.pieces.get(number)?;
        (at < cut.corners.len()).then_some((cut, at))
    }
}

impl NavMesh {
    /// Returns whether polygons are cut around obstacles.
    #[inline]
    pub fn has_obstacles(&self) -> bool {
        self.cuts.is_some()
    }

    /// Returns the polygon that a piece is a part of. Other polygons are returned unchanged. Paths around obstacles
    /// lead through pieces of polygons; their ids are those of no polygon of the mesh as it was built.
    ///
    /// # Panics
    /// Panics if there is no such polygon. The pieces of a polygon get new ids when its obstacles change.
    #[inline]
    pub fn whole(&self, polygon: PolygonId) -> PolygonId {
        match polygon.index() < self.polygons.len() {
            true => polygon,
            false => self.piece(polygon).0.whole,
        }
    }

    /// Returns whether there is a polygon or a piece of a polygon with this id.
    pub fn has_polygon(&self, polygon: PolygonId) -> bool {
        let is_piece = |cuts: &Arc<Cuts>| cuts.piece(polygon).is_some();
        polygon.index() < self.polygons.len() || self.cuts.as_ref().is_some_and(is_piece)
    }

    /// Returns what is left of a polygon that obstacles cut.
    #[inline]
    pub(crate) fn cut(&self, polygon: PolygonId) -> Option<&CutPolygon> {
        let cuts = self.cuts.as_ref()?;
        cuts.of_polygons.at(polygon.index()).as_deref()
    }

    /// Returns whether obstacles have left all portals of a polygon as they were.
    pub(crate) fn has_original_portals(&self, polygon: PolygonId) -> bool {
        let is_listed = |cuts: &Arc<Cuts>| cuts.lists.at(polygon.index()).is_some();
        !self.cuts.as_ref().is_some_and(is_listed)
    }

    /// Returns whether a portal leads to a piece.
    pub(crate) fn is_of_piece(&self, portal: PortalId) -> bool {
        portal.index() >= self.portals.len()
    }

    /// Returns all polygons that are cut.
    pub(crate) fn cuts(&self) -> Option<&Arc<Cuts>> {
        self.cuts.as_ref()
    }

    /// Returns a distance by which no sample of a portal has moved more. [Units: m]
    pub(crate) fn max_sample_shift(&self) -> f32 {
        self.cuts.as_ref().map_or(0.0, |cuts| cuts.max_shift)
    }

    /// Returns what is left of a portal of a polygon that obstacles cut.
    #[inline]
    pub(crate) fn cut_portal(&self, portal: PortalId) -> Option<&CutPortal> {
        let cuts = self.cuts.as_ref()?;
        cuts.of_portals.at(portal.index()).as_deref()
    }

    /// Iterates over all portals of polygons that are cut, and over what is left of them.
    pub(crate) fn cut_portals(&self) -> impl Iterator<Item = (PortalId, &CutPortal)> {
        let owners = self
            .cuts
            .iter()
            .flat_map(|cuts| cuts.overlay_portals.owners());
        owners.filter_map(|owner| match owner {
            PortalOwner::Portal(cut) => Some((cut.portal, &**cut)),
            PortalOwner::Polygon(_) => None,
        })
    }

    /// Iterates over all polygons that are cut.
    pub(crate) fn cut_polygons(&self) -> impl Iterator<Item = &CutPolygon> {
        let owners = self.cuts.iter().flat_map(|cuts| cuts.pieces.owners());
        owners.map(|cut| &**cut)
    }

    /// Returns this mesh with the obstacles of another version of it.
    pub(crate) fn with_obstacles_of(mut self, other: &Self) -> Self {
        self.cuts.clone_from(&other.cuts);
        self.links = other.links.clone();
        self
    }

    /// Returns the neighbours that a polygon has when there are no obstacles.
    pub(crate) fn original_neighbours(
        &self,
        polygon: PolygonId,
    ) -> impl Iterator<Item = PolygonId> {
        let portals = self.portals_of.get(polygon.index()).iter();
        portals.map(move |portal| self.portals[portal.index()].beyond(polygon))
    }

    /// Iterates over all polygons that can be walked on as a whole, and over the pieces of the others.
    pub fn walkable(&self) -> impl Iterator<Item = PolygonId> {
        self.polygons().flat_map(move |polygon| {
            let cut = self.cut(polygon);
            let itself = cut.is_none().then_some(polygon);
            itself
                .into_iter()
                .chain(cut.into_iter().flat_map(CutPolygon::pieces))
        })
    }

    /// Iterates over all portals between [walkable](Self::walkable) polygons.
    pub fn walkable_portals(&self) -> impl Iterator<Item = &Portal> {
        let whole = (0..).map(PortalId).zip(self.portals());
        let whole = whole.filter(|&(id, _)| self.cut_portal(id).is_none());
        let owners = self
            .cuts
            .iter()
            .flat_map(|cuts| cuts.overlay_portals.owners());
        let parts = owners.flat_map(PortalOwner::portals);
        whole.map(|(_, portal)| portal).chain(parts)
    }

    /// Returns a number above the id of every polygon and every piece.
    pub(crate) fn polygon_slots(&self) -> usize {
        match &self.cuts {
            None => self.polygons.len(),
            Some(cuts) => cuts.polygon_slots(),
        }
    }

    #[cold]
    fn no_element(&self, what: &str, id: u32) -> ! {
        panic!("there is no {what} {id} in this version of the mesh")
    }

    #[inline(never)]
    fn piece(&self, polygon: PolygonId) -> (&CutPolygon, usize) {
        let found = self.cuts.as_ref().and_then(|cuts| cuts.piece(polygon));
        found.unwrap_or_else(|| self.no_element("polygon", polygon.0))
    }

    /// Returns the corners of a piece.
    pub(super) fn piece_corners(&self, polygon: PolygonId) -> &[u32] {
        let (cut, at) = self.piece(polygon);
        cut.corners.get(at)
    }

    /// Returns a corner of a piece.
    #[inline(never)]
    pub(super) fn piece_vertex(&self, vertex: u32) -> Vec3 {
        let found = self.cuts.as_ref().and_then(|cuts| {
            let (cut, at) = cuts.corners.get(vertex as usize - cuts.vertices)?;
            cut.points.get(at).copied()
        });
        found.unwrap_or_else(|| self.no_element("vertex", vertex))
    }

    /// Returns a portal of a piece.
    #[inline(never)]
    pub(super) fn piece_portal(&self, portal: PortalId) -> &Portal {
        let found = self
            .cuts
            .as_ref()
            .and_then(|cuts| cuts.overlay_portal(portal.index() - cuts.portals));
        found.unwrap_or_else(|| self.no_element("portal", portal.0))
    }

    /// Returns the portals of a polygon or of a piece, in a mesh with obstacles.
    #[inline(never)]
    pub(super) fn portals_of_cut<'a>(
        &'a self,
        cuts: &'a Cuts,
        polygon: PolygonId,
    ) -> &'a [PortalId] {
        match cuts.lists.at(polygon.index()) {
            Some(list) => list,
            None if polygon.index() < self.polygons.len() => self.portals_of.get(polygon.index()),
            None => self.no_element("polygon", polygon.0),
        }
    }

    /// Returns the piece that a point of a polygon lies in; the polygon itself if it is not cut, and `None` if an
    /// obstacle covers the point.
    pub(crate) fn piece_at(&self, polygon: PolygonId, point: Vec3) -> Option<PolygonId> {
        match self.cut(polygon) {
            None => Some(polygon),
            Some(cut) => cut.pieces().find(|&piece| self.contains_xz(piece, point)),
        }
    }

    /// Calls `visit` with every polygon, cut or not, whose box in plan meets that of a block, at heights that the block
    /// may close.
    pub(crate) fn for_each_under(&self, block: &Block, mut visit: impl FnMut(PolygonId)) {
        let points = block.outline.iter();
        let (low, high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
        let bounds = crate::geometry::Aabb {
            min: Vec3::new(low.x as f32, block.bottom, low.y as f32),
            max: Vec3::new(high.x as f32, block.top, high.y as f32),
        };
        // Rounding to `f32` may move a corner.
        let margin = bounds.max.abs().max(bounds.min.abs()) * f32::EPSILON;
        self.tree
            .for_each_near(bounds.grown(margin), |item| visit(PolygonId(item)));
    }
}
