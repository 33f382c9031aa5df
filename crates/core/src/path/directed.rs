//! Portals with a crossing direction.

use glam::Vec3;

use crate::ids::{PolygonId, PortalId};
use crate::navmesh::NavMesh;

/// A portal and the direction in which it is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DirectedPortal(u32);

impl DirectedPortal {
    /// Returns the crossing of `portal` that leaves the polygon `from`.
    #[inline]
    pub(crate) fn new(mesh: &NavMesh, portal: PortalId, from: PolygonId) -> Self {
        let is_second = mesh.portal(portal).polygons[0] != from;
        Self(portal.0 << 1 | u32::from(is_second))
    }

    /// Returns both directions of a portal: out of its first polygon, and out of its second.
    #[cfg(test)]
    pub(super) fn both(portal: PortalId) -> [Self; 2] {
        [0, 1].map(|side| Self(portal.0 << 1 | side))
    }

    /// Returns the directed portal with this [`index`](Self::index).
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns a number that is unique to this directed portal and less than twice the number of portals.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the portal without its direction.
    #[inline]
    pub(crate) fn portal(self) -> PortalId {
        PortalId(self.0 >> 1)
    }

    /// Returns the opposite direction.
    #[inline]
    pub(crate) fn back(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns the polygon that the crossing leaves.
    #[inline]
    pub(crate) fn from(self, mesh: &NavMesh) -> PolygonId {
        mesh.portal(self.portal()).polygons[(self.0 & 1) as usize]
    }

    /// Returns the polygon that the crossing enters.
    #[inline]
    pub(crate) fn to(self, mesh: &NavMesh) -> PolygonId {
        self.back().from(mesh)
    }

    /// Returns the right and the left end, as seen in the crossing direction.
    #[inline]
    pub(crate) fn ends(self, mesh: &NavMesh) -> [Vec3; 2] {
        let portal = mesh.portal(self.portal());
        // Directions are random, so a branch would be predicted wrongly half of the time.
        let (right, left) = std::hint::select_unpredictable(
            self.0 & 1 == 0,
            (&portal.right, &portal.left),
            (&portal.left, &portal.right),
        );
        [*right, *left]
    }

    /// Returns the left end, as seen in the crossing direction.
    #[inline]
    pub(crate) fn left(self, mesh: &NavMesh) -> Vec3 {
        self.ends(mesh)[1]
    }
}
