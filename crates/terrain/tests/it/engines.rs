//! Hierarchies over triangles beside a search that is slow and plain.

use oorandom::Rand32;
use portolan_core::Level;
use portolan_index::{OrderMethod, OrderOptions, PartitionOptions};
use portolan_oracle::ground::{Plan, check, close, hilly, plans, slow_wave};
use portolan_terrain::order_terrain;
use portolan_terrain::partition_terrain;
use portolan_terrain::{LowContraction, LowGraph, LowHna, LowScratch, Price};
use proptest::prelude::*;

fn contraction(graph: &LowGraph, method: OrderMethod) -> LowContraction {
    let options = OrderOptions {
        method,
        ..OrderOptions::default()
    };
    let order = order_terrain(graph, &options).expect("an order");
    LowContraction::new(graph, order)
}

fn hna(graph: &LowGraph, merge_factor: u32) -> LowHna {
    let options = PartitionOptions {
        merge_factor,
        ..PartitionOptions::default()
    };
    let partition = partition_terrain(graph, &options).expect("a partition");
    LowHna::new(graph, partition).expect("a small hierarchy")
}

/// Between all triangles or, where they are many, from some to all.
fn compare(
    graph: &LowGraph,
    mut find: impl FnMut(u32, u32, &mut Vec<u32>) -> Option<f32>,
) -> Result<(), TestCaseError> {
    let mut path = vec![7];
    let count = graph.len() as u32;
    for from in (0..count).step_by(1 + graph.len() / 8) {
        let truth = slow_wave(graph, from);
        for to in 0..count {
            let found = find(from, to, &mut path);
            check(graph, [from, to], truth[to as usize], found, &path)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn the_contraction_is_exact(plan in plans(), by_flow: bool) {
        let graph = plan.graph();
        let method = if by_flow { OrderMethod::Flow } else { OrderMethod::Metis };
        let contraction = contraction(&graph, method);
        let mut scratch = LowScratch::new();
        compare(&graph, |from, to, path| contraction.find(from, to, &mut scratch, path))?;
    }

    #[test]
    fn hna_is_exact_at_every_level(plan in plans(), merge_factor in 2u32..9) {
        let graph = plan.graph();
        let hna = hna(&graph, merge_factor);
        let mut scratch = LowScratch::new();
        let levels = (0..=hna.hierarchy().top().0).map(|level| Some(Level(level)));
        for level in levels.chain([None]) {
            compare(&graph, |from, to, path| {
                hna.find(&graph, [from, to], level, &mut scratch, path)
            })?;
        }
    }

    #[test]
    fn levels_with_new_prices_are_new_ones(plan in plans()) {
        let graph = plan.graph();
        let mut old = hna(&graph, 4);
        let plan = Plan { price: Price::default(), ..plan };
        let graph = plan.graph();
        old.reprice(&graph);
        let partition = old.hierarchy().partition().clone();
        prop_assert_eq!(old, LowHna::new(&graph, partition).expect("a small hierarchy"));
    }

    /// Other prices on the same ground, in the same order.
    #[test]
    fn a_contraction_with_new_prices_is_a_new_one(plan in plans()) {
        let graph = plan.graph();
        let mut old = contraction(&graph, OrderMethod::Flow);
        let plan = Plan { price: Price::default(), ..plan };
        let graph = plan.graph();
        old.reprice(&graph);
        let order = old.contraction().order().to_vec();
        prop_assert_eq!(old, LowContraction::new(&graph, order));
    }
}

#[test]
fn hills_have_the_same_costs_by_all_engines() {
    let (_, graph) = hilly(40);
    let contraction = contraction(&graph, OrderMethod::Flow);
    let hna = hna(&graph, 10);
    assert_eq!(hna.hierarchy().top(), Level(3));
    let mut random = Rand32::new(9);
    let (mut scratch, mut path) = (LowScratch::new(), Vec::new());
    for _ in 0..100 {
        let [from, to] = [0; 2].map(|_: u32| random.rand_range(0..graph.len() as u32));
        let astar = graph
            .astar(from, to, &mut scratch, &mut path)
            .expect("a way");
        let check = |found: Option<f32>, path: &[u32]| {
            assert!(close(found.expect("a way").into(), astar.into()));
            assert!(close(graph.cost(path).expect("a path"), astar.into()));
        };
        let found = contraction.find(from, to, &mut scratch, &mut path);
        check(found, &path);
        for level in [Some(Level(1)), Some(Level(2)), Some(Level(3)), None] {
            let found = hna.find(&graph, [from, to], level, &mut scratch, &mut path);
            check(found, &path);
        }
    }
}
