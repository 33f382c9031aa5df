// Tells 100 000 agents where to walk next, in one call.
//
// `cargo run --release --example batch`

use std::time::Instant;

use portolan::batch::{BatchAnswers, BatchOptions, BatchQueries, Endpoints, Want};
use portolan::frame::DEFAULT_SNAP;
use portolan::{IndexOptions, NavMesh, Status};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = NavMesh::build(raw, &Default::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;

    // Agents that are followed from frame to frame know their polygons.
    let points = RandomPoints::new(world.mesh(), 7).take(200_000);
    let locate = |point| world.mesh().locate(point, DEFAULT_SNAP, |_| true);
    let places: Vec<_> = points.filter_map(locate).collect();
    let pairs = places.chunks_exact(2);
    let agents: Vec<_> = pairs
        .map(|pair| Endpoints {
            start: pair[0],
            goal: pair[1],
        })
        .collect();

    let (options, mut answers) = (BatchOptions::new(Want::Next), BatchAnswers::default());
    for frame in 0..3 {
        let start = Instant::now();
        world.find_paths(BatchQueries::Located(&agents), &options, &mut answers)?;
        println!(
            "frame {frame}: {} agents in {:?}",
            agents.len(),
            start.elapsed()
        );
    }
    let found = answers.statuses.iter().filter(|&&s| s == Status::Found);
    println!(
        "{} have a path; the first walks to {}",
        found.count(),
        answers.next[0]
    );
    Ok(())
}
