//! The random number generator of all scenes. It computes with integers, so a seed gives the same numbers
//! on every platform.

use glam::{Vec2, vec2};
use oorandom::Rand32;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Rand32);

impl Random {
    /// Creates a stream from a seed.
    pub fn new(seed: u64) -> Self {
        Self(Rand32::new(seed))
    }

    /// Creates one of many independent streams of a seed. Each part of a scene uses a stream of its own, so
    /// a change to one part does not change the others.
    pub fn stream(seed: u64, stream: u64) -> Self {
        Self::new(stream_seed(seed, stream))
    }

    /// Returns 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.rand_u32()
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub fn unit(&mut self) -> f32 {
        self.0.rand_float()
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns an integer below `end`. [Limit: `end` is at least 1]
    pub fn below(&mut self, end: u32) -> u32 {
        self.0.rand_range(0..end)
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Returns one of some items. [Limit: at least one item]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// Returns a unit vector in a random direction.
    pub fn direction(&mut self) -> Vec2 {
        loop {
            let point = vec2(self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// Shuffles items with the algorithm of Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let pick = self.below(end as u32 + 1) as usize;
            items.swap(end, pick);
        }
    }
}

/// Returns the seed of a stream.
pub(crate) fn stream_seed(seed: u64, stream: u64) -> u64 {
    mix(seed ^ mix(stream))
}

/// Applies the finalizer of SplitMix64, a bijection in which every input bit flips about half of the
/// output bits (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
