//! Times every level and every connecting method at one merge factor.

use portolan_core::{Connect, Engine, Level, LevelStatistics, Stage, World};
use portolan_measure::{mean, thousandths};

use super::{IndexSettings, SceneBench, stages_ms};
use crate::ReportError;
use crate::measure::{EngineTimes, LocatedQueries};
use crate::model::{EngineCell, GridCell, LevelCell, Probe};

/// The name of PCCP among the connecting methods.
pub(crate) const PCCP: &str = "pccp";

/// The connecting methods, in the order of the table columns.
pub(crate) const METHODS: [&str; 5] = ["astar", "parallel", "dijkstra", "table", PCCP];

/// Returns the engine of a connecting method and a level.
pub(crate) fn engine(method: &str, level: Level) -> Engine {
    let level = Some(level);
    let connect = match method {
        "astar" => Connect::AStar,
        "parallel" => Connect::Parallel,
        "dijkstra" => Connect::Dijkstra,
        "table" => Connect::Table,
        _ => return Engine::Pccp { level },
    };
    Engine::Hna {
        level,
        connect: Some(connect),
    }
}

impl SceneBench<'_> {
    pub(super) fn grid(&self, mu: u32) -> Result<GridCell, ReportError> {
        let world = self.world(IndexSettings::new(mu, self.max_levels()))?;
        let located = LocatedQueries::new(&world, &self.queries);
        let levels: Vec<Level> = hierarchy(&world).partition().levels().collect();
        let mut engines = vec![Engine::AStar, Engine::Closest];
        for &level in &levels {
            engines.extend(METHODS.map(|method| engine(method, level)));
        }
        let times = located.measure(&engines, self.effort);
        let (astar, closest, rest) = (&times[0], &times[1], &times[2..]);
        let (locate_us, waypoints_us) = located.location_and_waypoint_us();
        let statistics = hierarchy(&world).partition().statistics(world.mesh());
        let levels = levels
            .iter()
            .zip(&statistics)
            .zip(rest.chunks(METHODS.len()));
        let levels = levels.map(|((&level, statistics), times)| {
            let nodes = nodes(&located, level);
            let portals = nodes.iter().map(|(start, goal)| (start.1 + goal.1) as f64);
            let probe = nodes.first();
            LevelCell {
                level: level.0,
                nodes: statistics.nodes,
                islands: statistics.without_edges,
                balance: thousandths(statistics.balance()),
                inter_edges_mean: thousandths(inter_edges_mean(statistics)),
                inter_edges_max: statistics.inter_edges.max,
                published_bound: statistics.published_bound(mu),
                bound: statistics.bound,
                same_node: nodes.iter().filter(|(s, g)| s.0 == g.0).count(),
                probe: Probe {
                    portals_start: probe.map_or(0, |(start, _)| start.1),
                    portals_goal: probe.map_or(0, |(_, goal)| goal.1),
                    connect_us: times[0].connect_us(0),
                },
                portals_mean: thousandths(mean(portals)),
                engines: METHODS
                    .iter()
                    .zip(times)
                    .map(|(method, times)| cell(method, times, astar))
                    .collect(),
            }
        });
        Ok(GridCell {
            scene: self.scene(),
            mu,
            partition_ms: thousandths(stages_ms(&world, &[Stage::Partition])),
            index_ms: thousandths(stages_ms(
                &world,
                &[Stage::Graph, Stage::Hierarchy, Stage::Tables],
            )),
            astar: astar.timing(),
            closest: closest.timing(),
            locate_us,
            waypoints_us,
            levels: levels.collect(),
        })
    }
}

/// Returns the mean number of inter-edges per node, without islands, which the papers remove.
pub(super) fn inter_edges_mean(level: &LevelStatistics) -> f64 {
    let connected = level.nodes - level.without_edges;
    2.0 * level.edge_cut as f64 / connected.max(1) as f64
}

fn hierarchy(world: &World) -> &portolan_core::Hierarchy {
    world.hierarchy().expect("a world with a hierarchy")
}

/// Returns, per query, the index and the number of inter-edges of the start's node and of the goal's node.
pub(super) fn nodes(
    located: &LocatedQueries<'_>,
    level: Level,
) -> Vec<((usize, usize), (usize, usize))> {
    let hierarchy = hierarchy(located.world);
    let node = |polygon: portolan_core::PolygonId| {
        let node = hierarchy.partition().node_of(level, polygon.index());
        let inter_edges = hierarchy.level(level).inter_edges_of(node).len();
        (node.index(), inter_edges)
    };
    let all = located.endpoints.iter();
    all.map(|endpoints| (node(endpoints.start.polygon), node(endpoints.goal.polygon)))
        .collect()
}

fn cell(method: &str, times: &EngineTimes, astar: &EngineTimes) -> EngineCell {
    EngineCell {
        method: method.to_owned(),
        get_us: times.step_us(|steps| steps.nodes),
        connect_us: times.step_us(|steps| steps.connect),
        search_us: times.step_us(|steps| steps.search),
        extract_us: times.step_us(|steps| steps.extract),
        time: times.timing(),
        mismatches: (method != PCCP).then(|| times.mismatches(&astar.costs)),
    }
}
