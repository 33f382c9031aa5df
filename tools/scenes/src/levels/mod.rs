//! Level geometry to bake: the kinds of places that the papers on hierarchical path-finding walk
//! through.
//! [`model`] is the kit that they are built with.

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
use plan::Plan;

pub use options::{SceneOptions, Size, UnknownSize};

/// A kind of level. All of them have roofs and ledges that nobody gets to, which bake into islands.
///
/// At size `paper` a bake with the default options, cells of 0.3 m for an agent of radius 0.6 m,
/// gives the papers' number of polygons within 15%.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelScene {
    /// A walled yard with a house of two rooms, two platforms and a bridge between them, a ramp,
    /// stairs and crates. Large: a grid of yards with gates.
    Simple,
    /// Rooms at three heights, joined by corridors with stairs, without ceilings but for some
    /// vaults; pillars, tombs, altars, galleries.
    Dungeon,
    /// An arena of walled courts at two heights with ramps between them: huts, stalls, crates,
    /// terraces, and halls with pillars.
    Map,
    /// A colony in a crater: hexagonal modules of three rooms, roofs joined by walkways, domes with
    /// tubes, landing pads, greenhouses, tanks, panels.
    CityColony,
    /// A city on a strip of land that winds back and forth over the sea: whoever goes from one end
    /// to the other goes all the way, through squares and gates.
    Serpentine,
    /// A city on islands with quays, streets, blocks of houses and squares, joined by bridges.
    CityIslands,
    /// Islands in a warm sea: open hilly ground with palms and rocks, villages on stilts, temples,
    /// boardwalks.
    Tropical,
    /// A walled town: dense streets at odd angles, terraces with steps, a castle hill, a wall with
    /// a walk on top.
    Medieval,
    /// A city of the future on three levels: avenues, decks with bridges from deck to deck, roads
    /// on pillars.
    Sirius,
    /// Storeys of rooms around one staircase, any number of them, on a podium. Large: ten towers.
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
    /// Every level scene.
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

    /// The name that [`LevelScene::from_str`] reads.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// One line for a list of scenes.
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

    /// How many polygons the map of this name has in the papers; none of them has the tower. A bake
    /// with default options gives as many within 15% at [`Size::Paper`].
    ///
    /// [`Size::Paper`]: crate::Size::Paper
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

    /// Makes the level.
    pub fn build(self, options: &SceneOptions) -> Triangles {
        let plan = Plan::new(self, options);
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
