use super::*;
use crate::csr::Csr;

const VERTICES: u32 = 20;

/// Returns the contraction of a graph in which all vertices are adjacent. Vertices are ranked by number.
fn complete() -> Contraction {
    let pairs = (0..VERTICES).flat_map(|a| (0..a).map(move |b| [a, b]));
    Contraction::new((0..VERTICES).collect(), pairs)
}

fn symmetric(parts: Vec<[u32; 2]>, runs: Vec<u32>) -> ShortcutArrays {
    let no_arcs = ArcArrays {
        offsets: vec![0; VERTICES as usize + 1].into(),
        depths: Vec::new().into(),
        costs: Vec::new().into(),
        parts: Vec::new().into(),
    };
    ShortcutArrays {
        upwards: no_arcs,
        downwards: None,
        parts: parts.into(),
        runs: runs.into(),
        cost_estimate: f32::INFINITY,
    }
}

fn is_accepted(parts: Vec<[u32; 2]>, runs: Vec<u32>) -> bool {
    let arrays = symmetric(parts, runs);
    Shortcuts::from_arrays(&complete(), arrays, |_| [true; 2]).is_some()
}

#[test]
fn arrays_of_a_contraction_restore_it() {
    let contraction = complete();
    let (order, up) = (contraction.vertices.clone(), contraction.up.clone());
    assert_eq!(
        Contraction::from_arrays(order.clone(), up.clone()),
        Some(contraction)
    );
    let mut not_chordal = Csr::new();
    [vec![1, 2], vec![3], vec![3], vec![]]
        .into_iter()
        .for_each(|list| not_chordal.push(list));
    assert_eq!(
        Contraction::from_arrays((0..4).collect(), not_chordal.into()),
        None
    );
    // Two trees whose ranks alternate.
    let mut not_post_order = Csr::new();
    [vec![2], vec![3], vec![], vec![]]
        .into_iter()
        .for_each(|list| not_post_order.push(list));
    assert_eq!(
        Contraction::from_arrays((0..4).collect(), not_post_order.into()),
        None
    );
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
