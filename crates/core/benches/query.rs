//! What a query takes, step by step: `cargo bench -p portolan-core --bench query`. Times are a
//! query; location has a bench of its own. Waypoints are those along a known corridor.

use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;

use divan::{Bencher, black_box};
use oorandom::Rand32;
use portolan_core::{
    Endpoints, Engine, NavMesh, NavMeshOptions, Path, PolygonId, Query, Scratch, Status, World,
};
use portolan_measure::{same_cost, timed_search};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

const QUERIES: usize = 100;
/// For what is slow, or needs a path a query.
const FEW: usize = 10;

#[derive(Clone, Copy)]
struct Case(WorldScene, usize);

const CASES: [Case; 4] = [
    Case(WorldScene::Rooms, 12_000),
    Case(WorldScene::Open, 12_000),
    Case(WorldScene::Rooms, 90_000),
    Case(WorldScene::Open, 90_000),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// A world and queries that have a path in it.
struct Stage {
    world: World,
    queries: Vec<Query<'static>>,
}

impl Case {
    /// Built and checked once, before anything is timed.
    fn stage(self) -> &'static Stage {
        static STAGES: [OnceLock<Stage>; CASES.len()] = [const { OnceLock::new() }; CASES.len()];
        let index = CASES
            .iter()
            .position(|case| case.0 == self.0 && case.1 == self.1);
        STAGES[index.expect("one of the cases")].get_or_init(|| Stage::new(self))
    }
}

impl Stage {
    fn new(Case(scene, polygons): Case) -> Self {
        let options = WorldOptions {
            polygons,
            ..WorldOptions::default()
        };
        let world = World::build(scene.build(&options), &NavMeshOptions::default());
        let world = world.expect("a sound world");
        let mut random = Rand32::new(7);
        let mut place = || {
            let mesh: &NavMesh = world.mesh();
            mesh.centre(PolygonId(random.rand_range(0..mesh.polygon_count() as u32)))
        };
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut queries = Vec::new();
        while queries.len() < QUERIES {
            let query = Query::new(place(), place());
            if world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world")
                != Status::Found
            {
                continue;
            }
            let cost = path.cost;
            let slow = Query {
                engine: Engine::Dijkstra,
                ..query
            };
            assert_eq!(
                world
                    .find_path(&slow, &mut scratch, &mut path)
                    .expect("an engine of this world"),
                Status::Found
            );
            assert!(same_cost(cost, path.cost), "{cost} and not {}", path.cost);
            queries.push(query);
        }
        Self { world, queries }
    }

    fn ends(&self, query: &Query<'_>) -> Endpoints {
        self.world
            .locate(query)
            .expect("an engine of this world")
            .endpoints()
            .expect("a query on the mesh")
    }

    /// Times searches among the first `count` queries.
    fn search(&self, bencher: Bencher<'_, '_>, engine: Engine, count: usize) {
        let queries = self.queries[..count].iter().map(|&query| {
            let query = Query { engine, ..query };
            (query, self.ends(&query))
        });
        let queries: Vec<_> = queries.collect();
        let next = around(&queries);
        let mut scratch = Scratch::new();
        bencher
            .with_inputs(next)
            .bench_local_values(|(query, ends)| {
                timed_search(&self.world, query, ends, &mut scratch)
                    .expect("an engine of this world")
            });
    }
}

/// Goes around a list again and again.
fn around<'a, T>(list: &'a [T]) -> impl FnMut() -> &'a T {
    let mut turns = list.iter().cycle();
    move || turns.next().expect("an endless list")
}

#[divan::bench(args = CASES, sample_count = 10, sample_size = QUERIES as u32)]
fn astar(bencher: Bencher<'_, '_>, case: Case) {
    case.stage().search(bencher, Engine::AStar, QUERIES);
}

#[divan::bench(args = CASES, sample_count = 4, sample_size = FEW as u32)]
fn dijkstra(bencher: Bencher<'_, '_>, case: Case) {
    case.stage().search(bencher, Engine::Dijkstra, FEW);
}

#[divan::bench(args = CASES, sample_count = 50, sample_size = FEW as u32)]
fn waypoints(bencher: Bencher<'_, '_>, case: Case) {
    let stage = case.stage();
    let mut scratch = Scratch::new();
    let found = stage.queries[..FEW].iter().map(|query| {
        let mut path = Path::default();
        let status = stage.world.find_path(query, &mut scratch, &mut path);
        assert_eq!(status, Ok(Status::Found));
        let located = stage.world.locate(query).expect("an engine of this world");
        (located, RefCell::new(path))
    });
    let found: Vec<_> = found.collect();
    bencher
        .with_inputs(around(&found))
        .bench_local_values(|(located, path)| {
            let path = &mut path.borrow_mut();
            located.pull(&mut scratch, path);
            black_box(&path);
        });
}

#[divan::bench(args = CASES, sample_count = 10, sample_size = QUERIES as u32)]
fn whole_query(bencher: Bencher<'_, '_>, case: Case) {
    let stage = case.stage();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    bencher
        .with_inputs(around(&stage.queries))
        .bench_local_values(|query| {
            let status = stage
                .world
                .find_path(query, &mut scratch, &mut path)
                .expect("an engine of this world");
            black_box(&path);
            status
        });
}
