//! Where readers put samples.

use std::ops::Range;

/// Keeps the samples of a file that are needed: those in a window, and every Nth of them.
///
/// Samples of all files are numbered in one grid, in which a file has an offset.
#[derive(Debug)]
pub struct Sink<'a> {
    /// The column and row of the first sample that is kept.
    pub(super) first: [i64; 2],
    /// The distance between samples that are kept.
    pub(super) step: i64,
    /// The numbers of columns and rows that are kept.
    pub(super) size: [usize; 2],
    /// The column and row of the first sample of the file.
    pub(super) offset: [i64; 2],
    /// The heights that are kept, row by row; NaN where there is none.
    pub(super) heights: &'a mut [f32],
}

impl<'a> Sink<'a> {
    /// Returns a sink that keeps all samples of one file. `heights` has one value per sample, NaN at first.
    pub fn all(size: [usize; 2], heights: &'a mut [f32]) -> Self {
        Self {
            first: [0; 2],
            step: 1,
            size,
            offset: [0; 2],
            heights,
        }
    }

    /// Returns whether samples in a range of columns and rows of the file may be kept.
    pub fn needs(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        [columns, rows]
            .into_iter()
            .enumerate()
            .all(|(axis, range)| {
                let start = self.offset[axis].saturating_add_unsigned(range.start as u64);
                let end = self.offset[axis].saturating_add_unsigned(range.end as u64);
                let last = self.first[axis] + self.step * (self.size[axis] as i64 - 1);
                // The first kept column or row at or after the start.
                let skipped = (start - self.first[axis]).max(0);
                let next = self.first[axis] + (skipped + self.step - 1) / self.step * self.step;
                start < end && next < end && next <= last
            })
    }

    /// Keeps neighbouring samples of a row, from a column on. A sample that is kept already, from an earlier file,
    /// does not change.
    pub fn put(&mut self, row: usize, column: usize, heights: impl IntoIterator<Item = f32>) {
        let Some(row) = self.kept(1, row) else {
            return;
        };
        let start = row * self.size[0];
        for (column, height) in (column..).zip(heights) {
            if let Some(column) = self.kept(0, column) {
                let kept = &mut self.heights[start + column];
                if kept.is_nan() {
                    *kept = height;
                }
            }
        }
    }

    /// Returns the index of a column or row of the file among those that are kept.
    fn kept(&self, axis: usize, index: usize) -> Option<usize> {
        let at = self.offset[axis] + index as i64 - self.first[axis];
        let kept = (at / self.step) as usize;
        (at >= 0 && at % self.step == 0 && kept < self.size[axis]).then_some(kept)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        #[test]
        fn a_sink_keeps_what_is_in_the_window(
            first in [-3..8i64, -3..8i64],
            step in 1..4i64,
            size in [1..6usize, 1..6usize],
            offset in [-4..6i64, -4..6i64],
            part in (0..6usize, 0..6usize, 0..6usize, 0..6usize),
        ) {
            let mut heights = vec![f32::NAN; size[0] * size[1]];
            let mut sink = Sink { first, step, size, offset, heights: &mut heights };
            let (columns, rows) = (part.0..part.0 + part.1, part.2..part.2 + part.3);
            let needs = sink.needs(columns.clone(), rows.clone());
            for row in rows.clone() {
                sink.put(row, columns.start, columns.clone().map(|column| (100 * row + column) as f32));
            }
            let mut kept = 0;
            for row in 0..size[1] {
                for column in 0..size[0] {
                    let at = [column, row].map(|index| index as i64);
                    let [c, r] = [0, 1].map(|axis| first[axis] + step * at[axis] - offset[axis]);
                    let is_inside = columns.contains(&(c as usize)) && rows.contains(&(r as usize)) && c >= 0 && r >= 0;
                    let expected = if is_inside { (100 * r + c) as f32 } else { f32::NAN };
                    let found = heights[row * size[0] + column];
                    prop_assert!(found == expected || found.is_nan() && expected.is_nan());
                    kept += usize::from(is_inside);
                }
            }
            prop_assert_eq!(needs, kept > 0);
        }
    }

    #[test]
    fn the_first_file_wins() {
        let mut heights = [f32::NAN; 2];
        let mut sink = Sink::all([2, 1], &mut heights);
        sink.put(0, 0, [1.0, f32::NAN]);
        sink.put(0, 0, [5.0, 2.0]);
        assert_eq!(heights, [1.0, 2.0]);
    }
}
