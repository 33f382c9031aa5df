//! Cuts a triangle into the cells of a grid and reports the range of heights that it covers in each.
//!
//! The triangle is cut row by row, and the part in a row cell by cell. Each cut starts from the remainder
//! of the previous one, so that results equal those of `rerecast` bit by bit.

use std::ops::Range;

use glam::{Vec3, Vec3A};

/// Size of the buffers for parts of a triangle. A part has at most seven corners: three, and one for each
/// of the four sides of a cell.
const BUFFER: usize = 8;

/// The grid that triangles are cut into. Its cells have a side and a height of 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellGrid {
    pub(crate) min: Vec3,
    pub(crate) max: Vec3,
    pub(crate) width: u16,
    pub(crate) depth: u16,
}

/// The heights that a triangle covers in one cell, rounded outwards to cell heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoveredCell {
    pub(crate) x: usize,
    pub(crate) z: usize,
    pub(crate) bottom: u16,
    pub(crate) top: u16,
}

/// A convex polygon. Elements of the buffer after its corners are left over from earlier polygons.
#[derive(Clone, Copy, Default)]
struct Part {
    corners: [Vec3A; BUFFER],
    count: usize,
}

impl Part {
    fn corners(&self) -> &[Vec3A] {
        &self.corners[..self.count.min(BUFFER)]
    }
}

/// What is before a line, without its corners.
#[derive(Clone, Copy, Default)]
struct CutOff {
    corners: usize,
    bottom: f32,
    top: f32,
}

/// Cuts a part at `position` along an axis. Calls `before` with the corners before the line, in order, and
/// writes the corners after it to `after`. A corner on the line belongs to both sides.
#[inline(always)]
fn cut<const AXIS: usize>(
    part: &Part,
    position: f32,
    mut before: impl FnMut(Vec3A),
    after: &mut Part,
) {
    let count = part.count.min(BUFFER);
    let mut after_count = 0;
    // A remainder saves the check of an index that is always in the buffer.
    let mut from = part.corners[count.wrapping_sub(1) % BUFFER];
    let mut from_distance = position - from[AXIS];
    for &to in &part.corners[..count] {
        let distance = position - to[AXIS];
        let is_cut = (distance >= 0.0) != (from_distance >= 0.0);
        if is_cut {
            let point = from + (to - from) * (from_distance / (from_distance - distance));
            before(point);
            after.corners[after_count % BUFFER] = point;
            after_count += 1;
        }
        // A corner on the line is on both sides, unless it is the point that was just added.
        if distance > 0.0 || distance == 0.0 && !is_cut {
            before(to);
        }
        if distance < 0.0 || distance == 0.0 && !is_cut {
            after.corners[after_count % BUFFER] = to;
            after_count += 1;
        }
        (from, from_distance) = (to, distance);
    }
    after.count = after_count;
}

/// Cuts off what is in a row that ends at `end`.
fn cut_row(part: &Part, end: f32, in_row: &mut Part, after: &mut Part) {
    let mut count = 0;
    let before = |corner| {
        in_row.corners[count % BUFFER] = corner;
        count += 1;
    };
    cut::<2>(part, end, before, after);
    in_row.count = count;
}

/// Cuts off what is in a cell that ends at `end`.
#[inline(always)]
fn cut_cell(part: &Part, end: f32, after: &mut Part) -> CutOff {
    let mut in_cell = CutOff {
        corners: 0,
        bottom: f32::INFINITY,
        top: f32::NEG_INFINITY,
    };
    let before = |corner: Vec3A| {
        in_cell.corners += 1;
        // Comparisons are faster than `f32::min`, which treats numbers that are not numbers.
        if corner.y < in_cell.bottom {
            in_cell.bottom = corner.y;
        }
        if corner.y > in_cell.top {
            in_cell.top = corner.y;
        }
    };
    cut::<0>(part, end, before, after);
    in_cell
}

impl CellGrid {
    /// Returns the rows that a triangle touches, or `None` if it is outside the grid. The first row is -1
    /// if the triangle starts before the grid.
    pub(crate) fn rows(&self, triangle: &[Vec3A; 3]) -> Option<Range<i32>> {
        let [a, b, c] = *triangle;
        let (min, max) = (Vec3::from(a.min(b).min(c)), Vec3::from(a.max(b).max(c)));
        if !(self.min.cmple(max).all() && self.max.cmpge(min).all()) {
            return None;
        }
        let last = i32::from(self.depth) - 1;
        let first_row = (min.z - self.min.z) as i32;
        let last_row = (max.z - self.min.z) as i32;
        Some(first_row.clamp(-1, last)..last_row.clamp(0, last) + 1)
    }

    /// Calls `visit` for every cell of the rows `band` that a triangle touches.
    pub(crate) fn cover(
        &self,
        triangle: &[Vec3A; 3],
        band: Range<usize>,
        mut visit: impl FnMut(CoveredCell),
    ) {
        let band = band.start as i32..band.end as i32;
        if let Some(rows) = self.rows(triangle)
            && let Some(row) =
                self.cover_rows(triangle, rows.clone(), band.clone(), band.start, &mut visit)
        {
            self.cover_rows(triangle, rows, row..band.end, i32::MIN, &mut visit);
        }
    }

    /// Calls `visit` for every cell of the rows `visited` that a triangle touches. Rows before
    /// `first_cut_row` are not cut into cells.
    ///
    /// Rounding can give a triangle a last row without any part of it. There, `rerecast` cuts up what the
    /// row before has left in the buffers, and so does this function. The buffers depend on all earlier
    /// rows, so if some of them were not cut, it returns the number of that last row instead.
    fn cover_rows(
        &self,
        triangle: &[Vec3A; 3],
        rows: Range<i32>,
        visited: Range<i32>,
        first_cut_row: i32,
        visit: &mut impl FnMut(CoveredCell),
    ) -> Option<i32> {
        let mut parts = [Part::default(); 4];
        let [mut rest, mut after, mut in_row, mut row_rest] = parts.each_mut();
        rest.corners[..3].copy_from_slice(triangle);
        rest.count = 3;
        let mut row_count = 0;
        for z in rows.start..rows.end.min(visited.end) {
            if rest.count > 0 {
                // Rows before the band are cut off one by one, too, for the same rounding in all bands.
                let end = self.min.z + z as f32 + 1.0;
                cut_row(rest, end, in_row, after);
                row_count = in_row.count;
            } else {
                if rows.start.max(0) < first_cut_row {
                    return Some(z);
                }
                in_row.count = row_count;
                after.count = 0;
            }
            std::mem::swap(&mut rest, &mut after);
            if row_count < 3 || z < first_cut_row.max(0) {
                continue;
            }
            let (mut min_x, mut max_x) = (f32::INFINITY, f32::NEG_INFINITY);
            for corner in in_row.corners() {
                (min_x, max_x) = (min_x.min(corner.x), max_x.max(corner.x));
            }
            let last = i32::from(self.width) - 1;
            let first_cell = (min_x - self.min.x) as i32;
            let last_cell = (max_x - self.min.x) as i32;
            if last_cell < 0 || first_cell > last {
                continue;
            }
            let mut in_cell = CutOff::default();
            for x in first_cell.max(-1)..=last_cell.min(last) {
                // A last cell without any part of the triangle repeats the cell before, as in `rerecast`.
                if in_row.count > 0 {
                    let end = self.min.x + x as f32 + 1.0;
                    in_cell = cut_cell(in_row, end, row_rest);
                } else {
                    row_rest.count = 0;
                }
                std::mem::swap(&mut in_row, &mut row_rest);
                if in_cell.corners >= 3
                    && x >= 0
                    && z >= visited.start
                    && let Some((bottom, top)) = self.heights(in_cell)
                {
                    let (x, z) = (x as usize, z as usize);
                    visit(CoveredCell { x, z, bottom, top });
                }
            }
        }
        None
    }

    /// Returns the heights of a part of a triangle, or `None` if it is above or below the grid.
    fn heights(&self, in_cell: CutOff) -> Option<(u16, u16)> {
        let highest = self.max.y - self.min.y;
        let (bottom, top) = (in_cell.bottom - self.min.y, in_cell.top - self.min.y);
        if top < 0.0 || bottom > highest {
            return None;
        }
        // Neither number is negative, so a conversion to an integer rounds down.
        let (bottom, top) = (bottom.max(0.0), top.min(highest));
        let low = (bottom as i32).min(i32::from(u16::MAX) - 1);
        let below_top = top as i32;
        let high = below_top + i32::from((below_top as f32) < top);
        Some((low as u16, high.clamp(low + 1, i32::from(u16::MAX)) as u16))
    }
}
