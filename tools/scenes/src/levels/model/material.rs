//! The materials of surfaces.

/// The material of a surface. Area rules and files refer to it by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Material {
    /// Bare earth.
    Ground,
    /// Paved roads and paths.
    Road,
    /// Meadows.
    Grass,
    /// Beaches and deserts.
    Sand,
    /// The sea, rivers and pools.
    Water,
    /// Cliffs and boulders.
    Rock,
    /// Masonry: walls, towers, steps.
    Stone,
    /// Rendered walls of houses.
    Plaster,
    /// Bricks.
    Brick,
    /// Beams, planks, furniture and trunks.
    Wood,
    /// Roof tiles.
    Roof,
    /// Slabs, floors and blocks of flats.
    Concrete,
    /// Hulls, pipes and railings.
    Metal,
    /// Windows and domes.
    Glass,
    /// Crowns of trees and hedges.
    Leaves,
    /// Lamps, signs and markings.
    Signal,
}

impl Material {
    /// All materials.
    pub const ALL: [Self; 16] = [
        Self::Ground,
        Self::Road,
        Self::Grass,
        Self::Sand,
        Self::Water,
        Self::Rock,
        Self::Stone,
        Self::Plaster,
        Self::Brick,
        Self::Wood,
        Self::Roof,
        Self::Concrete,
        Self::Metal,
        Self::Glass,
        Self::Leaves,
        Self::Signal,
    ];

    /// Returns the name in files and area rules.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Road => "road",
            Self::Grass => "grass",
            Self::Sand => "sand",
            Self::Water => "water",
            Self::Rock => "rock",
            Self::Stone => "stone",
            Self::Plaster => "plaster",
            Self::Brick => "brick",
            Self::Wood => "wood",
            Self::Roof => "roof",
            Self::Concrete => "concrete",
            Self::Metal => "metal",
            Self::Glass => "glass",
            Self::Leaves => "leaves",
            Self::Signal => "signal",
        }
    }

    /// Returns the colour for pictures, as red, green and blue.
    pub fn color(self) -> [u8; 3] {
        match self {
            Self::Ground => [150, 128, 98],
            Self::Road => [132, 130, 128],
            Self::Grass => [118, 152, 84],
            Self::Sand => [222, 204, 154],
            Self::Water => [74, 130, 176],
            Self::Rock => [122, 116, 110],
            Self::Stone => [172, 166, 154],
            Self::Plaster => [228, 218, 198],
            Self::Brick => [172, 96, 74],
            Self::Wood => [138, 98, 60],
            Self::Roof => [178, 80, 56],
            Self::Concrete => [188, 190, 190],
            Self::Metal => [120, 134, 150],
            Self::Glass => [150, 204, 214],
            Self::Leaves => [66, 116, 62],
            Self::Signal => [236, 176, 56],
        }
    }
}
