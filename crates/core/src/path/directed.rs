//! Portals with a direction.

use glam::Vec3;

use crate::ids::{PolygonId, PortalId};
use crate::navmesh::NavMesh;

/// A portal crossed one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directed(u32);

impl Directed {
    /// A portal crossed by who comes from this polygon.
    #[inline]
    pub(crate) fn new(mesh: &NavMesh, portal: PortalId, from: PolygonId) -> Self {
        let is_second = mesh.portal(portal).polygons[0] != from;
        Self(portal.0 << 1 | u32::from(is_second))
    }

    /// The two directions of a portal: out of its first polygon, and out of its second.
    pub(super) fn both(portal: PortalId) -> [Self; 2] {
        [0, 1].map(|side| Self(portal.0 << 1 | side))
    }

    /// By [`index`](Self::index).
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// A number of its own, below twice the number of portals.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn portal(self) -> PortalId {
        PortalId(self.0 >> 1)
    }

    /// The other way.
    #[inline]
    pub(crate) fn back(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The polygon that it leads out of.
    #[inline]
    pub(crate) fn from(self, mesh: &NavMesh) -> PolygonId {
        mesh.portal(self.portal()).polygons[(self.0 & 1) as usize]
    }

    /// The polygon that it leads into.
    #[inline]
    pub(crate) fn to(self, mesh: &NavMesh) -> PolygonId {
        self.back().from(mesh)
    }

    /// Right and left end.
    #[inline]
    pub(crate) fn ends(self, mesh: &NavMesh) -> [Vec3; 2] {
        let portal = mesh.portal(self.portal());
        match self.0 & 1 {
            0 => [portal.right, portal.left],
            _ => [portal.left, portal.right],
        }
    }

    #[inline]
    pub(crate) fn left(self, mesh: &NavMesh) -> Vec3 {
        self.ends(mesh)[1]
    }
}
