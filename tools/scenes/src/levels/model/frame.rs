//! Where a part stands and which way it looks; directions without trigonometry.

use glam::{Vec2, Vec3, vec2};

/// A place and a turn about the upright axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    origin: Vec3,
    /// Where local x points in (x, z), of length 1.
    east: Vec2,
}

impl Frame {
    /// The world's own.
    pub const IDENTITY: Self = Self {
        origin: Vec3::ZERO,
        east: Vec2::X,
    };

    /// Stands at `origin`, with local x along `east` in (x, z), which is made a unit vector.
    pub fn new(origin: Vec3, east: Vec2) -> Self {
        let east = east.normalize_or(Vec2::X);
        Self { origin, east }
    }

    /// A place without a turn.
    pub fn at(origin: Vec3) -> Self {
        Self::new(origin, Vec2::X)
    }

    /// `inner` inside of this one.
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            origin: self.apply(inner.origin),
            east: self.turned(inner.east),
        }
    }

    /// A local place in the world.
    pub fn apply(&self, local: Vec3) -> Vec3 {
        let plane = self.turned(vec2(local.x, local.z));
        self.origin + Vec3::new(plane.x, local.y, plane.y)
    }

    fn turned(&self, local: Vec2) -> Vec2 {
        vec2(
            local.x * self.east.x - local.y * self.east.y,
            local.x * self.east.y + local.y * self.east.x,
        )
    }
}

/// How many directions [`turn`] knows.
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

/// The unit vector `steps` times 7.5 degrees from x towards z.
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

/// A regular polygon around `center` with corners at `radius`; the first lies in direction x.
///
/// # Panics
/// Where `sides` does not divide 48, as 3, 4, 6, 8, 12, 16, 24 and 48 do.
pub fn ngon(center: Vec2, radius: f32, sides: u32) -> Vec<Vec2> {
    assert!(
        sides >= 3 && TURNS.is_multiple_of(sides),
        "{sides} sides do not divide a turn of {TURNS}"
    );
    let step = TURNS / sides;
    (0..sides)
        .map(|side| center + radius * turn(side * step))
        .collect()
}
