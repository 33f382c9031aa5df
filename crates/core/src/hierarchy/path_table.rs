//! Compact arrays of path costs and of the steps of those paths.

use std::ops::Range;

use rayon::prelude::*;

use crate::array::Array;

/// The number of elements that a thread checks at a time.
const CHUNK: usize = 1 << 16;

/// Flat arrays of path costs and of indexes into short lists, from which paths are assembled. The owner
/// of the table defines the meaning of each entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathTable {
    pub(super) costs: Array<f32>,
    pub(super) indexes: CompactIndexes,
}

/// Indexes below a limit that is known in advance. They take 16 bits each if the limit allows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CompactIndexes {
    Narrow(Array<u16>),
    Wide(Array<u32>),
}

impl Default for CompactIndexes {
    fn default() -> Self {
        Self::Narrow(Array::default())
    }
}

/// The required size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableShape {
    /// The number of costs.
    pub(super) costs: usize,
    /// The number of indexes.
    pub(super) indexes: usize,
    /// All indexes are below this number.
    pub(super) end: usize,
}

impl TableShape {
    fn is_narrow(self) -> bool {
        self.end <= 1 << 16
    }
}

impl PathTable {
    /// Concatenates the costs and indexes of all parts.
    pub(super) fn join(shape: TableShape, parts: Vec<(Vec<f32>, Vec<u32>)>) -> Self {
        let (mut narrow, mut wide) = match shape.is_narrow() {
            true => (Vec::with_capacity(shape.indexes), Vec::new()),
            false => (Vec::new(), Vec::with_capacity(shape.indexes)),
        };
        let mut costs = Vec::with_capacity(shape.costs);
        for (part, part_indexes) in parts {
            costs.extend_from_slice(&part);
            match shape.is_narrow() {
                true => narrow.extend(part_indexes.iter().map(|&index| index as u16)),
                false => wide.extend_from_slice(&part_indexes),
            }
        }
        Self {
            costs: costs.into(),
            indexes: match shape.is_narrow() {
                true => CompactIndexes::Narrow(narrow.into()),
                false => CompactIndexes::Wide(wide.into()),
            },
        }
    }

    /// Returns the arrays for writing a file: the costs, and the indexes either as `u16` or, if they do not
    /// fit, as `u32`.
    pub fn arrays(&self) -> (&[f32], &[u16], &[u32]) {
        match &self.indexes {
            CompactIndexes::Narrow(narrow) => (&self.costs, narrow, &[]),
            CompactIndexes::Wide(wide) => (&self.costs, &[], wide),
        }
    }

    /// Creates a table from the arrays that [`arrays`](Self::arrays) returns.
    pub fn from_arrays(costs: Array<f32>, narrow: Array<u16>, wide: Array<u32>) -> Self {
        let indexes = if wide.is_empty() {
            CompactIndexes::Narrow(narrow)
        } else {
            CompactIndexes::Wide(wide)
        };
        Self { costs, indexes }
    }

    /// Returns the arrays for writing a file: the costs, and the indexes either as `u16` or, if they do not
    /// fit, as `u32`.
    pub(super) fn stored(&self) -> (Array<f32>, Array<u16>, Array<u32>) {
        match &self.indexes {
            CompactIndexes::Narrow(narrow) => {
                (self.costs.clone(), narrow.clone(), Array::default())
            }
            CompactIndexes::Wide(wide) => (self.costs.clone(), Array::default(), wide.clone()),
        }
    }

    /// Returns whether the table has this many costs and indexes.
    pub(super) fn has_lengths(&self, costs: usize, indexes: usize) -> bool {
        let length = match &self.indexes {
            CompactIndexes::Narrow(all) => all.len(),
            CompactIndexes::Wide(all) => all.len(),
        };
        [self.costs.len(), length] == [costs, indexes]
    }

    /// Returns whether the table has the required size and all its entries are valid.
    pub(super) fn fits(&self, shape: TableShape) -> bool {
        // The comparison is also false for NaN. A loop without an early exit is vectorized.
        let are_valid = |costs: &[f32]| costs.iter().fold(true, |all, &cost| all & (cost >= 0.0));
        let is_narrow = matches!(self.indexes, CompactIndexes::Narrow(_));
        let is_empty = is_narrow && shape.indexes == 0;
        self.has_lengths(shape.costs, shape.indexes)
            && (is_empty || is_narrow == shape.is_narrow())
            && self.are_below(0..shape.indexes, shape.end)
            && self.costs.par_chunks(CHUNK).all(are_valid)
    }

    /// Returns whether the indexes at some entries are below `end`.
    pub(super) fn are_below(&self, entries: Range<usize>, end: usize) -> bool {
        let is_empty = entries.is_empty();
        let max = match &self.indexes {
            CompactIndexes::Narrow(all) => {
                u32::from(all[entries].iter().fold(0, |max, &index| max.max(index)))
            }
            CompactIndexes::Wide(all) => all[entries].iter().fold(0, |max, &index| max.max(index)),
        };
        is_empty || (max as usize) < end
    }

    /// Returns the index at an entry.
    #[inline]
    pub(super) fn index(&self, entry: usize) -> usize {
        match &self.indexes {
            CompactIndexes::Narrow(all) => usize::from(all[entry]),
            CompactIndexes::Wide(all) => all[entry] as usize,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let (costs, narrow, wide) = self.arrays();
        size_of_val(costs) + size_of_val(narrow) + size_of_val(wide)
    }
}
