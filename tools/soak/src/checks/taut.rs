//! Taut tiers: a path where there is one, sound, no more expensive than a sum over samples and no cheaper than
//! the straight line.

use portolan_core::{Endpoints, Engine, Limits, Path, Profile, Query, Scratch, Status, Tier};
use portolan_oracle::{CaseRng, Oracle, assert_corridor};

use super::{QUERIES, assert_joins};
use crate::{Case, Compared};

/// The engines to compare at one taut tier.
fn engines_at(case: &Case, tier: Tier) -> Vec<Engine> {
    case.engines(|engine| engine == Engine::Contraction(tier))
}

pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = case.query(rng);
        let located = case.world.locate(&query).expect("`auto`").endpoints();
        for (tier, oracle) in &case.taut_oracles {
            for engine in engines_at(case, *tier) {
                let answer = case.answer(&query, engine, &mut scratch);
                match located {
                    Ok(ends) => assert_bounded(case, oracle, engine, &ends, &answer),
                    Err(status) => assert_eq!(answer, (status, Path::default()), "{engine}"),
                }
                let fresh = case.answer(&query, engine, &mut Scratch::new());
                assert_eq!(answer, fresh, "{engine}: a used scratch and a fresh one");
                compared.add(engine);
            }
        }
    }
    compared
}

fn assert_bounded(
    case: &Case,
    oracle: &Oracle,
    engine: Engine,
    ends: &Endpoints,
    (status, path): &(Status, Path),
) {
    let sum = oracle.cost(ends.start, ends.goal);
    if sum == f64::INFINITY {
        assert_eq!(*status, Status::NoPath, "{engine}");
        return;
    }
    assert_eq!(*status, Status::Found, "{engine}: by sums it costs {sum}");
    assert_joins(case, engine, ends, path);
    let cost = f64::from(path.cost);
    assert!(
        cost <= sum * (1.0 + 1e-5) + 1e-5,
        "{engine}: {cost}, by sums {sum}"
    );
    let scale = f64::from(case.costs.prices().heuristic_scale());
    let least = scale * f64::from(ends.start.point.distance(ends.goal.point));
    assert!(
        cost >= least * (1.0 - 1e-4) - 0.02,
        "{engine}: {cost}, straight on {least}"
    );
    // Where ground costs its length, the waypoints are no longer than the cost.
    if case.profile == Profile::default() && path.links.is_empty() {
        let length = path.length_xz();
        assert!(
            length <= cost * (1.0 + 1e-4) + 1e-4,
            "{engine}: {length} m long for {cost}"
        );
    }
}

/// A limit is one on taut costs, and a partial path is A*'s on the world's own graph.
pub(super) fn check_limits(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    for _ in 0..QUERIES {
        let Some((query, _)) = case.located_query(rng) else {
            break;
        };
        for tier in Tier::TAUT {
            for engine in engines_at(case, tier) {
                check_query(case, &query, engine);
                compared.add(engine);
            }
        }
    }
    compared
}

fn check_query(case: &Case, query: &Query<'_>, engine: Engine) {
    let mut scratch = Scratch::new();
    let mut limited = |engine, max_cost, partial| {
        let limits = Limits { max_cost, partial };
        case.limited(query, engine, limits, &mut scratch)
    };
    let (status, path) = limited(engine, f32::INFINITY, false);
    let partial = limited(engine, f32::INFINITY, true);
    if status == Status::NoPath {
        let astar = limited(Engine::AStar, f32::INFINITY, true);
        assert_eq!(partial, astar, "{engine}: a partial path, and A*'s");
        return;
    }
    assert_eq!(status, Status::Found, "{engine}");
    assert_eq!(
        partial,
        (status, path.clone()),
        "{engine}: with and without `partial`"
    );
    // A limit of exactly what the path costs is enough, to the last bit.
    let enough = limited(engine, path.cost, false);
    assert_eq!(
        enough,
        (status, path.clone()),
        "{engine}: its own cost as a limit"
    );
    if path.cost < 0.01 {
        return;
    }
    let less = path.cost * 0.999;
    assert_eq!(
        limited(engine, less, false).0,
        Status::NoPath,
        "{engine}: beyond the limit"
    );
    let partial = limited(engine, less, true);
    let astar = limited(Engine::AStar, less, true);
    assert_eq!(
        partial, astar,
        "{engine}: a partial path within {less}, and A*'s"
    );
    let cost = partial.1.cost;
    assert!(
        cost <= less,
        "{engine}: a partial path of {cost} within {less}"
    );
    assert_corridor(case.world.mesh(), &case.profile, &partial.1);
}
