//! Queries, timed step by step, and their answers.

use std::time::Instant;

use glam::Vec3;
use indicatif::ProgressBar;
use portolan::{Costs, Engine, Path, Query, Scratch, Status, World};
use rayon::prelude::*;

/// An engine and the name by which it was asked for.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) engine: Engine,
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
    let ends = world.locate(query);
    let located = Instant::now();
    micros.locate = (located - start).as_secs_f64() * 1e6;
    let ends = match ends {
        Ok(ends) => ends,
        Err(status) => return (status, micros),
    };
    let outcome = world.search(query, &ends, scratch);
    let searched = Instant::now();
    let status = world.waypoints(query, &ends, outcome, scratch, path);
    micros.search = (searched - located).as_secs_f64() * 1e6;
    micros.waypoints = searched.elapsed().as_secs_f64() * 1e6;
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
    /// Asks every engine every query. Engines take turns on each query, so that noise hits all
    /// alike; the first turn warms up and is not timed; times are medians over the rounds.
    pub(crate) fn ask(
        &self,
        queries: &[[Vec3; 2]],
    ) -> Result<Vec<Row>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        let buffers = || (Scratch::new(), Path::default());
        Ok(pool.install(|| {
            let rows = queries
                .par_iter()
                .map_init(buffers, |(scratch, path), &[from, to]| {
                    let row = self.ask_one(from, to, scratch, path);
                    self.progress.inc(1);
                    row
                });
            rows.collect()
        }))
    }

    fn ask_one(&self, from: Vec3, to: Vec3, scratch: &mut Scratch, path: &mut Path) -> Row {
        let query = |engine| {
            let mut query = Query::new(from, to);
            (query.snap, query.costs, query.engine) = (self.snap, Some(self.costs), engine);
            query
        };
        let mut turns = vec![Vec::new(); self.contenders.len()];
        let mut answers = Vec::with_capacity(self.contenders.len());
        for round in 0..=self.rounds {
            for (contender, turns) in self.contenders.iter().zip(&mut turns) {
                let (status, micros) =
                    timed_query(self.world, &query(contender.engine), scratch, path);
                if round > 0 {
                    turns.push(micros);
                    continue;
                }
                answers.push(Measured {
                    status,
                    length: path.length(),
                    length_xz: path.length_xz(),
                    cost: path.cost,
                    polygons: path.corridor.polygons.len(),
                    waypoints: path.waypoints.len(),
                    micros,
                });
            }
        }
        for (answer, turns) in answers.iter_mut().zip(&mut turns) {
            turns.sort_by(|a, b| a.total().total_cmp(&b.total()));
            answer.micros = turns[turns.len() / 2];
        }
        let optimum = match self
            .contenders
            .iter()
            .position(|c| c.engine == Engine::Dijkstra)
        {
            Some(dijkstra) => answers[dijkstra].cost,
            None => {
                self.world
                    .find_path(&query(Engine::Dijkstra), scratch, path);
                path.cost
            }
        };
        Row { answers, optimum }
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
