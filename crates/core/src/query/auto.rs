//! The engine `auto` at the fast tier on a world with a contraction (see [`World::resolve_engine`]).
//!
//! If start and goal are near each other, it first tries A* with a small budget, and otherwise, or if that
//! fails, it queries the contraction. A contraction query climbs from both ends to the root of the
//! elimination tree, however near they are, while A* settles only a few vertices. A* does not know about
//! walls between start and goal, hence the budget.
//!
//! # The rule
//! Distances are measured in sample spacings, the mean distance between consecutive vertices of a polygon.
//! Start and goal are near if their straight-line distance is at most 8 spacings, and at most 1/20 of the
//! number of vertices on their two chains (a chain is the path from a vertex to the root of the elimination
//! tree). On small worlds the chains are short and A* has no advantage. A* may settle 1/10 of the number of
//! vertices on the chains. The three constants were tuned on nav_test, lq_e1m1, vaduz, `rooms` and `open`,
//! and have not been validated on other worlds. `cargo bench -p portolan-index --features metis --bench
//! contraction` measures A*, the contraction and `auto:fast` by distance.
//!
//! Taut tiers skip A*, because it minimizes the sum of arcs and not the taut cost.
//!
//! [`World::resolve_engine`]: crate::World::resolve_engine

use super::{Observer, Outcome, Scratch, Search};
use crate::contraction::Contraction;
use crate::geometry::distance;

/// The maximum distance between start and goal at which A* is tried. [Units: sample spacings]
const MAX_SPACINGS: f32 = 8.0;
/// The number of chain vertices required per sample spacing between start and goal.
const CHAIN_VERTICES_PER_SPACING: f32 = 20.0;
/// The number of chain vertices per vertex that A* may settle.
const CHAIN_VERTICES_PER_SETTLED: usize = 10;

impl Search<'_> {
    /// Tries A* if start and goal are near, then queries the contraction.
    pub(super) fn auto(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let (contraction, _) = self.contraction_parts();
        let apart = distance(self.start.point, self.goal.point);
        if apart <= MAX_SPACINGS * self.graph.sample_spacing() {
            let chains = self.chain_length(contraction);
            let is_near =
                apart * CHAIN_VERTICES_PER_SPACING <= chains as f32 * self.graph.sample_spacing();
            let outcome = is_near
                .then(|| self.astar_within(chains / CHAIN_VERTICES_PER_SETTLED, scratch, observer));
            // Only the contraction may report that there is no path. A* sums in another order, so its cost
            // differs by rounding, and it may miss a path that is just within the cost limit.
            if let Some(Some(found @ Outcome::Found { .. })) = outcome {
                return found;
            }
        }
        self.contraction(scratch, observer)
    }

    /// Returns the approximate number of vertices on the chains of start and goal together.
    fn chain_length(&self, contraction: &Contraction) -> usize {
        let polygons = [self.start.polygon, self.goal.polygon];
        let first = polygons.map(|polygon| self.graph.samples_of(polygon).next());
        let depths = first.into_iter().flatten();
        depths.map(|vertex| contraction.depth_of(vertex.0)).sum()
    }
}
