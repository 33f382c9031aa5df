//! The same mesh under other numbers.

use super::build::renumber_vertices;
use super::portals::portals_of;
use super::{NavMesh, Portal, portals};
use crate::ids::PolygonId;

impl NavMesh {
    /// The same mesh with its polygons in another order: polygon `i` is what `order[i]` was. Portals
    /// follow their polygons and vertices theirs, so after
    /// [`Partition::order`](crate::Partition::order) all that a node holds lies together. Links keep
    /// their numbers, user ids stay with their polygons, and the location tree keeps its boxes.
    ///
    /// Answers are the same but for ties, which the lower id wins.
    ///
    /// # Panics
    /// Unless `order` holds every polygon once.
    pub fn in_order(self, order: &[u32]) -> Self {
        let names = names(order, self.polygon_count());
        let named = |polygon: PolygonId| PolygonId(names[polygon.index()]);
        let (used, polygons) = renumber_vertices(self.vertices.len(), &self.polygons, order);
        let mut portals = self.portals;
        for portal in &mut portals {
            // A new portal puts the lower id first, and its ends as they are seen from there.
            let [from, to] = portal.polygons.map(named);
            *portal = Portal::new(from, to, portal.right, portal.left);
        }
        portals::sort(&mut portals);
        let mut links = self.links;
        for link in &mut links {
            link.polygons = link.polygons.map(named);
        }
        Self {
            vertices: used.iter().map(|&v| self.vertices[v as usize]).collect(),
            polygons,
            areas: picked(&self.areas, order),
            flags: picked(&self.flags, order),
            user_ids: picked(&self.user_ids, order),
            reliefs: picked(&self.reliefs, order),
            heights: self
                .heights
                .reordered(order.iter().map(|&polygon| polygon as usize)),
            portals_of: portals_of(order.len(), &portals),
            portals,
            links,
            components: self.components.in_order(order),
            tree: self.tree.renamed(&names),
            repairs: self.repairs,
        }
    }
}

/// What each polygon is called in the order.
fn names(order: &[u32], polygons: usize) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    assert!(
        order.len() == polygons,
        "an order of {} polygons for a mesh of {polygons}",
        order.len()
    );
    let mut names = vec![NONE; polygons];
    for (name, &polygon) in order.iter().enumerate() {
        let slot = names.get_mut(polygon as usize);
        let slot = slot.unwrap_or_else(|| panic!("the order holds polygon {polygon}"));
        assert!(*slot == NONE, "the order holds polygon {polygon} twice");
        *slot = name as u32;
    }
    names
}

fn picked<T: Copy>(list: &[T], order: &[u32]) -> Vec<T> {
    order
        .iter()
        .map(|&polygon| list[polygon as usize])
        .collect()
}
