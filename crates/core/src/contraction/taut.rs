//! Taut customization: an arc costs as much as its path after string pulling, instead of the sum of its two
//! halves.
//!
//! The caller defines the cost of a pulled path with a [`Measure`], which gets the vertices of the path.
//! From the lowest rank up, the two candidates with the smallest sums are unpacked and measured for each
//! arc. The cost of the arc is the minimum of these measures and sums, so it never exceeds the sum. Such
//! costs are not additive: there is no guarantee on how far the path of a query is from the cheapest one.

use rayon::prelude::*;

use super::customize::{ArcChunk, CustomizationPlan, Customized, Halves, NO_HALVES, UP, down};

/// A candidate is measured only if its sum is at most this multiple of the smallest sum.
const MAX_SUM_RATIO: f32 = 1.1;

/// A rank with at least this many arcs, above all chunks, is processed by several threads. Paths are long
/// there.
const MANY_ARCS: usize = 16;

/// Computes the cost of paths, for [`Shortcuts::taut`](super::Shortcuts::taut).
pub trait Measure: Sync {
    /// The memory that one thread reuses between calls.
    type Scratch: Default + Send;

    /// Returns the cost of the path over these vertices. There are at least two, and consecutive ones are
    /// adjacent.
    fn cost(&self, path: &[u32], scratch: &mut Self::Scratch) -> f32;
}

/// A path that an arc may represent.
#[derive(Clone, Copy)]
struct Candidate {
    /// The sum of the costs of its two halves, or the cost of the arc itself if it is an arc of the graph.
    sum: f32,
    halves: Halves,
}

/// The two candidates with the smallest sums, in ascending order. Of equal sums, those that were added
/// first are kept.
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

/// An arc that is yet to be unpacked.
#[derive(Clone, Copy)]
struct PendingArc {
    arc: u32,
    direction: u8,
    is_backwards: bool,
}

/// The memory of one thread.
struct TautBuffers<S, const DIRS: usize> {
    /// The candidates of the arcs to the upper neighbours of a rank, indexed by depth.
    row: Vec<[Candidates; DIRS]>,
    unpacking: UnpackBuffers<S>,
}

#[derive(Default)]
struct UnpackBuffers<S> {
    stack: Vec<PendingArc>,
    path: Vec<u32>,
    scratch: S,
}

/// The cost and the halves of an arc in each direction.
type SettledArc<const DIRS: usize> = ([f32; DIRS], [Halves; DIRS]);

/// The data that all threads read.
struct Taut<'a, M> {
    plan: &'a CustomizationPlan<'a>,
    measure: &'a M,
    /// The lower end of each arc, as a rank.
    tails: Vec<u32>,
}

impl<const DIRS: usize> Customized<DIRS> {
    /// Computes taut costs. `costs` are those of the graph's arcs, and infinite for the other arcs of the
    /// contraction. Shortcuts cost what `measure` returns, but at most the sum of their halves.
    pub(super) fn taut<M: Measure>(
        plan: &CustomizationPlan<'_>,
        costs: Vec<[f32; DIRS]>,
        measure: &M,
    ) -> Self {
        let mut all = Self::relaxed_taut(plan, costs, measure);
        all.needed = all.prune(plan);
        all
    }

    /// Computes taut costs as [`taut`](Self::taut) does, and not yet which arcs queries need.
    pub(super) fn relaxed_taut<M: Measure>(
        plan: &CustomizationPlan<'_>,
        costs: Vec<[f32; DIRS]>,
        measure: &M,
    ) -> Self {
        let taut = Taut {
            plan,
            measure,
            tails: plan.contraction.tails(),
        };
        let mut all = Self::unrelaxed(costs);
        taut.relax(&mut all);
        all
    }
}

impl<M: Measure> Taut<'_, M> {
    fn relax<const DIRS: usize>(&self, all: &mut Customized<DIRS>) {
        let plan = self.plan;
        let (costs, halves) = (&mut all.costs, &mut all.halves);
        let slices = plan.slices(costs).into_iter().zip(plan.slices(halves));
        let tasks = plan.chunks.iter().zip(&plan.chunk_arcs).zip(slices);
        let tasks: Vec<_> = tasks.collect();
        tasks.into_par_iter().with_max_len(1).for_each_init(
            || self.buffers(),
            |buffers, ((ranks, arcs), (costs, halves))| {
                let mut chunk = ArcChunk {
                    first_arc: arcs.start,
                    costs,
                    halves,
                };
                for rank in ranks.clone() {
                    self.relax_rank(&mut chunk, rank, buffers);
                }
            },
        );
        let mut all_arcs = ArcChunk {
            first_arc: 0,
            costs,
            halves,
        };
        let mut buffers = self.buffers();
        for rank in plan.ranks_outside_chunks() {
            match plan.contraction.arcs_of(rank).len() {
                MANY_ARCS.. => self.relax_in_parallel(&mut all_arcs, rank, &mut buffers),
                _ => self.relax_rank(&mut all_arcs, rank, &mut buffers),
            }
        }
    }

    fn buffers<const DIRS: usize>(&self) -> TautBuffers<M::Scratch, DIRS> {
        TautBuffers {
            row: vec![[Candidates::new(f32::INFINITY); DIRS]; self.plan.contraction.depth()],
            unpacking: UnpackBuffers::default(),
        }
    }

    /// Settles the upward arcs of a rank. The arcs of all lower ranks must be settled.
    fn relax_rank<const DIRS: usize>(
        &self,
        chunk: &mut ArcChunk<'_, DIRS>,
        rank: usize,
        TautBuffers { row, unpacking }: &mut TautBuffers<M::Scratch, DIRS>,
    ) {
        self.collect_candidates(chunk, rank, row);
        for arc in self.plan.contraction.arcs_of(rank) {
            let candidates = &row[self.plan.depths[arc] as usize];
            let settled = self.settle(chunk, arc, candidates, unpacking);
            let index = arc - chunk.first_arc;
            (chunk.costs[index], chunk.halves[index]) = settled;
        }
    }

    /// Settles the upward arcs of a rank with all threads. The arcs of all lower ranks must be settled.
    fn relax_in_parallel<const DIRS: usize>(
        &self,
        chunk: &mut ArcChunk<'_, DIRS>,
        rank: usize,
        buffers: &mut TautBuffers<M::Scratch, DIRS>,
    ) {
        let row = &mut buffers.row;
        self.collect_candidates(chunk, rank, row);
        let (lower, row) = (&*chunk, &*row);
        let arcs = self.plan.contraction.arcs_of(rank);
        let settled =
            arcs.clone()
                .into_par_iter()
                .map_init(UnpackBuffers::default, |unpacking, arc| {
                    let candidates = &row[self.plan.depths[arc] as usize];
                    self.settle(lower, arc, candidates, unpacking)
                });
        let settled: Vec<SettledArc<DIRS>> = settled.collect();
        for (arc, settled) in arcs.zip(settled) {
            let index = arc - chunk.first_arc;
            (chunk.costs[index], chunk.halves[index]) = settled;
        }
    }

    /// Collects the candidates of the upward arcs of a rank, indexed by the depth of their upper ends.
    fn collect_candidates<const DIRS: usize>(
        &self,
        chunk: &ArcChunk<'_, DIRS>,
        rank: usize,
        row: &mut [[Candidates; DIRS]],
    ) {
        let CustomizationPlan {
            contraction,
            depths,
            lower,
            ..
        } = self.plan;
        for arc in contraction.arcs_of(rank) {
            let costs = chunk.costs[arc - chunk.first_arc];
            row[depths[arc] as usize] = costs.map(Candidates::new);
        }
        for lower in lower.get(rank) {
            let others = lower.arc as usize + 1..contraction.arcs_of(lower.rank as usize).end;
            let low = chunk.costs[lower.arc as usize - chunk.first_arc];
            for other in others {
                let high = chunk.costs[other - chunk.first_arc];
                let candidates = &mut row[depths[other] as usize];
                for direction in 0..DIRS {
                    let [a, b] = [lower.arc, other as u32];
                    candidates[direction].add(Candidate {
                        sum: low[DIRS - 1 - direction] + high[direction],
                        halves: if direction == UP { [a, b] } else { [b, a] },
                    });
                }
            }
        }
    }

    /// Chooses the cheapest candidate of an arc in each direction.
    fn settle<const DIRS: usize>(
        &self,
        chunk: &ArcChunk<'_, DIRS>,
        arc: usize,
        candidates: &[Candidates; DIRS],
        unpacking: &mut UnpackBuffers<M::Scratch>,
    ) -> SettledArc<DIRS> {
        let mut settled = ([f32::INFINITY; DIRS], [NO_HALVES; DIRS]);
        for direction in 0..DIRS {
            let Candidates(candidates) = candidates[direction];
            let limit = candidates[0].sum * MAX_SUM_RATIO;
            // If an arc of the graph has the smallest sum, no other path can be cheaper.
            let count = if candidates[0].halves == NO_HALVES {
                1
            } else {
                2
            };
            for candidate in candidates[..count].iter().filter(|c| c.sum <= limit) {
                let cost = self.cost(chunk, arc, direction, candidate, unpacking);
                if cost < settled.0[direction] {
                    settled.0[direction] = cost;
                    settled.1[direction] = candidate.halves;
                }
            }
        }
        settled
    }

    fn cost<const DIRS: usize>(
        &self,
        chunk: &ArcChunk<'_, DIRS>,
        arc: usize,
        direction: usize,
        candidate: &Candidate,
        unpacking: &mut UnpackBuffers<M::Scratch>,
    ) -> f32 {
        let Candidate { sum, halves } = *candidate;
        if halves == NO_HALVES || sum == f32::INFINITY {
            return sum;
        }
        self.unpack(chunk, arc, direction, halves, unpacking);
        let UnpackBuffers { path, scratch, .. } = unpacking;
        if path.len() < 2 {
            return sum;
        }
        // Adding 0.0 turns -0.0 into 0.0, whose bits differ.
        sum.min(self.measure.cost(path, scratch)) + 0.0
    }

    /// Writes the vertices of an arc with these halves to `path`.
    fn unpack<const DIRS: usize>(
        &self,
        chunk: &ArcChunk<'_, DIRS>,
        arc: usize,
        direction: usize,
        halves: Halves,
        UnpackBuffers { stack, path, .. }: &mut UnpackBuffers<impl Sized>,
    ) {
        let contraction = self.plan.contraction;
        let vertex = |arc: usize, upper: bool| {
            let rank = match upper {
                true => contraction.up().values()[arc],
                false => self.tails[arc],
            };
            contraction.vertices[rank as usize]
        };
        path.clear();
        path.push(vertex(arc, direction != UP));
        stack.clear();
        push_halves::<DIRS>(stack, halves, false);
        while let Some(half) = stack.pop() {
            let (arc, direction) = (half.arc as usize, usize::from(half.direction));
            let halves = chunk.halves[arc - chunk.first_arc][direction];
            if halves != NO_HALVES {
                push_halves::<DIRS>(stack, halves, half.is_backwards);
                continue;
            }
            let next = vertex(arc, (direction == UP) != half.is_backwards);
            match path[..] {
                // The path goes to a vertex and straight back.
                [.., before, _] if before == next => _ = path.pop(),
                _ => path.push(next),
            }
        }
    }
}

/// Pushes the halves of an arc, so that the one that is passed first is on top of the stack.
#[inline]
fn push_halves<const DIRS: usize>(
    stack: &mut Vec<PendingArc>,
    [first, second]: Halves,
    is_backwards: bool,
) {
    let first = PendingArc {
        arc: first,
        direction: down::<DIRS>() as u8,
        // With one direction, arcs are stored upwards.
        is_backwards: (DIRS == 1) != is_backwards,
    };
    let second = PendingArc {
        arc: second,
        direction: UP as u8,
        is_backwards,
    };
    match is_backwards {
        false => stack.extend([second, first]),
        true => stack.extend([first, second]),
    }
}
