//! Worlds made from a seed, without baking: what tests, benchmarks and the demo walk on.
//!
//! The same options give the same world on every platform: positions come from whole-number
//! randomness, sums, products and square roots, never from trigonometry. Polygons and vertices
//! are numbered along a Hilbert curve, so that what lies together is stored together.
//!
//! ```
//! use portolan_scenes::worlds::{Scene, WorldOptions};
//!
//! let scene: Scene = "rooms".parse()?;
//! let mesh = scene.build(&WorldOptions { polygons: 2000, seed: 7, ..Default::default() });
//! assert!((1800..2200).contains(&mesh.polygons.len()));
//! # Ok::<(), portolan_scenes::worlds::UnknownScene>(())
//! ```

mod furnished_room;
mod ground;
mod hilbert;
mod links;
pub(crate) mod noise;
mod obstacle;
mod open;
mod points;
pub(crate) mod random;
mod rooms;
mod stairs;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use portolan_core::RawNavMesh;

pub use open::open;
pub use points::RandomPoints;
pub use rooms::rooms;

/// What a world should be like. A value beyond its limits counts as the nearest limit.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldOptions {
    /// How many polygons the whole world has, all floors together. [Limit: 1..=50 000 000] Met
    /// within 10% from 500 on, given at least 100 a floor; smaller worlds have whatever their
    /// smallest building blocks add up to. The ground grows with it, the grain stays.
    pub polygons: usize,
    /// The world's number: another seed gives another world of the same kind.
    pub seed: u64,
    /// Whether patches of ground get area 1, 2 or 3 instead of 0. The polygons stay the same.
    pub areas: bool,
    /// Whether off-mesh links are added, one per 200 polygons and at least one where there are two
    /// polygons, half of them one-way; a third cost their length, the others less or more. The
    /// polygons stay the same.
    pub links: bool,
    /// Storeys above one another, 4 m apart and joined by ramps. [Limit: 1..=256] Each has a
    /// layout of its own.
    pub floors: u32,
    /// How far the ground goes up and down. [Limit: 0..=1000] [Units: m] Heights of a floor's
    /// vertices lie between 0 and this above its base. Slopes, ramps included, stay below 40
    /// degrees up to 10 m.
    pub relief: f32,
}

impl Default for WorldOptions {
    /// A thousand polygons of seed 1, flat, on one floor, without areas and links.
    fn default() -> Self {
        Self {
            polygons: 1000,
            seed: 1,
            areas: false,
            links: false,
            floors: 1,
            relief: 0.0,
        }
    }
}

impl WorldOptions {
    /// The same options with every value inside its limits.
    fn within_limits(&self) -> Self {
        Self {
            polygons: self.polygons.clamp(1, 50_000_000),
            floors: self.floors.clamp(1, 256),
            relief: if self.relief.is_nan() {
                0.0
            } else {
                self.relief.clamp(0.0, 1000.0)
            },
            ..self.clone()
        }
    }

    /// What the size of a floor is reckoned from: an equal share, less one ramp.
    fn polygons_per_floor(&self) -> f64 {
        let ramps = (self.floors as usize - 1) * stairs::POLYGONS_PER_RAMP;
        self.polygons.saturating_sub(ramps) as f64 / f64::from(self.floors)
    }

    /// How many polygons `floor` should get when all ramps have theirs and the floors below have
    /// `laid`: what they missed is made up for by the floors above.
    fn polygons_of_floor(&self, floor: u32, laid: usize, ramps: usize) -> usize {
        let taken = laid + ramps * stairs::POLYGONS_PER_RAMP;
        self.polygons.saturating_sub(taken) / (self.floors - floor) as usize
    }
}

/// A kind of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scene {
    /// [`rooms`].
    Rooms,
    /// [`open`].
    Open,
}

/// The names of all scenes, in the order of [`Scene::ALL`].
const NAMES: [&str; Scene::ALL.len()] = ["rooms", "open"];

impl Scene {
    /// Every scene there is.
    pub const ALL: [Self; 2] = [Self::Rooms, Self::Open];

    /// What [`Scene::from_str`] knows it by.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// One line for a list of scenes.
    pub fn description(self) -> &'static str {
        match self {
            Self::Rooms => "a building: rooms of varied size, walls, doors and furniture",
            Self::Open => "a plane strewn with obstacles, with lakes to walk around",
        }
    }

    /// Makes the world.
    pub fn build(self, options: &WorldOptions) -> RawNavMesh {
        match self {
            Self::Rooms => rooms(options),
            Self::Open => open(options),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No scene has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no scene is called {0:?}; there are: {names}", names = NAMES.join(", "))]
pub struct UnknownScene(pub String);

impl FromStr for Scene {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        Self::ALL
            .into_iter()
            .find(|scene| scene.name() == name)
            .ok_or_else(|| UnknownScene(name.to_owned()))
    }
}
