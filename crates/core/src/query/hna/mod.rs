//! HNA*: find the nodes of start and goal, connect both to the inter-edges of their nodes, search over
//! inter-edges, and unpack the path below them.
//!
//! Pelechano and Fuentes 2016 insert start and goal into the graph and remove them after the search. Here
//! the graph stays unchanged: the connections of start and goal are stored in the scratch.

mod connect;
mod extract;
mod local;
mod overlay;
mod workers;

pub(super) use connect::NodeConnection;
pub(super) use workers::Workers;

use std::time::{Duration, Instant};

use super::partial::{MeshSearch, NearestReached};
use super::{Connect, Engine, Event, Observer, Outcome, Scratch, Search};
use crate::hierarchy::{Hierarchy, Metric, OverlayPath};
use crate::ids::{Level, NodeId, SampleId, Terminal};
use crate::navmesh::Location;
use crate::search::{Pace, Unlimited};

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
pub(super) struct LevelContext<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) metric: &'a Metric,
    pub(super) level: Level,
}

/// The nodes of start and goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePair {
    pub(super) start: NodeId,
    pub(super) goal: NodeId,
}

/// The state of an HNA* search between two expansions. Labels, heap and connections are in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) enum HnaSearch {
    /// Over inter-edges.
    Level(LevelSearch),
    /// Over the whole mesh, with A*.
    Mesh(MeshSearch),
}

/// The state of a search over the inter-edges of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelSearch {
    pub(super) level: Level,
    pub(super) nodes: NodePair,
    connect: ConnectMethod,
    path: OverlayPath,
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
        let mut state = self.begin_hna(level, connect, scratch, observer);
        let outcome = self.resume_hna(&mut state, &mut Unlimited, scratch, observer);
        outcome.expect("nothing pauses the search")
    }

    /// Steps 1 and 2 of HNA*, and the beginning of step 3.
    pub(super) fn begin_hna(
        &self,
        level: Option<Level>,
        connect: Option<ConnectMethod>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> HnaSearch {
        let Some(mut search) = self.begin_level(level, connect, scratch, observer) else {
            // Start and goal share a node, or the level is 0: the published method searches the whole mesh.
            return HnaSearch::Mesh(self.begin_astar(scratch, observer));
        };
        self.begin_overlay(&mut search, scratch);
        HnaSearch::Level(search)
    }

    /// Steps 1 and 2 of HNA*: finds the nodes of start and goal, and connects both to the inter-edges of their
    /// nodes. Returns `None` if the whole mesh has to be searched.
    pub(super) fn begin_level(
        &self,
        level: Option<Level>,
        connect: Option<ConnectMethod>,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<LevelSearch> {
        let mut clock = Clock::start(scratch.is_timed);
        scratch.steps = StepTimes::default();
        // 1. Find the nodes of start and goal.
        let found = self.find_level(level, connect);
        scratch.steps.nodes = clock.lap();
        let (context, nodes) = found?;
        // 2. Connect both to the inter-edges of their nodes.
        let connect = connect.unwrap_or(match context.metric.table(context.level) {
            Some(_) => ConnectMethod::Table,
            None => ConnectMethod::Dijkstra,
        });
        self.connect(context, nodes, connect, scratch);
        self.observe_connections(context, nodes, scratch, observer);
        scratch.steps.connect = clock.lap();
        // A path between centres can cost more than the path between start and goal, so PCCP cannot apply
        // the cost limit to the search over inter-edges.
        let max_cost = match connect {
            ConnectMethod::Centres => f32::INFINITY,
            _ => self.limits.max_cost,
        };
        Some(LevelSearch {
            level: context.level,
            nodes,
            connect,
            path: OverlayPath {
                cost: max_cost,
                last: None,
            },
        })
    }

    /// Returns the level that an engine searches; `None` if it searches the whole mesh.
    pub(crate) fn searched_level(&self, engine: Engine) -> Option<Level> {
        let (level, connect) = match engine {
            Engine::Hna { level, connect } => (level, connect.map(ConnectMethod::from)),
            Engine::Pccp { level } => (level, Some(ConnectMethod::Centres)),
            _ => return None,
        };
        self.find_level(level, connect)
            .map(|(context, _)| context.level)
    }

    /// Step 1 of HNA*: finds the level and the nodes of start and goal. Returns `None` if the whole mesh has to be
    /// searched.
    fn find_level(
        &self,
        level: Option<Level>,
        connect: Option<ConnectMethod>,
    ) -> Option<(LevelContext<'a>, NodePair)> {
        match level {
            Some(level) => self.level_context(level).and_then(|context| {
                let nodes = context.nodes(self);
                (nodes.start != nodes.goal).then_some((context, nodes))
            }),
            None => self.choose_level(connect),
        }
    }

    /// Steps 3 and 4 of HNA*: continues the search where it paused. Returns `None` if it pauses again.
    pub(super) fn resume_hna(
        &self,
        state: &mut HnaSearch,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let mut clock = Clock::start(scratch.is_timed);
        if let HnaSearch::Level(level) = state {
            // 3. Search over inter-edges.
            let has_ended = self.resume_overlay(level, pace, scratch, observer);
            scratch.steps.search += clock.lap();
            if !has_ended {
                return None;
            }
            // 4. Extract the vertices below them.
            let outcome = self.level_outcome(level, scratch);
            scratch.steps.extract += clock.lap();
            match outcome {
                Some(outcome) => return Some(outcome),
                None => *state = HnaSearch::Mesh(self.begin_astar(scratch, observer)),
            }
        }
        let HnaSearch::Mesh(mesh) = state else {
            unreachable!("a search of a level has returned or continues on the mesh")
        };
        let outcome = self.resume_astar(mesh, pace, scratch, observer);
        scratch.steps.search += clock.lap();
        outcome
    }

    /// Returns the outcome of a search over inter-edges that has ended; `None` if the mesh has to be searched.
    fn level_outcome(&self, state: &LevelSearch, scratch: &mut Scratch) -> Option<Outcome> {
        let Some(last) = state.path.last else {
            // A partial path needs a search of the mesh.
            return (!self.limits.partial).then_some(Outcome::NoPath);
        };
        let extracted = self.extract(state, last, scratch);
        let cost = match (extracted, state.connect) {
            (None, _) => f32::INFINITY,
            (Some(()), ConnectMethod::Centres) => self.cost_of_trail(&scratch.trail),
            (Some(()), _) => state.path.cost,
        };
        // If the cost is infinite, the file is corrupt, or the path of PCCP exceeds the limit. Another path may
        // be cheaper.
        (cost < f32::INFINITY).then_some(Outcome::Found { cost })
    }

    /// Returns the best path of a search that pauses, as [`MeshSearch::outcome`] does.
    pub(super) fn hna_so_far(&self, state: &HnaSearch, scratch: &mut Scratch) -> Outcome {
        let level = match state {
            HnaSearch::Mesh(mesh) => return mesh.outcome(self, scratch),
            HnaSearch::Level(level) => level,
        };
        if level.path.last.is_some()
            && let Some(found) = self.level_outcome(level, scratch)
        {
            return found;
        }
        if !self.limits.partial {
            return Outcome::NoPath;
        }
        match self.nearest_inter_edge(level, scratch) {
            Some(partial @ Outcome::Partial { .. }) => partial,
            // Staying at the start is always possible.
            _ => MeshSearch::new(self).outcome(self, scratch),
        }
    }

    /// Returns a path over the inter-edge that is nearest to the goal, among those that the search has
    /// reached; `None` if that is not nearer than the start, or if the file is corrupt.
    fn nearest_inter_edge(&self, state: &LevelSearch, scratch: &mut Scratch) -> Option<Outcome> {
        let context = self.context_of(state);
        let graph = context.hierarchy.level(context.level);
        let mut nearest = NearestReached::new(self);
        let mut number = None;
        for (edge, reached) in graph.inter_edges().iter().zip((0..).map(SampleId)) {
            let cost = scratch.labels.cost(reached);
            if cost < f32::INFINITY && nearest.consider(self, edge.vertex, cost) {
                number = Some(reached.0);
            }
        }
        self.extract_from_start(state, number?, scratch)?;
        if state.connect == ConnectMethod::Centres {
            nearest.set_cost(self.cost_along(&scratch.trail));
        }
        Some(nearest.outcome(self))
    }

    /// Returns the context of the level that is searched.
    pub(super) fn context_of(&self, state: &LevelSearch) -> LevelContext<'a> {
        let context = self.level_context(state.level);
        context.expect("a search of level 0 is a search of the mesh")
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
    /// qualify. Otherwise, and for HNA* where a change at run time has made a table out of date, no level above
    /// [`MAX_LEVEL_WITHOUT_TABLE`] qualifies.
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
                let is_cheap = level.0 <= MAX_LEVEL_WITHOUT_TABLE
                    || connect == Some(ConnectMethod::Centres)
                    || [nodes.start, nodes.goal]
                        .iter()
                        .all(|&node| !context.metric.has_changed(level, node));
                (is_far && is_cheap).then_some((context, nodes))
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
