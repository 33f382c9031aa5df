//! Anytime search: a first path soon, then cheaper ones, each with a bound on its excess.

mod level;
mod mesh;
mod rounds;

use self::level::LevelArcs;
use self::mesh::MeshArcs;
use self::rounds::{RoundEnd, Rounds};
use super::hna::{ConnectMethod, LevelSearch};
use super::{Engine, Outcome, Scratch, Search, SearchPhase};
use crate::search::Pace;

/// The state of an anytime search. Labels, heap, connections and the trail of the best path are in the
/// scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnytimeSearch {
    stage: Stage,
    rounds: Rounds,
}

/// What an anytime search runs on.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// Nothing was searched yet.
    #[default]
    Fresh,
    Mesh,
    Level(LevelSearch),
    /// A search without rounds: by another engine, or by A* for a partial path.
    Plain(SearchPhase),
}

/// What an anytime search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// A path to the goal that costs at most `bound` times the optimum. The last one has the bound 1.
    Path { cost: f32, bound: f32 },
    /// There is no path to the goal. The outcome may be a partial path.
    Nothing(Outcome),
}

impl AnytimeSearch {
    /// Prepares a search whose first path costs at most `first_bound` times the optimum.
    pub(crate) fn begin(&mut self, first_bound: f32) {
        self.stage = Stage::Fresh;
        self.rounds.inflation = first_bound;
    }
}

impl Search<'_> {
    /// Runs until the next better path. Returns `None` if the search pauses before. After a path with bound 1,
    /// or after nothing, it must not be called again. The pace must allow at least one expansion.
    pub(crate) fn improve(
        &self,
        engine: Engine,
        state: &mut AnytimeSearch,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
    ) -> Option<Found> {
        let AnytimeSearch { stage, rounds } = state;
        if let Stage::Fresh = stage {
            *stage = self.begin_anytime(engine, rounds, scratch);
        }
        loop {
            let end = match stage {
                Stage::Plain(phase) => {
                    let outcome = self.resume(phase, pace, scratch)?;
                    return Some(match outcome {
                        Outcome::Found { cost } => Found::Path { cost, bound: 1.0 },
                        outcome => Found::Nothing(outcome),
                    });
                }
                Stage::Level(level) => {
                    let (arcs, labels, heap) = LevelArcs::new(self, level, scratch);
                    rounds.run(&arcs, pace, labels, heap)?
                }
                Stage::Fresh | Stage::Mesh => {
                    let Scratch { labels, heap, .. } = scratch;
                    rounds.run(&MeshArcs(self), pace, labels, heap)?
                }
            };
            match (end, self.limits.partial) {
                (RoundEnd::Path, _) => {
                    if self.extract_best(stage, rounds, scratch).is_some() {
                        let (cost, bound) = rounds.take_bound();
                        return Some(Found::Path { cost, bound });
                    }
                    // Only a corrupt file has intra-edges without a path.
                    *stage = Stage::Plain(SearchPhase::new(Engine::AStar));
                }
                (RoundEnd::NoPath, true) => {
                    *stage = Stage::Plain(SearchPhase::new(Engine::AStar));
                }
                (RoundEnd::NoPath, false) => return Some(Found::Nothing(Outcome::NoPath)),
            }
        }
    }

    /// Begins the first round, or a search without rounds.
    fn begin_anytime(&self, engine: Engine, rounds: &mut Rounds, scratch: &mut Scratch) -> Stage {
        let level = match engine {
            Engine::AStar => None,
            Engine::Hna { level, connect } => {
                let connect = connect.map(ConnectMethod::from);
                self.begin_level(level, connect, scratch, &mut ())
            }
            engine => return Stage::Plain(SearchPhase::new(engine)),
        };
        let max_cost = self.limits.max_cost;
        match level {
            Some(level) => {
                let (arcs, labels, heap) = LevelArcs::new(self, &level, scratch);
                rounds.begin(&arcs, f32::INFINITY, max_cost, labels, heap);
                Stage::Level(level)
            }
            None => {
                let Scratch { labels, heap, .. } = scratch;
                rounds.begin(
                    &MeshArcs(self),
                    self.straight_cost(),
                    max_cost,
                    labels,
                    heap,
                );
                Stage::Mesh
            }
        }
    }

    /// Writes the trail of the best path to the scratch. Returns `None` if the data is inconsistent.
    fn extract_best(
        &self,
        stage: &Stage,
        rounds: &mut Rounds,
        scratch: &mut Scratch,
    ) -> Option<()> {
        let last = rounds.best.last;
        match (stage, last) {
            (Stage::Level(level), Some(last)) => self.extract(level, last.0, scratch)?,
            _ => scratch.labels.trail(last, &mut scratch.trail),
        }
        if rounds.is_cheaper_than_known() {
            let cost = self.cost_of_trail(&scratch.trail);
            rounds.best.cost = rounds.best.cost.min(cost);
        }
        Some(())
    }
}
