//! Taut tiers must find a valid path if there is one. It must cost at most as much as the cheapest path over samples, and
//! at least as much as the straight line.

use portolan_core::{Endpoints, Engine, Limits, Path, Profile, Query, Scratch, Status, Tier};
use portolan_oracle::{CaseRng, Oracle, assert_corridor};

use super::{QUERIES, assert_connects};
use crate::{AnswerCounts, SoakCase};

/// Returns the selected engines of one taut tier.
fn engines_at(case: &SoakCase, tier: Tier) -> Vec<Engine> {
    case.engines(|engine| engine == Engine::Contraction(tier))
}

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = case.query(rng);
        let located = case.endpoints(&query);
        for (tier, oracle) in &case.taut_oracles {
            for engine in engines_at(case, *tier) {
                let answer = case.answer(&query, engine, &mut scratch);
                match located {
                    Ok(ends) => assert_bounded(case, oracle, engine, &ends, &answer),
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
    }
    counts
}

fn assert_bounded(
    case: &SoakCase,
    oracle: &Oracle,
    engine: Engine,
    ends: &Endpoints,
    (status, path): &(Status, Path),
) {
    let over_samples = oracle.cost(ends.start, ends.goal);
    if over_samples == f64::INFINITY {
        assert_eq!(*status, Status::NoPath, "{engine}");
        return;
    }
    assert_eq!(
        *status,
        Status::Found,
        "{engine}: over samples there is a path of cost {over_samples}"
    );
    assert_connects(case, engine, ends, path);
    let cost = f64::from(path.cost);
    assert!(
        cost <= over_samples * (1.0 + 1e-5) + 1e-5,
        "{engine}: the cost is {cost}, over samples {over_samples}"
    );
    let scale = f64::from(case.costs.prices().heuristic_scale());
    let lower_bound = scale * f64::from(ends.start.point.distance(ends.goal.point));
    assert!(
        cost >= lower_bound * (1.0 - 1e-4) - 0.02,
        "{engine}: the cost is {cost}, along the straight line {lower_bound}"
    );
    // Where the cost of ground is its length, the line of waypoints is no longer than its cost.
    if case.profile == Profile::default() && path.links.is_empty() {
        let length = path.length_xz();
        assert!(
            length <= cost * (1.0 + 1e-4) + 1e-4,
            "{engine}: the length is {length} m, more than the cost {cost}"
        );
    }
}

/// Checks that limits apply to taut costs, and that a partial path is the one that A* finds on the world's own graph.
pub(super) fn check_limits(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    for _ in 0..QUERIES {
        let Some((query, _)) = case.located_query(rng) else {
            break;
        };
        for tier in Tier::TAUT {
            for engine in engines_at(case, tier) {
                check_query(case, &query, engine);
                counts.add(engine);
            }
        }
    }
    counts
}

fn check_query(case: &SoakCase, query: &Query<'_>, engine: Engine) {
    let mut scratch = Scratch::new();
    let mut limited = |engine, max_cost, partial| {
        let limits = Limits { max_cost, partial };
        case.limited(query, engine, limits, &mut scratch)
    };
    let (status, path) = limited(engine, f32::INFINITY, false);
    let partial = limited(engine, f32::INFINITY, true);
    if status == Status::NoPath {
        let astar = limited(Engine::AStar, f32::INFINITY, true);
        assert_eq!(
            partial, astar,
            "{engine}: the partial path differs from that of A*"
        );
        return;
    }
    assert_eq!(status, Status::Found, "{engine}");
    assert_eq!(
        partial,
        (status, path.clone()),
        "{engine}: the answer with `partial` differs"
    );
    // A limit of exactly the cost of the path is enough, to the bit.
    let enough = limited(engine, path.cost, false);
    assert_eq!(
        enough,
        (status, path.clone()),
        "{engine}: another answer with its own cost as the limit"
    );
    if path.cost < 0.01 {
        return;
    }
    let less = path.cost * 0.999;
    assert_eq!(
        limited(engine, less, false).0,
        Status::NoPath,
        "{engine}: a path above the limit"
    );
    let partial = limited(engine, less, true);
    let astar = limited(Engine::AStar, less, true);
    assert_eq!(
        partial, astar,
        "{engine}: the partial path within {less} differs from that of A*"
    );
    let cost = partial.1.cost;
    assert!(
        cost <= less,
        "{engine}: a partial path costs {cost}, more than the limit {less}"
    );
    assert_corridor(case.world.mesh(), &case.profile, &partial.1);
}
