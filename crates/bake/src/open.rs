//! The open space of a piece: the floors that an agent can stand on and the links between them.
//!
//! This is Recast's compact height field, with the index of each neighbour stored beside it. All stages
//! after this one step from neighbour to neighbour, and finding one in Recast's format takes two dependent
//! reads.

use rayon::prelude::*;
use rerecast::{Aabb3d, AreaType, CompactCell, CompactHeightfield, CompactSpan, RegionId};

use crate::options::CellLengths;
use crate::solid::{BAND_ROWS, SolidField, SolidSpan};

/// Maximum number of walkable floors in a column of cells. Recast refers to neighbours with six bits.
const MAX_FLOORS: usize = 60;

/// The neighbour in a direction without one.
pub(crate) const NO_NEIGHBOUR: u32 = u32::MAX;

/// The ceiling of a column without one.
const SKY: i32 = u16::MAX as i32;

/// Recast's directions: -x, +z, +x, -z.
pub(crate) const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The walkable floors of a piece. Floors are ordered by row, column and height.
pub(crate) struct OpenField {
    pub(crate) compact: CompactHeightfield,
    /// Per floor, the index of its neighbour in each of the four directions, or [`NO_NEIGHBOUR`].
    pub(crate) neighbours: Vec<[u32; 4]>,
    /// Per row, the index of its first floor, and the number of all floors at the end.
    pub(crate) row_starts: Vec<usize>,
}

/// A column that has too many floors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CrowdedColumn {
    pub(crate) x: usize,
    pub(crate) z: usize,
}

/// The walkable floors of a band of rows.
#[derive(Default)]
struct FloorBand {
    /// Per column, the number of its floors.
    counts: Vec<u8>,
    floors: Vec<Floor>,
    areas: Vec<AreaType>,
}

/// The empty cells above a span, up to 255 of them.
#[derive(Clone, Copy)]
struct Floor {
    bottom: u16,
    height: u8,
}

impl OpenField {
    /// Finds the spans that an agent can stand on: not beside a ledge, and with enough space above.
    pub(crate) fn new(solid: &SolidField, lengths: &CellLengths) -> Result<Self, CrowdedColumn> {
        let grid = solid.grid;
        let depth = usize::from(grid.depth);
        let bands: Result<Vec<FloorBand>, CrowdedColumn> = (0..depth.div_ceil(BAND_ROWS))
            .into_par_iter()
            .with_max_len(1)
            .map(|band| {
                let rows = band * BAND_ROWS..((band + 1) * BAND_ROWS).min(depth);
                find_floors(solid, rows, lengths)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        let bands = bands?;
        let mut max = grid.max;
        max.y += f32::from(lengths.height);
        let floor_count = bands.iter().map(|band| band.floors.len()).sum();
        let mut compact = CompactHeightfield {
            width: grid.width,
            height: grid.depth,
            walkable_height: lengths.height,
            walkable_climb: lengths.climb,
            border_size: 0,
            max_distance: 0,
            max_region: RegionId::NONE,
            aabb: Aabb3d { min: grid.min, max },
            cell_size: 1.0,
            cell_height: 1.0,
            cells: Vec::with_capacity(usize::from(grid.width) * depth),
            spans: vec![CompactSpan::default(); floor_count],
            dist: Vec::new(),
            areas: Vec::with_capacity(floor_count),
        };
        let mut floors = Vec::with_capacity(floor_count);
        let mut row_starts = Vec::with_capacity(depth + 1);
        let mut first = 0;
        for band in &bands {
            for (column, &count) in band.counts.iter().enumerate() {
                if column % usize::from(grid.width) == 0 {
                    row_starts.push(first as usize);
                }
                let mut cell = CompactCell::default();
                cell.set_index(first);
                cell.set_count(count);
                compact.cells.push(cell);
                first += u32::from(count);
            }
            floors.extend_from_slice(&band.floors);
            compact.areas.extend_from_slice(&band.areas);
        }
        row_starts.push(first as usize);
        let mut field = Self {
            compact,
            neighbours: vec![[NO_NEIGHBOUR; 4]; floor_count],
            row_starts,
        };
        field.link(&floors, lengths);
        Ok(field)
    }

    /// Links every floor with the floors beside it that an agent can step to.
    fn link(&mut self, floors: &[Floor], lengths: &CellLengths) {
        let (width, depth) = (self.compact.width, self.compact.height);
        let cells = &self.compact.cells;
        let row_starts = &self.row_starts;
        let link_row = |z: usize, spans: &mut [CompactSpan], neighbours: &mut [[u32; 4]]| {
            for x in 0..usize::from(width) {
                for index in cells[x + z * usize::from(width)].index_range() {
                    let floor = floors[index];
                    let mut links = [NO_NEIGHBOUR; 4];
                    let mut bits = u32::from(floor.height) << 24;
                    for (direction, (dx, dz)) in DIRECTIONS.into_iter().enumerate() {
                        let (beside_x, beside_z) = (x as i32 + dx, z as i32 + dz);
                        let is_inside = (0..i32::from(width)).contains(&beside_x)
                            && (0..i32::from(depth)).contains(&beside_z);
                        let column = is_inside.then(|| {
                            cells[beside_x as usize + beside_z as usize * usize::from(width)]
                                .index_range()
                        });
                        let step = column.and_then(|mut column| {
                            let first = column.start;
                            let beside = column.find(|&at| floor.reaches(floors[at], lengths))?;
                            Some((beside, (beside - first) as u32))
                        });
                        let (beside, layer) = step.unwrap_or((NO_NEIGHBOUR as usize, 0x3f));
                        links[direction] = beside as u32;
                        bits |= layer << (6 * direction);
                    }
                    neighbours[index - row_starts[z]] = links;
                    spans[index - row_starts[z]] = CompactSpan {
                        y: floor.bottom,
                        region: RegionId::NONE,
                        data: bits,
                    };
                }
            }
        };
        let mut rows = Vec::with_capacity(usize::from(depth));
        let (mut spans, mut neighbours) = (&mut self.compact.spans[..], &mut self.neighbours[..]);
        for z in 0..usize::from(depth) {
            let count = row_starts[z + 1] - row_starts[z];
            let (row_spans, row_neighbours);
            (row_spans, spans) = spans.split_at_mut(count);
            (row_neighbours, neighbours) = neighbours.split_at_mut(count);
            rows.push((z, row_spans, row_neighbours));
        }
        rows.into_par_iter()
            .with_min_len(BAND_ROWS)
            .for_each(|(z, spans, neighbours)| link_row(z, spans, neighbours));
    }
}

impl Floor {
    /// Returns whether an agent can step from this floor to one beside it.
    fn reaches(self, beside: Self, lengths: &CellLengths) -> bool {
        let ceiling = |floor: Self| i32::from(floor.bottom) + i32::from(floor.height);
        let bottom = i32::from(self.bottom.max(beside.bottom));
        let top = ceiling(self).min(ceiling(beside));
        top - bottom >= i32::from(lengths.height)
            && self.bottom.abs_diff(beside.bottom) <= lengths.climb
    }
}

/// Finds the walkable floors of some rows.
fn find_floors(
    solid: &SolidField,
    rows: std::ops::Range<usize>,
    lengths: &CellLengths,
) -> Result<FloorBand, CrowdedColumn> {
    let (width, depth) = (usize::from(solid.grid.width), usize::from(solid.grid.depth));
    let mut band = FloorBand::default();
    band.counts.reserve(width * rows.len());
    band.floors.reserve(width * rows.len());
    band.areas.reserve(width * rows.len());
    for z in rows {
        let row = solid.row(z);
        let before = (z > 0).then(|| solid.row(z - 1));
        let after = (z + 1 < depth).then(|| solid.row(z + 1));
        for x in 0..width {
            let spans = row.column(x);
            let neighbours = || {
                Some([
                    (x > 0).then(|| row.column(x - 1))?,
                    after?.column(x),
                    (x + 1 < width).then(|| row.column(x + 1))?,
                    before?.column(x),
                ])
            };
            let mut beside: Option<Option<[&[SolidSpan]; 4]>> = None;
            let first = band.floors.len();
            for (index, span) in spans.iter().enumerate() {
                let above = spans.get(index + 1);
                let ceiling = above.map_or(SKY, |above| above.bottom.into());
                let height = ceiling - i32::from(span.top);
                if !span.area.is_walkable() || height < lengths.height.into() {
                    continue;
                }
                // At the edge of the grid, all floors are ledges.
                let Some(beside) = *beside.get_or_insert_with(neighbours) else {
                    break;
                };
                if !is_ledge(span.top, ceiling, beside, lengths) {
                    band.floors.push(Floor {
                        bottom: span.top,
                        height: height.min(u8::MAX.into()) as u8,
                    });
                    band.areas.push(span.area);
                }
            }
            let count = band.floors.len() - first;
            if count > MAX_FLOORS {
                return Err(CrowdedColumn { x, z });
            }
            band.counts.push(count as u8);
        }
    }
    Ok(band)
}

/// Returns whether the ground beside a floor is too far below it or too steep. `beside` are the four
/// columns around it.
fn is_ledge(floor: u16, ceiling: i32, beside: [&[SolidSpan]; 4], lengths: &CellLengths) -> bool {
    let (height, climb) = (i32::from(lengths.height), i32::from(lengths.climb));
    let floor = i32::from(floor);
    let (mut lowest, mut highest) = (floor, floor);
    for column in beside {
        // The space below the lowest span is a bottomless drop.
        let lowest_bottom = column.first().map_or(SKY, |span| span.bottom.into());
        if ceiling.min(lowest_bottom) - floor >= height {
            return true;
        }
        for (index, span) in column.iter().enumerate() {
            let beside_floor = i32::from(span.top);
            // Floors are in ascending order, so the ones that follow have even less space below `ceiling`.
            if ceiling - beside_floor < height {
                break;
            }
            let above = column.get(index + 1);
            let beside_ceiling = above.map_or(SKY, |above| above.bottom.into());
            if ceiling.min(beside_ceiling) - floor.max(beside_floor) < height {
                continue;
            }
            if beside_floor - floor < -climb {
                return true;
            }
            if beside_floor - floor <= climb {
                (lowest, highest) = (lowest.min(beside_floor), highest.max(beside_floor));
            }
        }
    }
    highest - lowest > climb
}
