//! Benchmarks the steps of a query: `cargo bench -p portolan-core --bench query`. Times are per query. `location.rs`
//! benchmarks point location. `waypoints` times string pulling through a known corridor.

use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;

use divan::{Bencher, black_box};
use oorandom::Rand32;
use portolan_core::{
    Anytime, Budget, Endpoints, Engine, NavMesh, NavMeshOptions, Path, PendingSearch, PolygonId,
    Query, Scratch, SearchProgress, Status, World,
};
use portolan_measure::{same_cost, timed_search};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

const QUERIES: usize = 100;
/// The number of queries of benchmarks that are slow or store a path per query.
const FEW_QUERIES: usize = 10;

/// A scene and its number of polygons.
#[derive(Clone, Copy)]
struct QueryCase(WorldScene, usize);

const CASES: [QueryCase; 4] = [
    QueryCase(WorldScene::Rooms, 12_000),
    QueryCase(WorldScene::Open, 12_000),
    QueryCase(WorldScene::Rooms, 90_000),
    QueryCase(WorldScene::Open, 90_000),
];

impl fmt::Display for QueryCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// A world, and queries that have a path in it.
struct Fixture {
    world: World,
    queries: Vec<Query<'static>>,
}

impl QueryCase {
    /// Returns the fixture of this case. It is built and checked once, before anything is timed.
    fn fixture(self) -> &'static Fixture {
        static FIXTURES: [OnceLock<Fixture>; CASES.len()] =
            [const { OnceLock::new() }; CASES.len()];
        let index = CASES
            .iter()
            .position(|case| case.0 == self.0 && case.1 == self.1);
        FIXTURES[index.expect("one of the cases")].get_or_init(|| Fixture::new(self))
    }
}

impl Fixture {
    fn new(QueryCase(scene, polygons): QueryCase) -> Self {
        let options = WorldOptions {
            polygons,
            ..WorldOptions::default()
        };
        let world = World::build(scene.build(&options), &NavMeshOptions::default());
        let world = world.expect("a valid world");
        let mut random = Rand32::new(7);
        let mut point = || {
            let mesh: &NavMesh = world.mesh();
            mesh.centre(PolygonId(random.rand_range(0..mesh.polygon_count() as u32)))
        };
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut queries = Vec::new();
        while queries.len() < QUERIES {
            let query = Query::new(point(), point());
            if world
                .find_path(&query, &mut scratch, &mut path)
                .expect("the world has this engine")
                != Status::Found
            {
                continue;
            }
            let cost = path.cost;
            let reference = Query {
                engine: Engine::Dijkstra,
                ..query
            };
            assert_eq!(
                world
                    .find_path(&reference, &mut scratch, &mut path)
                    .expect("the world has this engine"),
                Status::Found
            );
            assert!(
                same_cost(cost, path.cost),
                "{cost} instead of {}",
                path.cost
            );
            queries.push(query);
        }
        Self { world, queries }
    }

    fn endpoints(&self, query: &Query<'_>) -> Endpoints {
        self.world
            .locate(query)
            .expect("the world has this engine")
            .endpoints()
            .expect("both endpoints are on the mesh")
    }

    /// Times the searches of the first `count` queries.
    fn search(&self, bencher: Bencher<'_, '_>, engine: Engine, count: usize) {
        let queries = self.queries[..count].iter().map(|&query| {
            let query = Query { engine, ..query };
            (query, self.endpoints(&query))
        });
        let queries: Vec<_> = queries.collect();
        let next = cycle(&queries);
        let mut scratch = Scratch::new();
        bencher
            .with_inputs(next)
            .bench_local_values(|(query, ends)| {
                timed_search(&self.world, query, ends, &mut scratch)
                    .expect("the world has this engine")
            });
    }
}

/// Returns a function that returns the elements of a list in order, again and again.
fn cycle<'a, T>(list: &'a [T]) -> impl FnMut() -> &'a T {
    let mut elements = list.iter().cycle();
    move || elements.next().expect("the list is not empty")
}

#[divan::bench(args = CASES, sample_count = 10, sample_size = QUERIES as u32)]
fn astar(bencher: Bencher<'_, '_>, case: QueryCase) {
    case.fixture().search(bencher, Engine::AStar, QUERIES);
}

/// A* in a search that could pause, in slices of so many expansions. Compare with `astar`.
#[divan::bench(args = CASES, consts = [usize::MAX, 1000, 100], sample_count = 10, sample_size = QUERIES as u32)]
fn astar_in_slices<const SLICE: usize>(bencher: Bencher<'_, '_>, case: QueryCase) {
    let fixture = case.fixture();
    let (world, mut search) = (&fixture.world, PendingSearch::new());
    bencher
        .with_inputs(cycle(&fixture.queries))
        .bench_local_values(|&query| {
            let query = Query {
                engine: Engine::AStar,
                ..query
            };
            search.begin(world, &query).expect("an engine");
            while search.run(world, Budget::expansions(SLICE)) == Ok(SearchProgress::Running) {}
            assert!(search.is_done());
        });
}

/// The first path of an anytime query, or all paths until the best. Compare with `astar`.
#[divan::bench(args = CASES, consts = [false, true], sample_count = 10, sample_size = QUERIES as u32)]
fn anytime<const TO_THE_END: bool>(bencher: Bencher<'_, '_>, case: QueryCase) {
    let fixture = case.fixture();
    let (world, mut search) = (&fixture.world, Anytime::new());
    bencher
        .with_inputs(cycle(&fixture.queries))
        .bench_local_values(|&query| {
            let query = Query {
                engine: Engine::AStar,
                ..query
            };
            search.begin(world, &query).expect("an engine");
            loop {
                search
                    .improve(world, Budget::UNLIMITED)
                    .expect("this world");
                if !TO_THE_END || search.is_done() {
                    break search.bound().expect("a path");
                }
            }
        });
}

#[divan::bench(args = CASES, sample_count = 4, sample_size = FEW_QUERIES as u32)]
fn dijkstra(bencher: Bencher<'_, '_>, case: QueryCase) {
    case.fixture()
        .search(bencher, Engine::Dijkstra, FEW_QUERIES);
}

#[divan::bench(args = CASES, sample_count = 50, sample_size = FEW_QUERIES as u32)]
fn waypoints(bencher: Bencher<'_, '_>, case: QueryCase) {
    let fixture = case.fixture();
    let mut scratch = Scratch::new();
    let found = fixture.queries[..FEW_QUERIES].iter().map(|query| {
        let mut path = Path::default();
        let status = fixture.world.find_path(query, &mut scratch, &mut path);
        assert_eq!(status, Ok(Status::Found));
        let located = fixture
            .world
            .locate(query)
            .expect("the world has this engine");
        (located, RefCell::new(path))
    });
    let found: Vec<_> = found.collect();
    bencher
        .with_inputs(cycle(&found))
        .bench_local_values(|(located, path)| {
            let path = &mut path.borrow_mut();
            located.pull(&mut scratch, path);
            black_box(&path);
        });
}

#[divan::bench(args = CASES, sample_count = 10, sample_size = QUERIES as u32)]
fn full_query(bencher: Bencher<'_, '_>, case: QueryCase) {
    let fixture = case.fixture();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    bencher
        .with_inputs(cycle(&fixture.queries))
        .bench_local_values(|query| {
            let status = fixture
                .world
                .find_path(query, &mut scratch, &mut path)
                .expect("the world has this engine");
            black_box(&path);
            status
        });
}
