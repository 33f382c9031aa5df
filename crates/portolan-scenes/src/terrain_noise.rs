//! Smooth random functions of the plane, for hills and thickets.

use glam::Vec2;

/// Value noise: random values on a square lattice, smoothly blended in between. The result lies
/// in 0..=1 and its slope along each axis stays within 1.5 / `cell`.
#[derive(Clone, Copy)]
pub(crate) struct Noise {
    seed: u64,
    cell: f32,
}

impl Noise {
    pub(crate) fn new(seed: u64, cell: f32) -> Self {
        Self { seed, cell }
    }

    pub(crate) fn at(&self, place: Vec2) -> f32 {
        let place = place / self.cell;
        let corner = place.floor();
        let share = place - corner;
        let smooth = share * share * (3.0 - 2.0 * share);
        let (column, row) = (corner.x as i32, corner.y as i32);
        let south = blend(self.lattice(column, row), self.lattice(column + 1, row), smooth.x);
        let north = blend(
            self.lattice(column, row + 1),
            self.lattice(column + 1, row + 1),
            smooth.x,
        );
        blend(south, north, smooth.y)
    }

    fn lattice(&self, column: i32, row: i32) -> f32 {
        let place = (u64::from(column as u32) << 32) | u64::from(row as u32);
        // 24 bits are what an f32 holds exactly.
        (mix(self.seed ^ mix(place)) >> 40) as f32 / (1 << 24) as f32
    }
}

fn blend(a: f32, b: f32, share: f32) -> f32 {
    a + (b - a) * share
}

/// The finalizer of SplitMix64: every bit of the input flips about half of the output (Steele,
/// Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
