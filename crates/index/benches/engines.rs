//! Compares HNA* and PCCP with A* on the same queries: `cargo bench -p portolan-index --features metis
//! --bench engines`.
//!
//! It measures searches without location and waypoints: the mean over the queries of the medians of the
//! rounds. Costs are compared with the optimum. It also compares the memory and time of intra-edge paths,
//! stored as trees or written out.

use std::hint::black_box;

use portolan_core::hierarchy::Metric;
use portolan_core::{
    Endpoints, Engine, Hierarchy, Level, NavMesh, NavMeshOptions, NodeId, Query, Scratch, World,
    no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_measure::{
    Order, Rounds, Stopwatch, mean_of_medians, micros, random_queries, timed_search,
};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 100;
const ROUNDS: usize = 5;
const ENGINES: [&str; 10] = [
    "astar",
    "hna:1:astar",
    "hna:1:dijkstra",
    "hna:1:table",
    "pccp:1",
    "hna:2:astar",
    "hna:2:dijkstra",
    "hna:2:table",
    "pccp:2",
    "hna",
];

fn main() {
    for (scene, polygons) in [
        (WorldScene::Rooms, 12_000),
        (WorldScene::Open, 12_000),
        (WorldScene::Rooms, 88_000),
        (WorldScene::Open, 88_000),
    ] {
        let world = index(scene, polygons);
        println!(
            "\n{scene}, {} polygons, mu 15",
            world.mesh().polygon_count()
        );
        compare_engines(&world);
        compare_path_storage(&world);
    }
}

fn index(scene: WorldScene, polygons: usize) -> World {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
    let mesh = mesh.expect("a valid world");
    let options = IndexOptions {
        tiers: Vec::new(),
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    };
    build(mesh, &options, &no_progress).expect("a hierarchy")
}

fn compare_engines(world: &World) {
    let engines = ENGINES.map(|name| name.parse::<Engine>().expect("an engine"));
    let located = random_queries(world.mesh(), 7).filter_map(|[from, to]| {
        let query = Query::new(from, to);
        let located = world.locate(&query).expect("an engine of this world");
        Some((query, located.endpoints().ok()?))
    });
    let queries: Vec<(Query<'_>, Endpoints)> = located.take(QUERIES).collect();
    let mut scratch = Scratch::new();
    let mut search = |engine, (query, endpoints): &(Query<'_>, Endpoints)| {
        timed_search(world, &Query { engine, ..*query }, endpoints, &mut scratch)
            .expect("an engine of this world")
    };
    let cost = |cost: Option<f32>| cost.unwrap_or(f32::INFINITY);
    let optima: Vec<f32> = queries
        .iter()
        .map(|query| cost(search(Engine::AStar, query).cost))
        .collect();
    let rounds = Rounds {
        count: ROUNDS,
        order: Order::ByQuery,
        patience: None,
    };
    let times = rounds.run(engines.len(), QUERIES, |turn| {
        let engine = engines[turn.contender];
        let searched = search(engine, &queries[turn.query]);
        let (cost, optimum) = (cost(searched.cost), optima[turn.query]);
        let relative_error = (cost - optimum) / optimum.max(1.0);
        if world.resolve_engine(engine).is_exact() {
            assert!(
                relative_error.abs() < 1e-4 || cost == optimum,
                "{engine}: {cost} instead of {optimum}"
            );
        } else {
            assert!(
                relative_error > -1e-4,
                "{engine}: {cost} is below {optimum}"
            );
        }
        micros(searched.times.search)
    });
    let mut astar = None;
    for (name, times) in ENGINES.into_iter().zip(times) {
        let mean = mean_of_medians(&times);
        let astar = *astar.get_or_insert(mean);
        println!(
            "  {name:<16} {mean:>9.1} us  {:>6.1} times as fast as astar",
            astar / mean
        );
    }
}

/// Prints the bytes per polygon and the nanoseconds per vertex of two ways to store paths: as trees, as
/// Portolan does, and as lists of vertices, as the papers do.
fn compare_path_storage(world: &World) {
    let hierarchy = world.hierarchy().expect("a hierarchy");
    let metric = world
        .default_costs()
        .metric()
        .expect("costs of the hierarchy");
    let polygons = world.mesh().polygon_count() as f64;
    for level in hierarchy.partition().levels() {
        let all: Vec<(NodeId, [usize; 2])> = pairs(hierarchy, level);
        let costs = 4 * hierarchy.level(level).intra_edge_count();
        let trees = metric.bytes_at(level) - costs;
        let (mut path_ends, mut paths) = (vec![0u32], Vec::new());
        for &(node, pair) in &all {
            paths.extend(metric.intra_edge(hierarchy, level, node, pair).path);
            path_ends.push(paths.len() as u32);
        }
        let written_bytes = 4 * (path_ends.len() + paths.len());

        let mut out = Vec::new();
        let mut vertices = 0;
        let mut stopwatch = Stopwatch::start();
        for window in path_ends.windows(2) {
            out.clear();
            out.extend_from_slice(&paths[window[0] as usize..window[1] as usize]);
            vertices += black_box(&out).len();
        }
        let copied = stopwatch.lap_ns() as f64 / vertices as f64;
        for &(node, pair) in &all {
            black_box(path_length(metric, hierarchy, level, node, pair));
        }
        let derived = stopwatch.lap_ns() as f64 / vertices as f64;
        println!(
            "  paths of level {level}: trees {:.0} bytes per polygon, {derived:.0} ns per vertex; written out \
             {:.0} bytes, {copied:.1} ns; {:.1} vertices per path",
            trees as f64 / polygons,
            written_bytes as f64 / polygons,
            vertices as f64 / all.len().max(1) as f64,
        );
    }
}

fn path_length(
    metric: &Metric,
    hierarchy: &Hierarchy,
    level: Level,
    node: NodeId,
    pair: [usize; 2],
) -> usize {
    metric.intra_edge(hierarchy, level, node, pair).path.len()
}

/// Returns all intra-edges of a level.
fn pairs(hierarchy: &Hierarchy, level: Level) -> Vec<(NodeId, [usize; 2])> {
    let nodes = (0..hierarchy.partition().node_count(level)).map(NodeId::new);
    nodes
        .flat_map(|node| {
            let count = hierarchy.level(level).inter_edges_of(node).len();
            let pairs = (0..count).flat_map(move |i| (0..count).map(move |j| [i, j]));
            pairs.filter(|[i, j]| i != j).map(move |pair| (node, pair))
        })
        .collect()
}
