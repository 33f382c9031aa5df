//! Changes of the ground, and queries next to them: what `portolan bench --updates` and the report measure.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use glam::Vec3;
use portolan_core::{
    Change, Engine, GraphOptions, LiveOptions, LiveWorld, NavMesh, NavMeshOptions, Obstacle,
    ObstacleId, Path as FoundPath, PolygonId, Profile, Query, RawNavMesh, Samples, Scratch,
    Snapshot, Status, Tier, World,
};
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};

use crate::{Stopwatch, Summary, allowed_queries, mean, narrow_passages, same_cost, thousandths};

/// The number of changes after which the lengths of paths are compared.
pub const CHANGES: usize = 100;

/// After every so many updates, answers are compared with Dijkstra's.
const CHECK_EVERY: usize = 10;

/// The size of an obstacle. [Units: m]
const OBSTACLE_RADIUS: f32 = 2.0;
const OBSTACLE_HEIGHT: f32 = 2.0;

/// The number of updates per second next to queries.
pub const RATE: u32 = 1000;

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// Any polygon is closed and opened again.
    Polygon,
    /// A polygon of a narrow passage is closed and opened again.
    Door,
    /// A disc of 2 m is put on the ground and removed again.
    Obstacle,
    /// A patch of polygons is taken out and put back: see [`measure_tiles`](crate::measure_tiles).
    Tile,
}

impl UpdateKind {
    /// Returns the name as users type it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Polygon => "polygon",
            Self::Door => "door",
            Self::Obstacle => "obstacle",
            Self::Tile => "tile",
        }
    }
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct UpdateOptions {
    /// What changes.
    pub kind: UpdateKind,
    /// The number of updates that are timed one by one.
    pub updates: usize,
    /// The number of queries that are timed in a quiet world, and whose paths are compared.
    pub queries: usize,
    /// For how long queries are timed next to [`RATE`] updates per second, if at all.
    pub beside: Option<Duration>,
    /// The seed of the changed places and of the queries.
    pub seed: u64,
}

/// The results, as the JSON of `portolan bench --updates` has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UpdateResults {
    /// The name of the world.
    pub world: String,
    /// The number of polygons.
    pub polygons: usize,
    /// The number of portals.
    pub portals: usize,
    /// What changed.
    pub kind: String,
    /// The number of updates that were timed one by one.
    pub updates: usize,
    /// The arcs of all contractions that changed, per update.
    pub arcs: f64,
    /// The rows that were replaced, per update.
    pub rows: f64,
    /// The time to repair the costs. [Units: µs]
    pub update_us: UpdateTimes,
    /// The time until readers have the new world. [Units: µs]
    pub publish_us: UpdateTimes,
    /// The time of a query by `auto` in a quiet world. [Units: µs]
    pub query_us_quiet: QueryTimesBeside,
    /// The time of a query by `auto` right after [`CHANGES`] changes, all of which stand, before the world is settled.
    /// `None` for tiles. [Units: µs]
    pub query_us_unsettled: Option<QueryTimesBeside>,
    /// The time of a query by `auto` next to updates, if it was measured. [Units: µs]
    pub query_us_beside: Option<QueryTimesBeside>,
    /// The time of a whole update next to queries, with all waiting for the work in the background, if it was measured.
    /// `None` for tiles. [Units: µs]
    pub update_us_beside: Option<UpdateTimes>,
    /// The updates per second that were made next to the queries.
    pub beside_per_second: Option<f64>,
    /// The answers that differ from Dijkstra's on the changed ground.
    pub mismatches: usize,
    /// The number of answers that were compared.
    pub checked: usize,
    /// The time to settle the world after [`CHANGES`] changes, on one thread.
    pub background_ms: f64,
    /// The mean excess of the lengths of `auto`'s paths in plan right after [`CHANGES`] changes, over the shortest path that an
    /// engine finds. [Units: fraction]
    pub excess_after: f64,
    /// The same once the world is settled. [Units: fraction]
    pub excess_settled: f64,
    /// The memory that only the writer needs.
    pub writer_bytes: usize,
    /// What the last snapshot has of its own.
    pub snapshot_bytes: usize,
}

/// The times of updates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UpdateTimes {
    /// The mean.
    pub mean: f64,
    /// The median, on which other programs have the least influence.
    pub median: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

/// The times of queries in a quiet world, or next to updates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryTimesBeside {
    /// The mean.
    pub mean: f64,
    /// The 99th percentile.
    pub p99: f64,
}

impl UpdateTimes {
    pub(crate) fn new(micros: &[f64]) -> Self {
        let summary = Summary::of(micros.iter().copied()).unwrap_or_default();
        Self {
            mean: thousandths(summary.mean),
            median: thousandths(summary.median),
            p99: thousandths(summary.p99),
            max: thousandths(summary.max),
        }
    }
}

impl QueryTimesBeside {
    pub(crate) fn new(micros: &[f64]) -> Self {
        let UpdateTimes { mean, p99, .. } = UpdateTimes::new(micros);
        Self { mean, p99 }
    }
}

/// Changes the ground of a world again and again, one place at a time, and calls `step` after every update, and twice or three
/// times at the end. Returns `None` if there is no place of this kind.
pub fn measure_updates(
    name: String,
    world: &World,
    options: &UpdateOptions,
    step: &dyn Fn(),
) -> Option<UpdateResults> {
    let bench = UpdateBench::new(world, options);
    if bench.places.is_empty() {
        return None;
    }
    Some(bench.run(name, options.kind, options.beside, step))
}

/// Draws the polygons that change.
fn places(world: &World, kind: UpdateKind, number: usize, seed: u64) -> Vec<PolygonId> {
    let mesh = world.mesh();
    let candidates: Vec<PolygonId> = match kind {
        UpdateKind::Polygon | UpdateKind::Obstacle | UpdateKind::Tile => {
            let largest = mesh.components().largest();
            let all = mesh.polygons();
            all.filter(|&polygon| mesh.components().of(polygon) == largest)
                .collect()
        }
        UpdateKind::Door => narrow_passages(mesh),
    };
    let mut random = portolan_scenes::Random::new(seed);
    let count = candidates.len() as u32;
    let drawn = (0..number.div_ceil(2).max(CHANGES))
        .map_while(|_| (count > 0).then(|| candidates[random.below(count) as usize]));
    drawn.collect()
}

/// Returns the change that closes a place, and the one that opens it again.
fn toggle(world: &World, kind: UpdateKind, polygon: PolygonId) -> [Change; 2] {
    match kind {
        UpdateKind::Polygon | UpdateKind::Door | UpdateKind::Tile => {
            [Change::Block(polygon), Change::Unblock(polygon)]
        }
        UpdateKind::Obstacle => {
            let id = ObstacleId(polygon.0.into());
            let mesh = world.mesh();
            let base = mesh.nearest_on(polygon, mesh.centre(polygon));
            let disc = Obstacle::disc(base, OBSTACLE_RADIUS, OBSTACLE_HEIGHT);
            [Change::Place(id, disc), Change::Remove(id)]
        }
    }
}

/// Queries and updates next to each other.
#[derive(Clone, Copy)]
struct Beside {
    /// The updates per second.
    per_second: f64,
    updates: UpdateTimes,
    queries: QueryTimesBeside,
}

pub(crate) struct UpdateBench {
    pub(crate) world: World,
    kind: UpdateKind,
    /// The changes that close a place and open it again, one place after the other.
    places: Vec<[Change; 2]>,
    /// The polygons of these places.
    pub(crate) polygons: Vec<PolygonId>,
    queries: Vec<[Vec3; 2]>,
    pub(crate) updates: usize,
}

impl UpdateBench {
    /// Draws the places and the queries.
    pub(crate) fn new(world: &World, options: &UpdateOptions) -> Self {
        let UpdateOptions { kind, seed, .. } = *options;
        let polygons = places(world, kind, options.updates, seed);
        let toggles = polygons.iter().map(|&place| toggle(world, kind, place));
        Self {
            places: toggles.collect(),
            polygons,
            kind,
            queries: allowed_queries(world.mesh(), world.default_costs(), options.queries, seed),
            updates: options.updates,
            world: world.clone(),
        }
    }

    fn live(&self, background: bool) -> LiveWorld {
        let options = LiveOptions {
            background,
            ..LiveOptions::default()
        };
        LiveWorld::with_options(self.world.clone(), options)
    }

    /// Returns the change of an update: every place is closed and opened again.
    fn change(&self, update: usize) -> Change {
        let [close, open] = &self.places[update / 2 % self.places.len()];
        if update.is_multiple_of(2) {
            close
        } else {
            open
        }
        .clone()
    }

    fn run(
        &self,
        world: String,
        kind: UpdateKind,
        beside: Option<Duration>,
        step: &dyn Fn(),
    ) -> UpdateResults {
        let live = self.live(false);
        let query_us_quiet = QueryTimesBeside::new(&self.time_queries(|| live.snapshot(), || true));
        let (mut update_us, mut publish_us) = (Vec::new(), Vec::new());
        let (mut arcs, mut rows, mut mismatches, mut checked) = (0, 0, 0, 0);
        for update in 0..self.updates {
            let change = [self.change(update)];
            let start = Instant::now();
            let made = live.update(&change).expect("a polygon of the mesh");
            // Publishing ends when the version before is freed.
            let publish_time = start.elapsed().saturating_sub(made.repair_time);
            update_us.push(made.repair_time.as_secs_f64() * 1e6);
            publish_us.push(publish_time.as_secs_f64() * 1e6);
            arcs += made.work.arcs + made.work.restored;
            rows += made.work.rows;
            if update.is_multiple_of(CHECK_EVERY) {
                mismatches += self.mismatches(&live.snapshot(), update);
                checked += 1;
            }
            step();
        }
        let bytes = live.bytes();
        drop(live);

        let live = self.live(false);
        let closed: Vec<Change> = self
            .places
            .iter()
            .take(CHANGES)
            .map(|[close, _]| close.clone())
            .collect();
        for change in closed {
            live.update(&[change]).expect("a polygon of the mesh");
        }
        let unsettled = live.snapshot();
        let after = self.lengths(&unsettled, Engine::default());
        let query_us_unsettled =
            QueryTimesBeside::new(&self.time_queries(|| Arc::clone(&unsettled), || true));
        let one_thread = ThreadPoolBuilder::new().num_threads(1).build();
        let mut watch = Stopwatch::start();
        match one_thread {
            Ok(pool) => pool.install(|| live.settle()),
            Err(_) => live.settle(),
        }
        let background_ms = watch.lap_ms();
        let settled = live.snapshot();
        let by_default = self.lengths(&settled, Engine::default());
        let mut shortest = by_default.clone();
        for tier in [Tier::Best, Tier::Exact] {
            if settled.check_engine(Engine::Auto(tier)).is_ok() {
                let lengths = self.lengths(&settled, Engine::Auto(tier));
                shortest
                    .iter_mut()
                    .zip(lengths)
                    .for_each(|(known, length)| *known = known.min(length));
            }
        }
        if kind == UpdateKind::Obstacle {
            let lengths = self.lengths(&densely_sampled(settled.mesh()), Engine::AStar);
            shortest
                .iter_mut()
                .zip(lengths)
                .for_each(|(known, length)| *known = known.min(length));
        }
        shortest
            .iter_mut()
            .zip(&after)
            .for_each(|(known, &length)| *known = known.min(length));
        step();
        let beside = beside.map(|duration| {
            let beside = self.beside(duration);
            step();
            beside
        });
        UpdateResults {
            world,
            polygons: self.world.mesh().polygon_count(),
            portals: self.world.mesh().portals().len(),
            kind: kind.name().to_owned(),
            updates: self.updates,
            arcs: thousandths(arcs as f64 / self.updates as f64),
            rows: thousandths(rows as f64 / self.updates as f64),
            update_us: UpdateTimes::new(&update_us),
            publish_us: UpdateTimes::new(&publish_us),
            query_us_quiet,
            query_us_unsettled: Some(query_us_unsettled),
            query_us_beside: beside.map(|beside| beside.queries),
            update_us_beside: beside.map(|beside| beside.updates),
            beside_per_second: beside.map(|beside| thousandths(beside.per_second)),
            mismatches,
            checked,
            background_ms: thousandths(background_ms),
            excess_after: mean_excess(&after, &shortest),
            excess_settled: mean_excess(&by_default, &shortest),
            writer_bytes: bytes.writer,
            snapshot_bytes: bytes.snapshot,
        }
    }

    /// Returns the time of each query, again and again while `goes_on`, but all queries once at least. A new snapshot is
    /// taken before each.
    pub(crate) fn time_queries(
        &self,
        snapshot: impl Fn() -> Arc<Snapshot>,
        is_last: impl Fn() -> bool,
    ) -> Vec<f64> {
        let (mut scratch, mut path) = (Scratch::new(), FoundPath::default());
        let mut find = |[from, to]: [Vec3; 2]| {
            let snapshot = snapshot();
            let start = Instant::now();
            let status = snapshot.find_path(&Query::new(from, to), &mut scratch, &mut path);
            status.expect("`auto` runs on every world");
            start.elapsed().as_secs_f64() * 1e6
        };
        // The first round warms up.
        self.queries.iter().for_each(|&query| _ = find(query));
        let mut times = Vec::new();
        loop {
            times.extend(self.queries.iter().map(|&query| find(query)));
            if is_last() {
                return times;
            }
        }
    }

    /// Times queries while another thread changes the world.
    fn beside(&self, duration: Duration) -> Beside {
        let live = self.live(true);
        let is_done = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut times = Vec::new();
                while !is_done.load(Ordering::Acquire) {
                    let change = [self.change(times.len())];
                    let before = Instant::now();
                    live.update(&change).expect("a polygon of the mesh");
                    times.push(before.elapsed().as_secs_f64() * 1e6);
                    let due = start + Duration::from_secs(1) * times.len() as u32 / RATE;
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                }
                let per_second = times.len() as f64 / start.elapsed().as_secs_f64();
                (per_second, UpdateTimes::new(&times))
            });
            let times = self.time_queries(|| live.snapshot(), || start.elapsed() >= duration);
            is_done.store(true, Ordering::Release);
            let (per_second, updates) = writer.join().expect("the writer does not panic");
            Beside {
                per_second,
                updates,
                queries: QueryTimesBeside::new(&times),
            }
        })
    }

    /// Compares some queries with Dijkstra's. Returns how many differ.
    pub(crate) fn mismatches(&self, snapshot: &Snapshot, update: usize) -> usize {
        let [from, to] = self.queries[update % self.queries.len()];
        let (mut scratch, mut path) = (Scratch::new(), FoundPath::default());
        let mut find = |engine| {
            let query = Query {
                engine,
                ..Query::new(from, to)
            };
            let status = snapshot.find_path(&query, &mut scratch, &mut path);
            (status.ok(), path.cost)
        };
        let expected = find(Engine::Dijkstra);
        let mut differ = 0;
        for tier in Tier::CONTRACTED {
            let engine = Engine::Contraction(tier);
            if snapshot.check_engine(engine).is_err() {
                continue;
            }
            let (status, cost) = find(engine);
            // Around obstacles the contraction knows the costs of whole polygons.
            let is_exact = tier == Tier::Fast && self.kind != UpdateKind::Obstacle;
            let is_cost_wrong =
                is_exact && status == Some(Status::Found) && !same_cost(cost, expected.1);
            differ += usize::from(status != expected.0 || is_cost_wrong);
        }
        differ
    }

    /// Returns the length of the path of each query in plan; infinite where there is none.
    pub(crate) fn lengths(&self, world: &World, engine: Engine) -> Vec<f64> {
        let (mut scratch, mut path) = (Scratch::new(), FoundPath::default());
        let find = |&[from, to]: &[Vec3; 2]| {
            let query = Query {
                engine,
                ..Query::new(from, to)
            };
            match world.find_path(&query, &mut scratch, &mut path) {
                Ok(Status::Found) => path.length_xz(),
                _ => f64::INFINITY,
            }
        };
        self.queries.iter().map(find).collect()
    }
}

/// Returns a world without an index on what is left of a mesh around obstacles, with five samples on each portal. Its paths
/// are nearly the shortest, and it knows nothing of cells and pieces.
fn densely_sampled(mesh: &NavMesh) -> World {
    let mut raw = RawNavMesh::default();
    for polygon in mesh.walkable() {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend(mesh.corner_points(polygon));
        raw.polygons.push(first..raw.vertices.len() as u32);
    }
    let options = GraphOptions {
        samples: Samples::Each(5),
        ..GraphOptions::default()
    };
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("pieces of a mesh");
    World::new(mesh, &options, &Profile::default()).expect("a graph of five samples per portal")
}

/// Returns the mean excess of lengths over the shortest ones, where both are finite.
pub(crate) fn mean_excess(lengths: &[f64], shortest: &[f64]) -> f64 {
    let pairs = lengths.iter().zip(shortest);
    let excesses: Vec<f64> = pairs
        .filter(|&(&length, &shortest)| length < f64::INFINITY && shortest > 0.0)
        .map(|(length, shortest)| length / shortest - 1.0)
        .collect();
    // As many digits as a file keeps exactly.
    thousandths(1000.0 * mean(excesses)) / 1000.0
}
