//! The costs between single pairs of vertices, for repairs of a contraction.

use super::{NO_POLYGON, Origin, PortalGraph};
use crate::geometry::distance;
use crate::ids::SampleId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

impl PortalGraph {
    /// Returns the cost between two vertices of a polygon in both directions, through whichever polygon or link is
    /// cheapest; infinite if all are closed.
    pub(crate) fn pair_costs(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        [a, b]: [SampleId; 2],
    ) -> [f32; 2] {
        let [of_a, of_b] = [a, b].map(|sample| self.samples[sample.index()].sides);
        let shared = of_a.into_iter().filter(|side| of_b.contains(side));
        let costs = shared.filter(|&side| side != NO_POLYGON).map(|polygon| {
            let factor = prices.factor(mesh, polygon);
            match factor < f32::INFINITY {
                // In the order of `edges`, so that the costs are the same bit by bit.
                true => {
                    let (branch, length) = self.branch_point(polygon, self.position(a));
                    (length + distance(branch, self.position(b))) * factor
                }
                false => f32::INFINITY,
            }
        });
        let cost = costs.fold(f32::INFINITY, f32::min);
        self.with_link_costs(mesh, prices, [a, b], cost)
    }

    /// Returns the costs between two vertices in both directions if they can be joined by a link, and at this cost over the
    /// ground.
    pub(super) fn with_link_costs(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        [a, b]: [SampleId; 2],
        cost: f32,
    ) -> [f32; 2] {
        match self.link_costs_at(mesh, prices, a) {
            Some((pair, link)) if pair == [a.0, b.0] => [cost.min(link[0]), cost.min(link[1])],
            Some((pair, link)) if pair == [b.0, a.0] => [cost.min(link[1]), cost.min(link[0])],
            _ => [cost; 2],
        }
    }

    /// Returns the two ends of the link that ends at a vertex, and its cost in both directions. Both ends may lie in one
    /// polygon, over which it may be cheaper to go. Returns `None` if the vertex is on a portal.
    fn link_costs_at(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        vertex: SampleId,
    ) -> Option<([u32; 2], [f32; 2])> {
        let Origin::LinkEnd(id, _) = self.origin(vertex) else {
            return None;
        };
        let link = mesh.link(id);
        let cost = prices.link_cost(mesh, link).unwrap_or(f32::INFINITY);
        let back = if link.both_ways { cost } else { f32::INFINITY };
        Some(([0, 1].map(|end| self.link_end(id, end).0), [cost, back]))
    }
}
