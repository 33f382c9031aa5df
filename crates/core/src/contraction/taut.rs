//! Taut customization: an arc costs what its way does once it is pulled taut, and not the sum of its two
//! halves.
//!
//! What pulling taut means is the caller's to say: a [`Measure`] is given the vertices of a way. From the
//! lowest rank up, the two best sums of each arc are unpacked and measured, and the arc costs the least of
//! all these. So no arc costs more than by sums. Such costs are not additive: there is no bound
//! on how far a query's way is from the best one, only experience.

use rayon::prelude::*;

use super::Contraction;
use super::customize::{Customized, Halves, NO_HALVES, Plan, Share, UP, down};

/// Sums of more than this times the least are not measured.
const WORTH_MEASURING: f32 = 1.1;

/// From how many arcs of a rank on threads share them. They are long ways there.
const MANY_ARCS: usize = 16;

/// Says what ways cost.
pub trait Measure: Sync {
    /// Memory for one thread.
    type Scratch: Default + Send;

    /// What the way over these vertices costs, two at least: any two in a row are adjacent.
    fn cost(&self, way: &[u32], scratch: &mut Self::Scratch) -> f32;
}

/// A way that an arc may stand for.
#[derive(Clone, Copy)]
struct Candidate {
    /// The sum of its halves' costs; of an arc of the graph, what that costs.
    sum: f32,
    halves: Halves,
}

/// The two least sums, the least first; of equal ones those that came first.
#[derive(Clone, Copy)]
struct Candidates([Candidate; 2]);

impl Candidates {
    fn new(cost: f32) -> Self {
        let of_graph = |sum| Candidate {
            sum,
            halves: NO_HALVES,
        };
        Self([of_graph(cost), of_graph(f32::INFINITY)])
    }

    #[inline]
    fn add(&mut self, new: Candidate) {
        let [first, second] = &mut self.0;
        if new.sum < first.sum {
            *second = std::mem::replace(first, new);
        } else if new.sum < second.sum {
            *second = new;
        }
    }
}

/// An arc yet to be unpacked.
#[derive(Clone, Copy)]
struct Half {
    arc: u32,
    way: u8,
    is_backwards: bool,
}

/// Memory of one thread.
struct Buffers<S, const W: usize> {
    /// What is known of the upper neighbours of a rank, by depth.
    row: Vec<[Candidates; W]>,
    unpacking: Unpacking<S>,
}

#[derive(Default)]
struct Unpacking<S> {
    stack: Vec<Half>,
    way: Vec<u32>,
    scratch: S,
}

/// What an arc costs, and its halves, each way.
type Settled<const W: usize> = ([f32; W], [Halves; W]);

/// What all threads read.
struct Taut<'a, M> {
    plan: &'a Plan<'a>,
    measure: &'a M,
    /// Per arc the rank that it goes up from.
    tails: Vec<u32>,
}

impl<const W: usize> Customized<W> {
    /// From `costs` of the arcs of the graph, infinite where there is none; the others cost what
    /// `measure` says, and no more than the sum of their halves.
    pub(super) fn taut<M: Measure>(
        contraction: &Contraction,
        costs: Vec<[f32; W]>,
        measure: &M,
    ) -> Self {
        let taut = Taut {
            plan: &Plan::new(contraction),
            measure,
            tails: contraction.tails(),
        };
        let mut all = Self::unrelaxed(costs);
        taut.relax(&mut all);
        all.prune(taut.plan);
        all
    }
}

impl<M: Measure> Taut<'_, M> {
    fn relax<const W: usize>(&self, all: &mut Customized<W>) {
        let plan = self.plan;
        let (costs, halves) = (&mut all.costs, &mut all.halves);
        let pieces = plan.pieces(costs).into_iter().zip(plan.pieces(halves));
        let tasks = plan.shares.iter().zip(&plan.share_arcs).zip(pieces);
        let tasks: Vec<_> = tasks.collect();
        tasks.into_par_iter().for_each_init(
            || self.buffers(),
            |buffers, ((ranks, arcs), (costs, halves))| {
                let mut share = Share {
                    first_arc: arcs.start,
                    costs,
                    halves,
                };
                for rank in ranks.clone() {
                    self.relax_rank(&mut share, rank, buffers);
                }
            },
        );
        let mut whole = Share {
            first_arc: 0,
            costs,
            halves,
        };
        let mut buffers = self.buffers();
        for rank in plan.outside() {
            match plan.contraction.arcs_of(rank).len() {
                MANY_ARCS.. => self.relax_together(&mut whole, rank, &mut buffers),
                _ => self.relax_rank(&mut whole, rank, &mut buffers),
            }
        }
    }

    fn buffers<const W: usize>(&self) -> Buffers<M::Scratch, W> {
        Buffers {
            row: vec![[Candidates::new(f32::INFINITY); W]; self.plan.contraction.depth()],
            unpacking: Unpacking::default(),
        }
    }

    /// Settles the arcs up from a rank. All below are settled.
    fn relax_rank<const W: usize>(
        &self,
        share: &mut Share<'_, W>,
        rank: usize,
        Buffers { row, unpacking }: &mut Buffers<M::Scratch, W>,
    ) {
        self.gather(share, rank, row);
        for arc in self.plan.contraction.arcs_of(rank) {
            let candidates = &row[self.plan.depths[arc] as usize];
            let settled = self.settle(share, arc, candidates, unpacking);
            let place = arc - share.first_arc;
            (share.costs[place], share.halves[place]) = settled;
        }
    }

    /// The same by all threads.
    fn relax_together<const W: usize>(
        &self,
        share: &mut Share<'_, W>,
        rank: usize,
        buffers: &mut Buffers<M::Scratch, W>,
    ) {
        let row = &mut buffers.row;
        self.gather(share, rank, row);
        let (lower, row) = (&*share, &*row);
        let arcs = self.plan.contraction.arcs_of(rank);
        let settled =
            arcs.clone()
                .into_par_iter()
                .map_init(Unpacking::default, |unpacking, arc| {
                    let candidates = &row[self.plan.depths[arc] as usize];
                    self.settle(lower, arc, candidates, unpacking)
                });
        let settled: Vec<Settled<W>> = settled.collect();
        for (arc, settled) in arcs.zip(settled) {
            let place = arc - share.first_arc;
            (share.costs[place], share.halves[place]) = settled;
        }
    }

    /// The candidates of the arcs up from a rank, by the depth of their upper ends.
    fn gather<const W: usize>(
        &self,
        share: &Share<'_, W>,
        rank: usize,
        row: &mut [[Candidates; W]],
    ) {
        let Plan {
            contraction,
            depths,
            lower,
            ..
        } = self.plan;
        for arc in contraction.arcs_of(rank) {
            let costs = share.costs[arc - share.first_arc];
            row[depths[arc] as usize] = costs.map(Candidates::new);
        }
        for lower in lower.get(rank) {
            let others = lower.arc as usize + 1..contraction.arcs_of(lower.rank as usize).end;
            let low = share.costs[lower.arc as usize - share.first_arc];
            for other in others {
                let high = share.costs[other - share.first_arc];
                let candidates = &mut row[depths[other] as usize];
                for way in 0..W {
                    let [a, b] = [lower.arc, other as u32];
                    candidates[way].add(Candidate {
                        sum: low[W - 1 - way] + high[way],
                        halves: if way == UP { [a, b] } else { [b, a] },
                    });
                }
            }
        }
    }

    /// The best of the candidates of an arc.
    fn settle<const W: usize>(
        &self,
        share: &Share<'_, W>,
        arc: usize,
        candidates: &[Candidates; W],
        unpacking: &mut Unpacking<M::Scratch>,
    ) -> Settled<W> {
        let mut settled = ([f32::INFINITY; W], [NO_HALVES; W]);
        for way in 0..W {
            let Candidates(candidates) = candidates[way];
            let most = candidates[0].sum * WORTH_MEASURING;
            // Nothing is shorter than an arc of the graph that no sum is below.
            let count = if candidates[0].halves == NO_HALVES {
                1
            } else {
                2
            };
            for candidate in candidates[..count].iter().filter(|c| c.sum <= most) {
                let cost = self.cost(share, arc, way, candidate, unpacking);
                if cost < settled.0[way] {
                    settled.0[way] = cost;
                    settled.1[way] = candidate.halves;
                }
            }
        }
        settled
    }

    fn cost<const W: usize>(
        &self,
        share: &Share<'_, W>,
        arc: usize,
        way: usize,
        candidate: &Candidate,
        unpacking: &mut Unpacking<M::Scratch>,
    ) -> f32 {
        let Candidate { sum, halves } = *candidate;
        if halves == NO_HALVES || sum == f32::INFINITY {
            return sum;
        }
        self.unpack(share, arc, way, halves, unpacking);
        let Unpacking { way, scratch, .. } = unpacking;
        if way.len() < 2 {
            return sum;
        }
        // Not -0.0, whose bits differ from those of 0.
        sum.min(self.measure.cost(way, scratch)) + 0.0
    }

    /// The vertices of an arc that has these halves.
    fn unpack<const W: usize>(
        &self,
        share: &Share<'_, W>,
        arc: usize,
        way: usize,
        halves: Halves,
        Unpacking {
            stack, way: told, ..
        }: &mut Unpacking<impl Sized>,
    ) {
        let contraction = self.plan.contraction;
        let vertex = |arc: usize, upper: bool| {
            let rank = match upper {
                true => contraction.up.values()[arc],
                false => self.tails[arc],
            };
            contraction.vertices[rank as usize]
        };
        told.clear();
        told.push(vertex(arc, way != UP));
        stack.clear();
        push_halves::<W>(stack, halves, false);
        while let Some(half) = stack.pop() {
            let (arc, way) = (half.arc as usize, usize::from(half.way));
            let halves = share.halves[arc - share.first_arc][way];
            if halves != NO_HALVES {
                push_halves::<W>(stack, halves, half.is_backwards);
                continue;
            }
            let next = vertex(arc, (way == UP) != half.is_backwards);
            match told[..] {
                // There and back again.
                [.., before, _] if before == next => _ = told.pop(),
                _ => told.push(next),
            }
        }
    }
}

/// Puts the halves of an arc on a stack, the one that comes first on top.
#[inline]
fn push_halves<const W: usize>(stack: &mut Vec<Half>, [first, second]: Halves, is_backwards: bool) {
    let first = Half {
        arc: first,
        way: down::<W>() as u8,
        // Where both ways are one, it is kept as the way up.
        is_backwards: (W == 1) != is_backwards,
    };
    let second = Half {
        arc: second,
        way: UP as u8,
        is_backwards,
    };
    match is_backwards {
        false => stack.extend([second, first]),
        true => stack.extend([first, second]),
    }
}
