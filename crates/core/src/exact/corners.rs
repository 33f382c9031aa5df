//! Corners: the vertices at which a shortest path may bend.
//!
//! A shortest path bends only around an obstacle, and only where the free angle at the vertex is larger than
//! pi, so that the obstacle is convex there.

use glam::{DVec2, Vec3};

use super::NONE;
use super::orientation::orientation;
use super::plan::{PlanMesh, PlanVertices, SAME_POINT, Side, in_plan};
use super::sight::manhattan;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// A convex corner of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// Its position in space.
    pub(super) point: Vec3,
    /// The obstacle there.
    pub(super) wedge: Wedge,
}

/// The obstacle at a corner: one point on each of the two walls that meet there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wedge {
    /// `None` if nothing is known about the obstacle: a path may bend in either direction.
    walls: Option<[DVec2; 2]>,
    /// Whether this is no corner but an end of a link, whose position was rounded.
    is_stop: bool,
}

/// The sides of a line on which an obstacle lies: [`LEFT`](Self::LEFT), [`RIGHT`](Self::RIGHT), or both if it
/// lies on the line or nothing is known. If it is neither, the line leads into the obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObstacleSides(pub(super) u8);

impl ObstacleSides {
    pub(super) const LEFT: u8 = 1;
    pub(super) const RIGHT: u8 = 2;
    pub(super) const BOTH: Self = Self(3);

    /// Returns whether the obstacle is on at least one side.
    #[inline(always)]
    pub(super) fn is_tangent(self) -> bool {
        self.0 != 0
    }

    /// Returns whether a path may bend at `b` on its way from `a` to `c`, if the obstacle at `b` lies on these
    /// sides of both lines.
    #[inline]
    pub(super) fn allow_bend(self, [a, b, c]: [DVec2; 3]) -> bool {
        if self.0 == 0 {
            return false;
        }
        let turn = orientation(a, b, c);
        self.0 & Self::LEFT != 0 && turn >= 0.0 || self.0 & Self::RIGHT != 0 && turn <= 0.0
    }
}

impl Wedge {
    /// A wedge of which nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        walls: None,
        is_stop: false,
    };

    /// The wedge of an end of a link: there is no obstacle.
    pub(super) const STOP: Self = Self {
        walls: None,
        is_stop: true,
    };

    /// Returns whether this is no corner but an end of a link. Corners are where they are; ends of links were
    /// rounded.
    pub(super) fn is_stop(&self) -> bool {
        self.is_stop
    }

    /// Returns whether nothing is known about the obstacle.
    pub(super) fn is_unknown(&self) -> bool {
        self.walls.is_none()
    }

    /// Returns a point on each of the two walls; `None` if nothing is known about the obstacle.
    pub(super) fn walls(&self) -> Option<[DVec2; 2]> {
        self.walls
    }

    /// Returns a point of the obstacle.
    pub(super) fn a_wall(&self) -> Option<DVec2> {
        self.walls.map(|[wall, _]| wall)
    }

    /// Returns on which sides of the line from `from` to `to` the obstacle lies. The corner is one of the two
    /// points. The other was rounded by up to `rounding`, so that it may have been moved into a wall.
    #[inline]
    pub(super) fn sides(&self, from: DVec2, to: DVec2, rounding: f64) -> ObstacleSides {
        let Some(walls) = self.walls else {
            return ObstacleSides::BOTH;
        };
        let [a, b] = walls.map(|wall| orientation(from, to, wall));
        let reach = walls.map(|wall| rounding * (manhattan(wall - from) + manhattan(wall - to)));
        let left = u8::from(a >= -reach[0] && b >= -reach[1]) * ObstacleSides::LEFT;
        let right = u8::from(a <= reach[0] && b <= reach[1]) * ObstacleSides::RIGHT;
        ObstacleSides(left | right)
    }
}

/// Finds the corners, numbers them in the order of the polygons, and stores their numbers in the sides.
pub(super) fn find_corners(
    mesh: &NavMesh,
    plan: &mut PlanMesh,
    vertices: &PlanVertices,
) -> Vec<Corner> {
    let fans = Fans {
        mesh,
        plan,
        vertices,
    };
    let mut corner_of = vec![None; vertices.points.len()];
    let mut corners = Vec::new();
    for polygon in mesh.polygons() {
        for side in plan.sides_of(polygon.0) {
            for vertex in vertices.of_sides[side] {
                corner_of[vertex as usize].get_or_insert_with(|| {
                    let Some(wedge) = fans.wedge(polygon, vertex) else {
                        return NONE;
                    };
                    let point = vertices.points[vertex as usize];
                    corners.push(Corner { point, wedge });
                    corners.len() as u32 - 1
                });
            }
        }
    }
    for (side, ends) in plan.sides.iter_mut().zip(&vertices.of_sides) {
        side.corners = ends.map(|vertex| corner_of[vertex as usize].unwrap_or(NONE));
    }
    corners
}

/// The fans of polygons around vertices.
struct Fans<'a> {
    mesh: &'a NavMesh,
    plan: &'a PlanMesh,
    vertices: &'a PlanVertices,
}

/// A wedge has a limited number of polygons. More than this means that the walk around a vertex is lost.
const MAX_FAN: usize = 1000;

impl Fans<'_> {
    /// Returns the wedge at a vertex of a polygon; `None` if no path bends there.
    fn wedge(&self, polygon: PolygonId, vertex: u32) -> Option<Wedge> {
        if self.vertices.is_tangled[vertex as usize] {
            return Some(Wedge::UNKNOWN);
        }
        let centre = in_plan(self.vertices.points[vertex as usize]);
        // Turn clockwise to the first polygon: its outline leaves the vertex along a wall. If there is none,
        // the vertex is surrounded by polygons.
        let mut first = polygon;
        let (mut turns, mut quarters) = (0, 0);
        while let Some(side) = self.side_at(first, vertex, 0) {
            let Side { beyond, left, .. } = self.plan.sides[side];
            let before = left - centre;
            first = PolygonId(beyond);
            turns += 1;
            if let Some(next) = self.side_at(first, vertex, 0) {
                let after = self.plan.sides[next].left - centre;
                quarters += quarter_turns(before, after);
            }
            if first == polygon || turns > MAX_FAN {
                // The floors of a spiral cover more than a full turn, so that paths may bend at its centre.
                return (quarters > 6).then_some(Wedge::UNKNOWN);
            }
        }
        // Turn counter-clockwise to the last polygon and compare all borders at the vertex with the first
        // wall.
        let mut here = first;
        let mut walls = None;
        let (mut reaches_half_turn, mut exceeds_half_turn) = (false, false);
        for _ in 0..MAX_FAN {
            let incoming = self.side_at(here, vertex, 1);
            let [start, last] = match walls {
                Some(walls) => walls,
                None => {
                    let wall = self.wall_after(here, incoming?, vertex);
                    if wall.is_unclear {
                        return Some(Wedge::UNKNOWN);
                    }
                    [wall.point?; 2]
                }
            };
            let border = match incoming {
                Some(side) => self.plan.sides[side].right,
                None => {
                    let wall = self.wall_before(here, self.side_at(here, vertex, 0)?, vertex);
                    if wall.is_unclear {
                        return Some(Wedge::UNKNOWN);
                    }
                    wall.point?
                }
            };
            let is_opposite = |to: DVec2| (to - centre).dot(border - centre) < 0.0;
            let turn = orientation(centre, start, border);
            // A polygon takes up to a half turn.
            let is_half_turn = orientation(centre, last, border) <= 0.0 && is_opposite(last);
            reaches_half_turn |= is_half_turn;
            if turn > 0.0 && reaches_half_turn {
                // More than a full turn: floors overlap around this vertex, or polygons do by rounding.
                return Some(Wedge::UNKNOWN);
            }
            let is_full_turn = turn == 0.0 && !is_opposite(start) && reaches_half_turn;
            exceeds_half_turn |= turn < 0.0 || is_full_turn;
            reaches_half_turn |= turn < 0.0 || turn == 0.0 && is_opposite(start);
            walls = Some([start, border]);
            match incoming {
                Some(side) => here = PolygonId(self.plan.sides[side].beyond),
                None => {
                    let is_stop = false;
                    return exceeds_half_turn.then_some(Wedge { walls, is_stop });
                }
            }
        }
        Some(Wedge::UNKNOWN)
    }

    /// Returns the side of a polygon that has the vertex as its right (0) or left (1) end.
    fn side_at(&self, polygon: PolygonId, vertex: u32, end: usize) -> Option<usize> {
        let mut sides = self.plan.sides_of(polygon.0);
        sides.find(|&side| self.vertices.of_sides[side][end] == vertex)
    }

    /// Returns the point of the wall after a side that stands out least into the polygon, seen from where the wall begins:
    /// `vertex`, the left end of the side. The wall ends at the next portal.
    fn wall_after(&self, polygon: PolygonId, side: usize, vertex: u32) -> Outermost {
        let sides = self.plan.sides_of(polygon.0);
        let next = if side + 1 == sides.end {
            sides.start
        } else {
            side + 1
        };
        let wall = Wall {
            begins: self.end(polygon, side, 1),
            ends: self.end(polygon, next, 0),
            portal: (self.vertices.of_sides[next][0] != vertex)
                .then_some(self.plan.sides[next].right),
        };
        let corners = self.mesh.corners(polygon);
        let mut border = self.vertices.borders[side];
        let mut outermost = self.outermost(vertex, CLOCKWISE);
        for turn in 0..=corners.len() {
            let is_passed = turn == 0 && next <= side;
            if self.vertices.borders[next] == border && !is_passed && wall.portal.is_some() {
                outermost.add(wall.portal);
                break;
            }
            border = (border + 1) % corners.len();
            if self.add_corner(&wall, corners[border], &mut outermost) {
                break;
            }
        }
        outermost
    }

    /// Returns the point of the wall before a side that stands out least into the polygon, seen from where the wall
    /// ends: `vertex`, the right end of the side. The wall begins at the portal before.
    fn wall_before(&self, polygon: PolygonId, side: usize, vertex: u32) -> Outermost {
        let sides = self.plan.sides_of(polygon.0);
        let previous = if side == sides.start {
            sides.end - 1
        } else {
            side - 1
        };
        // The wall is followed from its end, against the direction of the outline.
        let wall = Wall {
            begins: self.end(polygon, side, 0),
            ends: self.end(polygon, previous, 1),
            portal: (self.vertices.of_sides[previous][1] != vertex)
                .then_some(self.plan.sides[previous].left),
        };
        let corners = self.mesh.corners(polygon);
        let mut border = self.vertices.borders[side];
        let mut outermost = self.outermost(vertex, COUNTER_CLOCKWISE);
        for turn in 0..=corners.len() {
            let is_passed = turn == 0 && previous >= side;
            if self.vertices.borders[previous] == border && !is_passed && wall.portal.is_some() {
                outermost.add(wall.portal);
                break;
            }
            if self.add_corner(&wall, corners[border], &mut outermost) {
                break;
            }
            border = (border + corners.len() - 1) % corners.len();
        }
        outermost
    }

    /// Adds a corner of the polygon to the points of a wall: the next portal if that is also there. A corner at which
    /// the wall begins is none of them. Returns whether the wall ends there.
    fn add_corner(&self, wall: &Wall, corner: u32, outermost: &mut Outermost) -> bool {
        let corner = in_plan(self.mesh.vertices()[corner as usize]);
        let are_same = |a: DVec2, b: DVec2| a.distance(b) <= SAME_POINT * self.plan.rounding;
        if are_same(corner, wall.begins) {
            return false;
        }
        let is_end = wall.portal.is_some() && are_same(corner, wall.ends);
        outermost.add(if is_end { wall.portal } else { Some(corner) });
        is_end
    }

    /// Returns the search for the outermost point of a wall at a vertex. No point is known yet.
    fn outermost(&self, vertex: u32, sign: f64) -> Outermost {
        Outermost {
            centre: in_plan(self.vertices.points[vertex as usize]),
            sign,
            point: None,
            is_unclear: false,
        }
    }

    /// Returns the right (0) or left (1) end of a side where the mesh has it. Its vertex may be slightly beside it.
    fn end(&self, polygon: PolygonId, side: usize, end: usize) -> DVec2 {
        let portal = self.mesh.portal(self.plan.portal(side));
        in_plan(portal.ends_from(polygon)[end])
    }
}

/// Returns by how many quadrants a direction turns clockwise from `before` to `after`, which is less than a half turn
/// clockwise, or slightly counter-clockwise by rounding. The sum over a full turn is 4.
fn quarter_turns(before: DVec2, after: DVec2) -> i32 {
    let quadrant = |to: DVec2| match (to.x >= 0.0, to.y >= 0.0) {
        (true, true) => 0,
        (false, true) => 1,
        (false, false) => 2,
        (true, false) => 3,
    };
    match (quadrant(before) - quadrant(after) + 4) % 4 {
        3 => -1,
        turned => turned,
    }
}

/// The point of a wall that stands out least into its polygon, seen from a vertex at one end of the wall.
///
/// Corners between may stand out farther: a polygon may have dents, and a corner in the middle of a border was rounded.
/// Straight lines inside a polygon ignore that, so a path from the vertex may lead along the line to the outermost point.
struct Outermost {
    /// The vertex.
    centre: DVec2,
    /// On which side of the line to a point other points are farther out.
    sign: f64,
    /// The outermost point so far.
    point: Option<DVec2>,
    /// Whether the direction of the wall is not clear: it begins with a corner so near that dents turn it around.
    is_unclear: bool,
}

/// Points that are farther than this from the line along a border are not on that border or on the opposite side of the
/// vertex. Dents are not as deep. [Units: m]
const DENT: f64 = 0.02;

/// The sign of a turn.
const COUNTER_CLOCKWISE: f64 = 1.0;
const CLOCKWISE: f64 = -1.0;

impl Outermost {
    fn add(&mut self, point: Option<DVec2>) {
        let Some(point) = point else { return };
        let Some(before) = self.point else {
            self.point = Some(point);
            return;
        };
        let [to_before, to_point] = [before, point].map(|point| point - self.centre);
        let beyond = orientation(self.centre, before, point) * self.sign;
        if beyond <= 0.0 {
            return;
        }
        if to_before.dot(to_point) > 0.0 {
            self.point = Some(point);
        } else if beyond > DENT * to_before.length() {
            // Points in the opposite direction belong to the other borders of the polygon; this one is elsewhere.
            self.is_unclear = true;
        }
    }
}

/// The part of an outline between two portals.
struct Wall {
    /// The end of the portal at which it begins, where the mesh has it.
    begins: DVec2,
    /// The end of the portal at which it ends, where the mesh has it.
    ends: DVec2,
    /// The vertex there; `None` if it is the vertex at which the wall begins.
    portal: Option<DVec2>,
}
