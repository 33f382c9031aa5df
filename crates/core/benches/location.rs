//! Benchmarks point location and paths over hills: `cargo bench -p portolan-core --bench location`. Points are random
//! and spread over the world, so most accesses miss the caches, except in `locate_two_points`, whose caches are warm. Waypoints over hills look up heights in the same
//! triangles as point location.

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

/// The number of points that each sample locates.
const POINTS: usize = 100_000;
/// The number of points whose location is compared with a scan over every polygon.
const CHECKED_POINTS: usize = 5;

/// A scene and its number of polygons.
#[derive(Clone, Copy)]
struct LocationCase(WorldScene, usize);

const CASES: [LocationCase; 6] = [
    LocationCase(WorldScene::Rooms, 12_000),
    LocationCase(WorldScene::Open, 12_000),
    LocationCase(WorldScene::Rooms, 90_000),
    LocationCase(WorldScene::Open, 90_000),
    LocationCase(WorldScene::Rooms, 1_000_000),
    LocationCase(WorldScene::Open, 1_000_000),
];

impl fmt::Display for LocationCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// The number of pairs of points that `locate_two_points` repeats.
const PAIRS: usize = 1000;
const TWO_POINTS: [LocationCase; 3] = [
    LocationCase(WorldScene::Rooms, 5500),
    LocationCase(WorldScene::Open, 5500),
    LocationCase(WorldScene::Open, 20_000),
];

/// The numbers of polygons of hilly ground.
const HILLS: [usize; 2] = [1000, 12_000];
/// The side of the grid of each polygon's finer surface, which has 200 triangles.
const PARTS: u16 = 10;

#[divan::bench(args = CASES, sample_count = 5, sample_size = POINTS as u32)]
fn locate(bencher: Bencher<'_, '_>, LocationCase(scene, polygons): LocationCase) {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    locate_on(bencher, scene.build(&options));
}

#[divan::bench(args = HILLS, sample_count = 5, sample_size = POINTS as u32)]
fn locate_on_hills(bencher: Bencher<'_, '_>, polygons: usize) {
    locate_on(bencher, portolan_oracle::hills::hills(polygons, PARTS, 1));
}

/// Locates two points, as a query does, again and again among the same 1000 pairs.
#[divan::bench(args = TWO_POINTS, sample_count = 20, sample_size = PAIRS as u32)]
fn locate_two_points(bencher: Bencher<'_, '_>, LocationCase(scene, polygons): LocationCase) {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    locate_pairs(bencher, scene.build(&options));
}

#[divan::bench(sample_count = 20, sample_size = PAIRS as u32)]
fn locate_two_points_on_hills(bencher: Bencher<'_, '_>) {
    locate_pairs(bencher, portolan_oracle::hills::hills(HILLS[0], PARTS, 1));
}

fn locate_pairs(bencher: Bencher<'_, '_>, raw: RawNavMesh) {
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid world");
    let mut points = RandomPoints::new(&mesh, 3);
    let pairs: Vec<[Vec3; 2]> = (0..PAIRS)
        .map(|_| [(); 2].map(|()| points.next().expect("the iterator is endless")))
        .collect();
    let locate = |point| mesh.locate(point, DEFAULT_SNAP, |_| true);
    assert!(pairs.iter().flatten().all(|&point| locate(point).is_some()));
    let mut next = pairs.iter().cycle();
    bencher
        .with_inputs(|| *next.next().expect("the iterator is endless"))
        .bench_local_values(|pair| pair.map(locate));
}

fn locate_on(bencher: Bencher<'_, '_>, raw: RawNavMesh) {
    let mesh = NavMesh::build(raw, &NavMeshOptions::default());
    let mesh = mesh.expect("a valid world");
    // Like the positions of agents, the points are a little above the ground.
    let points = RandomPoints::new(&mesh, 3).map(|point| point + vec3(0.05, 0.3, 0.02));
    let points: Vec<Vec3> = points.take(POINTS).collect();
    for &point in &points[..CHECKED_POINTS] {
        let nearest = mesh
            .polygons()
            .map(|polygon| mesh.nearest_on(polygon, point).distance(point))
            .fold(f32::INFINITY, f32::min);
        let found = mesh
            .locate(point, DEFAULT_SNAP, |_| true)
            .expect("the point is on the mesh");
        assert_eq!(found.point.distance(point), nearest);
    }
    let mut next = points.iter().cycle();
    bencher
        .with_inputs(|| *next.next().expect("the iterator is endless"))
        .bench_local_values(|point| mesh.locate(point, DEFAULT_SNAP, |_| true));
}

/// Finds paths through about 25 polygons whose waypoints follow the ground. `corners_on_hills` finds the same paths
/// with corners only.
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
    let world = World::build(raw, &NavMeshOptions::default()).expect("a valid world");
    let bounds = world.mesh().bounds();
    let is_inside = |point: &Vec3| point.cmpgt(bounds.min).all() && point.cmplt(bounds.max).all();
    let starts = RandomPoints::new(world.mesh(), 5);
    let ends = starts.map(|start| [start, start + vec3(190.0, 0.0, 130.0)]);
    let ends = ends.filter(|[_, goal]| is_inside(goal)).take(100);
    let queries = ends.map(|[start, goal]| Query {
        ground_tolerance,
        snap: vec3(1.0, 20.0, 1.0),
        ..Query::new(start, goal)
    });
    let queries: Vec<_> = queries.collect();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for query in &queries {
        let status = world
            .find_path(query, &mut scratch, &mut path)
            .expect("the world has this engine");
        assert_eq!(status, Status::Found);
        assert!(path.corridor.polygons.len() > 20);
    }
    let mut next = queries.iter().cycle();
    bencher
        .with_inputs(|| next.next().expect("the iterator is endless"))
        .bench_local_values(|query| {
            world
                .find_path(query, &mut scratch, &mut path)
                .expect("the world has this engine")
        });
}
