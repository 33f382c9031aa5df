//! Queries, timed step by step, and their answers.

use std::time::Instant;

use glam::Vec3;
use indicatif::ProgressBar;
use portolan_core::{Costs, Engine, Path, Query, Scratch, Status, StepTimes, World};
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
        let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6;
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

/// Runs one query and takes the time of each step.
pub(crate) fn timed_query(
    world: &World,
    query: &Query<'_>,
    scratch: &mut Scratch,
    path: &mut Path,
) -> (Status, Micros) {
    let mut micros = Micros::default();
    let start = Instant::now();
    path.clear();
    let located = world.locate(query).expect("an engine of this world");
    let locate_end = Instant::now();
    micros.locate = (locate_end - start).as_secs_f64() * 1e6;
    if let Err(status) = located.ends() {
        return (status, micros);
    }
    let searched = located.search(scratch);
    let search_end = Instant::now();
    let status = searched.waypoints(path);
    micros.search = (search_end - locate_end).as_secs_f64() * 1e6;
    micros.waypoints = search_end.elapsed().as_secs_f64() * 1e6;
    (status, micros)
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

    /// Asks every engine every query: once for the answers, which also warms up, and then in rounds
    /// for the times. A round goes through all queries, so that a query does not find the caches as
    /// it left them; on each query the engines take turns at being first. Times are medians over
    /// the rounds. Steps of searches over a hierarchy are timed in further rounds: the clocks between
    /// them would make those searches seem slower than the others.
    pub(crate) fn ask(
        &self,
        queries: &[[Vec3; 2]],
    ) -> Result<Vec<Row>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        let mut rows: Vec<Row> = pool.install(|| {
            self.in_turn(queries, |_, query, scratch, path| {
                self.answers(query, scratch, path)
            })
        });
        let rounds: Vec<Vec<Vec<Micros>>> = (1..=self.rounds as usize)
            .map(|round| {
                pool.install(|| {
                    self.in_turn(queries, |i, query, scratch, path| {
                        self.times(query, i + round, scratch, path)
                    })
                })
            })
            .collect();
        for (i, row) in rows.iter_mut().enumerate() {
            for (engine, answer) in row.answers.iter_mut().enumerate() {
                let mut times: Vec<Micros> = rounds.iter().map(|round| round[i][engine]).collect();
                times.sort_by(|a, b| a.total().total_cmp(&b.total()));
                answer.micros = times[times.len() / 2];
            }
        }
        if self.are_steps_timed() {
            pool.install(|| self.add_steps(queries, &mut rows));
        }
        Ok(rows)
    }

    fn add_steps(&self, queries: &[[Vec3; 2]], rows: &mut [Row]) {
        let rounds: Vec<Vec<Vec<Option<StepMicros>>>> = (1..=self.rounds as usize)
            .map(|round| {
                self.in_turn(queries, |i, query, scratch, _| {
                    self.step_times(query, i + round, scratch)
                })
            })
            .collect();
        for (i, row) in rows.iter_mut().enumerate() {
            for (engine, answer) in row.answers.iter_mut().enumerate() {
                let steps = rounds.iter().filter_map(|round| round[i][engine]);
                let mut steps: Vec<StepMicros> = steps.collect();
                steps.sort_by(|a, b| a.total().total_cmp(&b.total()));
                answer.steps = steps.get(steps.len() / 2).copied();
            }
        }
    }

    /// Calls `ask` for every query, on all threads of the pool, each with its own buffers.
    fn in_turn<T: Send>(
        &self,
        queries: &[[Vec3; 2]],
        ask: impl Fn(usize, [Vec3; 2], &mut Scratch, &mut Path) -> T + Sync,
    ) -> Vec<T> {
        let buffers = || (Scratch::new(), Path::default());
        let asked =
            queries
                .par_iter()
                .enumerate()
                .map_init(buffers, |(scratch, path), (i, query)| {
                    let answer = ask(i, *query, scratch, path);
                    self.progress.inc(1);
                    answer
                });
        asked.collect()
    }

    fn query(&self, [from, to]: [Vec3; 2], engine: Engine) -> Query<'_> {
        Query {
            snap: self.snap,
            costs: Some(self.costs),
            engine,
            ..Query::new(from, to)
        }
    }

    fn answers(&self, query: [Vec3; 2], scratch: &mut Scratch, path: &mut Path) -> Row {
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

    /// The times of all contenders, in [turns](Self::turns): who comes next may find the caches full
    /// of what it needs.
    fn times(
        &self,
        query: [Vec3; 2],
        first: usize,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Vec<Micros> {
        let mut times = vec![Micros::default(); self.contenders.len()];
        for i in self.turns(first) {
            let query = self.query(query, self.contenders[i].engine);
            times[i] = timed_query(self.world, &query, scratch, path).1;
        }
        times
    }

    /// The same for the steps of those that have them. The others take their turns, too, so that
    /// caches are as in the rounds before; but for Dijkstra's, which would take most of the time.
    fn step_times(
        &self,
        query: [Vec3; 2],
        first: usize,
        scratch: &mut Scratch,
    ) -> Vec<Option<StepMicros>> {
        let mut times = vec![None; self.contenders.len()];
        for i in self.turns(first) {
            let contender = &self.contenders[i];
            if contender.engine == Engine::Dijkstra {
                continue;
            }
            let query = self.query(query, contender.engine);
            let steps = timed_steps(self.world, &query, scratch);
            times[i] = contender.has_steps(self.world).then_some(steps);
        }
        times
    }

    /// Contenders by number, the one numbered `first` beginning, now forwards, now backwards.
    fn turns(&self, first: usize) -> impl Iterator<Item = usize> {
        let count = self.contenders.len();
        (0..count).map(move |turn| {
            if first.is_multiple_of(2) {
                (first + turn) % count
            } else {
                (first + count - turn) % count
            }
        })
    }
}

/// Whether a cost is Dijkstra's, within 1e-4.
pub(crate) fn same_cost(cost: f32, optimum: f32) -> bool {
    (cost - optimum).abs() <= 1e-4 * optimum.abs().max(1e-6)
}

/// Mean, median, 99th percentile and maximum.
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Of nothing: zeros.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let Some(&max) = sorted.last() else {
            return Self {
                mean: 0.0,
                median: 0.0,
                p99: 0.0,
                max: 0.0,
            };
        };
        // The smallest value that the given share does not exceed.
        let rank = |share: f64| sorted[((sorted.len() as f64 * share).ceil() as usize).max(1) - 1];
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Self {
            mean,
            median: rank(0.5),
            p99: rank(0.99),
            max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_by_hand() {
        let spread = Spread::of((1..=200).rev().map(f64::from));
        assert_eq!(
            (spread.mean, spread.median, spread.p99, spread.max),
            (100.5, 100.0, 198.0, 200.0)
        );
        assert_eq!(Spread::of([7.0].into_iter()).p99, 7.0);
        assert_eq!(Spread::of(std::iter::empty()).max, 0.0);
    }
}
