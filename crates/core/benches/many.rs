//! Benchmarks questions with more than one start or goal: `cargo bench -p portolan-core --bench many`.
//! Preparing ends is not timed, except in `prepare`.

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use glam::Vec3;
use oorandom::Rand32;
use portolan_core::{
    Endpoints, Ends, Engine, Field, FieldScratch, Location, ManyScratch, NavMesh, NavMeshOptions,
    PolygonId, Query, SampleId, Scratch, Terminal, Tier, World,
};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

/// The number of starts and of goals of a matrix.
const ENDS: usize = 1000;
/// The number of exits among which the nearest is found.
const EXITS: usize = 100;
const POLYGONS: usize = 12_000;
/// The number of vertices that are not cut further by the order of the contraction.
const MIN_CELL: usize = 4;

/// A world with a contraction, and locations on it.
struct Fixture {
    world: World,
    locations: Vec<Location>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let options = WorldOptions {
        polygons: POLYGONS,
        ..WorldOptions::default()
    };
    let raw = WorldScene::Rooms.build(&options);
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid scene");
    let world = World::from_mesh(mesh);
    let order = order(&world);
    let world = world.with_contraction(order).expect("a valid order");
    let mut random = Rand32::new(7);
    let location = |_| {
        let polygon = PolygonId(random.rand_range(0..world.mesh().polygon_count() as u32));
        let point = world.mesh().centre(polygon);
        Location { polygon, point }
    };
    let locations = (0..2 * ENDS).map(location).collect();
    let fixture = Fixture { world, locations };
    fixture.check();
    fixture
});

/// Returns an order of nested dissection: vertices between two halves of the map come after both halves.
fn order(world: &World) -> Vec<u32> {
    let graph = world.graph();
    let mut neighbours = vec![Vec::new(); graph.sample_count()];
    for [a, b] in graph.adjacent() {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    let mut order = Vec::new();
    let mut side = vec![0; graph.sample_count()];
    let all = (0..graph.sample_count() as u32).collect();
    // The last cell is cut first, and its separator gets the highest ranks, so the list is in reverse.
    let mut cells: Vec<Vec<u32>> = vec![all];
    let mut cell_number = 0;
    while let Some(mut cell) = cells.pop() {
        if cell.len() <= MIN_CELL {
            order.extend(cell);
            continue;
        }
        let positions = || cell.iter().map(|&vertex| graph.position(SampleId(vertex)));
        let min = positions().fold(Vec3::INFINITY, Vec3::min);
        let max = positions().fold(Vec3::NEG_INFINITY, Vec3::max);
        let is_wide = (max - min).x > (max - min).z;
        let key = |vertex: u32| {
            let position = graph.position(SampleId(vertex));
            if is_wide { position.x } else { position.z }
        };
        cell.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        let upper = cell.split_off(cell.len() / 2);
        cell_number += 1;
        upper
            .iter()
            .for_each(|&vertex| side[vertex as usize] = cell_number);
        let is_between = |vertex: &u32| {
            let mut others = neighbours[*vertex as usize].iter();
            others.any(|&other| side[other as usize] == cell_number)
        };
        let (separator, lower) = cell.into_iter().partition(is_between);
        order.extend::<Vec<u32>>(separator);
        cells.extend([lower, upper]);
    }
    order.reverse();
    order
}

impl Fixture {
    fn ends(&self) -> [Ends; 2] {
        let many = self.world.many();
        let mut scratch = ManyScratch::default();
        [
            (Terminal::Start, &self.locations[..ENDS]),
            (Terminal::Goal, &self.locations[ENDS..]),
        ]
        .map(|(end, locations)| {
            let mut ends = Ends::default();
            many.prepare_locations(end, locations, &mut scratch, &mut ends);
            ends
        })
    }

    /// Asserts that costs equal those of single queries.
    fn check(&self) {
        let [_, goals] = self.ends();
        let (many, start) = (self.world.many(), self.locations[0]);
        let mut costs = Vec::new();
        many.costs(start, &goals, &mut ManyScratch::default(), &mut costs);
        let mut scratch = Scratch::new();
        for (goal, &cost) in self.locations[ENDS..].iter().zip(&costs) {
            let query = Query {
                engine: Engine::Contraction(Tier::Fast),
                ..Query::new(start.point, goal.point)
            };
            let ends = Endpoints { start, goal: *goal };
            let located = self.world.located(&query, ends);
            let located = located.expect("the world has this engine");
            let found = located.distance(&mut scratch);
            let expected = found.map_or(f32::INFINITY, |found| found.cost);
            assert_eq!(expected.to_bits(), cost.to_bits());
        }
    }

    /// Times `ask` with one location after the other.
    fn bench(&self, bencher: Bencher<'_, '_>, mut ask: impl FnMut(Location)) {
        let mut locations = self.locations.iter().cycle();
        bencher
            .with_inputs(|| *locations.next().expect("the list is not empty"))
            .bench_local_values(&mut ask);
    }
}

/// Prepares one end.
#[divan::bench]
fn prepare(bencher: Bencher<'_, '_>) {
    let many = FIXTURE.world.many();
    let (mut scratch, mut ends) = (ManyScratch::default(), Ends::default());
    FIXTURE.bench(bencher, |location| {
        many.prepare_locations(Terminal::Goal, &[location], &mut scratch, &mut ends);
    });
}

/// From one start to 1000 goals.
#[divan::bench]
fn one_to_many(bencher: Bencher<'_, '_>) {
    let many = FIXTURE.world.many();
    let [_, goals] = FIXTURE.ends();
    let (mut scratch, mut costs) = (ManyScratch::default(), Vec::new());
    FIXTURE.bench(bencher, |location| {
        many.costs(location, &goals, &mut scratch, &mut costs);
        black_box(&costs);
    });
}

/// From 1000 starts to 1000 goals, on all threads.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn matrix(bencher: Bencher<'_, '_>) {
    let many = FIXTURE.world.many();
    let [starts, goals] = FIXTURE.ends();
    let mut costs = Vec::new();
    bencher.bench_local(|| many.matrix(&starts, &goals, black_box(&mut costs)));
}

/// The nearest of 100 exits.
#[divan::bench]
fn nearest(bencher: Bencher<'_, '_>) {
    let many = FIXTURE.world.many();
    let (mut scratch, mut ends) = (ManyScratch::default(), Ends::default());
    let exits = &FIXTURE.locations[..EXITS];
    many.prepare_locations(Terminal::Goal, exits, &mut scratch, &mut ends);
    let exits = many.nearest_ends(ends);
    FIXTURE.bench(bencher, |location| {
        black_box(exits.find(many, location, &mut scratch));
    });
}

/// Computes the field of one goal.
#[divan::bench]
fn field(bencher: Bencher<'_, '_>) {
    let (many, mut field) = (FIXTURE.world.many(), Field::default());
    FIXTURE.bench(bencher, |location| {
        field.compute(many, &[location]);
        black_box(&field);
    });
}

/// Asks a field for the next corner.
#[divan::bench]
fn next_corner(bencher: Bencher<'_, '_>) {
    let (many, mut field) = (FIXTURE.world.many(), Field::default());
    field.compute(many, &FIXTURE.locations[..1]);
    let mut scratch = FieldScratch::default();
    FIXTURE.bench(bencher, |location| {
        black_box(field.next_corner(many, location, &mut scratch));
    });
}

/// Finds everything within a path distance of 50 m.
#[divan::bench]
fn within(bencher: Bencher<'_, '_>) {
    let many = FIXTURE.world.many();
    let (mut scratch, mut reached) = (ManyScratch::default(), Vec::new());
    FIXTURE.bench(bencher, |location| {
        many.within(Terminal::Start, location, 50.0, &mut scratch, &mut reached);
        black_box(&reached);
    });
}
