//! The polygons along a path of which only the bends are known.
//!
//! A leg of the path is walked from polygon to polygon through the sides that it crosses. If it passes exactly
//! over a vertex or along a side, a breadth-first search among the polygons that it touches goes on.

use glam::DVec2;

use super::orientation::orientation;
use super::plan::{PlanMesh, Side};
use super::scratch::{ExactScratch, SightOfEnd};
use super::sight::manhattan;
use super::{ExactIndex, NONE};
use crate::ids::PolygonId;
use crate::navmesh::Location;
use crate::path::{Bend, Corridor, Crossing, LinkLeg, Path};

/// The buffers of walks.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkBuffers {
    steps: Vec<Step>,
    /// The sides that a walk crosses.
    crossed: Vec<u32>,
}

/// A polygon that a breadth-first search has reached.
#[derive(Clone, Copy, Debug)]
struct Step {
    polygon: u32,
    /// The step before; [`NONE`] at the first.
    before: u32,
    /// The side that was crossed.
    side: u32,
    /// How far along the leg that is, as a fraction of it.
    fraction: f64,
}

/// How a leg leaves a polygon.
enum Exit {
    /// It crosses this side properly.
    Side(usize),
    /// It ends in the polygon, or passes over a vertex or along a side.
    Unclear,
}

/// Fractions of a leg that differ by less may be the same point.
const ROUNDING: f64 = 1e-9;

/// A straight line between two points of the path.
#[derive(Clone, Copy)]
struct Leg {
    from: DVec2,
    to: DVec2,
    /// By how much its ends may have been moved by rounding.
    rounding: f64,
    /// How the path turns where the leg begins: left if positive, right if negative.
    turn: f64,
}

/// The number of polygons around a corner that a walk looks at before it searches.
const MAX_TURNS: usize = 64;

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
                    let is_there = |polygon: u32| match node {
                        None => to_goal.touched.contains(&polygon),
                        Some(node) => self.touches_node(polygon, node),
                    };
                    // A link may end inside a polygon, too.
                    let may_end_inside = node.is_none_or(|node| self.link_end(node).is_some());
                    let is_goal = |polygon: u32| may_end_inside && is_there(polygon);
                    let begins: &[u32] = if i == 0 { &from_start.touched } else { &[] };
                    let Some(end) = self.plan.walk(here, begins, leg, is_goal, is_there, walk)
                    else {
                        return false;
                    };
                    here = end;
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
        path.waypoints.push(start.point);
        for step in &scratch.path {
            let node = step.node as usize;
            if step.by_link {
                let (link, _) = self.link_end(node).expect("a link leads to an end of it");
                let waypoint = path.waypoints.len() as u32 - 1;
                path.links.push(LinkLeg { waypoint, link });
            }
            path.waypoints.push(self.graph.nodes[node].point);
        }
        path.waypoints.push(goal.point);
    }

    fn add_crossings(&self, sides: &[u32], corridor: &mut Corridor) {
        for &side in sides {
            let portal = self.plan.portal(side as usize);
            corridor.crossings.push(Crossing::Portal(portal));
            let beyond = self.plan.sides[side as usize].beyond;
            corridor.polygons.push(PolygonId(beyond));
        }
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

impl PlanMesh {
    /// Walks along a leg from a polygon to one that satisfies `is_there`. A polygon that the leg leaves by
    /// crossing a side properly is only looked at if it satisfies `is_goal`: a leg ends at a corner, which lies
    /// on the leg, or inside a polygon of the goal. Sets `buffers.crossed` to the sides
    /// that it crosses, and returns that polygon. `begins` are the polygons that the first point touches if
    /// they are known.
    fn walk(
        &self,
        from: u32,
        begins: &[u32],
        leg: Leg,
        is_goal: impl Fn(u32) -> bool,
        is_there: impl Fn(u32) -> bool,
        buffers: &mut WalkBuffers,
    ) -> Option<u32> {
        let crossed = &mut buffers.crossed;
        crossed.clear();
        let mut here = from;
        let mut exit = None;
        // Turn around the corner at which the leg begins, on the side away from the obstacle, until a polygon
        // is found that the leg passes through.
        for _ in 0..MAX_TURNS {
            if is_there(here) {
                return Some(here);
            }
            let sides = self.sides_of(here);
            exit = sides.clone().find(|&side| leg.crosses(&self.sides[side]));
            if exit.is_some() || leg.turn == 0.0 {
                break;
            }
            let mut sides = sides.zip(&self.sides[self.sides_of(here)]);
            let next = match leg.turn > 0.0 {
                true => sides.find(|(_, side)| side.left == leg.from),
                false => sides.find(|(_, side)| side.right == leg.from),
            };
            let Some((index, side)) = next else { break };
            crossed.push(index as u32);
            here = side.beyond;
        }
        if exit.is_none() {
            crossed.clear();
            here = from;
        }
        while let Some(side) = exit {
            crossed.push(side as u32);
            let Side { beyond, .. } = self.sides[side];
            here = beyond;
            match self.exit_of(&self.sides[side], leg) {
                // Where polygons overlap by rounding, it could go around in circles.
                _ if crossed.len() > self.sides.len() => break,
                Exit::Side(side) if !is_goal(here) => exit = Some(side),
                _ if is_there(here) => return Some(here),
                Exit::Side(side) => exit = Some(side),
                Exit::Unclear => break,
            }
        }
        // The leg passes over a vertex or along a side.
        let at = match crossed.last() {
            Some(&side) => {
                let contact = leg.contact(&self.sides[side as usize]);
                contact.map_or(0.0, |[low, _]| low)
            }
            None => 0.0,
        };
        let first = Step {
            polygon: here,
            before: NONE,
            side: NONE,
            fraction: at,
        };
        let begins_here = if crossed.is_empty() { begins } else { &[] };
        let found = self.search_touched(first, begins_here, leg, &is_there, buffers);
        if found.is_some() || buffers.crossed.is_empty() {
            return found;
        }
        // Rounding has moved the leg to the wrong side of a vertex: search from its beginning.
        buffers.crossed.clear();
        let first = Step {
            polygon: from,
            fraction: 0.0,
            ..first
        };
        self.search_touched(first, begins, leg, &is_there, buffers)
    }

    /// Searches the polygons that a leg touches, breadth-first, for one that satisfies `is_there`. Adds the sides
    /// that lead there to `buffers.crossed`. `begins` are the polygons around the first point of the leg, if the
    /// search begins there.
    fn search_touched(
        &self,
        first: Step,
        begins: &[u32],
        leg: Leg,
        is_there: &impl Fn(u32) -> bool,
        buffers: &mut WalkBuffers,
    ) -> Option<u32> {
        let WalkBuffers { steps, crossed } = buffers;
        steps.clear();
        steps.push(first);
        if begins.len() > 1 {
            let is_touched = |polygon| begins.contains(&polygon);
            self.around(first.polygon, leg.from, is_touched, steps);
        }
        let slack = leg.slack();
        let mut next = 0;
        while let Some(&step) = steps.get(next) {
            if is_there(step.polygon) {
                let first = crossed.len();
                let mut at = next as u32;
                while steps[at as usize].before != NONE {
                    crossed.push(steps[at as usize].side);
                    at = steps[at as usize].before;
                }
                crossed[first..].reverse();
                return Some(step.polygon);
            }
            for side in self.sides_of(step.polygon) {
                let Side { beyond, .. } = self.sides[side];
                let Some([low, high]) = leg.contact(&self.sides[side]) else {
                    continue;
                };
                let is_ahead = high >= step.fraction - slack;
                if is_ahead && steps.iter().all(|step| step.polygon != beyond) {
                    steps.push(Step {
                        polygon: beyond,
                        before: next as u32,
                        side: side as u32,
                        fraction: low.max(step.fraction),
                    });
                }
            }
            next += 1;
        }
        None
    }

    /// Returns whether a straight line leads from one end of a query to the other, as far as that is clear without
    /// looking at what the line touches.
    pub(super) fn is_in_sight(&self, [start, goal]: &[SightOfEnd; 2]) -> bool {
        let leg = Leg {
            from: start.point,
            to: goal.point,
            rounding: 0.0,
            turn: 0.0,
        };
        let mut sides = self.sides_of(start.touched[0]);
        let mut exit = sides.find(|&side| leg.crosses(&self.sides[side]));
        for _ in 0..self.polygon_count() {
            let Some(side) = exit else { return false };
            let side = &self.sides[side];
            if goal.touched.contains(&side.beyond) {
                // A goal on a wall that is on one line with the side may lie before it.
                return orientation(side.right, side.left, leg.to) <= 0.0;
            }
            exit = match self.exit_of(side, leg) {
                Exit::Side(side) => Some(side),
                Exit::Unclear => None,
            };
        }
        false
    }

    /// Returns the side by which a leg leaves a polygon that it has entered by crossing `entry` properly. The
    /// outline of the polygon, from the left end of the entry on, is first on the right of the leg and then on
    /// its left.
    #[inline(always)]
    fn exit_of(&self, entry: &Side, leg: Leg) -> Exit {
        let (first, end, twin) = (entry.first_beyond, entry.end_beyond, entry.twin);
        for index in (twin + 1..end).chain(first..twin) {
            let side = &self.sides[index as usize];
            let left = orientation(leg.from, leg.to, side.left);
            if left < 0.0 {
                continue;
            }
            let is_crossed = left > 0.0 && orientation(leg.from, leg.to, side.right) < 0.0;
            return match is_crossed {
                true => Exit::Side(index as usize),
                false => Exit::Unclear,
            };
        }
        Exit::Unclear
    }

    /// Adds the polygons that touch a point to `steps`, whose only step is the polygon `from`.
    fn around(
        &self,
        from: u32,
        point: DVec2,
        is_touched: impl Fn(u32) -> bool,
        steps: &mut Vec<Step>,
    ) {
        debug_assert_eq!(steps.last().map(|step| step.polygon), Some(from));
        let mut next = 0;
        while let Some(&step) = steps.get(next) {
            for side in self.sides_of(step.polygon) {
                let beyond = self.sides[side].beyond;
                let is_new = steps.iter().all(|step| step.polygon != beyond);
                if is_new && is_touched(beyond) && self.touches(&self.sides[side], point) {
                    steps.push(Step {
                        polygon: beyond,
                        before: next as u32,
                        side: side as u32,
                        fraction: 0.0,
                    });
                }
            }
            next += 1;
        }
    }

    /// Sets `buffers.crossed` to the sides around a point that lead from one polygon that touches it to
    /// another. Returns false if there is no such way.
    fn go_around(
        &self,
        from: u32,
        to: u32,
        point: DVec2,
        is_touched: impl Fn(u32) -> bool,
        buffers: &mut WalkBuffers,
    ) -> bool {
        let WalkBuffers { steps, crossed } = buffers;
        crossed.clear();
        if from == to {
            return true;
        }
        // The sides by which the search reached `to` from `from`: search from `to`, where the point is known
        // to touch the sides, and cross them the other way round.
        steps.clear();
        steps.push(Step {
            polygon: to,
            before: NONE,
            side: NONE,
            fraction: 0.0,
        });
        self.around(to, point, is_touched, steps);
        let Some(mut at) = steps.iter().position(|step| step.polygon == from) else {
            return false;
        };
        while steps[at].before != NONE {
            crossed.push(self.sides[steps[at].side as usize].twin);
            at = steps[at].before as usize;
        }
        true
    }
}

impl Leg {
    /// Returns whether the leg crosses a side properly, out of its polygon.
    #[inline(always)]
    fn crosses(&self, side: &Side) -> bool {
        orientation(self.from, self.to, side.right) < 0.0
            && orientation(self.from, self.to, side.left) > 0.0
            && orientation(side.right, side.left, self.from) > 0.0
    }

    /// Returns the range of the leg in which it touches a side, as fractions of the leg; `None` if they have no
    /// point in common. They touch if they would with ends of the leg that are moved by up to `rounding`.
    fn contact(&self, side: &Side) -> Option<[f64; 2]> {
        let nearly = |area: f64, reach: f64| {
            let is_zero = area.abs() <= self.rounding * reach;
            if is_zero { 0.0 } else { area }
        };
        let [right, left] = [side.right, side.left].map(|end| {
            let reach = manhattan(end - self.from) + manhattan(end - self.to);
            nearly(orientation(self.from, self.to, end), reach)
        });
        let span = side.left - side.right;
        let [from, to] = [self.from, self.to]
            .map(|end| nearly(orientation(side.right, side.left, end), manhattan(span)));
        if right * left > 0.0 || from * to > 0.0 {
            return None;
        }
        let along = self.to - self.from;
        let fraction = |point: DVec2| (point - self.from).dot(along) / along.length_squared();
        if right == 0.0 && left == 0.0 {
            // They are on one line. The direction of a leg as short as its rounding error means nothing.
            let [a, b] = [self.from, self.to].map(|end| (end - side.right).dot(span));
            let margin = self.rounding * manhattan(span);
            let is_beside = a.max(b) < -margin || a.min(b) > span.length_squared() + margin;
            let range = match along.length() <= 4.0 * self.rounding {
                true => [0.0, 1.0],
                false => {
                    let [a, b] = [side.right, side.left].map(fraction);
                    [a.min(b), a.max(b)]
                }
            };
            return (!is_beside).then_some(range);
        }
        let at = if right == 0.0 {
            fraction(side.right)
        } else if left == 0.0 {
            fraction(side.left)
        } else if from == to {
            0.0
        } else {
            from / (from - to)
        };
        Some([at, at])
    }

    /// Returns the difference below which two fractions of the leg may be the same point.
    fn slack(&self) -> f64 {
        ROUNDING + 4.0 * self.rounding / self.from.distance(self.to).max(f64::MIN_POSITIVE)
    }
}
