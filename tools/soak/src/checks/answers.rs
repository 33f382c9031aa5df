//! Every exact engine against the oracle, against Dijkstra, and against itself with a fresh scratch.

use portolan_core::{Endpoints, Engine, Path, Query, Scratch, Status};
use portolan_oracle::{CaseRng, close};

use super::{QUERIES, assert_joins};
use crate::{Case, Compared};

pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = case.query(rng);
        let located = case.world.locate(&query).expect("`auto`").endpoints();
        let dijkstra = case.answer(&query, Engine::Dijkstra, &mut Scratch::new());
        for engine in case.exact_engines() {
            let answer = case.answer(&query, engine, &mut scratch);
            match located {
                Ok(ends) => {
                    assert_least(case, engine, &query, &ends, &answer);
                    assert_same_cost(engine, &answer, &dijkstra);
                }
                Err(status) => assert_eq!(answer, (status, Path::default()), "{engine}"),
            }
            let fresh = case.answer(&query, engine, &mut Scratch::new());
            assert_eq!(answer, fresh, "{engine}: a used scratch and a fresh one");
            compared.add(engine);
        }
    }
    compared
}

/// The status and cost are the oracle's, and the corridor is one of that cost.
fn assert_least(
    case: &Case,
    engine: Engine,
    query: &Query<'_>,
    ends: &Endpoints,
    (status, path): &(Status, Path),
) {
    let least = case.oracle.cost(ends.start, ends.goal);
    if least == f64::INFINITY {
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
        "{engine}: from {from} to {to} it costs {least}"
    );
    let cost = f64::from(path.cost);
    assert!(
        close(cost, least),
        "{engine}: from {from} to {to} {cost}, the oracle {least}"
    );
    assert_joins(case, engine, ends, path);
    let (mesh, profile) = (case.world.mesh(), &case.profile);
    let along = case
        .oracle
        .cost_along(mesh, profile, path, ends.start.point, ends.goal.point);
    assert!(
        close(along, least),
        "{engine}: along the corridor {along}, the oracle {least}"
    );
}

fn assert_same_cost(engine: Engine, answer: &(Status, Path), dijkstra: &(Status, Path)) {
    assert_eq!(answer.0, dijkstra.0, "{engine}: the status, and Dijkstra's");
    let [cost, right] = [answer, dijkstra].map(|(_, path)| f64::from(path.cost));
    assert!(close(cost, right), "{engine}: {cost}, Dijkstra {right}");
}
