//! How high the ground of a piece is, from its cells.
//!
//! Heights are those of cell corners: the highest of the cells that meet there and can be walked
//! between, which is how Recast finds the height of a polygon's corner. Between cell corners the
//! ground is bilinear. One rule for the polygons' corners and for everything between them keeps a
//! ramp a plane; with the height of the cell at hand instead, every slope would sag between its
//! corners by half a cell's rise.

use std::ops::RangeInclusive;

use rerecast::{CompactHeightfield, RegionId};

/// The regions that a place can belong to: one inside a polygon or at a wall, two where polygons of
/// two regions meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floor {
    /// Ground of these regions, if there is some.
    Of([RegionId; 2]),
    /// The nearest ground: at the border of a tile, where two tiles that call their regions
    /// differently have to find the same.
    Nearest,
}

/// The cells of a piece.
pub(super) struct Ground<'a> {
    open: &'a CompactHeightfield,
    /// How far above or below a guess ground of another region may lie: floors are farther apart.
    step: f64,
    /// How many cells away ground is looked for where there is none.
    reach: i32,
}

/// A span: where it is, and its number.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    z: i32,
    span: usize,
}

impl<'a> Ground<'a> {
    pub(super) fn new(open: &'a CompactHeightfield, agent_height: u16, edge_error: f32) -> Self {
        Self {
            open,
            step: f64::from(agent_height.max(2)),
            // A polygon leaves its cells by the error of its edges; far beyond them there is
            // nothing to find.
            reach: edge_error.ceil().min(6.0) as i32 + 2,
        }
    }

    /// The height at a place in cells from the corner of the piece. `guide` is about how high it
    /// should be, and the answer where there is no ground.
    pub(super) fn height(&self, x: f64, z: f64, floor: Floor, guide: f64) -> f64 {
        let (west, north) = (x.floor(), z.floor());
        let (east_share, south_share) = (x - west, z - north);
        let border = i32::from(self.open.border_size);
        let (column, row) = (west as i32 + border, north as i32 + border);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let along = |step: i32, share: f64| if step == 0 { 1.0 - share } else { share };
            let weight = along(dx, east_share) * along(dz, south_share);
            if weight > 0.0
                && let Some(height) = self.corner(column + dx, row + dz, floor, guide)
            {
                sum += weight * height;
                weights += weight;
            }
        }
        if weights > 0.0 {
            sum / weights
        } else {
            self.nearby(column, row, floor, guide).unwrap_or(guide)
        }
    }

    /// The height of a cell corner: of its own regions where they reach it, else of any ground near
    /// `guide`.
    fn corner(&self, column: i32, row: i32, floor: Floor, guide: f64) -> Option<f64> {
        let mut best: Option<(bool, f64, Place)> = None;
        for (x, z) in [
            (column - 1, row - 1),
            (column, row - 1),
            (column - 1, row),
            (column, row),
        ] {
            for span in self.spans(x, z) {
                let off = self.off(span, guide);
                let own = self.belongs(span, floor);
                if !own && off > self.step {
                    continue;
                }
                let better = best.is_none_or(|(best_own, least, _)| {
                    own && !best_own || own == best_own && off < least
                });
                if better {
                    best = Some((own, off, Place { x, z, span }));
                }
            }
        }
        let (_, _, place) = best?;
        Some(f64::from(self.highest_around(place, column, row)))
    }

    /// The highest span that meets at a cell corner and can be reached from `place`, which lies
    /// there, over one or two cells.
    fn highest_around(&self, place: Place, column: i32, row: i32) -> u16 {
        // Recast counts directions -x, +z, +x, -z.
        let along_x = if place.x < column { 2 } else { 0 };
        let along_z = if place.z < row { 1 } else { 3 };
        let mut highest = self.open.spans[place.span].y;
        for (first, second) in [(along_x, along_z), (along_z, along_x)] {
            if let Some(beside) = self.step_from(place, first) {
                highest = highest.max(self.open.spans[beside.span].y);
                if let Some(across) = self.step_from(beside, second) {
                    highest = highest.max(self.open.spans[across.span].y);
                }
            }
        }
        highest
    }

    fn step_from(&self, place: Place, direction: u8) -> Option<Place> {
        let link = self.open.spans[place.span].con(direction)?;
        let (x, z, span) = self.open.con_indices(place.x, place.z, direction, link);
        Some(Place { x, z, span })
    }

    /// The height of the span in the nearest ring of cells around a cell corner that has one; of
    /// several, the one nearest to `guide`.
    fn nearby(&self, column: i32, row: i32, floor: Floor, guide: f64) -> Option<f64> {
        (2..=self.reach).find_map(|ring| {
            let cells = ring_of_cells(column, row, ring);
            let spans = cells.flat_map(|(x, z)| self.spans(x, z));
            spans
                .filter(|&span| self.belongs(span, floor))
                .min_by(|&a, &b| self.off(a, guide).total_cmp(&self.off(b, guide)))
                .map(|span| f64::from(self.open.spans[span].y))
        })
    }

    fn spans(&self, x: i32, z: i32) -> std::ops::Range<usize> {
        let (width, depth) = (i32::from(self.open.width), i32::from(self.open.height));
        if !(0..width).contains(&x) || !(0..depth).contains(&z) {
            return 0..0;
        }
        self.open.cells[x as usize + z as usize * width as usize].index_range()
    }

    fn off(&self, span: usize, guide: f64) -> f64 {
        (f64::from(self.open.spans[span].y) - guide).abs()
    }

    fn belongs(&self, span: usize, floor: Floor) -> bool {
        match floor {
            Floor::Of(regions) => regions.contains(&self.open.spans[span].region),
            Floor::Nearest => true,
        }
    }
}

/// The cells whose nearer side is `ring - 1` cells from a cell corner, along x or z.
fn ring_of_cells(column: i32, row: i32, ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let side = |at: i32| -> RangeInclusive<i32> { at - ring..=at + ring - 1 };
    let (columns, rows) = (side(column), side(row));
    rows.clone().flat_map(move |z| {
        let whole_row = z == *rows.start() || z == *rows.end();
        let columns = columns.clone();
        let ends = [*columns.start(), *columns.end()];
        columns
            .filter(move |x| whole_row || ends.contains(x))
            .map(move |x| (x, z))
    })
}
