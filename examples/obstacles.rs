// Puts crates in the way of an agent, moves one, and removes them. `cargo run --release --example obstacles`

use portolan::live::{Change, LiveWorld, Obstacle, ObstacleId};
use portolan::parts::NavMeshOptions;
use portolan::{IndexOptions, NavMesh};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Open.build(&WorldOptions::default());
    let mesh = NavMesh::build(level, &NavMeshOptions::default())?;
    let live = LiveWorld::new(portolan::index(mesh, &IndexOptions::default())?);
    let before = live.snapshot();
    let points: Vec<_> = RandomPoints::new(before.mesh(), 3).take(2).collect();
    let free = before.find(points[0], points[1])?;

    // A crate of 3 m x 1 m across the middle of the path, turned by half a radian.
    let middle = free.waypoints[0].midpoint(free.waypoints[1]);
    let crate_id = ObstacleId(1);
    let place = |at| Change::Place(crate_id, Obstacle::upright_box(at, [1.5, 0.5], 0.5, 2.0));
    let update = live.update(&[place(middle)])?;
    let around = live.snapshot().find(points[0], points[1])?;
    println!(
        "{:.2} m in the open, {:.2} m around a crate; the update took {} µs",
        free.length(),
        around.length(),
        (update.repair_time + update.publish_time).as_micros(),
    );
    assert!(!free.is_current(&live.snapshot()));
    assert!(around.length() > free.length());

    // Placing it again under the same id moves it.
    live.update(&[place(points[0] + glam::vec3(2.0, 0.0, 0.0))])?;
    live.update(&[Change::Remove(crate_id)])?;
    let again = live.snapshot().find(points[0], points[1])?;
    println!("{:.2} m when it is gone", again.length());
    Ok(())
}
