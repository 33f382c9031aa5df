//! Customization: computes the cost of every arc of a contraction, and which arcs queries need.
//!
//! The code is generic over the number of directions `DIRS` of an arc: two, or one if every arc costs the
//! same in both directions. With one direction, everything is computed once instead of twice.

use std::ops::Range;

use rayon::prelude::*;

use super::{Contraction, tree};
use crate::csr::Csr;

/// The index of the direction from the lower end of an arc to the upper end.
pub(super) const UP: usize = 0;

/// Returns the index of the direction from the upper end of an arc to the lower end. With one direction, it
/// is [`UP`].
pub(super) const fn down<const DIRS: usize>() -> usize {
    DIRS - 1
}

/// Marks a missing arc.
pub(super) const NO_ARC: u32 = u32::MAX;

/// The two arcs of a shortcut, in the order in which its path passes them. Both belong to a lower rank, so
/// they have lower numbers than the shortcut. Arcs of the graph have [`NO_HALVES`].
pub(super) type Halves = [u32; 2];

pub(super) const NO_HALVES: Halves = [NO_ARC; 2];

/// The costs and halves of all arcs.
pub(super) struct Customized<const DIRS: usize> {
    pub(super) costs: Vec<[f32; DIRS]>,
    pub(super) halves: Vec<[Halves; DIRS]>,
    /// Whether queries need the arc.
    pub(super) needed: Vec<[bool; DIRS]>,
}

/// A lower neighbour of a rank, and the arc to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LowerNeighbour {
    pub(super) rank: u32,
    pub(super) arc: u32,
}

/// The arcs that one thread processes. All slices start at `first_arc`.
pub(super) struct ArcChunk<'a, const DIRS: usize> {
    pub(super) first_arc: usize,
    pub(super) costs: &'a mut [[f32; DIRS]],
    pub(super) halves: &'a mut [[Halves; DIRS]],
}

impl<const DIRS: usize> Customized<DIRS> {
    /// Computes the costs of all arcs. `costs` are those of the graph's arcs, and infinite for the other
    /// arcs of the contraction.
    pub(super) fn new(plan: &CustomizationPlan<'_>, costs: Vec<[f32; DIRS]>) -> Self {
        let mut all = Self::relaxed(plan, costs);
        all.needed = all.prune(plan);
        all
    }

    /// Computes the costs of all arcs, and not yet which of them queries need.
    pub(super) fn relaxed(plan: &CustomizationPlan<'_>, costs: Vec<[f32; DIRS]>) -> Self {
        let mut all = Self::unrelaxed(costs);
        all.relax(plan);
        all
    }

    /// Creates arcs that have only the costs of the graph.
    pub(super) fn unrelaxed(costs: Vec<[f32; DIRS]>) -> Self {
        Self {
            halves: vec![[NO_HALVES; DIRS]; costs.len()],
            costs,
            needed: Vec::new(),
        }
    }

    /// Computes, from the lowest rank up, the cost of the cheapest path between the ends of each arc that
    /// stays below both ends.
    fn relax(&mut self, plan: &CustomizationPlan<'_>) {
        let (costs, halves) = (&mut self.costs, &mut self.halves);
        let row = || vec![([f32::INFINITY; DIRS], [NO_HALVES; DIRS]); plan.contraction.depth()];
        let slices = plan.slices(costs).into_iter().zip(plan.slices(halves));
        let tasks = plan.chunks.iter().zip(&plan.chunk_arcs).zip(slices);
        let tasks: Vec<_> = tasks.collect();
        tasks.into_par_iter().with_max_len(1).for_each_init(
            row,
            |row, ((ranks, arcs), (costs, halves))| {
                let mut chunk = ArcChunk {
                    first_arc: arcs.start,
                    costs,
                    halves,
                };
                ranks.clone().for_each(|rank| chunk.relax(plan, rank, row));
            },
        );
        let mut all_arcs = ArcChunk {
            first_arc: 0,
            costs,
            halves,
        };
        let mut row = row();
        plan.ranks_outside_chunks()
            .for_each(|rank| all_arcs.relax(plan, rank, &mut row));
    }

    /// Finds, from the highest rank down, the arcs that queries do not need. An arc is dropped if the path
    /// over another upper neighbour costs no more.
    ///
    /// The cost of that path must be greater than the cost to the other upper neighbour. So an arc is only
    /// dropped in favour of a strictly cheaper arc, and two arcs are never dropped in favour of each other,
    /// even with costs of zero or costs that are lost in rounding.
    pub(super) fn prune<V: Verdict>(&self, plan: &CustomizationPlan<'_>) -> Vec<[V; DIRS]> {
        // The cost of the cheapest path between the ends of each arc, which may also run above both ends.
        let mut min_costs = self.costs.clone();
        let contraction = plan.contraction;
        let finite = |cost: &[f32; DIRS]| cost.map(|cost| V::of_finite(cost < f32::INFINITY));
        let mut needed: Vec<[V; DIRS]> = self.costs.iter().map(finite).collect();
        let row = || vec![PruneArc::<DIRS>::NONE; contraction.depth()];
        let mut row_buffer = row();
        for rank in plan.ranks_outside_chunks().rev() {
            let arcs = contraction.arcs_of(rank);
            let (own, above) = min_costs.split_at_mut(arcs.end);
            let (own, needed) = (&mut own[arcs.start..], &mut needed[arcs.clone()]);
            let min_cost_of = |arc: usize| above[arc - arcs.end];
            self.prune_rank(plan, rank, min_cost_of, own, needed, &mut row_buffer);
        }
        let final_costs = min_costs.clone();
        let slices = plan.slices(&mut min_costs).into_iter();
        let slices = slices.zip(plan.slices(&mut needed));
        let tasks = plan.chunks.iter().zip(&plan.chunk_arcs).zip(slices);
        let tasks: Vec<_> = tasks.collect();
        tasks.into_par_iter().with_max_len(1).for_each_init(
            row,
            |row, ((ranks, chunk), (min_costs, needed))| {
                for rank in ranks.clone().rev() {
                    let arcs = contraction.arcs_of(rank);
                    let own = arcs.start - chunk.start..arcs.end - chunk.start;
                    let (below, above) = min_costs.split_at_mut(own.end);
                    let min_cost_of = |arc: usize| match arc < chunk.end {
                        true => above[arc - arcs.end],
                        false => final_costs[arc],
                    };
                    let (min_costs, needed) = (&mut below[own.clone()], &mut needed[own]);
                    self.prune_rank(plan, rank, min_cost_of, min_costs, needed, row);
                }
            },
        );
        needed
    }

    /// Processes the triangles of which `rank` is the lowest vertex. `min_costs` and `needed` belong to its
    /// arcs, and `min_cost_of` returns the minimum cost of an arc above. `row` is a buffer by depth, filled
    /// with [`PruneArc::NONE`] before and after.
    fn prune_rank<V: Verdict>(
        &self,
        plan: &CustomizationPlan<'_>,
        rank: usize,
        min_cost_of: impl Fn(usize) -> [f32; DIRS],
        min_costs: &mut [[f32; DIRS]],
        needed: &mut [[V; DIRS]],
        row: &mut [PruneArc<DIRS>],
    ) {
        let up = plan.contraction.up();
        let arcs = up.range(rank);
        let costs = &self.costs[arcs.clone()];
        let depths = &plan.depths[arcs.clone()];
        for ((&depth, &cost), arc) in depths.iter().zip(costs).zip(0..) {
            row[depth as usize] = PruneArc {
                cost,
                limit: cost,
                arc,
            };
        }
        for (low, &middle) in up.get(rank).iter().enumerate() {
            let cost = costs[low];
            for between in up.range(middle as usize) {
                let high = row[plan.depths[between] as usize];
                let step = min_cost_of(between);
                for direction in 0..DIRS {
                    // Either over the lower neighbour and up, or over the higher neighbour and back down.
                    let over_low = cost[direction] + step[direction];
                    let over_high = high.cost[direction] + step[DIRS - 1 - direction];
                    let drops_high =
                        over_low <= high.limit[direction] && over_low > cost[direction];
                    let drops_low =
                        over_high <= cost[direction] && over_high > high.cost[direction];
                    if drops_high {
                        let arc = high.arc as usize;
                        let min = &mut min_costs[arc][direction];
                        let is_least = over_low < *min;
                        *min = min.min(over_low);
                        needed[arc][direction].drop_for(is_least, || Witness {
                            partner: (arcs.start + low) as u32,
                            between: between as u32,
                            direction: direction as u8,
                        });
                    }
                    if drops_low {
                        let min = &mut min_costs[low][direction];
                        let is_least = over_high < *min;
                        *min = min.min(over_high);
                        needed[low][direction].drop_for(is_least, || Witness {
                            partner: arcs.start as u32 + high.arc,
                            between: between as u32,
                            direction: (DIRS - 1 - direction) as u8,
                        });
                    }
                }
            }
        }
        for &depth in depths {
            row[depth as usize] = PruneArc::NONE;
        }
    }
}

/// Whether queries need an arc in one direction.
pub(super) trait Verdict: Copy + Send {
    /// Returns the verdict on an arc before it is compared with others. Arcs of infinite cost are never needed.
    fn of_finite(is_finite: bool) -> Self;

    /// Drops the arc for the path over a witness. `is_least` is whether that path costs less than all paths for which
    /// the arc was dropped before, and less than the arc.
    fn drop_for(&mut self, is_least: bool, witness: impl FnOnce() -> Witness);
}

impl Verdict for bool {
    fn of_finite(is_finite: bool) -> Self {
        is_finite
    }

    #[inline]
    fn drop_for(&mut self, _: bool, _: impl FnOnce() -> Witness) {
        *self = false;
    }
}

/// The path that replaces a dropped arc: over another arc of the same rank, the partner, and the arc between the
/// upper ends of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub(super) partner: u32,
    pub(super) between: u32,
    /// The direction in which the path passes the arc between.
    pub(super) direction: u8,
}

/// The witness of each dropped arc: that of the least cost, on which the minimum cost between its ends depends.
impl Verdict for Option<Witness> {
    fn of_finite(_: bool) -> Self {
        None
    }

    #[inline]
    fn drop_for(&mut self, is_least: bool, witness: impl FnOnce() -> Witness) {
        if is_least || self.is_none() {
            *self = Some(witness());
        }
    }
}

/// An arc of the rank that is being pruned.
#[derive(Clone, Copy)]
struct PruneArc<const DIRS: usize> {
    /// The cost of the arc.
    cost: [f32; DIRS],
    /// A detour of at most this cost replaces the arc.
    limit: [f32; DIRS],
    /// The index among the arcs of the rank.
    arc: u32,
}

impl<const DIRS: usize> PruneArc<DIRS> {
    /// No arc: no path can use it, and no detour can replace it.
    const NONE: Self = Self {
        cost: [f32::INFINITY; DIRS],
        limit: [-1.0; DIRS],
        arc: NO_ARC,
    };
}

impl<const DIRS: usize> ArcChunk<'_, DIRS> {
    /// Relaxes the upward arcs of a rank: each is compared with the paths down to a lower neighbour and up
    /// again to the same upper neighbour. The arcs of all lower ranks must be final. `row` is a buffer by
    /// depth, for the arcs to the upper neighbours.
    fn relax(
        &mut self,
        plan: &CustomizationPlan<'_>,
        rank: usize,
        row: &mut [([f32; DIRS], [Halves; DIRS])],
    ) {
        let up = plan.contraction.up();
        let arcs = up.range(rank);
        let own = arcs.start - self.first_arc..arcs.end - self.first_arc;
        let depths = &plan.depths[arcs];
        for (&depth, &costs) in depths.iter().zip(&self.costs[own.clone()]) {
            row[depth as usize] = (costs, [NO_HALVES; DIRS]);
        }
        for lower in plan.lower.get(rank) {
            let first = lower.arc as usize + 1;
            let end = up.range(lower.rank as usize).end;
            let low = self.costs[lower.arc as usize - self.first_arc];
            let others = &self.costs[first - self.first_arc..end - self.first_arc];
            // All these heads are upper neighbours of the rank as well.
            for ((&depth, high), other) in plan.depths[first..end].iter().zip(others).zip(first..) {
                let (costs, halves) = &mut row[depth as usize];
                for direction in 0..DIRS {
                    // Direction up: from the rank down to the lower neighbour, then up. Direction down: the
                    // reverse.
                    let cost = low[DIRS - 1 - direction] + high[direction];
                    if cost < costs[direction] {
                        costs[direction] = cost;
                        let [a, b] = [lower.arc, other as u32];
                        halves[direction] = if direction == UP { [a, b] } else { [b, a] };
                    }
                }
            }
        }
        for (&depth, arc) in depths.iter().zip(own) {
            (self.costs[arc], self.halves[arc]) = row[depth as usize];
        }
    }
}

/// The data of a contraction that customization needs and that does not depend on costs.
pub(super) struct CustomizationPlan<'a> {
    pub(super) contraction: &'a Contraction,
    /// The depth of the upper end of each arc.
    pub(super) depths: Vec<u32>,
    /// The lower neighbours of each rank, which are its descendants in the elimination tree.
    pub(super) lower: Csr<LowerNeighbour>,
    /// Disjoint subtrees, as ranges of ranks in ascending order, which threads process in parallel. The
    /// result does not depend on how the tree is cut, because a rank depends only on its descendants or on
    /// its ancestors.
    pub(super) chunks: Vec<Range<usize>>,
    /// The upward arcs of each chunk's ranks.
    pub(super) chunk_arcs: Vec<Range<usize>>,
}

impl<'a> CustomizationPlan<'a> {
    pub(super) fn new(contraction: &'a Contraction) -> Self {
        let up = contraction.up();
        let chunks = tree::chunks(&contraction.parents);
        let offset = |rank: usize| up.offsets()[rank] as usize;
        let arcs = |chunk: &Range<usize>| offset(chunk.start)..offset(chunk.end);
        Self {
            contraction,
            depths: up
                .values()
                .iter()
                .map(|&head| contraction.depths[head as usize])
                .collect(),
            lower: lower_neighbours(contraction),
            chunk_arcs: chunks.iter().map(arcs).collect(),
            chunks,
        }
    }

    /// Returns the ranks that are in no chunk, in ascending order.
    pub(super) fn ranks_outside_chunks(&self) -> impl DoubleEndedIterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.chunks.iter().map(|chunk| chunk.end));
        let count = self.contraction.vertex_count();
        let ends = self.chunks.iter().map(|chunk| chunk.start).chain([count]);
        let gaps: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
        gaps.into_iter().flatten()
    }

    /// Splits an array with one element per arc into one slice per chunk.
    pub(super) fn slices<'b, T>(&self, mut array: &'b mut [T]) -> Vec<&'b mut [T]> {
        let mut start = 0;
        let mut slices = Vec::with_capacity(self.chunks.len());
        for arcs in &self.chunk_arcs {
            let (slice, after) = array[arcs.start - start..].split_at_mut(arcs.len());
            slices.push(slice);
            (array, start) = (after, arcs.end);
        }
        slices
    }
}

/// Returns the lower neighbours of each rank, each with the arc between them.
fn lower_neighbours(contraction: &Contraction) -> Csr<LowerNeighbour> {
    let mut pairs = Vec::with_capacity(contraction.arc_count());
    let up = contraction.up();
    for (rank, heads) in (0..).zip(up.iter()) {
        let first = up.offsets()[rank as usize];
        let arcs = heads.iter().zip(first..);
        pairs.extend(arcs.map(|(&head, arc)| (head, LowerNeighbour { rank, arc })));
    }
    Csr::group(contraction.vertex_count(), &pairs)
}
