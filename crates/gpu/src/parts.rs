//! The arrays of a world that engines need: uploaded when one first asks for them.

use std::sync::atomic::Ordering;

use portolan_core::contraction::ContractionArrays;
use portolan_core::hierarchy::Metric;
use portolan_core::{Costs, Engine, EngineError, Level, Tier};
use wgpu::Buffer;

use crate::arrays::{LabelWords, LevelArrays};
use crate::contraction::ContractionWords;
use crate::error::GpuError;
use crate::rows::RowCopies;
use crate::source::Source;
use crate::table::Table;
use crate::world::GpuWorld;

/// A level of the hierarchy on the device.
#[derive(Debug)]
pub(crate) struct LevelPart {
    pub(crate) index: Buffer,
    pub(crate) table: Table,
    pub(crate) max_vertices: usize,
    pub(crate) inter_edges: usize,
    /// The version that it has.
    pub(crate) source: Source,
    /// Whether costs have changed since that version. It must not be searched then.
    pub(crate) is_stale: bool,
}

/// A contraction on the device.
#[derive(Debug)]
pub(crate) struct ContractionPart {
    pub(crate) index: Buffer,
    pub(crate) depth: u32,
    pub(crate) is_symmetric: bool,
    pub(crate) stack: u32,
    pub(crate) copies: RowCopies,
}

/// Labels on the device.
#[derive(Debug)]
pub(crate) struct LabelPart {
    pub(crate) index: Buffer,
    pub(crate) table: Table,
    pub(crate) goals_first: u32,
    pub(crate) rank_count: u32,
    pub(crate) max_blocks: u32,
    /// The version that they have.
    pub(crate) source: Source,
}

impl GpuWorld<'_> {
    /// Returns a level of the hierarchy.
    pub(crate) fn level(
        &self,
        level: Level,
        centres: bool,
        engine: Engine,
    ) -> Result<&LevelPart, GpuError> {
        let cell = &self.levels[2 * usize::from(level.0) + usize::from(centres)];
        if cell.get().is_none() {
            if self.costs.metric().is_some_and(Metric::is_changed) {
                return Err(GpuError::Unsettled(engine));
            }
            let part = match LevelArrays::new(&self.world, &self.costs, level, centres) {
                Some(arrays) => Some(self.upload_level(&arrays)?),
                None => None,
            };
            // Another thread may have been faster; its part is the same.
            let _ = cell.set(part);
        }
        let part = cell.get().and_then(Option::as_ref);
        if part.is_some_and(|part| part.is_stale) {
            return Err(GpuError::Unsettled(engine));
        }
        part.ok_or(GpuError::Engine(EngineError::NoHierarchy(engine)))
    }

    /// Uploads a level of the hierarchy of this version.
    pub(crate) fn upload_level(&self, arrays: &LevelArrays) -> Result<LevelPart, GpuError> {
        let part = LevelPart {
            index: self.gpu.upload_array("hierarchy", &arrays.index)?,
            table: self
                .gpu
                .upload_table("table of the hierarchy", &arrays.table)?,
            max_vertices: arrays.max_vertices,
            inter_edges: arrays.inter_edges,
            source: self.source(),
            is_stale: false,
        };
        self.count_words(arrays.index.len() + arrays.table.len());
        Ok(part)
    }

    /// Returns the contraction of the fast tier.
    pub(crate) fn contraction(&self, engine: Engine) -> Result<&ContractionPart, GpuError> {
        if self.contraction.get().is_none() {
            let part = self.upload_contraction(engine)?;
            let _ = self.contraction.set(part);
        }
        Ok(self.contraction.get().expect("it has just been set"))
    }

    /// Uploads the contraction of this version.
    pub(crate) fn upload_contraction(&self, engine: Engine) -> Result<ContractionPart, GpuError> {
        let contraction = self
            .world
            .contraction()
            .ok_or(EngineError::NoContraction(engine))?;
        let shortcuts = self
            .costs
            .shortcuts(Tier::Fast)
            .ok_or(EngineError::CostsLack(engine))?;
        let words = ContractionWords::new(&ContractionArrays::new(contraction, shortcuts));
        let index = self.gpu.upload_array("contraction", &words.index)?;
        self.count_words(words.index.len());
        Ok(ContractionPart {
            index,
            depth: words.depth,
            is_symmetric: words.is_symmetric,
            stack: words.stack,
            copies: RowCopies::new(self.source(), words.layout, words.index.len()),
        })
    }

    /// Returns the labels. `costs` are those of this version; labels that they already have are used.
    pub(crate) fn labels(&self, costs: &Costs, max_bytes: usize) -> Result<&LabelPart, GpuError> {
        if self.labels.get().is_none() {
            let arrays = self.world.label_arrays(costs, max_bytes)?;
            let words = LabelWords::new(&self.world, &arrays);
            let part = LabelPart {
                index: self.gpu.upload_array("index of labels", &words.index)?,
                table: self.gpu.upload_table("table of labels", &words.table)?,
                goals_first: words.goals_first,
                rank_count: words.rank_count,
                max_blocks: words.max_blocks,
                source: self.source(),
            };
            self.count_words(words.index.len() + words.table.len());
            let _ = self.labels.set(part);
        }
        Ok(self.labels.get().expect("they have just been set"))
    }

    /// Counts words that were written to arrays of the world.
    pub(crate) fn count_words(&self, words: usize) {
        self.uploaded.fetch_add(4 * words as u64, Ordering::Relaxed);
    }
}
