//! The true optimum, which no graph of samples knows: the shortest way seen from above, and what the cheapest
//! way costs where ground differs.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, Vec3};
use portolan_core::geometry::{lerp, nearest_fraction};
use portolan_core::{Location, NavMesh, Path, PolygonId, Profile};

use crate::oracle::{factor, relax};
use crate::portal_of;
use crate::sight::{ROUNDING, Sight, Stop, around, clip, from_above};

/// The shortest way seen from above, without links, where all ground is open and costs the same: it bends only
/// at corners and sees each from the last. Too short by no more than the reach of `ROUNDING` at each bend.
#[derive(Debug)]
pub struct Optimum<'a> {
    pub sight: Sight<'a>,
    /// Where a shortest way may bend.
    corners: Vec<Stop>,
    /// From, to, length; both ways.
    arcs: Vec<(usize, usize, f64)>,
}

impl<'a> Optimum<'a> {
    pub fn new(mesh: &'a NavMesh) -> Self {
        let sight = Sight::new(mesh);
        let mut corners: Vec<Stop> = Vec::new();
        for polygon in mesh.polygons() {
            let of_portals = mesh.portals().iter();
            let of_portals = of_portals.filter(|portal| portal.polygons.contains(&polygon));
            let ends = of_portals.flat_map(|portal| [portal.right, portal.left]);
            for point in mesh.corner_points(polygon).chain(ends) {
                let stop = sight.stop(polygon, from_above(point));
                if may_bend(mesh, &stop) && !corners.contains(&stop) {
                    corners.push(stop);
                }
            }
        }
        let mut arcs = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate().skip(i + 1) {
                if sight.sees(a, b) {
                    let length = a.place.distance(b.place);
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

    /// The length of the shortest way; infinite where there is none.
    pub fn length(&self, start: Location, goal: Location) -> f64 {
        let ends = [start, goal];
        let [start, goal] = ends.map(|end| self.sight.stop(end.polygon, from_above(end.point)));
        if self.sight.sees(&start, &goal) {
            return start.place.distance(goal.place);
        }
        let corners = || self.corners.iter().enumerate();
        let from_start = corners().filter(|(_, corner)| self.sight.sees(&start, corner));
        let from_start = from_start.map(|(i, corner)| (i, start.place.distance(corner.place)));
        let lengths = relax(from_start, self.arcs.iter().copied(), self.corners.len());
        corners()
            .filter(|(i, corner)| lengths[*i].is_finite() && self.sight.sees(corner, &goal))
            .map(|(i, corner)| lengths[i] + corner.place.distance(goal.place))
            .fold(f64::INFINITY, f64::min)
    }
}

/// Whether a shortest way may bend there: not where there is ground all around, and not where it is all on one
/// side of a line.
fn may_bend(mesh: &NavMesh, stop: &Stop) -> bool {
    let angles: f64 = stop
        .polygons
        .iter()
        .map(|&polygon| angle_at(mesh, polygon, stop.place))
        .sum();
    angles > PI + 1e-6 && !is_inside(mesh, stop)
}

/// Whether there is ground all around a vertex, and portals between all of it.
pub fn is_inside(mesh: &NavMesh, stop: &Stop) -> bool {
    let is_here = |point| from_above(point).distance(stop.place) <= ROUNDING;
    let is_corner = |&polygon: &PolygonId| mesh.corner_points(polygon).any(is_here);
    let portals = mesh.portals().iter();
    let portals = portals.filter(|portal| {
        let is_between = portal
            .polygons
            .iter()
            .all(|side| stop.polygons.contains(side));
        is_between && (is_here(portal.right) || is_here(portal.left))
    });
    let angles = stop.polygons.iter();
    let angles = angles.map(|&polygon| angle_at(mesh, polygon, stop.place));
    // As many portals as polygons make a ring; a ring of more than a full turn is a spiral.
    portals.count() == stop.polygons.len()
        && stop.polygons.iter().all(is_corner)
        && (angles.sum::<f64>() - TAU).abs() <= 1e-3
}

/// The angle that a polygon takes of the circle around a place on its border.
fn angle_at(mesh: &NavMesh, polygon: PolygonId, place: DVec2) -> f64 {
    let corners: Vec<DVec2> = mesh.corner_points(polygon).map(from_above).collect();
    let count = corners.len();
    let is_here = |&i: &usize| corners[i].distance(place) <= ROUNDING;
    (0..count).find(is_here).map_or(PI, |i| {
        let before = corners[(i + count - 1) % count] - corners[i];
        let after = corners[(i + 1) % count] - corners[i];
        after.perp_dot(before).atan2(after.dot(before)).abs()
    })
}

/// What the line of waypoints costs, weighed by the ground of its corridor that it crosses. Where it runs
/// along a portal, it crosses where that is cheapest. Heights are those of portals, as they are for samples.
///
/// # Panics
/// When there are links or more waypoints than corners, or the line misses a portal of its corridor.
pub fn weigh(mesh: &NavMesh, profile: &Profile, path: &Path) -> f64 {
    assert!(path.links.is_empty());
    let (waypoints, polygons) = (&path.waypoints, &path.corridor.polygons);
    let factors: Vec<f64> = polygons
        .iter()
        .map(|&polygon| factor(profile, mesh.area(polygon), mesh.flags(polygon)))
        .map(|factor| factor.expect("open ground"))
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
        let portal = portal_of(mesh, crossing).expect("no links");
        let planes = around(portal);
        let touches = path.legs().zip(0u32..).filter_map(|(leg, i)| {
            let part = clip(&planes, leg.map(from_above))?;
            Some(part.map(|share| f64::from(i) + share))
        });
        let touches: Vec<[f64; 2]> = touches.collect();
        let mut next: Vec<Reached> = Vec::new();
        for from in &reached {
            for &[first, last] in touches.iter().filter(|[_, last]| *last >= from.at) {
                // Costs are linear in where it crosses, so one of the ends is best.
                for at in [first.max(from.at), last] {
                    let (i, share) = (at.floor().min(waypoints.len() as f64 - 2.0), at.fract());
                    let leg = [waypoints[i as usize], waypoints[i as usize + 1]];
                    let share = if at - i == 1.0 { 1.0 } else { share };
                    let place = lerp(leg[0], leg[1], share);
                    let share = nearest_fraction(portal.right, portal.left, place);
                    let mut to = Reached {
                        at,
                        point: lerp(portal.right, portal.left, share),
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
        assert!(!next.is_empty(), "misses {portal:?}: {path:?}");
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

/// A place on a line of waypoints: leg and share, where that is, and the least cost up to there.
struct Reached {
    at: f64,
    point: Vec3,
    cost: f64,
}
