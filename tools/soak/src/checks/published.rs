//! Published engines that are not exact: they find a path where there is one, and cost no less than the least.

use portolan_core::{Engine, Scratch, Status};
use portolan_oracle::CaseRng;

use super::{QUERIES, assert_joins};
use crate::{Case, Compared};

pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mut scratch = Scratch::new();
    let mut engines = case.engines(|engine| !engine.is_exact() && !engine.tier().is_taut());
    if case.wants(Engine::Closest) {
        engines.push(Engine::Closest);
    }
    for _ in 0..QUERIES {
        let Some((query, ends)) = case.located_query(rng) else {
            break;
        };
        let least = case.oracle.cost(ends.start, ends.goal);
        for &engine in &engines {
            let (status, path) = case.answer(&query, engine, &mut scratch);
            compared.add(engine);
            if least == f64::INFINITY {
                assert_eq!(status, Status::NoPath, "{engine}");
                continue;
            }
            assert_eq!(status, Status::Found, "{engine}: it costs {least}");
            assert_joins(case, engine, &ends, &path);
            // Costs by closest points are on no graph.
            if engine != Engine::Closest {
                let (mesh, profile) = (case.world.mesh(), &case.profile);
                let (from, to) = (ends.start.point, ends.goal.point);
                let along = case.oracle.cost_along(mesh, profile, &path, from, to);
                let cost = f64::from(path.cost) * (1.0 + 1e-5) + 1e-5;
                assert!(
                    cost >= along,
                    "{engine}: {cost}, along the corridor {along}"
                );
                assert!(
                    cost >= least,
                    "{engine}: {cost}, less than the least {least}"
                );
            }
        }
    }
    compared
}
