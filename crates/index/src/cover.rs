//! Turns an edge cut into a vertex separator: the smallest set of vertices that contains an end of every
//! cut edge. By König's theorem (1931), it has as many vertices as a maximum matching has edges, and
//! follows from that matching.

const NONE: u32 = u32::MAX;

/// Returns a minimum vertex cover of a bipartite graph: for each vertex of both sides, whether it is in the
/// cover. Edges join one of `counts[0]` vertices to one of `counts[1]` vertices.
pub(crate) fn cover(counts: [usize; 2], edges: &[[u32; 2]]) -> [Vec<bool>; 2] {
    let mut neighbours = vec![Vec::new(); counts[0]];
    for &[a, b] in edges {
        neighbours[a as usize].push(b);
    }
    let mut matching = Matching {
        neighbours,
        partners: vec![NONE; counts[1]],
        visited_in: vec![NONE; counts[1]],
    };
    let unmatched: Vec<u32> = (0..counts[0] as u32)
        .filter(|&vertex| !matching.augment(vertex, vertex))
        .collect();
    // The vertices that alternating paths reach from unmatched vertices. The cover consists of the reached
    // vertices of the second side and the others of the first side.
    let mut reached = [vec![false; counts[0]], vec![false; counts[1]]];
    let mut stack = unmatched;
    while let Some(vertex) = stack.pop() {
        if std::mem::replace(&mut reached[0][vertex as usize], true) {
            continue;
        }
        for &to in &matching.neighbours[vertex as usize] {
            reached[1][to as usize] = true;
            stack.push(matching.partners[to as usize]);
        }
    }
    let [first, second] = reached;
    [first.into_iter().map(|reached| !reached).collect(), second]
}

/// A matching of a bipartite graph.
struct Matching {
    /// The neighbours of each vertex of the first side.
    neighbours: Vec<Vec<u32>>,
    /// The partner of each vertex of the second side.
    partners: Vec<u32>,
    /// The last round in which each vertex of the second side was visited.
    visited_in: Vec<u32>,
}

impl Matching {
    /// Finds a partner for a vertex along an augmenting path. Returns `false` if there is none. `round` must
    /// be different in each call.
    fn augment(&mut self, vertex: u32, round: u32) -> bool {
        // The vertices on the path, and the number of neighbours that were tried for each.
        let mut path = vec![(vertex, 0)];
        while let Some((at, tried)) = path.last_mut() {
            let Some(&to) = self.neighbours[*at as usize].get(*tried) else {
                path.pop();
                continue;
            };
            *tried += 1;
            if std::mem::replace(&mut self.visited_in[to as usize], round) == round {
                continue;
            }
            match self.partners[to as usize] {
                NONE => {
                    for (at, tried) in path {
                        let to = self.neighbours[at as usize][tried - 1];
                        self.partners[to as usize] = at;
                    }
                    return true;
                }
                partner => path.push((partner, 0)),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        /// Compares with the smallest of all covers.
        #[test]
        fn the_cover_is_minimal(
            edges in prop::collection::vec([0u32..5, 0u32..5], 0..16),
        ) {
            let covers = |first: &dyn Fn(u32) -> bool, second: &dyn Fn(u32) -> bool| {
                edges.iter().all(|&[a, b]| first(a) || second(b))
            };
            let sets = (0u32..1 << 10).filter(|set| {
                covers(&|a| set >> a & 1 == 1, &|b| set >> (5 + b) & 1 == 1)
            });
            let min_size = sets.map(u32::count_ones).min().unwrap() as usize;
            let [first, second] = cover([5, 5], &edges);
            prop_assert!(covers(&|a| first[a as usize], &|b| second[b as usize]));
            let size = [first, second].concat().into_iter().filter(|&is| is).count();
            prop_assert_eq!(size, min_size);
        }
    }
}
