//! Taut customization: no dearer than sums, and no cheaper than what can be walked.

use portolan_core::contraction::{Bounds, Contraction, ContractionScratch, Measure, Shortcuts};
use portolan_core::{
    Engine, GraphOptions, Path, Profile, Query, Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, Oracle, Plan, agents, all_costs, assert_corridor, densities, plans,
    random_arcs, random_order, with_tier,
};
use proptest::prelude::*;

/// A world with a taut tier, and the oracle for sums on the same samples.
fn taut(plan: &Plan, samples: Samples, profile: &Profile, seed: u64) -> (World, Oracle) {
    let world = World::new(plan.mesh(), &GraphOptions::default(), profile).expect("a graph");
    let world = with_tier(world, Tier::Default, samples, &mut CaseRng::new(seed));
    let oracle = Oracle::new(world.mesh(), profile, samples);
    (world, oracle)
}

fn check(plan: &Plan, agent: &Agent, samples: Samples, seed: u64) {
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
            .expect("an engine of this world")
            .endpoints()
        else {
            continue;
        };
        let sum = oracle.cost(ends.start, ends.goal);
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("an engine of this world");
        if sum == f64::INFINITY {
            assert_eq!(status, Status::NoPath);
            continue;
        }
        assert_eq!(status, Status::Found);
        assert_corridor(world.mesh(), &profile, &path);
        let polygons = &path.corridor.polygons;
        assert_eq!(polygons.first(), Some(&ends.start.polygon));
        assert_eq!(polygons.last(), Some(&ends.goal.polygon));
        // Through a portal and back only for the sake of cheaper ground.
        let factor = |polygon| world.default_costs().prices().factor(world.mesh(), polygon);
        for (pair, around) in path.corridor.crossings.windows(2).zip(polygons.windows(2)) {
            assert!(pair[0] != pair[1] || factor(around[1]) < factor(around[0]));
        }
        let cost = f64::from(path.cost);
        assert!(cost <= sum * (1.0 + 1e-5) + 1e-5, "{cost}, by sums {sum}");
        // Where ways cost their length, all that is taut is as long as what it costs, or shorter.
        let least = scale * f64::from(ends.start.point.distance(ends.goal.point));
        assert!(cost >= least * (1.0 - 1e-4) - 0.02, "{cost}, least {least}");
        if profile == Profile::default() && path.links.is_empty() {
            let length = path.length_xz();
            assert!(length <= cost * (1.0 + 1e-4) + 1e-4, "{length} for {cost}");
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn ways_are_sound_and_cost_no_more_than_sums(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        check(&plan, &agent, samples, seed);
        check(&plan, &Agent::walker(), samples, seed);
    }
}

/// Says that any way costs some share of its sum, one or the other by its vertices.
struct Shares<'a>(&'a [Vec<f64>]);

impl Measure for Shares<'_> {
    type Scratch = ();

    fn cost(&self, way: &[u32], (): &mut ()) -> f32 {
        let legs = way.windows(2);
        let sum: f64 = legs
            .map(|leg| self.0[leg[0] as usize][leg[1] as usize])
            .sum();
        let share = (way.iter().sum::<u32>() % 7 + 4) as f64 / 10.0;
        (sum * share) as f32
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    /// On directed graphs: ways lead over arcs of the graph, and cost no more than the least sum.
    #[test]
    fn any_measure_gives_ways(vertices in 1usize..30, seed: u64) {
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
        let shortcuts = Shortcuts::taut(&contraction, edges(), &Shares(&costs));
        let right = all_costs(vertices, &arcs);
        let mut scratch = ContractionScratch::default();
        for from in 0..vertices {
            for to in 0..vertices {
                let mut way = Vec::new();
                let ends = [from, to].map(|vertex| [(vertex as u32, 0.0)].into_iter());
                let [starts, goals] = ends;
                let tell = |vertex: u32| way.push(vertex as usize);
                let found = shortcuts.search(
                    &contraction, starts, goals, Bounds::with_max_cost(f32::INFINITY), &mut scratch, tell,
                );
                let Some(found) = found else {
                    prop_assert_eq!(right[from][to], f64::INFINITY);
                    continue;
                };
                prop_assert!(f64::from(found) <= right[from][to] * (1.0 + 1e-5) + 1e-5);
                prop_assert_eq!((way[0], way[way.len() - 1]), (from, to));
                let is_arc = |leg: &[usize]| costs[leg[0]][leg[1]] < f64::INFINITY;
                prop_assert!(way.windows(2).all(is_arc));
            }
        }
    }
}
