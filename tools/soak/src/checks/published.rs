//! Engines as published in papers, which are not exact: they must find a path if there is one, and it must not cost less
//! than the cheapest path.

use portolan_core::{Engine, Scratch, Status, Tier};
use portolan_oracle::CaseRng;

use super::{QUERIES, assert_connects};
use crate::{AnswerCounts, SoakCase};

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mut scratch = Scratch::new();
    let mut engines = case.engines(|engine| !engine.is_exact() && engine.tier() == Tier::Fast);
    if case.is_selected(Engine::Closest) {
        engines.push(Engine::Closest);
    }
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let cheapest = case.oracle.cost(ends.start, ends.goal);
        for &engine in &engines {
            let (status, path) = case.answer(&query, engine, &mut scratch);
            counts.add(engine);
            if cheapest == f64::INFINITY {
                assert_eq!(status, Status::NoPath, "{engine}");
                continue;
            }
            assert_eq!(
                status,
                Status::Found,
                "{engine}: there is a path of cost {cheapest}"
            );
            assert_connects(case, engine, &ends, &path);
            // The costs of `closest` are not those of a path on a graph.
            if engine != Engine::Closest {
                let (mesh, profile) = (case.world.mesh(), &case.profile);
                let (from, to) = (ends.start.point, ends.goal.point);
                let along = case.oracle.cost_along(mesh, profile, &path, from, to);
                let cost = f64::from(path.cost) * (1.0 + 1e-5) + 1e-5;
                assert!(
                    cost >= along,
                    "{engine}: the cost is {cost}, but the corridor costs {along}"
                );
                assert!(
                    cost >= cheapest,
                    "{engine}: the cost is {cost}, less than the cheapest path with {cheapest}"
                );
            }
        }
    }
    counts
}
