//! The contraction on directed graphs of any kind, in any order.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Dice, all_costs, close, random_arcs, random_order};
use portolan::contraction::{Contraction, ContractionScratch, Shortcuts};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn costs_are_least_and_ways_are_of_that_cost(vertices in 1usize..30, seed: u64) {
        let mut dice = Dice::new(seed);
        let arcs = random_arcs(&mut dice, vertices);
        let order = random_order(&mut dice, vertices);
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
                    f32::INFINITY,
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
                    most,
                    &mut scratch,
                    |_| (),
                );
                prop_assert_eq!(limited(found), Some(found));
                prop_assert_eq!(limited(found * 0.999 - 1e-3), None);
            }
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
        f32::INFINITY,
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
        shortcuts.search(&contraction, starts, goals, most, &mut scratch, tell)
    };
    for unsound in [&[(5, 0.0)][..], &[(5, 0.0), (77, 0.0)]] {
        let stops = |_| panic!("told");
        let caught = catch_unwind(AssertUnwindSafe(|| search(unsound, 9, &stops)));
        assert!(caught.is_err());
        assert_eq!(search(&[(0, 0.0)], 9, &|_| ()), Some(9.0));
    }
}
