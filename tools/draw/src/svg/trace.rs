//! What a search looks at, found out by searching once more.
//!
//! The engines keep no record of it: they would be slower for it. So the searches stand here again,
//! plainly, over the same graph by the same rules. Their costs are the engines'.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use portolan_core::contraction::{Bounds, ContractionScratch};
use portolan_core::geometry::distance;
use portolan_core::graph::Side;
use portolan_core::hierarchy::InterEdge;
use portolan_core::{
    Costs, Ends, Engine, Level, Location, NodeId, PolygonId, PortalGraph, Query, SampleId, Tier,
    World,
};

/// What a search looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What its path costs; none where there is none.
    pub cost: Option<f32>,
    /// What was looked at.
    pub seen: Seen,
    /// The tier whose graph these are vertices of.
    pub tier: Tier,
}

/// Vertices of the graph, by engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Seen {
    /// A* and Dijkstra: those that were settled, in order.
    Settled(Vec<SampleId>),
    /// HNA*.
    InterEdges {
        /// The level.
        level: Level,
        /// Those that the start was connected to, and those that the goal was.
        connected: [Vec<SampleId>; 2],
        /// Those that were settled, in order.
        settled: Vec<SampleId>,
        /// The intra-edges that were looked at.
        intra_edges: Vec<[SampleId; 2]>,
    },
    /// The contraction: the chains of start and goal, from the lowest vertex to the root.
    Chains {
        /// The start's.
        start: Vec<SampleId>,
        /// The goal's.
        goal: Vec<SampleId>,
        /// The highest vertex of the way, where it changes from one to the other.
        meeting: Option<SampleId>,
    },
}

impl Trace {
    /// Searches as the engine of a query does, which has no limits. `None` for engines that cannot be
    /// shown: only A*, Dijkstra, the contraction, and HNA* at a level that is named can.
    ///
    /// # Panics
    /// When the engine cannot run on this world, or costs or ends are of another.
    pub fn new(world: &World, query: &Query<'_>, ends: &Ends) -> Option<Self> {
        let replay = Replay::new(world, query, ends);
        Some(match query.engine {
            Engine::AStar => replay.settle(true),
            Engine::Dijkstra => replay.settle(false),
            Engine::Contraction(_) => replay.chains(),
            Engine::Hna {
                level: Some(level), ..
            } => replay.over_inter_edges(level),
            _ => return None,
        })
    }

    /// The graph that was searched.
    pub(super) fn graph<'a>(&self, world: &'a World) -> &'a PortalGraph {
        graph_of(world, self.tier)
    }

    /// The level that was searched, if one was.
    pub(super) fn level(&self) -> Option<Level> {
        match self.seen {
            Seen::InterEdges { level, .. } => Some(level),
            _ => None,
        }
    }
}

fn graph_of(world: &World, tier: Tier) -> &PortalGraph {
    world.tier(tier).map_or(world.graph(), |(graph, _)| graph)
}

struct Replay<'a> {
    world: &'a World,
    tier: Tier,
    graph: &'a PortalGraph,
    costs: &'a Costs,
    start: Location,
    goal: Location,
}

/// Vertices by cost, the least first, then by number.
#[derive(Default)]
struct Queue(BinaryHeap<Reverse<(u32, SampleId)>>);

impl Queue {
    fn push(&mut self, key: f32, vertex: SampleId) {
        // Costs are not negative, and their bits order as they do.
        self.0.push(Reverse((key.to_bits(), vertex)));
    }

    fn pop(&mut self) -> Option<(f32, SampleId)> {
        let Reverse((key, vertex)) = self.0.pop()?;
        Some((f32::from_bits(key), vertex))
    }
}

/// What is known of a vertex.
#[derive(Clone, Copy)]
struct Known {
    cost: f32,
    through: Side,
    is_settled: bool,
}

impl<'a> Replay<'a> {
    fn new(world: &'a World, query: &Query<'a>, ends: &Ends) -> Self {
        let tier = query.engine.tier();
        let graph = graph_of(world, tier);
        Self {
            world,
            tier,
            graph,
            costs: query.costs.unwrap_or(world.default_costs()),
            start: graph.stand(ends.start),
            goal: graph.stand(ends.goal),
        }
    }

    fn trace(&self, cost: Option<f32>, seen: Seen) -> Trace {
        let tier = self.tier;
        Trace { cost, seen, tier }
    }

    /// Components apart are answered without a search.
    fn are_joined(&self) -> bool {
        let components = self.world.mesh().components();
        components.of(self.start.polygon) == components.of(self.goal.polygon)
    }

    fn factor(&self, polygon: PolygonId) -> f32 {
        self.costs.factor(self.world.mesh(), polygon)
    }

    /// The vertices of a place's polygon, and what it costs between them and the place.
    fn legs(&self, place: Location) -> impl Iterator<Item = (SampleId, f32)> + Clone {
        let (graph, factor) = (self.graph, self.factor(place.polygon));
        let vertices = graph.samples_of(place.polygon);
        let legs = vertices.map(move |vertex| {
            let leg = distance(place.point, graph.position(vertex));
            (vertex, leg * factor)
        });
        legs.filter(|leg| leg.1 < f32::INFINITY)
    }

    /// The straight line, where start and goal share a polygon.
    fn straight(&self) -> f32 {
        match self.start.polygon == self.goal.polygon {
            true => distance(self.start.point, self.goal.point) * self.factor(self.goal.polygon),
            false => f32::INFINITY,
        }
    }

    /// A*, which goes on from a vertex on its far side only, or Dijkstra's algorithm, which follows all
    /// arcs.
    fn settle(&self, is_astar: bool) -> Trace {
        let (mesh, graph) = (self.world.mesh(), self.graph);
        let scale = if is_astar {
            self.costs.heuristic_scale()
        } else {
            0.0
        };
        let key =
            |vertex, cost: f32| cost + distance(graph.position(vertex), self.goal.point) * scale;
        let last_legs: HashMap<SampleId, f32> = self.legs(self.goal).collect();
        let (mut known, mut queue) = (HashMap::new(), Queue::default());
        let (mut best, mut settled) = (self.straight(), Vec::new());
        if self.are_joined() {
            for (vertex, cost) in self.legs(self.start) {
                let through = Side::Polygon(self.start.polygon);
                reach(&mut known, vertex, cost, through);
                queue.push(key(vertex, cost), vertex);
            }
        }
        while let Some((least, vertex)) = queue.pop() {
            if least >= best {
                break;
            }
            let label: &mut Known = known.get_mut(&vertex).expect("it was reached");
            if std::mem::replace(&mut label.is_settled, true) {
                continue;
            }
            let Known { cost, through, .. } = *label;
            settled.push(vertex);
            if let Some(leg) = last_legs.get(&vertex) {
                best = best.min(cost + leg);
            }
            graph.for_each_arc(mesh, self.costs, vertex, |to, arc, side| {
                let is_back = is_astar && side == through;
                if !is_back && reach(&mut known, to, cost + arc, side) {
                    queue.push(key(to, cost + arc), to);
                }
            });
        }
        self.trace(finite(best), Seen::Settled(settled))
    }

    /// HNA*: from the inter-edges of the start's node to those of the goal's. Where they share one, the
    /// whole mesh is searched.
    fn over_inter_edges(&self, level: Level) -> Trace {
        let hierarchy = self.world.hierarchy().expect("a world with a hierarchy");
        let metric = self.costs.metric().expect("costs for a hierarchy");
        let node = |place: Location| hierarchy.partition().node_of(level, place.polygon.index());
        let [first, last] = [self.start, self.goal].map(node);
        if level == Level(0) || first == last || !self.are_joined() {
            return self.settle(true);
        }
        let edges_of = |node| hierarchy.level(level).inter_edges_of(node);
        let vertices = |node| edges_of(node).map(|edge| edge.vertex).collect();
        let edge_of: HashMap<SampleId, &InterEdge> = [first, last]
            .iter()
            .flat_map(|&node| edges_of(node))
            .chain(hierarchy.level(level).inter_edges())
            .map(|edge| (edge.vertex, edge))
            .collect();
        let far = |edge: &InterEdge, node: NodeId| match edge.ends[0].node == node {
            true => edge.ends[1].node,
            false => edge.ends[0].node,
        };
        let scale = self.costs.heuristic_scale();
        let key = |vertex, cost: f32| {
            let position = self.graph.position(vertex);
            cost + distance(position, self.goal.point) * scale
        };
        // Per vertex the cost, and the node that lies beyond it.
        let mut known: HashMap<SampleId, (f32, NodeId)> = HashMap::new();
        let mut queue = Queue::default();
        let from_start = self.inside(level, first, self.legs(self.start));
        for edge in edges_of(first) {
            if let Some(&cost) = from_start.get(&edge.vertex) {
                known.insert(edge.vertex, (cost, far(edge, first)));
                queue.push(key(edge.vertex, cost), edge.vertex);
            }
        }
        let last_legs: HashMap<SampleId, f32> = self.legs(self.goal).collect();
        let to_goal = |vertex: SampleId| {
            let costs = self.inside(level, last, std::iter::once((vertex, 0.0)));
            let ways = last_legs
                .iter()
                .filter_map(|(end, leg)| Some(costs.get(end)? + leg));
            ways.fold(f32::INFINITY, f32::min)
        };
        let (mut best, mut settled, mut intra_edges) = (f32::INFINITY, Vec::new(), Vec::new());
        while let Some((least, vertex)) = queue.pop() {
            let (cost, node) = known[&vertex];
            if least > best {
                break;
            }
            if least != key(vertex, cost) || settled.contains(&vertex) {
                continue;
            }
            settled.push(vertex);
            if node == last {
                best = best.min(cost + to_goal(vertex));
            }
            let ways = metric.intra_edges(hierarchy, level, node);
            for ([_, to], arc) in ways.filter(|([from, _], _)| from.vertex == vertex) {
                intra_edges.push([vertex, to.vertex]);
                let cost = cost + arc;
                if known.get(&to.vertex).is_none_or(|known| cost < known.0) {
                    known.insert(to.vertex, (cost, far(edge_of[&to.vertex], node)));
                    queue.push(key(to.vertex, cost), to.vertex);
                }
            }
        }
        let seen = Seen::InterEdges {
            level,
            connected: [vertices(first), vertices(last)],
            settled,
            intra_edges,
        };
        self.trace(finite(best), seen)
    }

    /// What it costs from some vertices to all others of a node, without leaving it.
    fn inside(
        &self,
        level: Level,
        node: NodeId,
        starts: impl Iterator<Item = (SampleId, f32)>,
    ) -> HashMap<SampleId, f32> {
        let (mesh, graph) = (self.world.mesh(), self.graph);
        let hierarchy = self.world.hierarchy().expect("a world with a hierarchy");
        let is_inside = |side| {
            let cell = match side {
                Side::Polygon(polygon) => polygon.index(),
                Side::Link(link, _) => mesh.polygon_count() + link.index(),
            };
            hierarchy.partition().node_of(level, cell) == node
        };
        let (mut known, mut queue) = (HashMap::new(), Queue::default());
        for (vertex, cost) in starts {
            if known.get(&vertex).is_none_or(|&known| cost < known) {
                known.insert(vertex, cost);
                queue.push(cost, vertex);
            }
        }
        while let Some((cost, vertex)) = queue.pop() {
            if cost > known[&vertex] {
                continue;
            }
            graph.for_each_arc(mesh, self.costs, vertex, |to, arc, side| {
                let cost = cost + arc;
                if is_inside(side) && known.get(&to).is_none_or(|&known| cost < known) {
                    known.insert(to, cost);
                    queue.push(cost, to);
                }
            });
        }
        known
    }

    /// The contraction: a polygon's vertices lie on one chain, that of the lowest of them.
    fn chains(&self) -> Trace {
        let tier = self.world.tier(self.tier);
        let (_, contraction) = tier.expect("a world with the tier");
        let shortcuts = self.costs.shortcuts(self.tier).expect("costs for it");
        let straight = self.straight();
        let chain = |place: Location| -> Vec<SampleId> {
            let chains = self.legs(place).map(|(vertex, _)| {
                let chain = contraction.chain(vertex.0).map(SampleId);
                chain.collect::<Vec<_>>()
            });
            chains.max_by_key(Vec::len).unwrap_or_default()
        };
        if !self.are_joined() {
            let seen = Seen::Chains {
                start: Vec::new(),
                goal: Vec::new(),
                meeting: None,
            };
            return self.trace(None, seen);
        }
        let (start, goal) = (chain(self.start), chain(self.goal));
        let mut way = Vec::new();
        let [starts, goals] =
            [self.start, self.goal].map(|place| self.legs(place).map(|(v, cost)| (v.0, cost)));
        let found = shortcuts.search(
            contraction,
            starts,
            goals,
            Bounds::most(straight),
            &mut ContractionScratch::default(),
            |vertex| way.push(SampleId(vertex)),
        );
        // What a shortcut stands for lies below both its ends.
        let turns = |vertex: &&SampleId| way.contains(vertex);
        let cost = finite(found.unwrap_or(straight));
        let meeting = start.iter().rev().find(turns).copied();
        let seen = Seen::Chains {
            start,
            goal,
            meeting: meeting.filter(|_| found.is_some_and(|cost| cost < straight)),
        };
        self.trace(cost, seen)
    }
}

/// Notes a cheaper way to a vertex.
fn reach(known: &mut HashMap<SampleId, Known>, to: SampleId, cost: f32, through: Side) -> bool {
    let is_better = known.get(&to).is_none_or(|known| cost < known.cost);
    if is_better {
        let is_settled = false;
        known.insert(
            to,
            Known {
                cost,
                through,
                is_settled,
            },
        );
    }
    is_better
}

fn finite(cost: f32) -> Option<f32> {
    Some(cost).filter(|&cost| cost < f32::INFINITY)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use portolan_core::{
        GraphOptions, NavMesh, NavMeshOptions, Outcome, Partition, Profile, Samples, Scratch,
    };
    use portolan_oracle::{LevelsOptions, with_levels};
    use portolan_scenes::worlds::{RandomPoints, WorldOptions, rooms};

    use super::*;

    /// Rooms with areas and links, levels of 20 and 100 polygons a node, and two tiers.
    fn world() -> World {
        let raw = rooms(&WorldOptions {
            polygons: 600,
            areas: true,
            links: true,
            ..WorldOptions::default()
        });
        let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
        let cells = mesh.polygon_count();
        let level = |size: usize| (0..cells).map(|cell| NodeId::new(cell / size)).collect();
        let partition = Partition::new(cells, vec![level(20), level(100)]).unwrap();
        let world = with_levels(mesh, partition, &LevelsOptions::default());
        let order = |graph: &PortalGraph| (0..graph.sample_count() as u32).collect();
        let samples = Samples::ByLength { percentile: 80 };
        let options = GraphOptions {
            samples,
            ..GraphOptions::default()
        };
        let (fast, graph) = (
            order(world.graph()),
            PortalGraph::new(world.mesh(), &options),
        );
        let taut = order(&graph);
        world
            .with_contraction(fast)
            .expect("an order")
            .with_tier(Tier::Default, graph, taut)
            .expect("a tier")
    }

    fn hna(level: u8) -> Engine {
        Engine::Hna {
            level: Some(Level(level)),
            connect: None,
        }
    }

    #[test]
    fn what_is_shown_costs_what_the_engine_finds() {
        let world = world();
        let mut profile = Profile::default();
        profile.set_factor(1, 2.5).unwrap();
        profile.forbid(2);
        let other = world.costs(&profile);
        let mut scratch = Scratch::new();
        let mut points = RandomPoints::new(world.mesh(), 5);
        let (mut found, mut overlays) = (0, 0);
        for _ in 0..60 {
            let (from, to) = (points.next().unwrap(), points.next().unwrap());
            for costs in [None, Some(&other)] {
                let engines = [
                    Engine::AStar,
                    Engine::Dijkstra,
                    Engine::Contraction(Tier::Fast),
                    Engine::Contraction(Tier::Default),
                    hna(1),
                    hna(2),
                ];
                for engine in engines {
                    let query = Query {
                        engine,
                        costs,
                        ..Query::new(from, to)
                    };
                    let Ok(ends) = world.locate(&query) else {
                        continue;
                    };
                    let trace = Trace::new(&world, &query, &ends).unwrap();
                    match world.search(&query, &ends, &mut scratch) {
                        Outcome::Found { cost } => {
                            let shown = trace.cost.unwrap();
                            assert!((shown - cost).abs() <= 1e-4 * cost, "{engine}");
                            found += 1;
                        }
                        _ => assert_eq!(trace.cost, None, "{engine}"),
                    }
                    overlays += usize::from(trace.level().is_some());
                }
            }
        }
        assert!(found > 400 && overlays > 100, "{found}, {overlays}");
    }

    #[test]
    fn chains_are_those_of_the_contraction_and_the_way_turns_on_both() {
        let world = world();
        for tier in world.tiers() {
            chains_of(&world, tier);
        }
    }

    fn chains_of(world: &World, tier: Tier) {
        let (graph, contraction) = world.tier(tier).unwrap();
        let mut points = RandomPoints::new(world.mesh(), 6);
        for _ in 0..50 {
            let query = Query {
                engine: Engine::Contraction(tier),
                ..Query::new(points.next().unwrap(), points.next().unwrap())
            };
            let ends = world.locate(&query).unwrap();
            let trace = Trace::new(world, &query, &ends).unwrap();
            let Seen::Chains {
                start,
                goal,
                meeting,
            } = trace.seen
            else {
                panic!("not chains");
            };
            for (chain, place) in [(&start, ends.start), (&goal, ends.goal)] {
                let whole: Vec<u32> = contraction.chain(chain[0].0).collect();
                assert!(chain.iter().map(|vertex| vertex.0).eq(whole));
                // All by which one leaves the polygon.
                let mut exits = graph.samples_of(place.polygon);
                assert!(exits.all(|vertex| chain.contains(&vertex)));
            }
            if let Some(meeting) = meeting {
                assert!(start.contains(&meeting) && goal.contains(&meeting));
            }
        }
    }

    #[test]
    fn astar_settles_a_part_of_what_dijkstra_does() {
        let world = world();
        let mut points = RandomPoints::new(world.mesh(), 7);
        for _ in 0..20 {
            let (from, to) = (points.next().unwrap(), points.next().unwrap());
            let [astar, dijkstra] = [Engine::AStar, Engine::Dijkstra].map(|engine| {
                let query = Query {
                    engine,
                    ..Query::new(from, to)
                };
                let ends = world.locate(&query).unwrap();
                match Trace::new(&world, &query, &ends).unwrap().seen {
                    Seen::Settled(settled) => settled,
                    _ => panic!("not settled"),
                }
            });
            let all: HashSet<SampleId> = dijkstra.iter().copied().collect();
            assert_eq!(all.len(), dijkstra.len(), "one is settled twice");
            assert!(astar.len() <= dijkstra.len());
        }
    }

    #[test]
    fn engines_that_cannot_be_shown() {
        let world = world();
        let mut points = RandomPoints::new(world.mesh(), 8);
        let (from, to) = (points.next().unwrap(), points.next().unwrap());
        let any_level = Engine::Hna {
            level: None,
            connect: None,
        };
        for engine in [Engine::Auto(Tier::Fast), Engine::Closest, any_level] {
            let query = Query {
                engine,
                ..Query::new(from, to)
            };
            let ends = world.locate(&query).unwrap();
            assert_eq!(Trace::new(&world, &query, &ends), None);
        }
    }
}
