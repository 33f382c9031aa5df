//! `portolan bench`: engines side by side on the same queries.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::Vec3;
use portolan_core::{Connect, Costs, DEFAULT_SNAP, Engine, PortalGraph, Status, Tier, World};
use portolan_files::pidx::BuildTimes;
use portolan_scenes::RandomPoints;
use serde::Serialize;

use super::levels::engine_bytes;
use super::{check_engine, check_outputs, engine, open_costs, open_world};
use crate::args::{BenchArgs, Common};
use crate::measure::{Contender, Measured, Row, Run, Spread, StepMicros, same_cost};
use crate::outcome::{Answer, Failure};
use crate::table::Table;
use crate::terminal::{count, progress, say};

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
    /// What it took to read the world, ready to query; nothing where it was made in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_ms: Option<f64>,
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
    #[serde(flatten)]
    steps: Option<StepFigures>,
    /// Of the paths found, on average: what tiers differ in. `--lengths` has them all. [Units: m]
    #[serde(skip)]
    mean_length: f64,
    /// Whether there is more to it than the graph.
    #[serde(skip)]
    needs_index: bool,
    cost_mismatches: Option<usize>,
    bytes: usize,
    /// Not known of an index that does not remember it.
    build_ms: Option<f64>,
}

/// Parts of `search_us` for engines over a hierarchy.
#[derive(Serialize)]
struct StepFigures {
    nodes_us: f64,
    connect_us: f64,
    overlay_us: f64,
    extract_us: f64,
}

/// What it took to build what the engines stand on, and to open it.
pub(crate) struct Builds {
    /// The file. [Units: ms]
    pub(crate) open: Option<f64>,
    /// The graph. [Units: ms]
    pub(crate) graph: f64,
    /// The index, where there is one that remembers.
    pub(crate) index: Option<BuildTimes>,
}

impl Builds {
    /// Of a world from a file. The graph is in none, and is made once more to be timed.
    pub(super) fn of(world: &World, index: Option<BuildTimes>, open: Option<f64>) -> Self {
        let start = Instant::now();
        let graph = PortalGraph::new(world.mesh(), &world.index_options().graph);
        let millis = start.elapsed().as_secs_f64() * 1e3;
        drop(graph);
        Self {
            open,
            graph: millis,
            index,
        }
    }

    /// Milliseconds for an engine. Levels and tables are those of the whole index.
    fn millis(&self, world: &World, contender: &Contender) -> Option<f64> {
        if !contender.needs_index(world) {
            return Some(self.graph);
        }
        let times = self.index?;
        if !contender.has_steps(world) {
            let tier = world.resolve_engine(contender.engine).tier();
            // What a taut tier takes is with its graph.
            let graph = if tier.is_taut() { 0.0 } else { self.graph };
            let contraction = graph + times.of_tier(tier);
            return Some(match contender.engine {
                Engine::Labels => contraction + times.labels,
                _ => contraction,
            });
        }
        Some(match contender.engine {
            Engine::Hna {
                connect: Some(Connect::AStar | Connect::Parallel | Connect::Dijkstra),
                ..
            } => times.partition + times.hierarchy,
            _ => times.partition + times.hierarchy + times.tables,
        })
    }
}

pub(crate) fn run(args: &BenchArgs, common: &Common) -> Result<Answer, Failure> {
    let named = args.engines.as_deref().map(contenders).transpose()?;
    let inputs: Vec<&Path> = std::iter::once(&args.world)
        .chain(&args.queries)
        .chain(&args.profile)
        .map(PathBuf::as_path)
        .collect();
    check_outputs(&inputs, &[args.json.as_deref(), args.lengths.as_deref()])?;
    let start = Instant::now();
    let (world, making) = open_world(&args.world, common)?;
    let open = start.elapsed().as_secs_f64() * 1e3;
    let contenders = named.unwrap_or_else(|| default_contenders(&world));
    for contender in &contenders {
        check_engine(&world, contender.engine, &args.world)?;
    }
    let builds = Builds::of(&world, making.and_then(|making| making.times), Some(open));
    let engines: Vec<Engine> = contenders.iter().map(|c| c.engine).collect();
    let costs = open_costs(&world, args.profile.as_deref(), &engines, common)?;

    let queries: Vec<[Vec3; 2]> = match &args.queries {
        Some(file) => {
            let queries = portolan_formats::open_queries(file)?;
            if queries.is_empty() {
                return Err(Failure::new(format!(
                    "{}: there are no queries in it",
                    file.display()
                )));
            }
            queries.iter().map(|query| [query.from, query.to]).collect()
        }
        None => random_queries(&world, &costs, args.random as usize, args.seed),
    };
    if queries.is_empty() {
        return Err(Failure::new(format!(
            "{}: there is hardly any ground that the profile allows; give --queries",
            args.world.display()
        )));
    }
    let timings = queries.len() as u64 * u64::from(args.rounds) * contenders.len() as u64;
    if timings > MOST_TIMINGS {
        return Err(Failure::new(format!(
            "{timings} timings (queries x rounds x engines) are more than {MOST_TIMINGS}; ask for fewer"
        )));
    }
    let mut bench = Run {
        world: &world,
        costs: &costs,
        snap: args.snap,
        contenders: &contenders,
        rounds: args.rounds,
        threads: common.threads.unwrap_or(1).into(),
        progress: indicatif::ProgressBar::hidden(),
    };
    bench.progress = progress(common, "queries", bench.steps(queries.len()));
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
    let figures = figures(name, &bench, &rows, &builds);
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &figures)?;
            writeln!(out)
        })?;
    }
    if let Some(file) = &args.lengths {
        portolan_files::save(file, |out| write_lengths(out, &contenders, &rows))?;
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

fn contenders(names: &[String]) -> Result<Vec<Contender>, Failure> {
    let contender = |name: &String| {
        Ok(Contender {
            name: name.clone(),
            engine: engine(name)?,
        })
    };
    names.iter().map(contender).collect()
}

/// What runs on any world, and what an index has of the contraction at each tier, labels, HNA* and PCCP, and
/// HNA* at each level.
fn default_contenders(world: &World) -> Vec<Contender> {
    let mut engines = Engine::PLAIN.to_vec();
    let hna = |level| Engine::Hna {
        level,
        connect: None,
    };
    engines.extend(Tier::ALL.map(Engine::Contraction));
    engines.push(Engine::Labels);
    engines.extend([hna(None), Engine::Pccp { level: None }]);
    let levels = world
        .hierarchy()
        .map(|hierarchy| hierarchy.partition().levels());
    engines.extend(levels.into_iter().flatten().map(|level| hna(Some(level))));
    engines.retain(|&engine| world.check_engine(engine).is_ok());
    let named = engines.into_iter().map(|engine| Contender {
        name: engine.to_string(),
        engine,
    });
    named.collect()
}

/// Pairs of random points in the largest component.
pub(crate) fn random_queries(
    world: &World,
    costs: &Costs,
    count: usize,
    seed: u64,
) -> Vec<[Vec3; 2]> {
    let mesh = world.mesh();
    // Points on forbidden ground are left out, but not for ever: there may be nothing else.
    let allowed = |place: &Vec3| {
        let found = mesh.locate(*place, DEFAULT_SNAP, |_| true);
        found.is_some_and(|found| costs.prices().allows(mesh, found.polygon))
    };
    let points = RandomPoints::new(mesh, seed).take(200 * count);
    let mut points = points.filter(allowed);
    let pair = || Some([points.next()?, points.next()?]);
    std::iter::from_fn(pair).take(count).collect()
}

/// Sums up what was measured.
pub(crate) fn figures(world: String, run: &Run<'_>, rows: &[Row], builds: &Builds) -> Bench {
    let engines = run.contenders.iter().enumerate().map(|(i, contender)| {
        let answers = || rows.iter().map(|row| &row.answers[i]);
        let count = |is: fn(Status) -> bool| answers().filter(|answer| is(answer.status)).count();
        let mean = |part: fn(&Measured) -> f64| Spread::of(answers().map(part)).mean;
        let total = Spread::of(answers().map(|answer| answer.micros.total()));
        let wrong = || {
            let wrong = rows
                .iter()
                .filter(|row| !same_cost(row.answers[i].cost, row.optimum));
            wrong.count()
        };
        let step = |part: fn(&StepMicros) -> f64| {
            Spread::of(
                answers()
                    .filter_map(|answer| answer.steps.as_ref())
                    .map(part),
            )
            .mean
        };
        EngineFigures {
            engine: contender.name.clone(),
            found: count(|status| status == Status::Found),
            no_path: count(|status| status == Status::NoPath),
            off_mesh: count(Status::is_off_mesh),
            mean_us: total.mean,
            median_us: total.median,
            p99_us: total.p99,
            max_us: total.max,
            locate_us: mean(|answer| answer.micros.locate),
            search_us: mean(|answer| answer.micros.search),
            waypoints_us: mean(|answer| answer.micros.waypoints),
            steps: contender.has_steps(run.world).then(|| StepFigures {
                nodes_us: step(|steps| steps.nodes),
                connect_us: step(|steps| steps.connect),
                overlay_us: step(|steps| steps.overlay),
                extract_us: step(|steps| steps.extract),
            }),
            mean_length: Spread::of(
                answers()
                    .filter(|answer| answer.status == Status::Found)
                    .map(|answer| answer.length),
            )
            .mean,
            needs_index: contender.needs_index(run.world),
            cost_mismatches: run
                .world
                .resolve_engine(contender.engine)
                .is_exact()
                .then(wrong),
            bytes: engine_bytes(run.world, contender.engine),
            build_ms: builds.millis(run.world, contender),
        }
    });
    Bench {
        world,
        polygons: run.world.mesh().polygon_count(),
        portals: run.world.mesh().portals().len(),
        queries: rows.len(),
        threads: run.threads,
        rounds: run.rounds,
        open_ms: builds.open,
        engines: engines.collect(),
    }
}

impl Bench {
    pub(crate) fn print(&self) {
        let opened = self.open_ms.map(|ms| format!(", opened in {ms:.1} ms"));
        say!(
            "{}: {}, {}{}; {}, median of {}, {}; µs",
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
            "mean m",
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
            cells.push(format!("{:.2}", engine.mean_length));
            table.row(cells);
        }
        table.print();
        self.print_indexed();
    }

    /// What the engines of an index need and gain, and the steps of those over a hierarchy.
    fn print_indexed(&self) {
        let astar = self.engines.iter().find(|engine| engine.engine == "astar");
        let mut table = Table::new(&[
            "search",
            "nodes",
            "connect",
            "overlay",
            "extract",
            "x astar",
            "bytes a polygon",
            "build ms",
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
            let faster = astar.map(|astar| astar.search_us / engine.search_us);
            cells.push(or_dash(faster.map(|faster| format!("{faster:.2}"))));
            let a_polygon = engine.bytes as f64 / self.polygons as f64;
            cells.push(format!("{a_polygon:.0}"));
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
