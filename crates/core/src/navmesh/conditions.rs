//! What has changed about the ground since the mesh was built.

use super::gone::Gone;
use super::{Link, NavMesh};
use crate::ids::{LinkId, PolygonId};
use crate::paged::Paged;

/// Changes of the ground at run time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Conditions {
    /// Per polygon, a factor on the cost per metre of every profile; infinite where the ground is closed.
    factors: Paged<f32>,
    /// Per polygon, the version of the world in which it last changed.
    versions: Paged<u64>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            factors: Paged::new(1.0),
            versions: Paged::new(0),
        }
    }
}

impl Conditions {
    pub(super) fn bytes(&self) -> usize {
        self.factors.bytes() + self.versions.bytes()
    }

    /// Closes all polygons that are gone.
    pub(super) fn close_gone(&mut self, gone: &Gone, version: u64) {
        self.close_newly_gone(gone, &Gone::default(), version);
    }

    /// Notes that polygons are new in a version. Their ids may have been those of pieces of polygons before.
    pub(super) fn note(&mut self, polygons: std::ops::Range<usize>, version: u64) {
        for polygon in polygons {
            self.versions.set(polygon, version);
        }
    }

    /// Closes all polygons that are gone, and were not before.
    pub(super) fn close_newly_gone(&mut self, gone: &Gone, before: &Gone, version: u64) {
        for polygon in gone.polygons.changed() {
            if gone.polygons.get(polygon) && !before.polygons.get(polygon) {
                self.factors.set(polygon, f32::INFINITY);
                self.versions.set(polygon, version);
            }
        }
    }
}

/// The new properties of polygons and links, for [`NavMesh::with_changes`].
#[derive(Clone, Debug)]
pub(crate) struct GroundChanges<'a> {
    /// The version of the world to which the changes lead.
    pub(crate) version: u64,
    /// Polygons whose factor, area or flags changed, with the new factor.
    pub(crate) polygons: &'a [(PolygonId, f32)],
    /// Links that changed, with the new cost; infinite if the link is closed.
    pub(crate) links: &'a [(LinkId, f32)],
    /// The areas of all polygons, if one changed.
    pub(crate) areas: Option<Vec<u8>>,
    /// The flags of all polygons, if those of one changed.
    pub(crate) flags: Option<Vec<u16>>,
}

impl NavMesh {
    /// Returns the factor of a polygon on the cost per metre of every profile; infinite where a change at run time has
    /// closed the ground.
    #[inline]
    pub fn condition(&self, polygon: PolygonId) -> f32 {
        self.conditions.factors.get(self.whole(polygon).index())
    }

    /// Returns the version of the world in which a polygon last changed; 0 if it never has. A link that changes counts
    /// as a change of the polygons at both ends.
    ///
    /// A piece that does not exist any more has always just changed: this returns `u64::MAX`.
    pub fn changed_in(&self, polygon: PolygonId) -> u64 {
        match self.has_polygon(polygon) {
            true => self.conditions.versions.get(self.whole(polygon).index()),
            false => u64::MAX,
        }
    }

    /// Returns whether the ground of this mesh has changed at run time. Files do not store such changes.
    pub fn has_changes(&self) -> bool {
        !self.conditions.versions.is_unchanged()
    }

    /// Returns whether two meshes are one, apart from changes at run time.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        self.vertices.is_shared_with(&other.vertices)
            && self.portals.is_shared_with(&other.portals)
            && self.height_ranges.is_shared_with(&other.height_ranges)
    }

    /// Returns the polygons of the mesh as it was built whose area, flags or factor differ from those of another version of the mesh, in
    /// ascending order.
    pub(crate) fn polygons_unlike(&self, other: &Self) -> Vec<PolygonId> {
        let differs = |&polygon: &PolygonId| {
            self.area(polygon) != other.area(polygon)
                || self.flags(polygon) != other.flags(polygon)
                || self.condition(polygon) != other.condition(polygon)
        };
        let shares_areas = self.areas.is_shared_with(&other.areas);
        if !shares_areas || !self.flags.is_shared_with(&other.flags) {
            return self.polygons().filter(differs).collect();
        }
        let mut polygons = Vec::new();
        let [own, other_factors] = [self, other].map(|mesh| &mesh.conditions.factors);
        own.for_each_unshared(other_factors, |index| polygons.push(PolygonId::new(index)));
        polygons.retain(|polygon| polygon.index() < self.polygon_count() && differs(polygon));
        polygons
    }

    /// Returns this mesh with other properties of polygons and links. Everything else is shared.
    pub(crate) fn with_changes(&self, changes: GroundChanges<'_>) -> Self {
        let mut mesh = self.clone();
        if let Some(areas) = changes.areas {
            mesh.areas = areas.into();
        }
        if let Some(flags) = changes.flags {
            mesh.flags = flags.into();
        }
        let Conditions { factors, versions } = &mut mesh.conditions;
        for &(polygon, factor) in changes.polygons {
            factors.set(polygon.index(), factor);
            versions.set(polygon.index(), changes.version);
        }
        if !changes.links.is_empty() {
            let mut links = mesh.links.to_vec();
            for &(link, cost) in changes.links {
                let link: &mut Link = &mut links[link.index()];
                link.cost = cost;
                for polygon in link.polygons {
                    let polygon = self.whole(polygon);
                    versions.set(polygon.index(), changes.version);
                }
            }
            mesh.links = links.into();
        }
        mesh
    }
}
