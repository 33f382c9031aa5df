// Closes a door in front of an agent, and opens it again. `cargo run --release --example doors`

use portolan::live::{Change, LiveWorld, Switch};
use portolan::parts::NavMeshOptions;
use portolan::{IndexOptions, World};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = World::build(level, &NavMeshOptions::default())?.into_mesh();
    let live = LiveWorld::new(portolan::index(mesh, &IndexOptions::default())?);

    // Readers take a snapshot, and use it like any other world.
    let before = live.snapshot();
    let points: Vec<_> = RandomPoints::new(before.mesh(), 3).take(2).collect();
    let path = before.find(points[0], points[1])?;
    let polygons = vec![path.corridor.polygons[path.corridor.polygons.len() / 2]];
    let door = Switch {
        polygons,
        ..Switch::default()
    };
    live.define("door 7", door)?;

    // Nothing waits: the door is closed for everybody who takes a snapshot from now on.
    let update = live.update(&[Change::Close("door 7".into())])?;
    let closed = live.snapshot();
    assert!(!path.is_current(&closed));
    println!(
        "{:.1} m through the door, version {}",
        path.length(),
        path.version
    );
    match closed.find(points[0], points[1]) {
        Ok(detour) => println!(
            "{:.1} m around it, version {}",
            detour.length(),
            update.version
        ),
        Err(status) => println!("{status} while it is closed, version {}", update.version),
    }

    live.update(&[Change::Open("door 7".into())])?;
    let opened = live.snapshot().find(points[0], points[1])?;
    println!(
        "{:.1} m when it is open, version {}",
        opened.length(),
        opened.version
    );
    Ok(())
}
