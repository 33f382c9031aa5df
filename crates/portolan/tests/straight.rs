//! Waypoints of taut worlds are straight: no turn back, and no corner that the path could do without.

mod common;

use common::{
    Agent, Dice, Plan, Sight, TautWorld, densities, plans, superfluous_corners, turns_back,
};
use portolan::{Path, PolygonId, Profile, Samples};
use proptest::prelude::*;

/// Every area at its length, without links.
fn walker() -> Profile {
    Agent {
        links: false,
        ..Agent::walker()
    }
    .profile()
}

/// Walls without thickness stand where a step is too high to climb; around their tips one may have to turn back.
fn has_thin_walls(plan: &Plan) -> bool {
    matches!(plan, Plan::Patchwork(patchwork) if patchwork.steps.is_some_and(|step| step > 0.9))
}

/// Tells of all paths between random places of a world.
fn for_each_path(
    plan: &Plan,
    samples: Samples,
    seed: u64,
    mut tell: impl FnMut(&Sight<'_>, &Path, PolygonId),
) {
    let mesh = plan.mesh();
    let mut world = TautWorld::new(mesh.clone(), samples, &walker(), seed);
    let sight = Sight::new(&mesh);
    let mut dice = Dice::new(seed);
    for _ in 0..6 {
        let tolerance = [f32::INFINITY, 0.2][dice.below(2)];
        let (from, to) = (dice.place_inside(&mesh), dice.place_inside(&mesh));
        if let Some((ends, path)) = world.ask(from, to, tolerance) {
            tell(&sight, &path, ends.start.polygon);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_path_turns_back(plan in plans(), samples in densities(), seed: u64) {
        prop_assume!(!has_thin_walls(&plan));
        for_each_path(&plan, samples, seed, |_, path, _| {
            assert_eq!(turns_back(path), [], "{path:?}");
        });
    }

    #[test]
    #[ignore = "until waypoints are straightened"]
    fn no_corner_is_superfluous(plan in plans(), samples in densities(), seed: u64) {
        for_each_path(&plan, samples, seed, |sight, path, start| {
            assert_eq!(superfluous_corners(sight, path, start), [], "{path:?}");
        });
    }
}
