//! Nested dissection orders by METIS (Karypis and Kumar 1998).

use std::sync::PoisonError;

use metis_sys::{METIS_NodeND, METIS_SetDefaultOptions};
use oorandom::Rand32;

use crate::graph::Graph;
use crate::kway::METIS;
use crate::{IndexError, OrderOptions};

/// The index of the seed among METIS's options.
const SEED: usize = metis_sys::moptions_et_METIS_OPTION_SEED as usize;
/// The index of the number of separators among METIS's options.
const SEPARATORS: usize = metis_sys::moptions_et_METIS_OPTION_NSEPS as usize;

/// Computes a nested dissection order with METIS, for a
/// [`Contraction`](portolan_core::contraction::Contraction) of any graph. A small set of vertices separates
/// the graph into two parts. It comes last in the order, after both parts, which are ordered in the same
/// way. For portal graphs, [`order`](crate::order()) gives better orders. `pairs` are the edges, which may
/// repeat, in any order.
///
/// The same edges and seed give the same order on the same platform, on any thread, as long as nothing else
/// in the process calls libc's `rand` at the same time.
///
/// # Panics
/// Panics if an edge names a vertex that does not exist.
pub fn dissect(
    vertices: usize,
    pairs: impl Iterator<Item = [u32; 2]>,
    seed: u64,
) -> Result<Vec<u32>, IndexError> {
    dissect_weighted(&vec![1; vertices], pairs, 1, seed)
}

/// Computes an order as [`dissect`] does, with weights for vertices. Separators prefer light vertices.
/// Weights are clamped to at least 1, and so that their sum fits into 31 bits. METIS chooses from
/// `separators` separators where it separates 2000 vertices or more. [Limit: 1..=100]
///
/// # Panics
/// Panics if an edge names a vertex that does not exist.
pub fn dissect_weighted(
    weights: &[u32],
    pairs: impl Iterator<Item = [u32; 2]>,
    separators: u32,
    seed: u64,
) -> Result<Vec<u32>, IndexError> {
    let options = OrderOptions {
        separators,
        seed,
        ..OrderOptions::default()
    };
    options.check()?;
    let vertices = weights.len();
    let mut edges: Vec<(u32, u32, i32)> = pairs
        .filter(|[a, b]| a != b)
        .map(|[a, b]| (a.min(b), a.max(b), 1))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    // Isolated vertices come first. METIS does not get them.
    let mut is_joined = vec![false; vertices];
    for &(a, b, _) in &edges {
        is_joined[a as usize] = true;
        is_joined[b as usize] = true;
    }
    let numbers = 0..vertices as u32;
    let (joined, mut order): (Vec<u32>, Vec<u32>) = numbers.partition(|&v| is_joined[v as usize]);
    if joined.is_empty() {
        return Ok(order);
    }
    let mut indexes = vec![0; vertices];
    for (&vertex, index) in joined.iter().zip(0..) {
        indexes[vertex as usize] = index;
    }
    for edge in &mut edges {
        *edge = (indexes[edge.0 as usize], indexes[edge.1 as usize], 1);
    }
    let max_weight = (i32::MAX as usize / joined.len()) as u32;
    let weight = |&vertex: &u32| weights[vertex as usize].clamp(1, max_weight) as i32;
    let weights = joined.iter().map(weight);
    let graph = Graph::new(weights.collect(), &edges)?;
    let permutation = node_nd(&graph, &options)?;
    order.extend(permutation.into_iter().map(|index| joined[index as usize]));
    Ok(order)
}

/// Calls METIS. Returns the nodes of the graph in order.
#[allow(unsafe_code)]
fn node_nd(graph: &Graph, choice: &OrderOptions) -> Result<Vec<i32>, IndexError> {
    // METIS takes 31 bits. Seeds are mixed, because libc's `rand` treats 0 and 1 alike.
    let seed = (Rand32::new(choice.seed).rand_u32() >> 1) as i32;
    let mut count = graph.len() as i32;
    let mut options = [0; metis::NOPTIONS];
    let (mut order, mut indexes) = (vec![0; graph.len()], vec![0; graph.len()]);
    // The lock guards state of libc, which stays valid even if another thread panicked while it held the
    // lock.
    let _guard = METIS.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: `METIS_SetDefaultOptions` writes `NOPTIONS` numbers, the length of `options`. `METIS_NodeND`
    // reads `count` weights, `count + 1` offsets, and as many neighbours as the last offset says; it copies
    // them and does not write to them. It writes `count` numbers to `order` and to `indexes`. `Graph`
    // maintains the invariants that METIS requires of a graph.
    let status = unsafe {
        METIS_SetDefaultOptions(options.as_mut_ptr());
        options[SEED] = seed;
        options[SEPARATORS] = choice.separators as i32;
        METIS_NodeND(
            &mut count,
            graph.offsets().as_ptr().cast_mut(),
            graph.neighbours().as_ptr().cast_mut(),
            graph.weights().as_ptr().cast_mut(),
            options.as_mut_ptr(),
            order.as_mut_ptr(),
            indexes.as_mut_ptr(),
        )
    };
    if status != metis_sys::rstatus_et_METIS_OK {
        return Err(IndexError::Metis {
            nodes: graph.len(),
            parts: 2,
            reason: format!("status {status}"),
        });
    }
    Ok(order)
}
