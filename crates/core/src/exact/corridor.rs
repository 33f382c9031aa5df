//! The polygons along a path of which only the bends are known.
//!
//! Each leg of the path is walked from polygon to polygon (`walk.rs`).

use super::ExactIndex;
use super::orientation::orientation;
use super::scratch::ExactScratch;
use super::walk::{Leg, LegEnd};
use crate::ids::PolygonId;
use crate::navmesh::Location;
use crate::path::{Bend, Corridor, Crossing, LinkLeg, Path};

/// The end of a leg: a corner, an end of a link, or the goal.
struct NodeOrGoal<'a> {
    index: &'a ExactIndex,
    /// The goal if there is none.
    node: Option<usize>,
    touched_by_goal: &'a [u32],
}

impl LegEnd for NodeOrGoal<'_> {
    fn is_on(&self, polygon: u32) -> bool {
        match self.node {
            None => self.touched_by_goal.contains(&polygon),
            Some(node) => self.index.touches_node(polygon, node),
        }
    }

    #[inline]
    fn is_inside(&self, polygon: u32) -> bool {
        let is_corner = |node| self.index.link_end(node).is_none();
        !self.node.is_some_and(is_corner) && self.is_on(polygon)
    }
}

impl ExactIndex {
    /// Writes the corridor and the bends of the path that the last [`search`](Self::search) with this scratch
    /// found. The last bend is the goal. Returns false if a leg cannot be followed, which would be a fault of
    /// the search.
    pub(crate) fn follow(
        &self,
        [start, goal]: [Location; 2],
        scratch: &mut ExactScratch,
        corridor: &mut Corridor,
        bends: &mut Vec<Bend>,
    ) -> bool {
        let ExactScratch {
            ends, path, walk, ..
        } = scratch;
        corridor.clear();
        bends.clear();
        corridor.polygons.push(start.polygon);
        let [from_start, to_goal] = ends;
        let mut here = start.polygon.0;
        let mut position = from_start.point;
        let mut before = position;
        let last = path.len();
        // Whether the point before a leg was rounded: the start, the goal or an end of a link.
        let is_rounded = |leg: usize| match leg.checked_sub(1).and_then(|node| path.get(node)) {
            Some(step) => self.graph.nodes[step.node as usize].wedge.is_stop(),
            None => true,
        };
        for i in 0..=last {
            let node = path.get(i).map(|step| step.node as usize);
            let target = node.map_or(to_goal.point, |node| self.graph.positions[node]);
            let mut link = None;
            match node {
                Some(node) if path[i].by_link => {
                    let (id, end) = self.link_end(node).expect("a link leads to an end of it");
                    // The path has reached the point where the link begins, perhaps in another polygon there.
                    let entry = path[i - 1].node as usize;
                    let first = self.graph.nodes[entry].polygon;
                    let is_touched = |polygon| self.touches_node(polygon, entry);
                    let plan = &self.plan;
                    if !plan.go_around(here, first, position, is_touched, walk) {
                        return false;
                    }
                    self.add_crossings(&walk.crossed, corridor);
                    link = Some(id);
                    here = self.graph.nodes[node].polygon;
                    corridor.crossings.push(Crossing::Link(id, 1 - end as u8));
                    corridor.polygons.push(PolygonId(here));
                }
                _ => {
                    let leg = Leg {
                        from: position,
                        to: target,
                        rounding: if is_rounded(i) || is_rounded(i + 1) {
                            self.plan.rounding
                        } else {
                            0.0
                        },
                        turn: orientation(before, position, target),
                    };
                    let end = NodeOrGoal {
                        index: self,
                        node,
                        touched_by_goal: &to_goal.touched,
                    };
                    let begins: &[u32] = if i == 0 { &from_start.touched } else { &[] };
                    let Some(there) = self.plan.walk(here, begins, leg, &end, walk) else {
                        return false;
                    };
                    here = there;
                    self.add_crossings(&walk.crossed, corridor);
                }
            }
            before = std::mem::replace(&mut position, target);
            if i == last {
                let is_touched = |polygon| to_goal.touched.contains(&polygon);
                let plan = &self.plan;
                if !plan.go_around(here, goal.polygon.0, position, is_touched, walk) {
                    return false;
                }
                self.add_crossings(&walk.crossed, corridor);
            }
            bends.push(Bend {
                point: node.map_or(goal.point, |node| self.graph.nodes[node].point),
                polygon: corridor.polygons.len() as u32 - 1,
                link,
            });
        }
        true
    }

    /// Writes the waypoints of the path that the last [`search`](Self::search) with this scratch found, without
    /// its corridor.
    pub(crate) fn bend(
        &self,
        [start, goal]: [Location; 2],
        scratch: &ExactScratch,
        path: &mut Path,
    ) {
        path.waypoints.reserve(scratch.path.len() + 2);
        path.waypoints.push(start.point);
        if self.has_links() {
            self.bend_over_links(scratch, path);
        } else {
            let nodes = scratch.path.iter().map(|step| step.node as usize);
            path.waypoints
                .extend(nodes.map(|node| self.graph.nodes[node].point));
        }
        path.waypoints.push(goal.point);
    }

    /// Writes the waypoints at the nodes of a path that may use links.
    fn bend_over_links(&self, scratch: &ExactScratch, path: &mut Path) {
        for step in &scratch.path {
            let node = step.node as usize;
            if step.by_link {
                let (link, _) = self.link_end(node).expect("a link leads to an end of it");
                let waypoint = path.waypoints.len() as u32 - 1;
                path.links.push(LinkLeg { waypoint, link });
            }
            path.waypoints.push(self.graph.nodes[node].point);
        }
    }

    fn add_crossings(&self, sides: &[u32], corridor: &mut Corridor) {
        let portals = sides.iter().map(|&side| self.plan.portal(side as usize));
        corridor.crossings.extend(portals.map(Crossing::Portal));
        let sides = sides.iter().map(|&side| &self.plan.sides[side as usize]);
        let polygons = sides.map(|side| PolygonId(side.beyond));
        corridor.polygons.extend(polygons);
    }

    /// Returns whether a node lies on a polygon.
    fn touches_node(&self, polygon: u32, node: usize) -> bool {
        if self.link_end(node).is_some() {
            let mut stops = self.plan.stops_on(polygon).iter();
            return stops.any(|&(stop, _)| stop as usize == node);
        }
        let sides = &self.plan.sides[self.plan.sides_of(polygon)];
        sides
            .iter()
            .any(|side| side.corners.contains(&(node as u32)))
    }
}
