//! What a level scene is told to build.

use super::{LevelScene, SceneOptions, Size};
use crate::noise::Noise;
use crate::random::{Random, stream_seed};

/// The size of a scene as a number, and its randomness.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// How many polygons a bake with default options should give, about. Scenes turn it into an
    /// area or a number of blocks.
    pub(crate) polygons: f32,
    /// How many towers.
    pub(crate) towers: u32,
    /// Storeys of a tower.
    pub(crate) floors: u32,
    seed: u64,
}

impl Plan {
    pub(crate) fn new(scene: LevelScene, options: &SceneOptions) -> Self {
        let paper = scene.paper_polygons().unwrap_or(0);
        let (factor, floors, towers) = match options.size {
            // Less of the smallest would be no place any more.
            Size::Small if paper < 1000 => (1.0, 3, 1),
            Size::Small => (0.1, 3, 1),
            Size::Paper => (1.0, 10, 1),
            Size::Large => (10.0, 10, 10),
        };
        Self {
            polygons: factor * paper as f32,
            towers,
            floors: options.floors.unwrap_or(floors).clamp(1, 1000),
            seed: options.seed,
        }
    }

    /// Random numbers for one purpose, or one element; give each a number of its own.
    pub(crate) fn random(&self, purpose: u64) -> Random {
        Random::stream(self.seed, purpose)
    }

    /// A smooth random function of the plane with this grain.
    pub(crate) fn noise(&self, purpose: u64, cell: f32) -> Noise {
        Noise::new(stream_seed(self.seed, purpose), cell)
    }
}
