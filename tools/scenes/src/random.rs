//! The one generator of random numbers.
//! It computes with whole numbers, so that a seed gives the same numbers on every platform.

use glam::{Vec2, vec2};
use oorandom::Rand32;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Rand32);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Rand32::new(seed))
    }

    /// One of many independent streams of a seed. Parts of a scene draw from streams of their own,
    /// so that a change to one part leaves the others as they were.
    pub fn stream(seed: u64, purpose: u64) -> Self {
        Self::new(stream_seed(seed, purpose))
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.rand_u32()
    }

    /// A number from 0 up to 1, without 1.
    pub fn unit(&mut self) -> f32 {
        self.0.rand_float()
    }

    /// A number from `low` up to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `end`, which is at least 1.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0.rand_range(0..end)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// One of some items. [Limit: at least one]
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// A unit vector in any direction: a random point of the unit disc, normalized.
    pub fn direction(&mut self) -> Vec2 {
        loop {
            let point = vec2(self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// Puts items into random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let pick = self.below(end as u32 + 1) as usize;
            items.swap(end, pick);
        }
    }
}

/// The seed of stream `purpose` of a seed.
pub(crate) fn stream_seed(seed: u64, purpose: u64) -> u64 {
    mix(seed ^ mix(purpose))
}

/// The finalizer of SplitMix64: a bijection in which every bit of the input flips about half of
/// the output (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
