//! Tests of orders of random graphs and worlds.

use portolan_core::contraction::Contraction;
use portolan_core::graph::Origin;
use portolan_core::{GraphOptions, PortalGraph, SampleId, Samples};
use portolan_index::{
    IndexError, OrderMethod, OrderOptions, PartitionOptions, dissect, dissect_weighted, order,
    order_weighted, partition,
};
use portolan_oracle::{CaseRng, MeshPlan, plans};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

const METHODS: [OrderMethod; 2] = [OrderMethod::Flow, OrderMethod::Metis];

fn options(method: OrderMethod, separators: u32, seed: u64) -> OrderOptions {
    OrderOptions {
        method,
        separators,
        seed,
    }
}

fn is_order(order: &[u32], vertices: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..vertices as u32)
}

fn scene(scene: WorldScene, polygons: usize, floors: u32) -> MeshPlan {
    let options = WorldOptions {
        polygons,
        floors,
        links: true,
        ..WorldOptions::default()
    };
    MeshPlan::Scene(scene, options)
}

fn graph(plan: &MeshPlan, samples: u32) -> PortalGraph {
    let options = GraphOptions {
        samples: Samples::Each(samples),
        ..GraphOptions::default()
    };
    PortalGraph::new(&plan.mesh(), &options)
}

fn assert_samples_consecutive(graph: &PortalGraph, order: &[u32]) {
    let portals = order.iter().map(|&sample| graph.origin(SampleId(sample)));
    let mut portals: Vec<Origin> = portals.collect();
    portals.dedup();
    let count = portals.len();
    portals.sort_by_key(|portal| format!("{portal:?}"));
    portals.dedup();
    assert_eq!(
        portals.len(),
        count,
        "the samples of a portal are not consecutive"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    /// With few pairs, there are isolated vertices and many components. Some pairs are loops or appear
    /// twice.
    #[test]
    fn any_graph_has_an_order(vertices in 0usize..400, density in 0usize..4, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let mut pairs = Vec::new();
        for _ in 0..if vertices > 0 { rng.below(vertices * density + 1) } else { 0 } {
            let a = rng.below(vertices);
            let b = if rng.chance(0.7) { (a + rng.below(4)) % vertices } else { rng.below(vertices) };
            pairs.push([a as u32, b as u32]);
            if rng.chance(0.2) {
                pairs.push([b as u32, a as u32]);
            }
        }
        let order = dissect(vertices, pairs.iter().copied(), seed).unwrap();
        prop_assert!(is_order(&order, vertices));
        let again = dissect(vertices, pairs.iter().rev().copied(), seed).unwrap();
        prop_assert_eq!(&order, &again);
        let ones = vec![1; vertices];
        let weighted = dissect_weighted(&ones, pairs.iter().copied(), 1, seed).unwrap();
        prop_assert_eq!(&order, &weighted);
        let weights: Vec<u32> = (0..vertices).map(|_| rng.below(50) as u32).collect();
        let weighted = dissect_weighted(&weights, pairs.iter().copied(), 4, seed).unwrap();
        prop_assert!(is_order(&weighted, vertices));
        let heavy = vec![u32::MAX; vertices];
        let weighted = dissect_weighted(&heavy, pairs.iter().copied(), 1, seed).unwrap();
        prop_assert!(is_order(&weighted, vertices));
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(40))]

    #[test]
    fn any_world_has_an_order_with_consecutive_samples(
        plan in plans(),
        samples in 1u32..5,
        separators in 1u32..4,
        seed: u64,
    ) {
        let graph = graph(&plan, samples);
        for method in METHODS {
            let options = options(method, separators, seed);
            let found = order(&graph, &options).unwrap();
            prop_assert!(is_order(&found, graph.sample_count()));
            assert_samples_consecutive(&graph, &found);
            for weight in [0, 7, u32::MAX] {
                let found = order_weighted(&graph, |_, _| weight, &options).unwrap();
                prop_assert!(is_order(&found, graph.sample_count()));
                assert_samples_consecutive(&graph, &found);
            }
        }
    }
}

#[test]
fn isolated_vertices_keep_their_order() {
    assert_eq!(dissect(0, std::iter::empty(), 3), Ok(Vec::new()));
    assert_eq!(dissect(3, [[1, 1]].into_iter(), 3), Ok(vec![0, 1, 2]));
}

#[test]
fn orders_do_not_depend_on_the_number_of_threads() {
    for plan in [
        scene(WorldScene::Rooms, 6000, 2),
        scene(WorldScene::Open, 6000, 1),
    ] {
        let graph = graph(&plan, 2);
        for method in METHODS {
            let options = options(method, 2, 5);
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let pool = pool.build().unwrap();
                pool.install(|| order(&graph, &options)).unwrap()
            };
            let expected = on(1);
            for threads in [2, 3, 8] {
                assert!(on(threads) == expected, "{threads} threads");
            }
        }
    }
}

#[test]
fn orders_do_not_depend_on_other_calls_of_metis() {
    let plan = scene(WorldScene::Rooms, 3000, 1);
    let (mesh, graph) = (plan.mesh(), graph(&plan, 1));
    let order_of = |seed| dissect(graph.sample_count(), graph.adjacent(), seed).unwrap();
    let (expected, other) = (order_of(1), order_of(2));
    assert!(expected != other);
    partition(&mesh, &PartitionOptions::default()).unwrap();
    assert!(order_of(1) == expected);
    std::thread::scope(|scope| {
        let busy = scope.spawn(|| {
            for seed in 0..4 {
                order_of(seed);
                let options = PartitionOptions {
                    seed,
                    ..PartitionOptions::default()
                };
                partition(&mesh, &options).unwrap();
            }
        });
        for _ in 0..4 {
            assert!(order_of(1) == expected);
        }
        busy.join().unwrap();
    });
}

#[test]
fn seeds_and_weights_change_the_order() {
    let graph = graph(&scene(WorldScene::Open, 5000, 1), 1);
    for method in METHODS {
        let order_of = |seed| order(&graph, &options(method, 1, seed)).unwrap();
        assert!(order_of(0) != order_of(1), "{method:?}");
        let weight = |origin, _| match origin {
            Origin::Portal(portal) => 1 + portal.0 % 50,
            Origin::LinkEnd(..) => 50,
        };
        let weighted = order_weighted(&graph, weight, &options(method, 1, 0)).unwrap();
        assert!(order_of(0) != weighted, "{method:?}");
        // Separators consist of light portals.
        let last = weighted[weighted.len() - 20..].iter();
        let sum: u32 = last.map(|&s| weight(graph.origin(SampleId(s)), 1)).sum();
        assert!(sum < 20 * 20, "{method:?}: {sum}");
    }
}

#[test]
fn flows_give_fewer_arcs_than_metis() {
    for plan in [
        scene(WorldScene::Rooms, 4000, 1),
        scene(WorldScene::Open, 4000, 1),
        scene(WorldScene::Rooms, 4000, 8),
    ] {
        let graph = graph(&plan, 1);
        let [flow, metis] = METHODS.map(|method| {
            let order = order(&graph, &options(method, 1, 0)).unwrap();
            Contraction::new(order, graph.adjacent()).arc_count()
        });
        assert!(flow < metis, "{flow} arcs, {metis} by METIS");
    }
}

#[test]
fn separators_have_limits() {
    let graph = graph(&scene(WorldScene::Rooms, 500, 1), 1);
    for separators in [0, 101] {
        let failure = IndexError::Option {
            name: "separators",
            value: separators,
            min: 1,
            max: 100,
        };
        for method in METHODS {
            let found = order(&graph, &options(method, separators, 0));
            assert_eq!(found, Err(failure.clone()));
        }
        let found = dissect_weighted(&[1; 3], std::iter::empty(), separators, 0);
        assert_eq!(found, Err(failure));
    }
}
