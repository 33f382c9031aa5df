//! Customization: the cost of every arc of a contraction, and which of them queries need.
//!
//! Generic over the ways of an arc: two, or one where every arc costs the same both ways. Then
//! everything is done once instead of twice.

use std::ops::Range;

use rayon::prelude::*;

use super::{Contraction, tree};
use crate::csr::Csr;

/// Up: from the lower end to the upper.
pub(super) const UP: usize = 0;

/// The place of the way down among `W` ways.
pub(super) const fn down<const W: usize>() -> usize {
    W - 1
}

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// The two arcs, one after the other, that the cheapest way over lower ranks is made of. They have
/// lower numbers: they are of a lower rank. [`NO_HALVES`] for an arc of the graph.
pub(super) type Halves = [u32; 2];

pub(super) const NO_HALVES: Halves = [NONE; 2];

/// Parts of the elimination tree with fewer vertices are not shared out between threads.
const LEAST_SHARE: usize = 512;
/// Parts that a tree is cut into for each thread, about: some more than one, since they are not equal.
/// What is above all of them is one thread's work, so they should not be small.
const SHARES: usize = 4;

/// All arcs with their costs.
pub(super) struct Customized<const W: usize> {
    pub(super) costs: Vec<[f32; W]>,
    pub(super) halves: Vec<[Halves; W]>,
    /// Whether queries need it.
    pub(super) needed: Vec<[bool; W]>,
}

/// A lower neighbour.
#[derive(Clone, Copy, Default)]
pub(super) struct Lower {
    pub(super) rank: u32,
    pub(super) arc: u32,
}

/// The arcs that one thread works at. All arrays begin there.
pub(super) struct Share<'a, const W: usize> {
    pub(super) first_arc: usize,
    pub(super) costs: &'a mut [[f32; W]],
    pub(super) halves: &'a mut [[Halves; W]],
}

impl<const W: usize> Customized<W> {
    /// From `costs` of the arcs of the graph, infinite where there is none.
    pub(super) fn new(contraction: &Contraction, costs: Vec<[f32; W]>) -> Self {
        let plan = Plan::new(contraction);
        let mut all = Self::unrelaxed(costs);
        all.relax(&plan);
        all.prune(&plan);
        all
    }

    /// With the arcs of the graph only.
    pub(super) fn unrelaxed(costs: Vec<[f32; W]>) -> Self {
        Self {
            halves: vec![[NO_HALVES; W]; costs.len()],
            costs,
            needed: Vec::new(),
        }
    }

    /// From the lowest rank up: the least cost of a way between the ends of each arc that runs below
    /// both.
    fn relax(&mut self, plan: &Plan<'_>) {
        let (costs, halves) = (&mut self.costs, &mut self.halves);
        let row = || vec![([f32::INFINITY; W], [NO_HALVES; W]); plan.contraction.depth()];
        let pieces = plan.pieces(costs).into_iter().zip(plan.pieces(halves));
        let tasks = plan.shares.iter().zip(&plan.share_arcs).zip(pieces);
        let tasks: Vec<_> = tasks.collect();
        tasks
            .into_par_iter()
            .for_each_init(row, |row, ((ranks, arcs), (costs, halves))| {
                let mut share = Share {
                    first_arc: arcs.start,
                    costs,
                    halves,
                };
                ranks.clone().for_each(|rank| share.relax(plan, rank, row));
            });
        let mut whole = Share {
            first_arc: 0,
            costs,
            halves,
        };
        let mut row = row();
        plan.outside()
            .for_each(|rank| whole.relax(plan, rank, &mut row));
    }

    /// From the highest rank down: queries do not need an arc where going over another upper neighbour
    /// is no dearer.
    ///
    /// Going over the other one has to cost more than getting there. So what an arc is dropped
    /// for is strictly cheaper, and two arcs are never dropped for one another, whatever costs
    /// nothing or is lost in rounding.
    pub(super) fn prune(&mut self, plan: &Plan<'_>) {
        // The least costs between the ends of arcs, over whatever lies above both, too.
        let mut least = self.costs.clone();
        let contraction = plan.contraction;
        let finite = |cost: &[f32; W]| cost.map(|cost| cost < f32::INFINITY);
        let mut needed: Vec<[bool; W]> = self.costs.iter().map(finite).collect();
        let row = || vec![Leg::<W>::NONE; contraction.depth()];
        let mut whole_row = row();
        for rank in plan.outside().rev() {
            let arcs = contraction.arcs_of(rank);
            let (own, above) = least.split_at_mut(arcs.end);
            let (own, needed) = (&mut own[arcs.start..], &mut needed[arcs.clone()]);
            let of_arc = |arc: usize| above[arc - arcs.end];
            self.prune_rank(plan, rank, of_arc, own, needed, &mut whole_row);
        }
        let done = least.clone();
        let pieces = plan.pieces(&mut least).into_iter();
        let pieces = pieces.zip(plan.pieces(&mut needed));
        let tasks = plan.shares.iter().zip(&plan.share_arcs).zip(pieces);
        let tasks: Vec<_> = tasks.collect();
        tasks
            .into_par_iter()
            .for_each_init(row, |row, ((ranks, share), (least, needed))| {
                for rank in ranks.clone().rev() {
                    let arcs = contraction.arcs_of(rank);
                    let own = arcs.start - share.start..arcs.end - share.start;
                    let (below, above) = least.split_at_mut(own.end);
                    let of_arc = |arc: usize| match arc < share.end {
                        true => above[arc - arcs.end],
                        false => done[arc],
                    };
                    let (least, needed) = (&mut below[own.clone()], &mut needed[own]);
                    self.prune_rank(plan, rank, of_arc, least, needed, row);
                }
            });
        self.needed = needed;
    }

    /// Looks at the triangles of which `rank` is the lowest. `least` and `needed` are of its arcs;
    /// `of_arc` is the least cost of an arc above. `row` is a buffer by depth, all [`Leg::NONE`].
    fn prune_rank(
        &self,
        plan: &Plan<'_>,
        rank: usize,
        of_arc: impl Fn(usize) -> [f32; W],
        least: &mut [[f32; W]],
        needed: &mut [[bool; W]],
        row: &mut [Leg<W>],
    ) {
        let contraction = plan.contraction;
        let arcs = contraction.arcs_of(rank);
        let costs = &self.costs[arcs.clone()];
        let depths = &plan.depths[arcs];
        for ((&depth, &cost), arc) in depths.iter().zip(costs).zip(0..) {
            row[depth as usize] = Leg {
                cost,
                limit: cost,
                arc,
            };
        }
        for (low, &middle) in contraction.up.get(rank).iter().enumerate() {
            let cost = costs[low];
            for between in contraction.arcs_of(middle as usize) {
                let high = row[plan.depths[between] as usize];
                let step = of_arc(between);
                for way in 0..W {
                    // Over the lower of the two and on up, or over the higher and back down.
                    let over_low = cost[way] + step[way];
                    let over_high = high.cost[way] + step[W - 1 - way];
                    let drops_high = over_low <= high.limit[way] && over_low > cost[way];
                    let drops_low = over_high <= cost[way] && over_high > high.cost[way];
                    if drops_high {
                        let arc = high.arc as usize;
                        needed[arc][way] = false;
                        least[arc][way] = least[arc][way].min(over_low);
                    }
                    if drops_low {
                        needed[low][way] = false;
                        least[low][way] = least[low][way].min(over_high);
                    }
                }
            }
        }
        for &depth in depths {
            row[depth as usize] = Leg::NONE;
        }
    }
}

/// What pruning knows of an arc of the rank at hand.
#[derive(Clone, Copy)]
struct Leg<const W: usize> {
    /// What it costs to go over it.
    cost: [f32; W],
    /// What a detour instead of it may cost.
    limit: [f32; W],
    /// Its place among the arcs of the rank.
    arc: u32,
}

impl<const W: usize> Leg<W> {
    /// No arc: nothing can go over it, and no detour is as cheap.
    const NONE: Self = Self {
        cost: [f32::INFINITY; W],
        limit: [-1.0; W],
        arc: NONE,
    };
}

impl<const W: usize> Share<'_, W> {
    /// Whatever goes down from a rank to a lower neighbour and up again is a way to one of the upper
    /// neighbours. Those below are done. `row` is a buffer: what is known of the upper neighbours, by
    /// depth.
    fn relax(&mut self, plan: &Plan<'_>, rank: usize, row: &mut [([f32; W], [Halves; W])]) {
        let arcs = plan.contraction.arcs_of(rank);
        let own = arcs.start - self.first_arc..arcs.end - self.first_arc;
        let depths = &plan.depths[arcs];
        for (&depth, &costs) in depths.iter().zip(&self.costs[own.clone()]) {
            row[depth as usize] = (costs, [NO_HALVES; W]);
        }
        for lower in plan.lower.get(rank) {
            let first = lower.arc as usize + 1;
            let end = plan.contraction.up.offsets()[lower.rank as usize + 1] as usize;
            let low = self.costs[lower.arc as usize - self.first_arc];
            let others = &self.costs[first - self.first_arc..end - self.first_arc];
            // All these heads are upper neighbours of the rank, too.
            for ((&depth, high), other) in plan.depths[first..end].iter().zip(others).zip(first..) {
                let (costs, halves) = &mut row[depth as usize];
                for way in 0..W {
                    // Up, from the rank: down to the lower one and then up. Down: the other way.
                    let cost = low[W - 1 - way] + high[way];
                    if cost < costs[way] {
                        costs[way] = cost;
                        let [a, b] = [lower.arc, other as u32];
                        halves[way] = if way == UP { [a, b] } else { [b, a] };
                    }
                }
            }
        }
        for (&depth, arc) in depths.iter().zip(own) {
            (self.costs[arc], self.halves[arc]) = row[depth as usize];
        }
    }
}

/// What customization knows of a contraction before it knows costs.
pub(super) struct Plan<'a> {
    pub(super) contraction: &'a Contraction,
    /// Per arc the depth of its upper end.
    pub(super) depths: Vec<u32>,
    /// Per rank its lower neighbours, which hang under it.
    pub(super) lower: Csr<Lower>,
    /// Parts of the tree that can be worked at side by side, as ranks, in their order. The result is the
    /// same whatever they are: a rank needs only those below or above it to be done.
    pub(super) shares: Vec<Range<usize>>,
    /// The arcs up from the ranks of each share.
    pub(super) share_arcs: Vec<Range<usize>>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(contraction: &'a Contraction) -> Self {
        let heads = contraction.up.values().iter();
        let shares = shares(contraction);
        let offset = |rank: usize| contraction.up.offsets()[rank] as usize;
        let arcs = |share: &Range<usize>| offset(share.start)..offset(share.end);
        Self {
            contraction,
            depths: heads
                .map(|&head| contraction.depths[head as usize])
                .collect(),
            lower: lower_neighbours(contraction),
            share_arcs: shares.iter().map(arcs).collect(),
            shares,
        }
    }

    /// The ranks in none of the shares.
    pub(super) fn outside(&self) -> impl DoubleEndedIterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.shares.iter().map(|share| share.end));
        let count = self.contraction.vertex_count();
        let ends = self.shares.iter().map(|share| share.start).chain([count]);
        let gaps: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
        gaps.into_iter().flatten()
    }

    /// The runs of an array with an element an arc that belong to the shares.
    pub(super) fn pieces<'b, T>(&self, mut rest: &'b mut [T]) -> Vec<&'b mut [T]> {
        let mut begin = 0;
        let mut pieces = Vec::with_capacity(self.shares.len());
        for arcs in &self.share_arcs {
            let (piece, after) = rest[arcs.start - begin..].split_at_mut(arcs.len());
            pieces.push(piece);
            (rest, begin) = (after, arcs.end);
        }
        pieces
    }
}

/// Per rank its lower neighbours, each with the arc between. They hang under it.
fn lower_neighbours(contraction: &Contraction) -> Csr<Lower> {
    let mut pairs = Vec::with_capacity(contraction.arc_count());
    for (rank, heads) in (0..).zip(contraction.up.iter()) {
        let first = contraction.up.offsets()[rank as usize];
        let arcs = heads.iter().zip(first..);
        pairs.extend(arcs.map(|(&head, arc)| (head, Lower { rank, arc })));
    }
    Csr::group(contraction.vertex_count(), &pairs)
}

fn shares(contraction: &Contraction) -> Vec<Range<usize>> {
    let sizes = tree::sizes(&contraction.parents);
    let most =
        (contraction.vertex_count() / (SHARES * rayon::current_num_threads())).max(LEAST_SHARE);
    let size = |rank: usize| sizes[rank] as usize;
    let mut shares: Vec<Range<usize>> = Vec::new();
    for rank in 0..contraction.vertex_count() {
        let parent = contraction.parents[rank] as usize;
        let is_top = parent == rank || size(parent) > most;
        if is_top && size(rank) <= most && size(rank) > 1 {
            shares.push(rank + 1 - size(rank)..rank + 1);
        }
    }
    shares
}
