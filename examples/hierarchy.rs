// Builds a world with a hierarchy and connect tables, and finds the same path with three engines.
//
// `cargo run --release --features metis --example hierarchy`

use portolan::engines::HierarchyOptions;
use portolan::parts::NavMeshOptions;
use portolan::{IndexOptions, NavMesh, Path, Query, Scratch};
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
    let options = IndexOptions {
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    };
    let world = portolan::index(mesh, &options)?;

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
        // The first query warms up the buffers. All three costs are equal up to rounding.
        world.find_path(&query, &mut scratch, &mut path)?;
        let status = world.find_path(&query, &mut scratch, &mut path)?;
        let (cost, polygons) = (path.cost, path.corridor.polygons.len());
        println!(
            "{name:<15} {status}: cost {cost:.2}, {polygons} polygons; {:?}",
            scratch.steps()
        );
    }
    Ok(())
}
