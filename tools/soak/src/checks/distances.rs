//! Distances without a path: the cost is the oracle's, and a way of that cost begins with the first crossing.

use portolan_core::{Limits, Query, Scratch};
use portolan_oracle::{CaseRng, close};

use super::QUERIES;
use crate::{Case, Compared};

pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let least = case.oracle.cost(ends.start, ends.goal);
        for engine in case.exact_engines() {
            let mut distance = |max_cost: f32| {
                let limits = Limits {
                    max_cost,
                    ..Limits::default()
                };
                let query = Query {
                    engine,
                    limits,
                    ..query
                };
                let located = case.world.located(&query, ends);
                located
                    .expect("an engine of this world")
                    .distance(&mut scratch)
            };
            let found = distance(f32::INFINITY);
            compared.add(engine);
            let Some(found) = found else {
                assert_eq!(least, f64::INFINITY, "{engine}: no distance");
                continue;
            };
            let cost = f64::from(found.cost);
            assert!(
                close(cost, least),
                "{engine}: a distance of {cost}, and not {least}"
            );
            assert_eq!(
                distance(found.cost),
                Some(found),
                "{engine}: its own cost as a limit"
            );
            if least > 0.01 {
                assert_eq!(
                    distance(found.cost * 0.999),
                    None,
                    "{engine}: beyond the limit"
                );
            }
            let over = case.oracle.cost_over(case.world.mesh(), &ends, found.first);
            assert!(
                close(over, least),
                "{engine}: {over} over {:?}, and not {least}",
                found.first
            );
        }
    }
    compared
}
