//! What a terrain report measures.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainReportOptions {
    /// A height map (PNG) to measure on besides, as realistic ground. Where it has more pixels than
    /// [`TerrainEffort::size`] a side, so many are picked evenly.
    pub map: Option<PathBuf>,
    /// How much is measured.
    pub effort: TerrainEffort,
}

/// How much is measured, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerrainEffort {
    /// Whether this is the short run.
    pub is_quick: bool,
    /// Pixels a side of each ground. [Limit: 9..=1025] [Default: 65; the thesis does not say]
    pub size: usize,
    /// What hills are drawn from.
    pub seed: u64,
    /// Rounds that a time is the median of. [Limit: >= 1]
    pub rounds: usize,
    /// Targets of a wave that engines are timed on; where there are more, the same few for all of them.
    /// [Limit: >= 1]
    pub timed_targets: usize,
    /// Pixels a side in the table over sizes, rising.
    pub sizes: Vec<usize>,
    /// Paths that each of those is timed on. [Limit: >= 1]
    pub size_paths: usize,
    /// Other hills that prices are compared on, seeds after [`seed`](Self::seed): one ground is luck.
    pub other_hills: u64,
    /// Pixels a side of pictures. [Limit: 16..=4096]
    pub picture_side: usize,
}

impl TerrainEffort {
    /// The whole evaluation.
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

    /// A look at everything, in seconds.
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
