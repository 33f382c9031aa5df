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
    let points = RandomPoints::new(world.mesh(), 7);
    let mut places = points.filter_map(|at| world.mesh().locate(at, DEFAULT_SNAP, |_| true));
    let mut agents = Vec::new();
    while let (Some(start), Some(goal)) = (places.next(), places.next()) {
        agents.push(Endpoints { start, goal });
        if agents.len() == 100_000 {
            break;
        }
    }
    let (options, mut answers) = (BatchOptions::new(Want::Next), BatchAnswers::default());
    let start = Instant::now();
    world.find_paths(BatchQueries::Located(&agents), &options, &mut answers)?;
    let found = answers.statuses.iter().filter(|&&s| s == Status::Found);
    println!("{} paths in {:?}", found.count(), start.elapsed());
    println!("the first agent walks to {}", answers.next[0]);
    Ok(())
}
