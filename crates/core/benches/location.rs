//! What it takes to find the polygon of a point, at random places all over the world, so that hardly
//! anything is in a cache: `cargo bench -p portolan-core --bench location`. And what it takes to walk over
//! hills, whose heights are looked up in the same triangles.

use std::fmt;

use divan::Bencher;
use glam::{Vec3, vec3};
use portolan_core::{
    DEFAULT_SNAP, NavMesh, NavMeshOptions, Path, Query, RawNavMesh, Scratch, Status, World,
};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

fn main() {
    divan::main();
}

const PLACES: usize = 100_000;
/// Enough to be sure of, few enough to look at every polygon for.
const CHECKED: usize = 5;

#[derive(Clone, Copy)]
struct Case(WorldScene, usize);

const CASES: [Case; 6] = [
    Case(WorldScene::Rooms, 12_000),
    Case(WorldScene::Open, 12_000),
    Case(WorldScene::Rooms, 90_000),
    Case(WorldScene::Open, 90_000),
    Case(WorldScene::Rooms, 1_000_000),
    Case(WorldScene::Open, 1_000_000),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// So many polygons of hilly ground, with 200 triangles each.
const HILLS: [usize; 2] = [1000, 12_000];
const PARTS: u16 = 10;

#[divan::bench(args = CASES, sample_count = 5, sample_size = PLACES as u32)]
fn locate(bencher: Bencher<'_, '_>, Case(scene, polygons): Case) {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    locate_on(bencher, scene.build(&options));
}

#[divan::bench(args = HILLS, sample_count = 5, sample_size = PLACES as u32)]
fn locate_on_hills(bencher: Bencher<'_, '_>, polygons: usize) {
    locate_on(bencher, portolan_oracle::hills::hills(polygons, PARTS, 1));
}

fn locate_on(bencher: Bencher<'_, '_>, raw: RawNavMesh) {
    let mesh = NavMesh::build(raw, &NavMeshOptions::default());
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

/// Waypoints that follow the ground over a corridor of some 25 polygons; the same path with corners
/// only is in `corners_on_hills`.
#[divan::bench(args = HILLS, sample_count = 5, sample_size = 1000)]
fn follow_hills(bencher: Bencher<'_, '_>, polygons: usize) {
    walk_hills(bencher, polygons, 0.2);
}

#[divan::bench(args = HILLS, sample_count = 5, sample_size = 1000)]
fn corners_on_hills(bencher: Bencher<'_, '_>, polygons: usize) {
    walk_hills(bencher, polygons, f32::INFINITY);
}

fn walk_hills(bencher: Bencher<'_, '_>, polygons: usize, ground_tolerance: f32) {
    let raw = portolan_oracle::hills::hills(polygons, PARTS, 1);
    let world = World::build(raw, &NavMeshOptions::default()).expect("a sound world");
    let bounds = world.mesh().bounds();
    let is_inside = |place: &Vec3| place.cmpgt(bounds.min).all() && place.cmplt(bounds.max).all();
    let starts = RandomPoints::new(world.mesh(), 5);
    let legs = starts.map(|start| [start, start + vec3(190.0, 0.0, 130.0)]);
    let legs: Vec<_> = legs.filter(|leg| is_inside(&leg[1])).take(100).collect();
    let queries = legs.into_iter().map(|[start, goal]| Query {
        ground_tolerance,
        snap: vec3(1.0, 20.0, 1.0),
        ..Query::new(start, goal)
    });
    let queries: Vec<_> = queries.collect();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for query in &queries {
        let status = world
            .find_path(query, &mut scratch, &mut path)
            .expect("an engine of this world");
        assert_eq!(status, Status::Found);
        assert!(path.corridor.polygons.len() > 20);
    }
    let mut next = queries.iter().cycle();
    bencher
        .with_inputs(|| next.next().expect("an endless list"))
        .bench_local_values(|query| {
            world
                .find_path(query, &mut scratch, &mut path)
                .expect("an engine of this world")
        });
}
