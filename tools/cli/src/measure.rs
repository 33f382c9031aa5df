//! Measures engines on queries: their answers, and the times of their steps.

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{
    Connect, Costs, DEFAULT_GROUND_TOLERANCE, Engine, EngineError, Path, Query, Scratch, Status,
    StepTimes, World,
};
use portolan_measure::{
    Order, QueryTimes, Rounds, Stopwatch, Turn, median_by, micros, timed_query,
};
use rayon::prelude::*;
use serde::Serialize;

/// An engine and the name by which the user selected it.
#[derive(Clone, Debug)]
pub(crate) struct NamedEngine {
    pub(crate) name: String,
    pub(crate) engine: Engine,
    /// The engine that answers: what `auto` is on this world with these costs.
    pub(crate) resolved: Engine,
}

impl NamedEngine {
    pub(crate) fn new(world: &World, costs: &Costs, name: String, engine: Engine) -> Self {
        Self {
            name,
            engine,
            resolved: world.resolve_engine_for(engine, costs),
        }
    }

    /// Returns whether the engine searches a hierarchy, and therefore has the steps of [`StepMicros`].
    pub(crate) fn has_steps(&self) -> bool {
        matches!(self.resolved, Engine::Hna { .. } | Engine::Pccp { .. })
    }

    /// Returns whether one query can use all threads of the pool.
    pub(crate) fn is_parallel(&self) -> bool {
        let parallel = Some(Connect::Parallel);
        matches!(self.resolved, Engine::Hna { connect, .. } if connect == parallel)
    }

    /// Returns whether the engine needs an index: a hierarchy, a contraction, labels or the exact tier.
    pub(crate) fn needs_index(&self) -> bool {
        !matches!(
            self.resolved,
            Engine::AStar | Engine::Dijkstra | Engine::Closest
        )
    }
}

/// Fails if the engine cannot answer queries with these costs.
pub(crate) fn check_costs(world: &World, costs: &Costs, engine: Engine) -> Result<(), EngineError> {
    let query = Query {
        costs: Some(costs),
        engine,
        ..Query::new(Vec3::ZERO, Vec3::ZERO)
    };
    world.locate(&query).map(drop)
}

/// The times of the steps of a search over a hierarchy, in microseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct StepMicros {
    /// Finding the nodes of start and goal.
    pub(crate) nodes: f64,
    /// Connecting start and goal to the inter-edges of their nodes.
    pub(crate) connect: f64,
    /// Searching over inter-edges and intra-edges.
    pub(crate) overlay: f64,
    /// Unpacking the intra-edges of the path that was found.
    pub(crate) extract: f64,
}

impl StepMicros {
    fn total(&self) -> f64 {
        self.nodes + self.connect + self.overlay + self.extract
    }
}

impl From<StepTimes> for StepMicros {
    fn from(steps: StepTimes) -> Self {
        Self {
            nodes: micros(steps.nodes),
            connect: micros(steps.connect),
            overlay: micros(steps.search),
            extract: micros(steps.extract),
        }
    }
}

/// Locates the endpoints of a query and searches, with a clock between the steps of the search.
pub(crate) fn timed_steps(world: &World, query: &Query<'_>, scratch: &mut Scratch) -> StepMicros {
    // This also clears the times of the last query, because a search between islands ends before its first step.
    scratch.time_steps(true);
    let located = world.locate(query).expect("the world supports the engine");
    drop(located.search(scratch));
    let steps = scratch.steps();
    scratch.time_steps(false);
    steps.into()
}

/// The times of the three stages of a query, in microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QueryMicros {
    pub(crate) locate: f64,
    pub(crate) search: f64,
    pub(crate) waypoints: f64,
    /// The time to make the waypoints follow the ground after that, 0 if that was not measured.
    pub(crate) ground: f64,
}

impl QueryMicros {
    /// Returns the time of a query for corners.
    pub(crate) fn total(&self) -> f64 {
        self.locate + self.search + self.waypoints
    }

    /// Returns the time of a query for waypoints that follow the ground.
    pub(crate) fn total_on_ground(&self) -> f64 {
        self.total() + self.ground
    }
}

impl From<QueryTimes> for QueryMicros {
    fn from(times: QueryTimes) -> Self {
        Self {
            locate: micros(times.locate),
            search: micros(times.search),
            waypoints: micros(times.waypoints),
            ground: 0.0,
        }
    }
}

/// The answer of one engine to one query.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredAnswer {
    pub(crate) status: Status,
    pub(crate) length: f64,
    pub(crate) length_xz: f64,
    pub(crate) cost: f32,
    pub(crate) polygons: usize,
    pub(crate) waypoints: usize,
    pub(crate) micros: QueryMicros,
    /// The steps of the search, for engines that search a hierarchy.
    pub(crate) steps: Option<StepMicros>,
}

/// A measurement of several engines on the same world.
pub(crate) struct EngineMeasurement<'a> {
    pub(crate) world: &'a World,
    pub(crate) costs: &'a Costs,
    pub(crate) snap: Vec3,
    pub(crate) contenders: &'a [NamedEngine],
    pub(crate) rounds: u32,
    /// Whether waypoints that follow the ground are timed, too.
    pub(crate) ground: bool,
    /// The number of threads that the user asked for.
    pub(crate) threads: Option<u16>,
    pub(crate) progress: ProgressBar,
}

/// The answers of all engines to one query.
pub(crate) struct QueryAnswers {
    /// One answer per engine, in the order of [`EngineMeasurement::contenders`].
    pub(crate) answers: Vec<MeasuredAnswer>,
    /// The cost of Dijkstra's algorithm.
    pub(crate) optimum: f32,
}

impl EngineMeasurement<'_> {
    /// Returns the number of progress steps that [`run`](Self::run) reports.
    pub(crate) fn steps(&self, queries: usize) -> u64 {
        let kinds = 1 + u64::from(self.are_steps_timed());
        queries as u64 * (u64::from(self.rounds) * kinds + 1)
    }

    fn are_steps_timed(&self) -> bool {
        self.contenders.iter().any(NamedEngine::has_steps)
    }

    /// Returns the number of queries that are timed at once, each on one thread. It is 1 if an engine uses several
    /// threads for one query, because other queries would take these threads.
    pub(crate) fn query_threads(&self) -> usize {
        match self.has_parallel_engine() {
            true => 1,
            false => self.threads.unwrap_or(1).into(),
        }
    }

    /// Returns the number of threads that one query of an engine can use.
    pub(crate) fn threads_of(&self, contender: &NamedEngine) -> usize {
        match contender.is_parallel() {
            true => self.pool_threads(),
            false => 1,
        }
    }

    fn pool_threads(&self) -> usize {
        match (self.threads, self.has_parallel_engine()) {
            (Some(threads), _) => threads.into(),
            (None, true) => std::thread::available_parallelism().map_or(1, usize::from),
            (None, false) => 1,
        }
    }

    fn has_parallel_engine(&self) -> bool {
        self.contenders.iter().any(NamedEngine::is_parallel)
    }

    /// Runs every query with every engine: once for the answers, which also warms up the caches, and then in
    /// rounds for the times. Within a round, the engines take turns on each query. A time is the median over
    /// the rounds.
    ///
    /// The steps of searches over a hierarchy are timed in further rounds, because the clock between them
    /// slows the search down.
    pub(crate) fn run(
        &self,
        queries: &[[Vec3; 2]],
    ) -> Result<Vec<QueryAnswers>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.pool_threads())
            .build()?;
        pool.install(|| {
            let mut rows = self.all_answers(queries);
            self.add_times(queries, &mut rows);
            if self.are_steps_timed() {
                self.add_steps(queries, &mut rows);
            }
            Ok(rows)
        })
    }

    fn all_answers(&self, queries: &[[Vec3; 2]]) -> Vec<QueryAnswers> {
        let rows = queries
            .par_iter()
            .map_init(ThreadBuffers::default, |buffers, query| {
                let row = self.answers(*query, buffers);
                self.progress.inc(1);
                row
            });
        rows.collect()
    }

    fn add_times(&self, queries: &[[Vec3; 2]], rows: &mut [QueryAnswers]) {
        let times = self.in_rounds(queries, |query, _, ThreadBuffers { scratch, path }| {
            let timed = timed_query(self.world, query, scratch, path);
            let mut times = QueryMicros::from(timed.expect("the world supports the engine").times);
            if self.ground {
                let mut watch = Stopwatch::start();
                path.on_ground(self.world, DEFAULT_GROUND_TOLERANCE);
                times.ground = micros(watch.lap());
            }
            times
        });
        for (engine, engine_times) in times.iter().enumerate() {
            for (row, times) in rows.iter_mut().zip(engine_times) {
                let median = median_by(times, QueryMicros::total_on_ground);
                row.answers[engine].micros = median.copied().unwrap_or_default();
            }
        }
    }

    /// Times the steps of the engines that search a hierarchy. The other engines take their turns, too, so
    /// that the caches are in the same state as in the rounds before. Dijkstra's algorithm is left out: it
    /// would take most of the time.
    fn add_steps(&self, queries: &[[Vec3; 2]], rows: &mut [QueryAnswers]) {
        let steps = self.in_rounds(
            queries,
            |query, contender, ThreadBuffers { scratch, .. }| match contender.engine {
                Engine::Dijkstra => StepMicros::default(),
                _ => timed_steps(self.world, query, scratch),
            },
        );
        for (engine, engine_steps) in steps.iter().enumerate() {
            if !self.contenders[engine].has_steps() {
                continue;
            }
            for (row, steps) in rows.iter_mut().zip(engine_steps) {
                row.answers[engine].steps = median_by(steps, StepMicros::total).copied();
            }
        }
    }

    /// Calls `measure` for every engine and query, round by round: on all threads of the pool, or on this thread
    /// of the pool if an engine uses the others.
    fn in_rounds<T: Send>(
        &self,
        queries: &[[Vec3; 2]],
        measure: impl Fn(&Query<'_>, &NamedEngine, &mut ThreadBuffers) -> T + Sync + Send,
    ) -> portolan_measure::RoundSamples<T> {
        let rounds = Rounds {
            count: self.rounds as usize,
            order: Order::ByQuery,
            patience: None,
        };
        let count = self.contenders.len();
        let answer = |buffers: &mut ThreadBuffers, turn: Turn| {
            let contender = &self.contenders[turn.contender];
            let query = self.query(queries[turn.query], contender.engine);
            let sample = measure(&query, contender, buffers);
            // Once per query, for any number of engines.
            if turn.contender == 0 {
                self.progress.inc(1);
            }
            sample
        };
        if self.has_parallel_engine() {
            let mut buffers = ThreadBuffers::default();
            rounds.run(count, queries.len(), |turn| answer(&mut buffers, turn))
        } else {
            rounds.run_on_pool(count, queries.len(), ThreadBuffers::default, answer)
        }
    }

    fn query(&self, [from, to]: [Vec3; 2], engine: Engine) -> Query<'_> {
        Query {
            snap: self.snap,
            costs: Some(self.costs),
            engine,
            ..Query::new(from, to)
        }
    }

    fn answers(
        &self,
        query: [Vec3; 2],
        ThreadBuffers { scratch, path }: &mut ThreadBuffers,
    ) -> QueryAnswers {
        // Lengths are those of paths on the ground.
        let query_of = |engine| Query {
            ground_tolerance: DEFAULT_GROUND_TOLERANCE,
            ..self.query(query, engine)
        };
        self.world
            .find_path(&query_of(Engine::Dijkstra), scratch, path)
            .expect("the world supports the engine");
        let optimum = path.cost;
        let answers = self.contenders.iter().map(|contender| {
            let status = self
                .world
                .find_path(&query_of(contender.engine), scratch, path)
                .expect("the world supports the engine");
            MeasuredAnswer {
                status,
                length: path.length(),
                length_xz: path.length_xz(),
                cost: path.cost,
                polygons: path.corridor.polygons.len(),
                waypoints: path.waypoints.len(),
                micros: QueryMicros::default(),
                steps: None,
            }
        });
        QueryAnswers {
            answers: answers.collect(),
            optimum,
        }
    }
}

/// The buffers that a thread reuses for all queries.
#[derive(Default)]
struct ThreadBuffers {
    scratch: Scratch,
    path: Path,
}
