//! The navigation mesh: validated convex polygons with portals, off-mesh links, heights and a tree
//! for point location.

mod around;
mod build;
mod components;
mod conditions;
mod cuts;
mod error;
mod gone;
mod height_range;
mod joints;
mod links;
mod locate;
mod options;
mod order;
mod overlap;
mod parts;
mod portals;
mod raw;
mod replace;
mod replacement;
mod stored;
mod surface;
mod surface_line;
mod surface_web;
mod tree;
mod user_ids;
mod validate;

use std::sync::Arc;

use glam::Vec3;

pub(crate) use around::PortalOnBorder;
pub use components::{Components, KeepComponents};
pub(crate) use conditions::GroundChanges;
pub(crate) use cuts::{
    Block, CUT_SAMPLES, CUT_TOLERANCE, CutCosts, Cuts, MovedSample, NumberedBlock,
};
pub use error::NavMeshError;
pub(crate) use links::AttachError;
pub use links::Link;
pub use locate::Location;
pub use options::{BorderMatching, NavMeshOptions};
pub use parts::{NavMeshParts, PartsError};
pub use portals::Portal;
pub use raw::{RawHeights, RawLink, RawNavMesh};
pub(crate) use replacement::CheckedReplacement;
pub use replacement::{Replacement, ReplacementError};
pub use surface::Heights;
pub(crate) use surface_line::{BreaksFound, PlanLine, PointsByLine};
pub(crate) use surface_web::RIM_DEVIATION;
pub use tree::{BoxTree, TreeChild, TreeNode};
pub(crate) use validate::MAX_COORDINATE;

use conditions::Conditions;
use gone::Gone;
use height_range::HeightRange;
use surface_web::SurfaceWebs;
use user_ids::UserIds;

use crate::array::Array;
use crate::csr::Lists;
use crate::geometry::Aabb;
use crate::ids::{LinkId, PolygonId, PortalId};

/// A validated navigation mesh. It is immutable and can be shared by reference between threads.
///
/// [`NavMesh::build`] establishes these invariants, and queries rely on them:
/// - Every polygon has at least 3 corners and a positive area. It is convex within
///   [`NavMeshOptions::convexity_tolerance`]. Its corners are in counter-clockwise order in (x, z),
///   with x to the right and z up.
/// - Per-polygon lists have one entry per polygon. Every id and index is in range. Every number is
///   finite.
/// - A portal lies on a border of each of its two polygons, and `polygons[0] < polygons[1]`.
/// - Every polygon is one leaf of the location tree. [`NavMesh::build`] numbers polygons in the order
///   of the leaves; [`NavMesh::in_order`] changes the numbers.
/// - Vertices are numbered by first use, components by their lowest polygon. Portals are sorted by
///   their polygons.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{DEFAULT_SNAP, NavMesh, NavMeshOptions, RawNavMesh};
///
/// let mut raw = RawNavMesh::default();
/// raw.vertices = [(0., 0.), (4., 0.), (4., 4.), (0., 4.), (9., 0.), (9., 4.)]
///     .map(|(x, z)| vec3(x, 0., z))
///     .to_vec();
/// raw.polygons.push([0, 1, 2, 3]);
/// raw.polygons.push([1, 4, 5, 2]);
/// let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
/// assert_eq!((mesh.polygon_count(), mesh.portals().len()), (2, 1));
///
/// let location = mesh.locate(vec3(7., 0.5, 2.), DEFAULT_SNAP, |_| true).expect("near the mesh");
/// assert_eq!(mesh.user_id(location.polygon), 1);
/// assert_eq!(location.point, vec3(7., 0., 2.));
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NavMesh {
    vertices: Array<Vec3>,
    polygons: Lists<u32>,
    areas: Array<u8>,
    flags: Array<u16>,
    user_ids: UserIds,
    heights: Heights,
    /// Per polygon, bounds on its heights. Derived from `vertices`, `heights` and `portals`.
    height_ranges: Array<HeightRange>,
    /// How the triangles of `heights` are connected. Derived from them.
    surface_webs: SurfaceWebs,
    portals: Array<Portal>,
    /// Per polygon, its portals in ascending order. Derived from `portals`.
    portals_of: Lists<PortalId>,
    links: Array<Link>,
    components: Components,
    tree: BoxTree,
    repairs: Repairs,
    /// What has changed at run time.
    conditions: Conditions,
    /// The polygons with obstacles in them.
    cuts: Option<Arc<Cuts>>,
    /// What was taken out at run time.
    gone: Gone,
}

/// Counts of the defects that [`NavMesh::build`] repaired or dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Polygons dropped because they have no area in (x, z).
    pub without_area: u32,
    /// Polygons whose corners were in clockwise order and were reversed.
    pub rewound: u32,
    /// Corners dropped because they repeat the corner before them.
    pub repeated_corners: u32,
    /// Links dropped because an endpoint has no polygon within its snap box.
    pub links_off_mesh: u32,
    /// Pairs of polygons that lie on the same side of a common border. They get no portal there.
    pub folds: u32,
}

impl Repairs {
    /// Returns the counts as numbers for files.
    pub fn words(self) -> [u32; 5] {
        let Self {
            without_area,
            rewound,
            repeated_corners,
            links_off_mesh,
            folds,
        } = self;
        [
            without_area,
            rewound,
            repeated_corners,
            links_off_mesh,
            folds,
        ]
    }

    /// Returns the counts that [`words`](Self::words) stand for.
    pub fn from_words(
        [
            without_area,
            rewound,
            repeated_corners,
            links_off_mesh,
            folds,
        ]: [u32; 5],
    ) -> Self {
        Self {
            without_area,
            rewound,
            repeated_corners,
            links_off_mesh,
            folds,
        }
    }

    /// Adds two sets of counts.
    fn plus(self, other: Self) -> Self {
        Self {
            without_area: self.without_area.saturating_add(other.without_area),
            rewound: self.rewound.saturating_add(other.rewound),
            repeated_corners: self.repeated_corners.saturating_add(other.repeated_corners),
            links_off_mesh: self.links_off_mesh.saturating_add(other.links_off_mesh),
            folds: self.folds.saturating_add(other.folds),
        }
    }
}

impl NavMesh {
    /// Returns the number of polygons, including those that [are gone](Self::is_gone). Pieces of polygons do not count.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// Iterates over the ids of all polygons in ascending order.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = PolygonId> + use<> {
        (0..self.polygons.len()).map(PolygonId::new)
    }

    /// Returns the points that [`corners`](Self::corners) refers to by index, without the corners of pieces: see
    /// [`vertex`](Self::vertex). [Units: m]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the corners of a polygon as indices into [`vertices`](Self::vertices), in
    /// counter-clockwise order in (x, z).
    #[inline]
    pub fn corners(&self, polygon: PolygonId) -> &[u32] {
        match polygon.index() < self.polygons.len() {
            true => self.polygons.get(polygon.index()),
            false => self.piece_corners(polygon),
        }
    }

    /// Returns the point that [`corners`](Self::corners) refers to by an index. [Units: m]
    #[inline]
    pub fn vertex(&self, vertex: u32) -> Vec3 {
        match self.vertices.get(vertex as usize) {
            Some(&point) => point,
            None => self.piece_vertex(vertex),
        }
    }

    /// Iterates over the positions of a polygon's corners, in counter-clockwise order in (x, z).
    #[inline]
    pub fn corner_points(
        &self,
        polygon: PolygonId,
    ) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + Clone {
        self.corners(polygon).iter().map(|&v| self.vertex(v))
    }

    /// Iterates over the borders of a polygon. Each border runs from a corner to the next one.
    #[inline]
    pub fn borders(&self, polygon: PolygonId) -> impl ExactSizeIterator<Item = [Vec3; 2]> {
        let corners = self.corners(polygon);
        (0..corners.len()).map(move |i| {
            let next = if i + 1 == corners.len() { 0 } else { i + 1 };
            [self.vertex(corners[i]), self.vertex(corners[next])]
        })
    }

    /// Returns the area of a polygon: the kind of ground that a profile assigns a cost to.
    #[inline]
    pub fn area(&self, polygon: PolygonId) -> u8 {
        self.areas[self.whole(polygon).index()]
    }

    /// Returns the caller's flags of a polygon.
    #[inline]
    pub fn flags(&self, polygon: PolygonId) -> u16 {
        self.flags[self.whole(polygon).index()]
    }

    /// Returns the caller's id of a polygon.
    #[inline]
    pub fn user_id(&self, polygon: PolygonId) -> u64 {
        self.user_ids.get(self.whole(polygon).index())
    }

    /// Finds the polygon with the given user id, or the lowest one if several polygons have it. Polygons that [are
    /// gone](Self::is_gone) are not found. This is a linear search. For many lookups, build a map from
    /// [`user_ids`](Self::user_ids).
    pub fn polygon_of(&self, user_id: u64) -> Option<PolygonId> {
        let mut polygons = self.polygons();
        polygons.find(|&polygon| self.user_id(polygon) == user_id && !self.is_gone(polygon))
    }

    /// Returns the size of a polygon in (x, z). [Units: m²]
    pub fn polygon_area(&self, polygon: PolygonId) -> f64 {
        let mut points = self.corner_points(polygon);
        let Some(first) = points.next() else {
            return 0.0;
        };
        let next_points = points.clone().skip(1);
        points
            .zip(next_points)
            .map(|(a, b)| crate::geometry::orientation(first, a, b) / 2.0)
            .sum()
    }

    /// Returns the mean of a polygon's corners.
    pub fn centre(&self, polygon: PolygonId) -> Vec3 {
        let points = self.corner_points(polygon);
        let count = points.len() as f32;
        points.sum::<Vec3>() / count
    }

    /// Returns all portals, sorted by their polygons.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// Returns the portals of a polygon in ascending order.
    ///
    /// ```
    /// # use portolan_core::{NavMesh, PolygonId};
    /// fn neighbours(mesh: &NavMesh, polygon: PolygonId) -> impl Iterator<Item = PolygonId> {
    ///     let portals = mesh.portals_of(polygon).iter();
    ///     portals.map(move |&portal| mesh.portal(portal).beyond(polygon))
    /// }
    /// ```
    #[inline]
    pub fn portals_of(&self, polygon: PolygonId) -> &[PortalId] {
        match &self.cuts {
            None => self.portals_of.get(polygon.index()),
            Some(cuts) => self.portals_of_cut(cuts, polygon),
        }
    }

    /// Returns the portal with the given id.
    #[inline]
    pub fn portal(&self, portal: PortalId) -> &Portal {
        match self.portals.get(portal.index()) {
            Some(portal) => portal,
            None => self.piece_portal(portal),
        }
    }

    /// Returns all off-mesh links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the off-mesh link with the given id.
    #[inline]
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// Returns the connected components of the mesh.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// Returns the bounding box of the mesh, including its finer surfaces.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// Returns the counts of defects that were repaired or dropped when this mesh was built.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }

    /// Returns the memory that this mesh uses on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + self.polygons.bytes()
            + size_of_val(&self.areas[..])
            + size_of_val(&self.flags[..])
            + self.user_ids.bytes()
            + self.heights.vertices.bytes()
            + self.heights.triangles.bytes()
            + size_of_val(&self.height_ranges[..])
            + self.surface_webs.bytes()
            + size_of_val(&self.portals[..])
            + self.portals_of.bytes()
            + size_of_val(&self.links[..])
            + self.components.bytes()
            + self.tree.bytes()
            + self.conditions.bytes()
            + self.gone.bytes()
    }
}
