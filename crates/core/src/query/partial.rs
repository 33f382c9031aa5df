//! What a search of the mesh has found so far: a path to the goal, or to the nearest reachable point.

use super::{BestPath, Outcome, Scratch, Search};
use crate::geometry::distance;
use crate::graph::{CostModel, SampleSide};
use crate::ids::SampleId;
use crate::navmesh::Location;

/// The state of A* or of Dijkstra's algorithm between two expansions. Labels and heap are in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshSearch {
    pub(super) best: BestPath,
    /// Used only if partial paths are wanted.
    pub(super) nearest: NearestReached,
}

impl MeshSearch {
    /// Starts with the straight line within one polygon, and with the start itself as the nearest point.
    pub(super) fn new(search: &Search<'_>) -> Self {
        Self {
            best: BestPath {
                cost: search.straight_cost(),
                last: None,
            },
            nearest: NearestReached::new(search),
        }
    }

    /// Returns the best path so far and writes its trail to the scratch. It is the answer if the search has
    /// ended. The labels do not change, so the search can continue afterwards.
    pub(super) fn outcome(&self, search: &Search<'_>, scratch: &mut Scratch) -> Outcome {
        let Scratch { labels, trail, .. } = scratch;
        if self.best.cost < f32::INFINITY {
            labels.trail(self.best.last, trail);
            Outcome::Found {
                cost: self.best.cost,
            }
        } else if search.limits.partial {
            labels.trail(self.nearest.vertex, trail);
            self.nearest.outcome(search)
        } else {
            Outcome::NoPath
        }
    }
}

/// The settled vertex that is nearest to the goal; a `vertex` of `None` is the start.
#[derive(Clone, Copy, Debug)]
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

    /// Considers a reached vertex, and returns whether it is the nearest so far. The nearer one wins, then
    /// the cheaper one, then the lower id, so the result does not depend on the order of calls.
    #[inline]
    pub(super) fn consider(&mut self, search: &Search<'_>, vertex: SampleId, cost: f32) -> bool {
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
        is_better
    }

    /// Corrects the cost of the path to the nearest vertex.
    pub(super) fn set_cost(&mut self, cost: f32) {
        self.cost = cost;
    }

    /// Ends the path at the point nearest to the goal that is within the cost limit: the vertex, or a point
    /// in the polygons on its two sides.
    pub(super) fn outcome(&self, search: &Search<'_>) -> Outcome {
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
