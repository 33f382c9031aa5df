//! The nearest place to a goal that cannot be reached.

use super::scratch::Labels;
use super::{Outcome, Search};
use crate::geometry::distance;
use crate::graph::{Side, Step};
use crate::ids::SampleId;
use crate::navmesh::Location;

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

    /// Ends the path on the polygon beyond that vertex, as near to the goal as it reaches.
    pub(super) fn outcome(
        self,
        search: &Search<'_>,
        labels: &Labels,
        trail: &mut Vec<Step>,
    ) -> Outcome {
        labels.trail(self.vertex, trail);
        let (from, polygon) = match self.vertex {
            None => (search.start.point, search.start.polygon),
            Some(vertex) => {
                let onward = labels.known(vertex).onward();
                let sides = [onward, 1 - onward].map(|side| search.graph.side(vertex, side));
                let open = sides.into_iter().find_map(|side| match side {
                    Side::Polygon(polygon) if search.costs.allows(search.mesh, polygon) => {
                        Some(polygon)
                    }
                    _ => None,
                });
                // One side was walked on to get here, or is where a link ended.
                (
                    search.graph.position(vertex),
                    open.unwrap_or(search.start.polygon),
                )
            }
        };
        let point = search.mesh.nearest_on(polygon, search.goal.point);
        let rest = distance(from, point) * search.costs.factor(search.mesh, polygon);
        Outcome::Partial {
            cost: self.cost + rest,
            end: Location { polygon, point },
        }
    }
}
