//! Settles the vertices of a field: the cost of each, and what comes next.
//!
//! The sweep of the contraction finds the cost of every vertex up to rounding, which is enough to know the
//! order in which Dijkstra's algorithm would settle them. Settling in that order needs no heap. Two
//! vertices whose costs differ by less than the rounding may come in the wrong order; then the first of them
//! is settled a second time.
//!
//! The result is the same for any order, because a cost only ever sinks to the sum of an arc and the cost of
//! its head, and in the end no arc can lower any cost. The next vertices form no cycle: a cost is set only
//! where it strictly sinks, and sums do not fall along a path, even if arcs cost 0 or vanish in rounding.

use super::{Field, Many};
use crate::ids::{SampleId, Terminal};
use crate::search::{entry, unpack};

/// What comes after a vertex: another vertex or a goal, and the side by which the vertex is left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Next(u32);

/// A vertex, or the index of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextHop {
    Vertex(SampleId),
    Goal(u32),
}

impl Next {
    /// Goals are numbered after the vertices. The limit on ids leaves room for both.
    fn new(hop: NextHop, vertices: usize, side: usize) -> Self {
        let number = match hop {
            NextHop::Vertex(vertex) => vertex.0,
            NextHop::Goal(goal) => vertices as u32 + goal,
        };
        Self(number << 1 | side as u32)
    }

    pub(super) fn side(self) -> usize {
        (self.0 & 1) as usize
    }

    pub(super) fn hop(self, vertices: usize) -> NextHop {
        let number = self.0 >> 1;
        match number.checked_sub(vertices as u32) {
            None => NextHop::Vertex(SampleId(number)),
            Some(goal) => NextHop::Goal(goal),
        }
    }
}

/// The number of bits that one pass of the radix sort looks at. Three passes cover the bits of a cost.
const RADIX_BITS: u32 = 11;
const RADIX: usize = 1 << RADIX_BITS;
const RADIX_PASSES: usize = 3;

impl Field {
    /// Computes the cost of every vertex and what comes next.
    pub(super) fn settle(&mut self, many: Many<'_>) {
        let count = many.graph.sample_count();
        self.costs.clear();
        self.costs.resize(count, f32::INFINITY);
        self.next.clear();
        self.next.resize(count, Next::default());
        for &(goal, index) in &self.open_goals {
            for (vertex, cost, side) in Self::goal_legs(&many, goal) {
                if cost < self.costs[vertex.index()] {
                    self.costs[vertex.index()] = cost;
                    self.next[vertex.index()] = Next::new(NextHop::Goal(index), count, side);
                }
            }
        }
        match many.contraction {
            Some(_) => self.settle_in_order(many),
            None => self.settle_by_heap(many),
        }
    }

    /// Settles all vertices in the order of the costs that the contraction finds.
    fn settle_in_order(&mut self, many: Many<'_>) {
        self.sweep(many);
        self.sort(many);
        self.is_settled.clear();
        self.is_settled.resize(self.costs.len(), false);
        let Self {
            is_settled,
            costs,
            next,
            heap,
            ..
        } = self;
        heap.clear();
        for &packed in &self.order[0] {
            let (_, mut vertex) = unpack(packed);
            loop {
                is_settled[vertex as usize] = true;
                relax(many, costs, next, vertex, |to, cost| {
                    if is_settled[to as usize] {
                        heap.push(entry(cost, to));
                    }
                });
                match heap.pop() {
                    Some(again) => vertex = unpack(again).1,
                    None => break,
                }
            }
        }
    }

    /// Settles all vertices with Dijkstra's algorithm.
    fn settle_by_heap(&mut self, many: Many<'_>) {
        let heap = &mut self.heap;
        heap.clear();
        let reached = (0..).zip(&self.costs);
        let reached = reached.filter(|(_, cost)| **cost < f32::INFINITY);
        reached.for_each(|(vertex, &cost)| heap.push(entry(cost, vertex)));
        while let Some((cost, vertex)) = heap.pop().map(unpack) {
            if cost <= self.costs[vertex as usize] {
                relax(many, &mut self.costs, &mut self.next, vertex, |to, cost| {
                    heap.push(entry(cost, to))
                });
            }
        }
    }

    /// Computes the cost of every rank of the contraction, up to rounding.
    fn sweep(&mut self, many: Many<'_>) {
        let Some((contraction, shortcuts)) = many.contraction else {
            return;
        };
        let (costs, chain) = (&mut self.rank_costs, &mut self.chain);
        costs.clear();
        costs.resize(contraction.vertex_count(), f32::INFINITY);
        for &(goal, _) in &self.open_goals {
            let legs = many.legs(goal);
            // Where another goal is nearer, the climb ends: that goal's chain continues from there.
            let visit = |rank: u32, cost: f32| {
                let known = &mut costs[rank as usize];
                let is_nearer = cost < *known;
                *known = known.min(cost);
                is_nearer
            };
            shortcuts.climb_chain(contraction, Terminal::Goal, legs, chain, visit);
        }
        shortcuts.sweep(contraction, Terminal::Goal, chain, costs);
    }

    /// Sets the first list of `order` to the vertices with a finite cost in the sweep, sorted by that cost.
    fn sort(&mut self, many: Many<'_>) {
        let Some((contraction, _)) = many.contraction else {
            return;
        };
        let [list, sorted] = &mut self.order;
        list.clear();
        // Costs are not negative, so they order like their bits.
        let mut counts = [[0u32; RADIX]; RADIX_PASSES];
        for (&vertex, &cost) in contraction.order().iter().zip(&self.rank_costs) {
            if cost < f32::INFINITY {
                list.push(entry(cost, vertex));
                for (pass, counts) in counts.iter_mut().enumerate() {
                    counts[digit(cost.to_bits(), pass)] += 1;
                }
            }
        }
        sorted.clear();
        sorted.resize(list.len(), 0);
        for (pass, counts) in counts.iter_mut().enumerate() {
            let mut end = 0;
            for count in counts.iter_mut() {
                end += std::mem::replace(count, end);
            }
            for &packed in &*list {
                let first = &mut counts[digit((packed >> 32) as u32, pass)];
                sorted[*first as usize] = packed;
                *first += 1;
            }
            std::mem::swap(list, sorted);
        }
    }
}

/// Returns the digit of a key that one pass of the radix sort looks at.
fn digit(key: u32, pass: usize) -> usize {
    (key >> (pass as u32 * RADIX_BITS)) as usize % RADIX
}

/// Lowers the costs of the vertices from which an arc leads to `vertex`, and calls `lowered` with each and
/// its new cost.
#[inline]
fn relax(
    many: Many<'_>,
    costs: &mut [f32],
    next: &mut [Next],
    vertex: u32,
    mut lowered: impl FnMut(u32, f32),
) {
    let (head, cost) = (SampleId(vertex), costs[vertex as usize]);
    let count = costs.len();
    many.for_each_neighbour(Terminal::Goal, head, |to| {
        let known = &mut costs[to.vertex.index()];
        // Otherwise no arc can lower the cost, and its length is not needed.
        if *known <= cost {
            return;
        }
        let sum = cost + many.arc_cost(to.arc);
        if sum < *known {
            *known = sum;
            next[to.vertex.index()] = Next::new(NextHop::Vertex(head), count, to.side);
            lowered(to.vertex.0, sum);
        }
    });
}
