//! Recomputes prices and bounding boxes after an edit of the ground.

use std::collections::BTreeSet;

use super::{EntryPricing, Extent, LowGraph, Meshes, NO_MESH, NO_TRIANGLE};

impl Meshes {
    /// Recomputes what depends on the crossings and the bounding boxes of some triangles. Affected are the ancestors of
    /// these triangles and of their neighbours. `graph` contains the new prices and boxes. Returns the High Meshes
    /// among whose children a search may now find another path, in ascending order.
    pub(crate) fn reprice(&mut self, graph: &LowGraph, triangles: &[u32]) -> Vec<u32> {
        let mut ancestors = BTreeSet::new();
        for &triangle in triangles {
            let (neighbours, _) = graph.crossings(triangle);
            let around = neighbours.into_iter().chain([triangle]);
            for triangle in around.filter(|&triangle| triangle != NO_TRIANGLE) {
                let mut at = self.parents[self.lows[triangle as usize] as usize];
                while at != NO_MESH && ancestors.insert(at) {
                    at = self.parents[at as usize];
                }
            }
        }
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        for &triangle in triangles {
            let low = self.low(triangle);
            if self.set_extent(low, graph.extent(triangle)) {
                changed.insert(self.parent(low));
            }
        }
        let mut pricing = EntryPricing::default();
        let mut arcs = Vec::new();
        // The set is sorted, so children are visited before their parents.
        for high in ancestors {
            if self.price(graph, high, &mut pricing, &mut arcs) {
                changed.insert(high);
            }
            let children = self.children(high).iter();
            let extents = children.map(|&child| self.extent(child));
            let extent = extents.fold(Extent::EMPTY, Extent::union);
            if self.set_extent(high, extent) && high != self.root() {
                changed.insert(self.parent(high));
            }
        }
        changed.into_iter().collect()
    }

    /// Recomputes everything that depends on prices or bounding boxes.
    pub(crate) fn reprice_all(&mut self, graph: &LowGraph) {
        let triangles: Vec<u32> = (0..self.low_count() as u32).collect();
        self.reprice(graph, &triangles);
    }

    /// Sets the bounding box of a mesh, and returns whether it was different.
    fn set_extent(&mut self, mesh: u32, extent: Extent) -> bool {
        std::mem::replace(&mut self.extents[mesh as usize], extent) != extent
    }
}
