//! Times engines on one world.

use std::time::Duration;

use glam::Vec3;
use portolan_core::{Endpoints, Engine, Path, Query, Scratch, StepTimes, World};
use portolan_measure::{
    Order, QueryTimes, Rounds, Stopwatch, Summary, mean, median_by, micros, mismatches,
    thousandths, timed_query, timed_search,
};

use crate::model::Timing;
use crate::options::ReportEffort;

/// A world, and queries whose start and goal have been located on its mesh.
pub(crate) struct LocatedQueries<'a> {
    pub(crate) world: &'a World,
    pub(crate) endpoints: Vec<Endpoints>,
    queries: Vec<[Vec3; 2]>,
}

/// An engine, and the part of a query that is timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedRequest {
    pub(crate) engine: Engine,
    pub(crate) scope: TimedScope,
}

/// The part of a query that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimedScope {
    /// The search for a path, without point location and waypoints.
    Search,
    /// The search for the cost and the first crossing alone.
    Distance,
    /// Point location, search and waypoints.
    FullQuery,
}

impl From<Engine> for TimedRequest {
    fn from(engine: Engine) -> Self {
        Self {
            engine,
            scope: TimedScope::Search,
        }
    }
}

/// The time and cost of one answer.
#[derive(Clone, Copy)]
struct TimedAnswer {
    total: Duration,
    steps: StepTimes,
    /// The cost of the path; infinite if no path was found.
    cost: f32,
}

/// The times of one engine. Each query is represented by the round with the median total time.
pub(crate) struct EngineTimes {
    answers: Vec<TimedAnswer>,
    /// The mean total time of each round. [Units: µs]
    rounds_us: Vec<f64>,
    /// The cost per query; infinite if no path was found.
    pub(crate) costs: Vec<f32>,
}

impl<'a> LocatedQueries<'a> {
    /// Locates all queries. The points are drawn from the same mesh, so nearly all of them are found; a
    /// query whose start or goal is not found is dropped.
    pub(crate) fn new(world: &'a World, queries: &[[Vec3; 2]]) -> Self {
        let mut located = Self {
            world,
            endpoints: Vec::with_capacity(queries.len()),
            queries: Vec::with_capacity(queries.len()),
        };
        for &[from, to] in queries {
            let query = Query::new(from, to);
            let found = world.locate(&query).expect("`auto` runs on every world");
            if let Ok(endpoints) = found.endpoints() {
                located.endpoints.push(endpoints);
                located.queries.push([from, to]);
            }
        }
        located
    }

    pub(crate) fn query(&self, number: usize, engine: Engine) -> Query<'a> {
        let [from, to] = self.queries[number];
        Query {
            engine,
            ..Query::new(from, to)
        }
    }

    /// Returns the path of one query, with waypoints.
    pub(crate) fn path(&self, number: usize, engine: Engine, scratch: &mut Scratch) -> Path {
        let mut path = Path::default();
        let query = self.query(number, engine);
        self.world
            .find_path(&query, scratch, &mut path)
            .expect("an engine of this world");
        path
    }

    /// Times the searches of several engines. Engines alternate round by round. In a round, one engine runs
    /// every query, so that a query does not find its own data in the caches.
    pub(crate) fn measure(&self, engines: &[Engine], effort: &ReportEffort) -> Vec<EngineTimes> {
        let requests: Vec<TimedRequest> = engines.iter().copied().map(TimedRequest::from).collect();
        self.measure_requests(&requests, false, effort)
    }

    /// Times several requests like [`measure`](Self::measure). If `is_warm`, an engine runs all queries
    /// once untimed before each of its rounds.
    pub(crate) fn measure_requests(
        &self,
        requests: &[TimedRequest],
        is_warm: bool,
        effort: &ReportEffort,
    ) -> Vec<EngineTimes> {
        let mut scratch = Scratch::new();
        scratch.time_steps(true);
        let mut path = Path::default();
        let rounds = Rounds {
            count: effort.rounds,
            order: Order::ByContender { is_warm },
            patience: Some(Duration::from_millis(effort.patience_ms)),
        };
        let answers = rounds.run(requests.len(), self.endpoints.len(), |turn| {
            self.search(
                turn.query,
                requests[turn.contender],
                &mut scratch,
                &mut path,
            )
        });
        answers.into_iter().map(EngineTimes::new).collect()
    }

    /// Times another way to answer the queries, such as a device. `answer` returns the time of a query, the part of it that
    /// its connect step takes, and the cost.
    #[cfg(feature = "gpu")]
    pub(crate) fn measure_with(
        &self,
        effort: &ReportEffort,
        mut answer: impl FnMut(&Endpoints) -> (Duration, Duration, f32),
    ) -> EngineTimes {
        let rounds = Rounds {
            count: effort.rounds,
            order: Order::ByContender { is_warm: false },
            patience: Some(Duration::from_millis(effort.patience_ms)),
        };
        let answers = rounds.run(1, self.endpoints.len(), |turn| {
            let (total, connect, cost) = answer(&self.endpoints[turn.query]);
            let steps = StepTimes {
                connect,
                ..StepTimes::default()
            };
            TimedAnswer { total, steps, cost }
        });
        answers
            .into_iter()
            .map(EngineTimes::new)
            .next()
            .expect("one contender")
    }

    /// Runs and times one query. `path` receives the waypoints of a full query.
    fn search(
        &self,
        number: usize,
        request: TimedRequest,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> TimedAnswer {
        let query = self.query(number, request.engine);
        let endpoints = &self.endpoints[number];
        let (total, cost) = match request.scope {
            TimedScope::Search => {
                let timed = timed_search(self.world, &query, endpoints, scratch);
                let timed = timed.expect("an engine of this world");
                (timed.times.search, timed.cost)
            }
            TimedScope::Distance => {
                let mut watch = Stopwatch::start();
                let located = self.world.located(&query, *endpoints);
                let distance = located.expect("an engine of this world").distance(scratch);
                (watch.lap(), distance.map(|distance| distance.cost))
            }
            TimedScope::FullQuery => {
                let timed = timed_query(self.world, &query, scratch, path);
                let timed = timed.expect("an engine of this world");
                (timed.times.total(), timed.cost)
            }
        };
        TimedAnswer {
            total,
            steps: scratch.steps(),
            cost: cost.unwrap_or(f32::INFINITY),
        }
    }

    /// Returns the cost per query by an engine; infinite if no path was found.
    pub(crate) fn costs(&self, engine: Engine) -> Vec<f32> {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let numbers = 0..self.endpoints.len();
        let cost = |number| {
            self.search(number, engine.into(), &mut scratch, &mut path)
                .cost
        };
        numbers.map(cost).collect()
    }

    /// Returns the mean times to locate start and goal and to compute waypoints. [Units: µs]
    pub(crate) fn location_and_waypoint_us(&self) -> (f64, f64) {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let timed = (0..self.endpoints.len()).map(|number| {
            let query = self.query(number, Engine::AStar);
            let timed = timed_query(self.world, &query, &mut scratch, &mut path);
            timed.expect("A* runs on every world").times
        });
        let times: Vec<QueryTimes> = timed.collect();
        let each = |step: fn(&QueryTimes) -> Duration| {
            thousandths(mean(times.iter().map(|times| micros(step(times)))))
        };
        (each(|times| times.locate), each(|times| times.waypoints))
    }
}

impl EngineTimes {
    /// Summarizes answers, indexed by query and then by round. Every query has the same number of rounds.
    fn new(answers: Vec<Vec<TimedAnswer>>) -> Self {
        let rounds = answers.first().map_or(0, Vec::len);
        let round_mean = |round: usize| mean(answers.iter().map(|of| micros(of[round].total)));
        let median = |of: &Vec<TimedAnswer>| median_by(of, |answer| micros(answer.total)).copied();
        let last_cost =
            |of: &Vec<TimedAnswer>| of.last().map_or(f32::INFINITY, |answer| answer.cost);
        Self {
            rounds_us: (0..rounds).map(round_mean).map(thousandths).collect(),
            costs: answers.iter().map(last_cost).collect(),
            answers: answers.iter().filter_map(median).collect(),
        }
    }

    pub(crate) fn timing(&self) -> Timing {
        let totals = Summary::of(self.totals_us()).unwrap_or_default();
        Timing {
            mean_us: thousandths(totals.mean),
            median_us: thousandths(totals.median),
            p99_us: thousandths(totals.p99),
            max_us: thousandths(totals.max),
            queries: self.answers.len(),
            rounds_us: self.rounds_us.clone(),
        }
    }

    /// Returns the total time per query. [Units: µs]
    pub(crate) fn totals_us(&self) -> impl Iterator<Item = f64> {
        self.answers.iter().map(|answer| micros(answer.total))
    }

    /// Returns the mean time of one step. [Units: µs]
    pub(crate) fn step_us(&self, step: impl Fn(&StepTimes) -> Duration) -> f64 {
        thousandths(mean(self.answers.iter().map(|s| micros(step(&s.steps)))))
    }

    /// Returns the time of the connect step of one query. [Units: µs]
    pub(crate) fn connect_us(&self, query: usize) -> f64 {
        let answer = self.answers.get(query);
        answer.map_or(0.0, |answer| thousandths(micros(answer.steps.connect)))
    }

    /// Counts the answers whose costs differ from `costs`, those of another engine.
    pub(crate) fn mismatches(&self, costs: &[f32]) -> usize {
        mismatches(&self.costs, costs)
    }
}
