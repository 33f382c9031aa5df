//! The memory of searches over one ground.

use super::hna::HnaScratch;
use super::labels::Labels;
use portolan_core::contraction::ContractionScratch;
use portolan_core::heap::Heap;

/// Memory of a search, for one ground and engine after the other. A warm search allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct LowScratch {
    pub(super) labels: Labels,
    pub(super) heap: Heap,
    /// Of searches over a contraction.
    pub(super) chains: ContractionScratch,
    /// Of searches over levels.
    pub(super) hna: HnaScratch,
}

impl LowScratch {
    /// Memory that grows with its first searches.
    pub fn new() -> Self {
        Self::default()
    }
}
