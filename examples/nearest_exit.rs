// Finds the nearest of 100 exits by path for every agent on a map.
//
// `cargo run --release --example nearest_exit`

use portolan::frame::{DEFAULT_SNAP, ManyScratch, Terminal};
use portolan::{IndexOptions, NavMesh};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = NavMesh::build(raw, &Default::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    let mut points = RandomPoints::new(world.mesh(), 7);

    // Prepare the exits once. The time of a question does not depend on their number.
    let many = world.many();
    let exits: Vec<_> = points.by_ref().take(100).collect();
    let exits = many.nearest_ends(many.ends(Terminal::Goal, &exits, DEFAULT_SNAP));

    let mut scratch = ManyScratch::default();
    let (mut farthest, mut costs) = (0.0, Vec::new());
    for agent in points.take(1000) {
        let agent = many.locate(agent, DEFAULT_SNAP).ok_or("off the mesh")?;
        let nearest = exits.find(many, agent, &mut scratch).ok_or("no exit")?;
        farthest = nearest.cost.max(farthest);

        // No exit is cheaper.
        many.costs(agent, exits.ends(), &mut scratch, &mut costs);
        assert!(costs.iter().all(|&cost| nearest.cost <= cost));
        assert_eq!(nearest.cost, costs[nearest.index]);
    }
    println!("every agent has an exit within {farthest:.1} m");
    Ok(())
}
