//! Distances without a path: the cost must be that of the oracle, and a path of that cost must start with the first
//! crossing.

use portolan_core::{Limits, Query, Scratch};
use portolan_oracle::{CaseRng, close};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let expected = case.oracle.cost(ends.start, ends.goal);
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
                    .expect("the world has this engine")
                    .distance(&mut scratch)
            };
            let found = distance(f32::INFINITY);
            counts.add(engine);
            let Some(found) = found else {
                assert_eq!(expected, f64::INFINITY, "{engine}: no distance found");
                continue;
            };
            let cost = f64::from(found.cost);
            assert!(
                close(cost, expected),
                "{engine}: the distance is {cost} instead of {expected}"
            );
            assert_eq!(
                distance(found.cost),
                Some(found),
                "{engine}: another distance with its own cost as the limit"
            );
            if expected > 0.01 {
                assert_eq!(
                    distance(found.cost * 0.999),
                    None,
                    "{engine}: a distance above the limit"
                );
            }
            let over = case.oracle.cost_via(case.world.mesh(), &ends, found.first);
            assert!(
                close(over, expected),
                "{engine}: the cost over {:?} is {over} instead of {expected}",
                found.first
            );
        }
    }
    counts
}
