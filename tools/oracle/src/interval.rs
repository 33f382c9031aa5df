//! Exact shortest any-angle paths in plan, by a search over intervals of portals.
//!
//! The method is that of Polyanya (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a Navigation Mesh",
//! IJCAI 2017), with fewer assumptions about the mesh: a path may bend at every portal end, whether there is a wall or not.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::DVec2;
use portolan_core::{Location, NavMesh, PolygonId};

use crate::fans::{Exit, Fans, TOUCH, orientation};
use crate::sight::in_plan;

/// Lengths that differ by less are equal. [Units: m]
const EQUAL: f64 = 1e-9;

/// The lengths of shortest paths in plan, without links, where all allowed ground has the same cost.
///
/// The length of a corridor is that of the shortest line from the start over one point of each portal to the goal. The
/// shortest path is that of the shortest corridor. The shape of polygons does not matter, so dents within the tolerance of
/// the mesh are ignored.
///
/// The search examines *roots*, which are the start and the portal ends at which paths may bend. From a root it follows
/// *cones*, the sets of straight lines through a sequence of portals. A cone is bounded by two portal ends, never by
/// computed points, so its tests are as exact as the coordinates. Cones of width zero are not needed: the nearest of the
/// portal ends on such a line is a root itself.
///
/// Two kinds of paths are not followed. A path over a portal end that is reached at a higher cost than from another root
/// is not the shortest. A path that turns left at the right end of a portal, or right at the left end, can be made shorter.
/// Turns so small that moving the root before by 0.02 m could reverse them are always followed, because of rounding.
#[derive(Debug)]
pub struct IntervalSearch {
    fans: Fans,
    allowed: Vec<bool>,
    /// The number of the query. Entries with another number are from an earlier query.
    query: u32,
    /// Per vertex, the best known length from the start.
    reached: Vec<Reached>,
    /// Per vertex, how paths have arrived there.
    arrived: Vec<Arrived>,
    /// Per vertex, and per exit of the polygons around it, the query in which a cone was started over the exit.
    started: Vec<Vec<u32>>,
    roots: Vec<Root>,
    cones: Vec<Cone>,
    queue: BinaryHeap<Reverse<Queued>>,
    goal: Goal,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    query: u32,
    length: f64,
    /// The last root from which the vertex was reached as a right and as a left end, plus one.
    last: [u32; 2],
}

/// A point at which paths may bend.
#[derive(Clone, Copy, Debug)]
struct Root {
    position: DVec2,
    /// The length from the start.
    length: f64,
    /// The portal end, or `None` for the start.
    vertex: Option<usize>,
    /// The root before. The start is its own.
    before: usize,
}

/// The legs by which paths of a query have arrived at a vertex and bent there, each with the side.
#[derive(Clone, Debug, Default)]
struct Arrived {
    query: u32,
    legs: Vec<(PortalSide, DVec2)>,
}

/// The goal of the current query and the best path to it.
#[derive(Debug, Default)]
struct Goal {
    position: DVec2,
    polygons: Vec<PolygonId>,
    length: f64,
    /// The last root of the best path.
    root: usize,
}

/// The side of a portal at which an end of it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PortalSide {
    Right,
    Left,
}

/// A step of the search with a lower bound on the length of all paths that use it.
#[derive(Clone, Copy, Debug)]
struct Queued {
    bound: f64,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A bend at a vertex, which is an end of a portal.
    Bend {
        vertex: usize,
        side: PortalSide,
        length: f64,
        before: usize,
    },
    /// The index of a cone to continue.
    Cone(usize),
}

/// The straight lines from a root between two points and over a sequence of portals.
#[derive(Clone, Copy, Debug)]
struct Cone {
    root: usize,
    /// Points on the right and on the left border of the cone.
    limits: [DVec2; 2],
    /// The index of the portal that the lines have crossed last.
    portal: usize,
    /// The polygons before and behind the portal.
    polygons: [PolygonId; 2],
    /// The index of the cone before the portal, or `None` at the first portal.
    before: Option<usize>,
}

impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Queued {}

impl IntervalSearch {
    /// Prepares searches over the polygons for which `allowed` returns `true`.
    pub fn new(mesh: &NavMesh, allowed: impl Fn(PolygonId) -> bool) -> Self {
        let fans = Fans::new(mesh, &allowed);
        let exits = |polygon: &PolygonId| fans.exits[polygon.index()].len();
        let exits_of = |polygons: &[PolygonId]| polygons.iter().map(exits).sum();
        let vertices = fans.vertices.iter();
        let started = vertices.map(|vertex| vec![0; exits_of(&vertex.polygons)]);
        Self {
            started: started.collect(),
            reached: vec![Reached::default(); fans.vertices.len()],
            arrived: vec![Arrived::default(); fans.vertices.len()],
            allowed: mesh.polygons().map(allowed).collect(),
            fans,
            query: 0,
            roots: Vec::new(),
            cones: Vec::new(),
            queue: BinaryHeap::new(),
            goal: Goal::default(),
        }
    }

    /// Returns the length of the shortest path in plan, or infinity if there is none. [Units: m]
    pub fn length(&mut self, start: Location, goal: Location) -> f64 {
        self.search(start, goal);
        self.goal.length
    }

    /// Returns the points of the shortest path in plan: the start, the portal ends at which it bends, and the goal. It may
    /// contain portal ends at which it does not bend. Returns `None` if there is no path.
    pub fn corners(&mut self, start: Location, goal: Location) -> Option<Vec<DVec2>> {
        self.search(start, goal);
        if self.goal.length == f64::INFINITY {
            return None;
        }
        let (mut corners, mut root) = (vec![self.goal.position], self.goal.root);
        while root != 0 {
            corners.push(self.roots[root].position);
            root = self.roots[root].before;
        }
        corners.push(self.roots[0].position);
        corners.reverse();
        Some(corners)
    }

    fn search(&mut self, start: Location, goal: Location) {
        self.query += 1;
        self.roots.clear();
        self.cones.clear();
        self.queue.clear();
        let position = in_plan(goal.point);
        self.goal = Goal {
            position,
            polygons: self.fans.polygons_around(position, goal.polygon),
            length: f64::INFINITY,
            root: 0,
        };
        let is_allowed = |location: Location| self.allowed[location.polygon.index()];
        if !is_allowed(start) || !is_allowed(goal) {
            return;
        }

        let position = in_plan(start.point);
        self.roots.push(Root {
            position,
            length: 0.0,
            vertex: None,
            before: 0,
        });
        let polygons = self.fans.polygons_around(position, start.polygon);
        self.enter_goal(0, &polygons);
        for polygon in polygons {
            for index in 0..self.fans.exits[polygon.index()].len() {
                let exit = self.fans.exits[polygon.index()][index];
                self.look_at(0, polygon, &exit, true);
            }
        }
        while let Some(Reverse(Queued { bound, step })) = self.queue.pop() {
            if bound >= self.goal.length {
                break;
            }
            match step {
                Step::Bend {
                    vertex,
                    side,
                    length,
                    before,
                } => self.bend(vertex, side, length, before),
                Step::Cone(cone) => self.follow(cone),
            }
        }
    }

    /// Updates the best path to the goal if one of the polygons around a root contains the goal.
    fn enter_goal(&mut self, root: usize, polygons: &[PolygonId]) {
        let mut polygons = polygons.iter();
        if polygons.any(|polygon| self.goal.polygons.contains(polygon)) {
            self.walk_to_goal(root);
        }
    }

    /// Updates the best path to the goal with the straight line from a root.
    fn walk_to_goal(&mut self, root: usize) {
        let Root {
            position, length, ..
        } = self.roots[root];
        let length = length + position.distance(self.goal.position);
        if length < self.goal.length {
            (self.goal.length, self.goal.root) = (length, root);
        }
    }

    /// Continues from a root over an exit of a polygon around it. The whole exit is visible.
    fn look_at(&mut self, root: usize, polygon: PolygonId, exit: &Exit, starts_cone: bool) {
        self.reach(root, exit.vertices[0], PortalSide::Right);
        self.reach(root, exit.vertices[1], PortalSide::Left);
        let [right, left] = exit.ends;
        // Otherwise the root is on the portal, and the polygon beyond is also around the root. Or the root is behind it or
        // on the same line, and paths over the portal pass over its nearest end.
        if starts_cone && orientation(self.roots[root].position, right, left) > 0.0 {
            self.push_cone(
                Cone {
                    root,
                    limits: exit.ends,
                    portal: exit.portal,
                    polygons: [polygon, exit.beyond],
                    before: None,
                },
                exit,
            );
        }
    }

    /// Adds a vertex that is visible from a root.
    fn reach(&mut self, root: usize, vertex: usize, side: PortalSide) {
        let from = self.roots[root];
        if from.vertex == Some(vertex) {
            return;
        }
        let position = self.fans.vertices[vertex].position;
        let length = from.length + from.position.distance(position);
        let reached = &mut self.reached[vertex];
        if reached.query != self.query {
            *reached = Reached {
                query: self.query,
                length,
                last: [0; 2],
            };
        }
        let last = &mut reached.last[side as usize];
        if length > reached.length + EQUAL || *last == root as u32 + 1 {
            return;
        }
        *last = root as u32 + 1;
        reached.length = reached.length.min(length);
        let bound = length + position.distance(self.goal.position);
        self.push(
            bound,
            Step::Bend {
                vertex,
                side,
                length,
                before: root,
            },
        );
    }

    fn push(&mut self, bound: f64, step: Step) {
        if bound < self.goal.length {
            self.queue.push(Reverse(Queued { bound, step }));
        }
    }

    /// Makes a vertex a root and starts its cones. Where a path bends at the right end of a portal, it turns right.
    fn bend(&mut self, vertex: usize, side: PortalSide, length: f64, before: usize) {
        if length > self.reached[vertex].length + EQUAL {
            return;
        }
        let position = self.fans.vertices[vertex].position;
        let arriving = position - self.roots[before].position;
        // Vertices on one line, or at one position, are passed in many ways of the same length. Where a path can go on
        // depends on the direction in which it arrives; after a longer leg it can go nowhere else.
        let arrived = &mut self.arrived[vertex];
        if arrived.query != self.query {
            arrived.query = self.query;
            arrived.legs.clear();
        }
        let is_same = |&(other_side, other): &(PortalSide, DVec2)| {
            let directions = [arriving, other].map(DVec2::normalize_or_zero);
            other_side == side
                && directions[0].distance(directions[1]) <= EQUAL
                && other.length() <= arriving.length()
        };
        if arrived.legs.iter().any(is_same) {
            return;
        }
        arrived.legs.push((side, arriving));
        let root = self.roots.len();
        self.roots.push(Root {
            position,
            length,
            vertex: Some(vertex),
            before,
        });
        let turns_wrong = |to: DVec2| {
            let leaving = to - position;
            let to_left = arriving.perp_dot(leaving);
            let wrong = match side {
                PortalSide::Right => to_left,
                PortalSide::Left => -to_left,
            };
            wrong > TOUCH * leaving.length()
        };
        let polygons = std::mem::take(&mut self.fans.vertices[vertex].polygons);
        let mut started = std::mem::take(&mut self.started[vertex]);
        self.enter_goal(root, &polygons);
        let mut next = 0;
        for polygon in &polygons {
            for index in 0..self.fans.exits[polygon.index()].len() {
                let exit = self.fans.exits[polygon.index()][index];
                if !exit.ends.into_iter().all(turns_wrong) {
                    // The cone does not depend on the root before, so it is started once.
                    let starts_cone = started[next] != self.query;
                    started[next] = self.query;
                    self.look_at(root, *polygon, &exit, starts_cone);
                }
                next += 1;
            }
        }
        self.started[vertex] = started;
        self.fans.vertices[vertex].polygons = polygons;
    }

    /// Continues a cone over the polygon behind its portal.
    fn follow(&mut self, index: usize) {
        let cone = self.cones[index];
        let [_, polygon] = cone.polygons;
        let root = self.roots[cone.root];
        if let Some(vertex) = root.vertex
            && root.length > self.reached[vertex].length + EQUAL
        {
            return;
        }
        let [right, left] = cone.limits;
        let to_left_of_right = |point| orientation(root.position, right, point);
        let to_right_of_left = |point| orientation(root.position, point, left);
        let is_visible = |point| to_left_of_right(point) >= 0.0 && to_right_of_left(point) >= 0.0;
        if self.goal.polygons.contains(&polygon)
            && is_visible(self.goal.position)
            && !self.is_before_portal(self.goal.position, &cone)
        {
            self.walk_to_goal(cone.root);
        }
        for i in 0..self.fans.exits[polygon.index()].len() {
            let exit = self.fans.exits[polygon.index()][i];
            if exit.portal == cone.portal {
                continue;
            }
            for (end, side) in [(0, PortalSide::Right), (1, PortalSide::Left)] {
                if is_visible(exit.ends[end]) {
                    self.reach(cone.root, exit.vertices[end], side);
                }
            }
            if orientation(root.position, exit.ends[0], exit.ends[1]) <= 0.0 {
                continue;
            }
            let limits = [
                if to_left_of_right(exit.ends[0]) > 0.0 {
                    exit.ends[0]
                } else {
                    right
                },
                if to_right_of_left(exit.ends[1]) > 0.0 {
                    exit.ends[1]
                } else {
                    left
                },
            ];
            if orientation(root.position, limits[0], limits[1]) > 0.0 {
                self.push_cone(
                    Cone {
                        limits,
                        portal: exit.portal,
                        polygons: [polygon, exit.beyond],
                        before: Some(index),
                        root: cone.root,
                    },
                    &exit,
                );
            }
        }
    }

    /// Returns whether the whole portal of a cone is farther from its root than a point is, so that a straight line to the
    /// point does not reach the portal. That happens where root, point and portal are on one line up to rounding, and
    /// the polygon behind the portal is longer than the portal.
    fn is_before_portal(&self, point: DVec2, cone: &Cone) -> bool {
        let root = self.roots[cone.root].position;
        let along = (point - root).normalize_or_zero();
        let mut exits = self.fans.exits[cone.polygons[1].index()].iter();
        let exit = exits.find(|exit| exit.portal == cone.portal);
        let is_behind = |end: DVec2| (end - point).dot(along) > EQUAL;
        exit.is_some_and(|exit| exit.ends.into_iter().all(is_behind))
    }

    /// Adds a cone that has passed an exit to the queue. The bound is the length of the shortest line from the root to the
    /// goal over the visible part of the exit.
    fn push_cone(&mut self, cone: Cone, exit: &Exit) {
        if self.enters_twice(&cone) {
            return;
        }
        let root = self.roots[cone.root];
        let mut visible = exit.ends;
        for (end, limit) in visible.iter_mut().zip(cone.limits) {
            if *end != limit {
                // The limit is inside the exit as seen from the root.
                match intersection(root.position, limit, exit.ends) {
                    Some(point) => *end = point,
                    None => return,
                }
            }
        }
        let [right, left] = visible;
        let [from, to] = exit.ends;
        let mut goal = self.goal.position;
        if orientation(goal, from, to) > 0.0 {
            // The goal is on the same side of the portal as the root, so the line to it is as long as to its mirror image.
            let outward = -(to - from).perp().normalize();
            goal += 2.0 * (from - goal).dot(outward) * outward;
        }
        let over = |point: DVec2| root.position.distance(point) + point.distance(goal);
        let length = if orientation(root.position, right, goal) < 0.0 {
            over(right)
        } else if orientation(root.position, goal, left) < 0.0 {
            over(left)
        } else {
            root.position.distance(goal)
        };
        self.push(root.length + length, Step::Cone(self.cones.len()));
        self.cones.push(cone);
    }

    /// Returns whether a cone enters a polygon that it has been in before. A straight line does so only by rounding, where
    /// it runs along a border. The cone was wider when it entered the polygon first, so it can end.
    fn enters_twice(&self, cone: &Cone) -> bool {
        let before = std::iter::successors(Some(cone), |cone| {
            cone.before.map(|before| &self.cones[before])
        });
        let mut left = before.map(|cone| cone.polygons[0]);
        left.any(|polygon| polygon == cone.polygons[1])
    }
}

/// Returns the point at which the ray from `root` through `limit` crosses the line through the two ends, or `None` if the
/// line is behind the root.
fn intersection(root: DVec2, limit: DVec2, [right, left]: [DVec2; 2]) -> Option<DVec2> {
    let (ray, along) = (limit - root, left - right);
    let fraction = (right - root).perp_dot(along) / ray.perp_dot(along);
    (fraction > 0.0 && fraction.is_finite()).then(|| root + fraction * ray)
}
