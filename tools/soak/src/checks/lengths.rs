//! No engine may find a path that is shorter than the any-angle optimum in plan.

use portolan_core::{Query, Scratch, Status};
use portolan_oracle::{Agent, CaseRng, Optimum};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// The optimum examines all pairs of corners, so it suits only small worlds.
const MAX_POLYGONS: usize = 150;

/// The fraction of worlds to check. The other checks find more in the same time.
const FRACTION: f32 = 0.25;

/// Compares the paths of an agent that uses no links and pays factor 1 on all ground with the optimum.
pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let mesh = case.world.mesh();
    if mesh.polygon_count() > MAX_POLYGONS || !rng.chance(FRACTION) {
        return counts;
    }
    let costs = case.world.costs(&Agent::without_links().profile());
    let optimum = Optimum::new(mesh);
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = Query {
            costs: Some(&costs),
            ..Query::new(rng.point_on(mesh), rng.point_on(mesh))
        };
        let Ok(ends) = case
            .world
            .locate(&query)
            .expect("the default engine")
            .endpoints()
        else {
            continue;
        };
        let shortest = optimum.length(ends.start, ends.goal);
        for engine in case.engines(|_| true) {
            let (status, path) = case.answer(&query, engine, &mut scratch);
            counts.add(engine);
            let is_reachable = shortest < f64::INFINITY;
            assert_eq!(
                status == Status::Found,
                is_reachable,
                "{engine}: the status is {status:?}, but the shortest path has {shortest} m"
            );
            let length = path.length_xz();
            let rounding = 1e-5 * shortest + 1e-3;
            assert!(
                !is_reachable || length >= shortest - rounding,
                "{engine}: the path has {length} m, less than the shortest path with {shortest} m"
            );
        }
    }
    counts
}
