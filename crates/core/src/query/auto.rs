//! The engine for who names none, at the fast tier: what [`World::resolve_engine`] leaves of it.
//!
//! The contraction is it, but first a little A* where start and goal are near. A contraction
//! walks from both to the root of its tree, however near they are; A* then settles a few vertices.
//! It does not know of a wall between them, so it may settle only so many.
//!
//! # The rule
//! A hop is the mean distance from one vertex of a polygon to the next. Start and goal are near when
//! they are as many hops apart, as the crow flies, as a twentieth of the vertices on the two chains, and
//! no more than eight: on a small world the chains are short, and A* has nothing to win. It may settle a
//! tenth of that number. The three numbers were chosen by trying on nav_test, lq_e1m1, vaduz, `rooms` and
//! `open`; on no world they were not chosen on have they been measured.
//! `cargo bench -p portolan-index --features metis --bench contraction` measures both, and `auto:fast`, by distance.
//!
//! Not at taut tiers: A* finds the least sum, which is not what they are for.
//!
//! [`World::resolve_engine`]: crate::World::resolve_engine

use super::{Observer, Outcome, Scratch, Search};
use crate::contraction::Contraction;
use crate::geometry::distance;

/// The most hops that are near.
const MOST_HOPS: f32 = 8.0;
/// Vertices on the chains for each hop that is near.
const A_HOP: f32 = 20.0;
/// Vertices on the chains for each that A* may settle.
const A_VERTEX: usize = 10;

impl Search<'_> {
    pub(super) fn auto(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let (contraction, _) = self.contracted();
        let apart = distance(self.start.point, self.goal.point);
        if apart <= MOST_HOPS * self.graph.hop() {
            let chains = self.chain_length(contraction);
            let is_near = apart * A_HOP <= chains as f32 * self.graph.hop();
            let outcome = is_near.then(|| self.astar_within(chains / A_VERTEX, scratch, observer));
            // Under a limit that a contraction's path just keeps, A* may end without one: it sums in
            // another order, so its cost is another by rounding. Only the contraction can say no.
            if let Some(Some(found @ Outcome::Found { .. })) = outcome {
                return found;
            }
        }
        self.contraction(scratch, observer)
    }

    /// Vertices on the chains of start and goal together, about.
    fn chain_length(&self, contraction: &Contraction) -> usize {
        let polygons = [self.start.polygon, self.goal.polygon];
        let first = polygons.map(|polygon| self.graph.samples_of(polygon).next());
        let depths = first.into_iter().flatten();
        depths.map(|vertex| contraction.depth_of(vertex.0)).sum()
    }
}
