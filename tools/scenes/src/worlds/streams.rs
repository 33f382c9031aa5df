//! The streams of random numbers that a world draws from, and choices made with them.

use crate::random::{self, Random, mix};

/// What a stream of random numbers is for. Every use has its own stream, so that an option that
/// is switched on draws nothing from the others and leaves the rest of the world as it was.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Spans,
    Furniture,
    Islands,
    Doors,
    DoorPlace,
    Splits,
    Corners,
    Obstacle,
    Basins,
    Bays,
    Areas,
    AreaKinds,
    Links,
    Relief,
}

/// The seed of stream `element` of one floor.
pub(super) fn stream_seed(seed: u64, purpose: Use, floor: u32, element: u64) -> u64 {
    let floor_seed = random::stream_seed(seed, ((purpose as u64) << 32) | u64::from(floor));
    mix(floor_seed.wrapping_add(element))
}

/// Stream `element` of one floor.
pub(super) fn stream(seed: u64, purpose: Use, floor: u32, element: u64) -> Random {
    Random::new(stream_seed(seed, purpose, floor, element))
}

/// Takes a given amount out of a sequence of items whose sum is known, evenly at random.
///
/// An item is taken with probability `wanted / remaining`, both of them counted down on the way
/// (Knuth's algorithm S, with weights). With weights of 1 the amount is met exactly, otherwise it
/// is missed by less than one item.
pub(super) struct Quota {
    wanted: usize,
    remaining: usize,
    random: Random,
}

impl Quota {
    pub(super) fn new(wanted: usize, sum: usize, random: Random) -> Self {
        Self {
            wanted: wanted.min(sum),
            remaining: sum,
            random,
        }
    }

    /// Whether the next item, which weighs `weight`, is taken.
    pub(super) fn take(&mut self, weight: usize) -> bool {
        if weight == 0 || self.remaining == 0 {
            return false;
        }
        // 32 random bits against a fraction in 32 bits: no rounding, whatever the platform.
        let scaled = u128::from(self.random.bits()) * self.remaining as u128;
        let taken = scaled < (self.wanted as u128) << 32;
        self.remaining -= weight.min(self.remaining);
        if taken {
            self.wanted -= weight.min(self.wanted);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_of_equal_items_is_met_exactly() {
        for (wanted, sum) in [(0, 10), (3, 10), (10, 10), (12, 10), (417, 1000)] {
            let mut quota = Quota::new(wanted, sum, Random::new(5));
            let taken = (0..sum).filter(|_| quota.take(1)).count();
            assert_eq!(taken, wanted.min(sum));
        }
    }

    #[test]
    fn streams_differ_by_each_of_their_names() {
        let seeds = [
            stream_seed(1, Use::Doors, 0, 0),
            stream_seed(2, Use::Doors, 0, 0),
            stream_seed(1, Use::Links, 0, 0),
            stream_seed(1, Use::Doors, 1, 0),
            stream_seed(1, Use::Doors, 0, 1),
        ];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed));
        }
    }
}
