//! Measures repairs of paths, and queries by HNA* and PCCP, right after a polygon was closed: `cargo bench -p portolan-index
//! --features metis --bench repair`.
//!
//! A polygon is closed beside the path of a query ("elsewhere"), or on it, after a number of polygons. The path is repaired,
//! and compared with the path of a new query on the same snapshot. Times are medians per query of several rounds, and their mean over
//! the queries. Arguments after `--` choose maps and scenes (`vaduz`, `rooms-12`).

mod common;

use std::time::Instant;

use portolan_core::{
    Change, Engine, LiveOptions, LiveWorld, Path, PolygonId, Query, RepairMethod, Scratch,
    Snapshot, Status, World, no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_measure::{Summary, distant_queries, mean, median, micros};

const QUERIES: usize = 200;
const ROUNDS: usize = 5;
const SEED: u64 = 11;
const UPDATES: usize = 300;

/// Which polygon is closed.
#[derive(Clone, Copy)]
enum Door {
    Elsewhere,
    /// On the path, at this fraction of it.
    OnPath(f64),
}

fn main() {
    let args = std::env::args().skip(1);
    let mut names: Vec<String> = args.filter(|word| !word.starts_with("--")).collect();
    if names.is_empty() {
        names.extend(["vaduz", "rooms-12", "open-12"].map(str::to_owned));
    }
    for name in names {
        let Some(mesh) = common::mesh(&name) else {
            println!("\n{name}: no such map in {}", common::FOLDER);
            continue;
        };
        println!("\n{name}, {} polygons", mesh.polygon_count());
        let index = |hierarchy| {
            let options = IndexOptions {
                hierarchy,
                ..IndexOptions::default()
            };
            let world = build(mesh.clone(), &options, &no_progress).expect("an index");
            live(world.without_exact())
        };
        let live = index(Some(HierarchyOptions::default()));
        measure_updates(&live, &index(None));
        measure(&live);
    }
}

fn live(world: World) -> LiveWorld {
    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world, options)
}

/// Compares updates of a world with HNA* and of one without, in turns.
fn measure_updates(with: &LiveWorld, without: &LiveWorld) {
    let count = with.snapshot().mesh().polygon_count();
    let mut times = [Vec::new(), Vec::new()];
    for i in 0..UPDATES {
        let polygon = PolygonId::new(i * 7919 % count);
        for change in [Change::Block(polygon), Change::Unblock(polygon)] {
            for (live, times) in [with, without].into_iter().zip(&mut times) {
                timed(times, || live.update(std::slice::from_ref(&change))).expect("a polygon");
            }
        }
    }
    with.settle();
    let [with, without] = times.map(median);
    println!("update, median: {with:.0} us with HNA* and PCCP, {without:.0} us without");
}

fn measure(live: &LiveWorld) {
    let first = live.snapshot();
    let queries = distant_queries(first.mesh(), QUERIES, SEED);
    println!(
        "{:<9} {:<12} {:>9} {:>9} {:>22}   excess mean / p99 / max %",
        "engine", "door", "repair us", "query us", "kept/mended/searched"
    );
    for engine in ["auto", "auto:fast", "astar"].map(|name| name.parse().expect("an engine")) {
        let doors = [
            ("elsewhere", Door::Elsewhere),
            ("near", Door::OnPath(0.15)),
            ("middle", Door::OnPath(0.5)),
            ("far", Door::OnPath(0.85)),
        ];
        for (name, door) in doors {
            measure_repairs(live, &first, &queries, engine, (name, door));
        }
    }
    println!("queries after a polygon on the path was closed, medians");
    println!(
        "{:<9} {:>10} {:>10} {:>10}",
        "engine", "before us", "first us", "second us"
    );
    for engine in ["hna", "hna:1", "hna:2", "pccp:1", "pccp:2"] {
        measure_hierarchy(live, &first, &queries, engine.parse().expect("an engine"));
    }
}

/// Returns the path of a query, and the polygon that is closed.
fn path_and_door(snapshot: &Snapshot, query: &Query<'_>, door: Door) -> Option<(Path, PolygonId)> {
    let mut path = Path::default();
    let status = snapshot.find_path(query, &mut Scratch::new(), &mut path);
    let polygons = &path.corridor.polygons;
    if status != Ok(Status::Found) || polygons.len() < 20 {
        return None;
    }
    let polygon = match door {
        Door::Elsewhere => snapshot
            .mesh()
            .polygons()
            .find(|polygon| !polygons.contains(polygon))?,
        Door::OnPath(at) => polygons[(polygons.len() as f64 * at) as usize],
    };
    Some((path, polygon))
}

fn timed<T>(times: &mut Vec<f64>, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    times.push(micros(start.elapsed()));
    result
}

fn measure_repairs(
    live: &LiveWorld,
    first: &Snapshot,
    queries: &[[glam::Vec3; 2]],
    engine: Engine,
    (name, door): (&str, Door),
) {
    let mut scratch = Scratch::new();
    let (mut repairs, mut searches, mut excesses) = (Vec::new(), Vec::new(), Vec::new());
    let mut methods = [0; 3];
    for &[from, to] in queries {
        let query = Query {
            engine,
            ..Query::new(from, to)
        };
        // The current version: what changed for an earlier query, and changed back, counts as a change of the first one.
        let Some((path, polygon)) = path_and_door(&live.snapshot(), &query, door) else {
            continue;
        };
        live.update(&[Change::Block(polygon)]).expect("a polygon");
        let snapshot = live.snapshot();
        let mut times = [Vec::new(), Vec::new()];
        let (mut repaired, mut new) = (path.clone(), Path::default());
        for _ in 0..ROUNDS {
            repaired.clone_from(&path);
            let result = timed(&mut times[0], || {
                repaired.repair(&snapshot, &query, &mut scratch)
            });
            let result = result.expect("an engine of this world");
            let status = timed(&mut times[1], || {
                snapshot.find_path(&query, &mut scratch, &mut new)
            });
            let status = status.expect("an engine of this world");
            assert_eq!(
                result.status, status,
                "a repair finds a path if a query does"
            );
            if times[0].len() == 1 {
                methods[match result.method {
                    RepairMethod::Kept => 0,
                    RepairMethod::Mended => 1,
                    RepairMethod::Searched => 2,
                }] += 1;
            }
        }
        repairs.push(median(times[0].iter().copied()));
        searches.push(median(times[1].iter().copied()));
        if !new.waypoints.is_empty() {
            excesses.push((repaired.length() / new.length() - 1.0) * 100.0);
        }
        live.restore(first).expect("a snapshot of this world");
    }
    let excess = Summary::of(excesses).unwrap_or_default();
    println!(
        "{:<9} {name:<12} {:>9.2} {:>9.2} {:>22}   {:.3} / {:.2} / {:.2}",
        engine.to_string(),
        mean(repairs),
        mean(searches),
        format!("{}/{}/{}", methods[0], methods[1], methods[2]),
        excess.mean,
        excess.p99,
        excess.max
    );
}

/// Measures the first and the second query after a polygon in the middle of the path was closed.
fn measure_hierarchy(
    live: &LiveWorld,
    first: &Snapshot,
    queries: &[[glam::Vec3; 2]],
    engine: Engine,
) {
    live.restore(first).expect("a snapshot of this world");
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for &[from, to] in queries {
        let query = Query {
            engine,
            ..Query::new(from, to)
        };
        let Some((_, polygon)) = path_and_door(first, &query, Door::OnPath(0.5)) else {
            continue;
        };
        let mut run = |snapshot: &Snapshot, times: &mut Vec<f64>| {
            let status = timed(times, || {
                snapshot.find_path(&query, &mut scratch, &mut path)
            });
            status.expect("an engine of this world");
        };
        run(first, &mut Vec::new());
        run(first, &mut times[0]);
        live.update(&[Change::Block(polygon)]).expect("a polygon");
        let snapshot = live.snapshot();
        run(&snapshot, &mut times[1]);
        run(&snapshot, &mut times[2]);
        live.restore(first).expect("a snapshot of this world");
    }
    let [before, first, second] = times.map(median);
    println!(
        "{:<9} {before:>10.1} {first:>10.1} {second:>10.1}",
        engine.to_string()
    );
}
