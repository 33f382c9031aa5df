//! Scenes that generate a navmesh directly, for tests, benchmarks and the demo. Polygons and vertices are
//! numbered along a Hilbert curve, so that neighbours on the ground are close in memory.

mod furnished_room;
mod hilbert;
mod links;
mod mesh_builder;
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

/// The options of a world scene. A value outside its limits is clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldOptions {
    /// The number of polygons on all floors together. [Limit: 1..=50 000 000] The actual number is within 10%
    /// if there are at least 500 polygons and 100 per floor; smaller worlds deviate more. A larger world has
    /// more ground with the same level of detail. [Default: 1000]
    pub polygons: usize,
    /// The seed of all random numbers. Another seed gives another world of the same kind. [Default: 1]
    pub seed: u64,
    /// Whether patches of ground have area 1, 2 or 3 instead of 0. This does not change the polygons.
    /// [Default: false]
    pub areas: bool,
    /// Whether there are off-mesh links: one per 200 polygons, and at least one if there are two polygons.
    /// Half of them are one-way. A third cost as much as their length, a third less and a third more. This
    /// does not change the polygons. [Default: false]
    pub links: bool,
    /// The number of floors, which are 4 m apart and connected by ramps. [Limit: 1..=256] Each floor has a
    /// layout of its own. [Default: 1]
    pub floors: u32,
    /// The maximum height of hills above the base of each floor. [Limit: 0..=1000] [Units: m] 0 is flat. Up to
    /// 10 m, all slopes, including ramps, are below 40 degrees. [Default: 0]
    pub relief: f32,
}

impl Default for WorldOptions {
    /// Returns 1000 polygons of seed 1 on one flat floor, without areas and links.
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
    /// Returns the options with every value clamped to its limits.
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

    /// Returns the average number of polygons per floor without ramps, from which the size of floors is
    /// computed.
    fn polygons_per_floor(&self) -> f64 {
        let ramps = (self.floors as usize - 1) * stairs::POLYGONS_PER_RAMP;
        self.polygons.saturating_sub(ramps) as f64 / f64::from(self.floors)
    }

    /// Returns the number of polygons that `floor` should have if the floors below it have `polygons_below`
    /// polygons and the world has `ramps` ramps. Each floor compensates for the deviations of those below it.
    fn polygons_of_floor(&self, floor: u32, polygons_below: usize, ramps: usize) -> usize {
        let used = polygons_below + ramps * stairs::POLYGONS_PER_RAMP;
        self.polygons.saturating_sub(used) / (self.floors - floor) as usize
    }
}

/// A scene that generates a navmesh directly, without a bake.
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
    /// Rows and columns of rooms are about 3 to 10 m wide. The floor of a room is a grid of uneven cells. Some
    /// cells away from the walls have furniture; the free cells are merged into polygons of one or two cells.
    /// Doors connect all rooms of a floor, with some loops, except for a few rooms (up to 4% of the ground)
    /// without a door. Floors have the same extent and are connected by ramps outside the western wall,
    /// one per 60 m.
    Rooms,
    /// A plane with obstacles and lakes.
    ///
    /// The plane consists of uneven cells of about 4 m. Most of them have a convex obstacle of four to six
    /// sides. Lakes cover a fifth of the plane; they cause long detours and may cut off a few islets. Floors
    /// have the same extent and are connected by ramps outside the western border, one per 60 m. If there
    /// are several floors, no lake touches that border.
    Open,
}

/// The names of all world scenes, in the order of [`WorldScene::ALL`].
const NAMES: [&str; WorldScene::ALL.len()] = ["rooms", "open"];

impl WorldScene {
    /// All world scenes.
    pub const ALL: [Self; 2] = [Self::Rooms, Self::Open];

    /// Returns the name that [`WorldScene::from_str`] parses.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns a description of one line for lists of scenes.
    pub fn description(self) -> &'static str {
        match self {
            Self::Rooms => "a building with rooms of varied size, walls, doors and furniture",
            Self::Open => "a plane with scattered obstacles and lakes",
        }
    }

    /// Generates the navmesh.
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
