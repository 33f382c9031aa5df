//! Splits a connected graph into connected parts.

use crate::IndexError;
use crate::graph::Graph;
use crate::kway;

/// The maximum number of parts in one call of METIS. METIS's time grows faster than this number, so more
/// parts are cut in two stages.
const MAX_PARTS_AT_ONCE: usize = 512;

/// Splits the graph of a level.
pub(crate) struct Splitter<'a> {
    pub(crate) merge_factor: usize,
    pub(crate) seed: i32,
    /// Called with the number of nodes whose parts have become known.
    pub(crate) progress: &'a mut dyn FnMut(usize) -> Result<(), IndexError>,
}

impl Splitter<'_> {
    /// Returns the part of each node of a connected graph, and the number of parts. Parts are connected and
    /// numbered from 0 without gaps. Their number is about `parts`.
    pub(crate) fn split(
        &mut self,
        graph: &Graph,
        parts: usize,
    ) -> Result<(Vec<u32>, usize), IndexError> {
        if parts < 2 {
            (self.progress)(graph.len())?;
            return Ok((vec![0; graph.len()], 1));
        }
        if parts <= MAX_PARTS_AT_ONCE {
            let split = self.split_at_once(graph, parts)?;
            (self.progress)(graph.len())?;
            return Ok(split);
        }
        let (first, regions) = self.split_at_once(graph, parts.isqrt())?;
        let mut nodes_of = vec![Vec::new(); regions];
        for (node, &region) in (0..).zip(&first) {
            nodes_of[region as usize].push(node);
        }
        let largest = nodes_of.iter().map(Vec::len).max().unwrap_or(0);
        if largest > graph.len() - graph.len() / 10 {
            // In a star, everything that is cut off touches only the hub and joins it again. Another cut
            // would have the same effect on nearly the same graph, without end.
            (self.progress)(graph.len())?;
            return Ok((first, regions));
        }
        let mut indexes = vec![0; graph.len()];
        let (mut of, mut count) = (vec![0; graph.len()], 0);
        for nodes in nodes_of {
            let region = graph.subgraph(&nodes, &mut indexes);
            // Rounding to the nearest integer gives about the requested number of parts in total.
            let region_parts = (nodes.len() * parts + graph.len() / 2) / graph.len();
            let (within, more) = self.split(&region, region_parts)?;
            for (&node, part) in nodes.iter().zip(within) {
                of[node as usize] = count + part;
            }
            count += more as u32;
        }
        Ok((of, count as usize))
    }

    fn split_at_once(&self, graph: &Graph, parts: usize) -> Result<(Vec<u32>, usize), IndexError> {
        let of = kway::cut(graph, parts, self.seed)?;
        Ok(connected(graph, &of, self.merge_factor))
    }
}

/// Makes every part connected and numbers the parts by their lowest nodes. The largest piece of a part
/// stays that part. Any other piece becomes a part of its own if its number of nodes is at least half the
/// merge factor. Otherwise it joins the neighbouring part to which its edges have the largest weight.
fn connected(graph: &Graph, of: &[u32], merge_factor: usize) -> (Vec<u32>, usize) {
    let pieces = graph.pieces(of);
    let mut largest = vec![None::<usize>; of.iter().max().map_or(0, |&part| part as usize + 1)];
    for (piece, nodes) in pieces.iter().enumerate() {
        let best = &mut largest[of[nodes[0] as usize] as usize];
        if best.is_none_or(|best| pieces[best].len() < nodes.len()) {
            *best = Some(piece);
        }
    }
    const NONE: u32 = u32::MAX;
    let (mut joined, mut count) = (vec![NONE; graph.len()], 0);
    let mut small_pieces = Vec::new();
    for (piece, nodes) in pieces.iter().enumerate() {
        let is_largest = largest[of[nodes[0] as usize] as usize] == Some(piece);
        if is_largest || 2 * nodes.len() >= merge_factor {
            nodes.iter().for_each(|&node| joined[node as usize] = count);
            count += 1;
        } else {
            small_pieces.push(nodes);
        }
    }
    // A small piece may only touch other small pieces. Then it waits until one of them has joined a part,
    // which always happens in a connected graph.
    while !small_pieces.is_empty() {
        let before = small_pieces.len();
        small_pieces.retain(|nodes| {
            let mut adjacent: Vec<(u32, i64)> = Vec::new();
            for (to, weight) in nodes.iter().flat_map(|&node| graph.edges(node as usize)) {
                match adjacent.iter_mut().find(|(part, _)| *part == joined[to]) {
                    Some((_, sum)) => *sum += i64::from(weight),
                    None => adjacent.push((joined[to], weight.into())),
                }
            }
            let parts = adjacent.into_iter().filter(|&(part, _)| part != NONE);
            let Some((part, _)) = parts.max_by_key(|&(part, sum)| (sum, std::cmp::Reverse(part)))
            else {
                return true;
            };
            nodes.iter().for_each(|&node| joined[node as usize] = part);
            false
        });
        assert!(small_pieces.len() < before, "the graph is not connected");
    }
    (joined, count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a graph of nodes in a row.
    fn row(nodes: usize) -> Graph {
        let edges: Vec<(u32, u32, i32)> = (1..nodes as u32).map(|b| (b - 1, b, 1)).collect();
        Graph::new(vec![1; nodes], &edges).unwrap()
    }

    #[test]
    fn a_small_piece_joins_the_neighbouring_part() {
        let (of, count) = connected(&row(8), &[0, 0, 0, 1, 0, 1, 1, 1], 4);
        assert_eq!((&of[..], count), (&[0, 0, 0, 0, 0, 1, 1, 1][..], 2));
    }

    #[test]
    fn a_large_piece_becomes_a_part() {
        let (of, count) = connected(&row(7), &[0, 0, 0, 1, 1, 0, 0], 4);
        assert_eq!((&of[..], count), (&[0, 0, 0, 1, 1, 2, 2][..], 3));
    }

    #[test]
    fn pieces_with_only_small_neighbours_join_a_part() {
        let (of, count) = connected(&row(9), &[0, 0, 1, 2, 1, 2, 0, 1, 2], 9);
        assert_eq!(count, 3);
        let pieces = row(9).pieces(&of);
        assert_eq!(pieces.len(), 3, "{of:?}");
    }

    #[test]
    fn empty_parts_are_omitted() {
        let (of, count) = connected(&row(4), &[7, 7, 3, 3], 2);
        assert_eq!((&of[..], count), (&[0, 0, 1, 1][..], 2));
    }
}
