//! `portolan bench --updates`: measures changes of the ground, and queries next to them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use glam::Vec3;
use portolan_core::{
    Change, Engine, LiveOptions, LiveWorld, Obstacle, ObstacleId, Path as FoundPath, PolygonId,
    PortalId, Query, Scratch, Snapshot, Status, Tier, World,
};
use portolan_measure::{Stopwatch, Summary, allowed_queries, mean, same_cost};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::{check_outputs, open_world};
use crate::args::{BenchArgs, Common, UpdateKindName};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say};

/// The number of queries that are timed in a quiet world, and after which excesses are measured.
const QUERIES: usize = 1000;

/// The number of changes after which the lengths of paths are compared.
const CHANGES: usize = 100;

/// After every so many updates, answers are compared with Dijkstra's.
const CHECK_EVERY: usize = 10;

/// The size of an obstacle. [Units: m]
const OBSTACLE_RADIUS: f32 = 2.0;
const OBSTACLE_HEIGHT: f32 = 2.0;

/// The number of updates per second next to queries, and the time that they go on.
const RATE: u32 = 1000;
const BESIDE: Duration = Duration::from_secs(4);

/// The results, as the JSON has them.
#[derive(Serialize)]
pub(super) struct UpdateResults {
    pub(super) world: String,
    pub(super) polygons: usize,
    pub(super) portals: usize,
    pub(super) kind: &'static str,
    pub(super) updates: usize,
    /// The arcs of all contractions that changed, and the rows that were replaced, per update.
    pub(super) arcs: f64,
    pub(super) rows: f64,
    pub(super) update_us: Times,
    pub(super) publish_us: Times,
    pub(super) query_us_quiet: QueryTimes,
    /// `None` without `--beside`.
    pub(super) query_us_beside: Option<QueryTimes>,
    /// The updates per second that were made next to the queries.
    pub(super) beside_per_second: Option<f64>,
    /// The answers that differ from Dijkstra's on the changed ground.
    pub(super) mismatches: usize,
    /// The number of answers that were compared.
    pub(super) checked: usize,
    /// The time to settle the world after [`CHANGES`] changes, on one thread. For tiles: the mean time to make the mesh,
    /// the index and the costs again.
    pub(super) background_ms: f64,
    /// The mean excess of the lengths of `auto`'s paths in plan right after [`CHANGES`] changes, and once the world is
    /// settled, over the shortest path that an engine finds. [Units: fraction]
    pub(super) excess_after: f64,
    pub(super) excess_settled: f64,
    /// The memory that only the writer needs, and what the last snapshot has of its own.
    pub(super) writer_bytes: usize,
    pub(super) snapshot_bytes: usize,
}

#[derive(Serialize)]
pub(super) struct Times {
    pub(super) mean: f64,
    pub(super) p99: f64,
    pub(super) max: f64,
}

#[derive(Serialize)]
pub(super) struct QueryTimes {
    pub(super) mean: f64,
    pub(super) p99: f64,
}

impl Times {
    pub(super) fn new(micros: &[f64]) -> Self {
        let Summary { mean, p99, max, .. } =
            Summary::of(micros.iter().copied()).unwrap_or_default();
        Self { mean, p99, max }
    }
}

impl QueryTimes {
    pub(super) fn new(micros: &[f64]) -> Self {
        let Times { mean, p99, .. } = Times::new(micros);
        Self { mean, p99 }
    }
}

pub(super) fn run(args: &BenchArgs, updates: u32, common: &Common) -> Result<ExitKind, Failure> {
    check_outputs(&[&*args.world], &[args.json.as_deref()])?;
    let world = open_world(&args.world, args.trust, common)?;
    let kind = args.kind.unwrap_or(UpdateKindName::Polygon);
    let polygons = places(&world, kind, updates as usize, args.seed);
    let places = polygons
        .iter()
        .map(|&polygon| toggle(&world, kind, polygon))
        .collect::<Vec<_>>();
    if places.is_empty() {
        return Err(Failure::new(format!(
            "{}: no polygon joins exactly two others, so there is no door; use --kind polygon",
            args.world.display()
        )));
    }
    let queries = allowed_queries(world.mesh(), world.default_costs(), QUERIES, args.seed);
    let steps = u64::from(updates) + if args.beside { 2 } else { 1 };
    let bar = progress(common, "updates", steps);
    let bench = UpdateBench {
        places,
        polygons,
        queries,
        updates: updates as usize,
        kind,
        world,
    };
    let name = args.world.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let step = || bar.inc(1);
    let results = match kind {
        UpdateKindName::Tile => super::bench_tiles::run(&bench, name, args.beside, &step)?,
        _ => bench.run(name, kind, args.beside, &step),
    };
    bar.finish_and_clear();
    if let Some(file) = &args.json {
        portolan_files::save(Path::new(file), |out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    if !common.quiet || args.json.is_none() {
        results.print();
    }
    if results.mismatches > 0 {
        eprintln!(
            "portolan: {} answers differ from those of Dijkstra's algorithm; this is a bug, please report it",
            results.mismatches
        );
        return Ok(ExitKind::Negative);
    }
    Ok(ExitKind::Success)
}

/// Draws the polygons that change.
fn places(world: &World, kind: UpdateKindName, number: usize, seed: u64) -> Vec<PolygonId> {
    let mesh = world.mesh();
    let largest = mesh.components().largest();
    let all = mesh
        .polygons()
        .filter(|&polygon| mesh.components().of(polygon) == largest);
    let candidates: Vec<PolygonId> = match kind {
        UpdateKindName::Polygon | UpdateKindName::Obstacle | UpdateKindName::Tile => all.collect(),
        UpdateKindName::Door => {
            let width = |&portal: &PortalId| {
                let portal = mesh.portal(portal);
                portal.right.distance(portal.left)
            };
            let narrowest = |polygon: PolygonId| {
                let portals = mesh.portals_of(polygon);
                let widths = portals.iter().map(width);
                (portals.len() == 2).then(|| widths.fold(f32::INFINITY, f32::min))
            };
            let mut doors: Vec<(f32, PolygonId)> = all
                .filter_map(|polygon| Some((narrowest(polygon)?, polygon)))
                .collect();
            doors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            // The narrowest half of the passages.
            doors.truncate(doors.len().div_ceil(2));
            doors.into_iter().map(|(_, polygon)| polygon).collect()
        }
    };
    let mut random = portolan_scenes::Random::new(seed);
    let count = candidates.len() as u32;
    let drawn = (0..number.div_ceil(2).max(CHANGES))
        .map_while(|_| (count > 0).then(|| candidates[random.below(count) as usize]));
    drawn.collect()
}

/// Returns the change that closes a place, and the one that opens it again.
fn toggle(world: &World, kind: UpdateKindName, polygon: PolygonId) -> [Change; 2] {
    match kind {
        UpdateKindName::Polygon | UpdateKindName::Door | UpdateKindName::Tile => {
            [Change::Block(polygon), Change::Unblock(polygon)]
        }
        UpdateKindName::Obstacle => {
            let id = ObstacleId(polygon.0.into());
            let base = world
                .mesh()
                .nearest_on(polygon, world.mesh().centre(polygon));
            let disc = Obstacle::disc(base, OBSTACLE_RADIUS, OBSTACLE_HEIGHT);
            [Change::Place(id, disc), Change::Remove(id)]
        }
    }
}

pub(super) struct UpdateBench {
    pub(super) world: World,
    kind: UpdateKindName,
    /// The changes that close a place and open it again, one place after the other.
    places: Vec<[Change; 2]>,
    /// The polygons of these places.
    pub(super) polygons: Vec<PolygonId>,
    queries: Vec<[Vec3; 2]>,
    pub(super) updates: usize,
}

impl UpdateBench {
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
        if update % 2 == 0 { close } else { open }.clone()
    }

    fn run(
        &self,
        world: String,
        kind: UpdateKindName,
        beside: bool,
        step: &dyn Fn(),
    ) -> UpdateResults {
        let live = self.live(false);
        let query_us_quiet = QueryTimes::new(&self.time_queries(|| live.snapshot(), || true));
        let (mut update_us, mut publish_us) = (Vec::new(), Vec::new());
        let (mut arcs, mut rows, mut mismatches, mut checked) = (0, 0, 0, 0);
        for update in 0..self.updates {
            let made = live
                .update(&[self.change(update)])
                .expect("a polygon of the mesh");
            update_us.push(made.repair_time.as_secs_f64() * 1e6);
            publish_us.push(made.publish_time.as_secs_f64() * 1e6);
            arcs += made.work.arcs + made.work.restored;
            rows += made.work.rows;
            if update % CHECK_EVERY == 0 {
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
        let after = self.lengths(&live.snapshot(), Engine::default());
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
        shortest
            .iter_mut()
            .zip(&after)
            .for_each(|(known, &length)| *known = known.min(length));
        step();
        let (beside_per_second, query_us_beside) = match beside {
            true => {
                let (rate, times) = self.beside();
                step();
                (Some(rate), Some(times))
            }
            false => (None, None),
        };
        UpdateResults {
            world,
            polygons: self.world.mesh().polygon_count(),
            portals: self.world.mesh().portals().len(),
            kind: kind.name(),
            updates: self.updates,
            arcs: arcs as f64 / self.updates as f64,
            rows: rows as f64 / self.updates as f64,
            update_us: Times::new(&update_us),
            publish_us: Times::new(&publish_us),
            query_us_quiet,
            query_us_beside,
            beside_per_second,
            mismatches,
            checked,
            background_ms,
            excess_after: mean_excess(&after, &shortest),
            excess_settled: mean_excess(&by_default, &shortest),
            writer_bytes: bytes.writer,
            snapshot_bytes: bytes.snapshot,
        }
    }

    /// Returns the time of each query, again and again while `goes_on`, but all queries once at least. A new snapshot is
    /// taken before each.
    pub(super) fn time_queries(
        &self,
        snapshot: impl Fn() -> std::sync::Arc<Snapshot>,
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

    /// Times queries while another thread changes the world. Returns the updates per second too.
    fn beside(&self) -> (f64, QueryTimes) {
        let live = self.live(true);
        let is_done = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut made = 0u32;
                while !is_done.load(Ordering::Acquire) {
                    live.update(&[self.change(made as usize)])
                        .expect("a polygon of the mesh");
                    made += 1;
                    let due = start + Duration::from_secs(1) * made / RATE;
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                }
                f64::from(made) / start.elapsed().as_secs_f64()
            });
            let times = self.time_queries(|| live.snapshot(), || start.elapsed() >= BESIDE);
            is_done.store(true, Ordering::Release);
            let rate = writer.join().expect("the writer does not panic");
            (rate, QueryTimes::new(&times))
        })
    }

    /// Compares some queries with Dijkstra's. Returns how many differ.
    pub(super) fn mismatches(&self, snapshot: &Snapshot, update: usize) -> usize {
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
            let is_exact = tier == Tier::Fast && self.kind != UpdateKindName::Obstacle;
            let is_cost_wrong =
                is_exact && status == Some(Status::Found) && !same_cost(cost, expected.1);
            differ += usize::from(status != expected.0 || is_cost_wrong);
        }
        differ
    }

    /// Returns the length of the path of each query in plan; infinite where there is none.
    pub(super) fn lengths(&self, snapshot: &Snapshot, engine: Engine) -> Vec<f64> {
        let (mut scratch, mut path) = (Scratch::new(), FoundPath::default());
        let find = |&[from, to]: &[Vec3; 2]| {
            let query = Query {
                engine,
                ..Query::new(from, to)
            };
            match snapshot.find_path(&query, &mut scratch, &mut path) {
                Ok(Status::Found) => path.length_xz(),
                _ => f64::INFINITY,
            }
        };
        self.queries.iter().map(find).collect()
    }
}

/// Returns the mean excess of lengths over the shortest ones, where both are finite.
pub(super) fn mean_excess(lengths: &[f64], shortest: &[f64]) -> f64 {
    let pairs = lengths.iter().zip(shortest);
    let excesses: Vec<f64> = pairs
        .filter(|&(&length, &shortest)| length < f64::INFINITY && shortest > 0.0)
        .map(|(length, shortest)| length / shortest - 1.0)
        .collect();
    mean(excesses)
}

impl UpdateResults {
    fn print(&self) {
        let is_tile = self.kind == "tile";
        let work = match is_tile {
            true => "the index is made again".to_owned(),
            false => format!("{:.0} changed arcs in {:.0} rows", self.arcs, self.rows),
        };
        say!(
            "{}: {}; {} of kind {}, each with {work}",
            self.world,
            count(self.polygons, "polygon"),
            count(self.updates, "update"),
            self.kind,
        );
        let update = if is_tile { "check" } else { "update" };
        for (what, times) in [(update, &self.update_us), ("publish", &self.publish_us)] {
            say!(
                "{what}: {:.1} µs mean, {:.1} p99, {:.1} max",
                times.mean,
                times.p99,
                times.max
            );
        }
        let QueryTimes { mean, p99 } = &self.query_us_quiet;
        say!("queries by auto in a quiet world: {mean:.2} µs mean, {p99:.2} p99");
        if let (Some(times), Some(rate)) = (&self.query_us_beside, self.beside_per_second) {
            say!(
                "queries next to {rate:.0} updates per second: {:.2} µs mean, {:.2} p99",
                times.mean,
                times.p99
            );
        }
        if is_tile {
            say!(
                "the index is ready after {:.0} ms on one thread; paths are then {:.3}% longer than the shortest that is found",
                self.background_ms,
                100.0 * self.excess_after
            );
        } else {
            say!(
                "after {CHANGES} changes: paths {:.3}% longer than the shortest that is found, {:.3}% once settled, which takes \
             {:.0} ms on one thread",
                100.0 * self.excess_after,
                100.0 * self.excess_settled,
                self.background_ms
            );
        }
        say!(
            "memory: {} bytes for the writer, {} bytes of the last snapshot's own; {} of {} checks differ from Dijkstra's",
            self.writer_bytes,
            self.snapshot_bytes,
            self.mismatches,
            self.checked
        );
    }
}
