//! A world with levels: partition, hierarchy, tables, and the same path by three engines.
//!
//! `cargo run --release --example hierarchy`

use portolan_core::{IndexOptions, NavMesh, NavMeshOptions, Path, Query, Scratch, World};
use portolan_index::{PartitionOptions, partition};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = WorldOptions {
        polygons: 20_000,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(
        WorldScene::Rooms.build(&options),
        &NavMeshOptions::default(),
    )?;
    let nodes = partition(&mesh, &PartitionOptions::default())?;
    let world = World::with_hierarchy(mesh, nodes, &IndexOptions::default())?;

    let mut points = RandomPoints::new(world.mesh(), 3);
    let (from, to) = (
        points.next().ok_or("no ground")?,
        points.next().ok_or("no ground")?,
    );
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    scratch.time_steps(true);
    for name in ["astar", "hna:1:dijkstra", "hna"] {
        let query = Query {
            engine: name.parse()?,
            ..Query::new(from, to)
        };
        // Once to warm up; costs are the same to within rounding.
        world
            .find_path(&query, &mut scratch, &mut path)
            .expect("an engine of this world");
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("an engine of this world");
        let (cost, polygons) = (path.cost, path.corridor.polygons.len());
        println!(
            "{name:<15} {status}: cost {cost:.2}, {polygons} polygons; {:?}",
            scratch.steps()
        );
    }
    Ok(())
}
