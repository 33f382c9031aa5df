//! The contraction, hub labels and `auto` beside A*: `cargo bench -p portolan-index --features metis --bench
//! contraction`. What it takes to make them, what they keep, searches between random places, and
//! searches by how near the goal is. Searches only, without location and waypoints; an engine has its
//! turn with all queries, its caches warm; means over the queries of medians of rounds. All costs are
//! compared. Words after `--` choose worlds; large ones are measured only if asked for.

mod common;

use std::time::Instant;

use portolan_core::contraction::{Contraction, Shortcuts};
use portolan_core::{Ends, Engine, NavMesh, Profile, Query, Scratch, Tier, World};
use portolan_index::{OrderOptions, PartitionOptions, order, partition};
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
    let mut points = RandomPoints::new(world.mesh(), 7);
    let anywhere = queries(&world, || {
        let mut point = || points.next().expect("a point");
        [point(), point()]
    });
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
    let start = Instant::now();
    let lap = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    // Numbered by nodes, as an index with a hierarchy is.
    let partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
    let mesh = mesh.in_order(&partition.order());
    println!("  numbering {:.0} ms", lap(start));
    let world = World::from_mesh(mesh);
    let start = Instant::now();
    let ranks = order(world.graph(), &OrderOptions::default()).expect("an order");
    let ordered = lap(start);
    let start = Instant::now();
    let contraction = Contraction::new(ranks.clone(), world.graph().adjacent());
    let contracted = lap(start);
    let edges = || {
        world
            .graph()
            .edges(world.mesh(), world.default_costs().prices())
    };
    let customized: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let shortcuts = Shortcuts::of_edges(&contraction, edges());
            let ms = lap(start);
            drop(shortcuts);
            ms
        })
        .collect();
    println!(
        "  order {ordered:.0} ms, shortcuts {contracted:.0} ms, customization {:.1} ms; {} arcs, chains of \
         up to {}",
        median(customized),
        contraction.arc_count(),
        contraction.depth()
    );
    let world = world.with_contraction(ranks);
    let shortcuts = world.costs(&Profile::default());
    let shortcuts = shortcuts.shortcuts(Tier::Fast).map_or(0, Shortcuts::bytes);
    println!(
        "  bytes a polygon: {:.0} without costs, {:.0} for each kind of agent",
        a_polygon(contraction.bytes()),
        a_polygon(shortcuts)
    );
    let start = Instant::now();
    match world.clone().with_labels(MAX_LABEL_BYTES) {
        Ok(labelled) => {
            let bytes = labelled.default_costs().labels().map_or(0, |l| l.bytes());
            println!(
                "  labels {:.0} ms, {:.0} bytes a polygon",
                lap(start),
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

type Asked = Vec<(Query<'static>, Ends)>;

/// Queries between places on the mesh with a way between them.
fn queries(world: &World, mut places: impl FnMut() -> [glam::Vec3; 2]) -> Asked {
    let mut scratch = Scratch::new();
    let mut asked = Vec::new();
    for _ in 0..100 * QUERIES {
        let [from, to] = places();
        let query = Query::new(from, to);
        if let Ok(ends) = world
            .locate(&query)
            .expect("an engine of this world")
            .ends()
            && cost(world, &query, &ends, &mut scratch) < f32::INFINITY
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
    let mut times = vec![vec![Vec::new(); asked.len()]; engines.len()];
    let right: Vec<f32> = asked
        .iter()
        .map(|(query, ends)| {
            let engine = Engine::AStar;
            cost(world, &Query { engine, ..*query }, ends, &mut scratch)
        })
        .collect();
    for round in 0..ROUNDS {
        // Who comes after another finds what they have in common in the caches.
        for turn in 0..engines.len() {
            let place = (round + turn) % engines.len();
            let engine = engines[place];
            for (i, (query, ends)) in asked.iter().enumerate() {
                let query = Query { engine, ..*query };
                let start = Instant::now();
                let cost = cost(world, &query, ends, &mut scratch);
                times[place][i].push(start.elapsed().as_secs_f64() * 1e6);
                let off = (cost - right[i]).abs();
                assert!(off <= 1e-4 * right[i], "{engine}: {cost}, not {}", right[i]);
            }
        }
    }
    let means: Vec<f64> = times
        .into_iter()
        .map(|times| times.into_iter().map(median).sum::<f64>() / asked.len() as f64)
        .collect();
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
    let mut times = vec![Vec::new(); asked.len()];
    for _ in 0..ROUNDS {
        for ((query, ends), times) in asked.iter().zip(&mut times) {
            let query = Query {
                engine: Engine::Labels,
                ..*query
            };
            let start = Instant::now();
            let distance = world
                .located(&query, *ends)
                .expect("labels")
                .distance(&mut scratch);
            times.push(start.elapsed().as_secs_f64() * 1e6);
            assert!(distance.is_some(), "a way that A* found");
        }
    }
    times.into_iter().map(median).sum::<f64>() / asked.len() as f64
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

/// The cost of the path that a query finds; infinite where there is none.
fn cost(world: &World, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch) -> f32 {
    let located = world
        .located(query, *ends)
        .expect("an engine of this world");
    located.search(scratch).cost().unwrap_or(f32::INFINITY)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
