//! Taut customization: paths cost at most as much as over samples, and at least as much as the straight line.

use portolan_core::contraction::{Bounds, Contraction, ContractionScratch, Measure, Shortcuts};
use portolan_core::{
    Engine, GraphOptions, Path, Profile, Query, Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, Oracle, agents, all_costs, assert_corridor, densities, plans,
    random_arcs, random_order, with_tier,
};
use proptest::prelude::*;

/// Builds a world with a taut tier, and the oracle for costs over the same samples.
fn taut(plan: &MeshPlan, samples: Samples, profile: &Profile, seed: u64) -> (World, Oracle) {
    let world = World::new(plan.mesh(), &GraphOptions::default(), profile).expect("a valid graph");
    let world = with_tier(world, Tier::Default, samples, &mut CaseRng::new(seed));
    let oracle = Oracle::new(world.mesh(), profile, samples);
    (world, oracle)
}

fn check(plan: &MeshPlan, agent: &Agent, samples: Samples, seed: u64) {
    let profile = agent.profile();
    let (world, oracle) = taut(plan, samples, &profile, seed);
    let scale = f64::from(world.default_costs().prices().heuristic_scale());
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut rng = CaseRng::new(seed);
    for _ in 0..6 {
        let query = Query {
            engine: Engine::Contraction(Tier::Default),
            ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
        };
        let Ok(ends) = world
            .locate(&query)
            .expect("the world has this engine")
            .endpoints()
        else {
            continue;
        };
        let over_samples = oracle.cost(ends.start, ends.goal);
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("the world has this engine");
        if over_samples == f64::INFINITY {
            assert_eq!(status, Status::NoPath);
            continue;
        }
        assert_eq!(status, Status::Found);
        assert_corridor(world.mesh(), &profile, &path);
        let polygons = &path.corridor.polygons;
        assert_eq!(polygons.first(), Some(&ends.start.polygon));
        assert_eq!(polygons.last(), Some(&ends.goal.polygon));
        // A path crosses a portal back and forth only to reach cheaper ground.
        let factor = |polygon| world.default_costs().prices().factor(world.mesh(), polygon);
        for (pair, around) in path.corridor.crossings.windows(2).zip(polygons.windows(2)) {
            assert!(pair[0] != pair[1] || factor(around[1]) < factor(around[0]));
        }
        let cost = f64::from(path.cost);
        assert!(
            cost <= over_samples * (1.0 + 1e-5) + 1e-5,
            "costs {cost}, over samples {over_samples}"
        );
        let lower_bound = scale * f64::from(ends.start.point.distance(ends.goal.point));
        assert!(
            cost >= lower_bound * (1.0 - 1e-4) - 0.02,
            "costs {cost}, below the lower bound {lower_bound}"
        );
        // Where the cost of ground is its length, the taut line is no longer than its cost.
        if profile == Profile::default() && path.links.is_empty() {
            let length = path.length_xz();
            assert!(
                length <= cost * (1.0 + 1e-4) + 1e-4,
                "a length of {length} costs {cost}"
            );
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn taut_paths_are_valid_and_cost_no_more_than_over_samples(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        check(&plan, &agent, samples, seed);
        check(&plan, &Agent::walker(), samples, seed);
    }
}

/// Measures a path as a fraction of the sum of its arcs. The fraction depends on the path's vertices.
struct ArbitraryFractions<'a>(&'a [Vec<f64>]);

impl Measure for ArbitraryFractions<'_> {
    type Scratch = ();

    fn cost(&self, path: &[u32], (): &mut ()) -> f32 {
        let legs = path.windows(2);
        let sum: f64 = legs
            .map(|leg| self.0[leg[0] as usize][leg[1] as usize])
            .sum();
        let fraction = (path.iter().sum::<u32>() % 7 + 4) as f64 / 10.0;
        (sum * fraction) as f32
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    /// On directed graphs and with any measure, paths consist of arcs of the graph and cost at most as much as the
    /// cheapest sum of arcs.
    #[test]
    fn any_measure_gives_valid_paths(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let arcs = random_arcs(&mut rng, vertices);
        let order = random_order(&mut rng, vertices);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let mut costs = vec![vec![f64::INFINITY; vertices]; vertices];
        for &(a, b, cost) in &arcs {
            let known = &mut costs[a as usize][b as usize];
            *known = known.min(cost.into());
        }
        let edges = || arcs.iter().map(|&(a, b, cost)| ([a, b], [cost, f32::INFINITY]));
        let shortcuts = Shortcuts::taut(&contraction, edges(), &ArbitraryFractions(&costs));
        let expected = all_costs(vertices, &arcs);
        let mut scratch = ContractionScratch::default();
        for (from, expected) in expected.iter().enumerate() {
            for (to, &expected) in expected.iter().enumerate() {
                let mut path = Vec::new();
                let ends = [from, to].map(|vertex| [(vertex as u32, 0.0)].into_iter());
                let [starts, goals] = ends;
                let visit = |vertex: u32| path.push(vertex as usize);
                let found = shortcuts.search(
                    &contraction, starts, goals, Bounds::with_max_cost(f32::INFINITY), &mut scratch, visit,
                );
                let Some(found) = found else {
                    prop_assert_eq!(expected, f64::INFINITY);
                    continue;
                };
                prop_assert!(f64::from(found) <= expected * (1.0 + 1e-5) + 1e-5);
                prop_assert_eq!((path[0], path[path.len() - 1]), (from, to));
                let is_arc = |leg: &[usize]| costs[leg[0]][leg[1]] < f64::INFINITY;
                prop_assert!(path.windows(2).all(is_arc));
            }
        }
    }
}
