//! Taut lines between two points through a sequence of portals, and their cost.

use std::ops::Range;

use glam::Vec3;

use super::directed::DirectedPortal;
use super::funnel::{Funnel, PathCorner};
use crate::geometry::{
    distance, distance_squared_xz, distance_xz, intersection_fractions, lerp, nearest_fraction,
    orientation,
};
use crate::graph::CostModel;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// Height differences up to this value are ignored when costs are computed. [Units: m]
const LEVEL_TOLERANCE: f32 = 0.01;

/// The taut line from one point to another through given portals.
#[derive(Clone, Copy)]
pub(crate) struct TautLine<'a> {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) crossings: &'a [DirectedPortal],
    pub(super) cost_model: CostModel,
    /// The polygon in which the line ends.
    pub(super) last_polygon: PolygonId,
}

impl TautLine<'_> {
    /// Returns the line between the same points through other portals.
    pub(super) fn over<'b>(&self, crossings: &'b [DirectedPortal]) -> TautLine<'b> {
        TautLine { crossings, ..*self }
    }

    /// Sets `corners` to the bends of the line. Each bend is at one of the crossings.
    pub(super) fn find_bends(
        &self,
        mesh: &NavMesh,
        funnel: &mut Funnel,
        corners: &mut Vec<PathCorner>,
    ) {
        find_bends([self.from, self.to], mesh, self.crossings, funnel, corners);
    }

    /// Returns the first crossing that the straight line between the two points misses, and whether the
    /// line misses it on the left (it passes outside the left end) or on the right.
    pub(super) fn first_missed_crossing(&self, mesh: &NavMesh) -> Option<(usize, bool)> {
        let [from, to] = [self.from, self.to];
        let ends = |i: usize| self.crossings[i].ends(mesh);
        let missed = |i: usize| {
            let [right, left] = ends(i);
            if orientation(from, to, left) < 0.0 {
                return Some((i, true));
            }
            (orientation(from, to, right) > 0.0).then_some((i, false))
        };
        without_touching_ends([from, to], 0..self.crossings.len(), ends).find_map(missed)
    }

    /// Returns the length of a line with these bends in plan. [Units: m]
    pub(crate) fn length([from, to]: [Vec3; 2], corners: &[PathCorner]) -> f64 {
        legs(from, to, corners)
            .map(|[a, b]| distance_xz(a, b))
            .sum()
    }

    /// Returns the cost of the line with these bends; infinite if it crosses closed ground.
    pub(super) fn cost(&self, mesh: &NavMesh, prices: &Prices, corners: &[PathCorner]) -> f32 {
        match prices.uniform() {
            Some(factor) if !prices.has_closed() && self.is_flat(mesh) => {
                let legs = legs(self.from, self.to, corners);
                legs.map(|leg| self.distance(leg)).sum::<f32>() * factor
            }
            _ => self.cost_along(mesh, prices, corners),
        }
    }

    /// Returns the length of a leg in the cost model. [Units: m]
    #[inline]
    fn distance(&self, leg: [Vec3; 2]) -> f32 {
        let [a, b] = leg.map(|end| self.cost_model.cost_position(end));
        distance(a, b)
    }

    /// Returns whether heights can be ignored: the cost model measures in plan, or all portals and both
    /// ends are at nearly the same height.
    pub(super) fn is_flat(&self, mesh: &NavMesh) -> bool {
        if self.cost_model == CostModel::Plan {
            return true;
        }
        let ends = self
            .crossings
            .iter()
            .flat_map(|crossing| crossing.ends(mesh));
        let heights = [self.from, self.to]
            .into_iter()
            .chain(ends)
            .map(|end| end.y);
        let (lowest, highest) = heights.fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(lowest, highest), y| (lowest.min(y), highest.max(y)),
        );
        highest - lowest <= LEVEL_TOLERANCE
    }

    /// Computes the cost portal by portal, with the heights of the portals and the factors of the polygons
    /// between them.
    pub(super) fn cost_along(
        &self,
        mesh: &NavMesh,
        prices: &Prices,
        corners: &[PathCorner],
    ) -> f32 {
        let factor = |i: usize| {
            let crossing = self.crossings.get(i);
            prices.factor(
                mesh,
                crossing.map_or(self.last_polygon, |crossing| crossing.from(mesh)),
            )
        };
        let (mut cost, mut here, mut next) = (0.0, self.from, 0);
        let end = PathCorner {
            point: self.to,
            portal: self.crossings.len() as u32,
            is_left: false,
        };
        for corner in corners.iter().chain([&end]) {
            let from = here;
            for i in next..corner.portal as usize {
                let [right, left] = self.crossings[i].ends(mesh);
                // If the line is nearly parallel to a portal that it starts or ends on, rounding decides
                // where they intersect.
                let fraction = match intersection_fractions(from, corner.point, right, left) {
                    Some((along, _)) if along > 1.0 => nearest_fraction(right, left, corner.point),
                    Some((along, fraction)) if along >= 0.0 => fraction,
                    _ => nearest_fraction(right, left, here),
                };
                let there = lerp(right, left, fraction.clamp(0.0, 1.0));
                cost += self.distance([here, there]) * factor(i);
                here = there;
            }
            next = (corner.portal as usize).max(next);
            cost += self.distance([here, corner.point]) * factor(next);
            here = corner.point;
        }
        // A leg of length 0 on closed ground costs 0 * infinity, which is NaN.
        if cost.is_nan() { f32::INFINITY } else { cost }
    }
}

/// Returns the legs of a line with these bends.
fn legs(from: Vec3, to: Vec3, corners: &[PathCorner]) -> impl Iterator<Item = [Vec3; 2]> {
    let points = corners.iter().map(|corner| corner.point).chain([to]);
    points.scan(from, |here, point| {
        Some([std::mem::replace(here, point), point])
    })
}

/// Sets `corners` to the bends of the taut line between two points. Each bend is at one of the crossings.
pub(crate) fn find_bends(
    [from, to]: [Vec3; 2],
    mesh: &NavMesh,
    crossings: &[DirectedPortal],
    funnel: &mut Funnel,
    corners: &mut Vec<PathCorner>,
) {
    corners.clear();
    let ends = |i: usize| crossings[i].ends(mesh);
    let mut portals = without_touching_ends([from, to], 0..crossings.len(), ends);
    let (mut start, mut goal, mut last) = (from, to, None);
    if let Some(near) = portals
        .clone()
        .next()
        .and_then(|i| end_to_pass(from, ends(i)))
    {
        let corner = near.corner(portals.start);
        corners.push(corner);
        start = corner.point;
        portals = without_touching_ends([start, goal], portals, ends);
    }
    if let Some(near) = portals
        .clone()
        .next_back()
        .and_then(|i| end_to_pass(to, crossings[i].back().ends(mesh)))
    {
        let corner = near.back().corner(portals.end - 1);
        last = Some(corner);
        goal = corner.point;
        portals = without_touching_ends([start, goal], portals, ends);
    }
    let (pulled, first) = (corners.len(), portals.start as u32);
    let ends = crossings[portals]
        .iter()
        .map(|crossing| crossing.ends(mesh));
    funnel.pull(start, goal, ends, corners);
    for corner in &mut corners[pulled..] {
        corner.portal += first;
    }
    corners.extend(last);
}

/// An end of a portal.
#[derive(Clone, Copy)]
struct PortalEnd {
    point: Vec3,
    is_left: bool,
}

impl PortalEnd {
    /// Returns the same end of the portal, seen from the other side.
    fn back(self) -> Self {
        Self {
            is_left: !self.is_left,
            ..self
        }
    }

    /// Returns the bend at this end of the portal with index `portal`.
    fn corner(self, portal: usize) -> PathCorner {
        PathCorner {
            point: self.point,
            portal: portal as u32,
            is_left: self.is_left,
        }
    }
}

/// Removes the leading portals that the line starts on and the trailing portals that it ends on. They
/// cannot bend the line, but rounding may place a point on a portal slightly behind it, and the funnel
/// would then bend there.
fn without_touching_ends(
    [from, to]: [Vec3; 2],
    Range { start, end }: Range<usize>,
    ends: impl Fn(usize) -> [Vec3; 2],
) -> Range<usize> {
    let first = (start..end)
        .take_while(|&i| is_on_portal(from, ends(i)))
        .count();
    let start = start + first;
    let last = (start..end)
        .rev()
        .take_while(|&i| is_on_portal(to, ends(i)))
        .count();
    start..end - last
}

/// Returns the end of a portal over which the line has to start, if any. This happens when the line starts
/// beside the portal, on its extension, and rounding places it slightly behind. The funnel would take the
/// portal for a reversed one and bend around the farther end.
fn end_to_pass(from: Vec3, [right, left]: [Vec3; 2]) -> Option<PortalEnd> {
    if orientation(right, left, from) >= 0.0 {
        return None;
    }
    let fraction = nearest_fraction(right, left, from);
    let end = |point, is_left| PortalEnd { point, is_left };
    (fraction == 0.0)
        .then_some(end(right, false))
        .or((fraction == 1.0).then_some(end(left, true)))
}

/// Returns whether a point lies on a portal in plan, within rounding.
fn is_on_portal(point: Vec3, [right, left]: [Vec3; 2]) -> bool {
    let nearest = lerp(right, left, nearest_fraction(right, left, point));
    let rounding =
        8.0 * f64::from(f32::EPSILON) * f64::from(point.x.abs().max(point.z.abs()).max(1.0));
    distance_squared_xz(nearest, point) <= rounding * rounding
}
