//! Times batches of agents (Rahmani and Pelechano 2020, figures 11 and 12 and table 3).
//!
//! All batches run on all threads of rayon's pool. Engines alternate round by round, and the fastest round of a batch
//! counts. An engine gets no larger batch once that batch would exceed the time limit, judged by the time per agent of the
//! batch before, so a slow engine ends earlier than the others.

use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, Connect, Endpoints, Engine, Level, Query, Scratch,
    Tier, Want, World,
};
use portolan_measure::{Stopwatch, distant_queries, mismatches, thousandths};

use super::{IndexSettings, PCCP_AT, SceneBench};
use crate::ReportError;
use crate::batch_model::{BatchCell, BatchEngine, BatchTime};
use crate::measure::LocatedQueries;

/// The maximum number of runs of a batch.
pub(super) const RUNS: usize = 3;

/// The number of agents whose costs are compared with those of single queries.
pub(super) const CHECKED: usize = 1000;

/// The duration of a frame at 25 frames per second. [Units: ms]
pub(crate) const FRAME_MS: f64 = 40.0;

/// The number of batches that are tried to find the largest one within a frame.
const FRAME_TRIES: usize = 8;

/// The tiers of `contraction:fast` and `auto`.
const TIERS: [Tier; 2] = [Tier::Fast, Tier::Default];

/// The maximum size of labels. [Units: bytes]
pub(super) const MAX_LABEL_BYTES: usize = 1 << 30;

impl SceneBench<'_> {
    pub(super) fn batches(&self) -> Result<BatchCell, ReportError> {
        let (mu, level) = PCCP_AT;
        let world = self.world(IndexSettings {
            tiers: &TIERS,
            ..IndexSettings::new(mu, self.max_levels().min(level.into()))
        })?;
        let top = world.hierarchy().map_or(0, |h| h.top().0);
        let max_agents = self
            .effort
            .agents
            .last()
            .map_or(0, |&agents| agents as usize);
        let queries = distant_queries(world.mesh(), max_agents, self.effort.seed);
        let located = LocatedQueries::new(&world, &queries);
        let label_bytes = world.prepare_labels(world.default_costs(), MAX_LABEL_BYTES);
        let requests = requests(&world, Level(top), label_bytes.is_ok());
        let mut engines: Vec<BatchBench<'_>> = requests
            .iter()
            .map(|&(engine, want)| {
                BatchBench::on(engine, want, |queries, options, answers| {
                    let result = world.find_paths(queries, options, answers);
                    result.expect("an engine of this world");
                    Ok(0)
                })
            })
            .collect();
        for &agents in &self.effort.agents {
            let agents = (agents as usize).min(located.endpoints.len());
            let endpoints = &located.endpoints[..agents];
            let limit_ms = self.effort.batch_ms as f64;
            let mut selected: Vec<_> = engines.iter_mut().collect();
            selected.retain(|engine| engine.expected_ms(agents) <= limit_ms);
            for _ in 0..RUNS {
                let patience_ms = self.effort.patience_ms as f64;
                for engine in &mut selected {
                    engine.run_unless_slow(endpoints, patience_ms);
                }
            }
        }
        let cells = engines.into_iter().map(|mut engine| {
            let frame_agents = engine.frame_agents(&located.endpoints);
            let (checked, mismatches) = engine.check(&world, &located.endpoints);
            let is_by_labels = engine.options.engine == Engine::Labels;
            let bytes = match (is_by_labels, &label_bytes) {
                (true, Ok(bytes)) => *bytes + world.engine_bytes(Engine::Contraction(Tier::Fast)),
                _ => world.engine_bytes(engine.options.engine),
            };
            BatchEngine {
                engine: engine.options.engine.to_string(),
                want: engine.options.want.name().to_owned(),
                bytes,
                frame_agents,
                checked,
                mismatches,
                batches: engine.times,
            }
        });
        Ok(BatchCell {
            scene: self.scene(),
            polygons: world.mesh().polygon_count(),
            mu,
            level: top,
            engines: cells.collect(),
        })
    }
}

/// Lists the engines and what they return, with A*, the reference, first.
fn requests(world: &World, level: Level, has_labels: bool) -> Vec<(Engine, Want)> {
    let level = Some(level);
    let mut engines = vec![
        Engine::AStar,
        Engine::Hna {
            level,
            connect: Some(Connect::Table),
        },
        Engine::Pccp { level },
        Engine::Contraction(Tier::Fast),
        Engine::default(),
    ];
    engines.retain(|&engine| world.check_engine(engine).is_ok());
    let corridors = engines.into_iter().map(|engine| (engine, Want::Corridor));
    let labels = [Want::Next, Want::Portal].map(|want| (Engine::Labels, want));
    let labels = labels.into_iter().filter(|_| has_labels);
    corridors.chain(labels).collect()
}

/// Answers a batch, and returns the number of agents that a device left to the CPU, or the reason why it stopped.
type FindPaths<'a> =
    dyn Fn(BatchQueries<'_>, &BatchOptions<'a>, &mut BatchAnswers) -> Result<usize, String> + 'a;

/// An engine and its batches so far.
pub(super) struct BatchBench<'a> {
    find_paths: Box<FindPaths<'a>>,
    pub(super) options: BatchOptions<'a>,
    pub(super) answers: BatchAnswers,
    pub(super) times: Vec<BatchTime>,
    /// The agents of the last batch that a device left to the CPU.
    pub(super) fallbacks: usize,
    /// The reason why a device stopped. It answers no further batch.
    pub(super) failure: Option<String>,
}

impl<'a> BatchBench<'a> {
    /// Returns an engine on the CPU or on a device, which `find_paths` knows.
    pub(super) fn on(
        engine: Engine,
        want: Want,
        find_paths: impl Fn(
            BatchQueries<'_>,
            &BatchOptions<'a>,
            &mut BatchAnswers,
        ) -> Result<usize, String>
        + 'a,
    ) -> Self {
        Self {
            find_paths: Box::new(find_paths),
            options: BatchOptions {
                engine,
                ..BatchOptions::new(want)
            },
            answers: BatchAnswers::default(),
            times: Vec::new(),
            fallbacks: 0,
            failure: None,
        }
    }

    /// Returns the time that a batch would take if an agent took as long as in the last batch; 0 for the first batch.
    /// [Units: ms]
    pub(super) fn expected_ms(&self, agents: usize) -> f64 {
        let last = self.times.last();
        last.map_or(0.0, |last| {
            last.ms * agents as f64 / last.agents.max(1) as f64
        })
    }

    /// Answers a batch and returns its time. [Units: ms]
    pub(super) fn answer(&mut self, endpoints: &[Endpoints]) -> f64 {
        let queries = BatchQueries::Located(endpoints);
        let mut watch = Stopwatch::start();
        let result = (self.find_paths)(queries, &self.options, &mut self.answers);
        let ms = watch.lap_ms();
        match result {
            Ok(fallbacks) => self.fallbacks = fallbacks,
            Err(failure) => self.failure = Some(failure),
        }
        ms
    }

    /// Runs a batch once more. A batch whose first run took longer than `patience_ms` is not run again.
    pub(super) fn run_unless_slow(&mut self, endpoints: &[Endpoints], patience_ms: f64) {
        let agents = endpoints.len();
        let before = self.times.iter().position(|time| time.agents == agents);
        let is_slow = before.is_some_and(|index| self.times[index].ms > patience_ms);
        if is_slow || self.failure.is_some() {
            return;
        }
        let ms = thousandths(self.answer(endpoints));
        if self.failure.is_some() {
            return;
        }
        match before {
            Some(index) => {
                let time = &mut self.times[index];
                time.ms = time.ms.min(ms);
                time.runs += 1;
            }
            None => self.times.push(BatchTime {
                agents,
                ms,
                runs: 1,
                answer_bytes: answer_bytes(&self.answers),
            }),
        }
    }

    /// Returns the largest number of agents that were answered within a frame, from measured batches.
    pub(super) fn frame_agents(&mut self, endpoints: &[Endpoints]) -> usize {
        let within = self.times.iter().filter(|time| time.ms <= FRAME_MS);
        let mut best = within.map(|time| time.agents).max().unwrap_or(0);
        let above = self.times.iter().filter(|time| time.ms > FRAME_MS);
        let mut too_many = above.map(|time| time.agents).min();
        let nearest = |time: &&BatchTime| ((time.ms / FRAME_MS).ln().abs() * 1e6) as u64;
        let Some(near) = self.times.iter().min_by_key(nearest) else {
            return 0;
        };
        let mut agents = near.agents as f64 * FRAME_MS / near.ms.max(1e-3);
        for _ in 0..FRAME_TRIES {
            let max = too_many.map_or(endpoints.len(), |count| count - 1);
            if best >= max {
                break;
            }
            // Times are not proportional to agents, so an estimate may be outside of what is still open.
            let estimate = agents as usize;
            let count = match (best + 1..=max).contains(&estimate) {
                true => estimate,
                false => (best + max).div_ceil(2),
            };
            let ms = self.answer(&endpoints[..count]);
            match ms <= FRAME_MS {
                true => best = count,
                false => too_many = Some(count),
            }
            agents = count as f64 * FRAME_MS / ms.max(1e-3);
        }
        best
    }

    /// Returns the number of agents whose costs were compared with those of single queries, and how many differ. The
    /// single queries of labels are those of `contraction:fast`.
    fn check(&mut self, world: &World, endpoints: &[Endpoints]) -> (usize, usize) {
        let endpoints = &endpoints[..endpoints.len().min(CHECKED)];
        self.answer(endpoints);
        let engine = match self.options.engine {
            Engine::Labels => Engine::Contraction(Tier::Fast),
            engine => engine,
        };
        let mut scratch = Scratch::new();
        let single = endpoints.iter().map(|&ends| {
            let query = Query {
                engine,
                ..Query::new(ends.start.point, ends.goal.point)
            };
            let located = world.located(&query, ends);
            let searched = located
                .expect("an engine of this world")
                .search(&mut scratch);
            searched.cost().unwrap_or(f32::INFINITY)
        });
        let single: Vec<f32> = single.collect();
        (single.len(), mismatches(&self.answers.costs, &single))
    }
}

/// Returns the size of the arrays that a batch returned. [Units: bytes]
fn answer_bytes(answers: &BatchAnswers) -> usize {
    size_of_val(&answers.statuses[..])
        + size_of_val(&answers.costs[..])
        + size_of_val(&answers.distances[..])
        + size_of_val(&answers.polygons[..])
        + size_of_val(&answers.portals[..])
        + size_of_val(&answers.next[..])
        + size_of_val(&answers.corridors.offsets[..])
        + size_of_val(&answers.corridors.values[..])
}
