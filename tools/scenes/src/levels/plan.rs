//! The parameters that level scenes are built from.

use super::{LevelScene, SceneOptions, Size};
use crate::noise::Noise;
use crate::random::{Random, stream_seed};

/// The size of a scene in numbers, and the source of its random numbers.
#[derive(Clone, Debug)]
pub(crate) struct ScenePlan {
    /// The approximate number of polygons that a bake with default options should give. Scenes derive
    /// their area or their number of blocks from it.
    pub(crate) polygons: f32,
    /// Number of towers.
    pub(crate) towers: u32,
    /// Number of storeys per tower.
    pub(crate) floors: u32,
    seed: u64,
}

impl ScenePlan {
    pub(crate) fn new(scene: LevelScene, options: &SceneOptions) -> Self {
        let paper = scene.paper_polygons().unwrap_or(0);
        let (factor, floors, towers) = match options.size {
            // The smallest scenes cannot be reduced further.
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

    /// Returns the random numbers of one stream. Each purpose and each element of a scene has a stream of
    /// its own.
    pub(crate) fn random(&self, stream: u64) -> Random {
        Random::stream(self.seed, stream)
    }

    /// Returns a smooth random function of the plane whose lattice has cells of `cell` metres.
    pub(crate) fn noise(&self, stream: u64, cell: f32) -> Noise {
        Noise::new(stream_seed(self.seed, stream), cell)
    }
}
