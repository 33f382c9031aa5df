// Leads an agent along a path while something pushes it about. `cargo run --release --example follow`

use glam::vec3;
use portolan::World;
use portolan::frame::{Follow, Follower, ProbeScratch};
use portolan::parts::NavMeshOptions;
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = WorldScene::Rooms.build(&WorldOptions::default());
    let world = World::build(level, &NavMeshOptions::default())?;
    let points: Vec<_> = RandomPoints::new(world.mesh(), 3).take(2).collect();
    let path = world.find(points[0], points[1])?;

    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let (mut follower, mut position) = (Follower::new(), points[0]);
    follower.set_path(&path);
    for frame in 0.. {
        match follower.advance(&probe, position, &mut scratch) {
            Follow::Arrived => {
                println!("arrived after {frame} frames");
                break;
            }
            // A game would play an animation from `link.start` to `link.end` here.
            Follow::Link(_) => follower.leave_link(world.mesh()),
            Follow::Walk | Follow::Astray | Follow::NoPath => {}
        }
        let here = follower.location().expect("there is a path").point;
        if follower.needs_path() {
            follower.set_path(&world.find(here, points[1])?);
        }
        let corner = follower.corners(&probe, 1)[0].point;
        // 5 m/s at 60 frames per second, and a push to the side every second.
        let push = if frame % 60 == 59 { 1.5 } else { 0.0 };
        position = here + (corner - here).clamp_length_max(5.0 / 60.0) + vec3(push, 0.0, push);
    }
    Ok(())
}
