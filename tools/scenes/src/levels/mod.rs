//! Scenes that generate level geometry. They resemble the maps in publications on hierarchical path-finding:
//! Fuentes 2014 (master thesis), Pelechano and Fuentes 2016 (HNA*), and Rahmani and Pelechano 2020 (MA-HNA*).
//! The documentation of this crate calls these "the papers".

pub mod model;
mod options;
mod plan;
mod town;

mod city_colony;
mod city_islands;
mod dungeon;
mod map;
mod medieval;
mod serpentine;
mod simple;
mod sirius;
mod tower;
mod tropical;

use std::fmt;
use std::str::FromStr;

use portolan_core::Triangles;

use crate::UnknownScene;
use plan::ScenePlan;

pub use options::{SceneOptions, Size, UnknownSize};

/// A scene that generates level geometry. Every level has roofs and ledges that cannot be reached, which
/// become islands of the navmesh.
///
/// At [`Size::Paper`], a bake with the default options (cells of 0.3 m, an agent with a radius of 0.6 m)
/// gives the number of polygons of [`LevelScene::paper_polygons`], within 15%.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelScene {
    /// A walled yard with a house of two rooms, two platforms with a bridge between them, a ramp, stairs and
    /// crates. The large size is a grid of yards with gates.
    Simple,
    /// Rooms at three heights, connected by corridors with stairs, with pillars, tombs, altars and
    /// galleries. Most rooms have no ceiling.
    Dungeon,
    /// An arena of walled courts at two heights with ramps between them, with huts, stalls, crates,
    /// terraces and pillared halls.
    Map,
    /// A colony in a crater, with hexagonal modules of three rooms, walkways between roofs, domes with
    /// tubes, landing pads, greenhouses, tanks and solar panels.
    CityColony,
    /// A city on a strip of land that winds back and forth over the sea. Every path from one end to the
    /// other follows the entire strip, through squares and gates.
    Serpentine,
    /// A city on islands with quays, streets, blocks of houses and squares, connected by bridges.
    CityIslands,
    /// Tropical islands with open hilly ground, palms, rocks, villages on stilts, temples and boardwalks.
    Tropical,
    /// A walled town with dense irregular streets, terraces with steps, a castle hill and a wall with a walk
    /// on top.
    Medieval,
    /// A city of the future on three levels: avenues, decks connected by bridges, and elevated roads.
    Sirius,
    /// A tower on a podium with any number of storeys, whose rooms surround one staircase. The large size
    /// has ten towers.
    Tower,
}

/// The names of all level scenes, in the order of [`LevelScene::ALL`].
const NAMES: [&str; LevelScene::ALL.len()] = [
    "simple",
    "dungeon",
    "map",
    "city-colony",
    "serpentine",
    "city-islands",
    "tropical",
    "medieval",
    "sirius",
    "tower",
];

impl LevelScene {
    /// All level scenes.
    pub const ALL: [Self; 10] = [
        Self::Simple,
        Self::Dungeon,
        Self::Map,
        Self::CityColony,
        Self::Serpentine,
        Self::CityIslands,
        Self::Tropical,
        Self::Medieval,
        Self::Sirius,
        Self::Tower,
    ];

    /// Returns the name that [`LevelScene::from_str`] parses.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns a description of one line for lists of scenes.
    pub fn description(self) -> &'static str {
        match self {
            Self::Simple => simple::DESCRIPTION,
            Self::Dungeon => dungeon::DESCRIPTION,
            Self::Map => map::DESCRIPTION,
            Self::CityColony => city_colony::DESCRIPTION,
            Self::Serpentine => serpentine::DESCRIPTION,
            Self::CityIslands => city_islands::DESCRIPTION,
            Self::Tropical => tropical::DESCRIPTION,
            Self::Medieval => medieval::DESCRIPTION,
            Self::Sirius => sirius::DESCRIPTION,
            Self::Tower => tower::DESCRIPTION,
        }
    }

    /// Returns the number of polygons of the map of this name in the papers (Fuentes 2014, Pelechano and Fuentes
    /// 2016, Rahmani and Pelechano 2020), or `None` for the tower, which is in none of them. A bake of this
    /// scene with default options has as many at [`Size::Paper`], within 15%.
    pub fn paper_polygons(self) -> Option<u32> {
        match self {
            Self::Simple => Some(76),
            Self::Dungeon => Some(120),
            Self::Map => Some(208),
            Self::CityColony => Some(2_615),
            Self::Serpentine => Some(3_908),
            Self::CityIslands => Some(5_515),
            Self::Tropical => Some(12_666),
            Self::Medieval => Some(16_867),
            Self::Sirius => Some(18_738),
            Self::Tower => None,
        }
    }

    /// Generates the level.
    pub fn build(self, options: &SceneOptions) -> Triangles {
        let plan = ScenePlan::new(self, options);
        let model = match self {
            Self::Simple => simple::build(&plan),
            Self::Dungeon => dungeon::build(&plan),
            Self::Map => map::build(&plan),
            Self::CityColony => city_colony::build(&plan),
            Self::Serpentine => serpentine::build(&plan),
            Self::CityIslands => city_islands::build(&plan),
            Self::Tropical => tropical::build(&plan),
            Self::Medieval => medieval::build(&plan),
            Self::Sirius => sirius::build(&plan),
            Self::Tower => tower::build(&plan),
        };
        model.finish()
    }
}

impl fmt::Display for LevelScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LevelScene {
    type Err = UnknownScene;

    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        Self::ALL
            .into_iter()
            .find(|scene| scene.name() == name)
            .ok_or_else(|| UnknownScene::new("scene", name, &NAMES))
    }
}
