// Computes what it costs from each of 50 agents to each of 20 tasks, and the length of one of the paths.
//
// `cargo run --release --example matrix`

use portolan::frame::{DEFAULT_SNAP, Terminal};
use portolan::{IndexOptions, NavMesh, Path, Scratch, Status};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = NavMesh::build(raw, &Default::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    let mut points = RandomPoints::new(world.mesh(), 7);
    let agents: Vec<_> = points.by_ref().take(50).collect();
    let tasks: Vec<_> = points.take(20).collect();

    // One row per agent, computed in parallel.
    let many = world.many();
    let agents = many.ends(Terminal::Start, &agents, DEFAULT_SNAP);
    let tasks = many.ends(Terminal::Goal, &tasks, DEFAULT_SNAP);
    let mut costs = Vec::new();
    many.matrix(&agents, &tasks, &mut costs);

    // The cheapest pair.
    let cheapest = (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
    let cheapest = cheapest.ok_or("no agents or no tasks")?;
    let (agent, task) = (cheapest / tasks.len(), cheapest % tasks.len());

    // Costs are those of the graph. The waypoints of a path are pulled taut, and may be shorter.
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let [start, goal] = [agents.location(agent)?, tasks.location(task)?];
    let status = many.path(start, goal, &mut scratch, &mut path);
    assert_eq!(status, Status::Found);
    assert_eq!(path.cost, costs[cheapest]);
    println!("agent {agent} walks {:.1} m to task {task}", path.length());
    Ok(())
}
