//! Compares orders for the contraction: `cargo bench -p portolan-index --features metis --bench orders`.
//!
//! The columns describe the contraction that results from an order: its arcs; the triangles that
//! customization processes; the average number of arcs on the chain of a vertex before pruning ("work"),
//! the number that one side of a query scans; and the vertices on the longest chain. Times are the minimum of
//! several rounds. Arguments after `--` choose worlds; the largest worlds are only measured if chosen.

mod common;

use portolan_core::contraction::Contraction;
use portolan_core::{
    Engine, GraphOptions, Level, NavMesh, PortalGraph, Query, SampleId, Scratch, Tier, World,
};
use portolan_index::{OrderMethod, OrderOptions, PartitionOptions, dissect, order, partition};
use portolan_measure::{Stopwatch, random_queries, same_cost};

const QUERIES: usize = 20;
const ROUNDS: usize = 3;
/// Worlds with more polygons are measured in one round, and their costs are not compared.
const MANY_POLYGONS: usize = 200_000;

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    for name in [
        "dungeon",
        "lq_e1m1",
        "vaduz",
        "rooms-12",
        "open-12",
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
    let by_partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
    let polygon_order = by_partition.order();
    let mesh = mesh.in_order(&polygon_order);
    let count = mesh.polygon_count();
    println!("\n{name}: {count} polygons");
    println!(
        "  {:<22} {:>8} {:>10} {:>11} {:>9} {:>6}",
        "order", "ms", "arcs", "triangles", "work", "depth"
    );
    let graph = PortalGraph::new(&mesh, &GraphOptions::default());
    let by_method = |method, separators| {
        let options = OrderOptions {
            method,
            separators,
            ..OrderOptions::default()
        };
        move |graph: &PortalGraph| order(graph, &options).expect("an order")
    };
    type ComputeOrder<'a> = Box<dyn Fn(&PortalGraph) -> Vec<u32> + 'a>;
    let all: [(&str, ComputeOrder<'_>); 7] = [
        ("metis", Box::new(by_method(OrderMethod::Metis, 1))),
        (
            "metis, 2 separators",
            Box::new(by_method(OrderMethod::Metis, 2)),
        ),
        (
            "metis, 4 separators",
            Box::new(by_method(OrderMethod::Metis, 4)),
        ),
        ("flow", Box::new(by_method(OrderMethod::Flow, 1))),
        (
            "flow, 2 separators",
            Box::new(by_method(OrderMethod::Flow, 2)),
        ),
        (
            "flow, 4 separators",
            Box::new(by_method(OrderMethod::Flow, 4)),
        ),
        (
            "partition",
            Box::new(|graph: &PortalGraph| by_levels(&mesh, graph)),
        ),
    ];
    let rounds = if count > MANY_POLYGONS { 1 } else { ROUNDS };
    let mut expected_costs = None;
    for (name, compute) in &all {
        let mut order = Vec::new();
        let mut min_ms = f64::INFINITY;
        for _ in 0..rounds {
            let mut stopwatch = Stopwatch::start();
            let computed = compute(&graph);
            min_ms = min_ms.min(stopwatch.lap_ms());
            assert!(
                order.is_empty() || order == computed,
                "{name}: a different order"
            );
            order = computed;
        }
        let quality = OrderQuality::new(&order, &graph);
        println!(
            "  {name:<22} {min_ms:>8.1} {:>10} {:>11} {:>9.0} {:>6}",
            quality.arcs, quality.triangles, quality.work, quality.depth
        );
        if count <= MANY_POLYGONS {
            let contraction = Contraction::new(order.clone(), graph.adjacent());
            assert_eq!(
                (quality.arcs, quality.depth),
                (contraction.arc_count(), contraction.depth())
            );
            let costs = costs(&mesh, order);
            let expected = expected_costs.get_or_insert_with(|| costs.clone());
            for (a, b) in costs.iter().zip(expected) {
                assert!(same_cost(*a, *b), "{name}: {a} instead of {b}");
            }
        }
    }
}

/// Returns the costs of some queries.
fn costs(mesh: &NavMesh, order: Vec<u32>) -> Vec<f32> {
    let world = World::from_mesh(mesh.clone()).with_contraction(order);
    let world = world.expect("an order");
    let engine = Engine::Contraction(Tier::Fast);
    let mut scratch = Scratch::new();
    let mut costs = Vec::new();
    for [from, to] in random_queries(mesh, 7).take(QUERIES) {
        let query = Query {
            engine,
            ..Query::new(from, to)
        };
        let located = world.locate(&query).expect("an engine of this world");
        if located.endpoints().is_ok() {
            let cost = located.search(&mut scratch).cost();
            costs.push(cost.unwrap_or(f32::INFINITY));
        }
    }
    costs
}

/// The properties of the contraction that results from an order.
struct OrderQuality {
    arcs: usize,
    triangles: usize,
    work: f64,
    depth: usize,
}

impl OrderQuality {
    fn new(order: &[u32], graph: &PortalGraph) -> Self {
        let count = graph.sample_count();
        let mut ranks = vec![usize::MAX; count];
        for (rank, &vertex) in order.iter().enumerate() {
            assert_eq!(
                ranks[vertex as usize],
                usize::MAX,
                "a vertex with two ranks"
            );
            ranks[vertex as usize] = rank;
        }
        assert!(!ranks.contains(&usize::MAX), "a vertex without a rank");
        let mut above = vec![Vec::new(); count];
        for [a, b] in graph.adjacent().map(|pair| pair.map(|v| ranks[v as usize])) {
            if a != b {
                above[a.min(b)].push(a.max(b));
            }
        }
        let (mut parents, mut degrees) = (vec![0; count], vec![0; count]);
        for rank in 0..count {
            let mut list = std::mem::take(&mut above[rank]);
            list.sort_unstable();
            list.dedup();
            degrees[rank] = list.len();
            parents[rank] = list.first().copied().unwrap_or(rank);
            if let Some((&first, rest)) = list.split_first() {
                above[first].extend_from_slice(rest);
            }
        }
        let (mut works, mut depths) = (vec![0; count], vec![0; count]);
        for rank in (0..count).rev() {
            let parent = parents[rank];
            let (work, depth) = if parent == rank {
                (0, 0)
            } else {
                (works[parent], depths[parent])
            };
            works[rank] = work + degrees[rank];
            depths[rank] = depth + 1;
        }
        Self {
            arcs: degrees.iter().sum(),
            triangles: degrees
                .iter()
                .map(|&degree| degree * degree.saturating_sub(1) / 2)
                .sum(),
            work: works.iter().sum::<usize>() as f64 / count.max(1) as f64,
            depth: depths.into_iter().max().unwrap_or(0),
        }
    }
}

/// Computes an order by the nodes of HNA*: portals between nodes of the highest level come last, and so on
/// downwards. METIS orders the portals of one level, which are adjacent if they belong to the same node.
fn by_levels(mesh: &NavMesh, graph: &PortalGraph) -> Vec<u32> {
    let partition = partition(mesh, &PartitionOptions::default()).expect("a partition");
    let sides = |sample: SampleId| {
        use portolan_core::graph::SampleSide;
        [0, 1].map(|side| match graph.side(sample, side) {
            SampleSide::Polygon(polygon) => polygon,
            SampleSide::Link(link, end) => mesh.link(link).polygons[end],
        })
    };
    let samples: Vec<SampleId> = (0..graph.sample_count()).map(SampleId::new).collect();
    let levels: Vec<Level> = partition.levels().collect();
    let is_between = |level: Level, sample: SampleId| {
        let [a, b] = sides(sample).map(|polygon| partition.nodes(level)[polygon.index()]);
        a != b
    };
    let mut order = Vec::new();
    for level in 0..=levels.len() {
        let here: Vec<SampleId> = samples
            .iter()
            .copied()
            .filter(|&s| level == 0 || is_between(levels[level - 1], s))
            .filter(|&s| level == levels.len() || !is_between(levels[level], s))
            .collect();
        let mut of_nodes = std::collections::BTreeMap::<u32, Vec<u32>>::new();
        for (index, &sample) in (0..).zip(&here) {
            for polygon in sides(sample) {
                let node = if level == 0 {
                    polygon.0
                } else {
                    partition.nodes(levels[level - 1])[polygon.index()].0
                };
                of_nodes.entry(node).or_default().push(index);
            }
        }
        let pairs = of_nodes.values().flat_map(|list| {
            let each = list.iter().enumerate();
            each.flat_map(move |(i, &a)| list[..i].iter().map(move |&b| [a, b]))
        });
        let indexes = dissect(here.len(), pairs, 0).expect("an order");
        order.extend(indexes.into_iter().map(|index| here[index as usize].0));
    }
    order
}
