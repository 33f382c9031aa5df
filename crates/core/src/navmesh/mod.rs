//! Validated convex polygons with portals, links, heights and a location tree.

mod build;
mod components;
mod error;
mod links;
mod locate;
mod options;
mod order;
mod parts;
mod portals;
mod raw;
mod relief;
mod surface;
mod tree;
mod validate;

use glam::Vec3;

pub use components::{Components, KeepComponents};
pub use error::NavMeshError;
pub use links::Link;
pub use locate::Location;
pub use options::{BorderMatching, NavMeshOptions};
pub use parts::{NavMeshParts, PartsError};
pub use portals::Portal;
pub use raw::{RawHeights, RawLink, RawNavMesh};
pub use surface::Heights;
pub use tree::{BoxTree, TreeChild, TreeNode};

use relief::Relief;

use crate::csr::Csr;
use crate::geometry::Aabb;
use crate::ids::{LinkId, PolygonId, PortalId};

/// A checked navigation mesh. Immutable; share it by reference.
///
/// Invariants, established by [`NavMesh::build`] and relied on everywhere:
/// - every polygon has at least 3 corners, is convex within the tolerance it was built with, has
///   area, and goes around counter-clockwise in (x, z), x to the right and z up;
/// - per-polygon lists have one entry a polygon; every id and index is in range; every number is
///   finite;
/// - a portal lies on a border of both its polygons, which differ; `polygons[0] < polygons[1]`;
/// - every polygon is in one place of the location tree. [`NavMesh::build`] numbers them in its
///   order, [`NavMesh::in_order`] in any other;
/// - vertices are numbered by first use, components by their lowest polygon, and portals are
///   ordered by their polygons.
#[derive(Clone, Debug, PartialEq)]
pub struct NavMesh {
    vertices: Vec<Vec3>,
    polygons: Csr<u32>,
    areas: Vec<u8>,
    flags: Vec<u16>,
    user_ids: Vec<u64>,
    heights: Heights,
    /// Derived from those.
    reliefs: Vec<Relief>,
    portals: Vec<Portal>,
    /// Per polygon, its portals in ascending order. Derived from those.
    portals_of: Csr<PortalId>,
    links: Vec<Link>,
    components: Components,
    tree: BoxTree,
    repairs: Repairs,
}

/// What [`NavMesh::build`] put right or left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Polygons left out because they have no area in (x, z).
    pub without_area: u32,
    /// Polygons that were turned to go around counter-clockwise.
    pub rewound: u32,
    /// Corners left out because they repeat the one before.
    pub repeated_corners: u32,
    /// Links left out because an end has no polygon near it.
    pub links_off_mesh: u32,
    /// Pairs of polygons on the same side of a common border, which are not connected there.
    pub folds: u32,
}

impl Repairs {
    /// Both together.
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
    /// The number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// All polygons, in order.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = PolygonId> + use<> {
        (0..self.polygons.len()).map(PolygonId::new)
    }

    /// The corner points that [`corners`](Self::corners) refers to.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The corners of a polygon as indices of [`vertices`](Self::vertices), counter-clockwise in
    /// (x, z).
    #[inline]
    pub fn corners(&self, polygon: PolygonId) -> &[u32] {
        self.polygons.get(polygon.index())
    }

    /// The corner points of a polygon.
    #[inline]
    pub fn corner_points(&self, polygon: PolygonId) -> impl ExactSizeIterator<Item = Vec3> + Clone {
        self.corners(polygon)
            .iter()
            .map(|&v| self.vertices[v as usize])
    }

    /// The borders of a polygon, each from one corner to the next.
    #[inline]
    pub fn borders(&self, polygon: PolygonId) -> impl ExactSizeIterator<Item = [Vec3; 2]> {
        let corners = self.corners(polygon);
        (0..corners.len()).map(move |i| {
            let next = if i + 1 == corners.len() { 0 } else { i + 1 };
            [
                self.vertices[corners[i] as usize],
                self.vertices[corners[next] as usize],
            ]
        })
    }

    /// The kind of ground of a polygon.
    #[inline]
    pub fn area(&self, polygon: PolygonId) -> u8 {
        self.areas[polygon.index()]
    }

    /// The caller's bits of a polygon.
    #[inline]
    pub fn flags(&self, polygon: PolygonId) -> u16 {
        self.flags[polygon.index()]
    }

    /// The caller's name of a polygon.
    #[inline]
    pub fn user_id(&self, polygon: PolygonId) -> u64 {
        self.user_ids[polygon.index()]
    }

    /// The polygon that the caller calls `user_id`, the lowest if there are several. Looks at one
    /// after the other: whoever asks often keeps a map made from [`user_ids`](Self::user_ids).
    pub fn polygon_of(&self, user_id: u64) -> Option<PolygonId> {
        self.user_ids
            .iter()
            .position(|&id| id == user_id)
            .map(PolygonId::new)
    }

    /// The polygon's area in (x, z), in square metres.
    pub fn polygon_area(&self, polygon: PolygonId) -> f64 {
        let mut points = self.corner_points(polygon);
        let Some(first) = points.next() else {
            return 0.0;
        };
        let rest = points.clone().skip(1);
        points
            .zip(rest)
            .map(|(a, b)| crate::geometry::orientation(first, a, b) / 2.0)
            .sum()
    }

    /// The mean of a polygon's corners.
    pub fn centre(&self, polygon: PolygonId) -> Vec3 {
        let points = self.corner_points(polygon);
        let count = points.len() as f32;
        points.sum::<Vec3>() / count
    }

    /// All portals, ordered by their polygons.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// The portals of a polygon, in ascending order.
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
        self.portals_of.get(polygon.index())
    }

    /// One portal.
    #[inline]
    pub fn portal(&self, portal: PortalId) -> &Portal {
        &self.portals[portal.index()]
    }

    /// All off-mesh links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// One link.
    #[inline]
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// Which polygons hang together.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// What was put right when this mesh was built.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + self.polygons.bytes()
            + size_of_val(&self.areas[..])
            + size_of_val(&self.flags[..])
            + size_of_val(&self.user_ids[..])
            + self.heights.vertices.bytes()
            + self.heights.triangles.bytes()
            + size_of_val(&self.reliefs[..])
            + size_of_val(&self.portals[..])
            + self.portals_of.bytes()
            + size_of_val(&self.links[..])
            + self.components.bytes()
            + self.tree.bytes()
    }
}
