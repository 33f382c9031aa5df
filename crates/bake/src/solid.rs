//! The solid cells of a piece: per column of cells, the spans of solid cells from bottom to top.
//!
//! This is Recast's height field. The columns are stored in bands of rows, which are filled in parallel.
//! A band only depends on its own columns, and triangles are added to it in their order, so the result
//! does not depend on the number of threads.

use glam::Vec3A;
use rayon::prelude::*;
use rerecast::AreaType;

use crate::rasterize::{CellGrid, CoveredCell};

/// Number of rows of a band.
pub(crate) const BAND_ROWS: usize = 64;

/// The end of a list of spans.
const NO_SPAN: u32 = u32::MAX;

/// Solid cells between two heights of a column, in cell heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolidSpan {
    pub(crate) bottom: u16,
    pub(crate) top: u16,
    /// The area type of the top.
    pub(crate) area: AreaType,
}

/// The solid cells of a piece.
pub(crate) struct SolidField {
    pub(crate) grid: CellGrid,
    bands: Vec<Band>,
}

/// Some consecutive rows of a piece.
struct Band {
    /// Per column, the index of its first span, and the number of all spans at the end.
    first: Vec<u32>,
    spans: Vec<SolidSpan>,
}

impl SolidField {
    /// Voxelises triangles. Where the tops of two surfaces are within `climb` of one another, the higher
    /// area type counts. A surface that is up to `climb` above walkable ground becomes walkable, too, for
    /// example a kerb.
    pub(crate) fn new(
        grid: CellGrid,
        climb: u16,
        triangles: &[u32],
        corners: &[[Vec3A; 3]],
        area_types: &[AreaType],
    ) -> Self {
        let band_count = usize::from(grid.depth).div_ceil(BAND_ROWS);
        let mut by_band = vec![Vec::new(); band_count];
        for &triangle in triangles {
            if let Some(rows) = grid.rows(&corners[triangle as usize]) {
                let first = rows.start.max(0) as usize / BAND_ROWS;
                let last = (rows.end as usize).div_ceil(BAND_ROWS);
                for band in &mut by_band[first..last] {
                    band.push(triangle);
                }
            }
        }
        let build_band = |(band, triangles): (usize, Vec<u32>)| {
            let width = usize::from(grid.width);
            let start = band * BAND_ROWS;
            let end = (start + BAND_ROWS).min(grid.depth.into());
            let mut lists = SpanLists::new(width * (end - start), climb);
            for &triangle in &triangles {
                let triangle = triangle as usize;
                let area = area_types[triangle];
                grid.cover(&corners[triangle], start..end, |cell: CoveredCell| {
                    let column = cell.x + (cell.z - start) * width;
                    let (bottom, top) = (cell.bottom, cell.top);
                    lists.add(column, SolidSpan { bottom, top, area });
                });
            }
            lists.into_band()
        };
        let by_band: Vec<(usize, Vec<u32>)> = by_band.into_iter().enumerate().collect();
        let bands = by_band
            .into_par_iter()
            .with_max_len(1)
            .map(build_band)
            .collect();
        Self { grid, bands }
    }

    pub(crate) fn row(&self, z: usize) -> SolidRow<'_> {
        let width = usize::from(self.grid.width);
        let band = &self.bands[z / BAND_ROWS];
        let start = z % BAND_ROWS * width;
        SolidRow {
            first: &band.first[start..=start + width],
            spans: &band.spans,
        }
    }
}

/// The columns of one row.
#[derive(Clone, Copy)]
pub(crate) struct SolidRow<'a> {
    first: &'a [u32],
    spans: &'a [SolidSpan],
}

impl<'a> SolidRow<'a> {
    /// Returns the spans of a column from bottom to top. They do not touch one another.
    pub(crate) fn column(&self, x: usize) -> &'a [SolidSpan] {
        &self.spans[self.first[x] as usize..self.first[x + 1] as usize]
    }
}

/// The spans of a band while triangles are added: a linked list per column, from bottom to top.
struct SpanLists {
    climb: u16,
    /// Per column, its lowest span.
    lowest: Vec<u32>,
    spans: Vec<ListedSpan>,
    /// The first span that is not in use.
    unused: u32,
}

#[derive(Clone, Copy)]
struct ListedSpan {
    span: SolidSpan,
    next: u32,
}

impl SpanLists {
    fn new(columns: usize, climb: u16) -> Self {
        Self {
            climb,
            lowest: vec![NO_SPAN; columns],
            spans: Vec::with_capacity(columns),
            unused: NO_SPAN,
        }
    }

    /// Adds a span to a column and merges it with the spans that it touches.
    fn add(&mut self, column: usize, mut new: SolidSpan) {
        let mut below = NO_SPAN;
        let mut at = self.lowest[column];
        // The first of the merged spans is kept for the result.
        let mut slot = NO_SPAN;
        while at != NO_SPAN {
            let ListedSpan { span, next } = self.spans[at as usize];
            if span.bottom > new.top {
                break;
            }
            if span.top < new.bottom {
                below = at;
                at = next;
                continue;
            }
            new.bottom = new.bottom.min(span.bottom);
            new.top = new.top.max(span.top);
            if new.top - span.top <= self.climb {
                new.area = AreaType(new.area.0.max(span.area.0));
            }
            if slot == NO_SPAN {
                slot = at;
            } else {
                self.spans[at as usize].next = self.unused;
                self.unused = at;
            }
            at = next;
        }
        let listed = ListedSpan {
            span: new,
            next: at,
        };
        if slot != NO_SPAN {
            // Whatever pointed to the kept span still does.
            self.spans[slot as usize] = listed;
            return;
        }
        if self.unused == NO_SPAN {
            slot = self.spans.len() as u32;
            self.spans.push(listed);
        } else {
            slot = self.unused;
            self.unused = std::mem::replace(&mut self.spans[slot as usize], listed).next;
        }
        if below == NO_SPAN {
            self.lowest[column] = slot;
        } else {
            self.spans[below as usize].next = slot;
        }
    }

    /// Copies the lists into one array and makes low obstacles walkable.
    fn into_band(self) -> Band {
        let mut first = Vec::with_capacity(self.lowest.len() + 1);
        let mut spans: Vec<SolidSpan> = Vec::with_capacity(self.spans.len());
        for &lowest in &self.lowest {
            first.push(spans.len() as u32);
            // The span below: its top, its area type and whether it was walkable before this filter.
            let mut below: Option<(u16, AreaType, bool)> = None;
            let mut at = lowest;
            while at != NO_SPAN {
                let ListedSpan { mut span, next } = self.spans[at as usize];
                let is_walkable = span.area.is_walkable();
                if let Some((top, area, true)) = below
                    && !is_walkable
                    && span.top - top <= self.climb
                {
                    span.area = area;
                }
                below = Some((span.top, span.area, is_walkable));
                spans.push(span);
                at = next;
            }
        }
        first.push(spans.len() as u32);
        Band { first, spans }
    }
}
