//! The contraction on directed graphs of any kind, in any order.

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
    fn costs_are_least_and_ways_are_of_that_cost(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let arcs = random_arcs(&mut rng, vertices);
        let order = random_order(&mut rng, vertices);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        let right = all_costs(vertices, &arcs);
        let mut scratch = ContractionScratch::default();
        for from in 0..vertices {
            for to in 0..vertices {
                let mut way = Vec::new();
                let found = shortcuts.search(
                    &contraction,
                    [(from as u32, 0.0)].into_iter(),
                    [(to as u32, 0.0)].into_iter(),
                    Bounds::with_max_cost(f32::INFINITY),
                    &mut scratch,
                    |vertex| way.push(vertex as usize),
                );
                let right_cost = right[from][to];
                let Some(found) = found else {
                    prop_assert_eq!(right_cost, f64::INFINITY);
                    continue;
                };
                prop_assert!(close(found.into(), right_cost), "{} and not {}", found, right_cost);
                prop_assert_eq!((way[0], way[way.len() - 1]), (from, to));
                let sum: f64 = way.windows(2).map(|leg| {
                    let on = arcs.iter().filter(|&&(a, b, _)| [a as usize, b as usize] == *leg);
                    on.map(|&(.., cost)| f64::from(cost)).fold(f64::INFINITY, f64::min)
                }).sum();
                prop_assert!(close(sum, right_cost), "a way of {} for {}", sum, right_cost);
                // To the bit what it costs is enough, and less is not.
                let mut limited = |most| shortcuts.search(
                    &contraction,
                    [(from as u32, 0.0)].into_iter(),
                    [(to as u32, 0.0)].into_iter(),
                    Bounds::with_max_cost(most),
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

    /// As many arcs as there are is enough, and one less is not.
    #[test]
    fn a_limit_on_arcs(vertices in 1usize..30, seed: u64) {
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

/// A long band of vertices, each beside the next three: large enough for threads to share it and for
/// shortcuts that are not written out.
#[test]
fn large_graphs_have_least_costs_too() {
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
        halve(0..COUNT, &mut order);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        assert_eq!(shortcuts.is_symmetric(), seed % 2 == 0);
        let labels = HubLabels::new(&contraction, &shortcuts, usize::MAX).expect("no limit");
        let (mut chains, mut hubs) = (ContractionScratch::default(), HubScratch::default());
        for _ in 0..20 {
            let from = rng.below(COUNT as usize) as u32;
            let right = costs_from(from, COUNT as usize, &arcs);
            for _ in 0..20 {
                let to = rng.below(COUNT as usize) as u32;
                let ends = || [from, to].map(|vertex| [(vertex, 0.0)].into_iter());
                let mut ways = [Vec::new(), Vec::new()];
                let [starts, goals] = ends();
                let (most, tell) = (f32::INFINITY, |vertex| ways[0].push(vertex));
                let found = shortcuts.search(
                    &contraction,
                    starts,
                    goals,
                    Bounds::with_max_cost(most),
                    &mut chains,
                    tell,
                );
                let [starts, goals] = ends();
                let met = labels.query(&contraction, starts, goals, most, &mut hubs);
                if let Some(way) = met {
                    let told =
                        labels.path_vertices(&contraction, &shortcuts, way, &mut hubs, |v| {
                            ways[1].push(v);
                            ControlFlow::<()>::Continue(())
                        });
                    assert!(told.is_continue());
                }
                let costs = [found, met.map(|way| way.cost)];
                for (cost, way) in costs.into_iter().zip(&ways) {
                    let cost = cost.map_or(f64::INFINITY, f64::from);
                    let right = right[to as usize];
                    assert!(
                        cost == right || close(cost, right),
                        "{cost} and not {right}"
                    );
                    if right < f64::INFINITY {
                        assert_eq!((way.first(), way.last()), (Some(&from), Some(&to)));
                        let sum: f64 = way.windows(2).map(|leg| cost_of(leg, &arcs)).sum();
                        assert!(close(sum, right), "a way of {sum} for {right}");
                    }
                }
            }
        }
    }
}

/// Three in the middle last, and either half before them in the same manner.
fn halve(run: std::ops::Range<u32>, order: &mut Vec<u32>) {
    if run.len() <= 3 {
        return order.extend(run);
    }
    let middle = run.start + (run.len() as u32 - 3) / 2;
    halve(run.start..middle, order);
    halve(middle + 3..run.end, order);
    order.extend(middle..middle + 3);
}

/// Arcs between vertices of a band come in the order of their lower end.
fn cost_of(leg: &[u32], arcs: &[Arc]) -> f64 {
    let low = leg[0].min(leg[1]);
    let first = arcs.partition_point(|&(a, b, _)| a.min(b) < low);
    let near = arcs[first..]
        .iter()
        .take_while(|&&(a, b, _)| a.min(b) == low);
    let on = near.filter(|&&(a, b, _)| [a, b] == *leg);
    on.map(|&(.., cost)| f64::from(cost))
        .fold(f64::INFINITY, f64::min)
}

/// By relaxing all arcs until nothing changes.
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

/// `-0.0` is not less than 0, and a factor that a profile may have.
#[test]
fn what_costs_less_than_nothing_by_its_sign_alone_costs_nothing() {
    let arcs = [(0, 1, -0.0), (1, 0, -0.0)];
    let contraction = Contraction::new(vec![0, 1], arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.into_iter());
    let mut scratch = ContractionScratch::default();
    let (starts, goals) = ([(0, -0.0)].into_iter(), [(1, -0.0)].into_iter());
    let mut way = Vec::new();
    let tell = |vertex| way.push(vertex);
    let cost = shortcuts.search(
        &contraction,
        starts,
        goals,
        Bounds::with_max_cost(f32::INFINITY),
        &mut scratch,
        tell,
    );
    assert_eq!((cost, &way[..]), (Some(0.0), &[0, 1][..]));
}

/// Whoever catches a panic and goes on has a scratch as good as new.
#[test]
fn a_search_that_came_to_no_end_leaves_nothing_behind() {
    let arcs: Vec<_> = (0..9).map(|from| (from, from + 1, 1.0)).collect();
    let contraction = Contraction::new((0..10).collect(), arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.into_iter());
    let mut scratch = ContractionScratch::default();
    let mut search = |starts: &[(u32, f32)], goal: u32, tell: &dyn Fn(u32)| {
        let (starts, goals) = (starts.iter().copied(), [(goal, 0.0)].into_iter());
        let most = f32::INFINITY;
        shortcuts.search(
            &contraction,
            starts,
            goals,
            Bounds::with_max_cost(most),
            &mut scratch,
            tell,
        )
    };
    for unsound in [&[(5, 0.0)][..], &[(5, 0.0), (77, 0.0)]] {
        let stops = |_| panic!("told");
        let caught = catch_unwind(AssertUnwindSafe(|| search(unsound, 9, &stops)));
        assert!(caught.is_err());
        assert_eq!(search(&[(0, 0.0)], 9, &|_| ()), Some(9.0));
    }
}
