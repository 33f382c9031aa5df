//! Records the vertices that a search visits, by observing the same search that queries use.

use std::collections::HashSet;

use glam::Vec3;
use portolan_core::{
    EngineError, Event, Level, PortalGraph, Query, SampleId, Scratch, Terminal, Tier, World,
};

/// The vertices that a search visited.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The cost of the path; `None` if there is no path.
    pub cost: Option<f32>,
    /// The visited vertices.
    pub visited: Visited,
    /// The tier whose graph the vertices belong to.
    pub tier: Tier,
}

/// The visited vertices by kind of search. If an engine runs several searches, these are those of the last one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Visited {
    /// The vertices that A* or Dijkstra settled, in order.
    Settled(Vec<SampleId>),
    /// The inter-edges and intra-edges that HNA* visited.
    InterEdges {
        /// The level of the search.
        level: Level,
        /// The inter-edges that the start was connected to, and those that the goal was connected to.
        connected: [Vec<SampleId>; 2],
        /// The inter-edges that were settled, in order.
        settled: Vec<SampleId>,
        /// The intra-edges that were examined.
        intra_edges: Vec<[SampleId; 2]>,
    },
    /// The vertices that the contraction or hub labels reached from the start and from the goal.
    Chains {
        /// The vertices reached from the start, in order.
        start: Vec<SampleId>,
        /// The vertices reached from the goal, in order.
        goal: Vec<SampleId>,
        /// The highest vertex of the path, where the searches from start and goal meet. Hub labels do not
        /// report it.
        meeting: Option<SampleId>,
    },
    /// What an exact search saw, from the start and from the goal.
    Sight {
        /// The parts of portals that the start looked through, and those that the goal looked through.
        intervals: [Vec<[Vec3; 2]>; 2],
        /// The corners of obstacles that the start saw along a tangent, and those that the goal saw.
        seen: [Vec<Vec3>; 2],
        /// The corners whose tangents were followed, from either end, in order.
        settled: Vec<Vec3>,
    },
}

impl Trace {
    /// Runs a query and records the vertices that its engine visits.
    pub fn new(world: &World, query: &Query<'_>) -> Result<Self, EngineError> {
        let mut recorder = TraceRecorder::default();
        let mut scratch = Scratch::new();
        let mut observe = |event| recorder.add(event);
        let located = world.locate(query)?;
        let searched = located.search_observed(&mut scratch, &mut observe);
        let (cost, tier) = (searched.cost(), searched.tier());
        Ok(Self {
            cost,
            visited: recorder.visited(),
            tier,
        })
    }

    /// Returns the graph that was searched. The exact tier has none; its trace refers to no vertices.
    pub(super) fn graph<'a>(&self, world: &'a World) -> &'a PortalGraph {
        let tier = world.tier(self.tier);
        tier.map_or(world.graph(), |(graph, _)| graph)
    }

    /// Returns the level that was searched, if HNA* was used.
    pub(super) fn level(&self) -> Option<Level> {
        match self.visited {
            Visited::InterEdges { level, .. } => Some(level),
            _ => None,
        }
    }
}

/// Collects the events of the search that started last.
#[derive(Default)]
struct TraceRecorder {
    kind: SearchKind,
    settled: Vec<SampleId>,
    connected: [Vec<SampleId>; 2],
    intra_edges: Vec<[SampleId; 2]>,
    /// The vertices reached from start and goal. A search over a contraction may climb a chain twice, but each
    /// vertex is recorded once.
    reached: [Vec<SampleId>; 2],
    known: [HashSet<SampleId>; 2],
    meeting: Option<SampleId>,
    intervals: [Vec<[Vec3; 2]>; 2],
    seen: [Vec<Vec3>; 2],
    corners: Vec<Vec3>,
}

#[derive(Default)]
enum SearchKind {
    #[default]
    Mesh,
    Level(Level),
    Chains,
    Exact,
}

impl TraceRecorder {
    fn add(&mut self, event: Event) {
        match event {
            Event::Mesh => self.start(SearchKind::Mesh),
            Event::Level(level) => self.start(SearchKind::Level(level)),
            Event::Chains => self.start(SearchKind::Chains),
            Event::Exact => self.start(SearchKind::Exact),
            Event::Settled(vertex) => self.settled.push(vertex),
            Event::Connected(end, vertex) => self.connected[end as usize].push(vertex),
            Event::IntraEdge(pair) => self.intra_edges.push(pair),
            Event::Climbed(end, vertex) => self.reach(end, vertex),
            Event::Hub(end, vertex) => {
                self.kind = SearchKind::Chains;
                self.reach(end, vertex);
            }
            Event::Meeting(vertex) => self.meeting = Some(vertex),
            Event::Interval(end, interval) => self.intervals[end as usize].push(interval),
            Event::Seen(end, corner) => self.seen[end as usize].push(corner),
            Event::Corner(_, corner) => self.corners.push(corner),
            _ => {}
        }
    }

    fn start(&mut self, kind: SearchKind) {
        *self = Self {
            kind,
            ..Self::default()
        };
    }

    fn reach(&mut self, end: Terminal, vertex: SampleId) {
        if self.known[end as usize].insert(vertex) {
            self.reached[end as usize].push(vertex);
        }
    }

    fn visited(self) -> Visited {
        let [start, goal] = self.reached;
        match self.kind {
            SearchKind::Mesh => Visited::Settled(self.settled),
            SearchKind::Level(level) => Visited::InterEdges {
                level,
                connected: self.connected,
                settled: self.settled,
                intra_edges: self.intra_edges,
            },
            SearchKind::Chains => Visited::Chains {
                start,
                goal,
                meeting: self.meeting,
            },
            SearchKind::Exact => Visited::Sight {
                intervals: self.intervals,
                seen: self.seen,
                settled: self.corners,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use portolan_core::{
        Engine, ExactLimits, ExactMethod, ExactOptions, GraphOptions, NavMesh, NavMeshOptions,
        NodeId, Partition, Profile, Samples, no_progress,
    };
    use portolan_oracle::{LevelsOptions, with_levels};
    use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

    use super::*;

    /// Returns rooms with areas and links, levels with 20 and 100 polygons per node, and two tiers.
    fn world() -> World {
        let raw = WorldScene::Rooms.build(&WorldOptions {
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
            .expect("order is a permutation")
            .with_tier(Tier::Default, graph, taut)
            .expect("the tier fits the world")
    }

    #[test]
    fn observing_does_not_change_costs() {
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
                for engine in world.engines() {
                    let query = Query {
                        engine,
                        costs,
                        ..Query::new(from, to)
                    };
                    let trace = Trace::new(&world, &query).unwrap();
                    let cost = world.locate(&query).unwrap().search(&mut scratch).cost();
                    assert_eq!(trace.cost, cost, "{engine}");
                    found += usize::from(cost.is_some());
                    overlays += usize::from(trace.level().is_some());
                }
            }
        }
        assert!(found > 400 && overlays > 100, "{found}, {overlays}");
    }

    #[test]
    fn chains_are_those_of_the_contraction_and_share_the_meeting_vertex() {
        let world = world();
        for tier in world.tiers() {
            check_chains(&world, tier);
        }
    }

    fn check_chains(world: &World, tier: Tier) {
        let (graph, contraction) = world.tier(tier).unwrap();
        let mut points = RandomPoints::new(world.mesh(), 6);
        for _ in 0..50 {
            let query = Query {
                engine: Engine::Contraction(tier),
                ..Query::new(points.next().unwrap(), points.next().unwrap())
            };
            let ends = world.locate(&query).unwrap().endpoints().unwrap();
            let trace = Trace::new(world, &query).unwrap();
            let Visited::Chains {
                start,
                goal,
                meeting,
            } = trace.visited
            else {
                panic!("expected chains");
            };
            for (chain, end) in [(&start, ends.start), (&goal, ends.goal)] {
                let full_chain: Vec<u32> = contraction.chain(chain[0].0).collect();
                assert!(chain.iter().map(|vertex| vertex.0).eq(full_chain));
                // The chain contains all samples of the polygon.
                let mut exits = graph.samples_of(end.polygon);
                assert!(exits.all(|vertex| chain.contains(&vertex)));
            }
            if let Some(meeting) = meeting {
                assert!(start.contains(&meeting) && goal.contains(&meeting));
            }
        }
    }

    /// Labels look from both ends and settle no corner; a lazy search settles corners.
    #[test]
    fn exact_searches_report_what_both_ends_see() {
        let raw = WorldScene::Rooms.build(&WorldOptions {
            polygons: 600,
            ..WorldOptions::default()
        });
        let world = World::build(raw, &NavMeshOptions::default()).unwrap();
        let options = ExactOptions {
            limits: ExactLimits::NONE,
            auto: false,
        };
        let labels = world.with_exact(options, &no_progress).unwrap();
        assert_eq!(labels.exact_method(), Some(ExactMethod::Labels));
        let lazy = labels.clone().with_lazy_exact();
        let mut points = RandomPoints::new(labels.mesh(), 8);
        let (mut seen_corners, mut settled_corners) = (0, 0);
        for _ in 0..20 {
            let query = Query {
                engine: Engine::Auto(Tier::Exact),
                ..Query::new(points.next().unwrap(), points.next().unwrap())
            };
            for world in [&labels, &lazy] {
                let trace = Trace::new(world, &query).unwrap();
                assert_eq!(trace.tier, Tier::Exact);
                let Visited::Sight { seen, settled, .. } = trace.visited else {
                    panic!("expected what the ends see");
                };
                seen_corners += seen.iter().map(Vec::len).sum::<usize>();
                settled_corners += settled.len();
                let is_lazy = world.exact_method() == Some(ExactMethod::Lazy);
                assert!(is_lazy || settled.is_empty());
            }
        }
        assert!(
            seen_corners > 40 && settled_corners > 20,
            "{seen_corners}, {settled_corners}"
        );
    }

    #[test]
    fn astar_settles_no_more_vertices_than_dijkstra() {
        let world = world();
        let mut points = RandomPoints::new(world.mesh(), 7);
        for _ in 0..20 {
            let (from, to) = (points.next().unwrap(), points.next().unwrap());
            let [astar, dijkstra] = [Engine::AStar, Engine::Dijkstra].map(|engine| {
                let query = Query {
                    engine,
                    ..Query::new(from, to)
                };
                match Trace::new(&world, &query).unwrap().visited {
                    Visited::Settled(settled) => settled,
                    _ => panic!("expected settled vertices"),
                }
            });
            let all: HashSet<SampleId> = dijkstra.iter().copied().collect();
            assert_eq!(all.len(), dijkstra.len(), "a vertex is settled twice");
            assert!(astar.len() <= dijkstra.len());
        }
    }
}
