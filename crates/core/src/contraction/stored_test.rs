use super::super::parts::{PartsBuilder, ShortcutPart};
use super::*;
use crate::array::Array;

const VERTICES: u32 = 20;

/// Returns the part of the arc between two vertices of the runs, the first of which is at `start`.
fn edge(start: u32) -> ShortcutPart {
    ShortcutPart::Run {
        start,
        arcs: 1,
        is_backwards: 0,
    }
}

/// Returns the contraction of a graph in which all vertices are adjacent. Vertices are ranked by number.
fn complete() -> Contraction {
    let pairs = (0..VERTICES).flat_map(|a| (0..a).map(move |b| [a, b]));
    Contraction::new((0..VERTICES).collect(), pairs)
}

/// Returns whether these parts pass all checks, without arcs that use them.
fn is_accepted(parts: Vec<ShortcutPart>, runs: Vec<u32>) -> bool {
    let mut all = PartsBuilder::default();
    for part in parts {
        all.push(part);
    }
    let shortcuts = Shortcuts {
        upwards: PrunedArcs {
            offsets: vec![0; VERTICES as usize + 1].into(),
            depths: Array::default(),
            costs: Array::default(),
            first_parts: vec![0; VERTICES as usize].into(),
            arcs: 0,
            patches: None,
        },
        downwards: None,
        parts: all.finish(Runs::new(runs, VERTICES as usize)),
        cost_estimate: f32::INFINITY,
    };
    shortcuts.check(&complete()) && shortcuts.check_paths(&complete(), |_| [true; 2])
}

/// Returns a contraction with this elimination tree, whose vertices are ranked by number.
fn with_parents(parents: Vec<u32>) -> Contraction {
    let vertices: Array<u32> = (0..parents.len() as u32).collect();
    Contraction {
        ranks: vertices.clone(),
        vertices,
        depths: tree::depths(&parents).into(),
        parents: parents.into(),
        positions: Array::default(),
        arc_count: 0,
        arcs: Arcs::default(),
    }
}

#[test]
fn contractions_that_violate_an_invariant_are_rejected() {
    let is_accepted = |contraction: Contraction| contraction.check().is_some();
    assert!(is_accepted(complete()));
    assert!(is_accepted(with_parents(vec![1, 2, 3, 3])));
    let two_trees_whose_ranks_alternate = vec![2, 3, 2, 3];
    assert!(!is_accepted(with_parents(two_trees_whose_ranks_alternate)));
    let a_cycle = vec![1, 0];
    let mut cyclic = with_parents(vec![1, 1]);
    cyclic.parents = a_cycle.into();
    assert!(!is_accepted(cyclic));
    let changed = |change: fn(&mut Contraction)| {
        let mut contraction = complete();
        change(&mut contraction);
        is_accepted(contraction)
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
    assert!(!changed(|all| all.arc_count += 1));
    assert!(!changed(|all| all.arc_count = usize::MAX));
}

/// The arcs of a deeper contraction cannot be stored.
#[test]
fn contractions_that_are_too_deep_are_rejected() {
    let chain = |length: u32| {
        let parents = (0..length).map(|rank| (rank + 1).min(length - 1));
        with_parents(parents.collect()).check().is_some()
    };
    assert!(chain(Contraction::MAX_DEPTH as u32));
    assert!(!chain(Contraction::MAX_DEPTH as u32 + 1));
}

/// Vertices are on one chain if each is an ancestor or a descendant of each other one.
#[test]
fn a_clique_needs_a_chain() {
    let star = Contraction::new(vec![0, 1, 2, 3], [[0, 3], [1, 3], [2, 3]].into_iter());
    let star = star.check().expect("a valid tree");
    assert!(star.are_on_chain([3, 1].into_iter()));
    assert!(star.are_on_chain([].into_iter()));
    assert!(!star.are_on_chain([0, 1, 3].into_iter()));
    // Two chains of two vertices below a root.
    let fork = with_parents(vec![1, 4, 3, 4, 4]);
    let fork = fork.check().expect("a valid tree");
    for clique in [[0, 1, 4], [4, 2, 3]] {
        assert!(fork.are_on_chain(clique.into_iter()), "{clique:?}");
    }
    for clique in [[0, 4, 3], [1, 4, 3], [1, 2, 4], [0, 1, 2]] {
        assert!(!fork.are_on_chain(clique.into_iter()), "{clique:?}");
    }
}

/// The middle of a path ranks below both ends, and its halves meet there.
#[test]
fn a_wrong_middle_is_rejected() {
    let arc = edge;
    let runs = vec![5, 1, 6, 9];
    let over = |first: u32, second: u32| {
        let halves = ShortcutPart::Halves([2 * first, 2 * second]);
        let parts = vec![arc(0), arc(1), arc(2), halves];
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
                parts.push(edge(runs.len() as u32));
                runs.extend([a, b]);
            }
        }
        for middle in 0..rounds {
            let before = index.clone();
            for a in middle + 1..VERTICES {
                for b in (middle + 1..VERTICES).filter(|&b| b != a) {
                    let halves = [[a, middle], [middle, b]].map(|pair| before[&pair] << 1);
                    index.insert([a, b], parts.len() as u32);
                    parts.push(ShortcutPart::Halves(halves));
                }
            }
        }
        is_accepted(parts, runs)
    };
    assert!(doubled(6));
    assert!(!doubled(7));
}
