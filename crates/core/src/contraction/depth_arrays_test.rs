use glam::Vec4;

use super::super::min_sum;
use super::*;
use crate::csr::Csr;

/// Returns a random directed graph with one-way arcs and several components, and the costs of its arcs.
fn random_graph(vertices: u32, seed: u64) -> (Csr<u32>, Vec<f32>) {
    let mut rng = oorandom::Rand32::new(seed);
    let (mut heads, mut costs) = (Csr::new(), Vec::new());
    for vertex in 0..vertices {
        // The vertices of each third are joined among themselves only.
        let near = |rng: &mut oorandom::Rand32| {
            let third = vertices.div_ceil(3);
            let first = vertex / third * third;
            rng.rand_range(first..(first + third).min(vertices))
        };
        let list: Vec<u32> = (0..rng.rand_range(0..4)).map(|_| near(&mut rng)).collect();
        costs.extend(list.iter().map(|_| 1.0 + rng.rand_float()));
        heads.push(list);
    }
    (heads, costs)
}

/// Returns the costs from one vertex to all, by Bellman and Ford.
fn costs_from(start: usize, heads: &Csr<u32>, costs: &[f32]) -> Vec<f32> {
    let mut known = vec![f32::INFINITY; heads.len()];
    known[start] = 0.0;
    loop {
        let before = known.clone();
        let mut costs = costs.iter();
        for tail in 0..heads.len() {
            for (&head, &cost) in heads.get(tail).iter().zip(&mut costs) {
                known[head as usize] = known[head as usize].min(known[tail] + cost);
            }
        }
        if known == before {
            return known;
        }
    }
}

#[test]
fn sums_over_shared_depths_are_the_costs_of_cheapest_paths() {
    // The larger graphs have several subtrees.
    for (count, seed) in [(40, 0), (40, 1), (40, 2), (1500, 3), (1500, 4)] {
        let (heads, costs) = random_graph(count, seed);
        let contraction = Contraction::from_graph((0..count).collect(), &heads);
        let shortcuts = Shortcuts::from_graph(&contraction, &heads, &costs);
        let [up, down] = [Terminal::Start, Terminal::Goal]
            .map(|end| DepthArrays::new(&contraction, &shortcuts, end));
        let shared = SharedDepths::new(&contraction);
        for start in (0..count).step_by(1 + count as usize / 50) {
            let expected = costs_from(start as usize, &heads, &costs);
            for goal in 0..count {
                let [a, b] = [start, goal].map(|vertex| contraction.rank_of(vertex));
                assert_eq!(shared.of(a, b), contraction.shared_depths(a, b));
                let arrays: [&[Vec4]; 2] = [up.of(&contraction, a), down.of(&contraction, b)];
                let cost = min_sum(arrays[0], arrays[1], shared.of(a, b));
                let expected = expected[goal as usize];
                let is_equal = cost == expected || (cost - expected).abs() <= 1e-5 * expected;
                assert!(is_equal, "{cost} instead of {expected}");
            }
        }
    }
}

#[test]
fn a_graph_without_vertices_has_empty_arrays() {
    let contraction = Contraction::from_graph(Vec::new(), &Csr::new());
    assert_eq!(contraction.depth_blocks(), 0);
    assert_eq!(SharedDepths::new(&contraction).rows.len(), 0);
}
