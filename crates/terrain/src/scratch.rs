//! The memory of searches, owned by the caller.

use super::hna::HnaScratch;
use super::labels::TriangleLabels;
use super::navigate::NavigationScratch;
use portolan_core::contraction::ContractionScratch;
use portolan_core::search::Heap;

/// Buffers that queries, waves and navigations use again and again. One a thread; any terrain, any engine.
/// Once it has seen the longest query, nothing is allocated any more.
#[derive(Clone, Debug, Default)]
pub struct TerrainScratch {
    pub(super) labels: TriangleLabels,
    pub(super) heap: Heap,
    /// Of searches over High Meshes.
    pub(super) navigation: NavigationScratch,
    /// Of searches over a contraction.
    pub(super) chains: ContractionScratch,
    /// Of searches over levels.
    pub(super) hna: HnaScratch,
}

impl TerrainScratch {
    /// Empty buffers, which grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}
