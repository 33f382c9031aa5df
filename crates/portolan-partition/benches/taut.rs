//! How much longer than the shortest paths are, by samples and by how shortcuts are customized: `cargo
//! bench -p portolan-partition --bench taut`. On maps with reference answers, which stand beside the
//! checkout: excess of `length_xz` over the optimum; time of a search, and of a search with waypoints,
//! both without location, means over the queries of medians of rounds; time of customization;
//! bytes of graph, contraction and shortcuts. Words after `--` choose maps.

mod common;

use std::time::Instant;

use portolan::contraction::Shortcuts;
use portolan::{
    Ends, Engine, GraphOptions, NavMesh, Outcome, Path, PortalGraph, Profile, Query, Samples,
    Scratch, Status, Tier, World,
};
use portolan_partition::{PartitionOptions, TierOptions, order_taut, partition};

const ROUNDS: usize = 5;
const MAPS: [&str; 6] = [
    "nav_test",
    "dungeon",
    "undulating",
    "lqdm5",
    "lq_e1m1",
    "vaduz",
];

/// Samples and customization that are compared.
struct Variant {
    name: &'static str,
    samples: Samples,
    is_taut: bool,
}

const VARIANTS: [Variant; 6] = [
    variant("midpoints, summed", Samples::Each(1), false),
    variant("3 samples, summed", Samples::Each(3), false),
    variant("midpoints, taut", Samples::Each(1), true),
    variant("p90, taut", Samples::ByLength { percentile: 90 }, true),
    variant("p75, taut", Samples::ByLength { percentile: 75 }, true),
    variant("p50, taut", Samples::ByLength { percentile: 50 }, true),
];

const fn variant(name: &'static str, samples: Samples, is_taut: bool) -> Variant {
    Variant {
        name,
        samples,
        is_taut,
    }
}

fn main() {
    let words = std::env::args().skip(1);
    let chosen: Vec<String> = words.filter(|word| !word.starts_with("--")).collect();
    let is_chosen = |name: &&str| chosen.is_empty() || chosen.iter().any(|word| name == word);
    for name in MAPS.into_iter().filter(is_chosen) {
        match common::mesh(name).zip(reference(name)) {
            Some((mesh, reference)) => compare(name, mesh, &reference),
            None => println!("\n{name} is not here"),
        }
    }
}

/// A query and the length of its shortest path, seen from above.
type Reference = (Query<'static>, f64);

/// Lines of: start polygon, x, y, z, goal polygon, x, y, z, Detour's lengths from above and in space, and
/// the least from above.
fn reference(name: &str) -> Option<Vec<Reference>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");
    let text = std::fs::read_to_string(format!("{folder}/{name}.queries.txt")).ok()?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let query = |line: &str| {
        let numbers = line
            .split_whitespace()
            .map(|word| word.parse::<f64>().expect("a number"));
        let numbers: Vec<f64> = numbers.collect();
        let point = |at: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| numbers[at + axis] as f32);
            glam::vec3(x, y, z)
        };
        (Query::new(point(1), point(5)), numbers[10])
    };
    Some(lines.map(query).collect())
}

fn compare(name: &str, mesh: NavMesh, reference: &[Reference]) {
    let partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
    let mesh = mesh.in_order(&partition.order());
    println!(
        "\n{name}: {} polygons, {} portals\n  {:<20} {:>22}  {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}",
        mesh.polygon_count(),
        mesh.portals().len(),
        "",
        "mean / p99 / max %",
        "search us",
        "whole us",
        "custom ms",
        "bytes/pol",
        "vertices",
        "arcs"
    );
    for variant in VARIANTS {
        measure(mesh.clone(), &variant, reference);
    }
}

fn measure(mesh: NavMesh, variant: &Variant, reference: &[Reference]) {
    let options = GraphOptions {
        samples: variant.samples,
        ..GraphOptions::default()
    };
    let graph = PortalGraph::new(&mesh, &options);
    let order = order_taut(&mesh, &graph, &TierOptions::default().order).expect("an order");
    let (world, tier) = match variant.is_taut {
        true => {
            let world = World::from_mesh(mesh);
            (world.with_tier(Tier::Default, graph, order), Tier::Default)
        }
        false => {
            let world = World::with_graph(mesh, &options);
            (world.with_contraction(order), Tier::Fast)
        }
    };
    let engine = Engine::Contraction(tier);
    let asked = reference
        .iter()
        .map(|&(query, shortest)| (Query { engine, ..query }, shortest));
    let reference: &[Reference] = &asked.collect::<Vec<_>>();
    let customized: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let costs = world.costs_for(&Profile::default(), &[engine]);
            let ms = start.elapsed().as_secs_f64() * 1e3;
            drop(costs);
            ms
        })
        .collect();
    let excesses = excesses(&world, reference);
    let mean = excesses.iter().sum::<f64>() / excesses.len() as f64;
    let [p99, max] = [99, 100].map(|p| excesses[(excesses.len() * p).div_ceil(100) - 1]);
    let [search, whole] = times(&world, reference);
    let (graph, contraction) = world.tier(tier).expect("the tier");
    let shortcuts = world.default_costs().shortcuts(tier);
    let bytes = graph.bytes() + contraction.bytes() + shortcuts.map_or(0, Shortcuts::bytes);
    println!(
        "  {:<20} {mean:>6.3} / {p99:>5.2} / {max:>5.2}  {search:>9.2} {whole:>9.2} {:>9.1} {:>9.0} {:>9} {:>7}",
        variant.name,
        median(customized),
        bytes as f64 / world.mesh().polygon_count() as f64,
        graph.sample_count(),
        shortcuts.map_or(0, |shortcuts| shortcuts.arc_counts()[0]),
    );
}

/// How much longer than the shortest the paths are, in percent, sorted.
fn excesses(world: &World, reference: &[Reference]) -> Vec<f64> {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut excesses = Vec::new();
    for (query, shortest) in reference.iter().filter(|(_, shortest)| *shortest > 0.0) {
        let status = world.find_path(query, &mut scratch, &mut path);
        assert_eq!(status, Status::Found, "from {} to {}", query.from, query.to);
        let excess = (path.length_xz() / shortest - 1.0) * 100.0;
        assert!(
            excess > -0.1,
            "{excess}% of {shortest}: the shortest is longer"
        );
        excesses.push(excess);
    }
    excesses.sort_by(f64::total_cmp);
    excesses
}

/// Microseconds for a search, and for one with waypoints.
fn times(world: &World, reference: &[Reference]) -> [f64; 2] {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let located = |(query, _): &Reference| (*query, world.locate(query).expect("on the mesh"));
    let asked: Vec<(Query<'_>, Ends)> = reference.iter().map(located).collect();
    [false, true].map(|is_whole| {
        let mut times = vec![Vec::new(); asked.len()];
        for _ in 0..ROUNDS {
            for ((query, ends), times) in asked.iter().zip(&mut times) {
                let start = Instant::now();
                let outcome = world.search(query, ends, &mut scratch);
                if is_whole {
                    world.waypoints(query, ends, outcome, &mut scratch, &mut path);
                }
                times.push(start.elapsed().as_secs_f64() * 1e6);
                assert!(matches!(outcome, Outcome::Found { .. }));
            }
        }
        times.into_iter().map(median).sum::<f64>() / asked.len() as f64
    })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
