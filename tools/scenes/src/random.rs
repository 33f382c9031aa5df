//! Random numbers out of whole-number arithmetic: the same on every platform.

use glam::{Vec2, vec2};
use oorandom::Rand32;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(Rand32);

impl Random {
    /// Stream `purpose` of a seed. Parts of a scene draw from streams of their own, so that a
    /// change to one leaves the others as they were.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        Self(Rand32::new(mix(seed ^ mix(purpose))))
    }

    /// From `low` up to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.rand_float()
    }

    /// A number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0.rand_range(0..end)
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f32) -> bool {
        self.0.rand_float() < probability
    }

    /// One of them.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    /// A unit vector in any direction.
    pub(crate) fn direction(&mut self) -> Vec2 {
        loop {
            let point = vec2(self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// Fisher-Yates.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let pick = self.below(end as u32 + 1) as usize;
            items.swap(end, pick);
        }
    }
}

/// The finalizer of SplitMix64: a bijection in which every bit of the input flips about half of
/// the output (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Value noise: random values on a square lattice, smoothly blended in between. The result lies
/// in 0..=1 and its slope along each axis stays within 1.5 / `cell`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    seed: u64,
    cell: f32,
}

impl Noise {
    pub(crate) fn new(seed: u64, purpose: u64, cell: f32) -> Self {
        let seed = mix(seed ^ mix(purpose));
        Self { seed, cell }
    }

    pub(crate) fn at(&self, place: Vec2) -> f32 {
        let scaled = place / self.cell;
        let corner = scaled.floor();
        let part = scaled - corner;
        let (u, v) = (smooth_step(part.x), smooth_step(part.y));
        let (column, row) = (corner.x as i32, corner.y as i32);
        let south = blend(self.lattice(column, row), self.lattice(column + 1, row), u);
        let north = blend(
            self.lattice(column, row + 1),
            self.lattice(column + 1, row + 1),
            u,
        );
        blend(south, north, v)
    }

    fn lattice(&self, column: i32, row: i32) -> f32 {
        let place = (u64::from(column as u32) << 32) | u64::from(row as u32);
        // 24 bits are what an f32 holds exactly.
        (mix(self.seed ^ mix(place)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// From 0 at 0 to 1 at 1, level at both ends.
pub(crate) fn smooth_step(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn blend(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
