//! METIS: multilevel k-way partitioning (Karypis and Kumar 1998, "Multilevel k-way Partitioning
//! Scheme for Irregular Graphs").

use std::sync::{Mutex, PoisonError};

use metis::option::{Seed, UFactor};

use crate::IndexError;
use crate::graph::Graph;

/// METIS draws from libc's `rand`, of which a process has one: two calls at once would take numbers
/// from each other. Each call seeds it anew. And each puts signal handlers in place and the former ones
/// back at its end: two at once could leave one of METIS's behind.
pub(crate) static METIS: Mutex<()> = Mutex::new(());

/// The place of METIS_OPTION_NIPARTS, for which the crate has no name: how often the initial partition
/// is tried. METIS tries four or five times, which takes nearly all of the time, and gains next to
/// nothing.
const INITIAL_PARTITIONS: usize = 6;

/// How much more than the mean a part may weigh. [Units: thousandths] METIS's own 30 are less than
/// one of 15 nodes. With room for three of them, 5% fewer portals lie between the nodes of `rooms` with
/// 88 000 polygons at level 1, and a tenth fewer above; the largest part is as large as before, since
/// that is one which others were joined to.
const IMBALANCE: i32 = 200;

/// Cuts a connected graph into about `parts` parts of about the same weight, with little weight
/// between them. Parts may be empty, or not connected.
///
/// METIS needs no fewer nodes than parts, and two parts.
pub(crate) fn cut(graph: &Graph, parts: usize, seed: i32) -> Result<Vec<u32>, IndexError> {
    assert!((2..=graph.len()).contains(&parts));
    let failure = |why: &dyn std::fmt::Display| IndexError::Metis {
        nodes: graph.len(),
        parts,
        why: why.to_string(),
    };
    let weights = no_heavier_than_a_part(graph.weights(), parts);
    let mut of = vec![0; graph.len()];
    let mut options = [-1; metis::NOPTIONS];
    options[INITIAL_PARTITIONS] = 1;
    let job = metis::Graph::new(1, parts as i32, graph.offsets(), graph.neighbours())
        .map_err(|error| failure(&error))?
        .set_vwgt(&weights)
        .set_adjwgt(graph.edge_weights())
        .set_options(&options)
        .set_option(UFactor(IMBALANCE))
        .set_option(Seed(seed));
    {
        // What the lock guards is libc's, and sound whatever became of the thread before.
        let _alone = METIS.lock().unwrap_or_else(PoisonError::into_inner);
        job.part_kway(&mut of).map_err(|error| failure(&error))?;
    }
    Ok(of.into_iter().map(|part| part as u32).collect())
}

/// Weights of which none is more than the share of one part.
///
/// METIS begins by halving again and again, and if one node is worth several parts, comes to halve
/// nothing at all, of which it complains on standard output. Such a node is best left a part of its
/// own, for which it is heavy enough with one share.
fn no_heavier_than_a_part(weights: &[i32], parts: usize) -> Vec<i32> {
    let share = |most: i32| {
        let sum: i64 = weights.iter().map(|&w| i64::from(w.min(most))).sum();
        sum / parts as i64
    };
    let holds = |most: i32| share(most) >= i64::from(most);
    let heaviest = weights.iter().copied().max().unwrap_or(1);
    if holds(heaviest) {
        return weights.to_vec();
    }
    // The highest limit that holds. 1 does, there being no fewer nodes than parts; and where one
    // holds all lower ones do, since the sum of weights up to a limit grows ever slower with it.
    let (mut low, mut high) = (1, heaviest);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    weights.iter().map(|&weight| weight.min(low)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_weight_is_more_than_a_share() {
        assert_eq!(no_heavier_than_a_part(&[3, 3, 4], 2), [3, 3, 4]);
        assert_eq!(no_heavier_than_a_part(&[1, 1, 50], 2), [1, 1, 2]);
        assert_eq!(no_heavier_than_a_part(&[9, 9, 9], 3), [9, 9, 9]);
        assert_eq!(no_heavier_than_a_part(&[1, 2, 3, 90], 3), [1, 2, 3, 3]);
    }

    /// Rows, stars and trees, of weights that differ up to a millionfold.
    fn cut_random_trees() {
        let mut random = oorandom::Rand32::new(3);
        let mut below = |end: u32| random.rand_range(0..end);
        for round in 0..3000 {
            let nodes = 4 + below(60);
            let edge = |b: u32, below: &mut dyn FnMut(u32) -> u32| {
                let a = [b - 1, 0, below(b)][round % 3];
                (a, b, 1 + below(5) as i32)
            };
            let edges: Vec<_> = (1..nodes).map(|b| edge(b, &mut below)).collect();
            let weight = |below: &mut dyn FnMut(u32) -> u32| match round % 4 {
                0 => 1,
                1 => 1 + below(100) as i32,
                2 => [1, 1, 1, 1000][below(4) as usize],
                _ => 1 << below(20),
            };
            let weights = (0..nodes).map(|_| weight(&mut below)).collect();
            let graph = Graph::new(weights, &edges).unwrap();
            let parts = (nodes / (2 + below(3))).clamp(2, nodes);
            cut(&graph, parts as usize, round as i32).unwrap();
        }
    }

    /// A test harness catches what a test prints but not what a C library does, so another process
    /// does the work.
    #[test]
    fn metis_does_not_complain() {
        const ASKED: &str = "PORTOLAN_TEST_METIS";
        if std::env::var_os(ASKED).is_some() {
            return cut_random_trees();
        }
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kway::tests::metis_does_not_complain"])
            .env(ASKED, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{said}"
        );
        assert!(!said.contains("***"), "{said}");
    }
}
