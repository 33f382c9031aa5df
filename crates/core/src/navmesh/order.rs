//! Renumbers the polygons of a mesh.

use super::build::renumber_vertices;
use super::portals::portals_of;
use super::{NavMesh, Portal, portals};
use crate::array::Array;
use crate::ids::PolygonId;

impl NavMesh {
    /// Reorders the polygons: the new polygon `i` is the old polygon `order[i]`. Portals and vertices
    /// are reordered with them. With the order of [`Partition::order`](crate::Partition::order),
    /// everything that belongs to one node is contiguous in memory. Links keep their ids, polygons
    /// keep their user ids, and the location tree keeps its boxes.
    ///
    /// Query results stay the same except for ties, which the lower id wins.
    ///
    /// # Panics
    /// Panics unless `order` contains every polygon exactly once.
    pub fn in_order(self, order: &[u32]) -> Self {
        let new_ids = new_ids(order, self.polygon_count());
        let new_id = |polygon: PolygonId| PolygonId(new_ids[polygon.index()]);
        let (used, polygons) =
            renumber_vertices(self.vertices.len(), order, |i| self.polygons.get(i));
        let mut portals = self.portals.to_vec();
        for portal in &mut portals {
            // `Portal::new` puts the lower id first and swaps right and left if needed.
            let [from, to] = portal.polygons.map(new_id);
            *portal = Portal::new(from, to, portal.right, portal.left);
        }
        portals::sort(&mut portals);
        assert!(
            !self.has_changes() && self.topology() == 0,
            "a mesh is renumbered before it changes at run time"
        );
        let mut links = self.links.to_vec();
        for link in &mut links {
            link.polygons = link.polygons.map(new_id);
        }
        Self {
            vertices: used.iter().map(|&v| self.vertices[v as usize]).collect(),
            polygons: polygons.into(),
            areas: reordered(&self.areas, order),
            flags: reordered(&self.flags, order),
            user_ids: order
                .iter()
                .map(|&polygon| self.user_ids.get(polygon as usize))
                .collect(),
            height_ranges: reordered(&self.height_ranges, order),
            surface_webs: self.surface_webs.reordered(order),
            heights: self
                .heights
                .reordered(order.iter().map(|&polygon| polygon as usize)),
            portals_of: portals_of(order.len(), &portals),
            portals: portals.into(),
            links: links.into(),
            components: self.components.in_order(order),
            tree: self.tree.renumbered(&new_ids),
            repairs: self.repairs,
            conditions: Default::default(),
            cuts: None,
            gone: Default::default(),
        }
    }
}

/// Returns the new id of each old polygon.
fn new_ids(order: &[u32], polygons: usize) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    assert!(
        order.len() == polygons,
        "the order has {} entries, but the mesh has {polygons} polygons",
        order.len()
    );
    let mut new_ids = vec![NONE; polygons];
    for (new_id, &polygon) in order.iter().enumerate() {
        let slot = new_ids.get_mut(polygon as usize);
        let slot = slot.unwrap_or_else(|| {
            panic!("the order contains polygon {polygon}, but the mesh has {polygons} polygons")
        });
        assert!(*slot == NONE, "the order contains polygon {polygon} twice");
        *slot = new_id as u32;
    }
    new_ids
}

fn reordered<T: Copy + Send + Sync>(list: &[T], order: &[u32]) -> Array<T> {
    order
        .iter()
        .map(|&polygon| list[polygon as usize])
        .collect()
}
