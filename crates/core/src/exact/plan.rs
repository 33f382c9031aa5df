//! The mesh in plan, as the exact engine sees it: polygons, and the open portals around each of them.
//!
//! Inside a polygon an agent moves in a straight line between any two points. Walls are therefore implied:
//! they are what is left of the outline of a polygon between its portals. A path bends only at ends of
//! portals, and of these only at convex corners of obstacles (`corners.rs`).

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::NONE;
use super::gates::{Gate, Gates};
use super::orientation::orientation;
use crate::csr::Csr;
use crate::ids::{PolygonId, PortalId};
use crate::navmesh::{NavMesh, PortalOnBorder};
use crate::union_find::UnionFind;

/// The error of a point that was rounded to `f32`, relative to the largest coordinate: one unit in the last
/// place.
const ROUNDING: f64 = 1.0 / (1 << 23) as f64;

/// The distance at which two ends of portals are the same point, in units of the rounding error. Both were
/// computed in several steps.
pub(super) const SAME_POINT: f64 = 4.0;

/// A portal as seen from the polygon that a path leaves through it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Side {
    /// The end on the right-hand side when leaving the polygon. The outline of the polygon runs from here to
    /// `left`.
    pub(super) right: DVec2,
    /// The end on the left-hand side.
    pub(super) left: DVec2,
    /// The corners at the right and at the left end; [`NONE`] if a path cannot bend there.
    pub(super) corners: [u32; 2],
    /// The same portal as seen from the polygon beyond.
    pub(super) twin: u32,
    /// The polygon beyond.
    pub(super) beyond: u32,
    /// The sides of the polygon beyond, `twin` among them.
    pub(super) first_beyond: u32,
    pub(super) end_beyond: u32,
    /// Which goals can be reached through this side.
    pub(super) gate: Gate,
}

impl Side {
    /// Returns whether no line that enters the polygon of this side through it can leave through `exit`, another
    /// side of the polygon: no part of `exit` lies in front of this side.
    pub(super) fn is_ahead_of(&self, exit: &Self) -> bool {
        let is_behind = |end: DVec2| orientation(self.right, self.left, end) <= 0.0;
        is_behind(exit.right) && is_behind(exit.left)
    }

    /// Returns for the right and the left end of `exit`, another side of the polygon, whether no line that enters
    /// the polygon through this side leads there, because the end lies behind this side: positive infinity if
    /// that is to the left of such lines, negative infinity to the right, 0 if the end is not hidden.
    #[inline(always)]
    pub(super) fn hides(&self, exit: &Self) -> [f64; 2] {
        [exit.right, exit.left].map(|end| {
            if orientation(self.right, self.left, end) >= 0.0 {
                return 0.0;
            }
            let is_left = end.distance_squared(self.right) < end.distance_squared(self.left);
            if is_left {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            }
        })
    }
}

/// The mesh in plan.
#[derive(Clone, Debug)]
pub(super) struct PlanMesh {
    pub(super) sides: Vec<Side>,
    /// The first side of each polygon, and the number of sides. Closed polygons have none. The sides of a
    /// polygon are in counter-clockwise order.
    first_sides: Vec<u32>,
    /// The portal of each side.
    portals: Vec<PortalId>,
    /// The position of each polygon in the tour that [`Gate`]s refer to.
    pub(super) tour: Vec<u32>,
    /// Points that lie on polygons and that a path may use besides corners: the ends of links, numbered after
    /// the corners. Empty if there are none.
    pub(super) stops: Csr<(u32, DVec2)>,
    /// Per polygon, whether an end of some side lies behind another side, or on its line beside it. If polygons
    /// share vertices, this is not so. It is where several portals are on one border, or where rounding has
    /// dented a border.
    pub(super) is_irregular: Vec<bool>,
    /// Per polygon, whether an end of some side lies behind another side. Then a point may see another one that does not
    /// see it.
    pub(super) is_dented: Vec<bool>,
    /// How far a point may be from where it should be, because it was rounded to `f32`. [Units: m]
    pub(super) rounding: f64,
}

/// The vertices of the mesh in plan, which are the ends of portals. Ends are the same vertex if polygons that
/// are joined by portals lead from one to the other around it. Where fans of polygons touch in a point
/// without being joined there, each fan has a vertex of its own.
pub(super) struct PlanVertices {
    /// The vertex at the right and at the left end of each side.
    pub(super) of_sides: Vec<[u32; 2]>,
    /// The position of each vertex.
    pub(super) points: Vec<Vec3>,
    /// Vertices where portals overlap: no angles can be computed there.
    pub(super) is_tangled: Vec<bool>,
    /// The border of its polygon that each side lies on.
    pub(super) borders: Vec<usize>,
}

impl PlanMesh {
    /// Builds the mesh in plan from the open polygons. All gates are open, and sides have no corners yet.
    pub(super) fn new(mesh: &NavMesh, is_open: impl Fn(PolygonId) -> bool) -> (Self, PlanVertices) {
        let bounds = mesh.bounds();
        let extent = bounds.min.abs().max(bounds.max.abs());
        let rounding = f64::from(extent.x.max(extent.z)) * ROUNDING;
        let (mut first_sides, mut portals, mut borders) = (vec![0], Vec::new(), Vec::new());
        // The side that crosses each portal, out of its first and out of its second polygon.
        let mut crossing = vec![[NONE; 2]; mesh.portals().len()];
        let mut around: Vec<PortalOnBorder> = Vec::new();
        for polygon in mesh.polygons() {
            if is_open(polygon) {
                mesh.portals_around(polygon, &mut around);
                around.retain(|on| is_open(mesh.portal(on.portal).beyond(polygon)));
                for on in &around {
                    let is_second = mesh.portal(on.portal).polygons[0] != polygon;
                    crossing[on.portal.index()][usize::from(is_second)] = portals.len() as u32;
                    portals.push(on.portal);
                    borders.push(on.border);
                }
            }
            first_sides.push(portals.len() as u32);
        }
        let mut plan = Self {
            sides: Vec::with_capacity(portals.len()),
            first_sides,
            portals,
            tour: vec![0; mesh.polygon_count()],
            stops: Csr::new(),
            is_irregular: vec![false; mesh.polygon_count()],
            is_dented: vec![false; mesh.polygon_count()],
            rounding,
        };
        let twins: Vec<u32> = (0..plan.portals.len())
            .map(|side| {
                let [first, second] = crossing[plan.portals[side].index()];
                first ^ second ^ side as u32
            })
            .collect();
        let vertices = PlanVertices::new(mesh, &plan, &twins, borders);
        for polygon in mesh.polygons() {
            for side in plan.sides_of(polygon.0) {
                let twin = twins[side];
                let beyond = mesh.portal(plan.portals[side]).beyond(polygon);
                let beyond_sides = plan.sides_of(beyond.0);
                let [right, left] =
                    vertices.of_sides[side].map(|vertex| in_plan(vertices.points[vertex as usize]));
                plan.sides.push(Side {
                    right,
                    left,
                    corners: [NONE; 2],
                    twin,
                    beyond: beyond.0,
                    first_beyond: beyond_sides.start as u32,
                    end_beyond: beyond_sides.end as u32,
                    gate: Gate::OPEN,
                });
            }
        }
        for polygon in 0..plan.polygon_count() {
            let sides = &plan.sides[plan.sides_of(polygon as u32)];
            for (i, entry) in sides.iter().enumerate() {
                let others = sides.iter().enumerate().filter(|&(j, _)| i != j);
                for (_, exit) in others {
                    let is_dented = entry.hides(exit) != [0.0; 2];
                    plan.is_dented[polygon] |= is_dented;
                    plan.is_irregular[polygon] |= is_dented || entry.is_ahead_of(exit);
                }
            }
        }
        (plan, vertices)
    }

    /// Computes the gates, which keep searches out of dead ends. They are right only if a shortest path never
    /// enters a polygon twice.
    pub(super) fn close_gates(&mut self) {
        let gates = Gates::new(self);
        for (side, gate) in self.sides.iter_mut().zip(gates.of_sides) {
            side.gate = gate;
        }
        self.tour = gates.tour;
    }

    /// Returns the number of polygons.
    pub(super) fn polygon_count(&self) -> usize {
        self.first_sides.len() - 1
    }

    /// Returns the sides of a polygon.
    #[inline]
    pub(super) fn sides_of(&self, polygon: u32) -> std::ops::Range<usize> {
        let polygon = polygon as usize;
        self.first_sides[polygon] as usize..self.first_sides[polygon + 1] as usize
    }

    /// Returns the portal of a side.
    #[inline]
    pub(super) fn portal(&self, side: usize) -> PortalId {
        self.portals[side]
    }

    /// Returns the ends of links that lie on a polygon.
    #[inline]
    pub(super) fn stops_on(&self, polygon: u32) -> &[(u32, DVec2)] {
        if self.stops.is_empty() {
            return &[];
        }
        self.stops.get(polygon as usize)
    }

    /// Calls `visit` with every polygon that a point on `polygon` touches: the polygon itself, and those that
    /// it shares the point with. A point that rounding has moved beyond a portal touches both sides of it.
    pub(super) fn touching(&self, polygon: u32, point: DVec2, touched: &mut Vec<u32>) {
        touched.clear();
        touched.push(polygon);
        let mut next = 0;
        while let Some(&polygon) = touched.get(next) {
            next += 1;
            for side in &self.sides[self.sides_of(polygon)] {
                if self.touches(side, point) && !touched.contains(&side.beyond) {
                    touched.push(side.beyond);
                }
            }
        }
    }

    /// Returns whether a point on the polygon of a side lies on that side. Rounding may have moved it to either
    /// side of it.
    #[inline]
    pub(super) fn touches(&self, side: &Side, point: DVec2) -> bool {
        let along = side.left - side.right;
        let margin = self.rounding * along.length();
        orientation(side.right, side.left, point) <= margin
            && (point - side.right).dot(along) >= -margin
            && (side.left - point).dot(along) >= -margin
    }

    /// Returns by how much an end of a query and the vertices around it may be beside each other, so that a taut turn at
    /// the first or last corner looks wrong: vertices join ends of portals that differ by rounding. Turns that are
    /// allowed in vain cost time and never change an answer. [Units: m]
    pub(super) fn turn_slack(&self) -> f64 {
        16.0 * self.rounding
    }

    /// Returns the heap memory of the mesh in plan. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.sides[..])
            + size_of_val(&self.first_sides[..])
            + size_of_val(&self.portals[..])
            + size_of_val(&self.tour[..])
            + self.stops.bytes()
            + size_of_val(&self.is_irregular[..])
            + size_of_val(&self.is_dented[..])
    }
}

/// Returns a point seen from above.
#[inline]
pub(super) fn in_plan(point: Vec3) -> DVec2 {
    point.xz().as_dvec2()
}

impl PlanVertices {
    fn new(mesh: &NavMesh, plan: &PlanMesh, twins: &[u32], borders: Vec<usize>) -> Self {
        let count = plan.portals.len();
        // The ends of side `i` are `2 i` (right) and `2 i + 1` (left).
        let mut ends = Vec::with_capacity(2 * count);
        for polygon in mesh.polygons() {
            for side in plan.sides_of(polygon.0) {
                ends.extend(mesh.portal(plan.portals[side]).ends_from(polygon));
            }
        }
        let length = |side: usize| in_plan(ends[2 * side]).distance(in_plan(ends[2 * side + 1]));
        let mut same = UnionFind::new(2 * count);
        let mut tangled = Vec::new();
        for (side, &twin) in twins.iter().enumerate() {
            same.join(2 * side as u32, 2 * twin + 1);
        }
        for polygon in mesh.polygons() {
            let sides = plan.sides_of(polygon.0);
            if sides.len() < 2 {
                continue;
            }
            for side in sides.clone() {
                let next = if side + 1 == sides.end {
                    sides.start
                } else {
                    side + 1
                };
                let [left, right] = [2 * side + 1, 2 * next];
                let gap = in_plan(ends[right]) - in_plan(ends[left]);
                // Ends that differ by rounding only are one vertex, unless that would close a portal.
                let rounding = SAME_POINT * plan.rounding;
                let tolerance = match length(side).min(length(next)) > 4.0 * rounding {
                    true => rounding,
                    false => 0.0,
                };
                if gap.length() <= tolerance {
                    same.join(left as u32, right as u32);
                } else if borders[side] == borders[next] && side < next {
                    let along = in_plan(ends[left]) - in_plan(ends[left - 1]);
                    if gap.dot(along) < 0.0 {
                        tangled.extend([left - 1, left, right, right + 1]);
                    }
                }
            }
        }
        let mut vertex_of_root = vec![NONE; 2 * count];
        let mut points = Vec::new();
        let mut vertex = |end: usize| {
            let entry = &mut vertex_of_root[same.root(end as u32) as usize];
            if *entry == NONE {
                *entry = points.len() as u32;
                points.push(ends[end]);
            }
            *entry
        };
        let of_sides: Vec<[u32; 2]> = (0..count)
            .map(|side| [vertex(2 * side), vertex(2 * side + 1)])
            .collect();
        let mut is_tangled = vec![false; points.len()];
        for end in tangled {
            is_tangled[of_sides[end / 2][end % 2] as usize] = true;
        }
        Self {
            of_sides,
            points,
            is_tangled,
            borders,
        }
    }
}
