// Closes a door in front of an agent, and opens it again. `cargo run --release --example doors`

use portolan::live::{Change, LiveWorld, Switch};
use portolan::parts::NavMeshOptions;
use portolan::{IndexOptions, NavMesh};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = NavMesh::build(level, &NavMeshOptions::default())?;
    let live = LiveWorld::new(portolan::index(mesh, &IndexOptions::default())?);

    // Readers take a snapshot, and use it like any other world.
    let before = live.snapshot();
    let points: Vec<_> = RandomPoints::new(before.mesh(), 3).take(2).collect();
    let path = before.find(points[0], points[1])?;
    let polygons = &path.corridor.polygons;
    let door = Switch {
        polygons: vec![polygons[polygons.len() / 2]],
        ..Switch::default()
    };
    live.define("door 7", door)?;

    // Nothing waits: the door is closed for everybody who takes a snapshot from now on.
    live.update(&[Change::Close("door 7".into())])?;
    let closed = live.snapshot();
    assert!(!path.is_current(&closed));
    let detour = closed.find(points[0], points[1])?;
    let lengths = [path.length(), detour.length()];
    println!(
        "{:.1} m through the door, {:.1} m around it",
        lengths[0], lengths[1]
    );
    assert!(lengths[1] > lengths[0]);

    live.update(&[Change::Open("door 7".into())])?;
    let opened = live.snapshot().find(points[0], points[1])?;
    println!("{:.1} m when it is open again", opened.length());
    Ok(())
}
