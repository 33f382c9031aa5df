//! One frame of agents that follow their paths: a move, the corridor, the next corner.
//!
//! `cargo bench -p portolan-core --bench follow`. The numbers are per frame of all agents.

use divan::Bencher;
use glam::{Vec3, vec3};
use portolan_core::{
    Follow, Follower, NavMeshOptions, PolygonId, ProbeScratch, RandomPoints, World,
};
use portolan_scenes::{WorldOptions, WorldScene};

const AGENTS: usize = 10_000;
/// The distance that an agent walks per frame: 3 m/s at 60 frames per second. [Units: m]
const STEP: f32 = 0.05;

fn main() {
    divan::main();
}

fn world(scene: WorldScene) -> World {
    let options = WorldOptions {
        polygons: 12_000,
        ..WorldOptions::default()
    };
    World::build(scene.build(&options), &NavMeshOptions::default()).expect("a valid scene")
}

/// Agents on the way to random goals.
fn followers(world: &World) -> Vec<Follower> {
    let start = world
        .probe()
        .nearest(world.mesh().centre(PolygonId(0)), Vec3::ONE);
    let start = start.expect("on the mesh");
    let mut random = RandomPoints::new(world.probe(), 1);
    let mut paths = Vec::new();
    while paths.len() < 100 {
        let ends = [random.reachable(start), random.reachable(start)];
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        paths.extend(world.find(from.point, to.point));
    }
    (0..AGENTS)
        .map(|i| {
            let mut follower = Follower::new();
            follower.set_path(&paths[i % paths.len()]);
            follower
        })
        .collect()
}

/// Agents walk to their next corner, and every tenth of them is pushed half a metre.
#[divan::bench(args = [WorldScene::Open, WorldScene::Rooms], sample_count = 20, sample_size = 1)]
fn frame(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let world = world(scene);
    let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
    let mut followers = followers(&world);
    let mut number = 0usize;
    let counter = divan::counter::ItemsCount::new(AGENTS);
    bencher.counter(counter).bench_local(|| {
        for (i, follower) in followers.iter_mut().enumerate() {
            let here = follower.location().expect("a path").point;
            let target = follower.corners(&probe, 1)[0].point;
            let mut position = here + (target - here).clamp_length_max(STEP);
            number += 1;
            if number.is_multiple_of(10) {
                let side = [-0.35, 0.35];
                position += vec3(side[i % 2], 0.0, side[i / 2 % 2]);
            }
            let state = follower.advance(&probe, position, &mut scratch);
            assert!(state != Follow::NoPath);
        }
    });
}
