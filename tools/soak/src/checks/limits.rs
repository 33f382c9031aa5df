//! Cost limits and partial paths of every exact engine.

use portolan_core::{Endpoints, Engine, Limits, Query, Scratch, Status};
use portolan_oracle::{CaseRng, assert_corridor, close};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// Checks that a limit above the lowest cost changes nothing, and that there is no path with a limit below it.
pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let expected = case.oracle.cost(ends.start, ends.goal);
        if !(0.01..f64::INFINITY).contains(&expected) {
            continue;
        }
        for engine in case.exact_engines() {
            let mut limited = |max_cost: f64| {
                let limits = Limits {
                    max_cost: max_cost as f32,
                    ..Limits::default()
                };
                case.limited(&query, engine, limits, &mut scratch)
            };
            let (status, path) = limited(expected * 1.0001);
            assert_eq!(
                status,
                Status::Found,
                "{engine}: no path of cost {expected} within a higher limit"
            );
            let cost = f64::from(path.cost);
            assert!(
                close(cost, expected),
                "{engine}: with a limit the cost is {cost} instead of {expected}"
            );
            let (status, _) = limited(expected * 0.9999);
            assert_eq!(
                status,
                Status::NoPath,
                "{engine}: a path of cost {expected} exceeds the limit"
            );
            // A limit of exactly the cost that the engine reports is enough, to the bit.
            let (_, path) = limited(f64::INFINITY);
            let (status, _) = limited(path.cost.into());
            assert_eq!(
                status,
                Status::Found,
                "{engine}: no path with its own cost {} as the limit",
                path.cost
            );
            counts.add(engine);
        }
    }
    counts
}

/// Checks that a partial path ends as near to the goal as possible, and that its cost is within the limit.
pub(super) fn check_partial(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let fraction = rng.between(0.0, 1.0);
        check_nearest(case, &query, &ends, &mut counts);
        check_within(case, &query, &ends, fraction, &mut counts);
    }
    counts
}

fn check_nearest(case: &SoakCase, query: &Query<'_>, ends: &Endpoints, counts: &mut AnswerCounts) {
    let mut scratch = Scratch::new();
    let expected = case.oracle.cost(ends.start, ends.goal);
    let nearest = case.oracle.nearest_reachable(ends);
    let limits = Limits {
        partial: true,
        ..Limits::default()
    };
    let (mesh, profile) = (case.world.mesh(), &case.profile);
    let mut first: Option<(Engine, f64)> = None;
    for engine in case.exact_engines() {
        let (status, path) = case.limited(query, engine, limits, &mut scratch);
        counts.add(engine);
        assert_corridor(mesh, profile, &path);
        let cost = f64::from(path.cost);
        if expected < f64::INFINITY {
            assert_eq!(status, Status::Found, "{engine}");
            assert!(
                close(cost, expected),
                "{engine}: the cost is {cost} instead of {expected}"
            );
            continue;
        }
        assert_eq!(status, Status::Partial, "{engine}");
        let end = *path.waypoints.last().expect("a waypoint");
        let distance = f64::from(end.distance(ends.goal.point));
        assert!(
            distance <= nearest + 1e-4,
            "{engine}: the path ends {distance} m from the goal, but a reachable sample is {nearest} m from it"
        );
        let along = case
            .oracle
            .cost_along(mesh, profile, &path, ends.start.point, end);
        assert!(
            along <= cost * (1.0 + 1e-5) + 1e-5,
            "{engine}: the cost is {cost}, but the corridor costs {along}"
        );
        let (other, other_distance) = *first.get_or_insert((engine, distance));
        assert!(
            close(distance, other_distance),
            "{engine}: the path ends {distance} m from the goal, that of {other} {other_distance} m"
        );
    }
}

fn check_within(
    case: &SoakCase,
    query: &Query<'_>,
    ends: &Endpoints,
    fraction: f32,
    counts: &mut AnswerCounts,
) {
    let mut scratch = Scratch::new();
    let expected = case.oracle.cost(ends.start, ends.goal);
    let full_cost = if expected < f64::INFINITY {
        expected
    } else {
        20.0
    };
    let max_cost = full_cost as f32 * fraction;
    let limits = Limits {
        max_cost,
        partial: true,
    };
    for engine in case.exact_engines() {
        let (status, path) = case.limited(query, engine, limits, &mut scratch);
        counts.add(engine);
        if expected * 0.9999 > f64::from(max_cost) {
            assert_eq!(
                status,
                Status::Partial,
                "{engine}: the cost {expected} exceeds the limit {max_cost}"
            );
        }
        assert_corridor(case.world.mesh(), &case.profile, &path);
        let excess = path.cost - max_cost;
        assert!(
            excess <= 1e-4,
            "{engine}: the cost {} exceeds the limit {max_cost}",
            path.cost
        );
    }
}
