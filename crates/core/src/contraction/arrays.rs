//! A contraction and its shortcuts as plain arrays, for index files.
//!
//! Reading checks everything that searches and customization rely on. So no content of a file can make them
//! panic, read out of bounds or unpack a shortcut without end. It does not check that the costs are those of
//! the graph.

use glam::Vec4;

use super::parts::{BACKWARDS, MAX_RUN_ARCS, RUN, ShortcutParts};
use super::pruned::{LANES, PrunedArcs};
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts, tree};
use crate::array::Array;
use crate::csr::Lists;

/// A part whose path has more than this many arcs per vertex of the graph is rejected. The path of a shortcut
/// hardly ever visits a vertex twice. Without a limit, a forged file could contain paths whose length is
/// exponential in the number of parts.
const MAX_VISITS: u32 = 4;

/// The arrays of [`Shortcuts`].
#[derive(Clone, Debug, PartialEq)]
pub struct ShortcutArrays {
    /// The upward arcs.
    pub upwards: ArcArrays,
    /// The downward arcs. `None` if every arc costs the same in both directions.
    pub downwards: Option<ArcArrays>,
    /// The paths of shortcuts. A part is two references to earlier parts, for the two halves of its path; or
    /// the start of a run and 2^31 plus twice its number of vertices, plus 1 if the run is read backwards. A
    /// reference is twice the number of a part, plus 1 if the part is read backwards. Parts and runs are read
    /// backwards only if all costs are symmetric.
    pub parts: Array<[u32; 2]>,
    /// The vertices of all runs.
    pub runs: Array<u32>,
    /// The estimated cost of a path as a multiple of its straight-line bound; infinite if there is none.
    pub cost_estimate: f32,
}

/// The arcs of one direction that queries scan, in blocks of four depths.
#[derive(Clone, Debug, PartialEq)]
pub struct ArcArrays {
    /// The index of the first block of each rank, and the number of blocks at the end.
    pub offsets: Array<u32>,
    /// The first depth of each block, divided by 4.
    pub depths: Array<u32>,
    /// The costs of each block's arcs. A cost is infinite where there is no arc.
    pub costs: Array<Vec4>,
    /// References to the parts of each block's arcs; 0 where there is no arc.
    pub parts: Array<[u32; LANES]>,
}

impl Contraction {
    /// Returns the upper neighbours of each rank, in ascending order.
    pub fn upper_neighbours(&self) -> &Lists<u32> {
        &self.up
    }

    /// Creates a contraction from its [`order`](Self::order) and its
    /// [`upper_neighbours`](Self::upper_neighbours). Returns `None` if they violate an invariant. Whether all
    /// arcs of a graph are in it has to be checked with [`has_clique`](Self::has_clique).
    pub(crate) fn from_arrays(order: Array<u32>, up: Lists<u32>) -> Option<Self> {
        let ranks = checked_inverse(&order)?;
        let count = ranks.len();
        if up.len() != count {
            return None;
        }
        let mut parents = Vec::with_capacity(count);
        for (rank, heads) in (0..).zip(up.iter()) {
            let Some((&first, rest)) = heads.split_first() else {
                parents.push(rank);
                continue;
            };
            let is_ascending = rank < first && heads.is_sorted_by(|a, b| a < b);
            let exist = heads.last().is_some_and(|&last| (last as usize) < count);
            if !is_ascending || !exist || !is_subset(rest, up.get(first as usize)) {
                return None;
            }
            parents.push(first);
        }
        let is_post_order = (0..).zip(tree::post_order(&parents)).all(|(a, b)| a == b);
        is_post_order.then(|| Self {
            depths: tree::depths(&parents).into(),
            ranks: ranks.into(),
            vertices: order,
            parents: parents.into(),
            positions: Array::default(),
            up,
        })
    }

    /// Returns whether vertices, which must exist, are pairwise adjacent. They are if the lowest is adjacent
    /// to all others, because the upper neighbours of a rank are pairwise adjacent.
    pub(crate) fn has_clique(&self, vertices: impl Iterator<Item = u32> + Clone) -> bool {
        let ranks = vertices.map(|vertex| self.ranks[vertex as usize]);
        let Some(lowest) = ranks.clone().min() else {
            return true;
        };
        let heads = self.up.get(lowest as usize);
        let mut others = ranks.filter(|&rank| rank != lowest);
        others.all(|rank| heads.binary_search(&rank).is_ok())
    }
}

/// Returns the index of each vertex in `order`, or `None` if it is not a permutation.
fn checked_inverse(order: &[u32]) -> Option<Vec<u32>> {
    let mut indexes = vec![u32::MAX; order.len()];
    for (&vertex, index) in order.iter().zip(0..) {
        let known = indexes.get_mut(vertex as usize)?;
        if std::mem::replace(known, index) != u32::MAX {
            return None;
        }
    }
    Some(indexes)
}

/// Returns whether all elements of an ascending list are in another one.
fn is_subset(list: &[u32], mut of: &[u32]) -> bool {
    /// The next element is usually one of the next few. Otherwise a binary search limits the time for lists
    /// of very different lengths.
    const NEAR: usize = 8;
    list.iter().all(|value| {
        let (near, far) = of.split_at(of.len().min(NEAR));
        let index = match near.iter().position(|other| other >= value) {
            Some(index) => index,
            None => near.len() + far.partition_point(|other| other < value),
        };
        let is_found = of.get(index) == Some(value);
        of = &of[index.min(of.len())..];
        is_found
    })
}

impl Shortcuts {
    /// Returns the arrays for writing a file.
    pub fn arrays(&self) -> ShortcutArrays {
        ShortcutArrays {
            upwards: self.upwards.arrays(),
            downwards: self.downwards.as_ref().map(PrunedArcs::arrays),
            parts: self.parts.parts.clone(),
            runs: self.parts.runs.clone(),
            cost_estimate: self.cost_estimate,
        }
    }

    /// Creates shortcuts from the arrays of a file. `is_arc` returns whether the graph has an arc from the first
    /// of two vertices to the second, and whether it has one back. Returns `None` if an array does not fit the
    /// contraction, if a cost is negative, or if the path of a shortcut is not a path of the graph between the
    /// ends of the shortcut.
    pub(crate) fn from_arrays(
        contraction: &Contraction,
        arrays: ShortcutArrays,
        is_arc: impl Fn([u32; 2]) -> [bool; 2],
    ) -> Option<Self> {
        let ShortcutArrays {
            upwards,
            downwards,
            parts,
            runs,
            cost_estimate,
        } = arrays;
        let parts = ShortcutParts {
            parts: parts,
            runs: runs,
        };
        let is_symmetric = downwards.is_none();
        let ends = PartEnds::new(contraction, &parts, is_symmetric, is_arc)?;
        let upwards = PrunedArcs::from_arrays(contraction, upwards, &ends, UP)?;
        let downwards = match downwards {
            Some(arrays) => Some(PrunedArcs::from_arrays(contraction, arrays, &ends, DOWN)?),
            None => None,
        };
        (cost_estimate >= 0.0).then_some(Self {
            upwards,
            downwards,
            parts,
            cost_estimate,
        })
    }
}

/// The ends of the path of each part.
struct PartEnds {
    ends: Vec<PartEnd>,
    is_symmetric: bool,
}

/// The ranks at which the path of a part starts and ends, and its number of arcs.
#[derive(Clone, Copy)]
struct PartEnd {
    ranks: [u32; 2],
    length: u32,
}

impl PartEnds {
    /// Checks all parts, and that their paths are in the graph.
    fn new(
        contraction: &Contraction,
        ShortcutParts { parts, runs }: &ShortcutParts,
        is_symmetric: bool,
        is_arc: impl Fn([u32; 2]) -> [bool; 2],
    ) -> Option<Self> {
        let count = contraction.vertex_count();
        if parts.len() >= 1 << 30 || runs.iter().any(|&vertex| vertex as usize >= count) {
            return None;
        }
        let gaps = RunGaps::new(runs, |[a, b]| {
            let [there, back] = is_arc([a, b]);
            a != b && there && (back || !is_symmetric)
        });
        let max_length = (count as u32).saturating_mul(MAX_VISITS);
        let rank_at = |index: u32| contraction.ranks[runs[index as usize] as usize];
        let mut all = Self {
            ends: Vec::with_capacity(parts.len()),
            is_symmetric,
        };
        for &[first, second] in parts {
            let end = if second & RUN == 0 {
                let (a, b) = (all.of(first)?, all.of(second)?);
                let [[start, middle], [other_middle, end]] = [a.ranks, b.ranks];
                // The middle ranks below both ends in every shortcut.
                if middle != other_middle || middle >= start.min(end) {
                    return None;
                }
                PartEnd {
                    ranks: [start, end],
                    length: a.length.saturating_add(b.length),
                }
            } else {
                let length = ((second & !RUN) >> 1).checked_sub(1)?;
                let is_short = (1..=u32::from(MAX_RUN_ARCS)).contains(&length);
                let last = first.checked_add(length)?;
                if !is_short || last as usize >= runs.len() || gaps.is_any_in(first, length) {
                    return None;
                }
                let ranks = [rank_at(first), rank_at(last)];
                all.in_direction(PartEnd { ranks, length }, second & BACKWARDS)?
            };
            if end.length > max_length {
                return None;
            }
            all.ends.push(end);
        }
        Some(all)
    }

    /// Returns the ends of the part that a reference is for. Returns `None` if there is no such part yet.
    #[inline]
    fn of(&self, reference: u32) -> Option<PartEnd> {
        let end = *self.ends.get((reference >> 1) as usize)?;
        self.in_direction(end, reference & BACKWARDS)
    }

    /// Reverses the path if `is_backwards` is 1. Returns `None` if nothing may be read backwards.
    #[inline]
    fn in_direction(&self, end: PartEnd, is_backwards: u32) -> Option<PartEnd> {
        let [a, b] = end.ranks;
        match is_backwards {
            0 => Some(end),
            _ => self.is_symmetric.then_some(PartEnd {
                ranks: [b, a],
                ..end
            }),
        }
    }
}

/// The gaps in the runs of shortcuts: the indexes of vertices that no arc joins to the next vertex.
struct RunGaps(Vec<u64>);

impl RunGaps {
    fn new(runs: &[u32], is_arc: impl Fn([u32; 2]) -> bool) -> Self {
        let mut bits = vec![0u64; runs.len() / 64 + 2];
        for (index, pair) in runs.windows(2).enumerate() {
            bits[index / 64] |= u64::from(!is_arc([pair[0], pair[1]])) << (index % 64);
        }
        Self(bits)
    }

    /// Returns whether there is a gap at one of `length` indexes from `first` on. All of them must exist, and
    /// `length` must be from 1 to 64.
    #[inline]
    fn is_any_in(&self, first: u32, length: u32) -> bool {
        let (word, bit) = (first as usize / 64, first % 64);
        let bits = u128::from(self.0[word + 1]) << 64 | u128::from(self.0[word]);
        (bits >> bit) as u64 & (u64::MAX >> (64 - length)) != 0
    }
}

impl PrunedArcs {
    fn arrays(&self) -> ArcArrays {
        ArcArrays {
            offsets: self.offsets.clone(),
            depths: self.depths.clone(),
            costs: self.costs.clone(),
            parts: self.parts.clone(),
        }
    }

    /// Checks that every arc is one of the contraction, and that its part leads from one of its ends to the
    /// other.
    fn from_arrays(
        contraction: &Contraction,
        arrays: ArcArrays,
        ends: &PartEnds,
        direction: usize,
    ) -> Option<Self> {
        let mut arcs = Self {
            offsets: arrays.offsets,
            depths: arrays.depths,
            costs: arrays.costs,
            parts: arrays.parts,
            arcs: 0,
        };
        let blocks = arcs.depths.len();
        let count = contraction.vertex_count();
        let lengths_fit = arcs.offsets.len() == count + 1
            && arcs.offsets[0] == 0
            && arcs.offsets[count] as usize == blocks
            && arcs.offsets.is_sorted()
            && [arcs.costs.len(), arcs.parts.len()] == [blocks; 2];
        if !lengths_fit {
            return None;
        }
        for rank in 0..count as u32 {
            // The heads of a rank are on one chain, so the highest rank has the smallest depth.
            let mut heads = contraction.up.get(rank as usize).iter().rev();
            let mut next_block = 0;
            for block in arcs.blocks_of(rank) {
                let depth = arcs.depths[block];
                if depth < next_block {
                    return None;
                }
                next_block = depth.checked_add(1)?;
                let before = arcs.arcs;
                for lane in 0..LANES {
                    let (cost, part) = (arcs.costs[block].as_ref()[lane], arcs.parts[block][lane]);
                    if cost == f32::INFINITY && part == 0 {
                        continue;
                    }
                    // The bits of negative costs and of NaN are not below those of infinity.
                    if cost.to_bits() >= f32::INFINITY.to_bits() {
                        return None;
                    }
                    let depth = depth.checked_mul(LANES as u32)? + lane as u32;
                    let depth_of = |head: u32| contraction.depths[head as usize];
                    let &head = heads.find(|&&head| depth_of(head) >= depth)?;
                    let expected = if direction == UP {
                        [rank, head]
                    } else {
                        [head, rank]
                    };
                    if depth_of(head) != depth
                        || ends.of(part).map(|end| end.ranks) != Some(expected)
                    {
                        return None;
                    }
                    arcs.arcs += 1;
                }
                // A block without arcs could be beyond the labels of a search.
                if arcs.arcs == before {
                    return None;
                }
            }
        }
        Some(arcs)
    }
}

#[cfg(test)]
#[path = "arrays_test.rs"]
mod tests;
