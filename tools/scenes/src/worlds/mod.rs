//! Ready navmeshes, made without baking: what tests, benchmarks and the demo walk on.
//! Polygons and vertices are numbered along a Hilbert curve, so that neighbours on the ground are
//! neighbours in memory.

mod furnished_room;
mod ground;
mod hilbert;
mod links;
mod obstacle;
mod open;
mod relief;
mod rooms;
mod stairs;
mod streams;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use portolan_core::RawNavMesh;

use crate::UnknownScene;

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
///
/// ```
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let scene: WorldScene = "rooms".parse()?;
/// let mesh = scene.build(&WorldOptions { polygons: 2000, seed: 7, ..Default::default() });
/// assert!((1800..2200).contains(&mesh.polygons.len()));
/// # Ok::<(), portolan_scenes::UnknownScene>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorldScene {
    /// A grid of rooms with walls of 0.3 m between them.
    ///
    /// Rows and columns of rooms are some 3 to 10 m wide; the floor of a room is a grid of uneven
    /// cells, furniture stands on some of those away from the walls, and the free ones are merged
    /// into polygons of one or two cells. The doors of a floor connect all its rooms, with some loops,
    /// but for a few rooms (up to 4% of the ground) that have no door at all. Floors have layouts of
    /// their own over the same ground, joined by ramps outside the western wall, one in 60 m.
    Rooms,
    /// A plane of uneven cells of about 4 m, most of them with a convex obstacle of four to six
    /// sides, without the cells that lakes take: blobs, a fifth of the plane, that make for long
    /// detours and may cut off a few islets.
    ///
    /// Floors have obstacles and lakes of their own over the same ground, joined by ramps outside
    /// the western border, one in 60 m; with more than one floor no lake touches that border.
    Open,
}

/// The names of all world scenes, in the order of [`WorldScene::ALL`].
const NAMES: [&str; WorldScene::ALL.len()] = ["rooms", "open"];

impl WorldScene {
    /// Every world scene.
    pub const ALL: [Self; 2] = [Self::Rooms, Self::Open];

    /// The name that [`WorldScene::from_str`] reads.
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
            Self::Rooms => rooms::build(options),
            Self::Open => open::build(options),
        }
    }
}

impl fmt::Display for WorldScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for WorldScene {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        Self::ALL
            .into_iter()
            .find(|scene| scene.name() == name)
            .ok_or_else(|| UnknownScene::new("scene", name, &NAMES))
    }
}
