//! `portolan bench --updates`: measures changes of the ground, and queries next to them.

use std::path::Path;
use std::time::Duration;

use portolan_measure::{
    CHANGES, QueryTimesBeside, UpdateKind, UpdateOptions, UpdateResults, UpdateTimes,
    measure_tiles, measure_updates,
};

use super::{check_outputs, open_world};
use crate::args::{BenchArgs, Common, UpdateKindName};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, progress, say};

/// The number of queries that are timed in a quiet world, and after which excesses are measured.
const QUERIES: usize = 1000;

/// The time that updates next to queries go on.
const BESIDE: Duration = Duration::from_secs(4);

pub(super) fn run(args: &BenchArgs, updates: u32, common: &Common) -> Result<ExitKind, Failure> {
    check_outputs(&[&*args.world], &[args.json.as_deref()])?;
    let world = open_world(&args.world, args.trust, common)?;
    let options = UpdateOptions {
        kind: args.kind.map_or(UpdateKind::Polygon, UpdateKind::from),
        updates: updates as usize,
        queries: QUERIES,
        beside: args.beside.then_some(BESIDE),
        seed: args.seed,
    };
    let steps = u64::from(updates) + if args.beside { 2 } else { 1 };
    let bar = progress(common, "updates", steps);
    let name = args.world.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let step = || bar.inc(1);
    let results = match options.kind {
        UpdateKind::Tile => {
            let indexer = portolan_index::indexer();
            measure_tiles(name, &world, &options, &indexer, &step)
                .map_err(|error| Failure::new(format!("{}: {error}", args.world.display())))?
        }
        _ => measure_updates(name, &world, &options, &step).ok_or_else(|| {
            Failure::new(format!(
                "{}: no polygon joins exactly two others, so there is no door; use --kind polygon",
                args.world.display()
            ))
        })?,
    };
    bar.finish_and_clear();
    if let Some(file) = &args.json {
        portolan_files::save(Path::new(file), |out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    if !common.quiet || args.json.is_none() {
        print(&results);
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

fn print(results: &UpdateResults) {
    let is_tile = results.kind == UpdateKind::Tile.name();
    let work = match is_tile {
        true => "the index is made again".to_owned(),
        false => format!(
            "{:.0} changed arcs in {:.0} rows",
            results.arcs, results.rows
        ),
    };
    say!(
        "{}: {}; {} of kind {}, each with {work}",
        results.world,
        count(results.polygons, "polygon"),
        count(results.updates, "update"),
        results.kind,
    );
    for (what, times) in [
        (if is_tile { "check" } else { "update" }, &results.update_us),
        ("publish", &results.publish_us),
    ] {
        say!(
            "{what}: {:.1} µs mean, {:.1} p99, {:.1} max",
            times.mean,
            times.p99,
            times.max
        );
    }
    let QueryTimesBeside { mean, p99 } = &results.query_us_quiet;
    say!("queries by auto in a quiet world: {mean:.2} µs mean, {p99:.2} p99");
    if let Some(QueryTimesBeside { mean, p99 }) = &results.query_us_unsettled {
        say!("right after {CHANGES} changes: {mean:.2} µs mean, {p99:.2} p99");
    }
    if let (Some(times), Some(rate)) = (&results.query_us_beside, results.beside_per_second) {
        say!(
            "queries next to {rate:.0} updates per second: {:.2} µs mean, {:.2} p99",
            times.mean,
            times.p99
        );
    }
    if let Some(UpdateTimes { mean, p99, max, .. }) = &results.update_us_beside {
        say!("these updates, with all waiting: {mean:.1} µs mean, {p99:.1} p99, {max:.1} max");
    }
    if is_tile {
        say!(
            "the index is ready after {:.0} ms on one thread; paths are then {:.3}% longer than the shortest that is found",
            results.background_ms,
            100.0 * results.excess_after
        );
    } else {
        say!(
            "after {CHANGES} changes: paths {:.3}% longer than the shortest that is found, {:.3}% once settled, which takes \
         {:.0} ms on one thread",
            100.0 * results.excess_after,
            100.0 * results.excess_settled,
            results.background_ms
        );
    }
    say!(
        "memory: {} bytes for the writer, {} bytes of the last snapshot's own; {} of {} checks differ from Dijkstra's",
        results.writer_bytes,
        results.snapshot_bytes,
        results.mismatches,
        results.checked
    );
}

impl From<UpdateKindName> for UpdateKind {
    fn from(name: UpdateKindName) -> Self {
        match name {
            UpdateKindName::Polygon => Self::Polygon,
            UpdateKindName::Door => Self::Door,
            UpdateKindName::Obstacle => Self::Obstacle,
            UpdateKindName::Tile => Self::Tile,
        }
    }
}
