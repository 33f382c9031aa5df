//! What engines take on one world.

use std::time::Duration;

use glam::Vec3;
use portolan_core::{Endpoints, Engine, Path, Query, Scratch, StepTimes, World};
use portolan_measure::{
    Order, QueryTimes, Rounds, Stopwatch, Summary, mean, median_by, micros, mismatches,
    thousandths, timed_query, timed_search,
};

use crate::model::Timing;
use crate::options::Effort;

/// Queries whose ends are on the mesh of a world.
pub(crate) struct Located<'a> {
    pub(crate) world: &'a World,
    pub(crate) ends: Vec<Endpoints>,
    queries: Vec<[Vec3; 2]>,
}

/// An engine, and what it is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) engine: Engine,
    pub(crate) want: Want,
}

/// What an engine is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// A path, without location and waypoints.
    Search,
    /// Cost and first crossing alone.
    Distance,
    /// All of a query.
    Whole,
}

impl From<Engine> for Asked {
    fn from(engine: Engine) -> Self {
        Self {
            engine,
            want: Want::Search,
        }
    }
}

/// One answer.
#[derive(Clone, Copy)]
struct Sample {
    total: Duration,
    steps: StepTimes,
    /// Infinite where no path was found.
    cost: f32,
}

/// What an engine took: of each query the sample with the median total.
pub(crate) struct Measured {
    samples: Vec<Sample>,
    /// The mean total of every round. [Units: us]
    rounds_us: Vec<f64>,
    /// Per query, infinite where no path was found.
    pub(crate) costs: Vec<f32>,
}

impl<'a> Located<'a> {
    /// Points come from the mesh of the world, so nearly all of them are found on it; the others are
    /// left out.
    pub(crate) fn new(world: &'a World, queries: &[[Vec3; 2]]) -> Self {
        let mut located = Self {
            world,
            ends: Vec::with_capacity(queries.len()),
            queries: Vec::with_capacity(queries.len()),
        };
        for &[from, to] in queries {
            let query = Query::new(from, to);
            let found = world.locate(&query).expect("`auto` runs on every world");
            if let Ok(ends) = found.endpoints() {
                located.ends.push(ends);
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

    /// The path of one query.
    pub(crate) fn path(&self, number: usize, engine: Engine, scratch: &mut Scratch) -> Path {
        let mut path = Path::default();
        let query = self.query(number, engine);
        self.world
            .find_path(&query, scratch, &mut path)
            .expect("an engine of this world");
        path
    }

    /// Lets engines take turns, round by round. A round asks one engine every query, so that no query
    /// finds the caches as it left them.
    pub(crate) fn measure(&self, engines: &[Engine], effort: &Effort) -> Vec<Measured> {
        let asked: Vec<Asked> = engines.iter().copied().map(Asked::from).collect();
        self.measure_asked(&asked, false, effort)
    }

    /// The same for questions of any kind. Where `is_warm`, an engine answers all queries untimed before
    /// each of its rounds.
    pub(crate) fn measure_asked(
        &self,
        engines: &[Asked],
        is_warm: bool,
        effort: &Effort,
    ) -> Vec<Measured> {
        let mut scratch = Scratch::new();
        scratch.time_steps(true);
        let mut path = Path::default();
        let rounds = Rounds {
            count: effort.rounds,
            order: Order::ByContender { is_warm },
            patience: Some(Duration::from_millis(effort.patience_ms)),
        };
        let samples = rounds.run(engines.len(), self.ends.len(), |turn| {
            self.search(turn.query, engines[turn.contender], &mut scratch, &mut path)
        });
        samples.into_iter().map(Measured::new).collect()
    }

    /// The path is for whole queries.
    fn search(
        &self,
        number: usize,
        asked: Asked,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Sample {
        let query = self.query(number, asked.engine);
        let ends = &self.ends[number];
        let (total, cost) = match asked.want {
            Want::Search => {
                let timed = timed_search(self.world, &query, ends, scratch);
                let timed = timed.expect("an engine of this world");
                (timed.times.search, timed.cost)
            }
            Want::Distance => {
                let mut watch = Stopwatch::start();
                let located = self.world.located(&query, *ends);
                let distance = located.expect("an engine of this world").distance(scratch);
                (watch.lap(), distance.map(|distance| distance.cost))
            }
            Want::Whole => {
                let timed = timed_query(self.world, &query, scratch, path);
                let timed = timed.expect("an engine of this world");
                (timed.times.total(), timed.cost)
            }
        };
        Sample {
            total,
            steps: scratch.steps(),
            cost: cost.unwrap_or(f32::INFINITY),
        }
    }

    /// What an engine's answers cost, infinite where there is none.
    pub(crate) fn costs(&self, engine: Engine) -> Vec<f32> {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let numbers = 0..self.ends.len();
        let cost = |number| {
            self.search(number, engine.into(), &mut scratch, &mut path)
                .cost
        };
        numbers.map(cost).collect()
    }

    /// What finding the polygons takes, and what waypoints do, on average. [Units: us]
    pub(crate) fn around(&self) -> (f64, f64) {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let timed = (0..self.ends.len()).map(|number| {
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

impl Measured {
    /// Of the samples by query and round; every query has as many rounds.
    fn new(samples: Vec<Vec<Sample>>) -> Self {
        let rounds = samples.first().map_or(0, Vec::len);
        let round_mean = |round: usize| mean(samples.iter().map(|of| micros(of[round].total)));
        let median = |of: &Vec<Sample>| median_by(of, |sample| micros(sample.total)).copied();
        let last_cost = |of: &Vec<Sample>| of.last().map_or(f32::INFINITY, |sample| sample.cost);
        Self {
            rounds_us: (0..rounds).map(round_mean).map(thousandths).collect(),
            costs: samples.iter().map(last_cost).collect(),
            samples: samples.iter().filter_map(median).collect(),
        }
    }

    pub(crate) fn timing(&self) -> Timing {
        let totals = Summary::of(self.totals_us()).unwrap_or_default();
        Timing {
            mean_us: thousandths(totals.mean),
            median_us: thousandths(totals.median),
            p99_us: thousandths(totals.p99),
            max_us: thousandths(totals.max),
            queries: self.samples.len(),
            rounds_us: self.rounds_us.clone(),
        }
    }

    pub(crate) fn totals_us(&self) -> impl Iterator<Item = f64> {
        self.samples.iter().map(|sample| micros(sample.total))
    }

    /// The mean of one step. [Units: us]
    pub(crate) fn step_us(&self, step: impl Fn(&StepTimes) -> Duration) -> f64 {
        thousandths(mean(self.samples.iter().map(|s| micros(step(&s.steps)))))
    }

    /// The connect step of one query. [Units: us]
    pub(crate) fn connect_us(&self, query: usize) -> f64 {
        let sample = self.samples.get(query);
        sample.map_or(0.0, |sample| thousandths(micros(sample.steps.connect)))
    }

    /// Answers whose costs are not these, those of another engine.
    pub(crate) fn mismatches(&self, costs: &[f32]) -> usize {
        mismatches(&self.costs, costs)
    }
}
