//! Groups walkable floors into regions by Recast's watershed algorithm.
//!
//! Water sinks through the distance field from the highest level to the lowest one. At each level, regions
//! grow into the floors that have come to the surface, for a few steps. Floors that no region reaches start
//! new regions.

use rerecast::RegionId;

use crate::open::{NO_NEIGHBOUR, OpenField};
use crate::region_merge;

/// Number of levels after which the floors that are left are put back into the order of their indices.
const LEVELS_PER_SORT: u16 = 8;

/// Number of steps that regions grow at each level.
const GROWTH_STEPS: usize = 8;

/// The region of a floor without one.
pub(crate) const NO_REGION: u16 = 0;

/// The flag of regions in the border around a tile.
pub(crate) const BORDER: u16 = RegionId::BORDER_REGION.bits();

/// There are more regions than Recast can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyRegions;

/// Regions while they grow.
struct Watershed<'a> {
    field: &'a OpenField,
    /// Per floor, its region.
    regions: Vec<u16>,
    /// Per floor, its distance from where its region started to grow at this level.
    distances: Vec<u16>,
    /// Floors that join a region in the current step: the floor, the region and the distance.
    joining: Vec<(u32, u16, u16)>,
    stack: Vec<u32>,
}

impl OpenField {
    /// Groups the walkable floors into regions. Floors within `border` cells of the edge of the grid get
    /// regions with the flag [`BORDER`]. Islands of fewer than `min_floors` floors are dropped, and regions of
    /// up to `merge_floors` floors are merged with a neighbour if possible.
    pub(crate) fn build_regions(
        &mut self,
        border: u16,
        min_floors: u16,
        merge_floors: u16,
    ) -> Result<(), TooManyRegions> {
        let floor_count = self.neighbours.len();
        let mut watershed = Watershed {
            field: self,
            regions: vec![NO_REGION; floor_count],
            distances: vec![0; floor_count],
            joining: Vec::new(),
            stack: Vec::new(),
        };
        let first = watershed.paint_border(border);
        let count = watershed.flood(first)?;
        let mut regions = watershed.regions;
        let kept = region_merge::merge(self, &mut regions, count, min_floors, merge_floors);
        self.compact.border_size = border;
        self.compact.max_region = RegionId::from(kept);
        for (span, region) in self.compact.spans.iter_mut().zip(regions) {
            span.region = RegionId::from(region);
        }
        Ok(())
    }
}

impl Watershed<'_> {
    /// Paints the four strips along the edges of the grid. Returns the number of the next region.
    fn paint_border(&mut self, border: u16) -> u16 {
        if border == 0 {
            return 1;
        }
        let compact = &self.field.compact;
        let (width, depth) = (usize::from(compact.width), usize::from(compact.height));
        let (x, z) = (width.min(border.into()), depth.min(border.into()));
        let strips = [
            (0..x, 0..depth),
            (width - x..width, 0..depth),
            (0..width, 0..z),
            (0..width, depth - z..depth),
        ];
        for (strip, (columns, rows)) in (1..).zip(strips) {
            for row in rows {
                for cell in &compact.cells[row * width..][columns.clone()] {
                    for floor in cell.index_range() {
                        if compact.areas[floor].is_walkable() {
                            self.regions[floor] = strip | BORDER;
                        }
                    }
                }
            }
        }
        5
    }

    /// Lets the water sink level by level. `region` is the first free number of a region. Returns the first
    /// free number afterwards.
    fn flood(&mut self, mut region: u16) -> Result<u16, TooManyRegions> {
        let by_level = self.floors_by_level();
        let mut level = (self.field.compact.max_distance.saturating_add(1)) & !1;
        let mut levels_to_sort = 0;
        // The floors at or above the current level without a region. At first, these are the floors above
        // the first level.
        let above = by_level.iter().skip(usize::from(level / 2));
        let mut open: Vec<u32> = above.flatten().copied().collect();
        while level > 0 {
            level = level.saturating_sub(2);
            let surfaced = by_level.get(usize::from(level / 2));
            let surfaced = surfaced.map_or(&[][..], Vec::as_slice);
            self.retain_open(&mut open);
            if levels_to_sort == 0 {
                levels_to_sort = LEVELS_PER_SORT;
                open.extend_from_slice(surfaced);
                open.sort_unstable();
            } else {
                let left_over = std::mem::take(&mut open);
                open.extend_from_slice(surfaced);
                open.extend(left_over);
            }
            levels_to_sort -= 1;
            self.retain_open(&mut open);
            self.grow(&mut open, if level > 0 { GROWTH_STEPS } else { usize::MAX });
            for &floor in &open {
                if self.regions[floor as usize] == NO_REGION
                    && self.start_region(floor, level, region)
                {
                    region = region.checked_add(1).ok_or(TooManyRegions)?;
                }
            }
        }
        let areas = &self.field.compact.areas;
        let mut open: Vec<u32> = (0..self.regions.len() as u32)
            .filter(|&floor| areas[floor as usize].is_walkable())
            .collect();
        self.retain_open(&mut open);
        self.grow(&mut open, usize::MAX);
        Ok(region)
    }

    /// Returns the walkable floors by half of their distance, in the order of their indices.
    fn floors_by_level(&self) -> Vec<Vec<u32>> {
        let compact = &self.field.compact;
        let highest = compact.dist.iter().copied().max().unwrap_or(0);
        let mut by_level = vec![Vec::new(); usize::from(highest / 2) + 1];
        for (floor, (&distance, area)) in compact.dist.iter().zip(&compact.areas).enumerate() {
            if area.is_walkable() && self.regions[floor] == NO_REGION {
                by_level[usize::from(distance / 2)].push(floor as u32);
            }
        }
        by_level
    }

    fn retain_open(&self, open: &mut Vec<u32>) {
        open.retain(|&floor| self.regions[floor as usize] == NO_REGION);
    }

    /// Lets regions grow into the floors `open` for some steps. A floor joins the region that is the shortest
    /// distance away. Floors that join a region are removed from `open`.
    fn grow(&mut self, open: &mut Vec<u32>, max_steps: usize) {
        let areas = &self.field.compact.areas;
        for _ in 0..max_steps {
            self.joining.clear();
            open.retain(|&floor| {
                let mut nearest = (NO_REGION, u16::MAX);
                for &beside in &self.field.neighbours[floor as usize] {
                    let region = self.regions.get(beside as usize).copied();
                    let region = region.unwrap_or(NO_REGION);
                    if region == NO_REGION || region & BORDER != 0 {
                        continue;
                    }
                    let distance = self.distances[beside as usize].saturating_add(2);
                    if distance < nearest.1 && areas[beside as usize] == areas[floor as usize] {
                        nearest = (region, distance);
                    }
                }
                if nearest.0 != NO_REGION {
                    self.joining.push((floor, nearest.0, nearest.1));
                }
                nearest.0 == NO_REGION
            });
            if self.joining.is_empty() {
                break;
            }
            for &(floor, region, distance) in &self.joining {
                self.regions[floor as usize] = region;
                self.distances[floor as usize] = distance;
            }
        }
    }

    /// Starts a region at a floor and fills the connected floors at or just below the level of the water,
    /// except for those beside another region. Returns `false` if no floor is left.
    fn start_region(&mut self, start: u32, level: u16, region: u16) -> bool {
        let (neighbours, compact) = (&self.field.neighbours, &self.field.compact);
        let areas = &compact.areas;
        let area = areas[start as usize];
        let level = level.saturating_sub(2);
        self.stack.clear();
        self.stack.push(start);
        self.regions[start as usize] = region;
        self.distances[start as usize] = 0;
        let mut is_used = false;
        while let Some(floor) = self.stack.pop() {
            let links = neighbours[floor as usize];
            if self.touches_other_region(links, area, region) {
                self.regions[floor as usize] = NO_REGION;
                continue;
            }
            is_used = true;
            for beside in links {
                if beside != NO_NEIGHBOUR
                    && areas[beside as usize] == area
                    && compact.dist[beside as usize] >= level
                    && self.regions[beside as usize] == NO_REGION
                {
                    self.regions[beside as usize] = region;
                    self.distances[beside as usize] = 0;
                    self.stack.push(beside);
                }
            }
        }
        is_used
    }

    /// Returns whether one of the eight floors around a floor belongs to another region. As in Recast, the
    /// search ends at a border region.
    fn touches_other_region(&self, links: [u32; 4], area: rerecast::AreaType, region: u16) -> bool {
        let areas = &self.field.compact.areas;
        let is_other = |at: u16| at != NO_REGION && at != region;
        for (direction, beside) in links.into_iter().enumerate() {
            if beside == NO_NEIGHBOUR || areas[beside as usize] != area {
                continue;
            }
            let beside_region = self.regions[beside as usize];
            if beside_region & BORDER != 0 {
                return false;
            }
            if is_other(beside_region) {
                return true;
            }
            let across = self.field.neighbours[beside as usize][(direction + 1) % 4];
            if across != NO_NEIGHBOUR
                && areas[across as usize] == area
                && is_other(self.regions[across as usize])
            {
                return true;
            }
        }
        false
    }
}
