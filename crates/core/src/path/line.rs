//! Lines that are pulled taut between two points, and what they cost.

use std::ops::Range;

use glam::Vec3;

use super::directed::Directed;
use super::funnel::{Corner, Funnel};
use crate::geometry::{
    distance, distance_squared_xz, distance_xz, intersection_fractions, lerp, nearest_fraction,
    orientation,
};
use crate::graph::CostModel;
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// Ground whose portals differ by less is level. [Units: m]
const LEVEL: f32 = 0.01;

/// A way from one point to another over portals.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) crossings: &'a [Directed],
    pub(super) cost_model: CostModel,
    /// The polygon that it ends in.
    pub(super) last: PolygonId,
}

impl Way<'_> {
    /// Between the same points over other portals.
    pub(super) fn over<'b>(&self, crossings: &'b [Directed]) -> Way<'b> {
        Way { crossings, ..*self }
    }

    /// Sets `corners` to where the taut line bends; each bend is at one of the crossings.
    pub(super) fn bends(&self, mesh: &NavMesh, funnel: &mut Funnel, corners: &mut Vec<Corner>) {
        let ends = |i: usize| self.crossings[i].ends(mesh);
        bends(
            [self.from, self.to],
            self.crossings.len(),
            ends,
            funnel,
            corners,
        );
    }

    /// The first crossing that the straight line misses, and whether it passes its left end on the wrong
    /// side, or else its right end.
    pub(super) fn in_the_way(&self, mesh: &NavMesh) -> Option<(usize, bool)> {
        let [from, to] = [self.from, self.to];
        let ends = |i: usize| self.crossings[i].ends(mesh);
        let missed = |i: usize| {
            let [right, left] = ends(i);
            if orientation(from, to, left) < 0.0 {
                return Some((i, true));
            }
            (orientation(from, to, right) > 0.0).then_some((i, false))
        };
        off_ends([from, to], 0..self.crossings.len(), ends).find_map(missed)
    }

    /// The length of a line with these bends, seen from above.
    pub(super) fn length([from, to]: [Vec3; 2], corners: &[Corner]) -> f64 {
        legs(from, to, corners)
            .map(|[a, b]| distance_xz(a, b))
            .sum()
    }

    /// What the line with these bends costs. Infinite where it leads over closed ground.
    pub(super) fn cost(&self, mesh: &NavMesh, prices: &Prices, corners: &[Corner]) -> f32 {
        match prices.uniform() {
            Some(factor) if self.is_flat(mesh) => {
                let legs = legs(self.from, self.to, corners);
                legs.map(|leg| self.distance(leg)).sum::<f32>() * factor
            }
            _ => self.cost_along(mesh, prices, corners),
        }
    }

    /// How long a leg counts as.
    #[inline]
    fn distance(&self, leg: [Vec3; 2]) -> f32 {
        let [a, b] = leg.map(|end| self.cost_model.seen(end));
        distance(a, b)
    }

    /// Whether heights make no difference: it is seen from above, or all at one height, about.
    pub(super) fn is_flat(&self, mesh: &NavMesh) -> bool {
        if self.cost_model == CostModel::Plan {
            return true;
        }
        let ends = self.crossings.iter().flat_map(|way| way.ends(mesh));
        let heights = [self.from, self.to]
            .into_iter()
            .chain(ends)
            .map(|end| end.y);
        let (lowest, highest) = heights.fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(lowest, highest), y| (lowest.min(y), highest.max(y)),
        );
        highest - lowest <= LEVEL
    }

    /// Portal by portal: with the heights and the ground between them.
    pub(super) fn cost_along(&self, mesh: &NavMesh, prices: &Prices, corners: &[Corner]) -> f32 {
        let factor = |i: usize| {
            let crossing = self.crossings.get(i);
            prices.factor(mesh, crossing.map_or(self.last, |way| way.from(mesh)))
        };
        let (mut cost, mut here, mut next) = (0.0, self.from, 0);
        let end = Corner {
            point: self.to,
            portal: self.crossings.len() as u32,
        };
        for corner in corners.iter().chain([&end]) {
            let from = here;
            for i in next..corner.portal as usize {
                let [right, left] = self.crossings[i].ends(mesh);
                // Almost along a portal that it begins or ends on, a line meets it anywhere, by rounding.
                let share = match intersection_fractions(from, corner.point, right, left) {
                    Some((along, _)) if along > 1.0 => nearest_fraction(right, left, corner.point),
                    Some((along, share)) if along >= 0.0 => share,
                    _ => nearest_fraction(right, left, here),
                };
                let there = lerp(right, left, share.clamp(0.0, 1.0));
                cost += self.distance([here, there]) * factor(i);
                here = there;
            }
            next = (corner.portal as usize).max(next);
            cost += self.distance([here, corner.point]) * factor(next);
            here = corner.point;
        }
        // Closed ground times no length is no number.
        if cost.is_nan() { f32::INFINITY } else { cost }
    }
}

/// The legs of a line with these bends.
fn legs(from: Vec3, to: Vec3, corners: &[Corner]) -> impl Iterator<Item = [Vec3; 2]> {
    let points = corners.iter().map(|corner| corner.point).chain([to]);
    points.scan(from, |here, point| {
        Some([std::mem::replace(here, point), point])
    })
}

/// Sets `corners` to where the taut line between two points bends; `ends` are right and left end of each of
/// `count` portals.
pub(super) fn bends(
    [from, to]: [Vec3; 2],
    count: usize,
    ends: impl Fn(usize) -> [Vec3; 2],
    funnel: &mut Funnel,
    corners: &mut Vec<Corner>,
) {
    corners.clear();
    let mut portals = off_ends([from, to], 0..count, &ends);
    let (mut start, mut goal, mut last) = (from, to, None);
    if let Some(near) = portals.clone().next().and_then(|i| passed(from, ends(i))) {
        let portal = portals.start as u32;
        corners.push(Corner {
            point: near,
            portal,
        });
        start = near;
        portals = off_ends([start, goal], portals, &ends);
    }
    let backwards = |i: usize| {
        let [right, left] = ends(i);
        [left, right]
    };
    if let Some(near) = portals
        .clone()
        .next_back()
        .and_then(|i| passed(to, backwards(i)))
    {
        last = Some(Corner {
            point: near,
            portal: portals.end as u32 - 1,
        });
        goal = near;
        portals = off_ends([start, goal], portals, &ends);
    }
    let (pulled, first) = (corners.len(), portals.start as u32);
    funnel.pull(start, goal, portals.map(ends), corners);
    for corner in &mut corners[pulled..] {
        corner.portal += first;
    }
    corners.extend(last);
}

/// All of some portals but the first ones that a line begins on and the last ones that it ends on. They do not
/// bend it. Left in, they would: by rounding, a point on a portal lies behind it as often as not.
fn off_ends(
    [from, to]: [Vec3; 2],
    Range { start, end }: Range<usize>,
    ends: impl Fn(usize) -> [Vec3; 2],
) -> Range<usize> {
    let first = (start..end).take_while(|&i| lies_on(from, ends(i))).count();
    let start = start + first;
    let last = (start..end)
        .rev()
        .take_while(|&i| lies_on(to, ends(i)))
        .count();
    start..end - last
}

/// The end of a portal that a line has to begin with if it is to go through: where it begins on the line of the
/// portal, beside it, and by rounding behind. The funnel takes what is behind for a portal the other way
/// round, and would pass the end that is farther.
fn passed(from: Vec3, [right, left]: [Vec3; 2]) -> Option<Vec3> {
    if orientation(right, left, from) >= 0.0 {
        return None;
    }
    let share = nearest_fraction(right, left, from);
    (share == 0.0)
        .then_some(right)
        .or((share == 1.0).then_some(left))
}

/// Whether a point is on a portal, seen from above and as far as rounding can tell.
fn lies_on(point: Vec3, [right, left]: [Vec3; 2]) -> bool {
    let nearest = lerp(right, left, nearest_fraction(right, left, point));
    let rounding =
        8.0 * f64::from(f32::EPSILON) * f64::from(point.x.abs().max(point.z.abs()).max(1.0));
    distance_squared_xz(nearest, point) <= rounding * rounding
}
