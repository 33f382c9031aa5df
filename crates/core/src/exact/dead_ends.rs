//! Dead ends of the taut graph: edges whose every taut continuation ends.

use glam::DVec2;

use super::corners::ObstacleSides;
use super::graph::Node;
use crate::csr::Csr;

/// The directed edges of the taut graph, numbered as in its adjacency lists.
pub(super) struct Arcs {
    /// The same edge in the other direction.
    pub(super) reverse: Vec<u32>,
    /// The sides of the edge on which the obstacle at its first node lies.
    pub(super) tail: Vec<ObstacleSides>,
    /// The sides of the edge on which the obstacle at its last node lies.
    pub(super) head: Vec<ObstacleSides>,
}

impl Arcs {
    pub(super) fn new(
        nodes: &[Node],
        positions: &[DVec2],
        adjacent: &Csr<u32>,
        rounding: f64,
    ) -> Self {
        let count = adjacent.values().len();
        let mut arcs = Self {
            reverse: Vec::with_capacity(count),
            tail: Vec::with_capacity(count),
            head: Vec::with_capacity(count),
        };
        for (node, heads) in adjacent.iter().enumerate() {
            for &head in heads {
                let there = head as usize;
                let back = adjacent.get(there).binary_search(&(node as u32));
                let back = back.expect("the lists are symmetric") as u32;
                arcs.reverse.push(adjacent.offsets()[there] + back);
                let [from, to] = [node, there].map(|node| positions[node]);
                // Ends of links were rounded.
                let is_stop = [node, there].map(|node| nodes[node].wedge.is_stop());
                let rounding = if is_stop.contains(&true) {
                    rounding
                } else {
                    0.0
                };
                arcs.tail.push(nodes[node].wedge.sides(from, to, rounding));
                arcs.head.push(nodes[there].wedge.sides(from, to, rounding));
            }
        }
        arcs
    }

    /// Returns for each directed edge whether it is a dead end.
    pub(super) fn dead_ends(
        &self,
        nodes: &[Node],
        positions: &[DVec2],
        adjacent: &Csr<u32>,
    ) -> Vec<bool> {
        let (offsets, heads) = (adjacent.offsets(), adjacent.values());
        let leaving = |node: usize| offsets[node] as usize..offsets[node + 1] as usize;
        // Whether a path that arrives by the reverse of `back` may leave by `arc`; both leave `node`.
        let continues = |node: usize, back: usize, arc: usize| {
            let arriving = self.reverse[back] as usize;
            let sides = ObstacleSides(self.head[arriving].0 & self.tail[arc].0);
            let points = [heads[back] as usize, node, heads[arc] as usize].map(|n| positions[n]);
            arc != back && sides.allow_bend(points)
        };
        // The number of continuations of each edge that are not known to be dead ends.
        let mut open = vec![0u32; heads.len()];
        let mut is_dead_end = vec![false; heads.len()];
        let mut stack = Vec::new();
        for (node, at) in nodes.iter().enumerate() {
            for back in leaving(node) {
                let arriving = self.reverse[back] as usize;
                if at.wedge.is_unknown() {
                    // A link, or an obstacle that is not known: the path may go on.
                    open[arriving] = u32::MAX;
                    continue;
                }
                let count = leaving(node)
                    .filter(|&arc| continues(node, back, arc))
                    .count();
                open[arriving] = count as u32;
                if count == 0 {
                    stack.push(arriving);
                }
            }
        }
        while let Some(arc) = stack.pop() {
            is_dead_end[arc] = true;
            // `arc` leaves the node that its reverse leads to.
            let node = heads[self.reverse[arc] as usize] as usize;
            if nodes[node].wedge.is_unknown() {
                continue;
            }
            for back in leaving(node) {
                if continues(node, back, arc) {
                    let arriving = self.reverse[back] as usize;
                    open[arriving] -= 1;
                    if open[arriving] == 0 {
                        stack.push(arriving);
                    }
                }
            }
        }
        is_dead_end
    }
}
