//! What a search looks at, collected by watching the production search.

use std::collections::HashSet;

use portolan_core::{
    EngineError, Event, Level, PortalGraph, Query, SampleId, Scratch, Terminal, Tier, World,
};

/// What a search looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What its path costs; `None` where there is no path.
    pub cost: Option<f32>,
    /// What was looked at.
    pub seen: Seen,
    /// The tier whose graph these are vertices of.
    pub tier: Tier,
}

/// Vertices of the graph, by kind of search. Where an engine tries one kind after the other, the last one
/// is shown.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Seen {
    /// A* and Dijkstra: the vertices that were settled, in order.
    Settled(Vec<SampleId>),
    /// HNA*.
    InterEdges {
        /// The level.
        level: Level,
        /// The inter-edges that the start was connected to, and those that the goal was.
        connected: [Vec<SampleId>; 2],
        /// The inter-edges that were settled, in order.
        settled: Vec<SampleId>,
        /// The intra-edges that were looked at.
        intra_edges: Vec<[SampleId; 2]>,
    },
    /// The contraction and hub labels: the vertices that were reached from the start and from the goal, in
    /// order.
    Chains {
        /// From the start.
        start: Vec<SampleId>,
        /// From the goal.
        goal: Vec<SampleId>,
        /// The highest vertex of the path, where the climb from the start ends. Hub labels do not tell.
        meeting: Option<SampleId>,
    },
}

impl Trace {
    /// Runs a query and records what its engine looks at.
    pub fn new(world: &World, query: &Query<'_>) -> Result<Self, EngineError> {
        let mut record = Record::default();
        let mut scratch = Scratch::new();
        let mut watch = |event| record.add(event);
        let located = world.locate(query)?;
        let searched = located.search_observed(&mut scratch, &mut watch);
        let (cost, tier) = (searched.cost(), searched.tier());
        Ok(Self {
            cost,
            seen: record.seen(),
            tier,
        })
    }

    /// The graph that was searched.
    pub(super) fn graph<'a>(&self, world: &'a World) -> &'a PortalGraph {
        let tier = world.tier(self.tier);
        tier.map_or(world.graph(), |(graph, _)| graph)
    }

    /// The level that was searched, if one was.
    pub(super) fn level(&self) -> Option<Level> {
        match self.seen {
            Seen::InterEdges { level, .. } => Some(level),
            _ => None,
        }
    }
}

/// The events of the search that began last.
#[derive(Default)]
struct Record {
    kind: Kind,
    settled: Vec<SampleId>,
    connected: [Vec<SampleId>; 2],
    intra_edges: Vec<[SampleId; 2]>,
    /// A search over a contraction may climb twice; each vertex is recorded once.
    reached: [Vec<SampleId>; 2],
    known: [HashSet<SampleId>; 2],
    meeting: Option<SampleId>,
}

#[derive(Default)]
enum Kind {
    #[default]
    Mesh,
    Level(Level),
    Chains,
}

impl Record {
    fn add(&mut self, event: Event) {
        match event {
            Event::Mesh => self.begin(Kind::Mesh),
            Event::Level(level) => self.begin(Kind::Level(level)),
            Event::Chains => self.begin(Kind::Chains),
            Event::Settled(vertex) => self.settled.push(vertex),
            Event::Connected(end, vertex) => self.connected[end as usize].push(vertex),
            Event::IntraEdge(pair) => self.intra_edges.push(pair),
            Event::Climbed(end, vertex) => self.reach(end, vertex),
            Event::Hub(end, vertex) => {
                self.kind = Kind::Chains;
                self.reach(end, vertex);
            }
            Event::Meeting(vertex) => self.meeting = Some(vertex),
            _ => {}
        }
    }

    fn begin(&mut self, kind: Kind) {
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

    fn seen(self) -> Seen {
        let [start, goal] = self.reached;
        match self.kind {
            Kind::Mesh => Seen::Settled(self.settled),
            Kind::Level(level) => Seen::InterEdges {
                level,
                connected: self.connected,
                settled: self.settled,
                intra_edges: self.intra_edges,
            },
            Kind::Chains => Seen::Chains {
                start,
                goal,
                meeting: self.meeting,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use portolan_core::{
        Engine, GraphOptions, NavMesh, NavMeshOptions, NodeId, Partition, Profile, Samples,
    };
    use portolan_oracle::{LevelsOptions, with_levels};
    use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

    use super::*;

    /// Rooms with areas and links, levels of 20 and 100 polygons a node, and two tiers.
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
            .expect("an order")
            .with_tier(Tier::Default, graph, taut)
            .expect("a tier")
    }

    #[test]
    fn watching_changes_no_answer() {
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
            let ends = world.locate(&query).unwrap().endpoints().unwrap();
            let trace = Trace::new(world, &query).unwrap();
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
                match Trace::new(&world, &query).unwrap().seen {
                    Seen::Settled(settled) => settled,
                    _ => panic!("not settled"),
                }
            });
            let all: HashSet<SampleId> = dijkstra.iter().copied().collect();
            assert_eq!(all.len(), dijkstra.len(), "one is settled twice");
            assert!(astar.len() <= dijkstra.len());
        }
    }
}
