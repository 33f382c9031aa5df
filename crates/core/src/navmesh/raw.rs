//! What a navmesh is before anybody has checked it.

use glam::Vec3;

use crate::csr::Csr;

/// Somebody's polygons, exactly as they came. [`NavMesh::build`](crate::NavMesh::build) checks
/// them and says which one is wrong.
///
/// Metres, y up. The optional lists are either empty, which stands for the default of every
/// polygon, or hold one entry a polygon.
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
    /// Corner points that polygons refer to by index.
    pub vertices: Vec<Vec3>,
    /// Per polygon, the indices of its corners in order around it, either way round.
    pub polygons: Csr<u32>,
    /// Per polygon, the kind of ground. Empty: all 0.
    pub areas: Vec<u8>,
    /// Per polygon, the caller's bits. Empty: all 1, as tools that filter by flags expect.
    pub flags: Vec<u16>,
    /// Per polygon, the caller's name for it. Empty: its index.
    pub ids: Vec<u64>,
    /// Per polygon, its finer surface. Empty: the polygons' own corners give the heights.
    pub heights: RawHeights,
    /// Off-mesh links.
    pub links: Vec<RawLink>,
}

/// A finer surface for some or all polygons, as Recast's detail mesh has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawHeights {
    /// Per polygon, points besides its own corners.
    pub vertices: Csr<Vec3>,
    /// Per polygon, triangles that cover it. An index below the polygon's number of corners is
    /// that corner, counted as in [`RawNavMesh::polygons`]; the rest count through `vertices`. A
    /// polygon without triangles takes its heights from its corners.
    pub triangles: Csr<[u16; 3]>,
}

/// A way that is not on the mesh: a ladder, a jump, a teleporter.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLink {
    /// Where it begins.
    pub start: Vec3,
    /// Where it leads, at any distance.
    pub end: Vec3,
    /// The polygons of `start` and `end` by index, where known. `None`: the nearest polygon within
    /// `snap`.
    pub polygons: [Option<u32>; 2],
    /// Half the size of the box in which an end looks for its polygon. A link with an end that has
    /// none is left out and counted.
    pub snap: Vec3,
    /// What it costs, before the factor of `area`. `None`: its length.
    pub cost: Option<f32>,
    /// Whether it can also be used from `end` to `start`.
    pub both_ways: bool,
    /// The kind of ground that it counts as.
    pub area: u8,
    /// The caller's bits.
    pub flags: u16,
    /// The caller's name for it.
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
