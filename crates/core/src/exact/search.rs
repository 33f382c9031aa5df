//! The lazy search: A* over the taut graph, in which start and goal look around only as far as needed.
//!
//! One queue has cones of sight from the start, cones from the goal, nodes that the start reaches, and nodes
//! that reach the goal over dead ends. All are ordered by a lower bound on the length of a path over them, so
//! the search ends when the best path is no longer than the first entry.

use glam::DVec2;

use super::orientation::orientation;
use super::scratch::{ExactScratch, NodeState, PathNode};
use super::sight::{Cone, manhattan};
use super::{ExactIndex, NONE};
use crate::ids::Terminal;
use crate::query::{Event, Observer};
use crate::search::{entry, unpack};

/// The two ends of a query.
pub(super) const START: usize = 0;
pub(super) const GOAL: usize = 1;
pub(super) const TERMINALS: [Terminal; 2] = [Terminal::Start, Terminal::Goal];

/// What an entry of the queue stands for, in its lowest two bits: the [end](START) for cones, and for nodes
/// the end plus 2.
const NODE: u32 = 2;

/// The best path so far.
#[derive(Clone, Copy)]
struct Best {
    /// Its length, or the limit on the length.
    length: f64,
    over: Over,
}

/// The nodes of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// There is no path yet.
    None,
    /// Start and goal see each other.
    Nothing,
    /// The path leads over this node.
    Node(u32),
}

/// Rounds a length down to `f32`, so that it stays a lower bound.
#[inline(always)]
fn round_down(length: f64) -> f32 {
    let rounded = length as f32;
    // Lengths are not negative, so the next smaller number has the next smaller bits.
    f32::from_bits(rounded.to_bits() - u32::from(f64::from(rounded) > length))
}

impl ExactIndex {
    /// Finds the shortest path between the two ends of the scratch, of at most `max_length`, and writes its
    /// nodes to `scratch.path`. `is_straight` means that the straight line between the ends is known to be free.
    pub(super) fn search_lazily<O: Observer>(
        &self,
        max_length: f64,
        is_straight: bool,
        scratch: &mut ExactScratch,
        observer: &mut O,
    ) -> Option<f64> {
        scratch.reached.reset(self.graph.nodes.len());
        scratch.queue.clear();
        let [start, goal] = [START, GOAL].map(|end| scratch.ends[end].point);
        let straight = Best {
            length: start.distance(goal),
            over: Over::Nothing,
        };
        let mut search = LazySearch {
            index: self,
            best: match is_straight && straight.length <= max_length {
                true => straight,
                false => Best {
                    length: max_length.next_up(),
                    over: Over::None,
                },
            },
            held: NO_ENTRY,
            scratch,
            observer,
        };
        search.run();
        let best = search.best;
        match best.over {
            Over::None => return None,
            Over::Node(node) => trace(node, scratch),
            Over::Nothing => {}
        }
        Some(best.length)
    }
}

/// Writes the path over a node that both ends have reached.
fn trace(middle: u32, scratch: &mut ExactScratch) {
    let ExactScratch { reached, path, .. } = scratch;
    let mut node = middle;
    while node != NONE {
        let state = reached.known(START, node as usize);
        let by_link = state.by_link();
        path.push(PathNode { node, by_link });
        node = state.before;
    }
    path.reverse();
    let mut node = reached.known(GOAL, middle as usize).before;
    while node != NONE {
        path.push(PathNode {
            node,
            by_link: false,
        });
        node = reached.known(GOAL, node as usize).before;
    }
}

struct LazySearch<'a, O> {
    index: &'a ExactIndex,
    best: Best,
    /// The entry of the nearest node that the last settled node leads to. It waits outside of the queue, because
    /// it is often the next one. [`NO_ENTRY`] if there is none.
    held: u64,
    scratch: &'a mut ExactScratch,
    observer: &'a mut O,
}

/// An entry that is larger than all others.
const NO_ENTRY: u64 = u64::MAX;

impl<O: Observer> LazySearch<'_, O> {
    fn run(&mut self) {
        for end in [START, GOAL] {
            self.look(end);
            self.consider_seen(end);
        }
        while let Some(popped) = self.next_entry() {
            let (bound, payload) = unpack(popped);
            if f64::from(bound) >= self.best.length {
                break;
            }
            let (kind, at) = (payload & 3, payload >> 2);
            let end = (kind & 1) as usize;
            if kind & NODE == 0 {
                self.follow(end, at as usize, bound);
                if self.best.over == Over::Nothing && self.index.link_scale >= 1.0 {
                    // Nothing is shorter than a straight line.
                    break;
                }
                self.consider_seen(end);
            } else if end == START {
                self.settle(at as usize);
            } else {
                self.settle_backwards(at as usize);
            }
        }
    }

    fn next_entry(&mut self) -> Option<u64> {
        match std::mem::replace(&mut self.held, NO_ENTRY) {
            NO_ENTRY => self.scratch.queue.pop(),
            held => Some(self.scratch.queue.push_pop(held)),
        }
    }

    /// Returns a lower bound on the cost of a path of at least this length.
    #[inline(always)]
    fn bound(&self, length: f64) -> f64 {
        length * self.index.link_scale
    }

    /// Returns the position that the path of an end leads to: the other end.
    #[inline(always)]
    fn other(&self, end: usize) -> DVec2 {
        self.scratch.ends[1 - end].point
    }

    fn look(&mut self, end: usize) {
        let ExactIndex { plan, .. } = self.index;
        let ExactScratch {
            ends,
            seen,
            entered,
            ..
        } = &mut *self.scratch;
        let goal = plan.tour[ends[1 - end].touched[0] as usize];
        entered.clear();
        plan.look(
            ends[end].point,
            &ends[end].touched,
            Some(goal),
            |node| seen.push(node),
            |cone| entered.push(cone),
        );
        ends[end].cones.clear();
        let target = self.other(end);
        for i in 0..self.scratch.entered.len() {
            let cone = self.scratch.entered[i];
            let root = self.scratch.ends[end].point;
            // Of a cone without width only the distance to the other end is known.
            let length = match cone.has_width(root) {
                true => {
                    let side = &self.index.plan.sides[cone.side as usize];
                    cone.min_length(root, side, target)
                }
                false => root.distance(target),
            };
            let bound = self.bound(length);
            self.push_cone(end, cone, bound);
        }
    }

    fn push_cone(&mut self, end: usize, cone: Cone, bound: f64) {
        if bound < self.best.length {
            let cones = &mut self.scratch.ends[end].cones;
            let payload = (cones.len() as u32) << 2 | end as u32;
            cones.push(cone);
            self.scratch.queue.push(entry(round_down(bound), payload));
        }
    }

    /// Follows a cone, and goes on with the cone behind it as long as the bound does not grow.
    fn follow(&mut self, end: usize, at: usize, bound: f32) {
        let plan = &self.index.plan;
        let target = self.other(end);
        let root = self.scratch.ends[end].point;
        let goal_polygon = self.scratch.ends[1 - end].touched[0];
        let goal = plan.tour[goal_polygon as usize];
        let mut cone = self.scratch.ends[end].cones[at];
        loop {
            self.scratch.work.cones += 1;
            if O::WATCHES {
                let interval = cone.seen_through(root, &plan.sides[cone.side as usize]);
                self.observer
                    .observe(Event::Interval(TERMINALS[end], interval));
            }
            let beyond = plan.sides[cone.side as usize].beyond;
            let touched = &self.scratch.ends[1 - end].touched;
            let is_there = beyond == goal_polygon || touched.len() > 1 && touched.contains(&beyond);
            if is_there && cone.contains(root, target, plan.rounding) {
                let length = root.distance(target);
                if length < self.best.length {
                    self.best = Best {
                        length,
                        over: Over::Nothing,
                    };
                }
                if self.index.link_scale >= 1.0 {
                    return;
                }
                // A link beyond may be cheaper than the straight line.
            }
            let ExactScratch { seen, entered, .. } = &mut *self.scratch;
            entered.clear();
            plan.follow(
                root,
                &cone,
                Some(goal),
                plan.rounding,
                |node| seen.push(node),
                |cone| entered.push(cone),
            );
            let mut next = None;
            for i in 0..self.scratch.entered.len() {
                let behind = self.scratch.entered[i];
                let side = &plan.sides[behind.side as usize];
                let new_bound = self.bound(behind.min_length(root, side, target));
                if next.is_none() && round_down(new_bound) <= bound {
                    next = Some(behind);
                } else {
                    self.push_cone(end, behind, new_bound);
                }
            }
            match next {
                Some(behind) => cone = behind,
                None => return,
            }
        }
    }

    /// Takes in the nodes that an end has come to see.
    #[inline(always)]
    fn consider_seen(&mut self, end: usize) {
        let ExactIndex { graph, .. } = self.index;
        let (point, target) = (self.scratch.ends[end].point, self.other(end));
        for i in 0..self.scratch.seen.len() {
            let node = self.scratch.seen[i] as usize;
            let position = graph.positions[node];
            let length = point.distance(position);
            let bound = length + self.bound(position.distance(target));
            let reached = &mut self.scratch.reached;
            if bound >= self.best.length || reached.length(end, node) <= length {
                continue;
            }
            let [from, to] = if end == START {
                [point, position]
            } else {
                [position, point]
            };
            let rounding = self.index.plan.turn_slack();
            let sides = graph.nodes[node].wedge.sides(from, to, rounding);
            if !sides.is_tangent() {
                continue;
            }
            reached.set(end, node, NodeState::new(length, NONE, sides.0));
            if O::WATCHES {
                let point = graph.nodes[node].point;
                self.observer.observe(Event::Seen(TERMINALS[end], point));
            }
            self.meet(end, node, length);
            let goes_on = match end {
                START => graph.has_forward(node) || self.index.has_link(node),
                _ => graph.has_backward(node),
            };
            if goes_on {
                self.push_node(end, node, bound);
            }
        }
        self.scratch.seen.clear();
    }

    #[inline(always)]
    fn push_node(&mut self, end: usize, node: usize, bound: f64) {
        let payload = (node as u32) << 2 | NODE | end as u32;
        let new = entry(round_down(bound), payload);
        let later = if new < self.held {
            std::mem::replace(&mut self.held, new)
        } else {
            new
        };
        if later != NO_ENTRY {
            self.scratch.queue.push(later);
        }
    }

    /// Updates the best path if the other end has reached the node, too.
    #[inline(always)]
    fn meet(&mut self, end: usize, node: usize, length: f64) {
        let reached = &self.scratch.reached;
        let rest = match end {
            START => reached.length_to_goal(node),
            _ => reached.length(START, node),
        };
        let total = length + rest;
        if total < self.best.length {
            self.best = Best {
                length: total,
                over: Over::Node(node as u32),
            };
        }
    }

    /// Follows the taut edges that leave a node.
    fn settle(&mut self, node: usize) {
        let graph = &self.index.graph;
        let state = self.scratch.reached.known(START, node);
        if state.is_settled() {
            return;
        }
        self.scratch.reached.settle(START, node);
        if O::WATCHES {
            let point = graph.nodes[node].point;
            self.observer
                .observe(Event::Corner(TERMINALS[START], point));
        }
        let position = graph.positions[node];
        let target = self.other(START);
        let (before, rounding) = match state.before {
            NONE => (self.scratch.ends[START].point, self.index.plan.turn_slack()),
            before => (graph.positions[before as usize], 0.0),
        };
        let is_free = graph.is_free(node);
        let (best, mut held) = (self.best.length, self.held);
        let ExactScratch {
            reached,
            queue,
            work,
            ..
        } = &mut *self.scratch;
        work.nodes += 1;
        // The best path that the other end has reached, over the edges of this node.
        let mut met = (f64::INFINITY, NONE);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if state.sides() >> side & 1 == 0 {
                continue;
            }
            for &edge in graph.forward(node, side) {
                work.edges += 1;
                let there = edge.position();
                let turn = orientation(before, position, there) * sign;
                let is_turn = turn >= 0.0 || turn >= -rounding * manhattan(there - position);
                if !is_turn && !is_free {
                    break;
                }
                let length = state.length + position.distance(there);
                let bound = length + there.distance(target) * self.index.link_scale;
                let to = edge.to();
                if bound >= best || reached.length(START, to) <= length {
                    continue;
                }
                reached.set(START, to, NodeState::new(length, node as u32, edge.sides()));
                let total = length + reached.length_to_goal(to);
                if total < met.0 {
                    met = (total, to as u32);
                }
                let new = entry(round_down(bound), (to as u32) << 2 | NODE | START as u32);
                let later = if new < held {
                    std::mem::replace(&mut held, new)
                } else {
                    new
                };
                if later != NO_ENTRY {
                    queue.push(later);
                }
            }
        }
        self.held = held;
        if met.0 < self.best.length {
            self.best = Best {
                length: met.0,
                over: Over::Node(met.1),
            };
        }
        if is_free && let Some((to, cost)) = self.index.link_from(node) {
            self.relax_link(node, to, state.length + cost);
        }
    }

    fn relax_link(&mut self, node: usize, to: usize, length: f64) {
        let there = self.index.graph.positions[to];
        let bound = length + self.bound(there.distance(self.other(START)));
        if self.scratch.reached.length(START, to) <= length || bound >= self.best.length {
            return;
        }
        let state = NodeState::through_link(length, node as u32);
        self.scratch.reached.set(START, to, state);
        self.meet(START, to, length);
        self.push_node(START, to, bound);
    }

    /// Follows the dead ends that lead to a node backwards.
    fn settle_backwards(&mut self, node: usize) {
        let graph = &self.index.graph;
        let state = self.scratch.reached.known(GOAL, node);
        if state.is_settled() {
            return;
        }
        self.scratch.reached.settle(GOAL, node);
        if O::WATCHES {
            let point = graph.nodes[node].point;
            self.observer.observe(Event::Corner(TERMINALS[GOAL], point));
        }
        self.scratch.work.nodes += 1;
        let (position, target) = (graph.positions[node], self.other(GOAL));
        let (after, rounding) = match state.before {
            NONE => (self.scratch.ends[GOAL].point, self.index.plan.turn_slack()),
            after => (graph.positions[after as usize], 0.0),
        };
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if state.sides() >> side & 1 == 0 {
                continue;
            }
            for &edge in graph.backward(node, side) {
                self.scratch.work.edges += 1;
                let from = edge.to();
                let there = edge.position();
                let turn = orientation(there, position, after) * sign;
                if turn < 0.0 && turn < -rounding * manhattan(there - position) {
                    break;
                }
                let length = state.length + there.distance(position);
                let bound = length + self.bound(there.distance(target));
                if self.scratch.reached.length(GOAL, from) <= length || bound >= self.best.length {
                    continue;
                }
                let state = NodeState::new(length, node as u32, edge.sides());
                self.scratch.reached.set(GOAL, from, state);
                self.meet(GOAL, from, length);
                self.push_node(GOAL, from, bound);
            }
        }
    }
}
