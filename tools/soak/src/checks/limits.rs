//! Limits on the cost, and partial paths, of every exact engine.

use portolan_core::{Endpoints, Engine, Limits, Query, Scratch, Status};
use portolan_oracle::{CaseRng, assert_corridor, close};

use super::QUERIES;
use crate::{Case, Compared};

/// A limit above the least cost changes nothing, and below it there is no path.
pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let least = case.oracle.cost(ends.start, ends.goal);
        if !(0.01..f64::INFINITY).contains(&least) {
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
            let (status, path) = limited(least * 1.0001);
            assert_eq!(
                status,
                Status::Found,
                "{engine}: {least} within a higher limit"
            );
            let cost = f64::from(path.cost);
            assert!(
                close(cost, least),
                "{engine}: {cost} with a limit, and not {least}"
            );
            let (status, _) = limited(least * 0.9999);
            assert_eq!(status, Status::NoPath, "{engine}: {least} beyond the limit");
            // A limit of exactly what the engine says the path costs is enough, to the last bit.
            let (_, path) = limited(f64::INFINITY);
            let (status, _) = limited(path.cost.into());
            assert_eq!(
                status,
                Status::Found,
                "{engine}: its own cost {} as a limit",
                path.cost
            );
            compared.add(engine);
        }
    }
    compared
}

/// A partial path ends as near to the goal as one can get, within a limit on the cost if there is one.
pub(super) fn check_partial(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let share = rng.between(0.0, 1.0);
        check_nearest(case, &query, &ends, &mut compared);
        check_within(case, &query, &ends, share, &mut compared);
    }
    compared
}

fn check_nearest(case: &Case, query: &Query<'_>, ends: &Endpoints, compared: &mut Compared) {
    let mut scratch = Scratch::new();
    let least = case.oracle.cost(ends.start, ends.goal);
    let nearest = case.oracle.nearest_reachable(ends);
    let limits = Limits {
        partial: true,
        ..Limits::default()
    };
    let (mesh, profile) = (case.world.mesh(), &case.profile);
    let mut first: Option<(Engine, f64)> = None;
    for engine in case.exact_engines() {
        let (status, path) = case.limited(query, engine, limits, &mut scratch);
        compared.add(engine);
        assert_corridor(mesh, profile, &path);
        let cost = f64::from(path.cost);
        if least < f64::INFINITY {
            assert_eq!(status, Status::Found, "{engine}");
            assert!(close(cost, least), "{engine}: {cost}, and not {least}");
            continue;
        }
        assert_eq!(status, Status::Partial, "{engine}");
        let end = *path.waypoints.last().expect("a waypoint");
        let left = f64::from(end.distance(ends.goal.point));
        assert!(
            left <= nearest + 1e-4,
            "{engine}: ends {left} m off, a sample is {nearest} m off"
        );
        let along = case
            .oracle
            .cost_along(mesh, profile, &path, ends.start.point, end);
        assert!(
            along <= cost * (1.0 + 1e-5) + 1e-5,
            "{engine}: {cost}, along the corridor {along}"
        );
        let (other, right) = *first.get_or_insert((engine, left));
        assert!(
            close(left, right),
            "{engine}: ends {left} m off, {other} {right} m off"
        );
    }
}

fn check_within(
    case: &Case,
    query: &Query<'_>,
    ends: &Endpoints,
    share: f32,
    compared: &mut Compared,
) {
    let mut scratch = Scratch::new();
    let least = case.oracle.cost(ends.start, ends.goal);
    let most = if least < f64::INFINITY { least } else { 20.0 };
    let max_cost = most as f32 * share;
    let limits = Limits {
        max_cost,
        partial: true,
    };
    for engine in case.exact_engines() {
        let (status, path) = case.limited(query, engine, limits, &mut scratch);
        compared.add(engine);
        if least * 0.9999 > f64::from(max_cost) {
            assert_eq!(
                status,
                Status::Partial,
                "{engine}: {least} beyond the limit {max_cost}"
            );
        }
        assert_corridor(case.world.mesh(), &case.profile, &path);
        let over = path.cost - max_cost;
        assert!(
            over <= 1e-4,
            "{engine}: {} is over the limit {max_cost}",
            path.cost
        );
    }
}
