//! The next corner for an agent that follows a field.
//!
//! The agent does not walk from vertex to vertex: the portals ahead are pulled taut, and the first bend is
//! the corner to walk to. Only the next [`LOOK_AHEAD`] portals are pulled, up to a vertex called the horizon.
//!
//! # Why an agent arrives
//! An agent keeps nothing in memory; it asks again in every frame, wherever it is. Its next step must not
//! lead back. So each vertex by which a path leaves the agent's polygon is a candidate. Its value is the
//! length of the taut line to its horizon, in plan and times the factor, plus the cost from the horizon. The
//! agent follows the candidate with the lowest value. Walking along a taut line lowers its value by what was
//! walked. Where the agent enters the next polygon, the horizon moves one vertex on. Then the value falls or
//! stays, because a taut line to the new horizon is no longer than the old line and the arc between the
//! horizons. So the lowest value falls with every step, until the agent is at a goal. For this the factor must
//! be the same up to the horizon, so the horizon is at the latest where the factor changes, or at a link. On
//! ground that costs nothing, walking lowers no value. There the horizon is always where such ground ends, and
//! the length of the taut line decides.
//!
//! An agent on a border is in all polygons that meet there, so the candidates of all of them count. A path may
//! follow the border of cheap ground, and there it must not matter on which side the agent is thought to be.
//!
//! In the published cost model, costs are those between centres of polygons. So each polygon has one candidate
//! wherever the agent is, and the polygon with the lowest cost counts.
//!
//! The cost of the graph alone would not do as a value: walking straight to a corner can increase the distance
//! to the vertices, and another direction can look better from there, and from there this one again.

use glam::Vec3;

use super::settle::NextHop;
use super::{Field, Many};
use crate::geometry::{distance_xz, lerp, nearest_fraction};
use crate::graph::{CostModel, Origin, SampleSide};
use crate::ids::{LinkId, PolygonId, SampleId};
use crate::navmesh::Location;
use crate::path::{Funnel, PathCorner};

/// The number of portals that are pulled taut ahead of the agent.
const LOOK_AHEAD: usize = 16;
/// An agent that is this close to a corner, in plan, is sent on to the next one. [Units: m]
const ARRIVED: f64 = 1e-3;

/// A point to walk to in a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldCorner {
    /// The point.
    pub point: Vec3,
    /// What is at the point.
    pub kind: FieldCornerKind,
}

/// What is at a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldCornerKind {
    /// A bend of the path, or a point on it.
    Bend,
    /// A link, and the end (0 or 1) at which the agent enters it. At the point, the agent uses the link, and
    /// continues to follow the field at the other end.
    Link(LinkId, usize),
    /// The goal with this index.
    Goal(usize),
}

/// The memory of [`Field::next_corner`]. Keep one per thread and reuse it; it works with any field.
#[derive(Clone, Debug, Default)]
pub struct FieldScratch {
    /// The polygons at the agent's position.
    polygons: Vec<PolygonId>,
    /// The portals before the horizon of a candidate.
    portals: Vec<[Vec3; 2]>,
    funnel: Funnel,
    bends: Vec<PathCorner>,
}

/// The value of a candidate, and the length of its taut line in plan, which decides between equal values: on ground
/// that costs nothing, the value does not change.
type Value = (f64, f64);

/// Where the taut line of a candidate ends.
#[derive(Clone, Copy)]
struct Horizon {
    end: FieldCorner,
    /// The cost from there to the goal.
    cost: f32,
    /// The cost per metre up to there.
    factor: f32,
}

impl Field {
    /// Returns the corner to which an agent at a location walks next; `None` if there is no path to a goal. An
    /// agent that walks to the corner in a straight line, asks again in every frame from wherever it is, and uses the
    /// links that it is told to use, arrives at a goal.
    ///
    /// The corner is the point of the location itself only at a goal or at a link that is to be used. Takes
    /// time in proportion to the number of portals of the polygon, and allocates nothing once `scratch` has
    /// grown.
    ///
    /// # Panics
    /// Panics if the field was computed for another world, or if the mesh has no such polygon.
    pub fn next_corner(
        &self,
        many: Many<'_>,
        location: Location,
        scratch: &mut FieldScratch,
    ) -> Option<FieldCorner> {
        many.check_world(self.world_id);
        if !many.is_open(location) {
            return None;
        }
        many.polygons_at(location, &mut scratch.polygons);
        let is_published = many.graph.options().cost_model == CostModel::Published;
        let mut best: Option<(Value, FieldCorner)> = None;
        let mut consider = |value: Value, corner| {
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, corner));
            }
        };
        for index in 0..scratch.polygons.len() {
            let polygon = scratch.polygons[index];
            let here = Location {
                polygon,
                ..location
            };
            let factor = f64::from(many.prices.factor(many.mesh, polygon));
            if is_published && factor > 0.0 {
                let (cost, hop) = self.cheapest(many, here);
                let hop = hop.map(|hop| self.leave_by(many, polygon, hop));
                let corner = match hop {
                    None => continue,
                    Some(NextHop::Goal(goal)) => self.goal_corner(goal),
                    Some(NextHop::Vertex(vertex)) => self.pull(many, here, vertex, scratch).1,
                };
                consider((cost.into(), 0.0), corner);
                continue;
            }
            for (_, index) in self.goals_in(polygon) {
                let end = self.goal_corner(index);
                let length = distance_xz(location.point, end.point);
                consider((length * factor, length), end);
            }
            for vertex in many.graph.samples_of(polygon) {
                let is_reached = self.costs[vertex.index()] < f32::INFINITY;
                if is_reached && !self.stays(many, polygon, vertex) {
                    let (value, corner) = self.pull(many, here, vertex, scratch);
                    consider(value, corner);
                }
            }
        }
        best.map(|(_, corner)| corner)
    }

    /// Pulls the path that leaves the polygon of a location by a vertex. Returns its value and its first corner.
    fn pull(
        &self,
        many: Many<'_>,
        location: Location,
        vertex: SampleId,
        scratch: &mut FieldScratch,
    ) -> (Value, FieldCorner) {
        let horizon = self.horizon(many, location, vertex, &mut scratch.portals);
        let FieldScratch {
            portals,
            funnel,
            bends,
            ..
        } = scratch;
        let (start, end) = (location.point, horizon.end.point);
        bends.clear();
        funnel.pull(start, end, portals.iter().copied(), bends);
        let (mut length, mut at) = (0.0, start);
        let mut corner = None;
        for bend in &*bends {
            length += distance_xz(at, bend.point);
            at = bend.point;
            if corner.is_none() && distance_xz(start, at) > ARRIVED {
                let kind = FieldCornerKind::Bend;
                corner = Some(FieldCorner { point: at, kind });
            }
        }
        length += distance_xz(at, end);
        let is_there = distance_xz(start, many.vertex_corner(vertex).point) <= ARRIVED;
        if is_there && horizon.factor > 0.0 {
            // The agent is at the vertex, so the value is that of the vertex. The sum over the arcs behind it
            // could be greater by rounding, and lead the agent back over ground that costs nothing.
            let cost = self.costs[vertex.index()];
            return ((cost.into(), 0.0), corner.unwrap_or(horizon.end));
        }
        let value = length * f64::from(horizon.factor) + f64::from(horizon.cost);
        ((value, length), corner.unwrap_or(horizon.end))
    }

    /// Follows the path that leaves the polygon of a location by a vertex, up to its horizon. Sets `portals`
    /// to the portals before it.
    fn horizon(
        &self,
        many: Many<'_>,
        location: Location,
        mut vertex: SampleId,
        portals: &mut Vec<[Vec3; 2]>,
    ) -> Horizon {
        portals.clear();
        let mut polygon = location.polygon;
        let mut factor = many.prices.factor(many.mesh, polygon);
        loop {
            let cost = self.costs[vertex.index()];
            let end = many.vertex_corner(vertex);
            let horizon = Horizon { end, cost, factor };
            let side = many.graph.side(vertex, self.side(vertex));
            let (Origin::Portal(portal), SampleSide::Polygon(beyond)) =
                (many.graph.origin(vertex), side)
            else {
                return horizon;
            };
            // An agent at the horizon itself is sent on.
            let is_there = distance_xz(location.point, end.point) <= ARRIVED;
            let factor_beyond = many.prices.factor(many.mesh, beyond);
            let is_far = portals.len() >= LOOK_AHEAD && factor > 0.0;
            if !is_there && (is_far || factor_beyond != factor) {
                return horizon;
            }
            // An agent on the first portal may be beyond it by rounding, and must not be led around its end.
            if !is_there || !portals.is_empty() {
                portals.push(many.mesh.portal(portal).ends_from(polygon));
            }
            (polygon, factor) = (beyond, factor_beyond);
            match self.leave_by(many, polygon, self.hop(vertex)) {
                NextHop::Vertex(next) => vertex = next,
                NextHop::Goal(goal) => {
                    let (end, cost) = (self.goal_corner(goal), 0.0);
                    return Horizon { end, cost, factor };
                }
            }
        }
    }

    fn goal_corner(&self, goal: u32) -> FieldCorner {
        FieldCorner {
            point: self.goals[goal as usize].point,
            kind: FieldCornerKind::Goal(goal as usize),
        }
    }
}

impl Many<'_> {
    /// Sets `polygons` to the open polygons at a location: its own, and those beyond portals on which the location is.
    fn polygons_at(&self, location: Location, polygons: &mut Vec<PolygonId>) {
        polygons.clear();
        polygons.push(location.polygon);
        let mut index = 0;
        while let Some(&polygon) = polygons.get(index) {
            index += 1;
            for &portal in self.mesh.portals_of(polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(polygon);
                let fraction = nearest_fraction(portal.right, portal.left, location.point);
                let nearest = lerp(portal.right, portal.left, fraction);
                if distance_xz(nearest, location.point) <= ARRIVED
                    && !polygons.contains(&beyond)
                    && self.prices.allows(self.mesh, beyond)
                {
                    polygons.push(beyond);
                }
            }
        }
    }

    /// Returns the point of a vertex on its portal or at the end of its link. In some cost models, the position
    /// of the vertex in the graph is not on the ground.
    fn vertex_corner(&self, vertex: SampleId) -> FieldCorner {
        match self.graph.origin(vertex) {
            Origin::LinkEnd(link, end) => FieldCorner {
                point: self.mesh.link(link).ends[end],
                kind: FieldCornerKind::Link(link, end),
            },
            Origin::Portal(portal) => {
                let portal = self.mesh.portal(portal);
                let position = self.graph.position(vertex);
                let fraction = nearest_fraction(portal.right, portal.left, position);
                FieldCorner {
                    point: lerp(portal.right, portal.left, fraction),
                    kind: FieldCornerKind::Bend,
                }
            }
        }
    }
}
