//! Buffers for searches, owned by the caller.

use super::hna::HnaScratch;
use super::labels::TriangleLabels;
use super::navigate::NavigationScratch;
use super::refine::RefineScratch;
use portolan_core::contraction::ContractionScratch;
use portolan_core::search::Heap;

/// Buffers that queries, waves and navigations reuse. Every thread needs its own. It works with any terrain and any
/// engine. Once the buffers have grown to the largest query, queries allocate nothing.
#[derive(Clone, Debug, Default)]
pub struct TerrainScratch {
    pub(super) labels: TriangleLabels,
    pub(super) heap: Heap,
    /// Buffers for [`TerrainEngine::Mesh`](super::TerrainEngine::Mesh).
    pub(super) navigation: NavigationScratch,
    /// Buffers for [`TerrainEngine::Contraction`](super::TerrainEngine::Contraction).
    pub(super) chains: ContractionScratch,
    /// Buffers for [`TerrainEngine::Hna`](super::TerrainEngine::Hna).
    pub(super) hna: HnaScratch,
    /// Buffers for the line of a path.
    pub(super) refine: RefineScratch,
}

impl TerrainScratch {
    /// Creates empty buffers, which grow with the first queries.
    pub fn new() -> Self {
        Self::default()
    }
}
