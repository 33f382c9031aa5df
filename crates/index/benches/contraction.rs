//! The contraction, hub labels and `auto` beside A*: `cargo bench -p portolan-index --features metis --bench
//! contraction`. What it takes to make them, what they keep, searches between random places, and
//! searches by how near the goal is. Searches only, without location and waypoints; an engine has its
//! turn with all queries, its caches warm; means over the queries of medians of rounds. All costs are
//! compared. Words after `--` choose worlds; large ones are measured only if asked for.

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
/// Hub labels of more are not made.
const MAX_LABEL_BYTES: usize = 1 << 30;
/// Between start and goal, in mean distances from one vertex of a polygon to the next.
const HOPS: [f32; 7] = [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 24.0];

fn main() {
    let words = std::env::args().skip(1);
    let chosen: Vec<String> = words.filter(|word| !word.starts_with("--")).collect();
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
                None => println!("\n{name} is not here"),
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
        let mut ways = RandomPoints::new(world.mesh(), 9);
        let near = queries(&world, || {
            let [from, towards] = [&mut starts, &mut ways].map(|p| p.next().expect("a point"));
            let way = (towards - from).with_y(0.0).normalize_or_zero();
            [from, from + way * hop * hops]
        });
        print(&world, &format!("{hops} hops"), &near, &engines);
    }
}

/// Makes all and prints what it takes.
fn build(mesh: NavMesh) -> World {
    let polygons = mesh.polygon_count();
    let a_polygon = |bytes: usize| bytes as f64 / polygons as f64;
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        // For the numbering by nodes.
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
    let mut watch = Stopwatch::start();
    let contraction = Contraction::new(ranks.to_vec(), world.graph().adjacent());
    let contracted = watch.lap_ms();
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
        "  bytes a polygon: {:.0} without costs, {:.0} for each kind of agent",
        a_polygon(contraction.bytes()),
        a_polygon(shortcuts)
    );
    watch.lap();
    match world.clone().with_labels(MAX_LABEL_BYTES) {
        Ok(labelled) => {
            let bytes = labelled.default_costs().labels().map_or(0, |l| l.bytes());
            println!(
                "  labels {:.0} ms, {:.0} bytes a polygon",
                watch.lap_ms(),
                a_polygon(bytes)
            );
            labelled
        }
        Err(refusal) => {
            println!("  {refusal}");
            world
        }
    }
}

type Asked = Vec<(Query<'static>, Endpoints)>;

/// Queries between places on the mesh with a way between them.
fn queries(world: &World, mut places: impl FnMut() -> [glam::Vec3; 2]) -> Asked {
    let mut scratch = Scratch::new();
    let mut asked = Vec::new();
    for _ in 0..100 * QUERIES {
        let [from, to] = places();
        let query = Query::new(from, to);
        let located = world.locate(&query).expect("an engine of this world");
        if let Ok(ends) = located.endpoints()
            && located.search(&mut scratch).status() == Status::Found
        {
            asked.push((query, ends));
        }
        if asked.len() == QUERIES {
            break;
        }
    }
    asked
}

fn print(world: &World, what: &str, asked: &Asked, engines: &[Engine]) {
    let mut scratch = Scratch::new();
    let mut search = |engine, (query, ends): &(Query<'_>, Endpoints)| {
        timed_search(world, &Query { engine, ..*query }, ends, &mut scratch)
            .expect("an engine of this world")
    };
    let optima = asked.iter().map(|asked| search(Engine::AStar, asked).cost);
    let optima: Vec<f32> = optima.map(|cost| cost.expect("a path")).collect();
    let rounds = Rounds {
        order: Order::ByContender { is_warm: false },
        ..Rounds::by_contender(ROUNDS)
    };
    let times = rounds.run(engines.len(), asked.len(), |turn| {
        let (engine, optimum) = (engines[turn.contender], optima[turn.query]);
        let searched = search(engine, &asked[turn.query]);
        let cost = searched.cost.unwrap_or(f32::INFINITY);
        assert!(same_cost(cost, optimum), "{engine}: {cost}, not {optimum}");
        micros(searched.times.search)
    });
    let means: Vec<f64> = times.iter().map(|times| mean_of_medians(times)).collect();
    let words: Vec<String> = engines
        .iter()
        .zip(&means)
        .map(|(engine, mean)| format!("{engine} {mean:.2} us ({:.1})", means[0] / mean))
        .collect();
    println!("  {what}, {} queries: {}", asked.len(), words.join(", "));
}

/// Microseconds for the cost and the first portal by labels.
fn distances(world: &World, asked: &Asked) -> f64 {
    let mut scratch = Scratch::new();
    let times = Rounds::by_contender(ROUNDS).mean_micros(1, asked.len(), |turn| {
        let (query, ends) = &asked[turn.query];
        let query = Query {
            engine: Engine::Labels,
            ..*query
        };
        let located = world.located(&query, *ends).expect("labels");
        let distance = located.distance(&mut scratch);
        assert!(distance.is_some(), "a path that A* found");
    });
    times[0]
}

/// The mean distance from one vertex of a polygon to the next, as `auto` has it.
fn hop(world: &World) -> f32 {
    let graph = world.graph();
    let (mut sum, mut count) = (0.0, 0.0);
    for polygon in world.mesh().polygons() {
        let places: Vec<_> = graph
            .samples_of(polygon)
            .map(|s| graph.position(s))
            .collect();
        for pair in places.windows(2) {
            sum += pair[0].distance(pair[1]);
            count += 1.0;
        }
    }
    sum / count
}
