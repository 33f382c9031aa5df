//! `portolan bench`: engines side by side on the same queries.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::Vec3;
use portolan::worlds::RandomPoints;
use portolan::{Status, World};
use serde::Serialize;

use super::{check_outputs, engine, open_costs};
use crate::args::{BenchArgs, Common};
use crate::measure::{Contender, Measured, Row, Run, Spread, same_cost};
use crate::outcome::{Answer, Failure};
use crate::table::Table;
use crate::terminal::{count, progress, say, spinner};

/// All of them are kept until the end, at 24 bytes each.
const MOST_TIMINGS: u64 = 100_000_000;

/// What the JSON holds.
#[derive(Serialize)]
pub(crate) struct Bench {
    world: String,
    polygons: usize,
    portals: usize,
    queries: usize,
    threads: usize,
    rounds: u32,
    engines: Vec<EngineFigures>,
}

#[derive(Serialize)]
struct EngineFigures {
    engine: String,
    found: usize,
    no_path: usize,
    off_mesh: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    locate_us: f64,
    search_us: f64,
    waypoints_us: f64,
    cost_mismatches: Option<usize>,
    bytes: usize,
    build_ms: f64,
}

pub(crate) fn run(args: &BenchArgs, common: &Common) -> Result<Answer, Failure> {
    let contenders = args
        .engines
        .iter()
        .map(|name| {
            Ok(Contender {
                name: name.clone(),
                engine: engine(name)?,
            })
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let inputs: Vec<&Path> = std::iter::once(&args.world)
        .chain(&args.queries)
        .chain(&args.profile)
        .map(PathBuf::as_path)
        .collect();
    check_outputs(&inputs, &[args.json.as_deref(), args.lengths.as_deref()])?;
    let waiting = spinner(common, "opening");
    let mesh = portolan_io::open_navmesh(&args.world)?;
    let start = Instant::now();
    let world = World::from_mesh(mesh);
    let build_ms = start.elapsed().as_secs_f64() * 1e3;
    waiting.finish_and_clear();
    let costs = open_costs(&world, args.profile.as_deref())?;

    let queries: Vec<[Vec3; 2]> = match &args.queries {
        Some(file) => {
            let queries = portolan_io::open_queries(file)?;
            if queries.is_empty() {
                return Err(Failure::new(format!(
                    "{}: there are no queries in it",
                    file.display()
                )));
            }
            queries.iter().map(|query| [query.from, query.to]).collect()
        }
        None => random_queries(&world, args.random as usize, args.seed),
    };
    let timings = queries.len() as u64 * u64::from(args.rounds) * contenders.len() as u64;
    if timings > MOST_TIMINGS {
        return Err(Failure::new(format!(
            "{timings} timings (queries x rounds x engines) are more than {MOST_TIMINGS}; ask for fewer"
        )));
    }
    let bench = Run {
        world: &world,
        costs: &costs,
        snap: args.snap,
        contenders: &contenders,
        rounds: args.rounds,
        threads: common.threads.unwrap_or(1).into(),
        progress: progress(common, "queries", Run::steps(queries.len(), args.rounds)),
    };
    let rows = bench
        .ask(&queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    bench.progress.finish_and_clear();

    let name = args
        .world
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let figures = figures(name, &bench, &rows, build_ms);
    if let Some(file) = &args.json {
        portolan_io::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &figures)?;
            writeln!(out)
        })?;
    }
    if let Some(file) = &args.lengths {
        portolan_io::save(file, |out| write_lengths(out, &contenders, &rows))?;
    }
    // The table is the result, unless it went to a file.
    if !common.quiet || (args.json.is_none() && args.lengths.is_none()) {
        figures.print();
    }
    let mismatches = figures
        .engines
        .iter()
        .filter_map(|engine| engine.cost_mismatches)
        .sum::<usize>();
    if mismatches > 0 {
        eprintln!(
            "portolan: {mismatches} costs differ from Dijkstra's: this is a bug, please report it"
        );
        return Ok(Answer::No);
    }
    Ok(Answer::Yes)
}

/// Pairs of random points in the largest component.
pub(crate) fn random_queries(world: &World, count: usize, seed: u64) -> Vec<[Vec3; 2]> {
    let mut points = RandomPoints::new(world.mesh(), seed);
    let pair = || Some([points.next()?, points.next()?]);
    std::iter::from_fn(pair).take(count).collect()
}

/// Sums up what was measured.
pub(crate) fn figures(world: String, run: &Run<'_>, rows: &[Row], build_ms: f64) -> Bench {
    let engines = run.contenders.iter().enumerate().map(|(i, contender)| {
        let answers = || rows.iter().map(|row| &row.answers[i]);
        let count = |is: fn(Status) -> bool| answers().filter(|answer| is(answer.status)).count();
        let mean = |part: fn(&Measured) -> f64| Spread::of(answers().map(part)).mean;
        let total = Spread::of(answers().map(|answer| answer.micros.total()));
        let wrong = rows
            .iter()
            .filter(|row| !same_cost(row.answers[i].cost, row.optimum))
            .count();
        EngineFigures {
            engine: contender.name.clone(),
            found: count(|status| status == Status::Found),
            no_path: count(|status| status == Status::NoPath),
            off_mesh: count(|status| matches!(status, Status::StartOffMesh | Status::GoalOffMesh)),
            mean_us: total.mean,
            median_us: total.median,
            p99_us: total.p99,
            max_us: total.max,
            locate_us: mean(|answer| answer.micros.locate),
            search_us: mean(|answer| answer.micros.search),
            waypoints_us: mean(|answer| answer.micros.waypoints),
            cost_mismatches: Some(wrong),
            bytes: run.world.graph().bytes(),
            build_ms,
        }
    });
    Bench {
        world,
        polygons: run.world.mesh().polygon_count(),
        portals: run.world.mesh().portals().len(),
        queries: rows.len(),
        threads: run.threads,
        rounds: run.rounds,
        engines: engines.collect(),
    }
}

impl Bench {
    pub(crate) fn print(&self) {
        say!(
            "{}: {}, {}; {}, median of {}, {}; µs",
            self.world,
            count(self.polygons, "polygon"),
            count(self.portals, "portal"),
            if self.queries == 1 {
                "1 query".to_owned()
            } else {
                format!("{} queries", self.queries)
            },
            count(self.rounds as usize, "round"),
            count(self.threads, "thread"),
        );
        let mut table = Table::new(&[
            "engine",
            "found",
            "no path",
            "off mesh",
            "mean",
            "median",
            "p99",
            "max",
            "locate",
            "search",
            "waypoints",
            "mismatches",
        ]);
        for engine in &self.engines {
            let times = [
                engine.mean_us,
                engine.median_us,
                engine.p99_us,
                engine.max_us,
                engine.locate_us,
                engine.search_us,
                engine.waypoints_us,
            ];
            let counts = [engine.found, engine.no_path, engine.off_mesh];
            let mut cells = vec![engine.engine.clone()];
            cells.extend(counts.map(|count| count.to_string()));
            cells.extend(times.map(|micros| format!("{micros:.1}")));
            cells.push(
                engine
                    .cost_mismatches
                    .map_or("-".to_owned(), |count| count.to_string()),
            );
            table.row(cells);
        }
        table.print();
    }
}

fn write_lengths(
    out: &mut dyn Write,
    contenders: &[Contender],
    rows: &[Row],
) -> std::io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "query",
        "engine",
        "status",
        "length",
        "length_xz",
        "cost",
        "polygons",
        "waypoints",
    ])?;
    for (query, row) in rows.iter().enumerate() {
        for (contender, answer) in contenders.iter().zip(&row.answers) {
            // Where there is no path it has no length, rather than the length 0.
            let has_path = answer.status.has_path();
            let figure = |value: String| if has_path { value } else { String::new() };
            csv.write_record([
                query.to_string(),
                contender.name.clone(),
                answer.status.name().to_owned(),
                figure(answer.length.to_string()),
                figure(answer.length_xz.to_string()),
                figure(answer.cost.to_string()),
                answer.polygons.to_string(),
                answer.waypoints.to_string(),
            ])?;
        }
    }
    csv.flush()
}
