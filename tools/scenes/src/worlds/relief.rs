//! The hills of a world.

use glam::Vec2;

use super::streams::{StreamId, stream_seed};
use crate::noise::Noise;

/// The height of the ground above the base of its floor, in metres. It is the same for all floors, so their
/// distance is constant.
///
/// With an amplitude of 10 m, the slope along each axis is at most
/// 1.5 * 10 * (0.75 / 96 + 0.25 / 32) = 0.234. The slope of a ramp, which rises by 0.5, is then at most
/// sqrt(0.734² + 0.234²) = 0.77, which is 37.6 degrees.
pub(super) struct WorldRelief {
    amplitude: f32,
    hills: Noise,
    bumps: Noise,
}

impl WorldRelief {
    pub(super) fn new(seed: u64, amplitude: f32) -> Self {
        Self {
            amplitude,
            hills: Noise::new(stream_seed(seed, StreamId::Relief, 0, 0), 96.0),
            bumps: Noise::new(stream_seed(seed, StreamId::Relief, 0, 1), 32.0),
        }
    }

    pub(super) fn height(&self, position: Vec2) -> f32 {
        if self.amplitude == 0.0 {
            return 0.0;
        }
        self.amplitude * (0.75 * self.hills.at(position) + 0.25 * self.bumps.at(position))
    }
}
