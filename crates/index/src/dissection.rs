//! METIS: an order of vertices by nested dissection (Karypis and Kumar 1998).

use std::sync::PoisonError;

use metis_sys::{METIS_NodeND, METIS_SetDefaultOptions};
use oorandom::Rand32;

use crate::graph::Graph;
use crate::kway::METIS;
use crate::{IndexError, OrderOptions};

/// The place of the seed among METIS's options.
const SEED: usize = metis_sys::moptions_et_METIS_OPTION_SEED as usize;
/// And that of how many separators it chooses from.
const SEPARATORS: usize = metis_sys::moptions_et_METIS_OPTION_NSEPS as usize;

/// An order in which few vertices part the graph again and again: those come last, the parts before
/// them, in the same manner. For [`Contraction`](portolan_core::contraction::Contraction) over any graph;
/// a portal graph has a better one, [`order`](crate::order()). `pairs` are the edges, in any order and
/// number.
///
/// The same edges and seed give the same order on a platform, on any thread, as long as nobody else in
/// the process calls libc's `rand` meanwhile.
///
/// # Panics
/// When a vertex of an edge does not exist.
pub fn dissect(
    vertices: usize,
    pairs: impl Iterator<Item = [u32; 2]>,
    seed: u64,
) -> Result<Vec<u32>, IndexError> {
    dissect_weighted(&vec![1; vertices], pairs, 1, seed)
}

/// As [`dissect`], with the weight of each vertex: light ones are preferred where the graph is parted.
/// A weight counts as 1 at least, and as no more than lets all together stay within 31 bits. There are
/// `separators` to choose from wherever 2000 vertices or more are parted. [Limit: 1..=100]
///
/// # Panics
/// When a vertex of an edge does not exist.
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
    // What stands alone can come first; METIS never sees it.
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
    let mut names = vec![0; vertices];
    for (&vertex, name) in joined.iter().zip(0..) {
        names[vertex as usize] = name;
    }
    for edge in &mut edges {
        *edge = (names[edge.0 as usize], names[edge.1 as usize], 1);
    }
    let most = (i32::MAX as usize / joined.len()) as u32;
    let weight = |&vertex: &u32| weights[vertex as usize].clamp(1, most) as i32;
    let weights = joined.iter().map(weight);
    let graph = Graph::new(weights.collect(), &edges)?;
    let permutation = node_nd(&graph, &options)?;
    order.extend(permutation.into_iter().map(|name| joined[name as usize]));
    Ok(order)
}

/// The node that comes at each place.
#[allow(unsafe_code)]
fn node_nd(graph: &Graph, choice: &OrderOptions) -> Result<Vec<i32>, IndexError> {
    // METIS takes 31 bits, of which libc's `rand` makes the same of 0 and 1.
    let seed = (Rand32::new(choice.seed).rand_u32() >> 1) as i32;
    let mut count = graph.len() as i32;
    let mut options = [0; metis::NOPTIONS];
    let (mut order, mut places) = (vec![0; graph.len()], vec![0; graph.len()]);
    // What the lock guards is libc's, and sound whatever became of the thread before.
    let _alone = METIS.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: METIS writes its number of options into an array of that length; it reads `count`
    // weights, `count` + 1 offsets that end at the number of neighbours, and those, none of which it
    // changes (it takes copies); and it writes `count` numbers into either of the last two.
    // `Graph` promises what METIS asks of a graph.
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
            places.as_mut_ptr(),
        )
    };
    if status != metis_sys::rstatus_et_METIS_OK {
        return Err(IndexError::Metis {
            nodes: graph.len(),
            parts: 2,
            why: format!("status {status}"),
        });
    }
    Ok(order)
}
