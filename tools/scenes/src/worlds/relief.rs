//! Hills under a world.

use glam::Vec2;

use super::streams::{Use, stream_seed};
use crate::noise::Noise;

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

    pub(super) fn height(&self, position: Vec2) -> f32 {
        if self.amplitude == 0.0 {
            return 0.0;
        }
        self.amplitude * (0.75 * self.hills.at(position) + 0.25 * self.bumps.at(position))
    }
}
