//! What a run measures.

use std::path::PathBuf;

use portolan_scenes::LevelScene;
use serde::{Deserialize, Serialize};

use crate::peers::PeersRun;

/// The scenes of the papers, in the order of their sizes.
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

/// Options of a run. All but the scenes and maps also stand in the report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// Built-in scenes. [Default: [`SCENES`]]
    pub scenes: Vec<LevelScene>,
    /// Navmeshes besides: `.pnav`, or `.obj` whose faces are the polygons.
    pub maps: Vec<PathBuf>,
    /// How they are measured.
    pub effort: Effort,
    /// Others beside us, to be shown with it.
    pub peers: Option<PeersRun>,
}

/// How much is measured, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Whether this is the short run, whose figures have fewer points.
    pub is_quick: bool,
    /// Merge factors of the grid, rising. [Limit: 2..=1000 each]
    pub merge_factors: Vec<u32>,
    /// Merge factors at which lengths are compared, as in figure 14 of Pelechano and Fuentes.
    pub length_factors: Vec<u32>,
    /// Most levels above the polygons. [Limit: 1..=16] [Default: 7, as in the thesis]
    pub max_levels: u32,
    /// Paths a cell. [Limit: >= 1] [Default: 120; the papers have 100]
    pub queries: usize,
    /// Paths that lengths are compared of; they take no rounds.
    pub length_queries: usize,
    /// Most rounds over all queries of a cell. [Limit: >= 1]
    pub rounds: usize,
    /// After two rounds, an engine that took longer than this in all gets no more. [Units: ms]
    pub patience_ms: u64,
    /// What scenes, queries and partitions are drawn from.
    pub seed: u64,
    /// Polygons of the worlds `rooms` and `open` on which engines beyond the papers are compared,
    /// rising. [Limit: 100..=10 000 000 each]
    #[serde(default)]
    pub world_sizes: Vec<u32>,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            scenes: SCENES.to_vec(),
            maps: Vec::new(),
            effort: Effort::full(),
            peers: None,
        }
    }
}

impl Effort {
    /// The whole evaluation: within 30 minutes.
    pub fn full() -> Self {
        Self {
            is_quick: false,
            // The thesis's, and 15, at which the papers' figures have a point.
            merge_factors: vec![2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20],
            length_factors: vec![5, 10, 15, 20],
            max_levels: 7,
            queries: 120,
            length_queries: 500,
            rounds: 5,
            patience_ms: 200,
            seed: 1,
            world_sizes: vec![1000, 3000, 12_000, 36_000, 88_000],
        }
    }

    /// A look at everything: within 2 minutes.
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
        }
    }
}
