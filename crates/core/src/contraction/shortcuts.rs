//! What the arcs of a contraction cost one kind of agent, as queries read it.

use std::ops::ControlFlow;

use super::customize::Customized;
pub(super) use super::customize::UP;
use super::parts::Parts;
use super::pruned::Pruned;
use super::{Contraction, Measure};
use crate::csr::Csr;

/// The way down, where ways are counted.
pub(super) const DOWN: usize = 1;

/// The graphs that queries search, without arcs that no cheapest way needs, and what their arcs stand
/// for.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortcuts {
    /// Arcs that go up, by the rank where they begin.
    upwards: Pruned,
    /// Arcs that go down, by the rank where they end; none where every arc costs the same both ways:
    /// then they are the same, read backwards.
    downwards: Option<Pruned>,
    pub(super) parts: Parts,
    /// What ways likely cost at most, as a multiple of their [`StraightLineBound`](super::StraightLineBound) line.
    pub(super) cost_estimate: f32,
}

impl Shortcuts {
    /// Costs for the arcs of the graph, `(from, to, cost)` by vertex; of several between the same two
    /// the least counts.
    ///
    /// # Panics
    /// When an arc joins two vertices that are not adjacent in the contraction, or costs less than 0.
    pub fn new(contraction: &Contraction, arcs: impl Iterator<Item = (u32, u32, f32)>) -> Self {
        Self::from_edges(
            contraction,
            arcs.map(|(from, to, cost)| ([from, to], [cost, f32::INFINITY])),
        )
    }

    /// The same for pairs of vertices with the costs there and back, infinite where there is no arc.
    ///
    /// # Panics
    /// As [`new`](Self::new) does.
    pub fn from_edges(
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
    ) -> Self {
        match ways(edge_costs(contraction, edges)) {
            Ok(costs) => Self::keep(contraction, &Customized::<1>::new(contraction, costs)),
            Err(costs) => Self::keep(contraction, &Customized::<2>::new(contraction, costs)),
        }
    }

    /// The same, but shortcuts cost what `measure` says of their ways, or the sum of their parts where
    /// that is less. A search finds a way that is good by these costs; it need not be the best.
    ///
    /// # Panics
    /// As [`new`](Self::new) does.
    pub fn taut(
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
        measure: &impl Measure,
    ) -> Self {
        match ways(edge_costs(contraction, edges)) {
            Ok(costs) => {
                let customized = Customized::<1>::taut(contraction, costs, measure);
                Self::keep(contraction, &customized)
            }
            Err(costs) => {
                let customized = Customized::<2>::taut(contraction, costs, measure);
                Self::keep(contraction, &customized)
            }
        }
    }

    /// The same for a graph whose arcs lead from each vertex to `heads`, with the cost of each.
    ///
    /// # Panics
    /// As [`new`](Self::new) does, and when there is not one cost an arc.
    pub fn from_graph(contraction: &Contraction, heads: &Csr<u32>, costs: &[f32]) -> Self {
        assert_eq!(heads.values().len(), costs.len(), "arcs and their costs");
        let tails = (0..).zip(heads.iter());
        let tails = tails.flat_map(|(tail, heads)| std::iter::repeat_n(tail, heads.len()));
        let arcs = tails.zip(heads.values()).zip(costs);
        Self::new(
            contraction,
            arcs.map(|((tail, &head), &cost)| (tail, head, cost)),
        )
    }

    /// Keeps what queries need.
    fn keep<const W: usize>(contraction: &Contraction, customized: &Customized<W>) -> Self {
        let (parts, references) = Parts::new(contraction, customized);
        let needed = &customized.needed;
        let mut graphs = (0..W).map(|way| {
            let mut graph = Pruned::new();
            for rank in 0..contraction.vertex_count() {
                let arcs = contraction.arcs_of(rank).filter(|&arc| needed[arc][way]);
                graph.push(arcs.map(|arc| {
                    let head = contraction.up.values()[arc];
                    let depth = contraction.depths[head as usize];
                    (depth, customized.costs[arc][way], references[arc][way])
                }));
            }
            graph
        });
        Self {
            upwards: graphs.next().expect("a way up"),
            downwards: graphs.next(),
            parts,
            cost_estimate: f32::INFINITY,
        }
    }

    /// Whether every arc costs the same both ways.
    pub fn is_symmetric(&self) -> bool {
        self.downwards.is_none()
    }

    pub(super) fn upwards(&self) -> &Pruned {
        &self.upwards
    }

    pub(super) fn downwards(&self) -> &Pruned {
        self.downwards.as_ref().unwrap_or(&self.upwards)
    }

    /// The arcs of the search graph between a rank and higher ones, which ascend: the higher end and
    /// the cost.
    pub(super) fn arcs(
        &self,
        contraction: &Contraction,
        way: usize,
        rank: u32,
    ) -> impl Iterator<Item = (u32, f32)> {
        let graph = [self.upwards(), self.downwards()][way];
        let mut heads = contraction.up.get(rank as usize).iter();
        graph.arcs(rank).rev().map(move |(depth, cost)| {
            let is_head = |&&head: &&u32| contraction.depths[head as usize] == depth;
            let head = heads.find(is_head).expect("an arc of the contraction");
            (*head, cost)
        })
    }

    /// Tells the vertices that an arc of the search graph leads over, but for the first, until told to
    /// stop. The arc lies between two ranks, the lower first.
    pub(super) fn unpack<B>(
        &self,
        contraction: &Contraction,
        way: usize,
        [low, high]: [u32; 2],
        stack: &mut Vec<u32>,
        tell: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let graph = [self.upwards(), self.downwards()][way];
        // What is kept as a way up is read backwards.
        let turn = u32::from(way == DOWN && self.is_symmetric());
        stack.clear();
        stack.push(graph.part(low, contraction.depths[high as usize]) ^ turn);
        self.parts.take_apart(stack, tell)
    }

    /// Arcs that queries look at, upwards and downwards.
    pub fn arc_counts(&self) -> [usize; 2] {
        [self.upwards().arc_count(), self.downwards().arc_count()]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let graphs = [Some(&self.upwards), self.downwards.as_ref()];
        let graphs = graphs.into_iter().flatten().map(Pruned::bytes);
        graphs.sum::<usize>() + self.parts.bytes()
    }
}

/// Per arc of the contraction the cost up and down of the edge between its ends, infinite where there is
/// none.
fn edge_costs(
    contraction: &Contraction,
    edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
) -> Vec<[f32; 2]> {
    let mut costs = vec![[f32::INFINITY; 2]; contraction.arc_count()];
    for (ends, [there, back]) in edges.filter(|([from, to], _)| from != to) {
        assert!(
            there >= 0.0 && back >= 0.0,
            "an arc costs less than nothing"
        );
        let [a, b] = ends.map(|vertex| contraction.ranks[vertex as usize]);
        let arc = contraction.arc(a.min(b), a.max(b));
        let known = &mut costs[arc.expect("an arc between adjacent vertices")];
        let [up, down] = if a < b { [there, back] } else { [back, there] };
        // Not 0.0 and -0.0, whose bits differ.
        *known = [known[0].min(up) + 0.0, known[1].min(down) + 0.0];
    }
    costs
}

/// One way for both where all arcs cost the same up and down, or else two.
fn ways(costs: Vec<[f32; 2]>) -> Result<Vec<[f32; 1]>, Vec<[f32; 2]>> {
    match costs.iter().all(|[up, down]| up == down) {
        true => Ok(costs.into_iter().map(|[up, _]| [up]).collect()),
        false => Err(costs),
    }
}
