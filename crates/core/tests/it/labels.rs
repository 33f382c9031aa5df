//! Tests of hub labels on random directed graphs, in random orders. `oracle.rs` tests them on worlds,
//! together with all other engines.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use portolan_core::contraction::{
    Contraction, HubLabels, HubScratch, LabelArrays, LabelsError, Shortcuts,
};
use portolan_core::{Engine, EngineError, Query, Scratch, Tier, World};
use portolan_oracle::{Agent, Arc, CaseRng, MeshPlan, all_costs, close, random_arcs, random_order};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// A random graph with its labels.
struct Case {
    arcs: Vec<Arc>,
    contraction: Contraction,
    shortcuts: Shortcuts,
    labels: HubLabels,
}

impl Case {
    fn new(rng: &mut CaseRng, vertices: usize) -> Self {
        let mut arcs = random_arcs(rng, vertices);
        if rng.chance(0.3) {
            let back: Vec<Arc> = arcs.iter().map(|&(a, b, cost)| (b, a, cost)).collect();
            arcs.extend(back);
        }
        let order = random_order(rng, vertices);
        let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        let labels = HubLabels::new(&contraction, &shortcuts, usize::MAX).expect("no limit");
        Self {
            arcs,
            contraction,
            shortcuts,
            labels,
        }
    }

    /// Returns the cost and the vertices of the cheapest path from any start to any goal.
    fn path(
        &self,
        [starts, goals]: [&[(u32, f32)]; 2],
        max_cost: f32,
        scratch: &mut HubScratch,
    ) -> Option<(f32, Vec<u32>)> {
        let (starts, goals) = (starts.iter().copied(), goals.iter().copied());
        let hub_path = self
            .labels
            .query(&self.contraction, starts, goals, max_cost, scratch)?;
        let mut vertices = Vec::new();
        let (graph, shortcuts) = (&self.contraction, &self.shortcuts);
        let result = self
            .labels
            .path_vertices(graph, shortcuts, hub_path, scratch, |vertex| {
                vertices.push(vertex);
                // No path in these small graphs has as many vertices.
                match vertices.len() < 1000 {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
        assert_eq!(result, ControlFlow::Continue(()));
        Some((hub_path.cost, vertices))
    }

    fn cost_of(&self, path: &[u32]) -> f64 {
        let legs = path.windows(2).map(|leg| {
            let parallel = self.arcs.iter().filter(|&&(a, b, _)| [a, b] == *leg);
            parallel
                .map(|&(.., cost)| f64::from(cost))
                .fold(f64::INFINITY, f64::min)
        });
        legs.sum()
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn costs_are_minimal_and_paths_have_that_cost(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let case = Case::new(&mut rng, vertices);
        let expected = all_costs(vertices, &case.arcs);
        let mut scratch = HubScratch::default();
        for (from, costs) in expected.iter().enumerate() {
            for (to, &expected_cost) in costs.iter().enumerate() {
                let endpoints = [&[(from as u32, 0.0)][..], &[(to as u32, 0.0)]];
                let Some((found, path)) = case.path(endpoints, f32::INFINITY, &mut scratch) else {
                    prop_assert_eq!(expected_cost, f64::INFINITY);
                    continue;
                };
                prop_assert!(close(found.into(), expected_cost), "{} instead of {}", found, expected_cost);
                prop_assert_eq!((path[0], path[path.len() - 1]), (from as u32, to as u32));
                let sum = case.cost_of(&path);
                prop_assert!(close(sum, expected_cost), "a path of {} instead of {}", sum, expected_cost);
                // A limit of exactly this cost is enough, and a lower one is not.
                let limited = case.path(endpoints, found, &mut scratch);
                prop_assert_eq!(limited, Some((found, path)));
                prop_assert_eq!(case.path(endpoints, found * 0.999 - 1e-3, &mut scratch), None);
            }
        }
    }

    #[test]
    fn several_starts_and_goals_give_the_minimum_cost(vertices in 1usize..30, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let case = Case::new(&mut rng, vertices);
        let expected = all_costs(vertices, &case.arcs);
        let mut scratch = HubScratch::default();
        for _ in 0..20 {
            let mut draw_endpoints = || {
                let count = rng.below(4);
                let endpoint = |rng: &mut CaseRng| (rng.below(vertices) as u32, rng.between(0.0, 5.0));
                (0..count).map(|_| endpoint(&mut rng)).collect::<Vec<_>>()
            };
            let (starts, goals) = (draw_endpoints(), draw_endpoints());
            let pairs = starts.iter().flat_map(|start| goals.iter().map(move |goal| (start, goal)));
            let cost = |&(start, before): &(u32, f32), &(goal, after): &(u32, f32)| {
                f64::from(before) + expected[start as usize][goal as usize] + f64::from(after)
            };
            let min_cost = pairs.map(|(start, goal)| cost(start, goal)).fold(f64::INFINITY, f64::min);
            let Some((found, path)) = case.path([&starts, &goals], f32::INFINITY, &mut scratch) else {
                prop_assert_eq!(min_cost, f64::INFINITY);
                continue;
            };
            prop_assert!(close(found.into(), min_cost), "{} instead of {}", found, min_cost);
            let leg_cost = |endpoints: &[(u32, f32)], vertex: u32| {
                let costs = endpoints.iter().filter(|end| end.0 == vertex).map(|end| f64::from(end.1));
                costs.fold(f64::INFINITY, f64::min)
            };
            let last = path[path.len() - 1];
            let sum = leg_cost(&starts, path[0]) + case.cost_of(&path) + leg_cost(&goals, last);
            prop_assert!(close(sum, min_cost), "a path of {} instead of {}", sum, min_cost);
        }
    }

    #[test]
    fn arrays_give_the_same_labels(vertices in 1usize..30, seed: u64) {
        let case = Case::new(&mut CaseRng::new(seed), vertices);
        let arrays: Vec<LabelArrays> = case.labels.arrays().cloned().collect();
        let again = HubLabels::from_arrays(&case.contraction, &case.shortcuts, arrays.clone());
        prop_assert_eq!(again, Some(case.labels));
        let more = [&arrays[..], &arrays[..], &arrays[..]].concat();
        let (contraction, shortcuts) = (&case.contraction, &case.shortcuts);
        prop_assert_eq!(HubLabels::from_arrays(contraction, shortcuts, more), None);
        prop_assert_eq!(HubLabels::from_arrays(contraction, shortcuts, []), None);
    }

    /// Damaged arrays are rejected, or every query still returns a path that exists and has the returned
    /// cost.
    #[test]
    fn damaged_arrays_are_rejected_or_give_valid_paths(vertices in 1usize..20, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let mut case = Case::new(&mut rng, vertices);
        let mut scratch = HubScratch::default();
        for _ in 0..40 {
            let mut arrays: Vec<LabelArrays> = case.labels.arrays().cloned().collect();
            for _ in 0..1 + rng.below(3) {
                damage(&mut arrays, &mut rng);
            }
            let read = HubLabels::from_arrays(&case.contraction, &case.shortcuts, arrays);
            let Some(read) = read else { continue };
            let valid = std::mem::replace(&mut case.labels, read);
            for from in 0..vertices as u32 {
                for to in 0..vertices as u32 {
                    let endpoints = [&[(from, 0.0)][..], &[(to, 0.0)]];
                    if let Some((found, path)) = case.path(endpoints, f32::INFINITY, &mut scratch) {
                        let sum = case.cost_of(&path);
                        prop_assert!(close(sum, found.into()), "a path of {} instead of {}", sum, found);
                    }
                }
            }
            case.labels = valid;
        }
    }

    #[test]
    fn the_memory_limit_is_respected(vertices in 1usize..30, seed: u64) {
        let case = Case::new(&mut CaseRng::new(seed), vertices);
        let (contraction, shortcuts) = (&case.contraction, &case.shortcuts);
        let bytes = case.labels.bytes();
        let enough = HubLabels::new(contraction, shortcuts, bytes);
        prop_assert_eq!(enough.as_ref(), Ok(&case.labels));
        for limit in [bytes - 1, bytes / 2, 0] {
            let rejected = HubLabels::new(contraction, shortcuts, limit);
            let Err(LabelsError::TooLarge { estimate, limit: reported, reached, .. }) = rejected else {
                panic!("{bytes} bytes with a limit of {limit}");
            };
            prop_assert!(reported == limit && reached > limit && reached <= bytes && estimate >= reached);
        }
    }
}

/// Damages a random entry or list.
fn damage(arrays: &mut Vec<LabelArrays>, rng: &mut CaseRng) {
    if rng.chance(0.05) {
        match rng.chance(0.5) {
            true => arrays.truncate(1),
            false => arrays.reverse(),
        }
        return;
    }
    let which = rng.below(arrays.len());
    let arrays = &mut arrays[which];
    let vertices = arrays.offsets.len().max(1);
    let mut number = || match rng.below(4) {
        0 => u32::MAX - rng.below(3) as u32,
        _ => rng.below(vertices + 1) as u32,
    };
    let (a, b) = (number(), number());
    let values = [0.0, -1.0, f32::NAN, f32::INFINITY, rng.between(0.0, 9.0)];
    let changed = match rng.below(4) {
        0 => &mut arrays.offsets,
        1 => &mut arrays.nexts,
        _ => {
            let mut hubs = arrays.hubs.to_vec();
            let index = rng.below(hubs.len().max(1));
            match (rng.below(4), hubs.get_mut(index)) {
                (0, _) => hubs.truncate(index),
                (1, Some(hub)) => hub.cost = values[rng.below(values.len())],
                (_, Some(hub)) => hub.rank = a,
                _ => (),
            }
            arrays.hubs = hubs.into();
            return;
        }
    };
    let mut list = changed.to_vec();
    let index = rng.below(list.len().max(1));
    match rng.below(5) {
        0 => list.truncate(index),
        1 => list.push(a),
        2 if index < list.len() => {
            let other = b as usize % list.len();
            list.swap(index, other);
        }
        _ if index < list.len() => list[index] = a,
        _ => (),
    }
    *changed = list.into();
}

/// A caller that catches a panic can go on with the same scratch.
#[test]
fn a_scratch_is_usable_after_a_panic() {
    let arcs: Vec<Arc> = (0..9).map(|from| (from, from + 1, 1.0)).collect();
    let contraction = Contraction::new((0..10).collect(), arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
    let labels = HubLabels::new(&contraction, &shortcuts, usize::MAX).expect("no limit");
    let mut scratch = HubScratch::default();
    let mut query = |start, goal| {
        let [starts, goals] = [start, goal].map(|vertex| [(vertex, 0.0)].into_iter());
        let max_cost = f32::INFINITY;
        labels.query(&contraction, starts, goals, max_cost, &mut scratch)
    };
    let no_such_vertex = catch_unwind(AssertUnwindSafe(|| query(77, 5)));
    assert!(no_such_vertex.is_err());
    assert_eq!(query(0, 9).map(|path| path.cost), Some(9.0));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let mut rng = CaseRng::new(5);
    // A tree that is wide and shallow enough for several chunks per depth.
    let vertices = 3000u32;
    let arcs: Vec<Arc> = (1..vertices)
        .flat_map(|from| {
            let (to, cost) = ((from - 1) / 2, rng.between(0.1, 9.0));
            [(from, to, cost), (to, from, cost + 1.0)]
        })
        .collect();
    let order = (0..vertices).rev().collect();
    let contraction = Contraction::new(order, arcs.iter().map(|&(a, b, _)| [a, b]));
    let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
    let labels_on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        pool.install(|| HubLabels::new(&contraction, &shortcuts, usize::MAX).expect("no limit"))
    };
    let single = labels_on(1);
    for threads in [2, 4] {
        assert_eq!(labels_on(threads), single, "{threads} threads");
    }
    let rejected = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        pool.install(|| HubLabels::new(&contraction, &shortcuts, single.bytes() / 2))
    };
    assert!(rejected(1).is_err());
    assert_eq!(rejected(1), rejected(4));
}

#[test]
fn symmetric_labels_are_stored_once() {
    let arcs = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 2.0), (2, 1, 2.0)];
    for (arcs, arrays) in [(&arcs[..], 1), (&arcs[..3], 2)] {
        let contraction = Contraction::new(vec![0, 2, 1], arcs.iter().map(|&(a, b, _)| [a, b]));
        let shortcuts = Shortcuts::new(&contraction, arcs.iter().copied());
        let labels = HubLabels::new(&contraction, &shortcuts, 1000).expect("three small labels");
        assert_eq!(labels.arrays().count(), arrays);
        let once: Vec<LabelArrays> = labels.arrays().take(1).cloned().collect();
        let read = HubLabels::from_arrays(&contraction, &shortcuts, once);
        assert_eq!(read.is_some(), arrays == 1);
    }
}

fn world() -> World {
    let options = WorldOptions {
        polygons: 300,
        seed: 3,
        areas: true,
        links: true,
        floors: 2,
        relief: 2.0,
    };
    let world = World::from_mesh(MeshPlan::Scene(WorldScene::Rooms, options).mesh());
    let order = random_order(&mut CaseRng::new(8), world.graph().sample_count());
    world.with_contraction(order).expect("an order")
}

#[test]
fn the_error_for_missing_labels_names_the_command_that_builds_them() {
    let rejected = world().check_engine(Engine::Labels);
    assert_eq!(rejected, Err(EngineError::NoLabels(Engine::Labels)));
    let message = rejected.expect_err("no labels").to_string();
    assert!(
        message.contains("`portolan index --engines labels`"),
        "{message}"
    );
    assert!(!world().engines().contains(&Engine::Labels));
    let plain = World::from_mesh(world().into_mesh());
    assert_eq!(
        plain.with_labels(usize::MAX).err(),
        Some(LabelsError::NoContraction)
    );
}

#[test]
fn the_error_for_too_large_labels_contains_the_sizes() {
    let world = world();
    let labelled = world.clone().with_labels(usize::MAX).expect("no limit");
    assert!(labelled.engines().contains(&Engine::Labels));
    let bytes = labelled.default_costs().labels().expect("labels").bytes();
    let rejected = world.with_labels(bytes / 2).expect_err("half of it");
    let LabelsError::TooLarge {
        estimate, limit, ..
    } = rejected
    else {
        panic!("{rejected}");
    };
    assert!(
        (bytes / 2..2 * bytes).contains(&estimate),
        "{estimate} for {bytes}"
    );
    let message = rejected.to_string();
    let has = |number: usize| message.contains(&number.to_string());
    assert!(
        has(estimate) && has(limit) && limit == bytes / 2,
        "{message}"
    );
}

#[test]
fn label_arrays_fit_only_their_own_world() {
    let world = world();
    let labelled = world.clone().with_labels(usize::MAX).expect("no limit");
    let labels = labelled.default_costs().labels().expect("labels");
    let arrays: Vec<LabelArrays> = labels.arrays().cloned().collect();
    let read = world
        .clone()
        .with_label_arrays(arrays.clone())
        .expect("labels of this world");
    assert_eq!(read.default_costs().labels(), Some(labels));
    let order = (0..world.graph().sample_count() as u32).collect();
    assert!(
        world
            .clone()
            .with_contraction(order)
            .expect("an order")
            .with_label_arrays(arrays.clone())
            .is_none()
    );
    // A contraction in another order has no labels yet.
    let order = (0..world.graph().sample_count() as u32).collect();
    let other = labelled.clone().with_contraction(order).expect("an order");
    assert!(other.default_costs().labels().is_none());
    assert!(
        World::from_mesh(world.into_mesh())
            .with_label_arrays(arrays)
            .is_none()
    );
}

#[test]
fn other_profiles_use_the_contraction() {
    let world = world().with_labels(usize::MAX).expect("no limit");
    let mut agent = Agent::walker();
    agent.factors = [Some(1.0), Some(3.0), Some(0.5), None];
    let costs = world.costs(&agent.profile());
    assert!(costs.labels().is_none());
    assert!(
        world
            .costs(world.default_costs().profile())
            .labels()
            .is_some()
    );
    let (mut rng, mut scratch) = (CaseRng::new(2), Scratch::new());
    let mut found = 0;
    for _ in 0..100 {
        let query = Query {
            costs: Some(&costs),
            ..Query::new(rng.point_on(world.mesh()), rng.point_on(world.mesh()))
        };
        let Ok(endpoints) = world
            .locate(&query)
            .expect("an engine of this world")
            .endpoints()
        else {
            continue;
        };
        let mut cost = |engine| {
            let located = world.located(&Query { engine, ..query }, endpoints);
            located.expect("the engine").search(&mut scratch).cost()
        };
        let by_labels = cost(Engine::Labels);
        assert_eq!(by_labels, cost(Engine::Contraction(Tier::Fast)));
        found += usize::from(by_labels.is_some());
        let engine = Engine::Labels;
        let located = world.located(&Query { engine, ..query }, endpoints);
        let distance = located.expect("labels").distance(&mut scratch);
        let same = distance.map(|distance| distance.cost) == by_labels;
        assert!(same, "{distance:?} and {by_labels:?}");
    }
    assert!(found > 30, "only {found}");
}
