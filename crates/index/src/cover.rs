//! From an edge cut to a separator: the fewest vertices that all its edges have an end among (König 1931:
//! as many as a largest matching has pairs, and found from it).

const NONE: u32 = u32::MAX;

/// The smallest set with an end of every edge. Edges lead from one of `counts[0]` vertices to one of
/// `counts[1]` others. Which vertices of either side are in it.
pub(crate) fn cover(counts: [usize; 2], edges: &[[u32; 2]]) -> [Vec<bool>; 2] {
    let mut beside = vec![Vec::new(); counts[0]];
    for &[a, b] in edges {
        beside[a as usize].push(b);
    }
    let mut search = Matching {
        beside,
        partners: vec![NONE; counts[1]],
        round: vec![NONE; counts[1]],
    };
    let unmatched: Vec<u32> = (0..counts[0] as u32)
        .filter(|&vertex| !search.augment(vertex, vertex))
        .collect();
    // What alternating paths reach from those without a partner: there the far ends cover, elsewhere the near
    // ones.
    let mut reached = [vec![false; counts[0]], vec![false; counts[1]]];
    let mut stack = unmatched;
    while let Some(vertex) = stack.pop() {
        if std::mem::replace(&mut reached[0][vertex as usize], true) {
            continue;
        }
        for &to in &search.beside[vertex as usize] {
            reached[1][to as usize] = true;
            stack.push(search.partners[to as usize]);
        }
    }
    let [first, second] = reached;
    [first.into_iter().map(|reached| !reached).collect(), second]
}

struct Matching {
    /// Per vertex of the first side.
    beside: Vec<Vec<u32>>,
    /// Per vertex of the second side its partner.
    partners: Vec<u32>,
    /// Per vertex of the second side, who asked last.
    round: Vec<u32>,
}

impl Matching {
    /// Finds a partner for a vertex, if others have to look for another one too.
    fn augment(&mut self, vertex: u32, round: u32) -> bool {
        // The vertices whose partner is looked for, and how many neighbours of each were asked.
        let mut path = vec![(vertex, 0)];
        while let Some((at, asked)) = path.last_mut() {
            let Some(&to) = self.beside[*at as usize].get(*asked) else {
                path.pop();
                continue;
            };
            *asked += 1;
            if std::mem::replace(&mut self.round[to as usize], round) == round {
                continue;
            }
            match self.partners[to as usize] {
                NONE => {
                    for (at, asked) in path {
                        let to = self.beside[at as usize][asked - 1];
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

        /// Beside the smallest of all sets.
        #[test]
        fn there_is_no_smaller_cover(
            edges in prop::collection::vec([0u32..5, 0u32..5], 0..16),
        ) {
            let covers = |first: &dyn Fn(u32) -> bool, second: &dyn Fn(u32) -> bool| {
                edges.iter().all(|&[a, b]| first(a) || second(b))
            };
            let sets = (0u32..1 << 10).filter(|set| {
                covers(&|a| set >> a & 1 == 1, &|b| set >> (5 + b) & 1 == 1)
            });
            let least = sets.map(u32::count_ones).min().unwrap() as usize;
            let [first, second] = cover([5, 5], &edges);
            prop_assert!(covers(&|a| first[a as usize], &|b| second[b as usize]));
            let size = [first, second].concat().into_iter().filter(|&is| is).count();
            prop_assert_eq!(size, least);
        }
    }
}
