//! The costs of the arcs of a contraction for one kind of agent, in the form that queries read.

use std::ops::ControlFlow;

use rayon::prelude::*;

pub(super) use super::customize::UP;
use super::customize::{CustomizationPlan, Customized};
use super::parts::ShortcutParts;
use super::pruned::{PrunedArcs, PrunedArcsBuilder};
use super::{Contraction, Measure};
use crate::csr::Csr;

/// The index of the downward direction where both directions exist.
pub(super) const DOWN: usize = 1;

/// The number of ranks whose arcs are collected by one thread.
const RANGE_RANKS: usize = 1 << 14;

/// The costs of a contraction for one kind of agent. It contains the arcs that queries scan, without those
/// that no cheapest path needs, and the data to unpack each arc into vertices of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortcuts {
    /// The upward arcs, grouped by the rank where they start.
    pub(super) upwards: PrunedArcs,
    /// The downward arcs, grouped by the rank where they end. `None` if every arc costs the same in both
    /// directions: then they are the upward arcs, reversed.
    pub(super) downwards: Option<PrunedArcs>,
    pub(super) parts: ShortcutParts,
    /// The estimated cost of a path as a multiple of its [`StraightLineBound`](super::StraightLineBound). A
    /// query searches within the estimate first. Infinite if there is no estimate.
    pub(super) cost_estimate: f32,
}

impl Shortcuts {
    /// Computes the shortcuts for the arcs of a graph, each as `(from, to, cost)`. Of several arcs between
    /// the same two vertices, the cheapest counts.
    ///
    /// # Panics
    /// Panics if an arc joins two vertices that are not adjacent in the contraction, if a cost is negative, or if the
    /// contraction is deeper than [`Contraction::MAX_DEPTH`].
    pub fn new(contraction: &Contraction, arcs: impl Iterator<Item = (u32, u32, f32)>) -> Self {
        Self::from_edges(
            contraction,
            arcs.map(|(from, to, cost)| ([from, to], [cost, f32::INFINITY])),
        )
    }

    /// Computes the shortcuts for pairs of vertices, each with the cost in both directions. A cost is
    /// infinite if there is no arc in that direction.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new).
    pub fn from_edges(
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
    ) -> Self {
        let (plan, costs) = plan_and_costs(contraction, edges);
        match costs {
            ArcCosts::Symmetric(costs) => {
                Self::from_customized(contraction, &Customized::<1>::new(&plan, costs))
            }
            ArcCosts::Directed(costs) => {
                Self::from_customized(contraction, &Customized::<2>::new(&plan, costs))
            }
        }
    }

    /// Computes shortcuts whose cost is what `measure` returns for their path, or the sum of their two
    /// halves if that is less. With such costs a search finds a good path, but not always the cheapest.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new).
    pub fn taut(
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
        measure: &impl Measure,
    ) -> Self {
        let (plan, costs) = plan_and_costs(contraction, edges);
        match costs {
            ArcCosts::Symmetric(costs) => {
                let customized = Customized::<1>::taut(&plan, costs, measure);
                Self::from_customized(contraction, &customized)
            }
            ArcCosts::Directed(costs) => {
                let customized = Customized::<2>::taut(&plan, costs, measure);
                Self::from_customized(contraction, &customized)
            }
        }
    }

    /// Computes the shortcuts of a directed graph, where the arcs of vertex `v` lead to `heads.get(v)`.
    /// `costs` has one cost per arc, in the order of `heads.values()`.
    ///
    /// # Panics
    /// Panics under the same conditions as [`new`](Self::new), or if `costs` does not have one cost per
    /// arc.
    pub fn from_graph(contraction: &Contraction, heads: &Csr<u32>, costs: &[f32]) -> Self {
        assert_eq!(heads.values().len(), costs.len(), "one cost per arc");
        let tails = (0..).zip(heads.iter());
        let tails = tails.flat_map(|(tail, heads)| std::iter::repeat_n(tail, heads.len()));
        let arcs = tails.zip(heads.values()).zip(costs);
        Self::new(
            contraction,
            arcs.map(|((tail, &head), &cost)| (tail, head, cost)),
        )
    }

    /// Keeps the arcs that queries need, and the data to unpack them.
    fn from_customized<const DIRS: usize>(
        contraction: &Contraction,
        customized: &Customized<DIRS>,
    ) -> Self {
        let (parts, references) = ShortcutParts::new(contraction, customized);
        Self::from_parts(contraction, customized, parts, &references)
    }

    /// Keeps the arcs that queries need. `parts` are those of the arcs, and `references` refers to them.
    pub(super) fn from_parts<const DIRS: usize>(
        contraction: &Contraction,
        customized: &Customized<DIRS>,
        parts: ShortcutParts,
        references: &[[u32; DIRS]],
    ) -> Self {
        let needed = &customized.needed;
        let heads = contraction.up().values();
        let push_rank = |graph: &mut PrunedArcsBuilder, rank: usize, direction: usize| {
            // The upper ends are on one chain, so those of higher ranks have smaller depths.
            let arcs = contraction
                .arcs_of(rank)
                .rev()
                .filter(|&arc| needed[arc][direction]);
            graph.push(arcs.map(|arc| {
                let head = heads[arc];
                let depth = contraction.depths[head as usize];
                (
                    depth,
                    customized.costs[arc][direction],
                    references[arc][direction],
                )
            }));
        };
        let mut graphs = (0..DIRS).map(|direction| {
            let ranks = 0..contraction.vertex_count();
            let ranges = ranks.into_par_iter().fold_chunks(
                RANGE_RANKS,
                PrunedArcsBuilder::new,
                |mut graph, rank| {
                    push_rank(&mut graph, rank, direction);
                    graph
                },
            );
            PrunedArcsBuilder::join(ranges.collect())
        });
        Self {
            upwards: graphs.next().expect("the upward direction"),
            downwards: graphs.next(),
            parts,
            cost_estimate: f32::INFINITY,
        }
    }

    /// Returns whether every arc costs the same in both directions.
    pub fn is_symmetric(&self) -> bool {
        self.downwards.is_none()
    }

    /// Returns the arcs in one direction.
    pub(super) fn graph(&self, direction: usize) -> &PrunedArcs {
        match direction {
            UP => self.upwards(),
            _ => self.downwards(),
        }
    }

    pub(super) fn upwards(&self) -> &PrunedArcs {
        &self.upwards
    }

    pub(super) fn downwards(&self) -> &PrunedArcs {
        self.downwards.as_ref().unwrap_or(&self.upwards)
    }

    /// Returns the arcs between a rank and higher ranks that queries need, as the upper end and the cost,
    /// sorted by the upper end.
    pub(super) fn arcs(
        &self,
        contraction: &Contraction,
        direction: usize,
        rank: u32,
    ) -> impl Iterator<Item = (u32, f32)> {
        let graph = [self.upwards(), self.downwards()][direction];
        // The upper ends are on the chain of the rank, and the lowest is the deepest.
        let (mut head, mut at) = (rank, contraction.depths[rank as usize]);
        graph.arcs(rank).rev().map(move |(depth, cost)| {
            while at > depth {
                head = contraction.parents[head as usize];
                at -= 1;
            }
            (head, cost)
        })
    }

    /// Unpacks an arc that queries use and calls `visit` with each of its vertices except the first, until
    /// `visit` breaks. The arc lies between the ranks `low` and `high`.
    pub(super) fn unpack<B>(
        &self,
        contraction: &Contraction,
        direction: usize,
        [low, high]: [u32; 2],
        stack: &mut Vec<u32>,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let graph = [self.upwards(), self.downwards()][direction];
        // A symmetric arc is stored in the upward direction, so the downward one is its reverse.
        let reversed = u32::from(direction == DOWN && self.is_symmetric());
        stack.clear();
        stack.push(graph.part(low, contraction.depths[high as usize]) ^ reversed);
        self.parts.unpack(stack, visit)
    }

    /// Returns the number of upward and of downward arcs that queries may scan.
    pub fn arc_counts(&self) -> [usize; 2] {
        [self.upwards().arc_count(), self.downwards().arc_count()]
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        let graphs = [Some(&self.upwards), self.downwards.as_ref()];
        let graphs = graphs.into_iter().flatten().map(PrunedArcs::bytes);
        graphs.sum::<usize>() + self.parts.bytes()
    }
}

/// The costs of all arcs of a contraction before its shortcuts are computed.
pub(super) enum ArcCosts {
    /// All arcs cost the same up and down.
    Symmetric(Vec<[f32; 1]>),
    /// The costs up and down.
    Directed(Vec<[f32; 2]>),
}

/// Returns the plan for customizing a contraction, and the costs of its arcs.
pub(super) fn plan_and_costs(
    contraction: &Contraction,
    edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
) -> (CustomizationPlan<'_>, ArcCosts) {
    let mut plan = None;
    let costs = rayon::in_place_scope(|scope| {
        scope.spawn(|_| plan = Some(CustomizationPlan::new(contraction)));
        one_direction_if_symmetric(edge_costs(contraction, edges))
    });
    (plan.expect("the scope has ended"), costs)
}

/// Returns, per arc of the contraction, the cost up and down of the edge between its ends. The cost is
/// infinite where the graph has no arc.
fn edge_costs(
    contraction: &Contraction,
    edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
) -> Vec<[f32; 2]> {
    let mut costs = vec![[f32::INFINITY; 2]; contraction.arc_count()];
    for (pair, [there, back]) in edges.filter(|([from, to], _)| from != to) {
        assert!(
            there >= 0.0 && back >= 0.0,
            "the cost of an arc is negative"
        );
        let [a, b] = pair.map(|vertex| contraction.ranks[vertex as usize]);
        let arc = contraction.arc(a.min(b), a.max(b));
        let known = &mut costs[arc.expect("an arc between adjacent vertices")];
        let [up, down] = if a < b { [there, back] } else { [back, there] };
        // Adding 0.0 turns -0.0 into 0.0, whose bits differ.
        *known = [known[0].min(up) + 0.0, known[1].min(down) + 0.0];
    }
    costs
}

/// Returns one cost per arc if all arcs cost the same up and down, and otherwise both costs.
fn one_direction_if_symmetric(costs: Vec<[f32; 2]>) -> ArcCosts {
    match costs.iter().all(|[up, down]| up == down) {
        true => ArcCosts::Symmetric(costs.into_iter().map(|[up, _]| [up]).collect()),
        false => ArcCosts::Directed(costs),
    }
}
