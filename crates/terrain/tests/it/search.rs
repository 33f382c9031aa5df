//! Searches over triangles beside one that is slow and plain; the contraction and HNA* have more tests in
//! `portolan-index`, where their orders and nodes are made.

use allocation_counter::measure;
use oorandom::Rand32;
use portolan_core::{HierarchyError, Level, NodeId, Partition};
use portolan_oracle::ground::{check, close, hilly, plans, slow_wave};
use portolan_terrain::{Distances, LowContraction, LowHna, LowScratch, NONE};
use proptest::prelude::*;

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn searches_find_what_the_slow_one_finds(plan in plans(), ends: [prop::sample::Index; 2]) {
        let graph = plan.graph();
        let [from, to] = ends.map(|end| end.index(graph.len()) as u32);
        let truth = slow_wave(&graph, from);
        let (mut scratch, mut path) = (LowScratch::new(), vec![7]);
        for to in [to, from] {
            let found = graph.astar(from, to, &mut scratch, &mut path);
            check(&graph, [from, to], truth[to as usize], found, &path)?;
            let found = graph.dijkstra(from, to, &mut scratch, &mut path);
            check(&graph, [from, to], truth[to as usize], found, &path)?;
        }
        let mut costs = vec![7.0];
        graph.wave(from, &mut scratch, &mut costs);
        prop_assert_eq!(costs.len(), graph.len());
        for (&cost, &truth) in costs.iter().zip(&truth) {
            prop_assert!(close(cost.into(), truth), "{cost}, not {truth}");
        }
    }

    /// Admissible always. By enlargement consistent, too; by centroids it need not be: the box of a large
    /// triangle can be much nearer to the goal than that of the one before, a short way from middle to
    /// middle.
    #[test]
    fn the_heuristic_promises_no_more_than_there_is(plan in plans(), goal: prop::sample::Index) {
        let graph = plan.graph();
        let goal = goal.index(graph.len()) as u32;
        let least = |triangle| {
            f64::from(graph.price().least(graph.extent(triangle), graph.extent(goal)))
        };
        let rounding = 1.0 + 1e-5;
        for from in 0..graph.len() as u32 {
            let truth = slow_wave(&graph, from)[goal as usize];
            prop_assert!(least(from) <= truth * rounding, "{from}: {} > {truth}", least(from));
            if plan.price.distances == Distances::Centroid {
                continue;
            }
            let (neighbours, costs) = graph.crossings(from);
            for (to, cost) in neighbours.into_iter().zip(costs).filter(|&(to, _)| to != NONE) {
                let beyond = f64::from(cost) + least(to);
                prop_assert!(least(from) <= beyond * rounding, "{from} to {to}");
            }
        }
        prop_assert_eq!(least(goal), 0.0);
    }
}

/// Nodes of 4 x 4 squares, and of 16 x 16, on ground of 32 x 32.
fn squares() -> Partition {
    let level = |side: usize| {
        let node = |triangle: usize| {
            let (x, y) = (triangle / 4 % 32, triangle / 4 / 32);
            NodeId::new(y / side * (32 / side) + x / side)
        };
        (0..32 * 32 * 4).map(node).collect()
    };
    Partition::new(32 * 32 * 4, vec![level(4), level(16)]).expect("nested squares")
}

#[test]
fn a_partition_of_other_triangles_is_refused() {
    let (_, graph) = hilly(9);
    let refused = LowHna::new(&graph, squares());
    let found = 32 * 32 * 4;
    let expected = graph.len();
    assert_eq!(refused, Err(HierarchyError::Cells { found, expected }));
}

#[test]
fn the_second_time_nothing_is_allocated() {
    let (_, graph) = hilly(33);
    let contraction = LowContraction::new(&graph, squares().order());
    let hna = LowHna::new(&graph, squares()).expect("a small hierarchy");
    let (mut scratch, mut path, mut costs) = (LowScratch::new(), Vec::new(), Vec::new());
    let mut run = || {
        let mut random = Rand32::new(3);
        let mut draw = || random.rand_range(0..graph.len() as u32);
        for _ in 0..50 {
            let (from, to) = (draw(), draw());
            let found = graph.astar(from, to, &mut scratch, &mut path);
            assert!(found.is_some() && !path.is_empty());
            let same = graph.dijkstra(from, to, &mut scratch, &mut path);
            assert!(close(found.unwrap().into(), same.unwrap().into()));
            let same = same.unwrap();
            graph.wave(from, &mut scratch, &mut costs);
            assert_eq!(costs[to as usize], same);
            let found = contraction.find(from, to, &mut scratch, &mut path);
            assert!(close(found.unwrap().into(), same.into()));
            for level in [None, Some(Level(1)), Some(Level(2))] {
                let found = hna.find(&graph, [from, to], level, &mut scratch, &mut path);
                assert!(close(found.unwrap().into(), same.into()));
            }
        }
    };
    assert!(measure(&mut run).count_total > 0);
    let warm = measure(&mut run);
    assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
}
