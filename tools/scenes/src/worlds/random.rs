//! Independent streams of random numbers out of one seed, and choices made with them.

use oorandom::Rand32;

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
    let floor_seed = mix(seed ^ mix(((purpose as u64) << 32) | u64::from(floor)));
    mix(floor_seed.wrapping_add(element))
}

/// The numbers themselves.
pub(super) fn stream(seed: u64, purpose: Use, floor: u32, element: u64) -> Rand32 {
    Rand32::new(stream_seed(seed, purpose, floor, element))
}

/// The finalizer of SplitMix64: a bijection in which every bit of the input flips about half of
/// the output (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number from `low` up to `high`.
pub(super) fn between(random: &mut Rand32, low: f32, high: f32) -> f32 {
    low + (high - low) * random.rand_float()
}

/// Fisher-Yates.
pub(crate) fn shuffle<T>(random: &mut Rand32, items: &mut [T]) {
    for end in (1..items.len()).rev() {
        let pick = random.rand_range(0..end as u32 + 1) as usize;
        items.swap(end, pick);
    }
}

/// Takes a given amount out of a sequence of items whose sum is known, evenly at random.
///
/// An item is taken with probability `wanted / remaining`, both of them counted down on the way
/// (Knuth's algorithm S, with weights). With weights of 1 the amount is met exactly, otherwise it
/// is missed by less than one item.
pub(super) struct Quota {
    wanted: usize,
    remaining: usize,
    random: Rand32,
}

impl Quota {
    pub(super) fn new(wanted: usize, sum: usize, random: Rand32) -> Self {
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
        let scaled = u128::from(self.random.rand_u32()) * self.remaining as u128;
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
            let mut quota = Quota::new(wanted, sum, Rand32::new(5));
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
