//! The search by hub labels: everything that start and goal see, and the best hub between them.

use super::ExactIndex;
use super::labels::NodeLabels;
use super::scratch::{ExactScratch, PathNode, SightOfEnd};
use super::search::{Best, GOAL, Over, START, TERMINALS};
use crate::query::{Event, Observer};

impl ExactIndex {
    /// Finds the shortest path between the two ends of the scratch, of at most `max_length`, and writes its
    /// nodes to `scratch.path`.
    pub(super) fn search_hubs<O: Observer>(
        &self,
        labels: &NodeLabels,
        max_length: f64,
        scratch: &mut ExactScratch,
        observer: &mut O,
    ) -> Option<f64> {
        let mut best = Best {
            length: max_length.next_up(),
            over: Over::None,
        };
        for end in [GOAL, START] {
            if self.look_around(end, scratch, observer) {
                let [start, goal] = [START, GOAL].map(|end| scratch.ends[end].point);
                let length = start.distance(goal);
                return (length <= max_length).then_some(length);
            }
        }
        let ExactScratch {
            ends, hubs, work, ..
        } = &mut *scratch;
        hubs.reset(self.graph.nodes.len());
        for &(node, length) in &ends[GOAL].nodes {
            work.entries += labels.of(node).len() as u32;
            for entry in labels.of(node) {
                let length = length + entry.length;
                hubs.update(entry.hub as usize, |known| match known {
                    Some(&(known, _)) if known <= length => None,
                    _ => Some((length, node)),
                });
            }
        }
        let goal = ends[GOAL].point;
        for &(first, length) in &ends[START].nodes {
            if length + self.graph.positions[first as usize].distance(goal) >= best.length {
                continue;
            }
            work.entries += labels.of(first).len() as u32;
            for entry in labels.of(first) {
                let Some((to_goal, last)) = hubs.get(entry.hub as usize) else {
                    continue;
                };
                let total = length + entry.length + to_goal;
                if total < best.length {
                    let hub = entry.hub;
                    best = Best {
                        length: total,
                        over: Over::Hub { first, hub, last },
                    };
                }
            }
        }
        let Over::Hub { first, hub, last } = best.over else {
            return None;
        };
        let path = &mut scratch.path;
        let mut add = |node| {
            path.push(PathNode {
                node,
                by_link: false,
            })
        };
        add(first);
        labels.path_to_hub(first, hub, &mut add);
        // From the goal to the hub, reversed. The hub itself is already there, unless both parts are the same
        // single node.
        let middle = path.len();
        let mut add = |node| {
            path.push(PathNode {
                node,
                by_link: false,
            })
        };
        add(last);
        labels.path_to_hub(last, hub, &mut add);
        path.pop();
        path[middle..].reverse();
        Some(best.length)
    }

    /// Finds all nodes that an end sees along tangents. Returns true if it sees the other end.
    fn look_around<O: Observer>(
        &self,
        end: usize,
        scratch: &mut ExactScratch,
        observer: &mut O,
    ) -> bool {
        let ExactScratch {
            ends, seen, work, ..
        } = scratch;
        let (target, target_polygon) = (ends[1 - end].point, ends[1 - end].touched[0]);
        let goal = self.plan.tour[target_polygon as usize];
        let [start_end, goal_end] = ends;
        let (this, other) = if end == START {
            (start_end, &*goal_end)
        } else {
            (goal_end, &*start_end)
        };
        let SightOfEnd {
            point,
            touched,
            cones,
            nodes,
            is_seen,
        } = this;
        let (root, rounding) = (*point, self.plan.rounding);
        cones.clear();
        nodes.clear();
        seen.clear();
        is_seen.reset(self.graph.nodes.len());
        let mut see = |node: u32| {
            if is_seen.get(node as usize).is_none() {
                is_seen.set(node as usize, ());
                seen.push(node);
            }
        };
        self.plan
            .look(root, touched, Some(goal), &mut see, |cone| cones.push(cone));
        while let Some(cone) = cones.pop() {
            work.cones += 1;
            if O::WATCHES {
                let interval = cone.seen_through(root, &self.plan.sides[cone.side as usize]);
                observer.observe(Event::Interval(TERMINALS[end], interval));
            }
            let beyond = self.plan.sides[cone.side as usize].beyond;
            let is_there = beyond == target_polygon
                || other.touched.len() > 1 && other.touched.contains(&beyond);
            if is_there && cone.contains(root, target, rounding) {
                return true;
            }
            self.plan
                .follow(root, &cone, Some(goal), rounding, &mut see, |cone| {
                    cones.push(cone)
                });
        }
        for &node in &*seen {
            let position = self.graph.positions[node as usize];
            let [from, to] = if end == START {
                [root, position]
            } else {
                [position, root]
            };
            if self.graph.nodes[node as usize]
                .wedge
                .sides(from, to, self.turn_slack())
                .is_tangent()
            {
                nodes.push((node, root.distance(position)));
                if O::WATCHES {
                    let point = self.graph.nodes[node as usize].point;
                    observer.observe(Event::Seen(TERMINALS[end], point));
                }
            }
        }
        false
    }
}
