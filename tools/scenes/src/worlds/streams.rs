//! The random streams of a world, and random selections.

use crate::random::{self, Random, mix};

/// The purpose of a random stream. Each purpose has a stream of its own, so that an option that adds
/// something does not change the rest of the world.
#[derive(Clone, Copy)]
pub(super) enum StreamId {
    Spans,
    Furniture,
    Islands,
    Doors,
    DoorPosition,
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

/// Returns the seed of the stream of one element of a floor.
pub(super) fn stream_seed(seed: u64, id: StreamId, floor: u32, element: u64) -> u64 {
    let floor_seed = random::stream_seed(seed, ((id as u64) << 32) | u64::from(floor));
    mix(floor_seed.wrapping_add(element))
}

/// Returns the stream of one element of a floor.
pub(super) fn stream(seed: u64, id: StreamId, floor: u32, element: u64) -> Random {
    Random::new(stream_seed(seed, id, floor, element))
}

/// Selects random items from a sequence until their weights add up to a given amount.
///
/// An item is taken with the probability `wanted / remaining`. Its weight is then subtracted from `remaining`, and
/// also from `wanted` if it was taken (Knuth's algorithm S, with weights). If all weights are 1, the amount is met
/// exactly. Otherwise it deviates by less than one item.
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

    /// Returns whether the next item, with this weight, is taken.
    pub(super) fn take(&mut self, weight: usize) -> bool {
        if weight == 0 || self.remaining == 0 {
            return false;
        }
        // 32 random bits are compared with a 32-bit fraction in integers, without rounding.
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
    fn streams_differ_by_seed_purpose_floor_and_element() {
        let seeds = [
            stream_seed(1, StreamId::Doors, 0, 0),
            stream_seed(2, StreamId::Doors, 0, 0),
            stream_seed(1, StreamId::Links, 0, 0),
            stream_seed(1, StreamId::Doors, 1, 0),
            stream_seed(1, StreamId::Doors, 0, 1),
        ];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed));
        }
    }
}
