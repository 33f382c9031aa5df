//! The options of a run.

use std::path::PathBuf;

use portolan_scenes::LevelScene;
use serde::{Deserialize, Serialize};

use crate::peers::PeersRun;

/// The built-in scenes modelled on the papers' maps, from the smallest to the largest.
pub const SCENES: [LevelScene; 9] = [
    LevelScene::Simple,
    LevelScene::Dungeon,
    LevelScene::Map,
    LevelScene::CityColony,
    LevelScene::Serpentine,
    LevelScene::CityIslands,
    LevelScene::Tropical,
    LevelScene::Medieval,
    LevelScene::Sirius,
];

/// The options of a run. The report stores [`effort`](Self::effort) and [`peers`](Self::peers).
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// The built-in scenes to measure. [Default: [`SCENES`]]
    pub scenes: Vec<LevelScene>,
    /// Additional navmeshes to measure: `.pnav` files, and navmeshes of other tools (`.bin` of Detour, `.mesh` of
    /// Polyanya, `.obj` whose faces are the polygons). [Default: none]
    pub maps: Vec<PathBuf>,
    /// How much is measured, and how often. [Default: [`ReportEffort::full`]]
    pub effort: ReportEffort,
    /// The results of `cargo xtask peers --json`, which the page shows in a figure. [Default: none]
    pub peers: Option<PeersRun>,
    /// Whether a graphics card is measured, too. The program must have been built with the feature `gpu`. [Default: false]
    pub gpu: bool,
}

/// How much a run measures, and how often. More queries and rounds lower the noise and take longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportEffort {
    /// Whether this is a quick run, whose figures have fewer points.
    pub is_quick: bool,
    /// The merge factors (mu) to measure, in ascending order. [Limit: 2..=1000 each]
    pub merge_factors: Vec<u32>,
    /// The merge factors at which path lengths are compared (Pelechano and Fuentes 2016, figure 14).
    pub length_factors: Vec<u32>,
    /// The maximum number of levels above the polygons. [Limit: 1..=16] [Default: 7, as in Fuentes 2014]
    pub max_levels: u32,
    /// The number of timed queries per cell. [Limit: >= 1] [Default: 120; the papers use 100]
    pub queries: usize,
    /// The number of queries whose path lengths are compared. Each of them runs once, untimed. [Default: 500]
    pub length_queries: usize,
    /// The maximum number of rounds; a round runs every query of a cell once. [Limit: >= 1] [Default: 5]
    pub rounds: usize,
    /// An engine that has used more time than this after two rounds runs no further round. [Units: ms]
    /// [Default: 200]
    pub patience_ms: u64,
    /// The seed of the random scenes, queries and partitions. [Default: 1]
    pub seed: u64,
    /// The approximate polygon counts of the generated worlds `rooms` and `open`, on which all engines
    /// are compared, in ascending order. [Limit: 100..=10 000 000 each]
    #[serde(default)]
    pub world_sizes: Vec<u32>,
    /// The numbers of agents of batches, in ascending order. [Limit: 1..=10 000 000 each]
    #[serde(default)]
    pub agents: Vec<u32>,
    /// An engine runs no batch that would take longer than this, judged by its batch before. [Units: ms]
    #[serde(default)]
    pub batch_ms: u64,
    /// The number of changes of the ground that are timed on each scene and world. 0 leaves the chapter out.
    #[serde(default)]
    pub updates: usize,
    /// For how long queries are timed next to changes. [Units: ms]
    #[serde(default)]
    pub beside_ms: u64,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            scenes: SCENES.to_vec(),
            maps: Vec::new(),
            effort: ReportEffort::full(),
            peers: None,
            gpu: false,
        }
    }
}

impl ReportEffort {
    /// Returns the effort of the full evaluation, which takes up to 30 minutes.
    pub fn full() -> Self {
        Self {
            is_quick: false,
            // The merge factors of Fuentes 2014, and 15, for which the papers' figures have a point.
            merge_factors: vec![2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20],
            length_factors: vec![5, 10, 15, 20],
            max_levels: 7,
            queries: 120,
            length_queries: 500,
            rounds: 5,
            patience_ms: 200,
            seed: 1,
            world_sizes: vec![1000, 3000, 12_000, 36_000, 88_000],
            // The range of Rahmani and Pelechano 2020, figure 11.
            agents: vec![
                1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
            ],
            batch_ms: 5000,
            updates: 400,
            beside_ms: 1500,
        }
    }

    /// Returns the effort of a quick overview, which takes up to 2 minutes.
    pub fn quick() -> Self {
        Self {
            is_quick: true,
            merge_factors: vec![2, 6, 10, 20],
            length_factors: vec![5, 20],
            max_levels: 3,
            queries: 30,
            length_queries: 100,
            rounds: 3,
            patience_ms: 30,
            seed: 1,
            world_sizes: vec![500, 2000],
            agents: vec![100, 1000, 10_000],
            batch_ms: 300,
            updates: 40,
            beside_ms: 200,
        }
    }
}
