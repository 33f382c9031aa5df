// Sends 200 agents to the nearer of two goals. All of them follow one field, corner by corner.
//
// `cargo run --release --example flow_field`

use portolan::frame::{DEFAULT_SNAP, Field, FieldCornerKind, FieldScratch};
use portolan::{IndexOptions, NavMesh};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    let mesh = NavMesh::build(raw, &Default::default())?;
    let world = portolan::index(mesh, &IndexOptions::default())?;
    let many = world.many();
    let points = RandomPoints::new(world.mesh(), 7);
    let mut agents = points.filter_map(|point| many.locate(point, DEFAULT_SNAP));
    let goals: Vec<_> = agents.by_ref().take(2).collect();

    // Compute the field once; when the goals move, compute it again in the same memory.
    let mut field = Field::default();
    field.compute(many, &goals);

    let (mut scratch, mut arrived) = (FieldScratch::default(), [0; 2]);
    for mut agent in agents.take(200) {
        // Steps of 1 m, up to the goal.
        for _ in 0..10_000 {
            let corner = field.next_corner(many, agent, &mut scratch);
            let corner = corner.ok_or("no path")?;
            let distance = agent.point.distance(corner.point);
            if let (FieldCornerKind::Goal(goal), 0.0..=1.0) = (corner.kind, distance) {
                arrived[goal] += 1;
                break;
            }
            let point = agent.point.lerp(corner.point, 1f32.min(1.0 / distance));
            agent = many.locate(point, DEFAULT_SNAP).ok_or("off the mesh")?;
        }
    }
    println!("{arrived:?} agents at the two goals");
    assert_eq!(arrived[0] + arrived[1], 200);
    Ok(())
}
