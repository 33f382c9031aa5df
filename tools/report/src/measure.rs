//! What engines take on one world.

use std::time::{Duration, Instant};

use glam::Vec3;
use portolan_core::{Ends, Engine, Path, Query, Scratch, Status, StepTimes, World};

use crate::model::Timing;
use crate::options::Effort;
use crate::statistics::{mean, rank, thousandths};

/// Queries whose ends are on the mesh of a world.
pub(crate) struct Located<'a> {
    pub(crate) world: &'a World,
    pub(crate) ends: Vec<Ends>,
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

/// One search.
#[derive(Clone, Copy)]
struct Sample {
    total: Duration,
    steps: StepTimes,
}

/// What an engine took: of each query the sample with the median total.
pub(crate) struct Measured {
    samples: Vec<Sample>,
    /// The mean total of every round. [Units: us]
    rounds_us: Vec<f64>,
    /// Per query, infinite where no path was found.
    pub(crate) costs: Vec<f32>,
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
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
            if let Ok(ends) = found.ends() {
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

    /// Lets engines take turns, round by round: whatever else the machine does then meets all of them.
    /// A round asks one engine every query, so that no query finds the caches as it left them.
    /// Engines that have used up the patience do no more than two rounds.
    pub(crate) fn measure(&self, engines: &[Engine], effort: &Effort) -> Vec<Measured> {
        let asked: Vec<Asked> = engines.iter().copied().map(Asked::from).collect();
        self.measure_asked(&asked, false, effort)
    }

    /// The same. Where `is_warm`, an engine answers all queries untimed before each of its rounds. Without
    /// it, who reads the arrays of another right after it, on the same queries, is up to twice as fast:
    /// `auto` after `contraction` was, which are one code, and the reverse when they changed places. Other
    /// queries before the round, its own or A*'s, did not mend that; the same ones did, but for a fifth.
    pub(crate) fn measure_asked(
        &self,
        engines: &[Asked],
        is_warm: bool,
        effort: &Effort,
    ) -> Vec<Measured> {
        let mut scratch = Scratch::new();
        scratch.time_steps(true);
        let mut path = Path::default();
        let count = self.ends.len();
        let mut rounds: Vec<Vec<Vec<Sample>>> = vec![Vec::new(); engines.len()];
        let mut costs = vec![vec![f32::INFINITY; count]; engines.len()];
        let mut spent = vec![Duration::ZERO; engines.len()];
        for round in 0..effort.rounds.max(1) {
            for (i, &asked) in engines.iter().enumerate() {
                if round >= 2 && spent[i] > Duration::from_millis(effort.patience_ms) {
                    continue;
                }
                if round == 0 {
                    // Buffers grow, and caches fill, before anybody looks at the clock.
                    for number in 0..count.min(3) {
                        self.search(number, asked, &mut scratch, &mut path);
                    }
                }
                for number in 0..if is_warm { count } else { 0 } {
                    self.search(number, asked, &mut scratch, &mut path);
                }
                let mut samples = Vec::with_capacity(count);
                for (number, known) in costs[i].iter_mut().enumerate() {
                    let (sample, cost) = self.search(number, asked, &mut scratch, &mut path);
                    spent[i] += sample.total;
                    *known = cost;
                    samples.push(sample);
                }
                rounds[i].push(samples);
            }
        }
        let measured = rounds.into_iter().zip(costs);
        measured
            .map(|(rounds, costs)| Measured::new(count, &rounds, costs))
            .collect()
    }

    /// The path is for whole queries.
    fn search(
        &self,
        number: usize,
        asked: Asked,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> (Sample, f32) {
        let query = self.query(number, asked.engine);
        let ends = self.ends[number];
        let start = Instant::now();
        let located = self
            .world
            .located(&query, ends)
            .expect("an engine of this world");
        let cost = match asked.want {
            Want::Search => located.search(scratch).cost(),
            Want::Distance => {
                let distance = located.distance(scratch);
                distance.map(|distance| distance.cost)
            }
            Want::Whole => {
                let status = self
                    .world
                    .find_path(&query, scratch, path)
                    .expect("an engine of this world");
                (status == Status::Found).then_some(path.cost)
            }
        };
        let total = start.elapsed();
        let steps = scratch.steps();
        (Sample { total, steps }, cost.unwrap_or(f32::INFINITY))
    }

    /// What an engine's answers cost, infinite where there is none.
    pub(crate) fn costs(&self, engine: Engine) -> Vec<f32> {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let numbers = 0..self.ends.len();
        let cost = |number| {
            self.search(number, engine.into(), &mut scratch, &mut path)
                .1
        };
        numbers.map(cost).collect()
    }

    /// What finding the polygons takes, and what waypoints do, on average. [Units: us]
    pub(crate) fn around(&self) -> (f64, f64) {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let (mut locate, mut waypoints) = (Duration::ZERO, Duration::ZERO);
        for number in 0..self.ends.len() {
            let query = self.query(number, Engine::AStar);
            let start = Instant::now();
            // What it finds is known; asking takes the time.
            let _ = std::hint::black_box(
                self.world
                    .locate(&query)
                    .expect("an engine of this world")
                    .ends(),
            );
            locate += start.elapsed();
            let located = self.world.located(&query, self.ends[number]);
            let searched = located
                .expect("A* runs on every world")
                .search(&mut scratch);
            let start = Instant::now();
            searched.waypoints(&mut path);
            waypoints += start.elapsed();
        }
        let each = |all| thousandths(micros(all) / self.ends.len().max(1) as f64);
        (each(locate), each(waypoints))
    }
}

impl Measured {
    fn new(queries: usize, rounds: &[Vec<Sample>], costs: Vec<f32>) -> Self {
        let median = |query: usize| {
            let mut samples: Vec<Sample> = rounds.iter().map(|round| round[query]).collect();
            samples.sort_by_key(|sample| sample.total);
            samples[(samples.len() - 1) / 2]
        };
        let round_mean = |round: &Vec<Sample>| mean(round.iter().map(|s| micros(s.total)));
        Self {
            samples: (0..queries).map(median).collect(),
            rounds_us: rounds.iter().map(round_mean).map(thousandths).collect(),
            costs,
        }
    }

    pub(crate) fn timing(&self) -> Timing {
        let totals: Vec<f64> = self.totals_us().collect();
        Timing {
            mean_us: thousandths(mean(totals.iter().copied())),
            median_us: thousandths(rank(&totals, 0.5)),
            p99_us: thousandths(rank(&totals, 0.99)),
            max_us: thousandths(rank(&totals, 1.0)),
            queries: totals.len(),
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

/// How many costs differ by more than 1e-4 relative.
pub(crate) fn mismatches(costs: &[f32], others: &[f32]) -> usize {
    let same = |a: f32, b: f32| a == b || (a - b).abs() <= 1e-4 * b.abs().max(1e-6);
    let pairs = costs.iter().zip(others);
    pairs.filter(|&(&a, &b)| !same(a, b)).count()
}
