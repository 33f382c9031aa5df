//! Helpers for several test modules.

use oorandom::Rand32;
use portolan_terrain::{
    EntryPrice, LowGraph, MergeOptions, MeshTree, Terrain, TerrainEngine, TerrainLine, TerrainPath,
    TerrainQuery, TerrainScratch, TerrainStatus,
};
use proptest::prelude::*;

pub(crate) fn entry_prices() -> impl Strategy<Value = EntryPrice> {
    prop::sample::select(&EntryPrice::ALL[..])
}

pub(crate) fn merge(graph: &LowGraph, entry: EntryPrice, max_children: usize) -> MeshTree {
    let options = MergeOptions {
        entry,
        max_children,
        ..MergeOptions::default()
    };
    MeshTree::new(graph, &options)
}

/// Draws pairs of triangles.
pub(crate) fn random_pairs(graph: &LowGraph, count: usize, seed: u64) -> Vec<[u32; 2]> {
    let mut rng = Rand32::new(seed);
    let mut draw = || rng.rand_range(0..graph.len() as u32);
    (0..count).map(|_| [draw(), draw()]).collect()
}

/// Returns the cost of the path that an engine finds between two triangles.
pub(crate) fn find(
    terrain: &Terrain,
    engine: TerrainEngine,
    [from, to]: [u32; 2],
    scratch: &mut TerrainScratch,
    path: &mut TerrainPath,
) -> Option<f64> {
    let query = TerrainQuery {
        engine,
        line: TerrainLine::Midpoints,
        ..TerrainQuery::new(from, to)
    };
    let status = terrain.find_path(&query, scratch, path).unwrap();
    (status == TerrainStatus::Found).then_some(path.cost)
}

/// Returns the mean cost of the paths that the mesh engine finds.
pub(crate) fn mean_cost(terrain: &Terrain, queries: &[[u32; 2]]) -> f64 {
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let costs = queries
        .iter()
        .map(|&ends| find(terrain, TerrainEngine::Mesh, ends, &mut scratch, &mut path).unwrap());
    costs.sum::<f64>() / queries.len() as f64
}
