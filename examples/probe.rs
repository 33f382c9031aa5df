// What a game asks about the ground every frame. `cargo run --example probe`
use glam::vec3;
use portolan::frame::{DEFAULT_SNAP, ProbeScratch, RandomPoints};
use portolan::parts::NavMeshOptions;
use portolan::{NavMesh, RawNavMesh, World};

fn main() -> Result<(), portolan::Error> {
    // Two rooms and a door between them.
    let mut raw = RawNavMesh::default();
    for z in [0.0, 3.0, 4.0, 8.0] {
        let row = [0.0, 4.0, 5.0, 9.0].map(|x| vec3(x, 0.0, z));
        raw.vertices.extend(row);
    }
    raw.polygons.push([0, 1, 5, 9, 13, 12]);
    raw.polygons.push([5, 6, 10, 9]);
    raw.polygons.push([2, 3, 15, 14, 10, 6]);
    let world = World::from_mesh(NavMesh::build(raw, &NavMeshOptions::default())?);

    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let locate = |x, z| probe.nearest(vec3(x, 0.1, z), DEFAULT_SNAP);
    let (agent, goal) = (locate(2.0, 2.0).unwrap(), locate(8.0, 7.0).unwrap());
    assert!(probe.is_reachable(agent, goal) && !probe.sees(agent, goal));

    // A ray to the goal hits the wall beside the door.
    let ray = probe.ray(agent, goal.point, &mut Vec::new());
    println!("free for {} of the way: {:?}", ray.fraction, ray.hit);

    // An agent that walks into the wall slides along it.
    let moved = probe.slide(agent, vec3(4.5, 0.0, 2.5), &mut scratch);
    assert_eq!(moved.point, vec3(4.0, 0.0, 2.5));
    let wall = probe.nearest_wall(moved, 1.0, &mut scratch).unwrap();
    assert_eq!((wall.distance, wall.normal), (0.0, vec3(-1.0, 0.0, 0.0)));

    let mut random = RandomPoints::new(probe, 7);
    println!(
        "a random goal: {:?}",
        random.within(agent, 3.0, &mut scratch)
    );
    Ok(())
}
