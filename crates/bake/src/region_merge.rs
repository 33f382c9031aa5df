//! Drops small islands, merges small regions with their neighbours and numbers the regions consecutively.
//!
//! These are the last steps of Recast's watershed algorithm, with the same results as `rerecast`.

use rerecast::AreaType;

use crate::open::{NO_NEIGHBOUR, OpenField};
use crate::watershed::{BORDER, NO_REGION};

/// Maximum number of steps around a region, as in Recast.
const MAX_CONTOUR_STEPS: usize = 40_000;

/// A region and what is around it.
struct Region {
    /// Its number, which is that of another region after a merge, or [`NO_REGION`] if it was dropped.
    id: u16,
    floors: usize,
    area: AreaType,
    /// Whether the region is above itself.
    overlaps: bool,
    is_visited: bool,
    /// The regions along its outline, in order. Regions without an outline yet have none.
    outline: Vec<u16>,
    /// The regions above and below.
    stacked: Vec<u16>,
}

/// Drops and merges regions; see [`OpenField::build_regions`]. `regions` are the regions of all floors, with
/// numbers up to `count`. Returns the number of regions that are left.
pub(crate) fn merge(
    field: &OpenField,
    regions: &mut [u16],
    count: u16,
    min_floors: u16,
    merge_floors: u16,
) -> u16 {
    let mut table = RegionTable::new(field, regions, count);
    table.drop_islands(min_floors.into());
    table.merge_small(merge_floors.into());
    let (numbers, kept) = table.renumbered();
    for region in regions {
        if *region & BORDER == 0 {
            *region = numbers[usize::from(*region)];
        }
    }
    kept
}

struct RegionTable {
    regions: Vec<Region>,
    /// Per region, the regions whose `outline` or `stacked` may contain it.
    mentioned_by: Vec<Vec<u16>>,
}

impl RegionTable {
    fn new(field: &OpenField, regions: &[u16], count: u16) -> Self {
        let new_region = |id| Region {
            id,
            floors: 0,
            area: AreaType::NOT_WALKABLE,
            overlaps: false,
            is_visited: false,
            outline: Vec::new(),
            stacked: Vec::new(),
        };
        let mut table: Vec<Region> = (0..=count).map(new_region).collect();
        let is_listed = |id: u16| id != NO_REGION && id <= count;
        for cell in &field.compact.cells {
            let column = cell.index_range();
            for floor in column.clone() {
                let id = regions[floor];
                if !is_listed(id) {
                    continue;
                }
                let region = &mut table[usize::from(id)];
                region.floors += 1;
                for other in column.clone() {
                    if other != floor && is_listed(regions[other]) {
                        region.overlaps |= regions[other] == id;
                        region.add_stacked(regions[other]);
                    }
                }
                if !region.outline.is_empty() {
                    continue;
                }
                region.area = field.compact.areas[floor];
                let beyond = |direction: usize| region_beside(field, regions, floor, direction);
                if let Some(direction) = (0..4).find(|&direction| beyond(direction) != id) {
                    region.outline = walk_outline(field, regions, floor, direction);
                }
            }
        }
        let mut mentioned_by = vec![Vec::new(); table.len()];
        for (index, region) in table.iter().enumerate() {
            for &id in region.outline.iter().chain(&region.stacked) {
                if let Some(mentioned_by) = mentioned_by.get_mut(usize::from(id)) {
                    mentioned_by.push(index as u16);
                }
            }
        }
        Self {
            regions: table,
            mentioned_by,
        }
    }

    /// Drops connected groups of regions with fewer than `min_floors` floors together. Groups that reach the
    /// border of a tile are kept, because their size is not known.
    fn drop_islands(&mut self, min_floors: usize) {
        let (mut stack, mut group) = (Vec::new(), Vec::new());
        for start in 0..self.regions.len() {
            let region = &mut self.regions[start];
            if !region.is_inner() || region.floors == 0 || region.is_visited {
                continue;
            }
            let (mut floors, mut reaches_border) = (0, false);
            group.clear();
            region.is_visited = true;
            stack.push(start);
            while let Some(index) = stack.pop() {
                floors += self.regions[index].floors;
                group.push(index);
                for at in 0..self.regions[index].outline.len() {
                    let id = self.regions[index].outline[at];
                    if id & BORDER != 0 {
                        reaches_border = true;
                        continue;
                    }
                    let beside = &mut self.regions[usize::from(id)];
                    if !beside.is_visited && beside.is_inner() {
                        beside.is_visited = true;
                        stack.push(usize::from(beside.id));
                    }
                }
            }
            if floors < min_floors && !reaches_border {
                for &index in &group {
                    self.regions[index].floors = 0;
                    self.regions[index].id = NO_REGION;
                }
            }
        }
    }

    /// Merges each region of at most `merge_floors` floors, or without a wall or ledge, with the smallest
    /// neighbour that it can be merged with. Repeats this until nothing changes.
    fn merge_small(&mut self, merge_floors: usize) {
        loop {
            let mut has_merged = false;
            for index in 0..self.regions.len() {
                if let Some(target) = self.merge_target(index, merge_floors) {
                    has_merged |= self.merge_into(index, target);
                }
            }
            if !has_merged {
                break;
            }
        }
    }

    fn merge_target(&self, index: usize, merge_floors: usize) -> Option<usize> {
        let region = &self.regions[index];
        if !region.is_inner() || region.overlaps || region.floors == 0 {
            return None;
        }
        if region.floors > merge_floors && region.outline.contains(&NO_REGION) {
            return None;
        }
        let mut smallest: Option<&Region> = None;
        for &id in &region.outline {
            if id & BORDER != 0 {
                continue;
            }
            let beside = &self.regions[usize::from(id)];
            if beside.is_inner()
                && !beside.overlaps
                && smallest.is_none_or(|smallest| beside.floors < smallest.floors)
                && region.can_merge_with(beside)
                && beside.can_merge_with(region)
            {
                smallest = Some(beside);
            }
        }
        let target = smallest?.id;
        (target != region.id).then_some(usize::from(target))
    }

    /// Merges a region into another one. Returns `false` if their outlines do not touch.
    fn merge_into(&mut self, index: usize, target: usize) -> bool {
        let (old, new) = (self.regions[index].id, self.regions[target].id);
        let cut = |outline: &[u16], id: u16| {
            let at = outline.iter().position(|&beside| beside == id)?;
            Some([&outline[at + 1..], &outline[..at]].concat())
        };
        let Some(mut outline) = cut(&self.regions[target].outline, old) else {
            return false;
        };
        let Some(rest) = cut(&self.regions[index].outline, new) else {
            return false;
        };
        outline.extend(rest);
        remove_repetitions(&mut outline);
        let stacked = std::mem::take(&mut self.regions[index].stacked);
        let floors = std::mem::take(&mut self.regions[index].floors);
        for &id in outline.iter().chain(&stacked) {
            if let Some(mentioned_by) = self.mentioned_by.get_mut(usize::from(id)) {
                mentioned_by.push(target as u16);
            }
        }
        let merged = &mut self.regions[target];
        merged.outline = outline;
        merged.floors += floors;
        for id in stacked {
            merged.add_stacked(id);
        }
        self.regions[index].outline.clear();
        // Regions that were merged into the old one have its number, too.
        for region in &mut self.regions {
            if region.id == old {
                region.id = new;
            }
        }
        let mentioned_by = std::mem::take(&mut self.mentioned_by[usize::from(old)]);
        for &other in &mentioned_by {
            self.regions[usize::from(other)].replace(old, new);
        }
        self.mentioned_by[usize::from(new)].extend(mentioned_by);
        true
    }

    /// Returns the final number of each region and the number of regions.
    fn renumbered(&self) -> (Vec<u16>, u16) {
        let mut numbers = vec![NO_REGION; self.regions.len()];
        let mut kept = 0;
        for region in self.regions.iter().filter(|region| region.is_inner()) {
            let number = &mut numbers[usize::from(region.id)];
            if *number == NO_REGION {
                kept += 1;
                *number = kept;
            }
        }
        let number = |region: &Region| match region.is_inner() {
            true => numbers[usize::from(region.id)],
            false => region.id,
        };
        (self.regions.iter().map(number).collect(), kept)
    }
}

impl Region {
    fn is_inner(&self) -> bool {
        self.id != NO_REGION && self.id & BORDER == 0
    }

    fn add_stacked(&mut self, id: u16) {
        if !self.stacked.contains(&id) {
            self.stacked.push(id);
        }
    }

    /// Returns whether the two regions touch along one line only and are not above one another.
    fn can_merge_with(&self, other: &Self) -> bool {
        let touches = self.outline.iter().filter(|&&id| id == other.id).count();
        self.area == other.area && touches <= 1 && !self.stacked.contains(&other.id)
    }

    fn replace(&mut self, old: u16, new: u16) {
        if !self.is_inner() {
            return;
        }
        for id in &mut self.stacked {
            if *id == old {
                *id = new;
            }
        }
        if self.outline.contains(&old) {
            for id in &mut self.outline {
                if *id == old {
                    *id = new;
                }
            }
            remove_repetitions(&mut self.outline);
        }
    }
}

/// Removes consecutive equal elements of a ring, like Recast: of the last and the first element, if they are
/// equal, the last one is removed.
fn remove_repetitions(ring: &mut Vec<u16>) {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
}

fn region_beside(field: &OpenField, regions: &[u16], floor: usize, direction: usize) -> u16 {
    let beside = field.neighbours[floor][direction];
    regions.get(beside as usize).copied().unwrap_or(NO_REGION)
}

/// Walks around a region and returns the regions beyond its outline, in order. Starts at a side of a floor
/// with another region beyond it.
fn walk_outline(
    field: &OpenField,
    regions: &[u16],
    mut floor: usize,
    mut direction: usize,
) -> Vec<u16> {
    let start = (floor, direction);
    let region = regions[floor];
    let mut latest = region_beside(field, regions, floor, direction);
    let mut outline = vec![latest];
    for _ in 0..MAX_CONTOUR_STEPS {
        let beyond = region_beside(field, regions, floor, direction);
        if beyond != region {
            if beyond != latest {
                latest = beyond;
                outline.push(latest);
            }
            direction = (direction + 1) % 4;
        } else {
            let beside = field.neighbours[floor][direction];
            if beside == NO_NEIGHBOUR {
                return outline;
            }
            floor = beside as usize;
            direction = (direction + 3) % 4;
        }
        if (floor, direction) == start {
            break;
        }
    }
    remove_repetitions(&mut outline);
    outline
}
