//! Taut paths after flips: their lines, corridors, costs and links are as those of any path.

use portolan_core::{Path, Samples, Scratch, Tier};
use portolan_oracle::{
    Agent, CaseRng, Oracle, Plan, Sight, TautWorld, agents, assert_corridor, plans, scenes,
    taut_tiers,
};
use proptest::prelude::*;

/// Tells of paths between random places, and what is pulled from scratch through their corridors.
fn for_each_path(
    world: &mut TautWorld,
    tolerance: f32,
    seed: u64,
    mut tell: impl FnMut(&Path, &Path),
) {
    let mesh = world.mesh().clone();
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let (from, to) = (rng.place(&mesh), rng.place(&mesh));
        let Some((ends, path)) = world.ask(from, to, tolerance) else {
            continue;
        };
        let mut pulled = Path {
            corridor: path.corridor.clone(),
            cost: path.cost,
            ..Path::default()
        };
        let query = world.query(from, to, tolerance);
        let mut scratch = Scratch::new();
        let located = world.world.located(&query, ends).expect("the tier");
        located.pull(&mut scratch, &mut pulled);
        tell(&path, &pulled);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    /// What is tightened window by window is what the funnel makes of the whole.
    #[test]
    fn lines_are_taut(
        plan in plans(), agent in agents(), tier in taut_tiers(), tolerate: bool, seed: u64,
    ) {
        let profile = agent.profile();
        let mut world = TautWorld::new(plan.mesh(), tier, &profile, seed);
        let mesh = world.mesh().clone();
        let has_steps = matches!(&plan, Plan::Patchwork(patchwork) if patchwork.steps.is_some());
        let tolerance = if tolerate { 0.2 } else { f32::INFINITY };
        for_each_path(&mut world, tolerance, seed, |path, pulled| {
            assert_corridor(&mesh, &profile, path);
            // At a step one corner has two heights, and may be taken as the end of either portal.
            if has_steps && path != pulled {
                assert_eq!(path.corridor, pulled.corridor);
                let lengths = [path, pulled].map(Path::length_xz);
                assert!((lengths[0] - lengths[1]).abs() < 1e-4, "{path:?}, but {pulled:?}");
                return;
            }
            assert_eq!(path, pulled);
        });
    }

    /// Links are entered and left where they end, and what is between is walked.
    #[test]
    fn links_are_where_they_were(plan in plans(), tier in taut_tiers(), seed: u64) {
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

    /// Also where there is more to flip.
    #[test]
    fn lines_of_larger_worlds_are_taut(plan in scenes(200), tier in taut_tiers(), seed: u64) {
        let mut world = TautWorld::new(plan.mesh(), tier, &Agent::walker().profile(), seed);
        for_each_path(&mut world, f32::INFINITY, seed, |path, pulled| assert_eq!(path, pulled));
    }

    /// On level ground that costs its length: no more than the least sum, no less than the line is long.
    #[test]
    fn costs_are_between_lengths_and_sums(plan in plans(), tier in taut_tiers(), seed: u64) {
        let profile = Agent::on_foot().profile();
        let mut world = TautWorld::new(level(plan).mesh(), tier, &profile, seed);
        let mesh = world.mesh().clone();
        let sums = Oracle::new(&mesh, &profile, tier.1);
        let mut rng = CaseRng::new(seed);
        for _ in 0..6 {
            let (from, to) = (rng.place(&mesh), rng.place(&mesh));
            let Some((ends, path)) = world.ask(from, to, f32::INFINITY) else { continue };
            let (cost, sum) = (f64::from(path.cost), sums.cost(ends.start, ends.goal));
            let rounding = 1e-5 * sum + 1e-4;
            prop_assert!(path.length() <= cost + rounding, "{} for {cost}: {path:?}", path.length());
            prop_assert!(cost <= sum + rounding, "{cost}, by sums {sum}: {path:?}");
        }
    }
}

/// The same without heights.
fn level(mut plan: Plan) -> Plan {
    match &mut plan {
        Plan::Patchwork(patchwork) => {
            (patchwork.relief, patchwork.bumps, patchwork.steps) = (0.0, 0.0, None);
        }
        Plan::Scene(_, options) => (options.relief, options.floors) = (0.0, 1),
    }
    plan
}

/// The tests above are of something: flips shorten paths, more at the best tier.
#[test]
fn there_is_something_to_flip() {
    let samples = Samples::ByLength { percentile: 90 };
    let mut lengths = [0.0; 2];
    let mut bends = [0; 2];
    for seed in 0..20 {
        let mesh = portolan_oracle::fixed_plan(1, seed, 0.0).mesh();
        for (i, tier) in Tier::TAUT.into_iter().enumerate() {
            let profile = Agent::on_foot().profile();
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
