//! How much of a search runs before it pauses.

use std::time::{Duration, Instant};

/// The number of expansions between two readings of the clock. Reading it takes about as long as half an
/// expansion, so a search with a deadline is about a percent slower than one without.
const CLOCK_INTERVAL: usize = 32;

/// How much of a search runs before it pauses: a number of expansions, a time, or both.
///
/// Only the moment of the pause depends on the clock. The answer of a search does not depend on when, or how
/// often, it was paused.
///
/// ```
/// use std::time::Duration;
/// use portolan_core::Budget;
///
/// let half_a_millisecond = Budget::time(Duration::from_micros(500));
/// let both = Budget { expansions: 2_000, ..half_a_millisecond };
/// assert!(both.deadline.is_some());
/// assert_eq!(Budget::default(), Budget::UNLIMITED);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of vertices that the search may expand. [Default: unlimited] With 0 the search does
    /// nothing at all.
    pub expansions: usize,
    /// The time at which the search pauses. [Default: `None`] The clock is read after every 32 expansions, so
    /// even a deadline that has passed lets the search make progress.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// A budget that never ends: the search runs to its end.
    pub const UNLIMITED: Self = Self {
        expansions: usize::MAX,
        deadline: None,
    };

    /// Returns a budget of a number of expansions.
    pub fn expansions(expansions: usize) -> Self {
        Self {
            expansions,
            ..Self::UNLIMITED
        }
    }

    /// Returns a budget that ends after some time, counted from now.
    pub fn time(time: Duration) -> Self {
        Self {
            // A time beyond the range of the clock is unlimited.
            deadline: Instant::now().checked_add(time),
            ..Self::UNLIMITED
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// Decides whether a search continues. Searches are compiled for each implementation, so [`Unlimited`] costs
/// nothing.
pub(crate) trait Pace {
    /// Returns whether the search may expand one more vertex, and counts that vertex.
    fn allows_one(&mut self) -> bool;
}

/// The pace of a search that never pauses.
pub(crate) struct Unlimited;

impl Pace for Unlimited {
    #[inline(always)]
    fn allows_one(&mut self) -> bool {
        true
    }
}

/// The pace of a search that pauses when its [`Budget`] is spent.
pub(crate) struct Meter {
    /// The expansions until the clock is read or the budget is spent.
    slice: usize,
    /// The expansions after this slice.
    left: usize,
    deadline: Option<Instant>,
}

impl Meter {
    /// Starts to count. The first slice is granted without a look at the clock.
    pub(crate) fn new(budget: Budget) -> Self {
        let mut meter = Self {
            slice: 0,
            left: budget.expansions,
            deadline: budget.deadline,
        };
        meter.grant_slice();
        meter
    }

    fn grant_slice(&mut self) {
        self.slice = match self.deadline {
            Some(_) => self.left.min(CLOCK_INTERVAL),
            None => self.left,
        };
        self.left -= self.slice;
    }

    #[cold]
    fn renew(&mut self) -> bool {
        let is_in_time = |deadline: Instant| Instant::now() < deadline;
        if self.left == 0 || !self.deadline.is_none_or(is_in_time) {
            return false;
        }
        self.grant_slice();
        true
    }
}

impl Pace for Meter {
    #[inline]
    fn allows_one(&mut self) -> bool {
        if self.slice == 0 && !self.renew() {
            return false;
        }
        self.slice -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(budget: Budget) -> usize {
        let mut meter = Meter::new(budget);
        (0..1000).take_while(|_| meter.allows_one()).count()
    }

    #[test]
    fn a_budget_of_expansions_is_spent_exactly() {
        for count in [0, 1, CLOCK_INTERVAL, CLOCK_INTERVAL + 1, 999] {
            assert_eq!(granted(Budget::expansions(count)), count);
            let far = Budget {
                expansions: count,
                ..Budget::time(Duration::from_secs(3600))
            };
            assert_eq!(granted(far), count);
        }
        assert_eq!(granted(Budget::UNLIMITED), 1000);
        assert_eq!(granted(Budget::time(Duration::MAX)), 1000);
    }

    #[test]
    fn a_deadline_that_has_passed_allows_one_slice() {
        let late = Budget::time(Duration::ZERO);
        assert_eq!(granted(late), CLOCK_INTERVAL);
        let short = Budget {
            expansions: 3,
            ..late
        };
        assert_eq!(granted(short), 3);
    }
}
