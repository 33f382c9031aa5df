//! A batch of Portolan, and the checks of its answers.

use glam::Vec3;
use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, Engine, EngineError, Path, Query, Scratch, Status,
    Tier, Want, World,
};
use rayon::ThreadPool;

use super::{AgentAnswer, found, length_ratio};
use crate::check::{AnswerChecker, same};
use crate::peer::PeerAnswer;
use crate::portolan::status_of;
use crate::walk::length_in_plan;

/// The number of agents whose waypoints are checked.
const CHECKED: usize = 1000;

/// A batch of Portolan and the answers of its last frame.
pub(super) struct Batch {
    want: Want,
    engine: Engine,
    pub(super) answers: BatchAnswers,
}

impl Batch {
    pub(super) fn new(want: Want, engine: Engine) -> Self {
        Self {
            want,
            engine,
            answers: BatchAnswers::default(),
        }
    }

    pub(super) fn name(&self) -> String {
        format!("{} by {}", self.want.name(), self.engine)
    }

    pub(super) fn frame(
        &mut self,
        world: &World,
        pool: &ThreadPool,
        queries: &[[Vec3; 2]],
    ) -> Result<(), EngineError> {
        let options = BatchOptions {
            engine: self.engine,
            ..BatchOptions::new(self.want)
        };
        let queries = BatchQueries::Points(queries);
        pool.install(|| world.find_paths(queries, &options, &mut self.answers))
    }

    pub(super) fn compared(&self) -> Vec<AgentAnswer> {
        let statuses = self.answers.statuses.iter().enumerate();
        let compared = statuses.map(|(i, &status)| {
            let is_found = status == Status::Found;
            let has_length = is_found && self.want == Want::Waypoints;
            let length = has_length.then(|| length_in_plan(self.answers.waypoints.get(i)));
            AgentAnswer { is_found, length }
        });
        compared.collect()
    }

    /// Returns what is wrong with the answers: statuses must be those of single queries, as many paths must be found
    /// as Detour finds, waypoints must be valid, and `auto` must not find longer paths than Detour on average.
    pub(super) fn faults(
        &self,
        world: &World,
        queries: &[[Vec3; 2]],
        detours: &[AgentAnswer],
    ) -> Vec<String> {
        let mut faults = Vec::new();
        let statuses = single_statuses(world, self.engine, queries);
        let differ =
            (0..queries.len()).filter(|&i| self.answers.statuses.get(i) != statuses.get(i));
        let differ: Vec<usize> = differ.collect();
        if let Some(first) = differ.first() {
            let count = differ.len();
            faults.push(format!(
                "{count} statuses differ from single queries, first that of agent {first}"
            ));
        }
        let answers = self.compared();
        let [found, found_by_detour] = [&answers, detours].map(found);
        if found < found_by_detour {
            faults.push(format!(
                "{found} paths instead of Detour's {found_by_detour}"
            ));
        }
        if self.want == Want::Waypoints {
            let mut checker = AnswerChecker::new(world);
            let mut agents = queries.iter().enumerate().take(CHECKED);
            let fault = agents.find_map(|(i, &query)| {
                let answer = PeerAnswer {
                    status: status_of(self.answers.statuses[i]),
                    waypoints: self.answers.waypoints.get(i).to_vec(),
                    ..PeerAnswer::default()
                };
                let fault = checker.fault_of(self.engine, query, &answer)?;
                Some(format!("agent {i}: {fault}"))
            });
            faults.extend(fault);
        }
        if self.engine == Engine::default()
            && let Some(ratio) = length_ratio(&answers, detours)
            && ratio > 1.0
            && !same(ratio, 1.0)
        {
            faults.push(format!("paths are {ratio:.4} times as long as Detour's"));
        }
        let name = self.name();
        faults
            .iter()
            .map(|fault| format!("{name}: {fault}"))
            .collect()
    }
}

/// Returns the statuses of single queries. Labels of batches have no single queries; their statuses must be those of the
/// fast tier, from which they are computed.
fn single_statuses(world: &World, engine: Engine, queries: &[[Vec3; 2]]) -> Vec<Status> {
    let engine = match engine {
        Engine::Labels => Engine::Contraction(Tier::Fast),
        engine => engine,
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let status = |&[from, to]: &[Vec3; 2]| {
        let query = Query {
            engine,
            ..Query::new(from, to)
        };
        let status = world.find_path(&query, &mut scratch, &mut path);
        status.expect("an engine of this world")
    };
    queries.iter().map(status).collect()
}
