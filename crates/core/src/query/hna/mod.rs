//! HNA*: find the nodes of start and goal, connect both to the inter-edges of their nodes, search
//! over inter-edges, and extract what lies under them.
//!
//! Pelechano and Fuentes insert start and goal into the graph and delete them again. Here they never
//! enter it: what leads to them lives in the scratch.

mod connect;
mod extract;
mod local;
mod overlay;

pub(super) use connect::Connection;

use std::time::{Duration, Instant};

use super::{Connect, Event, Observer, Outcome, Scratch, Search};
use crate::hierarchy::{Hierarchy, Metric};
use crate::ids::{Level, NodeId, Terminal};
use crate::navmesh::Location;

/// Connecting by one Dijkstra pays up to here. On vaduz, in two runs of `portolan bench` with these
/// engines: 53 to 56 us at level 2 and 500 to 532 at level 3, where A* takes 134 to 150.
const HIGHEST_WITHOUT_TABLE: u8 = 2;

/// What the steps of the last search over a hierarchy took, where the scratch
/// [was asked to time them](Scratch::time_steps).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// 1. Finding the nodes of start and goal.
    pub nodes: Duration,
    /// 2. Connecting both to the inter-edges of their nodes.
    pub connect: Duration,
    /// 3. Searching over inter-edges and intra-edges; where start and goal share a node, over the
    ///    whole mesh.
    pub search: Duration,
    /// 4. Extracting the vertices under the intra-edges.
    pub extract: Duration,
}

/// How start and goal are connected: the exact ways, and the centres of PCCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connecting {
    AStar,
    Parallel,
    Dijkstra,
    Table,
    Centres,
}

impl From<Connect> for Connecting {
    fn from(connect: Connect) -> Self {
        match connect {
            Connect::AStar => Self::AStar,
            Connect::Parallel => Self::Parallel,
            Connect::Dijkstra => Self::Dijkstra,
            Connect::Table => Self::Table,
        }
    }
}

/// A hierarchy with the costs of one kind of agent, and the level to search.
#[derive(Clone, Copy)]
struct Storey<'a> {
    hierarchy: &'a Hierarchy,
    metric: &'a Metric,
    level: Level,
}

/// The node of the start and that of the goal.
#[derive(Clone, Copy)]
struct NodePair {
    start: NodeId,
    goal: NodeId,
}

impl<'a> Search<'a> {
    /// `None` chooses a level or a way to connect.
    pub(super) fn hna(
        &self,
        level: Option<Level>,
        connect: Option<Connecting>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut clock = Clock::start(scratch.is_timed);
        scratch.steps = StepTimes::default();
        // 1. Which nodes?
        let found = match level {
            Some(level) => self.storey(level).and_then(|storey| {
                let nodes = storey.nodes(self);
                (nodes.start != nodes.goal).then_some((storey, nodes))
            }),
            None => self.choose_level(connect),
        };
        scratch.steps.nodes = clock.lap();
        let Some((storey, nodes)) = found else {
            // One node, or level 0: the published method searches the whole mesh.
            return self.search_mesh(&mut clock, scratch, observer);
        };
        // 2. What does it cost to and from their inter-edges?
        let connect = connect.unwrap_or(match storey.metric.table(storey.level) {
            Some(_) => Connecting::Table,
            None => Connecting::Dijkstra,
        });
        self.connect(storey, nodes, connect, scratch);
        self.observe_connections(storey, nodes, scratch, observer);
        scratch.steps.connect = clock.lap();
        // 3. Which inter-edges lead from one to the other? What lies between centres says nothing of
        // a limit on what lies between start and goal.
        let most = match connect {
            Connecting::Centres => f32::INFINITY,
            _ => self.limits.max_cost,
        };
        let found = self.over_inter_edges(storey, nodes, most, scratch, observer);
        scratch.steps.search = clock.lap();
        let Some((cost, last)) = found else {
            // Whoever wants to get near the goal has to be told how near: by a search of the mesh.
            return match self.limits.partial {
                true => self.search_mesh(&mut clock, scratch, observer),
                false => Outcome::NoPath,
            };
        };
        // 4. Which vertices lie under them?
        let extracted = self.extract(storey, nodes, connect, last, scratch);
        let cost = match (extracted, connect) {
            (None, _) => f32::INFINITY,
            (Some(()), Connecting::Centres) => self.cost_of_trail(&scratch.trail),
            (Some(()), _) => cost,
        };
        scratch.steps.extract = clock.lap();
        if cost == f32::INFINITY {
            // A made-up file, or more than the limit: there may be a cheaper way.
            return self.search_mesh(&mut clock, scratch, observer);
        }
        Outcome::Found { cost }
    }

    /// What connects start and goal is known; tells which inter-edges it leads to.
    fn observe_connections<O: Observer>(
        &self,
        storey: Storey<'_>,
        nodes: NodePair,
        scratch: &Scratch,
        observer: &mut O,
    ) {
        if !O::WATCHES {
            return;
        }
        observer.observe(Event::Level(storey.level));
        let graph = storey.hierarchy.level(storey.level);
        let ends = [
            (Terminal::Start, nodes.start, &scratch.from_start),
            (Terminal::Goal, nodes.goal, &scratch.to_goal),
        ];
        for (terminal, node, connection) in ends {
            for (edge, &cost) in graph.of_node(node).iter().zip(&connection.costs) {
                if cost < f32::INFINITY {
                    let vertex = graph.inter_edge(edge.sample().0).vertex;
                    observer.observe(Event::Connected(terminal, vertex));
                }
            }
        }
    }

    fn search_mesh(
        &self,
        clock: &mut Clock,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let outcome = self.astar(scratch, observer);
        scratch.steps.search += clock.lap();
        outcome
    }

    fn storey(&self, level: Level) -> Option<Storey<'a>> {
        let hierarchy = self.hierarchy.expect("a world with a hierarchy");
        let metric = self.metric.expect("costs for a hierarchy");
        (level > Level(0)).then_some(Storey {
            hierarchy,
            metric,
            level,
        })
    }

    /// The highest level at which start and goal are neither in one node nor in neighbours: there,
    /// connecting is dear and searching gains nothing. Pelechano and Fuentes name this as future work.
    ///
    /// Only levels with a table, where there are tables and nothing else was asked for; without tables
    /// none above [`HIGHEST_WITHOUT_TABLE`].
    fn choose_level(&self, connect: Option<Connecting>) -> Option<(Storey<'a>, NodePair)> {
        let top = self.hierarchy.expect("a world with a hierarchy").top();
        let tables = self.metric.map_or(0, Metric::table_count) as u8;
        let most = match connect {
            None | Some(Connecting::Table | Connecting::Centres) if tables > 0 => tables,
            _ => HIGHEST_WITHOUT_TABLE,
        };
        (1..=top.0.min(most)).rev().map(Level).find_map(|level| {
            let storey = self.storey(level)?;
            let nodes = storey.nodes(self);
            let graph = storey.hierarchy.level(level);
            let meets_goal = |number: u32| {
                let ends = graph.inter_edge(number).sides;
                ends.iter().any(|end| end.node == nodes.goal)
            };
            let is_far = nodes.start != nodes.goal
                && !graph
                    .of_node(nodes.start)
                    .iter()
                    .any(|edge| meets_goal(edge.sample().0));
            is_far.then_some((storey, nodes))
        })
    }
}

impl Storey<'_> {
    fn nodes(&self, search: &Search<'_>) -> NodePair {
        let node = |place: Location| self.hierarchy.node_of(self.level, place.polygon);
        NodePair {
            start: node(search.start),
            goal: node(search.goal),
        }
    }
}

/// Time between laps, where somebody wants to know.
struct Clock(Option<Instant>);

impl Clock {
    fn start(is_timed: bool) -> Self {
        Self(is_timed.then(Instant::now))
    }

    fn lap(&mut self) -> Duration {
        self.0.as_mut().map_or(Duration::ZERO, |last| {
            let now = Instant::now();
            let lap = now - *last;
            *last = now;
            lap
        })
    }
}
