//! Taut paths after flips have the same properties as any path: their lines, corridors, costs and links are valid. A flip
//! moves a path to the other side of a hole in the mesh.

use portolan_core::{Path, Samples, Scratch, Tier};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, Oracle, Sight, TautWorld, agents, assert_corridor, plans, scenes,
    taut_tiers,
};
use proptest::prelude::*;

/// Finds paths between random points. Calls `visit` with each path and with the path that string pulling gives for
/// the same corridor.
fn for_each_path(
    world: &mut TautWorld,
    tolerance: f32,
    seed: u64,
    mut visit: impl FnMut(&Path, &Path),
) {
    let mesh = world.mesh().clone();
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let (from, to) = (rng.point_on(&mesh), rng.point_on(&mesh));
        let Some((ends, path)) = world.find(from, to, tolerance) else {
            continue;
        };
        let mut pulled = Path::default();
        pulled.corridor = path.corridor.clone();
        pulled.cost = path.cost;
        let query = world.query(from, to, tolerance);
        let mut scratch = Scratch::new();
        let located = world.world.located(&query, ends);
        let located = located.expect("the world has this engine");
        located.pull(&mut scratch, &mut pulled);
        visit(&path, &pulled);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    /// A path that is tightened part by part equals the result of the funnel over its full corridor.
    #[test]
    fn flipped_paths_are_taut(
        plan in plans(), agent in agents(), tier in taut_tiers(), tolerate: bool, seed: u64,
    ) {
        let profile = agent.profile();
        let mut world = TautWorld::new(plan.mesh(), tier, &profile, seed);
        let mesh = world.mesh().clone();
        let has_steps = matches!(&plan, MeshPlan::Patchwork(patchwork) if patchwork.steps.is_some());
        let tolerance = if tolerate { 0.2 } else { f32::INFINITY };
        for_each_path(&mut world, tolerance, seed, |path, pulled| {
            assert_corridor(&mesh, &profile, path);
            // At a step, one corner has two heights: one as the end of each portal.
            if has_steps && path != pulled {
                assert_eq!(path.corridor, pulled.corridor);
                let lengths = [path, pulled].map(Path::length_xz);
                assert!((lengths[0] - lengths[1]).abs() < 1e-4, "{path:?} instead of {pulled:?}");
                return;
            }
            assert_eq!(path, pulled);
        });
    }

    /// A path enters and leaves links at their ends, and its other legs stay on the mesh.
    #[test]
    fn flipped_paths_use_links_from_end_to_end(plan in plans(), tier in taut_tiers(), seed: u64) {
        let mut world = TautWorld::new(plan.mesh(), tier, &Agent::walker().profile(), seed);
        let mesh = world.mesh().clone();
        let sight = Sight::new(&mesh);
        for_each_path(&mut world, f32::INFINITY, seed, |path, _| {
            for leg in &path.links {
                let at = leg.waypoint as usize;
                let link = mesh.link(leg.link);
                let [from, to] = [path.waypoints[at], path.waypoints[at + 1]];
                assert!([from, to] == link.ends || [to, from] == link.ends, "{path:?}");
            }
            sight.follow(path, path.corridor.polygons[0]);
        });
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    /// Larger worlds have more flips.
    #[test]
    fn flipped_paths_of_larger_worlds_are_taut(plan in scenes(200), tier in taut_tiers(), seed: u64) {
        let mut world = TautWorld::new(plan.mesh(), tier, &Agent::walker().profile(), seed);
        for_each_path(&mut world, f32::INFINITY, seed, |path, pulled| assert_eq!(path, pulled));
    }

    /// On level ground with factor 1, the cost is at least the length of the line and at most the cost over samples.
    #[test]
    fn costs_are_between_the_length_and_the_cost_over_samples(plan in plans(), tier in taut_tiers(), seed: u64) {
        let profile = Agent::without_links().profile();
        let mut world = TautWorld::new(level(plan).mesh(), tier, &profile, seed);
        let mesh = world.mesh().clone();
        let oracle = Oracle::new(&mesh, &profile, tier.1);
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let (from, to) = (rng.point_on(&mesh), rng.point_on(&mesh));
            let Some((ends, path)) = world.find(from, to, f32::INFINITY) else { continue };
            let (cost, over_samples) = (f64::from(path.cost), oracle.cost(ends.start, ends.goal));
            let rounding = 1e-5 * over_samples + 1e-4;
            prop_assert!(path.length() <= cost + rounding, "a length of {} costs {cost}: {path:?}", path.length());
            prop_assert!(cost <= over_samples + rounding, "costs {cost}, over samples {over_samples}: {path:?}");
        }
    }
}

/// Returns the plan with level ground.
fn level(mut plan: MeshPlan) -> MeshPlan {
    match &mut plan {
        MeshPlan::Patchwork(patchwork) => {
            (patchwork.relief, patchwork.bumps, patchwork.steps) = (0.0, 0.0, None);
        }
        MeshPlan::Scene(_, options) => (options.relief, options.floors) = (0.0, 1),
        // Tiles are level.
        MeshPlan::Tiles(_) => (),
    }
    plan
}

/// The properties above would also hold without flips. This shows that paths bend, and that the best tier shortens
/// them.
#[test]
fn flips_shorten_paths() {
    let samples = Samples::ByLength { percentile: 90 };
    let mut lengths = [0.0; 2];
    let mut bends = [0; 2];
    for seed in 0..20 {
        let mesh = portolan_oracle::fixed_plan(1, seed, 0.0).mesh();
        for (i, tier) in Tier::TAUT.into_iter().enumerate() {
            let profile = Agent::without_links().profile();
            let mut world = TautWorld::new(mesh.clone(), (tier, samples), &profile, seed);
            for_each_path(&mut world, f32::INFINITY, seed, |path, _| {
                lengths[i] += path.length();
                bends[i] += path.waypoints.len() - 2;
            });
        }
    }
    assert!(bends[0] > 50, "{bends:?}");
    assert!(lengths[1] < lengths[0], "{lengths:?}");
}
