//! No path is shorter than the shortest, whichever engine finds it.

use portolan_core::{Query, Scratch, Status};
use portolan_oracle::{Agent, CaseRng, Optimum};

use super::QUERIES;
use crate::{Case, Compared};

/// The optimum looks at all pairs of corners, so it is for small worlds.
const MAX_POLYGONS: usize = 150;

/// The share of worlds to look at: others teach more in the same time.
const SHARE: f32 = 0.25;

/// An agent that takes no links and pays the length of any ground walks at least the any-angle optimum in plan.
pub(super) fn check(case: &Case, rng: &mut CaseRng) -> Compared {
    let mut compared = Compared::default();
    let mesh = case.world.mesh();
    if mesh.polygon_count() > MAX_POLYGONS || !rng.chance(SHARE) {
        return compared;
    }
    let costs = case.world.costs(&Agent::on_foot().profile());
    let optimum = Optimum::new(mesh);
    let mut scratch = Scratch::new();
    for _ in 0..QUERIES {
        let query = Query {
            costs: Some(&costs),
            ..Query::new(rng.place(mesh), rng.place(mesh))
        };
        let Ok(ends) = case.world.locate(&query).expect("`auto`").endpoints() else {
            continue;
        };
        let least = optimum.length(ends.start, ends.goal);
        for engine in case.engines(|_| true) {
            let (status, path) = case.answer(&query, engine, &mut scratch);
            compared.add(engine);
            let is_reachable = least < f64::INFINITY;
            assert_eq!(
                status == Status::Found,
                is_reachable,
                "{engine}: the shortest is {least} m"
            );
            let length = path.length_xz();
            let rounding = 1e-5 * least + 1e-3;
            assert!(
                !is_reachable || length >= least - rounding,
                "{engine}: {length} m, the shortest {least} m"
            );
        }
    }
    compared
}
