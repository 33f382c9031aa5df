//! Measures by how much paths exceed the shortest paths, for several samples and customizations: `cargo bench
//! -p portolan-index --features metis --bench taut`.
//!
//! It uses maps with reference answers, which are next to the checkout. The columns are: the excess of
//! `length_xz` over the optimum; the time of a search and of a search with waypoints, both without
//! location, as the mean over the queries of the medians of the rounds; the time of customization;
//! `World::engine_bytes`. Arguments after `--` choose maps.

mod common;
#[path = "common/reference.rs"]
mod reference;

use portolan_core::{
    Endpoints, Engine, GraphOptions, NavMesh, Path, PortalGraph, Profile, Query, Samples, Scratch,
    Status, Tier, World,
};
use portolan_index::{OrderOptions, PartitionOptions, order_taut, partition};
use portolan_measure::{Rounds, mean_of_medians, median_ms, micros, timed_query, timed_search};

use reference::{ExcessSummary, QueryReference, chosen_maps, excess};

const ROUNDS: usize = 5;
const MAPS: [&str; 6] = [
    "nav_test",
    "dungeon",
    "undulating",
    "lqdm5",
    "lq_e1m1",
    "vaduz",
];

/// A choice of samples and customization.
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
    for (name, mesh, reference) in chosen_maps(&MAPS) {
        compare(&name, mesh, &reference);
    }
}

fn compare(name: &str, mesh: NavMesh, reference: &[QueryReference]) {
    let partition = partition(&mesh, &PartitionOptions::default()).expect("a partition");
    let mesh = mesh.in_order(&partition.order());
    println!(
        "\n{name}: {} polygons, {} portals\n  {:<20} {:>22}  {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}",
        mesh.polygon_count(),
        mesh.portals().len(),
        "",
        ExcessSummary::HEADING,
        "search us",
        "total us",
        "custom ms",
        "bytes/pol",
        "vertices",
        "arcs"
    );
    for variant in VARIANTS {
        measure(mesh.clone(), &variant, reference);
    }
}

fn measure(mesh: NavMesh, variant: &Variant, reference: &[QueryReference]) {
    let options = GraphOptions {
        samples: variant.samples,
        ..GraphOptions::default()
    };
    let graph = PortalGraph::new(&mesh, &options);
    let order = order_taut(&mesh, &graph, &OrderOptions::default()).expect("an order");
    let (world, tier) = match variant.is_taut {
        true => {
            let world = World::from_mesh(mesh).with_tier(Tier::Default, graph, order);
            (world.expect("a tier"), Tier::Default)
        }
        false => {
            let world = World::new(mesh, &options, &Profile::default()).expect("a graph");
            (world.with_contraction(order).expect("an order"), Tier::Fast)
        }
    };
    let engine = Engine::Contraction(tier);
    let queries = reference
        .iter()
        .map(|&(query, shortest)| (Query { engine, ..query }, shortest));
    let reference: &[QueryReference] = &queries.collect::<Vec<_>>();
    let customized = median_ms(ROUNDS, || world.costs_for(&Profile::default(), &[engine]));
    let excess = excesses(&world, reference);
    let [search, total] = times(&world, reference);
    let (graph, _) = world.tier(tier).expect("the tier");
    let shortcuts = world.default_costs().shortcuts(tier);
    println!(
        "  {:<20} {excess}  {search:>9.2} {total:>9.2} {customized:>9.1} {:>9.0} {:>9} {:>7}",
        variant.name,
        world.engine_bytes(engine) as f64 / world.mesh().polygon_count() as f64,
        graph.sample_count(),
        shortcuts.map_or(0, |shortcuts| shortcuts.arc_counts()[0]),
    );
}

/// Returns by how much the paths exceed the shortest paths.
fn excesses(world: &World, reference: &[QueryReference]) -> ExcessSummary {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let of_query = |(query, shortest): &QueryReference| {
        let status = world
            .find_path(query, &mut scratch, &mut path)
            .expect("an engine of this world");
        assert_eq!(status, Status::Found, "from {} to {}", query.from, query.to);
        excess(&path, *shortest)
    };
    ExcessSummary::new(reference.iter().map(of_query).collect())
}

/// Returns the time of a search, and of a search with waypoints. [Units: microseconds]
fn times(world: &World, reference: &[QueryReference]) -> [f64; 2] {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let located = |(query, _): &QueryReference| {
        (
            *query,
            world
                .locate(query)
                .expect("an engine of this world")
                .endpoints()
                .expect("on the mesh"),
        )
    };
    let queries: Vec<(Query<'_>, Endpoints)> = reference.iter().map(located).collect();
    let times = Rounds::by_contender(ROUNDS).run(2, queries.len(), |turn| {
        let (query, endpoints) = &queries[turn.query];
        let timed = match turn.contender {
            0 => timed_search(world, query, endpoints, &mut scratch),
            _ => timed_query(world, query, &mut scratch, &mut path),
        };
        let timed = timed.expect("an engine of this world");
        assert_eq!(timed.status, Status::Found);
        micros(timed.times.search + timed.times.waypoints)
    });
    [0, 1].map(|contender| mean_of_medians(&times[contender]))
}
