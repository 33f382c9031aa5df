// From a level file to a walking agent: `cargo run --example my_level -- level.glb`
use portolan::{BakeOptions, IndexOptions, Path, Query, Scratch};

fn main() -> Result<(), portolan::Error> {
    let yard = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/yard.obj");
    let file = std::env::args().nth(1).filter(|file| file.contains('.'));
    let level = portolan::read_level(file.as_deref().unwrap_or(yard))?;
    let mesh = portolan::bake(&level, &BakeOptions::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;

    // Finds a path between the first and the last polygon of the largest component.
    let (mesh, components) = (world.mesh(), world.mesh().components());
    let mut polygons = (mesh.polygons()).filter(|&p| components.of(p) == components.largest());
    let first = polygons.next().expect("a mesh has polygons");
    let last = polygons.last().unwrap_or(first);
    let query = Query::new(mesh.centre(first), mesh.centre(last));
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let status = world.find_path(&query, &mut scratch, &mut path)?;
    println!("{status}, {:.1} m long", path.length());

    // Walks along it at 1.4 m/s, with one step per frame and 60 frames per second.
    let (mut agent, mut frames) = (query.from, 0);
    for &waypoint in &path.waypoints {
        while agent != waypoint {
            (agent, frames) = (agent.move_towards(waypoint, 1.4 / 60.0), frames + 1);
        }
    }
    println!("at {agent} after {:.1} s", frames as f32 / 60.0);
    Ok(())
}
