//! Step 4: the vertices under the inter-edges of a path.

use super::connect::Connection;
use super::{NodePair, Storey};
use crate::graph::{Side, Step};
use crate::hierarchy::{Connects, Way};
use crate::ids::{Level, NodeId, SampleId};
use crate::query::{Connect, Scratch, Search};

impl Search<'_> {
    /// Writes the trail of the path whose last inter-edge is given.
    pub(super) fn extract(
        &self,
        storey: Storey<'_>,
        nodes: NodePair,
        connect: Connect,
        last: u32,
        scratch: &mut Scratch,
    ) {
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
        labels.trail(Some(SampleId(last)), inter_edges);
        trail.clear();

        let first = inter_edges[0];
        let end = graph.inter_edge(first.sample().0).ends[1 - first.onward()];
        debug_assert_eq!(end.node, nodes.start);
        self.from_start(storey, nodes.start, end.index, connect, from_start, trail);

        let ground = storey.hierarchy.level(Level(0));
        let mut tell = |vertex: SampleId, cell: NodeId| {
            let ends = ground.inter_edge(vertex.0).ends;
            trail.push(Step::new(vertex, usize::from(ends[0].node == cell)));
        };
        for pair in inter_edges.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let way = Way {
                node: graph.inter_edge(from.sample().0).ends[from.onward()].node,
                from: from.sample().0,
                to: to.sample().0,
            };
            storey
                .metric
                .unpack(storey.hierarchy, storey.level, way, stack, &mut tell);
        }

        let last = inter_edges[inter_edges.len() - 1];
        let end = graph.inter_edge(last.sample().0).ends[last.onward()];
        debug_assert_eq!(end.node, nodes.goal);
        self.to_goal(storey, nodes.goal, end.index, connect, to_goal, trail);
    }

    /// From the start to inter-edge `index` of its node, that included.
    fn from_start(
        &self,
        storey: Storey<'_>,
        node: NodeId,
        index: u32,
        connect: Connect,
        connection: &Connection,
        trail: &mut Vec<Step>,
    ) {
        let graph = storey.hierarchy.level(storey.level);
        let edge = graph.of_node(node)[index as usize];
        let vertex = graph.inter_edge(edge.sample().0).vertex;
        match connect {
            Connect::Dijkstra => connection.labels.trail(Some(vertex), trail),
            Connect::AStar | Connect::Parallel => {
                trail.extend_from_slice(connection.path(index));
            }
            Connect::Table | Connect::Centres => {
                let mut through = Side::Polygon(self.start.polygon);
                self.along_table(
                    storey,
                    node,
                    Connects::Start,
                    index,
                    connection,
                    |next, last| {
                        if let Some(last) = last {
                            through = self.side_between(last, next);
                        }
                        trail.push(self.graph.step_out_of(through, next));
                    },
                );
            }
        }
    }

    /// From inter-edge `index` of the goal's node, that left out, to the goal.
    fn to_goal(
        &self,
        storey: Storey<'_>,
        node: NodeId,
        index: u32,
        connect: Connect,
        connection: &Connection,
        trail: &mut Vec<Step>,
    ) {
        let graph = storey.hierarchy.level(storey.level);
        let edge = graph.of_node(node)[index as usize];
        let vertex = graph.inter_edge(edge.sample().0).vertex;
        let first = trail.len();
        // The searches went from the goal: a vertex with the side beyond it, seen from there, is one
        // that is left for the other side.
        let mut onwards = |vertex: SampleId, label_onward: usize, next: Option<SampleId>| {
            if let Some(next) = next {
                let through = self.graph.side(vertex, 1 - label_onward);
                trail.push(self.graph.step_out_of(through, next));
            }
        };
        match connect {
            Connect::Dijkstra => {
                let mut at = vertex;
                loop {
                    let label = connection.labels.known(at);
                    let next = connection.labels.before(at);
                    onwards(at, label.onward(), next);
                    match next {
                        Some(next) => at = next,
                        None => break,
                    }
                }
            }
            Connect::AStar | Connect::Parallel => {
                let path = connection.path(index);
                for (i, step) in path.iter().enumerate().rev() {
                    let next = i.checked_sub(1).map(|before| path[before].sample());
                    onwards(step.sample(), step.onward(), next);
                }
            }
            Connect::Table | Connect::Centres => {
                // From the goal's polygon back to the inter-edge, then turned round.
                self.along_table(
                    storey,
                    node,
                    Connects::Goal,
                    index,
                    connection,
                    |next, last| {
                        if let Some(last) = last {
                            let through = self.side_between(next, last);
                            trail.push(self.graph.step_out_of(through, last));
                        }
                    },
                );
                trail[first..].reverse();
            }
        }
    }

    /// Tells the vertices between the door of a place and an inter-edge, each with the one told before.
    fn along_table(
        &self,
        storey: Storey<'_>,
        node: NodeId,
        connects: Connects,
        index: u32,
        connection: &Connection,
        mut tell: impl FnMut(SampleId, Option<SampleId>),
    ) {
        let graph = storey.hierarchy.level(storey.level);
        let table = storey.metric.table(storey.level).expect("a table");
        let edges = graph.of_node(node);
        let target = graph.inter_edge(edges[index as usize].sample().0).vertex;
        let mut at = connection.doors[index as usize];
        tell(at, None);
        let mut place = table.place(node, at);
        while at != target {
            place = table.towards(connects, node, place, index, edges.len());
            let next = table.vertex(node, place);
            tell(next, Some(at));
            at = next;
        }
    }

    fn side_between(&self, from: SampleId, to: SampleId) -> Side {
        let side = self.graph.cheapest_side(self.mesh, self.costs, [from, to]);
        side.expect("two vertices of one cell")
    }

    /// What a trail costs, arc by arc.
    pub(super) fn cost_of_trail(&self, trail: &[Step]) -> f32 {
        let mut cost = 0.0;
        let mut at = None;
        for step in trail {
            let through = self.graph.side(step.sample(), 1 - step.onward());
            cost += match (at, through) {
                (None, Side::Polygon(polygon)) => {
                    let length = crate::geometry::distance(
                        self.start.point,
                        self.graph.position(step.sample()),
                    );
                    length * self.costs.factor(self.mesh, polygon)
                }
                (None, Side::Link(..)) => 0.0,
                (Some(from), Side::Polygon(polygon)) => {
                    let length = self.graph.length(polygon, from, step.sample());
                    length * self.costs.factor(self.mesh, polygon)
                }
                (Some(_), Side::Link(link, _)) => {
                    let cost = self.costs.of_link(self.mesh, self.mesh.link(link));
                    cost.unwrap_or(f32::INFINITY)
                }
            };
            at = Some(step.sample());
        }
        match at {
            Some(last) => self.last_leg(cost, self.graph.position(last)),
            None => self.straight(),
        }
    }
}

impl Connection {
    /// By A*: the path of an inter-edge, from the place to it.
    fn path(&self, index: u32) -> &[Step] {
        let index = index as usize;
        let begin = index
            .checked_sub(1)
            .map_or(0, |before| self.path_ends[before]);
        &self.paths[begin as usize..self.path_ends[index] as usize]
    }
}
