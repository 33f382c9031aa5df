//! Polygons and links that were taken out of the mesh at run time.
//!
//! Polygons keep their ids when others are replaced, so the id of a polygon that is gone is never used again. What
//! remains of it is its outline. It has no portals, belongs to no component, is closed to every profile, and is not
//! in the location tree, so no search comes to it.

use super::NavMesh;
use crate::ids::{LinkId, PolygonId};
use crate::paged::Paged;

/// What is gone, and since when the mesh has its present shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gone {
    pub(super) polygons: Paged<bool>,
    pub(super) links: Paged<bool>,
    pub(super) polygon_count: usize,
    /// See [`NavMesh::topology`].
    pub(super) topology: u64,
}

impl Default for Gone {
    fn default() -> Self {
        Self {
            polygons: Paged::new(false),
            links: Paged::new(false),
            polygon_count: 0,
            topology: 0,
        }
    }
}

impl Gone {
    pub(super) fn bytes(&self) -> usize {
        self.polygons.bytes() + self.links.bytes()
    }

    /// Adds polygons and links, none of which may be gone already.
    pub(super) fn extend(&mut self, polygons: &[PolygonId], links: &[LinkId]) {
        for &polygon in polygons {
            self.polygons.set(polygon.index(), true);
        }
        for &link in links {
            self.links.set(link.index(), true);
        }
        self.polygon_count += polygons.len();
    }
}

impl NavMesh {
    /// Returns whether a polygon was taken out of the mesh at run time: see
    /// [`LiveWorld::replace`](crate::LiveWorld::replace). Its id is never used again.
    #[inline]
    pub fn is_gone(&self, polygon: PolygonId) -> bool {
        self.gone.polygons.get(polygon.index())
    }

    /// Returns whether a link was taken out of the mesh at run time, because a polygon at one of its ends was.
    pub fn is_link_gone(&self, link: LinkId) -> bool {
        self.gone.links.get(link.index())
    }

    /// Returns the number of polygons that are gone. [`polygon_count`](Self::polygon_count) includes them.
    pub fn gone_count(&self) -> usize {
        self.gone.polygon_count
    }

    /// Returns the version of the world in which the mesh got its present shape; 0 if polygons were never replaced at
    /// run time. Portals have the same ids in meshes of the same topology only.
    #[inline]
    pub fn topology(&self) -> u64 {
        self.gone.topology
    }
}
