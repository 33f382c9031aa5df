//! The length of the shortest any-angle path in plan, and the cost of a line of waypoints over ground of different cost.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, Vec3};
use portolan_core::geometry::{lerp, nearest_fraction};
use portolan_core::{Location, NavMesh, Path, PolygonId, Profile};

use crate::oracle::{factor, relax};
use crate::portal_of;
use crate::sight::{MeshPoint, ROUNDING, Sight, around, clip, in_plan};

/// A visibility graph for shortest paths in plan, without links, where all ground is allowed and has the same cost.
/// A shortest path bends only at corners, and each corner is visible from the one before. Lengths may be too short
/// by `ROUNDING` at each bend.
#[derive(Debug)]
pub struct Optimum<'a> {
    /// The visibility on the same mesh.
    pub sight: Sight<'a>,
    /// The points at which a shortest path may bend.
    corners: Vec<MeshPoint>,
    /// Tail, head and length of each arc, in both directions.
    arcs: Vec<(usize, usize, f64)>,
}

impl<'a> Optimum<'a> {
    /// Builds the visibility graph of a mesh. The time is quadratic in the number of corners.
    pub fn new(mesh: &'a NavMesh) -> Self {
        let sight = Sight::new(mesh);
        let mut corners: Vec<MeshPoint> = Vec::new();
        for polygon in mesh.polygons() {
            let of_portals = mesh.portals().iter();
            let of_portals = of_portals.filter(|portal| portal.polygons.contains(&polygon));
            let ends = of_portals.flat_map(|portal| [portal.right, portal.left]);
            for point in mesh.corner_points(polygon).chain(ends) {
                let point = sight.mesh_point(polygon, in_plan(point));
                if may_bend(mesh, &point) && !corners.contains(&point) {
                    corners.push(point);
                }
            }
        }
        let mut arcs = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate().skip(i + 1) {
                if sight.sees(a, b) {
                    let length = a.position.distance(b.position);
                    arcs.extend([(i, j, length), (j, i, length)]);
                }
            }
        }
        Self {
            sight,
            corners,
            arcs,
        }
    }

    /// Returns the length of the shortest path in plan, or infinity if there is none. [Units: m]
    pub fn length(&self, start: Location, goal: Location) -> f64 {
        let ends = [start, goal];
        let [start, goal] = ends.map(|end| self.sight.mesh_point(end.polygon, in_plan(end.point)));
        if self.sight.sees(&start, &goal) {
            return start.position.distance(goal.position);
        }
        let corners = || self.corners.iter().enumerate();
        let from_start = corners().filter(|(_, corner)| self.sight.sees(&start, corner));
        let from_start =
            from_start.map(|(i, corner)| (i, start.position.distance(corner.position)));
        let lengths = relax(from_start, self.arcs.iter().copied(), self.corners.len());
        corners()
            .filter(|(i, corner)| lengths[*i].is_finite() && self.sight.sees(corner, &goal))
            .map(|(i, corner)| lengths[i] + corner.position.distance(goal.position))
            .fold(f64::INFINITY, f64::min)
    }
}

/// Returns whether a shortest path may bend at a point. It may not if there is ground all around the point, or if
/// all ground there lies on one side of a line.
fn may_bend(mesh: &NavMesh, point: &MeshPoint) -> bool {
    let angles: f64 = point
        .polygons
        .iter()
        .map(|&polygon| angle_at(mesh, polygon, point.position))
        .sum();
    angles > PI + 1e-6 && !is_inside(mesh, point)
}

/// Returns whether there is ground all around a vertex, with portals between its polygons.
fn is_inside(mesh: &NavMesh, vertex: &MeshPoint) -> bool {
    let is_here = |point| in_plan(point).distance(vertex.position) <= ROUNDING;
    let is_corner = |&polygon: &PolygonId| mesh.corner_points(polygon).any(is_here);
    let portals = mesh.portals().iter();
    let portals = portals.filter(|portal| {
        let is_between = portal
            .polygons
            .iter()
            .all(|side| vertex.polygons.contains(side));
        is_between && (is_here(portal.right) || is_here(portal.left))
    });
    let angles = vertex.polygons.iter();
    let angles = angles.map(|&polygon| angle_at(mesh, polygon, vertex.position));
    // The polygons form a ring if there are as many portals as polygons. A ring of more than a full turn is a
    // spiral.
    portals.count() == vertex.polygons.len()
        && vertex.polygons.iter().all(is_corner)
        && (angles.sum::<f64>() - TAU).abs() <= 1e-3
}

/// Returns the angle that a polygon covers around a point of its border. [Units: rad]
fn angle_at(mesh: &NavMesh, polygon: PolygonId, position: DVec2) -> f64 {
    let corners: Vec<DVec2> = mesh.corner_points(polygon).map(in_plan).collect();
    let count = corners.len();
    let is_here = |&i: &usize| corners[i].distance(position) <= ROUNDING;
    (0..count).find(is_here).map_or(PI, |i| {
        let before = corners[(i + count - 1) % count] - corners[i];
        let after = corners[(i + 1) % count] - corners[i];
        after.perp_dot(before).atan2(after.dot(before)).abs()
    })
}

/// Returns the cost of the line of waypoints over the ground of its corridor. Where the line runs along a portal,
/// it crosses the portal at the cheapest point. Heights are interpolated along portals, as they are for samples.
///
/// # Panics
/// Panics if the path uses a link or if the line misses a portal of its corridor.
pub fn line_cost(mesh: &NavMesh, profile: &Profile, path: &Path) -> f64 {
    assert!(path.links.is_empty());
    let (waypoints, polygons) = (&path.waypoints, &path.corridor.polygons);
    let factors: Vec<f64> = polygons
        .iter()
        .map(|&polygon| factor(profile, mesh.area(polygon), mesh.flags(polygon)))
        .map(|factor| factor.expect("the polygon is allowed"))
        .collect();
    let length = |from: &Reached, to: &Reached| {
        let passed = waypoints.iter().zip(0u32..);
        let passed = passed.filter(|(_, at)| from.at < f64::from(*at) && f64::from(*at) < to.at);
        let points = passed.map(|(point, _)| *point).chain([to.point]);
        let mut here = from.point;
        points.fold(0.0, |sum, point| {
            let leg = here.as_dvec3().distance(point.as_dvec3());
            here = point;
            sum + leg
        })
    };
    let mut reached = vec![Reached {
        at: 0.0,
        point: waypoints[0],
        cost: 0.0,
    }];
    for (&crossing, factor) in path.corridor.crossings.iter().zip(&factors) {
        let portal = portal_of(mesh, crossing).expect("the path has no links");
        let planes = around(portal);
        let touches = path.legs().zip(0u32..).filter_map(|(leg, i)| {
            let part = clip(&planes, leg.map(in_plan))?;
            Some(part.map(|fraction| f64::from(i) + fraction))
        });
        let touches: Vec<[f64; 2]> = touches.collect();
        let mut next: Vec<Reached> = Vec::new();
        for from in &reached {
            for &[first, last] in touches.iter().filter(|[_, last]| *last >= from.at) {
                // The cost is linear in the crossing point, so one of the two ends is the cheapest.
                for at in [first.max(from.at), last] {
                    let (i, fraction) = (at.floor().min(waypoints.len() as f64 - 2.0), at.fract());
                    let leg = [waypoints[i as usize], waypoints[i as usize + 1]];
                    let fraction = if at - i == 1.0 { 1.0 } else { fraction };
                    let position = lerp(leg[0], leg[1], fraction);
                    let fraction = nearest_fraction(portal.right, portal.left, position);
                    let mut to = Reached {
                        at,
                        point: lerp(portal.right, portal.left, fraction),
                        cost: 0.0,
                    };
                    to.cost = from.cost + factor * length(from, &to);
                    match next.iter_mut().find(|known| known.at == at) {
                        Some(known) if known.cost <= to.cost => (),
                        Some(known) => *known = to,
                        None => next.push(to),
                    }
                }
            }
        }
        assert!(!next.is_empty(), "the line misses {portal:?}: {path:?}");
        reached = next;
    }
    let goal = Reached {
        at: waypoints.len() as f64 - 1.0,
        point: waypoints[waypoints.len() - 1],
        cost: 0.0,
    };
    let last = factors[factors.len() - 1];
    let costs = reached
        .iter()
        .map(|from| from.cost + last * length(from, &goal));
    costs.fold(f64::INFINITY, f64::min)
}

/// A point on a line of waypoints, with the lowest cost of the line up to it.
struct Reached {
    /// The index of the leg plus the fraction of the leg.
    at: f64,
    point: Vec3,
    cost: f64,
}
