//! Tests of the contraction on random directed graphs, in random orders.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use portolan_core::contraction::{
    Bounds, Contraction, ContractionScratch, HubLabels, HubScratch, Shortcuts,
};
use portolan_oracle::{Arc, CaseRng, all_costs, close, random_arcs, random_order};
use proptest::prelude::*;

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn costs_are_minimal_and_paths_have_that_cost(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let arcs = random_arcs(&mut rng, vertices);
        let order = random_order(&mut rng, vertices);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        let expected = all_costs(vertices, &arcs);
        let mut scratch = ContractionScratch::default();
        for (from, costs) in expected.iter().enumerate() {
            for (to, &expected_cost) in costs.iter().enumerate() {
                let mut path = Vec::new();
                let found = shortcuts.search(
                    &contraction,
                    [(from as u32, 0.0)].into_iter(),
                    [(to as u32, 0.0)].into_iter(),
                    Bounds::with_max_cost(f32::INFINITY),
                    &mut scratch,
                    |vertex| path.push(vertex as usize),
                );
                let Some(found) = found else {
                    prop_assert_eq!(expected_cost, f64::INFINITY);
                    continue;
                };
                prop_assert!(close(found.into(), expected_cost), "{} instead of {}", found, expected_cost);
                prop_assert_eq!((path[0], path[path.len() - 1]), (from, to));
                let sum: f64 = path.windows(2).map(|leg| {
                    let parallel = arcs.iter().filter(|&&(a, b, _)| [a as usize, b as usize] == *leg);
                    parallel.map(|&(.., cost)| f64::from(cost)).fold(f64::INFINITY, f64::min)
                }).sum();
                prop_assert!(close(sum, expected_cost), "a path of {} instead of {}", sum, expected_cost);
                // A limit of exactly this cost is enough, and a lower one is not.
                let mut limited = |max_cost| shortcuts.search(
                    &contraction,
                    [(from as u32, 0.0)].into_iter(),
                    [(to as u32, 0.0)].into_iter(),
                    Bounds::with_max_cost(max_cost),
                    &mut scratch,
                    |_| (),
                );
                prop_assert_eq!(limited(found), Some(found));
                prop_assert_eq!(limited(found * 0.999 - 1e-3), None);
            }
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    /// A limit of exactly as many arcs as there are is enough, and one less is not.
    #[test]
    fn the_arc_limit_is_exact(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let arcs = random_arcs(&mut rng, vertices);
        let order = random_order(&mut rng, vertices);
        let pairs = || arcs.iter().map(|&(a, b, _)| [a, b]);
        let all = Contraction::new(order.clone(), pairs());
        let limited = |max_arcs| Contraction::with_arc_limit(order.clone(), pairs(), max_arcs);
        let arcs = all.arc_count();
        prop_assert_eq!(limited(arcs), Some(all));
        if let Some(less) = arcs.checked_sub(1) {
            prop_assert_eq!(limited(less), None);
        }
    }
}

/// The graph is a long band of vertices, each adjacent to the next three. It is large enough for several chunks,
/// and for shortcuts that are not stored as runs.
#[test]
fn costs_are_minimal_in_large_graphs() {
    const COUNT: u32 = 3000;
    for seed in 0..6 {
        let mut rng = CaseRng::new(seed);
        let mut arcs = Vec::new();
        for from in 0..COUNT {
            for to in (from + 1..COUNT).take(3) {
                let mut cost = || match rng.below(6) {
                    0 => 0.0,
                    1 | 2 => 1.0,
                    _ => rng.between(0.1, 3.0),
                };
                let (there, back) = (cost(), cost());
                let back = if seed % 2 == 0 { there } else { back };
                arcs.push((from, to, there));
                if seed % 2 == 0 || rng.chance(0.7) {
                    arcs.push((to, from, back));
                }
            }
        }
        let mut order = Vec::new();
        bisect(0..COUNT, &mut order);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        assert_eq!(shortcuts.is_symmetric(), seed % 2 == 0);
        let labels = HubLabels::new(&contraction, &shortcuts, usize::MAX).expect("no limit");
        let (mut chains, mut hubs) = (ContractionScratch::default(), HubScratch::default());
        for _ in 0..20 {
            let from = rng.below(COUNT as usize) as u32;
            let expected = costs_from(from, COUNT as usize, &arcs);
            for _ in 0..20 {
                let to = rng.below(COUNT as usize) as u32;
                let endpoints = || [from, to].map(|vertex| [(vertex, 0.0)].into_iter());
                let mut paths = [Vec::new(), Vec::new()];
                let [starts, goals] = endpoints();
                let (max_cost, visit) = (f32::INFINITY, |vertex| paths[0].push(vertex));
                let found = shortcuts.search(
                    &contraction,
                    starts,
                    goals,
                    Bounds::with_max_cost(max_cost),
                    &mut chains,
                    visit,
                );
                let [starts, goals] = endpoints();
                let hub_path = labels.query(&contraction, starts, goals, max_cost, &mut hubs);
                if let Some(path) = hub_path {
                    let result =
                        labels.path_vertices(&contraction, &shortcuts, path, &mut hubs, |v| {
                            paths[1].push(v);
                            ControlFlow::<()>::Continue(())
                        });
                    assert!(result.is_continue());
                }
                let costs = [found, hub_path.map(|path| path.cost)];
                for (cost, path) in costs.into_iter().zip(&paths) {
                    let cost = cost.map_or(f64::INFINITY, f64::from);
                    let expected = expected[to as usize];
                    assert!(
                        cost == expected || close(cost, expected),
                        "{cost} instead of {expected}"
                    );
                    if expected < f64::INFINITY {
                        assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
                        let sum: f64 = path.windows(2).map(|leg| cost_of(leg, &arcs)).sum();
                        assert!(
                            close(sum, expected),
                            "a path of {sum} instead of {expected}"
                        );
                    }
                }
            }
        }
    }
}

/// Orders a band by nested dissection: the three vertices in the middle are the separator and come after both
/// halves.
fn bisect(run: std::ops::Range<u32>, order: &mut Vec<u32>) {
    if run.len() <= 3 {
        return order.extend(run);
    }
    let separator = run.start + (run.len() as u32 - 3) / 2;
    bisect(run.start..separator, order);
    bisect(separator + 3..run.end, order);
    order.extend(separator..separator + 3);
}

/// Returns the cost of a leg. The arcs of a band are sorted by their lower end.
fn cost_of(leg: &[u32], arcs: &[Arc]) -> f64 {
    let low = leg[0].min(leg[1]);
    let first = arcs.partition_point(|&(a, b, _)| a.min(b) < low);
    let near = arcs[first..]
        .iter()
        .take_while(|&&(a, b, _)| a.min(b) == low);
    let parallel = near.filter(|&&(a, b, _)| [a, b] == *leg);
    parallel
        .map(|&(.., cost)| f64::from(cost))
        .fold(f64::INFINITY, f64::min)
}

/// Computes the costs from a vertex by relaxing all arcs until nothing changes.
fn costs_from(from: u32, count: usize, arcs: &[Arc]) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; count];
    costs[from as usize] = 0.0;
    loop {
        let before = costs.clone();
        for &(a, b, cost) in arcs.iter().chain(arcs.iter().rev()) {
            costs[b as usize] = costs[b as usize].min(costs[a as usize] + f64::from(cost));
        }
        if costs == before {
            return costs;
        }
    }
}

/// `-0.0` is not negative, and is a factor that a profile may have.
#[test]
fn negative_zero_costs_nothing() {
    let arcs = [(0, 1, -0.0), (1, 0, -0.0)];
    let contraction = Contraction::new(vec![0, 1], arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.into_iter());
    let mut scratch = ContractionScratch::default();
    let (starts, goals) = ([(0, -0.0)].into_iter(), [(1, -0.0)].into_iter());
    let mut path = Vec::new();
    let visit = |vertex| path.push(vertex);
    let cost = shortcuts.search(
        &contraction,
        starts,
        goals,
        Bounds::with_max_cost(f32::INFINITY),
        &mut scratch,
        visit,
    );
    assert_eq!((cost, &path[..]), (Some(0.0), &[0, 1][..]));
}

/// A caller that catches a panic can go on with the same scratch.
#[test]
fn a_scratch_is_usable_after_a_panic() {
    let arcs: Vec<_> = (0..9).map(|from| (from, from + 1, 1.0)).collect();
    let contraction = Contraction::new((0..10).collect(), arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.into_iter());
    let mut scratch = ContractionScratch::default();
    let mut search = |starts: &[(u32, f32)], goal: u32, visit: &dyn Fn(u32)| {
        let (starts, goals) = (starts.iter().copied(), [(goal, 0.0)].into_iter());
        let max_cost = f32::INFINITY;
        shortcuts.search(
            &contraction,
            starts,
            goals,
            Bounds::with_max_cost(max_cost),
            &mut scratch,
            visit,
        )
    };
    for starts in [&[(5, 0.0)][..], &[(5, 0.0), (77, 0.0)]] {
        let panics = |_| panic!("visited");
        let caught = catch_unwind(AssertUnwindSafe(|| search(starts, 9, &panics)));
        assert!(caught.is_err());
        assert_eq!(search(&[(0, 0.0)], 9, &|_| ()), Some(9.0));
    }
}
