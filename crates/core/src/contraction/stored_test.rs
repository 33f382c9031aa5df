use super::*;
use crate::array::Array;
use crate::csr::Csr;

const VERTICES: u32 = 20;

/// Returns the contraction of a graph in which all vertices are adjacent. Vertices are ranked by number.
fn complete() -> Contraction {
    let pairs = (0..VERTICES).flat_map(|a| (0..a).map(move |b| [a, b]));
    Contraction::new((0..VERTICES).collect(), pairs)
}

/// Returns whether these parts pass all checks, without arcs that use them.
fn is_accepted(parts: Vec<[u32; 2]>, runs: Vec<u32>) -> bool {
    let shortcuts = Shortcuts {
        upwards: PrunedArcs {
            offsets: vec![0; VERTICES as usize + 1].into(),
            depths: Array::default(),
            costs: Array::default(),
            parts: Array::default(),
            arcs: 0,
            patches: None,
        },
        downwards: None,
        parts: ShortcutParts {
            parts: parts.into(),
            runs: runs.into(),
            added: Default::default(),
        },
        cost_estimate: f32::INFINITY,
    };
    shortcuts.check(&complete()) && shortcuts.check_paths(&complete(), |_| [true; 2])
}

/// Returns the contraction with these upper neighbours, whose vertices are ranked by number.
fn with_neighbours(up: Vec<Vec<u32>>) -> Contraction {
    let parents = up.iter().zip(0..);
    let parents: Vec<u32> = parents
        .map(|(heads, rank)| heads.first().copied().unwrap_or(rank))
        .collect();
    let mut lists = Csr::new();
    up.iter().for_each(|list| lists.push(list.iter().copied()));
    Contraction {
        ranks: (0..up.len() as u32).collect(),
        vertices: (0..up.len() as u32).collect(),
        depths: tree::depths(&parents).into(),
        parents: parents.into(),
        positions: Array::default(),
        up: lists.into(),
    }
}

#[test]
fn contractions_that_violate_an_invariant_are_rejected() {
    assert!(complete().check());
    assert!(with_neighbours(vec![vec![1, 2], vec![2], vec![3], vec![]]).check());
    let not_chordal = vec![vec![1, 2], vec![3], vec![3], vec![]];
    assert!(!with_neighbours(not_chordal).check());
    let two_trees_whose_ranks_alternate = vec![vec![2], vec![3], vec![], vec![]];
    assert!(!with_neighbours(two_trees_whose_ranks_alternate).check());
    let changed = |change: fn(&mut Contraction)| {
        let mut contraction = complete();
        change(&mut contraction);
        contraction.check()
    };
    assert!(!changed(|all| all.ranks = (0..VERTICES).rev().collect()));
    assert!(!changed(
        |all| all.vertices = vec![0; VERTICES as usize].into()
    ));
    assert!(!changed(
        |all| all.vertices = vec![u32::MAX; VERTICES as usize].into()
    ));
    assert!(!changed(|all| all.parents = (0..VERTICES).collect()));
    assert!(!changed(
        |all| all.parents = vec![u32::MAX; VERTICES as usize].into()
    ));
    assert!(!changed(
        |all| all.parents = vec![0; VERTICES as usize].into()
    ));
    assert!(!changed(
        |all| all.depths = vec![u32::MAX; VERTICES as usize].into()
    ));
}

#[test]
fn a_clique_needs_all_arcs() {
    let star = Contraction::new(vec![0, 1, 2, 3], [[0, 3], [1, 3], [2, 3]].into_iter());
    assert!(star.has_clique([3, 1].into_iter()));
    assert!(star.has_clique([].into_iter()));
    assert!(!star.has_clique([0, 1, 3].into_iter()));
}

/// The middle of a path ranks below both ends, and its halves meet there.
#[test]
fn a_wrong_middle_is_rejected() {
    let arc = |at: u32| [at, RUN | 2 << 1];
    let runs = vec![5, 1, 6, 9];
    let over = |first: u32, second: u32| {
        let parts = vec![arc(0), arc(1), arc(2), [2 * first, 2 * second]];
        is_accepted(parts, runs.clone())
    };
    // 5, 1, 6.
    assert!(over(0, 1));
    // 1, 6, 9: the middle ranks above one end.
    assert!(!over(1, 2));
    // 5, 1 and 6, 9 do not meet.
    assert!(!over(0, 2));
    // A part cannot contain itself.
    assert!(!over(0, 3));
}

/// Every part has two halves of the same length, so lengths double with each round.
#[test]
fn paths_of_exponential_length_are_rejected() {
    let doubled = |rounds: u32| {
        let (mut parts, mut runs) = (Vec::new(), Vec::new());
        let mut index = std::collections::HashMap::new();
        for a in 0..VERTICES {
            for b in (0..VERTICES).filter(|&b| b != a) {
                index.insert([a, b], parts.len() as u32);
                parts.push([runs.len() as u32, RUN | 2 << 1]);
                runs.extend([a, b]);
            }
        }
        for middle in 0..rounds {
            let before = index.clone();
            for a in middle + 1..VERTICES {
                for b in (middle + 1..VERTICES).filter(|&b| b != a) {
                    let halves = [[a, middle], [middle, b]].map(|pair| before[&pair] << 1);
                    index.insert([a, b], parts.len() as u32);
                    parts.push(halves);
                }
            }
        }
        is_accepted(parts, runs)
    };
    assert!(doubled(6));
    assert!(!doubled(7));
}

#[test]
fn subsets_are_found_in_lists_of_any_length() {
    let all: Vec<u32> = (0..100).map(|i| 2 * i).collect();
    assert!(is_subset(&[], &all));
    assert!(is_subset(&[0, 2, 4, 198], &all));
    assert!(is_subset(&[20, 150], &all));
    assert!(!is_subset(&[20, 151], &all));
    assert!(!is_subset(&[200], &all));
    assert!(!is_subset(&[0], &[]));
}
