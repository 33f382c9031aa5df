//! Value noise: a smooth random function of the plane that is identical on every platform.

use glam::Vec2;

use crate::random::mix;

/// Value noise: random values on a square lattice with smooth interpolation. Values are from 0 to 1, and
/// the slope along each axis is at most 1.5 / `cell`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    seed: u64,
    cell: f32,
}

impl Noise {
    /// Creates a noise whose lattice cells have a side of `cell`.
    pub(crate) fn new(seed: u64, cell: f32) -> Self {
        Self { seed, cell }
    }

    pub(crate) fn at(&self, position: Vec2) -> f32 {
        let scaled = position / self.cell;
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
        let corner = (u64::from(column as u32) << 32) | u64::from(row as u32);
        // An f32 represents integers of 24 bits exactly.
        (mix(self.seed ^ mix(corner)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// Rises smoothly from 0 at 0 to 1 at 1, with a slope of 0 at both ends.
pub(crate) fn smooth_step(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn blend(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
