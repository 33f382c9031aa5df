//! The options of a terrain report.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The options of a terrain report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainReportOptions {
    /// An additional height map (PNG), measured as realistic ground. A map with more than
    /// [`TerrainEffort::size`] pixels per side is downsampled to that size.
    pub map: Option<PathBuf>,
    /// How much is measured, and how often.
    pub effort: TerrainEffort,
}

/// How much a terrain report measures, and how often. More rounds and targets lower the noise and take
/// longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerrainEffort {
    /// Whether this is a quick run.
    pub is_quick: bool,
    /// The number of pixels per side of each ground. [Limit: 9..=1025] [Default: 65; the thesis does not
    /// state its size]
    pub size: usize,
    /// The seed of the generated hills.
    pub seed: u64,
    /// The number of rounds; a time is the median of all rounds. [Limit: >= 1]
    pub rounds: usize,
    /// The maximum number of targets per wave on which engines are timed. All engines have the same targets.
    /// [Limit: >= 1]
    pub timed_targets: usize,
    /// The numbers of pixels per side in the table of sizes, in ascending order.
    pub sizes: Vec<usize>,
    /// The number of timed paths per size. [Limit: >= 1]
    pub size_paths: usize,
    /// The number of additional generated hills on which costs are compared. They have the seeds after
    /// [`seed`](Self::seed).
    pub other_hills: u64,
    /// The number of pixels per side of pictures. [Limit: 16..=4096]
    pub picture_side: usize,
}

impl TerrainEffort {
    /// Returns the effort of the full evaluation.
    pub fn full() -> Self {
        Self {
            is_quick: false,
            size: 65,
            seed: 1,
            rounds: 5,
            timed_targets: 1024,
            sizes: vec![17, 33, 65, 129, 257],
            size_paths: 200,
            other_hills: 8,
            picture_side: 384,
        }
    }

    /// Returns the effort of a quick overview, which takes seconds.
    pub fn quick() -> Self {
        Self {
            is_quick: true,
            size: 33,
            seed: 1,
            rounds: 3,
            timed_targets: 128,
            sizes: vec![17, 33, 65, 129],
            size_paths: 50,
            other_hills: 2,
            picture_side: 256,
        }
    }
}
