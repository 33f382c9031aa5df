//! Benchmarks what a game asks about the ground every frame: `cargo bench -p portolan-core --bench probe`. Locations
//! are random and spread over a world of 12 000 polygons. Targets of moves are 0.1 m away, as for an agent of 6 m/s at
//! 60 frames per second, and circles have a radius of 2 m.

use divan::Bencher;
use glam::{Vec3, vec3};
use portolan_core::{
    DEFAULT_SNAP, Location, NavMeshOptions, Probe, ProbeScratch, RandomPoints, World,
};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

/// The number of questions that each sample asks.
const QUESTIONS: usize = 10_000;
/// The radius of circles. [Units: m]
const RADIUS: f32 = 2.0;
/// The distance that an agent moves in a frame. [Units: m]
const STEP: f32 = 0.1;

const SCENES: [WorldScene; 2] = [WorldScene::Rooms, WorldScene::Open];

fn world(scene: WorldScene) -> World {
    let options = WorldOptions {
        polygons: 12_000,
        ..WorldOptions::default()
    };
    let raw = scene.build(&options);
    World::build(raw, &NavMeshOptions::default()).expect("a valid world")
}

/// Asks a question about random locations, each with a location that is reachable from it.
fn ask<T>(
    bencher: Bencher<'_, '_>,
    scene: WorldScene,
    mut question: impl FnMut(Probe<'_>, Location, Location) -> T,
) {
    let world = world(scene);
    let probe = world.probe();
    let mut random = RandomPoints::new(probe, 3);
    let ends: Vec<[Location; 2]> = (0..QUESTIONS)
        .map(|_| {
            let from = random.anywhere().expect("open ground");
            [from, random.reachable(from).expect("open ground")]
        })
        .collect();
    let mut next = ends.iter().cycle();
    bencher
        .with_inputs(|| *next.next().expect("the iterator is endless"))
        .bench_local_values(|[from, to]| question(probe, from, to));
}

/// Returns a point at a distance from a location, in the direction of another.
fn towards(from: Location, to: Location, distance: f32) -> Vec3 {
    from.point + (to.point - from.point).with_y(0.0).normalize_or_zero() * distance
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn nearest(bencher: Bencher<'_, '_>, scene: WorldScene) {
    ask(bencher, scene, |probe, from, _| {
        let nearest = probe.nearest(from.point + vec3(0.05, 0.3, 0.02), DEFAULT_SNAP);
        assert!(nearest.is_some());
        nearest
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn nearest_reachable(bencher: Bencher<'_, '_>, scene: WorldScene) {
    ask(bencher, scene, |probe, from, to| {
        let nearest = probe.nearest_reachable(from, to.point + Vec3::Y, RADIUS);
        assert!(nearest.is_some());
        nearest
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn ray_of_10_m(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let mut crossed = Vec::new();
    ask(bencher, scene, |probe, from, to| {
        let ray = probe.ray(from, towards(from, to, 10.0), &mut crossed);
        assert_eq!(ray.hit.is_none(), ray.fraction == 1.0);
        ray
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn sees(bencher: Bencher<'_, '_>, scene: WorldScene) {
    ask(bencher, scene, |probe, from, to| probe.sees(from, to));
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn slide(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let mut scratch = ProbeScratch::new();
    ask(bencher, scene, |probe, from, to| {
        let target = towards(from, to, STEP);
        let moved = probe.slide(from, target, &mut scratch);
        assert!((moved.point - target).with_y(0.0).length() <= 1.01 * STEP);
        moved
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn nearest_wall(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let mut scratch = ProbeScratch::new();
    ask(bencher, scene, |probe, from, _| {
        let wall = probe.nearest_wall(from, RADIUS, &mut scratch);
        assert!(wall.is_none_or(|wall| wall.distance <= RADIUS));
        wall
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn walls_within(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let (mut scratch, mut walls) = (ProbeScratch::new(), Vec::new());
    ask(bencher, scene, |probe, from, _| {
        probe.walls_within(from, RADIUS, &mut scratch, &mut walls);
        assert!(walls.iter().all(|wall| wall.distance <= RADIUS));
        walls.len()
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn polygons_within(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let (mut scratch, mut polygons) = (ProbeScratch::new(), Vec::new());
    ask(bencher, scene, |probe, from, _| {
        probe.polygons_within(from, RADIUS, &mut scratch, &mut polygons);
        assert_eq!(polygons.first(), Some(&from.polygon));
        polygons.len()
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn is_reachable(bencher: Bencher<'_, '_>, scene: WorldScene) {
    ask(bencher, scene, |probe, from, to| {
        assert!(probe.is_reachable(from, to));
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn polygon_of(bencher: Bencher<'_, '_>, scene: WorldScene) {
    ask(bencher, scene, |probe, from, _| {
        let id = probe.mesh().user_id(from.polygon);
        assert!(probe.polygon_of(id).is_some());
    });
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn random_reachable(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let world = world(scene);
    let mut random = RandomPoints::new(world.probe(), 3);
    let start = random.anywhere().expect("open ground");
    bencher.bench_local(|| random.reachable(start).expect("open ground"));
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = QUESTIONS as u32)]
fn random_within(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let (world, mut scratch) = (world(scene), ProbeScratch::new());
    let mut random = RandomPoints::new(world.probe(), 3);
    let mut starts = RandomPoints::new(world.probe(), 4);
    bencher
        .with_inputs(|| starts.anywhere().expect("open ground"))
        .bench_local_values(|start| random.within(start, RADIUS, &mut scratch));
}
