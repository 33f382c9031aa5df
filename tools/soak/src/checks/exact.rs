//! Paths of the exact tier.

use portolan_core::{
    Engine, ExactLimits, ExactOptions, Path, Profile, Query, Scratch, Status, Tier, no_progress,
};
use portolan_oracle::{CaseRng, IntervalSearch};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// Checks that both methods of the exact tier find paths as short as those of an interval search, and that no other
/// engine finds a shorter one. The agent pays the same everywhere and uses no links.
pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let engine = Engine::Auto(Tier::Exact);
    let mut counts = AnswerCounts::default();
    if !case.is_selected(engine) {
        return counts;
    }
    let options = ExactOptions {
        limits: ExactLimits::NONE,
        auto: false,
    };
    let mut walker = Profile::default();
    walker.links = false;
    let world = portolan_core::World::new(case.world.mesh().clone(), &Default::default(), &walker);
    let world = world.expect("the default options are valid");
    let labels = world.with_exact(options, &no_progress);
    let labels = labels.expect("one cost per metre");
    let lazy = labels.clone().with_lazy_exact();
    let mesh = labels.mesh();
    let mut oracle = IntervalSearch::new(mesh, |_| true);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for _ in 0..QUERIES {
        let [start, goal] = [rng.location(mesh), rng.location(mesh)];
        let shortest = oracle.length(start, goal);
        for world in [&labels, &lazy] {
            let query = Query {
                engine,
                ..Query::new(start.point, goal.point)
            };
            let located = world.located(&query, portolan_core::Endpoints { start, goal });
            let searched = located
                .expect("the world has the tier")
                .search(&mut scratch);
            let status = searched.waypoints(&mut path);
            let is_reachable = shortest < f64::INFINITY;
            assert_eq!(
                status == Status::Found,
                is_reachable,
                "{engine}: {start:?} to {goal:?}"
            );
            let length = path.length_xz();
            assert!(
                !is_reachable || (length - shortest).abs() <= 1e-5 * (1.0 + shortest),
                "{engine}: the length is {length} m instead of {shortest} m from {start:?} to {goal:?}"
            );
            counts.add(engine);
        }
    }
    counts
}
