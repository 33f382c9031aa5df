//! Partial paths: the nearest reachable point to a goal that cannot be reached.

use super::{Outcome, Search};
use crate::geometry::distance;
use crate::graph::{CostModel, DirectedSample, SampleSide};
use crate::ids::SampleId;
use crate::navmesh::Location;
use crate::search::SearchLabels;

/// The settled vertex that is nearest to the goal; a `vertex` of `None` is the start.
pub(super) struct NearestReached {
    distance: f32,
    cost: f32,
    vertex: Option<SampleId>,
}

impl NearestReached {
    /// Starts with the start itself.
    pub(super) fn new(search: &Search<'_>) -> Self {
        let distance = distance(search.start.point, search.goal.point);
        Self {
            distance,
            cost: 0.0,
            vertex: None,
        }
    }

    /// Considers a settled vertex. The nearer one wins, then the cheaper one, then the lower id, so the
    /// result does not depend on the order of calls.
    #[inline]
    pub(super) fn consider(&mut self, search: &Search<'_>, vertex: SampleId, cost: f32) {
        let distance = distance(search.graph.position(vertex), search.goal.point);
        let rank = (distance, cost).partial_cmp(&(self.distance, self.cost));
        let is_better = match rank {
            Some(std::cmp::Ordering::Equal) => self.vertex.is_some_and(|best| vertex < best),
            rank => rank.is_some_and(std::cmp::Ordering::is_lt),
        };
        if is_better {
            *self = Self {
                distance,
                cost,
                vertex: Some(vertex),
            };
        }
    }

    /// Ends the path at the point nearest to the goal that is within the cost limit: the vertex, or a point
    /// in the polygons on its two sides.
    pub(super) fn outcome(
        self,
        search: &Search<'_>,
        labels: &SearchLabels,
        trail: &mut Vec<DirectedSample>,
    ) -> Outcome {
        labels.trail(self.vertex, trail);
        let (from, sides) = match self.vertex {
            None => (search.start.point, [Some(search.start.polygon), None]),
            Some(vertex) => {
                let open = |side: usize| match search.graph.side(vertex, side) {
                    SampleSide::Polygon(polygon) => {
                        Some(polygon).filter(|&p| search.prices.allows(search.mesh, p))
                    }
                    SampleSide::Link(..) => None,
                };
                (search.graph.position(vertex), [open(0), open(1)])
            }
        };
        let mut best: Option<(f32, f32, Location)> = None;
        for polygon in sides.into_iter().flatten() {
            let model = search.graph.options().cost_model;
            let from = match model {
                CostModel::Portals => from,
                // The midpoint of two polygon centres may be on neither polygon, and a point in plan has no
                // height.
                CostModel::Published | CostModel::Plan => search.mesh.nearest_on(polygon, from),
            };
            let nearest = search.mesh.nearest_on(polygon, search.goal.point);
            for point in [from, nearest] {
                let [here, there] = [from, point].map(|point| model.cost_position(point));
                let leg_cost = distance(here, there) * search.prices.factor(search.mesh, polygon);
                let to_goal = distance(there, search.goal.point);
                let is_affordable = self.cost + leg_cost <= search.limits.max_cost;
                if is_affordable && best.is_none_or(|(best_distance, ..)| to_goal < best_distance) {
                    best = Some((to_goal, self.cost + leg_cost, Location { polygon, point }));
                }
            }
        }
        match best {
            Some((_, cost, end)) => Outcome::Partial { cost, end },
            // Even staying at the start is too expensive: the limit is negative.
            None => Outcome::NoPath,
        }
    }
}
