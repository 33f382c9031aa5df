//! A navmesh before validation.

use glam::Vec3;

use crate::csr::Csr;

/// Polygons as a caller or a file supplies them. [`NavMesh::build`](crate::NavMesh::build) validates
/// them and reports the first invalid one.
///
/// Coordinates are in metres, with y up. Each optional list either has one entry per polygon or is
/// empty, which means the default for every polygon.
///
/// ```
/// use glam::vec3;
/// use portolan_core::RawNavMesh;
///
/// let mut raw = RawNavMesh::default();
/// raw.vertices = vec![vec3(0., 0., 0.), vec3(4., 0., 0.), vec3(4., 0., 4.), vec3(0., 0., 4.)];
/// raw.polygons.push([0, 1, 2, 3]);
/// assert_eq!(raw.polygons.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawNavMesh {
    /// The points that polygons refer to by index. [Units: m]
    pub vertices: Vec<Vec3>,
    /// Per polygon, the indices of its corners in order around it, clockwise or counter-clockwise.
    pub polygons: Csr<u32>,
    /// Per polygon, its area: the kind of ground. If empty, every area is 0.
    pub areas: Vec<u8>,
    /// Per polygon, the caller's flags. If empty, all flags are 1, as tools that filter by flags
    /// expect.
    pub flags: Vec<u16>,
    /// Per polygon, the caller's id. If empty, ids are indices.
    pub ids: Vec<u64>,
    /// Per polygon, its finer surface. If empty, heights are interpolated between the corners.
    pub heights: RawHeights,
    /// Off-mesh links.
    pub links: Vec<RawLink>,
}

/// Finer surfaces for some or all polygons, like Recast's detail mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawHeights {
    /// Per polygon, points besides its own corners. [Units: m]
    pub vertices: Csr<Vec3>,
    /// Per polygon, triangles that cover it. An index below the polygon's number of corners is a
    /// corner, counted as in [`RawNavMesh::polygons`]. Higher indices continue with the polygon's
    /// points in `vertices`. The heights of a polygon without triangles are interpolated between its
    /// corners.
    pub triangles: Csr<[u16; 3]>,
}

/// An off-mesh link before validation: a ladder, a jump, a teleporter.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLink {
    /// The start of the link. [Units: m]
    pub start: Vec3,
    /// The end of the link, at any distance from its start. [Units: m]
    pub end: Vec3,
    /// The indices of the polygons of `start` and `end`. `None` selects the nearest polygon within
    /// `snap`.
    pub polygons: [Option<u32>; 2],
    /// Half the size of the box in which the start and the end must have a polygon. [Units: m]
    /// [Default: [`DEFAULT_SNAP`](crate::DEFAULT_SNAP)] A link without polygons there is dropped and
    /// counted in [`Repairs::links_off_mesh`](crate::Repairs::links_off_mesh).
    pub snap: Vec3,
    /// The cost before the factor of `area`. [Limit: 0 to 4e8] With `None`, the cost is the length of
    /// the link.
    pub cost: Option<f32>,
    /// Whether the link can also be used from `end` to `start`.
    pub both_ways: bool,
    /// The area that a profile charges the link as.
    pub area: u8,
    /// The caller's flags.
    pub flags: u16,
    /// The caller's id of the link.
    pub id: u64,
}

impl Default for RawLink {
    fn default() -> Self {
        Self {
            start: Vec3::ZERO,
            end: Vec3::ZERO,
            polygons: [None; 2],
            snap: crate::DEFAULT_SNAP,
            cost: None,
            both_ways: false,
            area: 0,
            flags: 1,
            id: 0,
        }
    }
}
