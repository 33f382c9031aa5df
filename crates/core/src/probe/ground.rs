//! The ground as such: neighbours, polygons by user id, and totals.

use super::Probe;
use crate::geometry::distance_xz;
use crate::ids::{PolygonId, PortalId};

/// An open polygon next to another, and the portal that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The polygon.
    pub polygon: PolygonId,
    /// The portal between the two.
    pub portal: PortalId,
}

/// The size of the ground that is open to an agent, and the length of its walls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// The number of open polygons.
    pub polygons: u32,
    /// The number of portals between open polygons.
    pub portals: u32,
    /// The size of the open polygons in (x, z). [Units: m²]
    pub area: f64,
    /// The length of all walls of open polygons in (x, z). [Units: m] A wall between two open polygons that no
    /// portal connects counts on each side.
    pub wall_length: f64,
}

impl<'a> Probe<'a> {
    /// Iterates over the open polygons next to a polygon, in the order of their portals. A neighbour comes twice
    /// if two portals lead to it.
    pub fn neighbours(&self, polygon: PolygonId) -> impl Iterator<Item = Neighbour> + use<'a> {
        let probe = *self;
        let portals = self.mesh.portals_of(polygon).iter();
        let neighbours = portals.map(move |&portal| Neighbour {
            polygon: probe.mesh.portal(portal).beyond(polygon),
            portal,
        });
        neighbours.filter(move |neighbour| probe.is_open(neighbour.polygon))
    }

    /// Finds the polygon with the given user id, open or closed, or the lowest one if several polygons have it. The
    /// first call on a world sorts the user ids of all polygons, and later calls search them by bisection.
    pub fn polygon_of(&self, user_id: u64) -> Option<PolygonId> {
        let ids = self.world.default_costs().cache().user_ids(self.mesh);
        let first = ids.partition_point(|&(id, _)| id < user_id);
        let &(id, polygon) = ids.get(first)?;
        (id == user_id).then_some(polygon)
    }

    /// Adds up the ground that is open to the agent, in one pass over the mesh.
    ///
    /// ```
    /// # use portolan_core::{NavMeshOptions, RawNavMesh, World};
    /// // One room of 4 m x 4 m.
    /// let mut raw = RawNavMesh::default();
    /// raw.vertices = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    ///     .map(|[x, z]| glam::vec3(x, 0.0, z))
    ///     .to_vec();
    /// raw.polygons.push([0, 1, 2, 3]);
    /// let world = World::build(raw, &NavMeshOptions::default())?;
    /// let totals = world.probe().totals();
    /// assert_eq!((totals.area, totals.wall_length), (16.0, 16.0));
    /// # Ok::<(), portolan_core::NavMeshError>(())
    /// ```
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for polygon in self
            .mesh
            .walkable()
            .filter(|&polygon| self.is_open(polygon))
        {
            totals.polygons += 1;
            totals.area += self.mesh.polygon_area(polygon);
            let lower = self
                .neighbours(polygon)
                .filter(|next| next.polygon < polygon);
            totals.portals += lower.count() as u32;
            self.for_each_wall(polygon, |[a, b]| totals.wall_length += distance_xz(a, b));
        }
        totals
    }
}
