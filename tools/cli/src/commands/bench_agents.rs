//! `portolan bench --agents`: measures batches of agents whose polygons are known.

use std::path::Path;

use glam::Vec3;
use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, Costs, Crossing, Endpoints, Engine, EngineError,
    Located, Path as FoundPath, PolygonId, Query, Scratch, Status, Tier, Want, World,
};
use portolan_measure::{Stopwatch, allowed_queries, median, same_cost};
use rayon::prelude::*;
use serde::Serialize;

use super::bench::parse_engines;
use super::{check_outputs, open_costs, open_world, threads};
use crate::args::{BenchArgs, Common};
use crate::gpu::{self, GpuError, GpuWorld};
use crate::measure::NamedEngine;
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{count, progress, say};

/// The largest number of agents that a slow engine answers, and the number of answers that are compared with
/// single queries.
const MAX_SLOW: usize = 20_000;

/// The largest distance between two first waypoints that count as equal. [Units: m]
const SAME_POINT: f32 = 1e-4;

/// The results, as the JSON has them.
#[derive(Serialize)]
struct AgentResults {
    world: String,
    polygons: usize,
    portals: usize,
    agents: usize,
    want: &'static str,
    threads: usize,
    rounds: u32,
    /// The GPU that answered; `None` if the processor did.
    adapter: Option<String>,
    /// The number of answers per engine that were compared with single queries, or all if an engine has fewer.
    checked: usize,
    #[serde(flatten)]
    labels: LabelFigures,
    engines: Vec<AgentFigures>,
}

/// What it takes until labels are ready after a change of costs. All are `None` if no engine uses labels.
#[derive(Default, Serialize)]
struct LabelFigures {
    label_bytes: Option<usize>,
    label_ms: Option<f64>,
    customize_ms: Option<f64>,
    /// The sum of the two times.
    ready_ms: Option<f64>,
}

#[derive(Serialize)]
struct AgentFigures {
    engine: String,
    agents: usize,
    found: usize,
    no_path: usize,
    agents_per_second: f64,
    /// The median over the rounds.
    frame_ms: f64,
    best_frame_ms: f64,
    /// The number of answers that differ from those of single queries.
    mismatches: usize,
    /// The number of answers that a GPU left to the processor.
    fallbacks: usize,
}

pub(super) fn run(args: &BenchArgs, agents: u32, common: &Common) -> Result<ExitKind, Failure> {
    let want = args.want.map_or(Want::Portal, Want::from);
    let named = args.engines.as_deref().map(parse_engines).transpose()?;
    let inputs: Vec<&Path> = std::iter::once(&args.world)
        .chain(&args.profile)
        .map(|file| &**file)
        .collect();
    check_outputs(&inputs, &[args.json.as_deref()])?;
    let world = open_world(&args.world, args.trust, common)?;
    let is_default_list = named.is_none();
    let mut named = named.unwrap_or_else(|| default_engines(want, args.gpu));
    if is_default_list {
        named.retain(|(_, engine)| is_supported(&world, *engine, want));
    }
    let engines: Vec<Engine> = named.iter().map(|(_, engine)| *engine).collect();
    let costs = open_costs(&world, args.profile.as_deref(), &engines, common)?;
    let pool = threads(common)?;
    let gpu = gpu::open(args.gpu)?;
    let device = gpu
        .as_ref()
        .map(|gpu| gpu.upload(&world, &costs))
        .transpose();
    let describe =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", args.world.display()));
    let bench = AgentBench {
        world: &world,
        costs: &costs,
        device: device.map_err(|error| describe(&AnswerError::Gpu(error)))?,
        adapter: gpu.as_ref().map(gpu::adapter_name),
        want,
        agents: pool.install(|| draw(&world, &costs, agents as usize, args.seed)),
        rounds: args.rounds,
        threads: pool.current_num_threads(),
    };
    if bench.agents.is_empty() {
        return Err(Failure::new(format!(
            "{}: the profile allows too little ground for random agents",
            args.world.display()
        )));
    }
    let mut contenders = Vec::new();
    for (name, engine) in named {
        match pool.install(|| bench.answer(engine, 0, &mut BatchAnswers::default())) {
            Ok(_) => contenders.push(NamedEngine::new(&world, &costs, name, engine)),
            // The default list leaves out what this profile does not have.
            Err(AnswerError::Engine(EngineError::NotExact { .. })) if is_default_list => (),
            Err(error) => return Err(describe(&error)),
        }
    }
    let name = args.world.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let results = pool.install(|| bench.run(name, &contenders, common));
    let results = results.map_err(|error| describe(&error))?;
    if let Some(file) = &args.json {
        portolan_files::save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    // With --quiet, the table is printed unless the results are written to a file.
    if !common.quiet || args.json.is_none() {
        results.print();
    }
    let mismatches: usize = results.engines.iter().map(|engine| engine.mismatches).sum();
    if mismatches > 0 {
        eprintln!(
            "portolan: {mismatches} answers differ from those of single queries; this is a bug, please report it"
        );
        return Ok(ExitKind::Negative);
    }
    Ok(ExitKind::Success)
}

/// Returns the engines to compare by default.
fn default_engines(want: Want, is_on_gpu: bool) -> Vec<(String, Engine)> {
    let mut engines = Vec::new();
    if want.default_engine() == Engine::Labels {
        engines.push(Engine::Labels);
    }
    let hna = Engine::Hna {
        level: None,
        connect: None,
    };
    engines.extend([
        Engine::Contraction(Tier::Fast),
        Engine::default(),
        hna,
        Engine::Pccp { level: None },
        Engine::AStar,
    ]);
    if is_on_gpu {
        engines.retain(|&engine| engine != Engine::default());
    }
    let named = engines
        .into_iter()
        .map(|engine| (engine.to_string(), engine));
    named.collect()
}

/// Returns whether the engine answers by the labels of batches, and not by those of the index.
fn is_by_labels(engine: Engine, want: Want) -> bool {
    engine == Engine::Labels && matches!(want, Want::Portal | Want::Next)
}

/// Returns the engine of the single queries that answers are compared with.
fn reference(engine: Engine, want: Want) -> Engine {
    match is_by_labels(engine, want) {
        true => Engine::Contraction(Tier::Fast),
        false => engine,
    }
}

fn is_supported(world: &World, engine: Engine, want: Want) -> bool {
    world.check_engine(reference(engine, want)).is_ok()
}

/// Draws agents that walk between random points.
fn draw(world: &World, costs: &Costs, agents: usize, seed: u64) -> Vec<Endpoints> {
    let queries = allowed_queries(world.mesh(), costs, agents, seed);
    let locate = |&[from, to]: &[Vec3; 2]| {
        let query = Query {
            costs: Some(costs),
            engine: Engine::AStar,
            ..Query::new(from, to)
        };
        let located = world.locate(&query).expect("every world has A*");
        located.endpoints().ok()
    };
    queries.par_iter().filter_map(locate).collect()
}

/// Why agents cannot be answered.
enum AnswerError {
    Engine(EngineError),
    Gpu(GpuError),
    /// One of several engines.
    OnGpu(String, GpuError),
}

impl AnswerError {
    /// Names the engine. Other errors name it already.
    fn of_engine(self, name: &str) -> Self {
        match self {
            Self::Gpu(error) => Self::OnGpu(name.to_owned(), error),
            error => error,
        }
    }
}

impl std::fmt::Display for AnswerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::Gpu(error) => f.write_str(&gpu::describe(error)),
            Self::OnGpu(engine, error) => write!(f, "{engine}: {}", gpu::describe(error)),
        }
    }
}

struct AgentBench<'a> {
    world: &'a World,
    costs: &'a Costs,
    /// Answers if there is one.
    device: Option<GpuWorld<'a>>,
    adapter: Option<String>,
    want: Want,
    agents: Vec<Endpoints>,
    rounds: u32,
    threads: usize,
}

impl AgentBench<'_> {
    /// Answers the first `agents` agents. Returns the number of those that a device left to the CPU.
    fn answer(
        &self,
        engine: Engine,
        agents: usize,
        answers: &mut BatchAnswers,
    ) -> Result<usize, AnswerError> {
        let options = BatchOptions {
            engine,
            costs: Some(self.costs),
            ..BatchOptions::new(self.want)
        };
        let queries = BatchQueries::Located(&self.agents[..agents]);
        match &self.device {
            Some(device) => {
                let report = device.find_paths(queries, &options, answers);
                report
                    .map(|report| report.fallbacks)
                    .map_err(AnswerError::Gpu)
            }
            None => {
                let answered = self.world.find_paths(queries, &options, answers);
                answered.map(|()| 0).map_err(AnswerError::Engine)
            }
        }
    }

    /// Returns how many agents an engine answers.
    fn agents_of(&self, contender: &NamedEngine) -> usize {
        let is_fast = matches!(
            contender.resolved,
            Engine::Labels | Engine::Contraction(_) | Engine::Auto(_)
        );
        match is_fast {
            true => self.agents.len(),
            false => self.agents.len().min(MAX_SLOW),
        }
    }

    /// Every engine answers once to warm up, and these answers are checked. Then the engines take turns in rounds.
    fn run(
        &self,
        world: String,
        contenders: &[NamedEngine],
        common: &Common,
    ) -> Result<AgentResults, AnswerError> {
        let steps = contenders.len() as u64 * (u64::from(self.rounds) + 1);
        let progress = progress(common, "rounds", steps);
        let mut answers = BatchAnswers::default();
        let mut figures: Vec<AgentFigures> = Vec::new();
        for contender in contenders {
            let agents = self.agents_of(contender);
            let fallbacks = self.answer(contender.engine, agents, &mut answers);
            let fallbacks = fallbacks.map_err(|error| error.of_engine(&contender.name))?;
            let count = |status| answers.statuses.iter().filter(|&&s| s == status).count();
            figures.push(AgentFigures {
                engine: contender.name.clone(),
                agents,
                found: count(Status::Found),
                no_path: count(Status::NoPath),
                agents_per_second: 0.0,
                frame_ms: 0.0,
                best_frame_ms: 0.0,
                mismatches: self.mismatches(contender.engine, &answers),
                fallbacks,
            });
            progress.inc(1);
        }
        let mut times = vec![Vec::new(); contenders.len()];
        for round in 0..self.rounds as usize {
            for turn in 0..contenders.len() {
                // The first engine changes from round to round.
                let index = (turn + round) % contenders.len();
                let (engine, agents) = (contenders[index].engine, figures[index].agents);
                let mut watch = Stopwatch::start();
                let answered = self.answer(engine, agents, &mut answers);
                answered.map_err(|error| error.of_engine(&contenders[index].name))?;
                times[index].push(watch.lap_ms());
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        for (figures, times) in figures.iter_mut().zip(times) {
            figures.best_frame_ms = times.iter().copied().fold(f64::INFINITY, f64::min);
            figures.frame_ms = median(times);
            figures.agents_per_second = figures.agents as f64 / figures.frame_ms * 1e3;
        }
        let uses_labels = |contender: &NamedEngine| is_by_labels(contender.engine, self.want);
        let labels = contenders.iter().any(uses_labels);
        Ok(AgentResults {
            world,
            polygons: self.world.mesh().polygon_count(),
            portals: self.world.mesh().portals().len(),
            agents: self.agents.len(),
            want: self.want.name(),
            threads: self.threads,
            rounds: self.rounds,
            adapter: self.adapter.clone(),
            checked: self.agents.len().min(MAX_SLOW),
            labels: match labels {
                true => self.label_figures(),
                false => LabelFigures::default(),
            },
            engines: figures,
        })
    }

    /// Customizes the costs again, and computes their labels again.
    fn label_figures(&self) -> LabelFigures {
        let fast = Engine::Contraction(Tier::Fast);
        let limit = BatchOptions::new(self.want).max_label_bytes;
        let (mut customize, mut prepare, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..self.rounds {
            let mut watch = Stopwatch::start();
            let costs = self.world.costs_for(self.costs.profile(), &[fast]);
            customize.push(watch.lap_ms());
            let labels = self.world.prepare_labels(&costs, limit);
            prepare.push(watch.lap_ms());
            bytes = labels.expect("labels have answered before");
        }
        let (customize, prepare) = (median(customize), median(prepare));
        LabelFigures {
            label_bytes: Some(bytes),
            label_ms: Some(prepare),
            customize_ms: Some(customize),
            ready_ms: Some(customize + prepare),
        }
    }

    /// Returns how many of the first answers differ from those of single queries.
    fn mismatches(&self, engine: Engine, answers: &BatchAnswers) -> usize {
        let checked = answers.len().min(MAX_SLOW);
        let buffers = || (Scratch::new(), FoundPath::default());
        let agents = (0..checked).into_par_iter();
        let differing = agents.map_init(buffers, |buffers, agent| {
            usize::from(self.differs(engine, agent, answers, buffers))
        });
        differing.sum()
    }

    /// Prepares a single query of an agent.
    fn located(&self, engine: Engine, agent: usize) -> Located<'_> {
        let endpoints = self.agents[agent];
        let query = Query {
            costs: Some(self.costs),
            engine,
            ..Query::new(endpoints.start.point, endpoints.goal.point)
        };
        let located = self.world.located(&query, endpoints);
        located.expect("the engine was checked")
    }

    /// Returns whether an answer differs from that of a single query.
    fn differs(
        &self,
        engine: Engine,
        agent: usize,
        answers: &BatchAnswers,
        (scratch, path): &mut (Scratch, FoundPath),
    ) -> bool {
        // A device answers by labels of batches, and whole paths of `labels` by the contraction.
        let reference = match (engine, &self.device) {
            (Engine::Labels, Some(_)) => Engine::Contraction(Tier::Fast),
            _ => reference(engine, self.want),
        };
        let located = self.located(reference, agent);
        // Of several paths with the same cost, a device may find another one.
        let is_strict = self.device.is_none() || is_by_labels(engine, self.want);
        let (status, cost) = (answers.statuses[agent], answers.costs[agent]);
        if self.want == Want::Portal {
            let polygon = answers.polygons[agent];
            return match located.distance(scratch) {
                Some(single) => {
                    let is_same = !is_strict || polygon == self.polygon_beyond(agent, single.first);
                    status != Status::Found || !same_cost(cost, single.cost) || !is_same
                }
                None => status != Status::NoPath,
            };
        }
        let single = located.search(scratch).waypoints(path);
        if status != single || !status.has_path() {
            return status != single;
        }
        let is_same = match self.want {
            _ if !is_strict => true,
            Want::Next => answers.next[agent].distance(path.waypoints[1]) <= SAME_POINT,
            _ => {
                answers.waypoints.get(agent) == path.waypoints
                    && answers.corridors.get(agent) == path.corridor.polygons
            }
        };
        !is_same || !same_cost(cost, path.cost)
    }

    /// Returns the polygon that an agent enters by a crossing, or its own without one.
    fn polygon_beyond(&self, agent: usize, crossing: Option<Crossing>) -> PolygonId {
        let (mesh, here) = (self.world.mesh(), self.agents[agent].start.polygon);
        match crossing {
            Some(Crossing::Portal(portal)) => match mesh.portal(portal).polygons {
                [a, b] if a == here => b,
                [a, _] => a,
            },
            Some(Crossing::Link(link, end)) => mesh.link(link).polygons[1 - usize::from(end)],
            None => here,
        }
    }
}

impl AgentResults {
    fn print(&self) {
        say!(
            "{}: {}, {}; {} ask for {}, median of {}, {}{}",
            self.world,
            count(self.polygons, "polygon"),
            count(self.portals, "portal"),
            count(self.agents, "agent"),
            match self.want {
                "portal" => "first portals",
                "next" => "first waypoints",
                want => want,
            },
            count(self.rounds as usize, "round"),
            count(self.threads, "thread"),
            match &self.adapter {
                Some(adapter) => format!(", on {adapter}"),
                None => String::new(),
            },
        );
        let mut columns = vec![
            "engine",
            "agents",
            "found",
            "no path",
            "frame (ms)",
            "best (ms)",
            "agents per second",
            "ns per agent",
            "mismatches",
        ];
        if self.adapter.is_some() {
            columns.push("fallbacks");
        }
        let mut table = TextTable::new(&columns);
        for engine in &self.engines {
            let mut row = vec![
                engine.engine.clone(),
                engine.agents.to_string(),
                engine.found.to_string(),
                engine.no_path.to_string(),
                format!("{:.2}", engine.frame_ms),
                format!("{:.2}", engine.best_frame_ms),
                format!("{:.0}", engine.agents_per_second),
                format!("{:.0}", 1e9 / engine.agents_per_second),
                engine.mismatches.to_string(),
            ];
            if self.adapter.is_some() {
                row.push(engine.fallbacks.to_string());
            }
            table.row(row);
        }
        table.print();
        let labels = &self.labels;
        if let (Some(bytes), Some(label), Some(customize), Some(ready)) = (
            labels.label_bytes,
            labels.label_ms,
            labels.customize_ms,
            labels.ready_ms,
        ) {
            say!(
                "labels: {bytes} bytes ({:.0} per polygon), ready {ready:.1} ms after costs change: {customize:.1} ms for \
                 the contraction, {label:.1} ms for the labels",
                bytes as f64 / self.polygons as f64
            );
        }
    }
}
