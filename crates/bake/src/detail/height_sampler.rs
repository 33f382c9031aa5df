//! Interpolates the height of the ground from the cells of a piece.
//!
//! The height of a cell corner is that of the highest span around it that is connected to the floor in
//! question. This is Recast's rule for the corners of polygons. Between cell corners, heights are
//! interpolated bilinearly. Because corners of polygons and samples between them follow the same rule, a
//! ramp stays a plane. With the height of the nearest cell instead, a slope would sag between its corners
//! by half the rise within a cell.

use std::ops::RangeInclusive;

use rerecast::{CompactHeightfield, RegionId};

/// Selects the spans that a height is taken from, where floors are above one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloorFilter {
    /// Spans of these two regions, where there are some. The two are the same inside a polygon and along
    /// walls, and differ along an edge between polygons of two regions.
    Regions([RegionId; 2]),
    /// The spans nearest to the guessed height, of any region. This is for the border of a tile, where two
    /// tiles number their regions differently but must find the same heights.
    Any,
}

/// Samples heights from the cells of a piece.
pub(super) struct HeightSampler<'a> {
    compact: &'a CompactHeightfield,
    /// Maximum distance of a span of another region from the guessed height, in cells. Floors are farther
    /// apart than this.
    max_difference: f64,
    /// How many cells away the ground is searched where a point has none around it.
    search_radius: i32,
}

/// The index of a span and the position of its cell.
#[derive(Clone, Copy)]
struct SpanPosition {
    x: i32,
    z: i32,
    span: usize,
}

impl<'a> HeightSampler<'a> {
    pub(super) fn new(compact: &'a CompactHeightfield, agent_height: u16, edge_error: f32) -> Self {
        Self {
            compact,
            max_difference: f64::from(agent_height.max(2)),
            // A polygon extends beyond its cells by the error of its edges at most.
            search_radius: edge_error.ceil().min(6.0) as i32 + 2,
        }
    }

    /// Returns the height at a point, in cells relative to the corner of the piece. `guide` is a guess of
    /// the height; it selects the floor, and it is returned where there is no ground.
    pub(super) fn height_at(&self, x: f64, z: f64, filter: FloorFilter, guide: f64) -> f64 {
        let (west, north) = (x.floor(), z.floor());
        let (east_fraction, south_fraction) = (x - west, z - north);
        let border = i32::from(self.compact.border_size);
        let (column, row) = (west as i32 + border, north as i32 + border);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let along =
                |step: i32, fraction: f64| if step == 0 { 1.0 - fraction } else { fraction };
            let weight = along(dx, east_fraction) * along(dz, south_fraction);
            if weight > 0.0
                && let Some(height) = self.corner_height(column + dx, row + dz, filter, guide)
            {
                sum += weight * height;
                weights += weight;
            }
        }
        if weights > 0.0 {
            sum / weights
        } else {
            self.nearest_height(column, row, filter, guide)
                .unwrap_or(guide)
        }
    }

    /// Returns the height of a cell corner: that of the spans that pass the filter, or else that of any
    /// span near `guide`.
    fn corner_height(&self, column: i32, row: i32, filter: FloorFilter, guide: f64) -> Option<f64> {
        let mut best: Option<(bool, f64, SpanPosition)> = None;
        for (x, z) in [
            (column - 1, row - 1),
            (column, row - 1),
            (column - 1, row),
            (column, row),
        ] {
            for span in self.spans(x, z) {
                let difference = self.height_difference(span, guide);
                let in_regions = self.matches(span, filter);
                if !in_regions && difference > self.max_difference {
                    continue;
                }
                let better = best.is_none_or(|(best_in_regions, best_difference, _)| {
                    in_regions && !best_in_regions
                        || in_regions == best_in_regions && difference < best_difference
                });
                if better {
                    best = Some((in_regions, difference, SpanPosition { x, z, span }));
                }
            }
        }
        let (_, _, position) = best?;
        Some(f64::from(self.highest_around(position, column, row)))
    }

    /// Returns the height of the highest span at a cell corner that is connected to `position`, one of the
    /// spans there, over one or two cells.
    fn highest_around(&self, position: SpanPosition, column: i32, row: i32) -> u16 {
        // Recast numbers the directions -x, +z, +x, -z.
        let along_x = if position.x < column { 2 } else { 0 };
        let along_z = if position.z < row { 1 } else { 3 };
        let mut highest = self.compact.spans[position.span].y;
        for (first, second) in [(along_x, along_z), (along_z, along_x)] {
            if let Some(beside) = self.neighbour(position, first) {
                highest = highest.max(self.compact.spans[beside.span].y);
                if let Some(across) = self.neighbour(beside, second) {
                    highest = highest.max(self.compact.spans[across.span].y);
                }
            }
        }
        highest
    }

    fn neighbour(&self, position: SpanPosition, direction: u8) -> Option<SpanPosition> {
        let link = self.compact.spans[position.span].con(direction)?;
        let (x, z, span) = self
            .compact
            .con_indices(position.x, position.z, direction, link);
        Some(SpanPosition { x, z, span })
    }

    /// Searches the rings of cells around a cell corner, from the inside out, for the first one with a span
    /// that passes the filter. Of several spans in it, returns the height nearest to `guide`.
    fn nearest_height(
        &self,
        column: i32,
        row: i32,
        filter: FloorFilter,
        guide: f64,
    ) -> Option<f64> {
        (2..=self.search_radius).find_map(|ring| {
            let cells = ring_of_cells(column, row, ring);
            let spans = cells.flat_map(|(x, z)| self.spans(x, z));
            spans
                .filter(|&span| self.matches(span, filter))
                .min_by(|&a, &b| {
                    self.height_difference(a, guide)
                        .total_cmp(&self.height_difference(b, guide))
                })
                .map(|span| f64::from(self.compact.spans[span].y))
        })
    }

    fn spans(&self, x: i32, z: i32) -> std::ops::Range<usize> {
        let (width, depth) = (
            i32::from(self.compact.width),
            i32::from(self.compact.height),
        );
        if !(0..width).contains(&x) || !(0..depth).contains(&z) {
            return 0..0;
        }
        self.compact.cells[x as usize + z as usize * width as usize].index_range()
    }

    fn height_difference(&self, span: usize, guide: f64) -> f64 {
        (f64::from(self.compact.spans[span].y) - guide).abs()
    }

    fn matches(&self, span: usize, filter: FloorFilter) -> bool {
        match filter {
            FloorFilter::Regions(regions) => regions.contains(&self.compact.spans[span].region),
            FloorFilter::Any => true,
        }
    }
}

/// Returns the cells whose nearer side is `ring - 1` cells from a cell corner, along x or z.
fn ring_of_cells(column: i32, row: i32, ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let side = |at: i32| -> RangeInclusive<i32> { at - ring..=at + ring - 1 };
    let (columns, rows) = (side(column), side(row));
    rows.clone().flat_map(move |z| {
        let full_row = z == *rows.start() || z == *rows.end();
        let columns = columns.clone();
        let ends = [*columns.start(), *columns.end()];
        columns
            .filter(move |x| full_row || ends.contains(x))
            .map(move |x| (x, z))
    })
}
