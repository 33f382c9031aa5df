//! Compares the contraction, hub labels and `auto` with A*: `cargo bench -p portolan-index --features metis
//! --bench contraction`.
//!
//! It measures the time to build them, their memory, searches between random points, and searches by the
//! distance of the goal. Searches are measured without location and waypoints. An engine runs all queries
//! in a row, so its caches are warm. Times are the mean over the queries of the medians of the rounds. All
//! costs are compared. Arguments after `--` choose worlds; the largest worlds are only measured if chosen.

mod common;

use portolan_core::contraction::{Contraction, Shortcuts};
use portolan_core::{
    Endpoints, Engine, Level, NavMesh, Profile, Query, Scratch, Stage, Status, TableOptions, Tier,
    World, no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions};
use portolan_measure::{
    Order, Rounds, Stopwatch, mean_of_medians, median_ms, micros, random_queries, same_cost,
    timed_search,
};
use portolan_scenes::RandomPoints;

const QUERIES: usize = 300;
const ROUNDS: usize = 5;
/// The maximum size of hub labels. [Units: bytes]
const MAX_LABEL_BYTES: usize = 1 << 30;
/// The distances between start and goal, as multiples of the mean distance between consecutive vertices of
/// a polygon.
const HOPS: [f32; 7] = [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 24.0];

fn main() {
    let args = std::env::args().skip(1);
    let chosen: Vec<String> = args.filter(|word| !word.starts_with("--")).collect();
    for name in [
        "lq_e1m1",
        "vaduz",
        "rooms-13",
        "open-13",
        "rooms-88",
        "open-88",
        "rooms-880",
        "open-880",
    ] {
        let is_chosen = chosen.iter().any(|word| name == word);
        if is_chosen || chosen.is_empty() && !name.ends_with("880") {
            match common::mesh(name) {
                Some(mesh) => compare(name, mesh),
                None => println!("\n{name}: no such map in {}", common::FOLDER),
            }
        }
    }
}

fn compare(name: &str, mesh: NavMesh) {
    println!("\n{name}: {} polygons", mesh.polygon_count());
    let world = build(mesh);
    let mut random = random_queries(world.mesh(), 7);
    let anywhere = queries(&world, || random.next().expect("a query"));
    let mut engines = vec![
        Engine::AStar,
        Engine::Contraction(Tier::Fast),
        Engine::Auto(Tier::Fast),
    ];
    if world.default_costs().labels().is_some() {
        engines.push(Engine::Labels);
        println!(
            "  labels, cost and first portal only: {:.2} us",
            distances(&world, &anywhere)
        );
    }
    print(&world, "anywhere", &anywhere, &engines);
    let hop = hop(&world);
    for hops in HOPS {
        let mut starts = RandomPoints::new(world.mesh(), 8);
        let mut targets = RandomPoints::new(world.mesh(), 9);
        let near = queries(&world, || {
            let [from, target] = [&mut starts, &mut targets].map(|p| p.next().expect("a point"));
            let direction = (target - from).with_y(0.0).normalize_or_zero();
            [from, from + direction * hop * hops]
        });
        print(&world, &format!("{hops} hops"), &near, &engines);
    }
}

/// Builds everything and prints times and sizes.
fn build(mesh: NavMesh) -> World {
    let polygons = mesh.polygon_count();
    let per_polygon = |bytes: usize| bytes as f64 / polygons as f64;
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        // The hierarchy is only built to number polygons by node.
        hierarchy: Some(HierarchyOptions {
            tables: TableOptions {
                top: Level(0),
                centres: false,
            },
            ..HierarchyOptions::default()
        }),
        ..IndexOptions::default()
    };
    let world = portolan_index::build(mesh, &options, &no_progress).expect("a world");
    let times = world.report().times.expect("times");
    println!("  numbering {:.0} ms", times.of(Stage::Partition));
    let ordered = times.of(Stage::Order);
    let ranks = world.contraction().expect("a contraction").order();
    let mut stopwatch = Stopwatch::start();
    let contraction = Contraction::new(ranks.to_vec(), world.graph().adjacent());
    let contracted = stopwatch.lap_ms();
    let prices = world.default_costs().prices();
    let edges = || world.graph().edges(world.mesh(), prices);
    let customized = median_ms(ROUNDS, || Shortcuts::from_edges(&contraction, edges()));
    println!(
        "  order {ordered:.0} ms, shortcuts {contracted:.0} ms, customization {customized:.1} ms; {} arcs, chains of \
         up to {}",
        contraction.arc_count(),
        contraction.depth()
    );
    let engine = Engine::Contraction(Tier::Fast);
    let shortcuts = world.costs_for(&Profile::default(), &[engine]);
    let shortcuts = shortcuts.shortcuts(Tier::Fast).map_or(0, Shortcuts::bytes);
    println!(
        "  bytes per polygon: {:.0} without costs, {:.0} per kind of agent",
        per_polygon(contraction.bytes()),
        per_polygon(shortcuts)
    );
    stopwatch.lap();
    match world.clone().with_labels(MAX_LABEL_BYTES) {
        Ok(labelled) => {
            let bytes = labelled.default_costs().labels().map_or(0, |l| l.bytes());
            println!(
                "  labels {:.0} ms, {:.0} bytes per polygon",
                stopwatch.lap_ms(),
                per_polygon(bytes)
            );
            labelled
        }
        Err(error) => {
            println!("  {error}");
            world
        }
    }
}

type Queries = Vec<(Query<'static>, Endpoints)>;

/// Returns queries between points on the mesh that have a path between them.
fn queries(world: &World, mut next_pair: impl FnMut() -> [glam::Vec3; 2]) -> Queries {
    let mut scratch = Scratch::new();
    let mut queries = Vec::new();
    for _ in 0..100 * QUERIES {
        let [from, to] = next_pair();
        let query = Query::new(from, to);
        let located = world.locate(&query).expect("an engine of this world");
        if let Ok(endpoints) = located.endpoints()
            && located.search(&mut scratch).status() == Status::Found
        {
            queries.push((query, endpoints));
        }
        if queries.len() == QUERIES {
            break;
        }
    }
    queries
}

fn print(world: &World, label: &str, queries: &Queries, engines: &[Engine]) {
    let mut scratch = Scratch::new();
    let mut search = |engine, (query, endpoints): &(Query<'_>, Endpoints)| {
        timed_search(world, &Query { engine, ..*query }, endpoints, &mut scratch)
            .expect("an engine of this world")
    };
    let optima = queries
        .iter()
        .map(|queries| search(Engine::AStar, queries).cost);
    let optima: Vec<f32> = optima.map(|cost| cost.expect("a path")).collect();
    let rounds = Rounds {
        order: Order::ByContender { is_warm: false },
        ..Rounds::by_contender(ROUNDS)
    };
    let times = rounds.run(engines.len(), queries.len(), |turn| {
        let (engine, optimum) = (engines[turn.contender], optima[turn.query]);
        let searched = search(engine, &queries[turn.query]);
        let cost = searched.cost.unwrap_or(f32::INFINITY);
        assert!(
            same_cost(cost, optimum),
            "{engine}: {cost} instead of {optimum}"
        );
        micros(searched.times.search)
    });
    let means: Vec<f64> = times.iter().map(|times| mean_of_medians(times)).collect();
    let texts: Vec<String> = engines
        .iter()
        .zip(&means)
        .map(|(engine, mean)| format!("{engine} {mean:.2} us ({:.1})", means[0] / mean))
        .collect();
    println!("  {label}, {} queries: {}", queries.len(), texts.join(", "));
}

/// Returns the time of a distance query with labels: the cost and the first portal. [Units: microseconds]
fn distances(world: &World, queries: &Queries) -> f64 {
    let mut scratch = Scratch::new();
    let times = Rounds::by_contender(ROUNDS).mean_micros(1, queries.len(), |turn| {
        let (query, endpoints) = &queries[turn.query];
        let query = Query {
            engine: Engine::Labels,
            ..*query
        };
        let located = world.located(&query, *endpoints).expect("labels");
        let distance = located.distance(&mut scratch);
        assert!(distance.is_some(), "a path that A* found");
    });
    times[0]
}

/// Returns the mean distance between consecutive vertices of a polygon.
fn hop(world: &World) -> f32 {
    let graph = world.graph();
    let (mut sum, mut count) = (0.0, 0.0);
    for polygon in world.mesh().polygons() {
        let positions: Vec<_> = graph
            .samples_of(polygon)
            .map(|s| graph.position(s))
            .collect();
        for pair in positions.windows(2) {
            sum += pair[0].distance(pair[1]);
            count += 1.0;
        }
    }
    sum / count
}
