//! HNA*: find the nodes of start and goal, connect both to the inter-edges of their nodes, search over
//! inter-edges, and unpack the path below them.
//!
//! Pelechano and Fuentes 2016 insert start and goal into the graph and remove them after the search. Here
//! the graph stays unchanged: the connections of start and goal are stored in the scratch.

mod connect;
mod extract;
mod local;
mod overlay;

pub(super) use connect::NodeConnection;

use std::time::{Duration, Instant};

use super::{Connect, Event, Observer, Outcome, Scratch, Search};
use crate::hierarchy::{Hierarchy, Metric};
use crate::ids::{Level, NodeId, Terminal};
use crate::navmesh::Location;

/// The highest level that is chosen automatically without connect tables. On vaduz, a query that connects
/// by Dijkstra takes 53 to 56 us at level 2 and 500 to 532 us at level 3, and A* takes 134 to 150 us
/// (`portolan bench`, two runs).
const MAX_LEVEL_WITHOUT_TABLE: u8 = 2;

/// The times of the steps of the last HNA* or PCCP query, if [`Scratch::time_steps`] enabled the
/// measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Step 1: finding the nodes of start and goal.
    pub nodes: Duration,
    /// Step 2: connecting both to the inter-edges of their nodes.
    pub connect: Duration,
    /// Step 3: searching over inter-edges and intra-edges, or over the whole mesh if start and goal share a
    /// node.
    pub search: Duration,
    /// Step 4: extracting the vertices below the intra-edges.
    pub extract: Duration,
}

/// How start and goal are connected: the methods of [`Connect`], and the polygon centres of PCCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectMethod {
    AStar,
    Parallel,
    Dijkstra,
    Table,
    Centres,
}

impl From<Connect> for ConnectMethod {
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
struct LevelContext<'a> {
    hierarchy: &'a Hierarchy,
    metric: &'a Metric,
    level: Level,
}

/// The nodes of start and goal.
#[derive(Clone, Copy)]
struct NodePair {
    start: NodeId,
    goal: NodeId,
}

impl<'a> Search<'a> {
    /// Searches with HNA*. `None` chooses the level or the connection method automatically.
    pub(super) fn hna(
        &self,
        level: Option<Level>,
        connect: Option<ConnectMethod>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut clock = Clock::start(scratch.is_timed);
        scratch.steps = StepTimes::default();
        // 1. Find the nodes of start and goal.
        let found = match level {
            Some(level) => self.level_context(level).and_then(|context| {
                let nodes = context.nodes(self);
                (nodes.start != nodes.goal).then_some((context, nodes))
            }),
            None => self.choose_level(connect),
        };
        scratch.steps.nodes = clock.lap();
        let Some((context, nodes)) = found else {
            // Start and goal share a node, or the level is 0: the published method searches the whole mesh.
            return self.search_mesh(&mut clock, scratch, observer);
        };
        // 2. Connect both to the inter-edges of their nodes.
        let connect = connect.unwrap_or(match context.metric.table(context.level) {
            Some(_) => ConnectMethod::Table,
            None => ConnectMethod::Dijkstra,
        });
        self.connect(context, nodes, connect, scratch);
        self.observe_connections(context, nodes, scratch, observer);
        scratch.steps.connect = clock.lap();
        // 3. Search over inter-edges. A path between centres can cost more than the path between start and
        //    goal, so PCCP cannot apply the cost limit here.
        let max_cost = match connect {
            ConnectMethod::Centres => f32::INFINITY,
            _ => self.limits.max_cost,
        };
        let found = self.over_inter_edges(context, nodes, max_cost, scratch, observer);
        scratch.steps.search = clock.lap();
        let Some((cost, last)) = found else {
            // A partial path needs a search of the mesh.
            return match self.limits.partial {
                true => self.search_mesh(&mut clock, scratch, observer),
                false => Outcome::NoPath,
            };
        };
        // 4. Extract the vertices below them.
        let extracted = self.extract(context, nodes, connect, last, scratch);
        let cost = match (extracted, connect) {
            (None, _) => f32::INFINITY,
            (Some(()), ConnectMethod::Centres) => self.cost_of_trail(&scratch.trail),
            (Some(()), _) => cost,
        };
        scratch.steps.extract = clock.lap();
        if cost == f32::INFINITY {
            // The file is corrupt, or the path of PCCP exceeds the limit. Another path may be cheaper.
            return self.search_mesh(&mut clock, scratch, observer);
        }
        Outcome::Found { cost }
    }

    /// Reports to which inter-edges start and goal are connected.
    fn observe_connections<O: Observer>(
        &self,
        context: LevelContext<'_>,
        nodes: NodePair,
        scratch: &Scratch,
        observer: &mut O,
    ) {
        if !O::WATCHES {
            return;
        }
        observer.observe(Event::Level(context.level));
        let graph = context.hierarchy.level(context.level);
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

    /// Searches the whole mesh with A*.
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

    /// Returns the context of a level; `None` for level 0, which is the mesh itself.
    fn level_context(&self, level: Level) -> Option<LevelContext<'a>> {
        let hierarchy = self
            .hierarchy
            .expect("the caller checked that there is a hierarchy");
        let metric = self
            .metric
            .expect("the caller checked that it is customized");
        (level > Level(0)).then_some(LevelContext {
            hierarchy,
            metric,
            level,
        })
    }

    /// Chooses the highest level at which start and goal are neither in the same node nor in neighbouring
    /// nodes. Otherwise connecting is expensive and searching gains nothing. Pelechano and Fuentes 2016
    /// name this choice as future work.
    ///
    /// If there are tables, and the connection method is not fixed to another one, only levels with a table
    /// qualify. Otherwise no level above [`MAX_LEVEL_WITHOUT_TABLE`] qualifies.
    fn choose_level(&self, connect: Option<ConnectMethod>) -> Option<(LevelContext<'a>, NodePair)> {
        let top = self
            .hierarchy
            .expect("the caller checked that there is a hierarchy")
            .top();
        let tables = self.metric.map_or(0, Metric::table_count) as u8;
        let max_level = match connect {
            None | Some(ConnectMethod::Table | ConnectMethod::Centres) if tables > 0 => tables,
            _ => MAX_LEVEL_WITHOUT_TABLE,
        };
        (1..=top.0.min(max_level))
            .rev()
            .map(Level)
            .find_map(|level| {
                let context = self.level_context(level)?;
                let nodes = context.nodes(self);
                let graph = context.hierarchy.level(level);
                let meets_goal = |number: u32| {
                    let sides = graph.inter_edge(number).sides;
                    sides.iter().any(|side| side.node == nodes.goal)
                };
                let is_far = nodes.start != nodes.goal
                    && !graph
                        .of_node(nodes.start)
                        .iter()
                        .any(|edge| meets_goal(edge.sample().0));
                is_far.then_some((context, nodes))
            })
    }
}

impl LevelContext<'_> {
    /// Returns the nodes of start and goal at this level.
    fn nodes(&self, search: &Search<'_>) -> NodePair {
        let node = |location: Location| self.hierarchy.node_of(self.level, location.polygon);
        NodePair {
            start: node(search.start),
            goal: node(search.goal),
        }
    }
}

/// A stopwatch that reads the clock only if times are measured.
struct Clock(Option<Instant>);

impl Clock {
    fn start(is_timed: bool) -> Self {
        Self(is_timed.then(Instant::now))
    }

    /// Returns the time since the previous lap; 0 if times are not measured.
    fn lap(&mut self) -> Duration {
        self.0.as_mut().map_or(Duration::ZERO, |last| {
            let now = Instant::now();
            let lap = now - *last;
            *last = now;
            lap
        })
    }
}
