//! Measures the memory of hierarchies and their tables.

use super::{IndexSettings, MEMORY_FACTORS, SceneBench};
use crate::ReportError;
use crate::model::{MemoryCell, MemoryCells};

impl SceneBench<'_> {
    /// Measures hierarchies of one, two and three levels.
    pub(super) fn memory(&self) -> Result<MemoryCells, ReportError> {
        let mut cells: Vec<MemoryCell> = Vec::new();
        for mu in MEMORY_FACTORS {
            for max_levels in 1..=3 {
                let world = self.world(IndexSettings::new(mu, max_levels))?;
                let hierarchy = world.hierarchy().expect("a world with a hierarchy");
                let metric = world
                    .default_costs()
                    .metric()
                    .expect("costs of the hierarchy");
                let levels = hierarchy.top().0;
                if u32::from(levels) < max_levels {
                    break;
                }
                cells.push(MemoryCell {
                    scene: self.scene(),
                    mu,
                    levels,
                    hierarchy: hierarchy.bytes(),
                    intra_edges: metric.bytes(),
                    tables: metric.table_bytes(),
                    pccp: metric.centre_bytes(),
                });
            }
        }
        Ok(MemoryCells { cells })
    }
}
