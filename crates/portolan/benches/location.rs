//! What it takes to find the polygon of a point, at random places all over the world, so that hardly
//! anything is in a cache: `cargo bench -p portolan --bench location`.

use std::fmt;

use divan::Bencher;
use glam::{Vec3, vec3};
use portolan::worlds::{RandomPoints, Scene, WorldOptions};
use portolan::{DEFAULT_SNAP, NavMesh, NavMeshOptions};

fn main() {
    divan::main();
}

const PLACES: usize = 100_000;
/// Enough to be sure of, few enough to look at every polygon for.
const CHECKED: usize = 5;

#[derive(Clone, Copy)]
struct Case(Scene, usize);

const CASES: [Case; 6] = [
    Case(Scene::Rooms, 12_000),
    Case(Scene::Open, 12_000),
    Case(Scene::Rooms, 90_000),
    Case(Scene::Open, 90_000),
    Case(Scene::Rooms, 1_000_000),
    Case(Scene::Open, 1_000_000),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

#[divan::bench(args = CASES, sample_count = 5, sample_size = PLACES as u32)]
fn locate(bencher: Bencher<'_, '_>, Case(scene, polygons): Case) {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
    let mesh = mesh.expect("a sound world");
    // A step beside where they were drawn, and above the ground, as agents are.
    let places = RandomPoints::new(&mesh, 3).map(|place| place + vec3(0.05, 0.3, 0.02));
    let places: Vec<Vec3> = places.take(PLACES).collect();
    for &place in &places[..CHECKED] {
        let nearest = mesh
            .polygons()
            .map(|polygon| mesh.nearest_on(polygon, place));
        let nearest = nearest
            .map(|point| point.distance(place))
            .fold(f32::INFINITY, f32::min);
        let found = mesh
            .locate(place, DEFAULT_SNAP, |_| true)
            .expect("a place on the mesh");
        assert_eq!(found.point.distance(place), nearest);
    }
    let mut next = places.iter().cycle();
    bencher
        .with_inputs(|| *next.next().expect("an endless list"))
        .bench_local_values(|place| mesh.locate(place, DEFAULT_SNAP, |_| true));
}
