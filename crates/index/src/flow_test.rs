//! Compares cuts with those that an exhaustive search finds.

use oorandom::Rand32;
use proptest::prelude::*;

use super::*;
use crate::cells::CellEdge;

/// Creates cells at random positions, with edges of random weights between random cells, which may be
/// equal.
fn random_cells(random: &mut Rand32, count: u32) -> CellGraph {
    let mut any = |from: u32, to: u32| random.rand_range(from..to);
    let edges = (0..any(0, 3 * count)).map(|id| CellEdge {
        cells: [any(0, count), any(0, count)],
        id,
        weight: any(1, 9) as i32,
    });
    let edges: Vec<CellEdge> = edges.collect();
    let mut coordinate = || any(0, 5) as f32;
    CellGraph {
        centres: (0..count)
            .map(|_| vec3(coordinate(), coordinate(), coordinate()))
            .collect(),
        weights: (0..count).map(|cell| 1 + cell % 3).collect(),
        removed: vec![0; count as usize],
        edges,
    }
}

fn cut_weight(cells: &CellGraph, second: impl Fn(u32) -> bool) -> i32 {
    let cut = cells
        .edges
        .iter()
        .filter(|edge| second(edge.cells[0]) != second(edge.cells[1]));
    cut.map(|edge| edge.weight).sum()
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn a_cut_has_minimum_weight(count in 2u32..11, seed: u64) {
        let mut random = Rand32::new(seed);
        let cells = random_cells(&mut random, count);
        let mut kinds: Vec<u8> = (0..count).map(|_| random.rand_range(0..3) as u8).collect();
        (kinds[0], kinds[1]) = (SOURCE, SINK);
        let fits = |second: &dyn Fn(u32) -> bool| {
            let mut each = (0..count).zip(&kinds);
            each.all(|(cell, &kind)| kind == FREE || second(cell) == (kind == SINK))
        };
        let all = (0..1u32 << count).map(|set| move |cell: u32| set >> cell & 1 == 1);
        let all = all.filter(|second| fits(second));
        let min_weight = all.map(|second| cut_weight(&cells, second)).min().unwrap();

        let network = FlowNetwork::new(&cells);
        let bisection = network.min_cut(&kinds, f64::INFINITY).unwrap();
        let second = |cell: u32| bisection.second[cell as usize];
        prop_assert!(fits(&second));
        prop_assert_eq!(cut_weight(&cells, second), min_weight);
        // A bound just above the score allows the cut. The bound of even halves of the same cut weight does
        // not.
        prop_assert!(network.min_cut(&kinds, bisection.score * 1.001 + 1e-9).is_some());
        let weight = network.weight() as f64;
        let even = f64::from(min_weight) / (weight * weight / 4.0);
        prop_assert!(min_weight == 0 || network.min_cut(&kinds, even).is_none());
    }

    #[test]
    fn neither_half_is_empty(count in 2u32..60, seed: u64) {
        let mut random = Rand32::new(seed);
        let mut cells = random_cells(&mut random, count);
        if seed % 3 == 0 {
            cells.centres.fill(Vec3::ONE);
        }
        let second = bisect_along_axes(&FlowNetwork::new(&cells)).second;
        prop_assert!(second.contains(&true) && second.contains(&false));
    }
}

#[test]
fn keys_grow_with_values() {
    let values = [
        f32::NEG_INFINITY,
        -2.0,
        -0.5,
        -0.0,
        0.0,
        1e-30,
        3.0,
        f32::INFINITY,
    ];
    assert!(values.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
}
