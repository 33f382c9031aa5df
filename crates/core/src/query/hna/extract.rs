//! DirectedSample 4: the vertices under the inter-edges of a path.
//!
//! Everything here asks whether what it follows is there, because ways and tables may come from a file
//! that somebody made up: `None` is an answer, and then the mesh itself is searched.

use super::connect::Connection;
use super::{Connecting, NodePair, Storey};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::hierarchy::{Connects, IntraEdgeId};
use crate::ids::{Level, NodeId, SampleId};
use crate::query::{Scratch, Search};

/// What leads between start or goal and one inter-edge of its node.
struct Leg<'a> {
    storey: Storey<'a>,
    node: NodeId,
    connects: Connects,
    connect: Connecting,
    connection: &'a Connection,
    /// The inter-edge, by its place in the node.
    index: u32,
}

impl Search<'_> {
    /// Writes the trail of the path whose last inter-edge is given.
    pub(super) fn extract(
        &self,
        storey: Storey<'_>,
        nodes: NodePair,
        connect: Connecting,
        last: u32,
        scratch: &mut Scratch,
    ) -> Option<()> {
        let Scratch {
            labels,
            trail,
            from_start,
            to_goal,
            inter_edges,
            stack,
            ..
        } = scratch;
        let graph = storey.hierarchy.level(storey.level);
        let ground = storey.hierarchy.level(Level(0));
        labels.trail(Some(SampleId(last)), inter_edges);
        trail.clear();
        stack.clear();

        let first = graph.inter_edge(inter_edges.first()?.sample().0);
        let out_of_start = Leg {
            storey,
            node: nodes.start,
            connects: Connects::Start,
            connect,
            connection: from_start,
            index: first.sides[first.side_in(nodes.start)?].index,
        };
        self.trail_from_start(&out_of_start, trail)?;

        // No cheapest way passes a vertex twice.
        let longest = 2 * ground.inter_edges().len();
        let mut tell = |vertex: SampleId, cell: NodeId| {
            let ends = ground.inter_edge(vertex.0).sides;
            trail.push(DirectedSample::new(
                vertex,
                usize::from(ends[0].node == cell),
            ));
            (trail.len() <= longest).then_some(())
        };
        for pair in inter_edges.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let way = IntraEdgeId {
                // As `to` was reached: `from` may have been reached anew since.
                node: graph.inter_edge(to.sample().0).sides[1 - to.far_side()].node,
                from: from.sample().0,
                to: to.sample().0,
            };
            let metric = storey.metric;
            metric.unpack(storey.hierarchy, storey.level, way, stack, &mut tell)?;
        }

        let last = graph.inter_edge(inter_edges.last()?.sample().0);
        let into_goal = Leg {
            storey,
            node: nodes.goal,
            connects: Connects::Goal,
            connect,
            connection: to_goal,
            index: last.sides[last.side_in(nodes.goal)?].index,
        };
        self.trail_to_goal(&into_goal, trail)
    }

    /// From the start to an inter-edge, that included.
    fn trail_from_start(&self, leg: &Leg<'_>, trail: &mut Vec<DirectedSample>) -> Option<()> {
        match leg.connect {
            Connecting::Dijkstra => leg.connection.labels.trail(Some(leg.vertex()), trail),
            Connecting::AStar | Connecting::Parallel => trail.extend_from_slice(leg.path()),
            Connecting::Table | Connecting::Centres => {
                let mut before = None;
                leg.along_table(|next| {
                    let through = match before {
                        None => self.own_side(SampleSide::Polygon(self.start.polygon), next)?,
                        Some(before) => self.side_between(before, next)?,
                    };
                    trail.push(self.graph.step_out_of(through, next));
                    before = Some(next);
                    Some(())
                })?;
            }
        }
        Some(())
    }

    /// From an inter-edge, that left out, to the goal.
    fn trail_to_goal(&self, leg: &Leg<'_>, trail: &mut Vec<DirectedSample>) -> Option<()> {
        // Searches from the goal go on to the far side of a vertex, which the path comes from.
        let mut leave = |step: DirectedSample, next: SampleId| {
            let through = self.graph.side(step.sample(), 1 - step.far_side());
            trail.push(self.graph.step_out_of(through, next));
        };
        match leg.connect {
            Connecting::Dijkstra => {
                let labels = &leg.connection.labels;
                let mut at = leg.vertex();
                while let Some(next) = labels.predecessor(at) {
                    leave(DirectedSample::new(at, labels.known(at).far_side()), next);
                    at = next;
                }
            }
            Connecting::AStar | Connecting::Parallel => {
                for pair in leg.path().windows(2).rev() {
                    leave(pair[1], pair[0].sample());
                }
            }
            Connecting::Table | Connecting::Centres => {
                // From the goal back to the inter-edge, then turned round.
                let (begin, mut after) = (trail.len(), None);
                leg.along_table(|at| {
                    match after {
                        None => {
                            self.own_side(SampleSide::Polygon(self.goal.polygon), at)?;
                        }
                        Some(after) => {
                            let through = self.side_between(at, after)?;
                            trail.push(self.graph.step_out_of(through, after));
                        }
                    }
                    after = Some(at);
                    Some(())
                })?;
                trail[begin..].reverse();
            }
        }
        Some(())
    }

    /// `side`, if a vertex has it.
    fn own_side(&self, side: SampleSide, vertex: SampleId) -> Option<SampleSide> {
        let has = [0, 1].map(|i| self.graph.side(vertex, i)).contains(&side);
        has.then_some(side)
    }

    /// What the cheapest arc from one vertex to another leads through.
    fn side_between(&self, from: SampleId, to: SampleId) -> Option<SampleSide> {
        self.graph.cheapest_side(self.mesh, self.prices, [from, to])
    }

    /// What a trail costs, arc by arc.
    pub(super) fn cost_of_trail(&self, trail: &[DirectedSample]) -> f32 {
        let mut cost = 0.0;
        let mut before: Option<SampleId> = None;
        for step in trail {
            let vertex = step.sample();
            cost += match self.graph.side(vertex, 1 - step.far_side()) {
                SampleSide::Polygon(polygon) => {
                    let length = match before {
                        None => distance(self.start.point, self.graph.position(vertex)),
                        Some(before) => self.graph.length(polygon, before, vertex),
                    };
                    length * self.prices.factor(self.mesh, polygon)
                }
                SampleSide::Link(link, _) => {
                    let cost = self.prices.of_link(self.mesh, self.mesh.link(link));
                    cost.unwrap_or(f32::INFINITY)
                }
            };
            before = Some(vertex);
        }
        match before {
            Some(last) => self.last_leg(cost, self.graph.position(last)),
            None => self.straight(),
        }
    }
}

impl Leg<'_> {
    /// The vertex of the inter-edge.
    fn vertex(&self) -> SampleId {
        let graph = self.storey.hierarchy.level(self.storey.level);
        let edge = graph.of_node(self.node)[self.index as usize];
        graph.inter_edge(edge.sample().0).vertex
    }

    /// By A*: the path from the place to the inter-edge.
    fn path(&self) -> &[DirectedSample] {
        let (ends, index) = (&self.connection.path_ends, self.index as usize);
        let begin = index.checked_sub(1).map_or(0, |before| ends[before]);
        &self.connection.paths[begin as usize..ends[index] as usize]
    }

    /// Tells the vertices from the door of the place to the inter-edge, both included.
    fn along_table(&self, mut tell: impl FnMut(SampleId) -> Option<()>) -> Option<()> {
        let table = self.storey.metric.table(self.storey.level)?;
        let graph = self.storey.hierarchy.level(self.storey.level);
        let count = graph.of_node(self.node).len();
        let target = self.vertex();
        let mut at = self.connection.doors[self.index as usize];
        let mut place = table.index_of(self.node, at);
        for _ in 0..table.held_count(self.node) {
            tell(at)?;
            if at == target {
                return Some(());
            }
            place = table.towards(self.connects, self.node, place, self.index, count);
            at = table.vertex(self.node, place)?;
        }
        None
    }
}
