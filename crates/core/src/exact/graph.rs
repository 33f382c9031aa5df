//! The taut graph: corners, and the lines of sight between them that a shortest path can use.
//!
//! A line of sight is of use only if it is tangent to the obstacles at both of its ends: a shortest path that
//! bends at a corner wraps around the obstacle there. Ends of off-mesh links are nodes as well; a path may
//! arrive and leave there in any direction.
//!
//! A directed edge is a dead end if every taut continuation of it ends after finitely many edges. A shortest
//! path that takes a dead end takes only dead ends from there to its goal. So a search from the start follows
//! the other edges, and a search from the goal follows dead ends backwards, which stays near the goal.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};
use rayon::prelude::*;

use super::ExactError;
use super::corners::{Corner, ObstacleSides, Wedge};
use super::dead_ends::Arcs;
use super::plan::{PlanMesh, in_plan};
use super::sight::Cone;
use crate::csr::Csr;
use crate::search::EpochArray;

/// A corner or an end of an off-mesh link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) point: Vec3,
    pub(super) wedge: Wedge,
    /// A polygon that the node touches.
    pub(super) polygon: u32,
}

/// A directed edge as a search sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// The node that the edge leads to, and in the lowest two bits the sides of the edge on which the obstacle
    /// at that node lies.
    head: u32,
    /// The position of that node, so that a search need not look it up.
    position: Vec2,
}

impl Edge {
    fn new(to: u32, nodes: &[Node], sides: ObstacleSides) -> Self {
        Self {
            head: to << 2 | u32::from(sides.0),
            position: nodes[to as usize].point.xz(),
        }
    }

    /// Returns the node that the edge leads to.
    #[inline(always)]
    pub(super) fn to(self) -> usize {
        (self.head >> 2) as usize
    }

    /// Returns the position of that node.
    #[inline(always)]
    pub(super) fn position(self) -> DVec2 {
        self.position.as_dvec2()
    }

    /// Returns the sides of the edge on which the obstacle at that node lies.
    #[inline(always)]
    pub(super) fn sides(self) -> u8 {
        (self.head & 3) as u8
    }
}

/// The taut graph.
#[derive(Clone, Debug)]
pub(super) struct TautGraph {
    pub(super) nodes: Vec<Node>,
    /// The position of each node in plan.
    pub(super) positions: Vec<DVec2>,
    /// Per node, the nodes that it sees along a tangent, in ascending order. Symmetric.
    pub(super) adjacent: Csr<u32>,
    /// Per node and side (`2 * node + side`, 0 is left), the edges that leave the node with its obstacle on
    /// that side and are no dead ends. Edges that turn most towards that side come first, so that a search
    /// stops at the first edge that is not taut. Nodes without a known obstacle have all edges, in no
    /// particular order, in the left list.
    forward: Csr<Edge>,
    /// Per node and side, the dead ends that lead to the node with its obstacle on that side, by the node
    /// that they come from. Ordered as in `forward`.
    backward: Csr<Edge>,
    /// The nodes without a known obstacle, one bit each.
    is_free: Vec<u64>,
}

/// The buffers of [`visible`].
#[derive(Default)]
struct SightBuffers {
    touched: Vec<u32>,
    cones: Vec<Cone>,
    is_seen: EpochArray<()>,
    seen: Vec<u32>,
}

/// The nodes for which lines of sight are computed between two checks of the budget.
const CHUNK: usize = 2048;

impl TautGraph {
    /// Builds the graph. `max_cones` limits the number of cones of sight that are followed in total.
    pub(super) fn new(
        plan: &PlanMesh,
        mut nodes: Vec<Node>,
        max_cones: usize,
        progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<Self, ExactError> {
        let mut pairs = Vec::new();
        let mut cones = 0;
        for start in (0..nodes.len()).step_by(CHUNK) {
            let chunk = start..(start + CHUNK).min(nodes.len());
            let seen: Vec<(Vec<u32>, usize)> = chunk
                .clone()
                .into_par_iter()
                .map_init(SightBuffers::default, |buffers, node| {
                    let count = visible(plan, &nodes, node, buffers);
                    let tangents = buffers.seen.iter().copied();
                    let is_tangent =
                        |&other: &u32| is_tangent(&nodes, node, other as usize, plan.rounding);
                    (tangents.filter(is_tangent).collect(), count)
                })
                .collect();
            for (node, (seen, count)) in chunk.clone().zip(seen) {
                cones += count;
                for other in seen {
                    pairs.extend([(node as u32, other), (other, node as u32)]);
                }
            }
            if cones > max_cones {
                return Err(ExactError::TooLarge);
            }
            if progress(chunk.end as f32 / nodes.len() as f32).is_break() {
                return Err(ExactError::Stopped);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let adjacent = Csr::group(nodes.len(), &pairs);
        forget_wedges_at_stops(&mut nodes, &adjacent);
        let positions: Vec<DVec2> = nodes.iter().map(|node| in_plan(node.point)).collect();
        let arcs = Arcs::new(&nodes, &positions, &adjacent, plan.rounding);
        Ok(Self::from_arcs(nodes, positions, adjacent, &arcs))
    }

    /// Returns the mean number of edges at some of the nodes, without building the graph.
    pub(super) fn mean_degree(plan: &PlanMesh, nodes: &[Node], samples: usize) -> f64 {
        let samples = samples.min(nodes.len());
        let mut buffers = SightBuffers::default();
        let degrees = (0..samples).map(|sample| {
            let node = sample * nodes.len() / samples;
            visible(plan, nodes, node, &mut buffers);
            let is_edge = |&&other: &&u32| is_tangent(nodes, node, other as usize, plan.rounding);
            buffers.seen.iter().filter(is_edge).count()
        });
        degrees.sum::<usize>() as f64 / samples.max(1) as f64
    }

    /// Builds the graph from its nodes and edges, which must be tangents.
    pub(super) fn from_arcs(
        nodes: Vec<Node>,
        positions: Vec<DVec2>,
        adjacent: Csr<u32>,
        arcs: &Arcs,
    ) -> Self {
        let is_dead_end = arcs.dead_ends(&nodes, &positions, &adjacent);
        let (mut forward, mut backward) = (Csr::new(), Csr::new());
        let mut free_bits = vec![0u64; nodes.len().div_ceil(64)];
        for (node, at) in nodes.iter().enumerate() {
            let range = adjacent.offsets()[node] as usize..adjacent.offsets()[node + 1] as usize;
            let is_free = at.wedge.is_unknown();
            free_bits[node / 64] |= u64::from(is_free) << (node % 64);
            for side in [ObstacleSides::LEFT, ObstacleSides::RIGHT] {
                let is_listed = |sides: ObstacleSides| match is_free {
                    true => side == ObstacleSides::LEFT,
                    false => sides.0 & side != 0,
                };
                let wall = at.wedge.a_wall();
                let order = |side: u8| {
                    let positions = &positions;
                    move |a: &Edge, b: &Edge| by_turn(positions, node, wall, side, [a.to(), b.to()])
                };
                let leaving = range
                    .clone()
                    .filter(|&arc| !is_dead_end[arc] && is_listed(arcs.tail[arc]));
                let mut edges: Vec<Edge> = leaving
                    .map(|arc| Edge::new(adjacent.values()[arc], &nodes, arcs.head[arc]))
                    .collect();
                edges.sort_by(order(side));
                forward.push(edges);
                let arriving = range.clone().filter(|&arc| {
                    let back = arcs.reverse[arc] as usize;
                    is_dead_end[back] && is_listed(arcs.head[back])
                });
                let mut edges: Vec<Edge> = arriving
                    .map(|arc| {
                        let back = arcs.reverse[arc] as usize;
                        Edge::new(adjacent.values()[arc], &nodes, arcs.tail[back])
                    })
                    .collect();
                // Seen from the node, these edges have the obstacle on the other side.
                edges.sort_by(order(ObstacleSides::BOTH.0 - side));
                backward.push(edges);
            }
        }
        Self {
            nodes,
            positions,
            adjacent,
            forward,
            backward,
            is_free: free_bits,
        }
    }

    /// Returns whether a path may bend at a node in any direction, because it is the end of a link or nothing is
    /// known about its obstacle.
    #[inline(always)]
    pub(super) fn is_free(&self, node: usize) -> bool {
        self.is_free[node / 64] >> (node % 64) & 1 != 0
    }

    /// Returns the edges that leave a node with its obstacle on a side (0 is left) and are no dead ends.
    #[inline(always)]
    pub(super) fn forward(&self, node: usize, side: usize) -> &[Edge] {
        self.forward.get(2 * node + side)
    }

    /// Returns the dead ends that lead to a node with its obstacle on a side (0 is left).
    #[inline(always)]
    pub(super) fn backward(&self, node: usize, side: usize) -> &[Edge] {
        self.backward.get(2 * node + side)
    }

    /// Returns whether any edge that is no dead end leaves a node.
    #[inline(always)]
    pub(super) fn has_forward(&self, node: usize) -> bool {
        let offsets = self.forward.offsets();
        offsets[2 * node] != offsets[2 * node + 2]
    }

    /// Returns whether any dead end leads to a node.
    #[inline(always)]
    pub(super) fn has_backward(&self, node: usize) -> bool {
        let offsets = self.backward.offsets();
        offsets[2 * node] != offsets[2 * node + 2]
    }

    /// Returns the number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.adjacent.values().len() / 2
    }

    /// Returns the heap memory of the graph. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.positions[..])
            + self.adjacent.bytes()
            + self.forward.bytes()
            + self.backward.bytes()
            + size_of_val(&self.is_free[..])
    }
}

/// Makes the obstacles unknown at all corners that an end of a link sees. Ends of links were rounded, so their
/// lines to a corner have no exact order among the other lines there.
pub(super) fn forget_wedges_at_stops(nodes: &mut [Node], adjacent: &Csr<u32>) {
    for (node, others) in adjacent.iter().enumerate() {
        let mut others = others.iter().map(|&other| &nodes[other as usize]);
        if !nodes[node].wedge.is_stop() && others.any(|other| other.wedge.is_stop()) {
            nodes[node].wedge = Wedge::UNKNOWN;
        }
    }
}

/// Sets `buffers.seen` to the nodes that a node sees, and returns the number of cones that were followed.
fn visible(plan: &PlanMesh, nodes: &[Node], node: usize, buffers: &mut SightBuffers) -> usize {
    let SightBuffers {
        touched,
        cones,
        is_seen,
        seen,
    } = buffers;
    let root = in_plan(nodes[node].point);
    plan.touching(nodes[node].polygon, root, touched);
    is_seen.reset(nodes.len());
    is_seen.set(node, ());
    seen.clear();
    cones.clear();
    let mut see = |other: u32| {
        if is_seen.get(other as usize).is_none() {
            is_seen.set(other as usize, ());
            seen.push(other);
        }
    };
    // Corners are where they are; ends of links were rounded.
    let is_stop = nodes[node].wedge.is_stop();
    let rounding = if is_stop { plan.rounding } else { 0.0 };
    plan.look(root, touched, None, &mut see, |cone| {
        if is_stop || cone.has_width(root) {
            cones.push(cone);
        }
    });
    let mut count = 0;
    while let Some(cone) = cones.pop() {
        count += 1;
        plan.follow(root, &cone, None, rounding, &mut see, |cone| {
            cones.push(cone)
        });
    }
    count
}

/// Returns whether the line between two nodes that see each other is tangent at both ends.
fn is_tangent(nodes: &[Node], a: usize, b: usize, rounding: f64) -> bool {
    let [from, to] = [a, b].map(|node| in_plan(nodes[node].point));
    let is_stop = [a, b].map(|node| nodes[node].wedge.is_stop());
    let rounding = if is_stop.contains(&true) {
        rounding
    } else {
        0.0
    };
    [a, b]
        .into_iter()
        .all(|node| nodes[node].wedge.sides(from, to, rounding).is_tangent())
}

/// Orders the nodes `a` and `b` as seen from `node`, whose obstacle is on the given side of both lines: the
/// one that lies more towards that side comes first. All such lines lie in a half-plane that ends at the
/// obstacle, so two opposite ones are ordered by which of them leads along the obstacle.
fn by_turn(
    positions: &[DVec2],
    node: usize,
    wall: Option<DVec2>,
    side: u8,
    [a, b]: [usize; 2],
) -> Ordering {
    let Some(wall) = wall else {
        return a.cmp(&b);
    };
    let here = positions[node];
    let [to_a, to_b] = [positions[a], positions[b]].map(|point| point - here);
    // A node at the same position can always be reached.
    let is_away = |to: DVec2| to != DVec2::ZERO;
    let turn = super::orientation(here, positions[a], positions[b]);
    let turn = if side == ObstacleSides::LEFT {
        turn
    } else {
        -turn
    };
    let is_opposite = turn == 0.0 && to_a.dot(to_b) < 0.0;
    let by_direction = match is_opposite {
        true => to_b.dot(wall - here).total_cmp(&to_a.dot(wall - here)),
        // `b` is more to the left if the turn is to the left.
        false => turn.partial_cmp(&0.0).unwrap_or(Ordering::Equal),
    };
    let by_position = is_away(to_a).cmp(&is_away(to_b));
    by_position.then(by_direction).then_with(|| a.cmp(&b))
}

impl Node {
    /// Returns the node of a corner.
    pub(super) fn at_corner(corner: &Corner, polygon: u32) -> Self {
        Self {
            point: corner.point,
            wedge: corner.wedge,
            polygon,
        }
    }
}
