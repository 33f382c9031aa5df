//! The search by hub labels: everything that start and goal see, and the best hub between them.

use glam::{DVec2, Vec3Swizzles};

use super::ExactIndex;
use super::labels::NodeLabels;
use super::scratch::{ExactScratch, HubOfGoal, PathNode, SightOfEnd};
use super::search::{GOAL, START, TERMINALS};
use super::views::Views;
use crate::navmesh::Location;
use crate::query::{Event, Observer};

impl ExactIndex {
    /// Finds the shortest path between the two ends of the scratch, of at most `max_length`, and writes its
    /// nodes to `scratch.path`. `has_nodes` tells for each end whether the nodes that it sees are known. They are known
    /// only if the ends do not see each other.
    pub(super) fn search_hubs<O: Observer>(
        &self,
        labels: &NodeLabels,
        max_length: f64,
        has_nodes: [bool; 2],
        scratch: &mut ExactScratch,
        observer: &mut O,
    ) -> Option<f64> {
        for end in [GOAL, START] {
            if !has_nodes[end] && self.look_around(end, scratch, observer) {
                let [start, goal] = [START, GOAL].map(|end| scratch.ends[end].point);
                let length = start.distance(goal);
                return (length <= max_length).then_some(length);
            }
        }
        let ExactScratch {
            ends,
            hubs,
            work,
            path,
            ..
        } = &mut *scratch;
        let epoch = hubs.reset(self.graph.nodes.len());
        for &(node, length) in &ends[GOAL].nodes {
            let label = labels.of(node);
            work.entries += label.len() as u32;
            for (index, entry) in label.iter().enumerate() {
                let known = &mut hubs.of_hubs[entry.hub as usize];
                let length = length + entry.length;
                if known.epoch != epoch || length < known.length {
                    *known = HubOfGoal {
                        length,
                        entry: labels.first_entry(node) + index as u32,
                        epoch,
                    };
                }
            }
        }
        let goal = ends[GOAL].point;
        let mut best_length = max_length.next_up();
        // The first node and its entry, and the entry of a node that the goal sees.
        let mut best = None;
        for &(node, length) in &ends[START].nodes {
            if length + self.graph.positions[node as usize].distance(goal) >= best_length {
                continue;
            }
            let label = labels.of(node);
            work.entries += label.len() as u32;
            for (index, entry) in label.iter().enumerate() {
                let hub = &hubs.of_hubs[entry.hub as usize];
                let total = length + entry.length + hub.length;
                if hub.epoch == epoch && total < best_length {
                    best_length = total;
                    best = Some((node, index, hub.entry));
                }
            }
        }
        let (first, index, last_entry) = best?;
        let entry = labels.first_entry(first) + index as u32;
        let has_entry = |&&(node, _): &&(u32, f64)| labels.has_entry(node, last_entry);
        let &(last, _) = ends[GOAL].nodes.iter().find(has_entry)?;
        let mut add = |node| {
            path.push(PathNode {
                node,
                by_link: false,
            })
        };
        add(first);
        labels.path_to_hub(entry, &mut add);
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
        labels.path_to_hub(last_entry, &mut add);
        path.pop();
        path[middle..].reverse();
        Some(best_length)
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
            if let Some(length) = self.tangent_length(node, root) {
                nodes.push((node, length));
                if O::WATCHES {
                    let point = self.graph.nodes[node as usize].point;
                    observer.observe(Event::Seen(TERMINALS[end], point));
                }
            }
        }
        false
    }

    /// Finds all nodes that an end sees along tangents, on the way to goals at the position `goal` of the tour, by the
    /// views of its polygon. Returns false if they are not known, or if it touches other polygons.
    #[inline(always)]
    pub(super) fn view(
        &self,
        views: &Views,
        location: Location,
        goal: u32,
        sight: &mut SightOfEnd,
    ) -> bool {
        let SightOfEnd {
            point,
            touched,
            nodes,
            ..
        } = sight;
        nodes.clear();
        touched.clear();
        let polygon = location.polygon.0;
        touched.push(polygon);
        let at = location.point.xz();
        views.see_from(&self.plan, polygon, at, goal, |node, is_doubtful| {
            let length = match is_doubtful {
                true => self.tangent_length(node, *point),
                false => Some(point.distance(self.graph.positions[node as usize])),
            };
            if let Some(length) = length {
                nodes.push((node, length));
            }
        })
    }

    /// Returns the length of the line between an end and a node that it sees, if it is tangent at the node.
    #[inline(always)]
    fn tangent_length(&self, node: u32, end: DVec2) -> Option<f64> {
        let position = self.graph.positions[node as usize];
        let wedge = &self.graph.nodes[node as usize].wedge;
        let sides = wedge.sides(end, position, self.plan.turn_slack());
        sides.is_tangent().then(|| end.distance(position))
    }
}
