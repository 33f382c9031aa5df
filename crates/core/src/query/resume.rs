//! Searches that pause and continue later, with the same answer as an uninterrupted one.

use super::hna::{ConnectMethod, HnaSearch};
use super::partial::MeshSearch;
use super::{Engine, Limits, Outcome, Scratch, Search};
use crate::search::Pace;

/// How far a search has got. The rest of its state (labels, heap, connections) is in the scratch, which no
/// other search may use until this one has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchPhase(Phase);

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The search has not started.
    Fresh(Engine),
    AStar(MeshSearch),
    Dijkstra(MeshSearch),
    Hna(HnaSearch),
}

impl SearchPhase {
    /// Returns the phase of a search that has not started.
    pub(crate) fn new(engine: Engine) -> Self {
        Self(Phase::Fresh(engine))
    }
}

impl Search<'_> {
    /// Continues a search where it paused, or starts it. Returns `None` if it pauses again. The pace must
    /// allow at least one expansion: engines that cannot pause ignore it.
    pub(crate) fn resume(
        &self,
        SearchPhase(phase): &mut SearchPhase,
        pace: &mut impl Pace,
        scratch: &mut Scratch,
    ) -> Option<Outcome> {
        let observer = &mut ();
        if let Phase::Fresh(engine) = *phase {
            *phase = match engine {
                Engine::AStar => Phase::AStar(self.begin_astar(scratch, observer)),
                Engine::Dijkstra => Phase::Dijkstra(self.begin_dijkstra(scratch, observer)),
                Engine::Hna { level, connect } => {
                    let connect = connect.map(ConnectMethod::from);
                    Phase::Hna(self.begin_hna(level, connect, scratch, observer))
                }
                Engine::Pccp { level } => {
                    let connect = Some(ConnectMethod::Centres);
                    Phase::Hna(self.begin_hna(level, connect, scratch, observer))
                }
                engine => {
                    // Partial paths of these engines are those of A*, which can pause.
                    let limits = Limits {
                        partial: false,
                        ..self.limits
                    };
                    let outcome = Self { limits, ..*self }.run(engine, scratch, observer);
                    if outcome != Outcome::NoPath || !self.limits.partial {
                        return Some(outcome);
                    }
                    Phase::AStar(self.begin_astar(scratch, observer))
                }
            };
        }
        match phase {
            Phase::Fresh(_) => unreachable!("the search has started"),
            Phase::AStar(state) => self.resume_astar(state, pace, scratch, observer),
            Phase::Dijkstra(state) => self.resume_dijkstra(state, pace, scratch, observer),
            Phase::Hna(state) => self.resume_hna(state, pace, scratch, observer),
        }
    }

    /// Returns the best path of a search that pauses, and writes its trail to the scratch: a path to the
    /// goal if one is known, otherwise, if partial paths are wanted, one to the nearest point that the search
    /// has reached.
    pub(crate) fn best_so_far(
        &self,
        SearchPhase(phase): &SearchPhase,
        scratch: &mut Scratch,
    ) -> Outcome {
        match phase {
            // Nothing is reached but the start.
            Phase::Fresh(_) => MeshSearch::new(self).outcome(self, scratch),
            Phase::AStar(state) | Phase::Dijkstra(state) => state.outcome(self, scratch),
            Phase::Hna(state) => self.hna_so_far(state, scratch),
        }
    }
}
