//! `portolan terrain bench`: measures several engines on the same queries over terrain.

use portolan_measure::{Order, Rounds, Stopwatch, Summary, mean, median_by, micros, same_cost};
use portolan_scenes::Random;
use portolan_terrain::{
    Terrain, TerrainEngine, TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus,
};
use serde::Serialize;

use super::engine::with_engine;
use super::open;
use crate::args::{Common, TerrainBenchArgs};
use crate::commands::check_outputs;
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, say};

/// The results of a bench, as the JSON has them.
#[derive(Serialize)]
struct TerrainBench {
    terrain: String,
    triangles: usize,
    queries: usize,
    rounds: u32,
    /// The time to open the file. [Units: ms]
    open_ms: f64,
    engines: Vec<EngineFigures>,
}

#[derive(Serialize)]
struct EngineFigures {
    engine: String,
    found: usize,
    no_path: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    /// The mean time to find the triangles.
    search_us: f64,
    /// The mean time to compute the line through them.
    line_us: f64,
    /// The mean number of triangles of a path.
    path_triangles: f64,
    /// The mean and the maximum of the price of the triangles divided by the lowest price.
    mean_ratio: f64,
    max_ratio: f64,
    /// The number of prices that differ from those of Dijkstra's algorithm. `None` if the engine does not promise the
    /// lowest.
    cost_mismatches: Option<usize>,
}

/// The time of one query by one engine, in microseconds.
#[derive(Clone, Copy, Default)]
struct TerrainMicros {
    search: f64,
    line: f64,
}

impl TerrainMicros {
    fn total(&self) -> f64 {
        self.search + self.line
    }
}

/// What one engine answers to one query. The cost is infinite if there is no path.
#[derive(Clone, Copy)]
struct TerrainCost {
    cost: f64,
    triangles: usize,
}

pub(crate) fn run(args: &TerrainBenchArgs, common: &Common) -> Result<ExitKind, Failure> {
    check_outputs(&[&args.terrain], &[args.json.as_deref()])?;
    let mut watch = Stopwatch::start();
    let mut terrain = open(&args.terrain, common)?;
    let open_ms = watch.lap_ms();
    for &engine in &args.engines {
        terrain = with_engine(terrain, engine, common)?;
    }
    let mut random = Random::new(args.seed);
    let mut triangle = || random.below(terrain.web().len() as u32);
    let queries: Vec<[u32; 2]> = (0..args.random).map(|_| [triangle(), triangle()]).collect();
    let failure = |error: portolan_terrain::TerrainEngineError| Failure::new(error.to_string());
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());

    // One run for the answers, which also warms up the buffers.
    let mut optima = Vec::with_capacity(queries.len());
    let mut answers = vec![Vec::with_capacity(queries.len()); args.engines.len()];
    for &ends in &queries {
        let mut answer =
            |engine| answer(&terrain, engine, ends, &mut scratch, &mut path).map_err(failure);
        optima.push(answer(TerrainEngine::Dijkstra)?.cost);
        for (answers, &engine) in answers.iter_mut().zip(&args.engines) {
            answers.push(answer(engine)?);
        }
    }
    let rounds = Rounds {
        count: args.rounds as usize,
        order: Order::ByQuery,
        patience: None,
    };
    let times = rounds.run(args.engines.len(), queries.len(), |turn| {
        let engine = args.engines[turn.contender];
        time(
            &terrain,
            engine,
            queries[turn.query],
            &mut scratch,
            &mut path,
        )
    });

    let engines = args.engines.iter().zip(&answers).zip(&times);
    let engines =
        engines.map(|((&engine, answers), times)| figures(engine, answers, &optima, times));
    let results = TerrainBench {
        terrain: args
            .terrain
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        triangles: terrain.web().len(),
        queries: queries.len(),
        rounds: args.rounds,
        open_ms,
        engines: engines.collect(),
    };
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    if !common.quiet || args.json.is_none() {
        print(&results);
    }
    let mismatches = results
        .engines
        .iter()
        .filter_map(|engine| engine.cost_mismatches);
    let mismatches: usize = mismatches.sum();
    if mismatches > 0 {
        eprintln!(
            "portolan: {mismatches} prices differ from those of Dijkstra's algorithm; this is a bug, please report it"
        );
        return Ok(ExitKind::Negative);
    }
    Ok(ExitKind::Success)
}

fn answer(
    terrain: &Terrain,
    engine: TerrainEngine,
    [from, to]: [u32; 2],
    scratch: &mut TerrainScratch,
    path: &mut TerrainPath,
) -> Result<TerrainCost, portolan_terrain::TerrainEngineError> {
    let query = TerrainQuery {
        engine,
        ..TerrainQuery::new(from, to)
    };
    let status = terrain.find_path(&query, scratch, path)?;
    Ok(match status {
        TerrainStatus::Found => TerrainCost {
            cost: path.cost,
            triangles: path.triangles.len(),
        },
        _ => TerrainCost {
            cost: f64::INFINITY,
            triangles: 0,
        },
    })
}

/// Times the steps of one query. The engine has answered queries before.
fn time(
    terrain: &Terrain,
    engine: TerrainEngine,
    [from, to]: [u32; 2],
    scratch: &mut TerrainScratch,
    path: &mut TerrainPath,
) -> TerrainMicros {
    let query = TerrainQuery {
        engine,
        ..TerrainQuery::new(from, to)
    };
    let mut watch = Stopwatch::start();
    let Ok(ends) = terrain.locate(&query) else {
        return TerrainMicros::default();
    };
    let status = terrain.search(&query, &ends, scratch, path);
    let search = micros(watch.lap());
    if status == Ok(TerrainStatus::Found) {
        terrain.refine(&query, &ends, scratch, path);
    }
    TerrainMicros {
        search,
        line: micros(watch.lap()),
    }
}

fn figures(
    engine: TerrainEngine,
    answers: &[TerrainCost],
    optima: &[f64],
    times: &[Vec<TerrainMicros>],
) -> EngineFigures {
    let times = times.iter().map(|rounds| {
        let median = median_by(rounds, TerrainMicros::total);
        median.copied().unwrap_or_default()
    });
    let times: Vec<TerrainMicros> = times.collect();
    let total = Summary::of(times.iter().map(TerrainMicros::total)).unwrap_or_default();
    let found = || {
        answers
            .iter()
            .zip(optima)
            .filter(|(answer, _)| answer.cost.is_finite())
    };
    let ratio = |(answer, &optimum): (&TerrainCost, &f64)| match optimum > 0.0 {
        true => answer.cost / optimum,
        false => 1.0,
    };
    let mismatches = || {
        let pairs = answers.iter().zip(optima);
        pairs
            .filter(|(answer, optimum)| !same_cost(answer.cost as f32, **optimum as f32))
            .count()
    };
    EngineFigures {
        engine: engine.to_string(),
        found: found().count(),
        no_path: answers.len() - found().count(),
        mean_us: total.mean,
        median_us: total.median,
        p99_us: total.p99,
        max_us: total.max,
        search_us: mean(times.iter().map(|times| times.search)),
        line_us: mean(times.iter().map(|times| times.line)),
        path_triangles: mean(found().map(|(answer, _)| answer.triangles as f64)),
        mean_ratio: mean(found().map(ratio)),
        max_ratio: found().map(ratio).fold(0.0, f64::max),
        cost_mismatches: engine.is_exact().then(mismatches),
    }
}

fn print(results: &TerrainBench) {
    say!(
        "{}: {}, {}, opened in {:.0} ms",
        results.terrain,
        count(results.triangles, "triangle"),
        count(results.queries, "query").replace("querys", "queries"),
        results.open_ms
    );
    let mut table = TextTable::new(&[
        "engine",
        "found",
        "search µs",
        "line µs",
        "mean µs",
        "p99 µs",
        "max µs",
        "triangles",
        "ratio",
        "max ratio",
        "mismatches",
    ]);
    for engine in &results.engines {
        let mismatches = engine.cost_mismatches;
        table.row(vec![
            engine.engine.clone(),
            engine.found.to_string(),
            format!("{:.1}", engine.search_us),
            format!("{:.1}", engine.line_us),
            format!("{:.1}", engine.mean_us),
            format!("{:.1}", engine.p99_us),
            format!("{:.1}", engine.max_us),
            format!("{:.0}", engine.path_triangles),
            format!("{:.3}", engine.mean_ratio),
            format!("{:.3}", engine.max_ratio),
            mismatches.map_or("-".to_owned(), |count| count.to_string()),
        ]);
    }
    table.print();
}
