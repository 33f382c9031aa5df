//! The portal graph, as the rounds of an anytime search see it.

use super::rounds::AnytimeGraph;
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::query::Search;
use glam::Vec3;

/// The arcs of a search over the portal graph. They are those of A*.
pub(super) struct MeshArcs<'a>(pub(super) &'a Search<'a>);

impl MeshArcs<'_> {
    /// Calls `reach` with all vertices of a polygon.
    #[inline]
    fn within(
        &self,
        polygon: PolygonId,
        position: Vec3,
        cost: f32,
        mut reach: impl FnMut(DirectedSample, f32),
    ) {
        let search = self.0;
        let factor = search.prices.factor(search.mesh, polygon);
        if factor == f32::INFINITY {
            return;
        }
        let (position, length) = search.graph.branch_point(polygon, position);
        let cost = cost + length * factor;
        for exit in search.graph.exits(polygon) {
            reach(exit.step, cost + distance(position, exit.position) * factor);
        }
    }
}

impl AnytimeGraph for MeshArcs<'_> {
    fn vertex_count(&self) -> usize {
        self.0.graph.sample_count()
    }

    #[inline]
    fn lower_bound(&self, vertex: SampleId) -> f32 {
        let search = self.0;
        let length = distance(search.graph.position(vertex), search.goal.point);
        length * search.prices.heuristic_scale()
    }

    fn expand_start(&self, reach: impl FnMut(DirectedSample, f32)) {
        let start = self.0.start;
        self.within(start.polygon, start.point, 0.0, reach);
    }

    #[inline]
    fn expand(
        &self,
        from: DirectedSample,
        cost: f32,
        mut reach: impl FnMut(DirectedSample, f32),
    ) -> f32 {
        let search = self.0;
        match search.graph.side(from.sample(), from.far_side()) {
            SampleSide::Polygon(polygon) => {
                let position = search.graph.position(from.sample());
                self.within(polygon, position, cost, reach);
                match polygon == search.goal.polygon {
                    true => search.last_leg(cost, position),
                    false => f32::INFINITY,
                }
            }
            SampleSide::Link(link, end) => {
                let other = search.graph.link_end(link, 1 - end);
                let link = search.mesh.link(link);
                let is_open = end == 0 || link.both_ways;
                let link_cost = search.prices.link_cost(search.mesh, link);
                if let Some(link_cost) = link_cost.filter(|_| is_open) {
                    reach(DirectedSample::new(other, 0), cost + link_cost);
                }
                f32::INFINITY
            }
        }
    }
}
