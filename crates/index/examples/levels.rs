//! Prints statistics about the levels of a navmesh: `cargo run -p portolan-index --features metis --release
//! --example levels -- FILE.pnav --mu 15 --levels 3`

use std::error::Error;
use std::time::Instant;

use portolan_index::{PartitionOptions, Weights, partition};

const USAGE: &str =
    "levels FILE.pnav [--mu N] [--levels N] [--seed N] [--weights balanced|nodes|edges]";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut file, mut options) = (None, PartitionOptions::default());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            file = Some(word);
            continue;
        }
        let value = words.next().ok_or(USAGE)?;
        match (word.as_str(), value.as_str()) {
            ("--mu", value) => options.merge_factor = value.parse()?,
            ("--levels", value) => options.max_levels = value.parse()?,
            ("--seed", value) => options.seed = value.parse()?,
            ("--weights", "balanced") => options.weights = Weights::Balanced,
            ("--weights", "nodes") => options.weights = Weights::RandomNodes,
            ("--weights", "edges") => options.weights = Weights::RandomEdges,
            _ => return Err(USAGE.into()),
        }
    }
    let mesh = portolan_files::pnav::from_bytes(&std::fs::read(file.ok_or(USAGE)?)?)?;

    let start = Instant::now();
    let partition = partition(&mesh, &options)?;
    let partitioned = start.elapsed();
    let start = Instant::now();
    let order = partition.order();
    let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
    let renumbered = start.elapsed();

    println!(
        "{} polygons, {} portals, {} links; mu {}",
        mesh.polygon_count(),
        mesh.portals().len(),
        mesh.links().len(),
        options.merge_factor
    );
    println!("partitioned in {partitioned:.1?}, renumbered in {renumbered:.1?}");
    println!(
        "{:>5} {:>7} {:>20} {:>18} {:>8} {:>6} {:>7} {:>7} {:>10} {:>9}",
        "level",
        "nodes",
        "polygons per node",
        "inter-edges",
        "edge-cut",
        "links",
        "balance",
        "islands",
        "published",
        "bound"
    );
    for level in partition.statistics(&mesh) {
        let summary = |numbers: portolan_core::MinMeanMax| {
            format!("{}/{:.1}/{}", numbers.min, numbers.mean, numbers.max)
        };
        println!(
            "{:>5} {:>7} {:>20} {:>18} {:>8} {:>6} {:>7.2} {:>7} {:>10} {:>9}",
            level.level.0,
            level.nodes,
            summary(level.polygons),
            summary(level.inter_edges),
            level.edge_cut,
            level.links_between,
            level.balance(),
            level.without_edges,
            level.published_bound(options.merge_factor),
            level.bound
        );
    }
    Ok(())
}
