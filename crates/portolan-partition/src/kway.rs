//! METIS: multilevel k-way partitioning (Karypis and Kumar 1998, "Multilevel k-way Partitioning
//! Scheme for Irregular Graphs").

use std::sync::{Mutex, PoisonError};

use metis::option::Seed;

use crate::PartitionFailure;
use crate::graph::Graph;

/// METIS draws from libc's `rand`, of which a process has one: two calls at once would take numbers
/// from each other. Each call seeds it anew.
static METIS: Mutex<()> = Mutex::new(());

/// Cuts a connected graph into about `parts` parts of about the same weight, with little weight
/// between them. Parts may be empty, or not connected.
///
/// METIS needs no fewer nodes than parts, and two parts.
pub(crate) fn cut(graph: &Graph, parts: usize, seed: i32) -> Result<Vec<u32>, PartitionFailure> {
    assert!((2..=graph.len()).contains(&parts));
    let failure = |why: &dyn std::fmt::Display| PartitionFailure::Metis {
        nodes: graph.len(),
        parts,
        why: why.to_string(),
    };
    let weights = no_heavier_than_a_part(graph.weights(), parts);
    let mut of = vec![0; graph.len()];
    let job = metis::Graph::new(1, parts as i32, graph.offsets(), graph.neighbours())
        .map_err(|error| failure(&error))?
        .set_vwgt(&weights)
        .set_adjwgt(graph.edge_weights())
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
    // With more nodes than parts a limit of 1 holds, and a lower limit lowers the share by less.
    let (mut holds, mut fails) = (1, i32::MAX);
    let heaviest = weights.iter().copied().max().unwrap_or(1);
    if share(heaviest) >= i64::from(heaviest) {
        return weights.to_vec();
    }
    fails = fails.min(heaviest);
    while fails - holds > 1 {
        let middle = holds + (fails - holds) / 2;
        if share(middle) >= i64::from(middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    weights.iter().map(|&weight| weight.min(holds)).collect()
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
}
