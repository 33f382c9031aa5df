//! Customization: what the arcs of a contraction cost one kind of agent.

use std::ops::ControlFlow;

use super::Contraction;

/// The costs of all arcs, and the graphs that queries search: without arcs that no cheapest way needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortcuts {
    /// Arcs that go up, by the rank where they begin.
    pub(super) upwards: Pruned,
    /// Arcs that go down, by the rank where they end.
    pub(super) downwards: Pruned,
    /// What arcs stand for.
    pub(super) parts: Vec<Part>,
}

/// The arcs of one direction that are needed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pruned {
    /// Per rank, where its arcs begin; one more at the end.
    pub(super) offsets: Vec<u32>,
    pub(super) arcs: Vec<PrunedArc>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PrunedArc {
    /// The upper end.
    pub(super) head: u32,
    pub(super) cost: f32,
    /// What it stands for, among all parts.
    pub(super) part: u32,
}

/// What an arc from one rank to another stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The two parts one after the other, or [`ARC`] and the vertex that an arc of the graph leads to.
    pub(super) children: [u32; 2],
}

/// An arc of the graph itself.
pub(super) const ARC: u32 = u32::MAX;

const NONE: u32 = u32::MAX;

/// Both directions of all arcs while they are made.
struct Customizing {
    /// Up: from the lower end to the upper. Down: the other way.
    costs: [Vec<f32>; 2],
    /// The rank below that the cheapest way runs over; none for an arc of the graph.
    via: [Vec<u32>; 2],
}

pub(super) const UP: usize = 0;
pub(super) const DOWN: usize = 1;

impl Shortcuts {
    /// Costs for the arcs of the graph, `(from, to, cost)` by vertex; of several between the same two
    /// the least counts. The same on any number of threads.
    ///
    /// # Panics
    /// When an arc joins two vertices that are not adjacent in the contraction.
    pub fn new(contraction: &Contraction, arcs: impl Iterator<Item = (u32, u32, f32)>) -> Self {
        let count = contraction.arc_count();
        let mut work = Customizing {
            costs: [vec![f32::INFINITY; count], vec![f32::INFINITY; count]],
            via: [vec![NONE; count], vec![NONE; count]],
        };
        for (from, to, cost) in arcs.filter(|(from, to, _)| from != to) {
            let [a, b] = [from, to].map(|vertex| contraction.ranks[vertex as usize]);
            let arc = contraction.arc(a.min(b), a.max(b));
            let arc = arc.expect("an arc between adjacent vertices");
            let known = &mut work.costs[usize::from(a > b)][arc];
            *known = known.min(cost);
        }
        work.relax_lower_triangles(contraction);
        let needed = work.prune(contraction);
        work.finish(contraction, &needed)
    }

    /// The arcs of the search graph between a rank and higher ones, which ascend: the higher end and
    /// the cost.
    pub(super) fn arcs(&self, way: usize, rank: u32) -> impl Iterator<Item = (u32, f32)> {
        let graph = [&self.upwards, &self.downwards][way];
        let arcs = graph.offsets[rank as usize] as usize..graph.offsets[rank as usize + 1] as usize;
        graph.arcs[arcs].iter().map(|arc| (arc.head, arc.cost))
    }

    /// Tells the vertices that an arc of the search graph leads over, but for the first, until told to
    /// stop. The arc lies between two ranks, the lower first.
    pub(super) fn unpack<B>(
        &self,
        way: usize,
        [low, high]: [u32; 2],
        stack: &mut Vec<u32>,
        tell: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let graph = [&self.upwards, &self.downwards][way];
        stack.clear();
        stack.push(graph.part(low, high));
        while let Some(part) = stack.pop() {
            match self.parts[part as usize].children {
                [ARC, vertex] => tell(vertex)?,
                [first, second] => stack.extend([second, first]),
            }
        }
        ControlFlow::Continue(())
    }

    /// Arcs that queries look at, upwards and downwards, and the parts that they are made of.
    pub fn counts(&self) -> [usize; 3] {
        [
            self.upwards.arcs.len(),
            self.downwards.arcs.len(),
            self.parts.len(),
        ]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let pruned =
            |graph: &Pruned| size_of_val(&graph.offsets[..]) + size_of_val(&graph.arcs[..]);
        pruned(&self.upwards) + pruned(&self.downwards) + size_of_val(&self.parts[..])
    }
}

impl Customizing {
    /// From the lowest rank up: whatever goes down to a vertex and up again is a way between two of its
    /// upper neighbours.
    fn relax_lower_triangles(&mut self, contraction: &Contraction) {
        let mut places = vec![NONE; contraction.vertex_count()];
        for rank in 0..contraction.vertex_count() {
            contraction.place_heads(rank, &mut places);
            for lower in contraction.down.get(rank) {
                let arc = lower.arc as usize;
                let (down, up) = (self.costs[DOWN][arc], self.costs[UP][arc]);
                for other in contraction.arcs_after(*lower) {
                    let arc = places[contraction.up.values()[other] as usize] as usize;
                    // Rank to head: down to the lower one, then up. Head to rank: the other way.
                    let there = down + self.costs[UP][other];
                    if there < self.costs[UP][arc] {
                        self.costs[UP][arc] = there;
                        self.via[UP][arc] = lower.rank;
                    }
                    let back = self.costs[DOWN][other] + up;
                    if back < self.costs[DOWN][arc] {
                        self.costs[DOWN][arc] = back;
                        self.via[DOWN][arc] = lower.rank;
                    }
                }
            }
        }
    }

    /// From the highest rank down: an arc is not needed where going over another upper neighbour is no
    /// dearer.
    ///
    /// Going over `other` has to cost more than getting to `other` itself. So what an arc is dropped
    /// for is strictly cheaper, and two arcs are never dropped for one another, whatever costs
    /// nothing or is lost in rounding.
    fn prune(&self, contraction: &Contraction) -> [Vec<bool>; 2] {
        // The least costs between the ends of arcs, over whatever lies above both, too.
        let mut least = self.costs.clone();
        let mut needed = [UP, DOWN].map(|way| {
            let costs = self.costs[way].iter();
            costs.map(|&cost| cost < f32::INFINITY).collect::<Vec<_>>()
        });
        // Triangles by their middle rank, from the highest down: the arcs above it are done then.
        let mut places = vec![NONE; contraction.vertex_count()];
        for rank in (0..contraction.vertex_count()).rev() {
            contraction.place_heads(rank, &mut places);
            for lower in contraction.down.get(rank) {
                let to_low = lower.arc as usize;
                for to_high in contraction.arcs_after(*lower) {
                    let between = places[contraction.up.values()[to_high] as usize] as usize;
                    // Over the lower of the two and on up, or over the higher and back down.
                    for (arc, other, step) in [(to_high, to_low, UP), (to_low, to_high, DOWN)] {
                        for way in [UP, DOWN] {
                            let leg = self.costs[way][other];
                            let detour = leg + least[step ^ way][between];
                            if detour <= self.costs[way][arc] && detour > leg {
                                needed[way][arc] = false;
                                least[way][arc] = least[way][arc].min(detour);
                            }
                        }
                    }
                }
            }
        }
        needed
    }

    fn finish(self, contraction: &Contraction, needed: &[Vec<bool>; 2]) -> Shortcuts {
        let mut parts = Parts {
            work: &self,
            contraction,
            numbers: [UP, DOWN].map(|way| vec![NONE; self.costs[way].len()]),
            parts: Vec::new(),
        };
        let [upwards, downwards] = [UP, DOWN].map(|way| {
            let mut graph = Pruned {
                offsets: vec![0],
                arcs: Vec::new(),
            };
            for rank in 0..contraction.vertex_count() {
                let first = contraction.up.offsets()[rank] as usize;
                for (&head, arc) in contraction.up.get(rank).iter().zip(first..) {
                    if needed[way][arc] {
                        graph.arcs.push(PrunedArc {
                            head,
                            cost: self.costs[way][arc],
                            part: parts.of(way, arc, rank as u32, head),
                        });
                    }
                }
                graph.offsets.push(graph.arcs.len() as u32);
            }
            graph
        });
        Shortcuts {
            upwards,
            downwards,
            parts: parts.parts,
        }
    }
}

/// Numbers the arcs that needed ones are made of.
struct Parts<'a> {
    work: &'a Customizing,
    contraction: &'a Contraction,
    /// Per direction and arc.
    numbers: [Vec<u32>; 2],
    parts: Vec<Part>,
}

impl Parts<'_> {
    /// The number of an arc between two ranks, with those of all that it is made of. Ways get
    /// lower and lower, so this ends; it is as deep as the contraction at most.
    fn of(&mut self, way: usize, arc: usize, low: u32, high: u32) -> u32 {
        if self.numbers[way][arc] != NONE {
            return self.numbers[way][arc];
        }
        let via = self.work.via[way][arc];
        let children = if via == NONE {
            let to = if way == UP { high } else { low };
            [ARC, self.contraction.vertices[to as usize]]
        } else {
            let [from, to] = if way == UP { [low, high] } else { [high, low] };
            [(DOWN, from), (UP, to)].map(|(way, end)| {
                let arc = self.contraction.arc(via, end);
                self.of(way, arc.expect("a lower triangle"), via, end)
            })
        };
        let number = self.parts.len() as u32;
        self.parts.push(Part { children });
        self.numbers[way][arc] = number;
        number
    }
}
