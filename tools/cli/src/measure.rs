//! Queries, timed step by step, and their answers.

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{Costs, Engine, Path, Query, Scratch, Status, StepTimes, World};
use portolan_measure::{Order, QueryTimes, Rounds, median_by, micros, timed_query};
use rayon::prelude::*;
use serde::Serialize;

/// An engine and the name by which it was asked for.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) engine: Engine,
}

impl Contender {
    /// Whether its searches have the steps of a search over a hierarchy.
    pub(crate) fn has_steps(&self, world: &World) -> bool {
        has_steps(world, self.engine)
    }

    /// Whether it searches what only an index has: a hierarchy, a contraction or labels.
    pub(crate) fn needs_index(&self, world: &World) -> bool {
        let is_plain =
            |engine| matches!(engine, Engine::AStar | Engine::Dijkstra | Engine::Closest);
        !is_plain(world.resolve_engine(self.engine))
    }
}

/// Whether an engine's searches have the steps of a search over a hierarchy.
pub(crate) fn has_steps(world: &World, engine: Engine) -> bool {
    let engine = world.resolve_engine(engine);
    matches!(engine, Engine::Hna { .. } | Engine::Pccp { .. })
}

/// Microseconds of the steps of a search over a hierarchy.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct StepMicros {
    /// Finding the nodes of start and goal.
    pub(crate) nodes: f64,
    /// Connecting both to the inter-edges of their nodes.
    pub(crate) connect: f64,
    /// Searching over inter-edges and intra-edges.
    pub(crate) overlay: f64,
    /// Extracting what lies under them.
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

/// Runs locate and search of one query once more, with a clock between the steps of the search.
pub(crate) fn timed_steps(world: &World, query: &Query<'_>, scratch: &mut Scratch) -> StepMicros {
    // Also forgets the last: a search between islands ends before its first step.
    scratch.time_steps(true);
    let located = world.locate(query).expect("an engine of this world");
    drop(located.search(scratch));
    let steps = scratch.steps();
    scratch.time_steps(false);
    steps.into()
}

/// Microseconds of the three steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Micros {
    pub(crate) locate: f64,
    pub(crate) search: f64,
    pub(crate) waypoints: f64,
}

impl Micros {
    pub(crate) fn total(&self) -> f64 {
        self.locate + self.search + self.waypoints
    }
}

impl From<QueryTimes> for Micros {
    fn from(times: QueryTimes) -> Self {
        Self {
            locate: micros(times.locate),
            search: micros(times.search),
            waypoints: micros(times.waypoints),
        }
    }
}

/// One answer of one engine.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) status: Status,
    pub(crate) length: f64,
    pub(crate) length_xz: f64,
    pub(crate) cost: f32,
    pub(crate) polygons: usize,
    pub(crate) waypoints: usize,
    pub(crate) micros: Micros,
    /// Of searches over a hierarchy.
    pub(crate) steps: Option<StepMicros>,
}

/// What a run of queries needs.
pub(crate) struct Run<'a> {
    pub(crate) world: &'a World,
    pub(crate) costs: &'a Costs,
    pub(crate) snap: Vec3,
    pub(crate) contenders: &'a [Contender],
    pub(crate) rounds: u32,
    pub(crate) threads: usize,
    pub(crate) progress: ProgressBar,
}

/// The answers of all engines to one query, in the order of the contenders, and Dijkstra's cost.
pub(crate) struct Row {
    pub(crate) answers: Vec<Measured>,
    pub(crate) optimum: f32,
}

impl Run<'_> {
    /// Steps of progress that [`ask`](Self::ask) makes.
    pub(crate) fn steps(&self, queries: usize) -> u64 {
        let kinds = 1 + u64::from(self.are_steps_timed());
        queries as u64 * (u64::from(self.rounds) * kinds + 1)
    }

    fn are_steps_timed(&self) -> bool {
        self.contenders.iter().any(|c| c.has_steps(self.world))
    }

    /// Asks every engine every query: once for the answers, which also warms up, and then in rounds for
    /// the times. After every query it is the next engine's turn. Times are medians over the rounds. Steps
    /// of searches over a hierarchy are timed in further rounds: the clocks between them would make those
    /// searches seem slower than the others.
    pub(crate) fn ask(
        &self,
        queries: &[[Vec3; 2]],
    ) -> Result<Vec<Row>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
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

    fn all_answers(&self, queries: &[[Vec3; 2]]) -> Vec<Row> {
        let rows = queries
            .par_iter()
            .map_init(Buffers::default, |buffers, query| {
                let row = self.answers(*query, buffers);
                self.progress.inc(1);
                row
            });
        rows.collect()
    }

    fn add_times(&self, queries: &[[Vec3; 2]], rows: &mut [Row]) {
        let times = self.in_rounds(queries, |query, _, Buffers { scratch, path }| {
            let timed = timed_query(self.world, query, scratch, path);
            Micros::from(timed.expect("an engine of this world").times)
        });
        for (engine, of_engine) in times.iter().enumerate() {
            for (row, times) in rows.iter_mut().zip(of_engine) {
                let median = median_by(times, Micros::total);
                row.answers[engine].micros = median.copied().unwrap_or_default();
            }
        }
    }

    /// Times the steps of those engines that have them. The others take their turns, too, so that caches
    /// are as in the rounds before, except Dijkstra, which would take most of the time.
    fn add_steps(&self, queries: &[[Vec3; 2]], rows: &mut [Row]) {
        let steps =
            self.in_rounds(
                queries,
                |query, contender, Buffers { scratch, .. }| match contender.engine {
                    Engine::Dijkstra => StepMicros::default(),
                    _ => timed_steps(self.world, query, scratch),
                },
            );
        for (engine, of_engine) in steps.iter().enumerate() {
            if !self.contenders[engine].has_steps(self.world) {
                continue;
            }
            for (row, steps) in rows.iter_mut().zip(of_engine) {
                row.answers[engine].steps = median_by(steps, StepMicros::total).copied();
            }
        }
    }

    /// Calls `ask` for every contender and query, round by round, on all threads of the pool.
    fn in_rounds<T: Send>(
        &self,
        queries: &[[Vec3; 2]],
        ask: impl Fn(&Query<'_>, &Contender, &mut Buffers) -> T + Sync + Send,
    ) -> portolan_measure::Samples<T> {
        let rounds = Rounds {
            count: self.rounds as usize,
            order: Order::ByQuery,
            patience: None,
        };
        let count = self.contenders.len();
        rounds.run_on_pool(count, queries.len(), Buffers::default, |buffers, turn| {
            let contender = &self.contenders[turn.contender];
            let query = self.query(queries[turn.query], contender.engine);
            let sample = ask(&query, contender, buffers);
            // Once a query, whatever the number of contenders.
            if turn.contender == 0 {
                self.progress.inc(1);
            }
            sample
        })
    }

    fn query(&self, [from, to]: [Vec3; 2], engine: Engine) -> Query<'_> {
        Query {
            snap: self.snap,
            costs: Some(self.costs),
            engine,
            ..Query::new(from, to)
        }
    }

    fn answers(&self, query: [Vec3; 2], Buffers { scratch, path }: &mut Buffers) -> Row {
        self.world
            .find_path(&self.query(query, Engine::Dijkstra), scratch, path)
            .expect("an engine of this world");
        let optimum = path.cost;
        let answers = self.contenders.iter().map(|contender| {
            let status = self
                .world
                .find_path(&self.query(query, contender.engine), scratch, path)
                .expect("an engine of this world");
            Measured {
                status,
                length: path.length(),
                length_xz: path.length_xz(),
                cost: path.cost,
                polygons: path.corridor.polygons.len(),
                waypoints: path.waypoints.len(),
                micros: Micros::default(),
                steps: None,
            }
        });
        Row {
            answers: answers.collect(),
            optimum,
        }
    }
}

/// What one thread needs again and again.
#[derive(Default)]
struct Buffers {
    scratch: Scratch,
    path: Path,
}
