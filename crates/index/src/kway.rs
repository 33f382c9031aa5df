//! Multilevel k-way partitioning by METIS (Karypis and Kumar 1998, "Multilevel k-way Partitioning Scheme
//! for Irregular Graphs").

use std::sync::{Mutex, PoisonError};

use metis::option::{Seed, UFactor};

use crate::IndexError;
use crate::graph::Graph;

/// Serializes calls of METIS. METIS seeds and uses libc's `rand`, which has one state per process, so
/// concurrent calls would disturb each other. METIS also installs signal handlers and restores the old ones
/// at the end; concurrent calls could leave one of METIS's handlers installed.
pub(crate) static METIS: Mutex<()> = Mutex::new(());

/// The index of METIS_OPTION_NIPARTS, for which the crate has no name: the number of initial partitions
/// that are tried. METIS's default of four or five takes most of the time and gains almost nothing.
const INITIAL_PARTITIONS: usize = 6;

/// How much more than the mean a part may weigh. [Units: thousandths] In a part of 15 nodes, METIS's default
/// of 30 allows no additional node, and 200 allows three. On `rooms` with 88 000 polygons, 200 reduces the
/// portals between nodes by 5% at level 1 and by 10% above. The largest part does not grow, because it is one
/// that small pieces have joined.
const IMBALANCE: i32 = 200;

/// Cuts a connected graph into about `parts` parts of similar weight, with little weight between them.
/// Parts may be empty or disconnected.
///
/// METIS requires at least two parts, and at least as many nodes as parts.
pub(crate) fn cut(graph: &Graph, parts: usize, seed: i32) -> Result<Vec<u32>, IndexError> {
    assert!((2..=graph.len()).contains(&parts));
    let failure = |reason: &dyn std::fmt::Display| IndexError::Metis {
        nodes: graph.len(),
        parts,
        reason: reason.to_string(),
    };
    let weights = limit_weights(graph.weights(), parts);
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
        // The lock guards state of libc, which stays valid even if another thread panicked while it held
        // the lock.
        let _guard = METIS.lock().unwrap_or_else(PoisonError::into_inner);
        job.part_kway(&mut of).map_err(|error| failure(&error))?;
    }
    Ok(of.into_iter().map(|part| part as u32).collect())
}

/// Limits weights so that none exceeds the mean weight of a part.
///
/// METIS starts with recursive bisection. If one node weighs as much as several parts, METIS ends up
/// bisecting an empty graph and prints warnings to standard output. Such a node should be a part of its own,
/// and the limited weight is enough for that.
fn limit_weights(weights: &[i32], parts: usize) -> Vec<i32> {
    let part_weight = |max_weight: i32| {
        let sum: i64 = weights.iter().map(|&w| i64::from(w.min(max_weight))).sum();
        sum / parts as i64
    };
    let holds = |max_weight: i32| part_weight(max_weight) >= i64::from(max_weight);
    let heaviest = weights.iter().copied().max().unwrap_or(1);
    if holds(heaviest) {
        return weights.to_vec();
    }
    // Binary search for the highest limit that holds. The limit 1 holds, because there are at least as many
    // nodes as parts. If a limit holds, all lower ones do, because the sum of limited weights is concave in
    // the limit.
    let (mut low, mut high) = (1, heaviest);
    while high - low > 1 {
        let midpoint = low + (high - low) / 2;
        if holds(midpoint) {
            low = midpoint;
        } else {
            high = midpoint;
        }
    }
    weights.iter().map(|&weight| weight.min(low)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_weight_exceeds_the_weight_of_a_part() {
        assert_eq!(limit_weights(&[3, 3, 4], 2), [3, 3, 4]);
        assert_eq!(limit_weights(&[1, 1, 50], 2), [1, 1, 2]);
        assert_eq!(limit_weights(&[9, 9, 9], 3), [9, 9, 9]);
        assert_eq!(limit_weights(&[1, 2, 3, 90], 3), [1, 2, 3, 3]);
    }

    /// Cuts rows, stars and trees with weights that differ by a factor of up to a million.
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

    /// Runs the test in a child process, because the test harness does not capture what a C library prints.
    #[test]
    fn metis_prints_no_warnings() {
        const RUN_IN_CHILD: &str = "PORTOLAN_TEST_METIS";
        if std::env::var_os(RUN_IN_CHILD).is_some() {
            return cut_random_trees();
        }
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kway::tests::metis_prints_no_warnings"])
            .env(RUN_IN_CHILD, "1")
            .output()
            .unwrap();
        let output_text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && output_text.contains("1 passed"),
            "{output_text}"
        );
        assert!(!output_text.contains("***"), "{output_text}");
    }
}
