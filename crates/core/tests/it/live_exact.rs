//! The exact tier of a world that changes: an error until the world is settled, and right then.

use portolan_core::{Change, LiveWorld, Location, Path, Query, Scratch};
use portolan_oracle::{Agent, CaseRng, ChangedGround, plans};
use proptest::prelude::*;

use super::exact::{ExactWorlds, answer, corners_only, rounding};
use super::live::{open_location, without_background};

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn exact_paths_are_shortest_once_the_world_is_settled(plan in plans(), seed in any::<u64>()) {
        let profile = Agent::walker().profile();
        let worlds = ExactWorlds::new(plan.mesh(), &profile);
        for (method, world) in worlds.both() {
            let live = LiveWorld::with_options(world.clone(), without_background(Vec::new()));
            let mut ground = ChangedGround::new(world.mesh());
            let (mut rng, mut scratch) = (CaseRng::new(seed), Scratch::new());
            for _ in 0..3 {
                for _ in 0..1 + rng.below(6) {
                    let polygon = rng.polygon(world.mesh());
                    let change = match rng.chance(0.7) {
                        true => Change::Block(polygon),
                        false => Change::Unblock(polygon),
                    };
                    live.update(std::slice::from_ref(&change)).expect("a polygon");
                    ground.apply(&change);
                }
                let unsettled = live.snapshot();
                let found = unsettled.find_path(&corners_only(), &mut scratch, &mut Path::default());
                prop_assert_eq!(found.is_err(), !unsettled.is_settled());
                live.settle();
                let snapshot = live.snapshot();
                let (mesh, closing) = ground.mesh_and_profile(&profile);
                let fresh = ExactWorlds::new(mesh, &closing);
                for _ in 0..4 {
                    let costs = snapshot.default_costs();
                    let ends = [(); 2].map(|()| open_location(&snapshot, costs, &mut rng));
                    let [Some(start), Some(goal)] = ends else { continue };
                    let ends: [Location; 2] = [start, goal];
                    let query = Query { from: start.point, to: goal.point, ..corners_only() };
                    let own = answer(&snapshot, &query, ends, &mut scratch);
                    let expected = answer(&fresh.labels, &query, ends, &mut scratch);
                    prop_assert_eq!(own.0, expected.0, "{}", method);
                    let [a, b] = [own.1.length_xz(), expected.1.length_xz()];
                    prop_assert!((a - b).abs() <= rounding(world.mesh(), b) + 5e-5, "{method}: {a} for {b}");
                }
            }
        }
    }
}
