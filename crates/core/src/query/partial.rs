//! The nearest place to a goal that cannot be reached.

use super::{Outcome, Search};
use crate::geometry::distance;
use crate::graph::{CostModel, DirectedSample, SampleSide};
use crate::ids::SampleId;
use crate::navmesh::Location;
use crate::search::SearchLabels;

/// The vertex nearest to the goal of all that a search settled; `None` is the start itself.
pub(super) struct Nearest {
    distance: f32,
    cost: f32,
    vertex: Option<SampleId>,
}

impl Nearest {
    pub(super) fn new(search: &Search<'_>) -> Self {
        let distance = distance(search.start.point, search.goal.point);
        Self {
            distance,
            cost: 0.0,
            vertex: None,
        }
    }

    /// Looks at a settled vertex. Nearer wins, then cheaper, then the lower number, so the order
    /// of looking does not matter.
    #[inline]
    pub(super) fn look(&mut self, search: &Search<'_>, vertex: SampleId, cost: f32) {
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

    /// Ends the path at that vertex, or on either side of it, wherever it is nearest to the goal in
    /// space without costing too much.
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
                // Halfway between two centres need not be on either polygon, and in plan nothing is.
                CostModel::Published | CostModel::Plan => search.mesh.nearest_on(polygon, from),
            };
            let beyond = search.mesh.nearest_on(polygon, search.goal.point);
            for point in [from, beyond] {
                let [here, there] = [from, point].map(|point| model.seen(point));
                let rest = distance(here, there) * search.prices.factor(search.mesh, polygon);
                let left = distance(there, search.goal.point);
                let is_affordable = self.cost + rest <= search.limits.max_cost;
                if is_affordable && best.is_none_or(|(least, ..)| left < least) {
                    best = Some((left, self.cost + rest, Location { polygon, point }));
                }
            }
        }
        match best {
            Some((_, cost, end)) => Outcome::Partial { cost, end },
            // Only where not even standing still is affordable: a limit below 0.
            None => Outcome::NoPath,
        }
    }
}
