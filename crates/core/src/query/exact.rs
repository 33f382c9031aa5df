//! Queries at the exact tier.

use super::{Observer, Outcome, Scratch, Search};
use crate::exact::ExactIndex;

impl<'a> Search<'a> {
    /// Finds the shortest path in plan. Its nodes are in the scratch; there is no trail.
    pub(super) fn exact(&self, scratch: &mut Scratch, observer: &mut impl Observer) -> Outcome {
        let ends = [self.start, self.goal];
        let max_cost = f64::from(self.limits.max_cost);
        let found = self
            .exact_index()
            .search(ends, max_cost, &mut scratch.exact, observer);
        match found {
            Some(cost) => Outcome::Found { cost: cost as f32 },
            None => Outcome::NoPath,
        }
    }

    /// Returns the exact tier.
    pub(super) fn exact_index(&self) -> &'a ExactIndex {
        self.exact
            .expect("the caller checked that there is an exact tier")
    }
}
