//! Positions and rotations of parts, and directions without trigonometry.

use glam::{Vec2, Vec3, vec2};

/// A position and a rotation about the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    origin: Vec3,
    /// The direction of the local x axis in (x, z), of length 1.
    east: Vec2,
}

impl Frame {
    /// The frame of the world: no translation and no rotation.
    pub const IDENTITY: Self = Self {
        origin: Vec3::ZERO,
        east: Vec2::X,
    };

    /// Creates a frame at `origin` whose local x axis points along `east` in (x, z). `east` is normalized.
    pub fn new(origin: Vec3, east: Vec2) -> Self {
        let east = east.normalize_or(Vec2::X);
        Self { origin, east }
    }

    /// Creates a frame at `origin` without rotation.
    pub fn at(origin: Vec3) -> Self {
        Self::new(origin, Vec2::X)
    }

    /// Converts `inner`, which is relative to this frame, to a frame relative to the world.
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            origin: self.apply(inner.origin),
            east: self.rotate(inner.east),
        }
    }

    /// Converts a local position to a position in the world.
    pub fn apply(&self, local: Vec3) -> Vec3 {
        let plane = self.rotate(vec2(local.x, local.z));
        self.origin + Vec3::new(plane.x, local.y, plane.y)
    }

    fn rotate(&self, local: Vec2) -> Vec2 {
        vec2(
            local.x * self.east.x - local.y * self.east.y,
            local.x * self.east.y + local.y * self.east.x,
        )
    }
}

/// The number of directions of [`turn`] in a full circle.
pub const TURNS: u32 = 48;

/// Cosines of 0, 7.5, ... 90 degrees.
const COSINES: [f32; 13] = [
    1.0,
    0.991_444_9,
    0.965_925_8,
    0.923_879_5,
    0.866_025_4,
    0.793_353_3,
    0.707_106_77,
    0.608_761_4,
    0.5,
    0.382_683_43,
    0.258_819_04,
    0.130_526_19,
    0.0,
];

/// Returns the unit vector at `steps` times 7.5 degrees from x towards z.
pub fn turn(steps: u32) -> Vec2 {
    let (quarter, rest) = (steps % TURNS / 12, (steps % 12) as usize);
    let (cosine, sine) = (COSINES[rest], COSINES[12 - rest]);
    match quarter {
        0 => vec2(cosine, sine),
        1 => vec2(-sine, cosine),
        2 => vec2(-cosine, -sine),
        _ => vec2(sine, -cosine),
    }
}

/// Returns a regular polygon around `center` with corners at distance `radius`. The first corner is in the
/// direction of x.
///
/// # Panics
/// If `sides` is not 3, 4, 6, 8, 12, 16, 24 or 48, the divisors of [`TURNS`].
pub fn ngon(center: Vec2, radius: f32, sides: u32) -> Vec<Vec2> {
    assert!(
        sides >= 3 && TURNS.is_multiple_of(sides),
        "the number of sides, {sides}, must be at least 3 and divide {TURNS}"
    );
    let step = TURNS / sides;
    (0..sides)
        .map(|side| center + radius * turn(side * step))
        .collect()
}
