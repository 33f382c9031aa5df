//! Step 4 of HNA*: extracts the vertices below the inter-edges of a path.
//!
//! The path tables may come from a corrupt file, so every lookup is checked. `None` means that the data is
//! inconsistent; the caller then searches the mesh instead.

use super::connect::NodeConnection;
use super::workers::Workers;
use super::{ConnectMethod, LevelContext, LevelSearch};
use crate::geometry::distance;
use crate::graph::{DirectedSample, SampleSide};
use crate::hierarchy::{Connects, IntraEdgeId};
use crate::ids::{Level, NodeId, SampleId};
use crate::query::{Scratch, Search};

/// The leg between the start or the goal and one inter-edge of its node.
struct ConnectingLeg<'a> {
    context: LevelContext<'a>,
    node: NodeId,
    connects: Connects,
    connect: ConnectMethod,
    connection: &'a NodeConnection,
    workers: &'a Workers,
    /// The index of the inter-edge in the node.
    index: u32,
}

impl Search<'_> {
    /// Writes the trail of the path whose last inter-edge is `last` to the scratch.
    pub(in crate::query) fn extract(
        &self,
        state: &LevelSearch,
        last: u32,
        scratch: &mut Scratch,
    ) -> Option<()> {
        self.extract_from_start(state, last, scratch)?;
        let context = self.context_of(state);
        let last = context.hierarchy.level(context.level).inter_edge(last);
        let into_goal = ConnectingLeg {
            context,
            node: state.nodes.goal,
            connects: Connects::Goal,
            connect: context.connect_in(state.nodes.goal, state.connect),
            connection: &scratch.to_goal,
            workers: &scratch.workers,
            index: last.sides[last.side_in(state.nodes.goal)?].index,
        };
        self.trail_to_goal(&into_goal, &mut scratch.trail)
    }

    /// Writes the trail from the start to the inter-edge `last`, including it, to the scratch.
    pub(super) fn extract_from_start(
        &self,
        state: &LevelSearch,
        last: u32,
        scratch: &mut Scratch,
    ) -> Option<()> {
        let context = self.context_of(state);
        let nodes = state.nodes;
        let Scratch {
            labels,
            trail,
            from_start,
            workers,
            inter_edges,
            stack,
            ..
        } = scratch;
        let graph = context.hierarchy.level(context.level);
        let ground = context.hierarchy.level(Level(0));
        labels.trail(Some(SampleId(last)), inter_edges);
        trail.clear();
        stack.clear();

        let first = graph.inter_edge(inter_edges.first()?.sample().0);
        let out_of_start = ConnectingLeg {
            context,
            node: nodes.start,
            connects: Connects::Start,
            connect: context.connect_in(nodes.start, state.connect),
            connection: from_start,
            workers,
            index: first.sides[first.side_in(nodes.start)?].index,
        };
        self.trail_from_start(&out_of_start, trail)?;

        // No cheapest path visits a vertex twice, so a longer trail is corrupt.
        let longest = 2 * ground.inter_edges().len();
        let mut visit = |vertex: SampleId, cell: NodeId| {
            let sides = ground.inter_edge(vertex.0).sides;
            trail.push(DirectedSample::new(
                vertex,
                usize::from(sides[0].node == cell),
            ));
            (trail.len() <= longest).then_some(())
        };
        for pair in inter_edges.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let intra_edge = IntraEdgeId {
                // The node by which `to` was reached: `from` may have been reached again since.
                node: graph.inter_edge(to.sample().0).sides[1 - to.far_side()].node,
                from: from.sample().0,
                to: to.sample().0,
            };
            let metric = context.metric;
            metric.unpack(
                context.hierarchy,
                context.level,
                intra_edge,
                stack,
                &mut visit,
            )?;
        }
        Some(())
    }

    /// Appends the trail from the start to an inter-edge, including the inter-edge.
    fn trail_from_start(
        &self,
        leg: &ConnectingLeg<'_>,
        trail: &mut Vec<DirectedSample>,
    ) -> Option<()> {
        match leg.connect {
            ConnectMethod::Dijkstra => leg.connection.labels.trail(Some(leg.vertex()), trail),
            ConnectMethod::AStar | ConnectMethod::Parallel => trail.extend_from_slice(leg.path()),
            ConnectMethod::Table | ConnectMethod::Centres => {
                let mut before = None;
                leg.along_table(|next| {
                    let through = match before {
                        None => self.own_side(SampleSide::Polygon(self.start.polygon), next)?,
                        Some(before) => self.side_between(before, next)?,
                    };
                    trail.push(self.graph.step_via(through, next));
                    before = Some(next);
                    Some(())
                })?;
            }
        }
        Some(())
    }

    /// Appends the trail from an inter-edge to the goal, without the inter-edge.
    fn trail_to_goal(
        &self,
        leg: &ConnectingLeg<'_>,
        trail: &mut Vec<DirectedSample>,
    ) -> Option<()> {
        // Searches from the goal run backwards: they leave a vertex by the side from which the path
        // arrives.
        let mut leave = |step: DirectedSample, next: SampleId| {
            let through = self.graph.side(step.sample(), 1 - step.far_side());
            trail.push(self.graph.step_via(through, next));
        };
        match leg.connect {
            ConnectMethod::Dijkstra => {
                let labels = &leg.connection.labels;
                let mut at = leg.vertex();
                while let Some(next) = labels.predecessor(at) {
                    leave(DirectedSample::new(at, labels.known(at).far_side()), next);
                    at = next;
                }
            }
            ConnectMethod::AStar | ConnectMethod::Parallel => {
                for pair in leg.path().windows(2).rev() {
                    leave(pair[1], pair[0].sample());
                }
            }
            ConnectMethod::Table | ConnectMethod::Centres => {
                // The table leads from the goal back to the inter-edge, so the steps are reversed
                // afterwards.
                let (start, mut after) = (trail.len(), None);
                leg.along_table(|at| {
                    match after {
                        None => {
                            self.own_side(SampleSide::Polygon(self.goal.polygon), at)?;
                        }
                        Some(after) => {
                            let through = self.side_between(at, after)?;
                            trail.push(self.graph.step_via(through, after));
                        }
                    }
                    after = Some(at);
                    Some(())
                })?;
                trail[start..].reverse();
            }
        }
        Some(())
    }

    /// Returns `side` if it is a side of the vertex.
    fn own_side(&self, side: SampleSide, vertex: SampleId) -> Option<SampleSide> {
        let has = [0, 1].map(|i| self.graph.side(vertex, i)).contains(&side);
        has.then_some(side)
    }

    /// Returns the polygon or link that the cheapest arc between two vertices leads through.
    fn side_between(&self, from: SampleId, to: SampleId) -> Option<SampleSide> {
        self.graph.cheapest_side(self.mesh, self.prices, [from, to])
    }

    /// Returns the cost of a trail with the last leg to the goal, summed arc by arc.
    pub(in crate::query) fn cost_of_trail(&self, trail: &[DirectedSample]) -> f32 {
        match trail.last() {
            Some(last) => self.last_leg(self.cost_along(trail), self.graph.position(last.sample())),
            None => self.straight_cost(),
        }
    }

    /// Returns the cost of a trail up to its last vertex, summed arc by arc.
    pub(super) fn cost_along(&self, trail: &[DirectedSample]) -> f32 {
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
                    let cost = self.prices.link_cost(self.mesh, self.mesh.link(link));
                    cost.unwrap_or(f32::INFINITY)
                }
            };
            before = Some(vertex);
        }
        cost
    }
}

impl ConnectingLeg<'_> {
    /// Returns the vertex of the inter-edge.
    fn vertex(&self) -> SampleId {
        let graph = self.context.hierarchy.level(self.context.level);
        let edge = graph.of_node(self.node)[self.index as usize];
        graph.inter_edge(edge.sample().0).vertex
    }

    /// Returns the path that A* found from the start or goal to the inter-edge.
    fn path(&self) -> &[DirectedSample] {
        self.workers
            .path(self.connection.paths[self.index as usize])
    }

    /// Calls `visit` with the vertices from the access vertex to the inter-edge, both included.
    fn along_table(&self, mut visit: impl FnMut(SampleId) -> Option<()>) -> Option<()> {
        let table = self.context.metric.table(self.context.level)?;
        let graph = self.context.hierarchy.level(self.context.level);
        let count = graph.of_node(self.node).len();
        let target = self.vertex();
        let mut at = self.connection.access_vertices[self.index as usize];
        let mut vertex_index = table.index_of(self.node, at);
        for _ in 0..table.vertex_count(self.node) {
            visit(at)?;
            if at == target {
                return Some(());
            }
            vertex_index = table.towards(self.connects, self.node, vertex_index, self.index, count);
            at = table.vertex(self.node, vertex_index)?;
        }
        None
    }
}
