use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::contraction::parts::BACKWARDS;
use crate::contraction::shortcuts::DOWN;
use crate::contraction::{ArcRows, Bounds, ContractionArrays, ContractionScratch, RowArc};

/// A graph on a grid with shuffled ranks, and a sequence of changes of its edges.
#[derive(Clone, Debug)]
struct Case {
    side: u32,
    order: Vec<u32>,
    is_directed: bool,
    /// Batches of edges with their new costs; 0 closes an edge.
    batches: Vec<Vec<(usize, [u8; 2])>>,
}

fn cases() -> impl Strategy<Value = Case> {
    (2u32..13, any::<bool>()).prop_flat_map(|(side, is_directed)| {
        let order: Vec<u32> = (0..side * side).collect();
        let edges = grid_edges(side).len();
        let change = (0..edges, [0u8..6, 0u8..6]);
        let batch = prop::collection::vec(change, 1..6);
        (
            Just(order).prop_shuffle(),
            prop::collection::vec(batch, 1..8),
        )
            .prop_map(move |(order, batches)| Case {
                side,
                order,
                is_directed,
                batches,
            })
    })
}

fn grid_edges(side: u32) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for z in 0..side {
        for x in 0..side {
            let at = z * side + x;
            edges.extend((x + 1 < side).then_some([at, at + 1]));
            edges.extend((z + 1 < side).then_some([at, at + side]));
            edges.extend((x + 1 < side && z + 1 < side).then_some([at, at + side + 1]));
        }
    }
    edges
}

/// Few different costs, so that there are many ties.
fn cost(units: u8) -> f32 {
    match units {
        0 => f32::INFINITY,
        units => f32::from(units) * 0.3,
    }
}

struct NoMeasure;

impl Measure for NoMeasure {
    type Scratch = ();

    fn cost(&self, _: &[u32], (): &mut ()) -> f32 {
        unreachable!("sums are not measured")
    }
}

/// A measure that is less than the sum of the costs of the edges.
struct Shorter;

impl Measure for Shorter {
    type Scratch = ();

    fn cost(&self, path: &[u32], (): &mut ()) -> f32 {
        0.25 * path.len() as f32
    }
}

/// Returns the cost between two vertices and checks that the path over which the search finds it is one.
fn search(
    shortcuts: &Shortcuts,
    contraction: &Contraction,
    [from, to]: [u32; 2],
    cost_of: impl Fn(u32, u32) -> f32,
) -> Option<f32> {
    let mut path = Vec::new();
    let cost = shortcuts.search(
        contraction,
        [(from, 0.0)].into_iter(),
        [(to, 0.0)].into_iter(),
        Bounds::with_max_cost(f32::INFINITY),
        &mut ContractionScratch::default(),
        |vertex| path.push(vertex),
    );
    if cost.is_some() {
        assert_eq!((path[0], path[path.len() - 1]), (from, to));
        for pair in path.windows(2) {
            assert!(
                cost_of(pair[0], pair[1]) < f32::INFINITY,
                "{path:?} is closed"
            );
        }
    }
    cost
}

/// Checks that every arc has the same path in the plain arrays, which have no part of their own for single arcs.
fn assert_plain_paths(shortcuts: &Shortcuts, contraction: &Contraction) {
    let arrays = ContractionArrays::new(contraction, shortcuts);
    let downwards = arrays.downwards.as_ref().map(|arcs| (DOWN, arcs));
    for (direction, rows) in [(UP, &arrays.upwards)].into_iter().chain(downwards) {
        for rank in 0..contraction.vertex_count() as u32 {
            let own =
                rows.offsets[rank as usize] as usize..rows.offsets[rank as usize + 1] as usize;
            // The arcs are in the opposite order.
            let heads = shortcuts.arcs(contraction, direction, rank);
            let arcs = rows.arcs[own].iter().rev();
            assert_eq!(
                arcs.len(),
                shortcuts.arcs(contraction, direction, rank).count()
            );
            for (&[_, _, reference], (head, _)) in arcs.zip(heads) {
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                let mut visit = |vertex| {
                    expected.push(vertex);
                    ControlFlow::<()>::Continue(())
                };
                let ends = [rank, head];
                let stack = &mut Vec::new();
                let _ = shortcuts.unpack(contraction, direction, ends, stack, &mut visit);
                unpack_plain(&arrays, reference, &mut found);
                assert_eq!(found, expected);
                assert_eq!(
                    arrays.part_lengths[(reference >> 1) as usize],
                    found.len() as u32
                );
            }
        }
    }
}

/// Appends the vertices of a part except the first.
fn unpack_plain(arrays: &ContractionArrays, reference: u32, vertices: &mut Vec<u32>) {
    let [first, second] = arrays.parts[(reference >> 1) as usize];
    let is_backwards = reference & BACKWARDS;
    if second & ContractionArrays::RUN == 0 {
        let halves = match is_backwards {
            0 => [first, second],
            _ => [second ^ BACKWARDS, first ^ BACKWARDS],
        };
        for half in halves {
            unpack_plain(arrays, half, vertices);
        }
        return;
    }
    let count = (second & !ContractionArrays::RUN) >> 1;
    let mut run = arrays.runs[first as usize..(first + count) as usize].to_vec();
    if is_backwards ^ (second & BACKWARDS) == 1 {
        run.reverse();
    }
    vertices.extend(&run[1..]);
}

/// Checks that all rows that differ between two versions are found: the arcs and costs of the others are equal, and so are their
/// paths, except above vertices whose edges have changed if the later version was customized again.
fn assert_rows(
    contraction: &Contraction,
    before: &Shortcuts,
    after: &Shortcuts,
    changed: &[u32],
    is_repaired: bool,
) {
    let [old, new] = [before, after].map(|shortcuts| ArcRows::new(contraction, shortcuts));
    for direction in 0..new.directions() {
        let differing = new.differing_from(before, direction);
        assert_eq!(differing.has_paths, is_repaired);
        assert!(differing.ranks.is_sorted_by(|a, b| a < b));
        let above = new.ranks_above(changed.iter().copied());
        for rank in 0..contraction.vertex_count() as u32 {
            if differing.ranks.binary_search(&rank).is_ok() {
                continue;
            }
            let arcs = |rows: &ArcRows<'_>| -> Vec<(u32, f32)> {
                let arc = |RowArc { depth, cost, .. }| (depth, cost);
                rows.row(direction, rank).map(arc).collect()
            };
            assert_eq!(arcs(&old), arcs(&new), "rank {rank}");
            if !is_repaired && above.binary_search(&rank).is_ok() {
                continue;
            }
            for (depth, _) in arcs(&new) {
                let [mut a, mut b] = [Vec::new(), Vec::new()];
                old.push_path((direction, rank), depth, &mut Vec::new(), &mut a);
                new.push_path((direction, rank), depth, &mut Vec::new(), &mut b);
                assert_eq!(a, b, "rank {rank}, depth {depth}");
                let ends = [a[0], a[a.len() - 1]].map(|vertex| contraction.ranks[vertex as usize]);
                assert_eq!(ends[usize::from(direction == DOWN)], rank);
                assert_eq!(
                    contraction.depths[ends[usize::from(direction == UP)] as usize],
                    depth
                );
            }
        }
    }
}

fn check(case: &Case, measure: Option<&Shorter>) {
    let edges = grid_edges(case.side);
    let mut costs = vec![[1.0f32; 2]; edges.len()];
    let contraction = Contraction::new(case.order.clone(), edges.iter().copied());
    let pairs = |costs: &[[f32; 2]]| {
        let pairs: Vec<_> = edges.iter().copied().zip(costs.iter().copied()).collect();
        pairs.into_iter()
    };
    let mut repair = Repair::new(&contraction, pairs(&costs), measure, case.is_directed);
    let mut scratch = repair.clone();
    for batch in &case.batches {
        let before = repair.shortcuts();
        let mut changes = Vec::new();
        for &(edge, units) in batch {
            let mut new = units.map(cost);
            if !case.is_directed {
                new[1] = new[0];
            }
            costs[edge] = new;
            changes.push((edges[edge], new));
        }
        repair.update(&contraction, changes.into_iter());
        let shortcuts = repair.shortcuts();
        assert_plain_paths(&shortcuts, &contraction);
        let changed = batch.iter().flat_map(|&(edge, _)| edges[edge]);
        let changed: Vec<u32> = changed.collect();
        assert_rows(&contraction, &before, &shortcuts, &changed, true);
        // Back in time.
        assert_rows(&contraction, &shortcuts, &before, &changed, true);
        let cost_of = |from: u32, to: u32| {
            let mut at = edges.iter().zip(&costs);
            let found = at.find_map(|(&edge, &[there, back])| match edge {
                [a, b] if [a, b] == [from, to] => Some(there),
                [a, b] if [b, a] == [from, to] => Some(back),
                _ => None,
            });
            found.unwrap_or(f32::INFINITY)
        };
        let last = case.side * case.side - 1;
        let ends = [
            [0, last],
            [last, 0],
            [case.side - 1, last / 2],
            [last / 2, 1],
        ];
        if measure.is_none() {
            scratch = Repair::new(
                &contraction,
                pairs(&costs),
                None::<&NoMeasure>,
                case.is_directed,
            );
            assert_same_state(&repair, &scratch);
            assert_rows(&contraction, &before, &scratch.shortcuts(), &changed, false);
        }
        let fresh = Shortcuts::from_edges(&contraction, pairs(&costs));
        for ends in ends {
            let expected = search(&fresh, &contraction, ends, cost_of);
            let found = search(&shortcuts, &contraction, ends, cost_of);
            match measure {
                // Another set of dropped arcs makes other sums of the same path.
                None => {
                    let [found, expected] = [found, expected].map(|cost| cost.unwrap_or(-1.0));
                    assert!(
                        (found - expected).abs() < 1e-4,
                        "{ends:?}: {found} {expected}"
                    );
                }
                Some(_) => assert_eq!(found.is_some(), expected.is_some(), "{ends:?}"),
            }
        }
    }
    drop(scratch);
}

fn assert_same_state(repaired: &Repair, fresh: &Repair) {
    match (repaired, fresh) {
        (Repair::Symmetric(a), Repair::Symmetric(b)) => {
            assert_eq!(a.paths, b.paths);
        }
        (Repair::Directed(a), Repair::Directed(b)) => {
            assert_eq!(a.paths, b.paths);
        }
        _ => panic!("one is symmetric and the other is not"),
    }
}

#[test]
fn the_parts_of_earlier_versions_are_dropped() {
    let side = 12;
    let edges = grid_edges(side);
    let order: Vec<u32> = (0..side * side).map(|v| v * 89 % (side * side)).collect();
    let contraction = Contraction::new(order, edges.iter().copied());
    let mut costs = vec![1.0f32; edges.len()];
    let pairs = |costs: &[f32]| -> Vec<([u32; 2], [f32; 2])> {
        edges
            .iter()
            .copied()
            .zip(costs.iter().map(|&cost| [cost; 2]))
            .collect()
    };
    for is_directed in [false, true] {
        let first = pairs(&costs);
        let measure = None::<&NoMeasure>;
        let mut repair = Repair::new(&contraction, first.into_iter(), measure, is_directed);
        let (mut most, mut drops, mut before) = ([0; 2], 0, 0);
        for round in 0..8000usize {
            let edge = round * 31 % edges.len();
            costs[edge] = [f32::INFINITY, 1.0, 2.5][round % 3];
            repair.update(&contraction, [(edges[edge], [costs[edge]; 2])].into_iter());
            let bytes = repair.patch_bytes();
            let half = &mut most[usize::from(round >= 4000)];
            *half = bytes.max(*half);
            drops += usize::from(bytes < before);
            before = bytes;
            if round % 50 == 0 {
                let fresh = Shortcuts::from_edges(&contraction, pairs(&costs).into_iter());
                let shortcuts = repair.shortcuts();
                assert_plain_paths(&shortcuts, &contraction);
                let cost_of = |a: u32, b: u32| {
                    let at = edges
                        .iter()
                        .position(|&edge| edge == [a, b] || edge == [b, a]);
                    at.map_or(f32::INFINITY, |at| costs[at])
                };
                for ends in [[0, side * side - 1], [side - 1, side * (side - 1)]] {
                    let [expected, found] = [&fresh, &shortcuts]
                        .map(|shortcuts| search(shortcuts, &contraction, ends, cost_of));
                    let [expected, found] = [expected, found].map(|cost| cost.unwrap_or(-1.0));
                    assert!((found - expected).abs() < 1e-4, "{found} {expected}");
                }
            }
        }
        assert!(drops >= 4, "{drops}");
        assert!(most[1] < most[0] * 5 / 4, "{most:?}");
    }
}

proptest! {
    #[test]
    fn repaired_sums_are_those_of_a_new_customization(case in cases()) {
        check(&case, None);
    }

    #[test]
    fn repaired_taut_costs_find_every_path(case in cases()) {
        check(&case, Some(&Shorter));
    }
}
