// The shortest useful program: one path through two rooms and a door.
//
// `cargo run --example first_path`

use glam::vec3;
use portolan::parts::NavMeshOptions;
use portolan::{IndexOptions, NavMesh, RawNavMesh};

fn main() -> Result<(), portolan::Error> {
    let mut raw = RawNavMesh::default();
    for z in [0.0, 3.0, 4.0, 8.0] {
        raw.vertices
            .extend([0.0, 4.0, 5.0, 9.0].map(|x| vec3(x, 0.0, z)));
    }
    raw.polygons.push([0, 1, 5, 9, 13, 12]); // the first room; vertices 5 and 9 are the doorposts
    raw.polygons.push([5, 6, 10, 9]); // the door
    raw.polygons.push([2, 3, 15, 14, 10, 6]); // the second room

    let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    let path = world.find([1.0, 0.0, 1.0], [8.0, 0.0, 7.0])?;
    println!("{:.2} m over {:?}", path.length(), path.waypoints);
    Ok(())
}
