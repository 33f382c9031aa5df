//! Gates: which goals a shortest path can reach through a side.
//!
//! A shortest path enters a convex polygon at most once. So it leaves a polygon through a side only if the
//! goal lies in the part of the mesh behind that side, as far as the polygon separates it from the rest. The
//! biconnected blocks of the dual graph and the polygons that join them form a tree (the block-cut tree). A
//! tour of the tree numbers all polygons so that the part behind any side is a range of numbers, or the
//! complement of one. Testing a goal takes one comparison.

use super::NONE;
use super::plan::PlanMesh;

/// The goals that can be reached through a side: a range of positions in the tour, or all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    first: u32,
    /// The length of the range. The highest bit means that the goal must not be in it.
    length: u32,
}

const INVERTED: u32 = 1 << 31;

impl Gate {
    /// The gate that is open for every goal.
    pub(super) const OPEN: Self = Self {
        first: 0,
        length: INVERTED,
    };

    /// Returns whether a goal at this position of the tour can be reached.
    #[inline(always)]
    pub(super) fn admits(self, position: u32) -> bool {
        let is_inside = position.wrapping_sub(self.first) < self.length & !INVERTED;
        is_inside != (self.length & INVERTED != 0)
    }
}

/// The gates of a mesh.
pub(super) struct Gates {
    /// The gate of each side.
    pub(super) of_sides: Vec<Gate>,
    /// The position of each polygon in the tour.
    pub(super) tour: Vec<u32>,
}

impl Gates {
    pub(super) fn new(plan: &PlanMesh) -> Self {
        let (block_of_side, block_count) = biconnected_blocks(plan);
        let polygons = plan.polygon_count();
        // The polygons of each block, and the blocks of each polygon.
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(block_of_side.len());
        for polygon in 0..polygons as u32 {
            let blocks = plan.sides_of(polygon).map(|side| block_of_side[side]);
            members.extend(blocks.map(|block| (block, polygon)));
        }
        members.sort_unstable();
        members.dedup();
        let swapped: Vec<(u32, u32)> = members.iter().map(|&(b, p)| (p, b)).collect();
        let of_block = crate::csr::Csr::group(block_count, &members);
        let of_polygon = crate::csr::Csr::group(polygons, &swapped);
        // Nodes of the tree: the polygons, then the blocks.
        let total = polygons + block_count;
        let (mut enter, mut leave) = (vec![NONE; total], vec![0; total]);
        let mut parents = vec![NONE; total];
        let mut clock = 0;
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for root in 0..polygons {
            if enter[root] != NONE {
                continue;
            }
            enter[root] = clock;
            clock += 1;
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                let node = *node;
                let (list, offset) = match node.checked_sub(polygons) {
                    None => (of_polygon.get(node), polygons),
                    Some(block) => (of_block.get(block), 0),
                };
                let Some(&child) = list.get(*next) else {
                    leave[node] = clock;
                    stack.pop();
                    continue;
                };
                *next += 1;
                let child = child as usize + offset;
                if enter[child] == NONE {
                    enter[child] = clock;
                    clock += 1;
                    parents[child] = node as u32;
                    stack.push((child, 0));
                }
            }
        }
        let mut of_sides = Vec::with_capacity(block_of_side.len());
        for polygon in 0..polygons {
            for side in plan.sides_of(polygon as u32) {
                let block = polygons + block_of_side[side] as usize;
                let is_below = parents[block] == polygon as u32;
                let (top, flag) = if is_below {
                    (block, 0)
                } else {
                    (polygon, INVERTED)
                };
                of_sides.push(Gate {
                    first: enter[top],
                    length: (leave[top] - enter[top]) | flag,
                });
            }
        }
        enter.truncate(polygons);
        Self {
            of_sides,
            tour: enter,
        }
    }
}

/// Returns the biconnected block of each side, and the number of blocks: the algorithm of Hopcroft and Tarjan
/// (1973), without recursion. Both sides of a portal are in the same block.
fn biconnected_blocks(plan: &PlanMesh) -> (Vec<u32>, usize) {
    let polygons = plan.polygon_count();
    let (mut number, mut low) = (vec![NONE; polygons], vec![0u32; polygons]);
    // The side by which the search entered each polygon.
    let mut entered_by = vec![NONE; polygons];
    let mut block_of_side = vec![NONE; plan.sides.len()];
    let mut open_sides: Vec<u32> = Vec::new();
    let mut stack: Vec<(u32, usize)> = Vec::new();
    let (mut next_number, mut block_count) = (0u32, 0u32);
    for root in 0..polygons as u32 {
        if number[root as usize] != NONE {
            continue;
        }
        number[root as usize] = next_number;
        low[root as usize] = next_number;
        next_number += 1;
        stack.push((root, plan.sides_of(root).start));
        while let Some((polygon, next)) = stack.last_mut() {
            let here = *polygon as usize;
            let side = *next;
            if side < plan.sides_of(*polygon).end {
                *next += 1;
                let entry = entered_by[here];
                if entry != NONE && plan.sides[entry as usize].twin == side as u32 {
                    continue;
                }
                let beyond = plan.sides[side].beyond as usize;
                if number[beyond] == NONE {
                    number[beyond] = next_number;
                    low[beyond] = next_number;
                    next_number += 1;
                    entered_by[beyond] = side as u32;
                    open_sides.push(side as u32);
                    stack.push((beyond as u32, plan.sides_of(beyond as u32).start));
                } else if number[beyond] < number[here] {
                    open_sides.push(side as u32);
                    low[here] = low[here].min(number[beyond]);
                }
                continue;
            }
            stack.pop();
            let entry = entered_by[here];
            if entry == NONE {
                continue;
            }
            let parent = plan.sides[plan.sides[entry as usize].twin as usize].beyond as usize;
            low[parent] = low[parent].min(low[here]);
            if low[here] >= number[parent] {
                while let Some(side) = open_sides.pop() {
                    block_of_side[side as usize] = block_count;
                    block_of_side[plan.sides[side as usize].twin as usize] = block_count;
                    if side == entry {
                        break;
                    }
                }
                block_count += 1;
            }
        }
    }
    (block_of_side, block_count as usize)
}
