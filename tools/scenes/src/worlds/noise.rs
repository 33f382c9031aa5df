//! Smooth random functions of the plane, out of arithmetic alone.

use super::random::{Use, mix, stream_seed};

/// Value noise: random values on a square lattice, smoothly blended in between. The result lies
/// in 0..=1 and its slope along each axis stays within 1.5 / `cell`.
pub(crate) struct Noise {
    seed: u64,
    cell: f32,
}

impl Noise {
    pub(crate) fn new(seed: u64, cell: f32) -> Self {
        Self { seed, cell }
    }

    pub(crate) fn at(&self, x: f32, z: f32) -> f32 {
        let (x, z) = (x / self.cell, z / self.cell);
        let (column, row) = (x.floor(), z.floor());
        let (u, v) = (smooth_step(x - column), smooth_step(z - row));
        let (column, row) = (column as i32, row as i32);
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

pub(crate) fn smooth_step(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn blend(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// The height of the ground above the base of its floor, in metres; the same for all floors, so
/// that they keep their distance.
///
/// At an amplitude of 10 m the slope along each axis stays within
/// 1.5 * 10 * (0.75 / 96 + 0.25 / 32) = 0.234, so a ramp that climbs 0.5 more stays within
/// sqrt(0.734² + 0.234²) = 0.77, which is 37.6 degrees.
pub(super) struct Relief {
    amplitude: f32,
    hills: Noise,
    bumps: Noise,
}

impl Relief {
    pub(super) fn new(seed: u64, amplitude: f32) -> Self {
        Self {
            amplitude,
            hills: Noise::new(stream_seed(seed, Use::Relief, 0, 0), 96.0),
            bumps: Noise::new(stream_seed(seed, Use::Relief, 0, 1), 32.0),
        }
    }

    pub(super) fn height(&self, x: f32, z: f32) -> f32 {
        if self.amplitude == 0.0 {
            return 0.0;
        }
        self.amplitude * (0.75 * self.hills.at(x, z) + 0.25 * self.bumps.at(x, z))
    }
}
