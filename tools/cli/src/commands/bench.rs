//! `portolan bench`: measures several engines on the same queries.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::Vec3;
use portolan_core::{BuildTimes, Connect, Engine, PortalGraph, Stage, Status, Tier, World};
use portolan_measure::{Stopwatch, Summary, allowed_queries, mean, same_cost};
use serde::Serialize;

use super::exact::auto_line;
use super::{check_costs, check_engine, check_outputs, engine, open_costs, open_world};
use crate::args::{BenchArgs, Common};
use crate::measure::{EngineMeasurement, MeasuredAnswer, NamedEngine, QueryAnswers, StepMicros};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, progress, say};

/// The largest number of timings. All of them stay in memory until the end, with 24 bytes each.
const MAX_TIMINGS: u64 = 100_000_000;

/// The results of a bench, as the JSON has them.
#[derive(Serialize)]
pub(crate) struct BenchResults {
    world: String,
    polygons: usize,
    portals: usize,
    queries: usize,
    /// The number of queries that were timed at once.
    threads: usize,
    rounds: u32,
    /// The time to open the file until queries can run. `None` if the world was built in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_ms: Option<f64>,
    /// What `auto` is, if it was measured.
    #[serde(skip)]
    auto: Option<String>,
    engines: Vec<EngineResults>,
}

#[derive(Serialize)]
struct EngineResults {
    engine: String,
    /// The number of threads that one query can use.
    threads: usize,
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
    #[serde(flatten)]
    ground: Option<GroundFigures>,
    #[serde(flatten)]
    steps: Option<StepFigures>,
    /// The mean length of the paths found, which differs between tiers. `--lengths` writes all lengths.
    /// [Units: m]
    #[serde(skip)]
    mean_length: f64,
    #[serde(skip)]
    needs_index: bool,
    /// The number of costs that differ from Dijkstra's algorithm. `None` if the engine does not promise the
    /// optimum of the portal graph.
    cost_mismatches: Option<usize>,
    bytes: usize,
    /// `None` if the index does not store its build times.
    build_ms: Option<f64>,
}

/// What waypoints that follow the ground take.
#[derive(Serialize)]
struct GroundFigures {
    /// On top of the corners.
    ground_us: f64,
    /// The whole query.
    mean_on_ground_us: f64,
}

/// The parts of `search_us` for engines that search a hierarchy.
#[derive(Serialize)]
struct StepFigures {
    nodes_us: f64,
    connect_us: f64,
    overlay_us: f64,
    extract_us: f64,
}

/// The times to open a file and to build the graph and the index.
pub(crate) struct BuildTimings {
    /// The time to open the file. [Units: ms]
    pub(crate) open: Option<f64>,
    /// The time to build the graph. [Units: ms]
    pub(crate) graph: f64,
    /// The times to build the index, if it stores them.
    pub(crate) index: Option<BuildTimes>,
}

impl BuildTimings {
    /// Returns the times for a world. The graph is built again to measure its time.
    pub(super) fn measure(world: &World, open: Option<f64>) -> Self {
        let mut watch = Stopwatch::start();
        let graph = PortalGraph::new(world.mesh(), &world.graph().options());
        let millis = watch.lap_ms();
        drop(graph);
        Self {
            open,
            graph: millis,
            index: world.report().times,
        }
    }

    /// Returns the build time of an engine in milliseconds. For engines that search a hierarchy, it includes
    /// all levels and tables of the index.
    fn millis(&self, contender: &NamedEngine) -> Option<f64> {
        if !contender.needs_index() {
            return Some(self.graph);
        }
        let times = self.index?;
        if !contender.has_steps() {
            let tier = contender.resolved.tier();
            // The times of other tiers include those of their graphs.
            let graph = if tier == Tier::Fast { self.graph } else { 0.0 };
            let millis = graph + times.of_tier(tier);
            return Some(match contender.engine {
                Engine::Labels => millis + times.of(Stage::Labels),
                _ => millis,
            });
        }
        let levels = self.graph + times.of(Stage::Partition) + times.of(Stage::Hierarchy);
        Some(match contender.engine {
            Engine::Hna {
                connect: Some(Connect::AStar | Connect::Parallel | Connect::Dijkstra),
                ..
            } => levels,
            _ => levels + times.of(Stage::Tables),
        })
    }
}

pub(crate) fn run(args: &BenchArgs, common: &Common) -> Result<ExitKind, Failure> {
    if let Some(agents) = args.agents {
        return super::bench_agents::run(args, agents, common);
    }
    if let Some(updates) = args.updates {
        return super::bench_changes::run(args, updates, common);
    }
    let named = args.engines.as_deref().map(parse_engines).transpose()?;
    let inputs: Vec<&Path> = std::iter::once(&args.world)
        .chain(&args.queries)
        .chain(&args.profile)
        .map(PathBuf::as_path)
        .collect();
    check_outputs(&inputs, &[args.json.as_deref(), args.lengths.as_deref()])?;
    let mut watch = Stopwatch::start();
    let world = open_world(&args.world, args.trust, common)?;
    let open = watch.lap_ms();
    for (_, engine) in named.iter().flatten() {
        check_engine(&world, *engine, &args.world)?;
    }
    let builds = BuildTimings::measure(&world, Some(open));
    let is_default_list = named.is_none();
    let mut named = named.unwrap_or_else(|| default_engines(&world));
    let engines: Vec<Engine> = named.iter().map(|(_, engine)| *engine).collect();
    let costs = open_costs(&world, args.profile.as_deref(), &engines, common)?;
    if is_default_list {
        named.retain(|(_, engine)| crate::measure::check_costs(&world, &costs, *engine).is_ok());
    }
    let mut contenders = Vec::new();
    for (name, engine) in named {
        let file = args.profile.as_deref().unwrap_or(&args.world);
        check_costs(&world, &costs, engine, file)?;
        contenders.push(NamedEngine::new(&world, &costs, name, engine));
    }

    let queries: Vec<[Vec3; 2]> = match &args.queries {
        Some(file) => {
            let queries = portolan_formats::open_queries(file)?;
            if queries.is_empty() {
                return Err(Failure::new(format!(
                    "{}: the file has no queries",
                    file.display()
                )));
            }
            queries.iter().map(|query| [query.from, query.to]).collect()
        }
        None => allowed_queries(world.mesh(), &costs, args.random as usize, args.seed),
    };
    if queries.is_empty() {
        return Err(Failure::new(format!(
            "{}: the profile allows too little ground for random queries; use --queries",
            args.world.display()
        )));
    }
    let timings = queries.len() as u64 * u64::from(args.rounds) * contenders.len() as u64;
    if timings > MAX_TIMINGS {
        return Err(Failure::new(format!(
            "{timings} timings (queries x rounds x engines) are more than the limit of {MAX_TIMINGS}; use fewer \
             queries, rounds or engines"
        )));
    }
    let mut bench = EngineMeasurement {
        world: &world,
        costs: &costs,
        snap: args.snap,
        contenders: &contenders,
        rounds: args.rounds,
        ground: args.ground,
        threads: common.threads,
        progress: indicatif::ProgressBar::hidden(),
    };
    bench.progress = progress(common, "queries", bench.steps(queries.len()));
    let rows = bench
        .run(&queries)
        .map_err(|error| Failure::new(error.to_string()))?;
    bench.progress.finish_and_clear();

    let name = args
        .world
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let results = results(name, &bench, &rows, &builds);
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    if let Some(file) = &args.lengths {
        portolan_files::save(file, |out| write_lengths(out, &contenders, &rows))?;
    }
    // With --quiet, the table is printed unless the results are written to a file.
    if !common.quiet || (args.json.is_none() && args.lengths.is_none()) {
        results.print();
    }
    let mismatches = results
        .engines
        .iter()
        .filter_map(|engine| engine.cost_mismatches)
        .sum::<usize>();
    if mismatches > 0 {
        eprintln!(
            "portolan: {mismatches} costs differ from those of Dijkstra's algorithm; this is a bug, please report it"
        );
        return Ok(ExitKind::Negative);
    }
    Ok(ExitKind::Success)
}

/// Returns the engines with these names, each with its name.
pub(super) fn parse_engines(names: &[String]) -> Result<Vec<(String, Engine)>, Failure> {
    let parse = |name: &String| Ok((name.clone(), engine(name)?));
    names.iter().map(parse).collect()
}

/// Returns the engines to compare by default: `auto`, `astar`, `dijkstra`, the contraction at each tier, the exact
/// tier, `labels`, `hna`, `pccp` and `hna` at each level. Engines that the world does not support are left out.
fn default_engines(world: &World) -> Vec<(String, Engine)> {
    let mut engines = Engine::PLAIN.to_vec();
    let hna = |level| Engine::Hna {
        level,
        connect: None,
    };
    engines.extend(Tier::CONTRACTED.map(Engine::Contraction));
    engines.extend([Engine::Auto(Tier::Exact), Engine::Labels]);
    engines.extend([hna(None), Engine::Pccp { level: None }]);
    let levels = world
        .hierarchy()
        .map(|hierarchy| hierarchy.partition().levels());
    engines.extend(levels.into_iter().flatten().map(|level| hna(Some(level))));
    engines.retain(|&engine| world.check_engine(engine).is_ok());
    let named = engines
        .into_iter()
        .map(|engine| (engine.to_string(), engine));
    named.collect()
}

/// Summarizes a measurement.
pub(crate) fn results(
    world: String,
    run: &EngineMeasurement<'_>,
    rows: &[QueryAnswers],
    builds: &BuildTimings,
) -> BenchResults {
    let engines = run.contenders.iter().enumerate().map(|(i, contender)| {
        let answers = || rows.iter().map(|row| &row.answers[i]);
        let count = |is: fn(Status) -> bool| answers().filter(|answer| is(answer.status)).count();
        let mean_of = |part: fn(&MeasuredAnswer) -> f64| mean(answers().map(part));
        let total = Summary::of(answers().map(|answer| answer.micros.total()));
        let total = total.unwrap_or_default();
        let count_mismatches = || {
            let mismatches = rows
                .iter()
                .filter(|row| !same_cost(row.answers[i].cost, row.optimum));
            mismatches.count()
        };
        let step = |part: fn(&StepMicros) -> f64| {
            let steps = answers().filter_map(|answer| answer.steps.as_ref());
            mean(steps.map(part))
        };
        EngineResults {
            engine: contender.name.clone(),
            threads: run.threads_of(contender),
            found: count(|status| status == Status::Found),
            no_path: count(|status| status == Status::NoPath),
            off_mesh: count(Status::is_off_mesh),
            mean_us: total.mean,
            median_us: total.median,
            p99_us: total.p99,
            max_us: total.max,
            locate_us: mean_of(|answer| answer.micros.locate),
            search_us: mean_of(|answer| answer.micros.search),
            waypoints_us: mean_of(|answer| answer.micros.waypoints),
            ground: run.ground.then(|| GroundFigures {
                ground_us: mean_of(|answer| answer.micros.ground),
                mean_on_ground_us: mean_of(|answer| answer.micros.total_on_ground()),
            }),
            steps: contender.has_steps().then(|| StepFigures {
                nodes_us: step(|steps| steps.nodes),
                connect_us: step(|steps| steps.connect),
                overlay_us: step(|steps| steps.overlay),
                extract_us: step(|steps| steps.extract),
            }),
            mean_length: mean(
                answers()
                    .filter(|answer| answer.status == Status::Found)
                    .map(|answer| answer.length),
            ),
            needs_index: contender.needs_index(),
            cost_mismatches: contender.resolved.is_exact().then(count_mismatches),
            bytes: run.world.engine_bytes(contender.resolved),
            build_ms: builds.millis(contender),
        }
    });
    let default = Engine::default();
    let mut contenders = run.contenders.iter();
    let auto = contenders.find(|contender| contender.engine == default);
    BenchResults {
        world,
        auto: auto.map(|contender| auto_line(run.world, contender.resolved)),
        polygons: run.world.mesh().polygon_count(),
        portals: run.world.mesh().portals().len(),
        queries: rows.len(),
        threads: run.query_threads(),
        rounds: run.rounds,
        open_ms: builds.open,
        engines: engines.collect(),
    }
}

impl BenchResults {
    pub(crate) fn print(&self) {
        let opened = self.open_ms.map(|ms| format!(", opened in {ms:.1} ms"));
        say!(
            "{}: {}, {}{}; {}, median of {}, {}; times in µs",
            self.world,
            count(self.polygons, "polygon"),
            count(self.portals, "portal"),
            opened.unwrap_or_default(),
            if self.queries == 1 {
                "1 query".to_owned()
            } else {
                format!("{} queries", self.queries)
            },
            count(self.rounds as usize, "round"),
            count(self.threads, "thread"),
        );
        let has_ground = self.engines.iter().any(|engine| engine.ground.is_some());
        let ground_columns: &[&str] = if has_ground {
            &["ground", "mean on ground"]
        } else {
            &[]
        };
        let mut columns = vec![
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
        ];
        columns.extend(ground_columns);
        columns.extend(["mismatches", "mean length (m)"]);
        let mut table = TextTable::new(&columns);
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
            if let Some(ground) = &engine.ground {
                let times = [ground.ground_us, ground.mean_on_ground_us];
                cells.extend(times.map(|micros| format!("{micros:.1}")));
            }
            cells.push(
                engine
                    .cost_mismatches
                    .map_or("-".to_owned(), |count| count.to_string()),
            );
            cells.push(format!("{:.2}", engine.mean_length));
            table.row(cells);
        }
        table.print();
        for engine in self.engines.iter().filter(|engine| engine.threads > 1) {
            say!(
                "{}: up to {} per query",
                engine.engine,
                count(engine.threads, "thread")
            );
        }
        if let Some(auto) = &self.auto {
            say!("{auto}");
        }
        self.print_indexed();
    }

    /// Prints a table of the engines that need an index: the steps of their searches in microseconds, how
    /// many times faster than A* they search, and their memory and build time.
    fn print_indexed(&self) {
        let astar = self.engines.iter().find(|engine| engine.engine == "astar");
        let mut table = TextTable::new(&[
            "engine",
            "nodes",
            "connect",
            "overlay",
            "extract",
            "speedup over astar",
            "bytes per polygon",
            "build (ms)",
        ]);
        let indexed = || self.engines.iter().filter(|engine| engine.needs_index);
        for engine in indexed() {
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let mut cells = vec![engine.engine.clone()];
            let steps: [fn(&StepFigures) -> f64; 4] = [
                |steps| steps.nodes_us,
                |steps| steps.connect_us,
                |steps| steps.overlay_us,
                |steps| steps.extract_us,
            ];
            cells.extend(steps.map(|step| {
                let micros = engine.steps.as_ref().map(step);
                or_dash(micros.map(|micros| format!("{micros:.2}")))
            }));
            let speedup = astar.map(|astar| astar.search_us / engine.search_us);
            cells.push(or_dash(speedup.map(|speedup| format!("{speedup:.2}"))));
            let bytes_per_polygon = engine.bytes as f64 / self.polygons as f64;
            cells.push(format!("{bytes_per_polygon:.0}"));
            cells.push(or_dash(engine.build_ms.map(|ms| format!("{ms:.0}"))));
            table.row(cells);
        }
        if indexed().next().is_some() {
            say!("");
            table.print();
        }
    }
}

fn write_lengths(
    out: &mut dyn Write,
    contenders: &[NamedEngine],
    rows: &[QueryAnswers],
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
            // Without a path, the length is empty and not 0.
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
