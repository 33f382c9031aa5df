//! Every exact engine must agree with the oracle and with Dijkstra's algorithm. A used scratch must not change its answer.

use portolan_core::{Endpoints, Engine, Path, Query, Scratch, Status};
use portolan_oracle::{CaseRng, close};

use super::{QUERIES, assert_connects};
use crate::{AnswerCounts, SoakCase};

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = case.query(rng);
        let located = case.endpoints(&query);
        let dijkstra = case.answer(&query, Engine::Dijkstra, &mut Scratch::new());
        for engine in case.exact_engines() {
            let answer = case.answer(&query, engine, &mut scratch);
            match located {
                Ok(ends) => {
                    assert_cheapest(case, engine, &query, &ends, &answer);
                    assert_same_cost(engine, &answer, &dijkstra);
                }
                Err(status) => assert_eq!(answer, (status, Path::default()), "{engine}"),
            }
            let fresh = case.answer(&query, engine, &mut Scratch::new());
            assert_eq!(
                answer, fresh,
                "{engine}: answers with a used and a new scratch differ"
            );
            counts.add(engine);
        }
    }
    counts
}

/// Asserts that the status and the cost are those of the oracle, and that the corridor has that cost.
fn assert_cheapest(
    case: &SoakCase,
    engine: Engine,
    query: &Query<'_>,
    ends: &Endpoints,
    (status, path): &(Status, Path),
) {
    let expected = case.oracle.cost(ends.start, ends.goal);
    if expected == f64::INFINITY {
        assert_eq!(
            (*status, path),
            (Status::NoPath, &Path::default()),
            "{engine}"
        );
        return;
    }
    let (from, to) = (query.from, query.to);
    assert_eq!(
        *status,
        Status::Found,
        "{engine}: from {from} to {to} there is a path of cost {expected}"
    );
    let cost = f64::from(path.cost);
    assert!(
        close(cost, expected),
        "{engine}: from {from} to {to} the cost is {cost} instead of {expected}"
    );
    assert_connects(case, engine, ends, path);
    let (mesh, profile) = (case.world.mesh(), &case.profile);
    let along = case
        .oracle
        .cost_along(mesh, profile, path, ends.start.point, ends.goal.point);
    assert!(
        close(along, expected),
        "{engine}: the corridor costs {along} instead of {expected}"
    );
}

fn assert_same_cost(engine: Engine, answer: &(Status, Path), dijkstra: &(Status, Path)) {
    assert_eq!(
        answer.0, dijkstra.0,
        "{engine}: the status differs from Dijkstra's"
    );
    let [cost, expected] = [answer, dijkstra].map(|(_, path)| f64::from(path.cost));
    assert!(
        close(cost, expected),
        "{engine}: the cost is {cost}, Dijkstra's is {expected}"
    );
}
