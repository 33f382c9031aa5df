//! Random directed graphs, and the costs between all of their vertices.

use crate::CaseRng;

/// An arc: its tail, its head and its cost.
pub type Arc = (u32, u32, f32);

/// Draws the arcs of a graph. Some are parallel, some are loops, and some cost nothing.
pub fn random_arcs(rng: &mut CaseRng, vertices: usize) -> Vec<Arc> {
    let count = rng.below(4 * vertices + 1);
    let mut arcs = Vec::new();
    for _ in 0..count {
        let from = rng.below(vertices);
        let to = match rng.chance(0.7) {
            true => (from + 1 + rng.below(3)) % vertices,
            false => rng.below(vertices),
        };
        let cost = match rng.below(8) {
            0 => 0.0,
            1 => 1e-9,
            2 => 1.0,
            _ => rng.between(0.1, 9.0),
        };
        arcs.push((from as u32, to as u32, cost));
        if rng.chance(0.6) {
            arcs.push((to as u32, from as u32, cost));
        }
    }
    arcs
}

/// Draws a permutation of the vertices.
pub fn random_order(rng: &mut CaseRng, vertices: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices as u32).collect();
    for i in (1..vertices).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// Returns the costs between all vertices, by the Floyd-Warshall algorithm.
pub fn all_costs(vertices: usize, arcs: &[Arc]) -> Vec<Vec<f64>> {
    let mut costs = vec![vec![f64::INFINITY; vertices]; vertices];
    for (vertex, row) in costs.iter_mut().enumerate() {
        row[vertex] = 0.0;
    }
    for &(from, to, cost) in arcs {
        let known = &mut costs[from as usize][to as usize];
        *known = known.min(cost.into());
    }
    for via in 0..vertices {
        for from in 0..vertices {
            for to in 0..vertices {
                let detour = costs[from][via] + costs[via][to];
                costs[from][to] = costs[from][to].min(detour);
            }
        }
    }
    costs
}
