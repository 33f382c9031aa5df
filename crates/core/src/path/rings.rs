//! Holes of the ground, and the ways around them.
//!
//! Who crosses a portal has a hole at either end of it: an obstacle, or nothing but a corner where polygons
//! meet. Who keeps the left one on the left comes to the next portal around the hole, to the one after it,
//! and in the end back to the first. These are the hole's ring. Every portal is on two, one for each
//! direction, and the ring around everything is one of them.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec3Swizzles, vec2};

use super::directed::Directed;
use crate::csr::Csr;
use crate::geometry::{distance_squared_xz, distance_xz, lerp, nearest_fraction, orientation};
use crate::ids::{PolygonId, PortalId};
use crate::navmesh::NavMesh;

/// Directions in which a hole is measured, counter-clockwise.
const DIRECTIONS: [Vec2; 8] = {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        vec2(1.0, 0.0),
        vec2(DIAGONAL, DIAGONAL),
        vec2(0.0, 1.0),
        vec2(-DIAGONAL, DIAGONAL),
        vec2(-1.0, 0.0),
        vec2(-DIAGONAL, -DIAGONAL),
        vec2(0.0, -1.0),
        vec2(DIAGONAL, -DIAGONAL),
    ]
};

/// The rings of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Rings {
    /// Per ring its portals in order, crossed with the hole on the left.
    rings: Csr<u32>,
    /// Per directed portal its ring, and its place there.
    places: Vec<[u32; 2]>,
    /// Per ring those portal ends on its hole that lie farthest out, in eight directions. None where the
    /// hole is what lies around everything.
    extremes: Csr<Vec2>,
}

/// A hole and a portal beside it: the portal is crossed with the hole on the left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Beside {
    pub(super) ring: u32,
    place: u32,
}

impl Rings {
    pub(crate) fn new(mesh: &NavMesh) -> Self {
        let next = successors(mesh);
        let (mut rings, mut extremes) = (Csr::new(), Csr::new());
        let mut places = vec![[u32::MAX; 2]; next.len()];
        let mut ring = Vec::new();
        for first in 0..next.len() {
            if places[first][0] != u32::MAX {
                continue;
            }
            ring.clear();
            let mut at = first;
            while places[at][0] == u32::MAX {
                places[at] = [rings.len() as u32, ring.len() as u32];
                ring.push(at as u32);
                at = next[at] as usize;
            }
            let ends = ring
                .iter()
                .map(|&at| Directed::from_index(at as usize).left(mesh));
            extremes.push(extremes_of(ends));
            rings.push(ring.iter().copied());
        }
        Self {
            rings,
            places,
            extremes,
        }
    }

    /// The hole on the left.
    #[inline]
    pub(super) fn left_of(&self, directed: Directed) -> Beside {
        let [ring, place] = self.places[directed.index()];
        Beside { ring, place }
    }

    /// The portals of a ring.
    fn len(&self, ring: u32) -> usize {
        self.rings.get(ring as usize).len()
    }

    /// Whether the second comes after the first on one ring.
    #[inline]
    fn is_next(&self, first: Directed, second: Directed) -> bool {
        let (a, b) = (self.left_of(first), self.left_of(second));
        a.ring == b.ring && (b.place == a.place + 1 || b.place == 0 && self.is_last(a))
    }

    fn is_last(&self, beside: Beside) -> bool {
        beside.place as usize + 1 == self.len(beside.ring)
    }

    /// The ring from the portal after this one on, once around. Backwards, each portal is crossed the
    /// other way, with the hole on the right.
    fn after(&self, beside: Beside) -> impl DoubleEndedIterator<Item = Directed> {
        let ring = self.rings.get(beside.ring as usize);
        let (until, after) = ring.split_at(beside.place as usize + 1);
        let all = after.iter().chain(until);
        all.map(|&at| Directed::from_index(at as usize))
    }

    /// Whether the straight line from `p` to `q` has the hole on the right, or else on the left, as far as
    /// the farthest points tell.
    #[inline]
    pub(super) fn is_beside(&self, ring: u32, [p, q]: [Vec3; 2], on_right: bool) -> bool {
        let extremes = self.extremes.get(ring as usize);
        let is_beside = |&Vec2 { x, y }: &Vec2| {
            let side = orientation(p, q, Vec3::new(x, 0.0, y));
            if on_right { side <= 0.0 } else { side >= 0.0 }
        };
        !extremes.is_empty() && extremes.iter().all(is_beside)
    }

    /// The crossings around one of `count` that pass the same hole one after the other.
    pub(super) fn run(
        &self,
        at: usize,
        is_left: bool,
        count: usize,
        crossing: impl Fn(usize) -> Directed,
    ) -> Range<usize> {
        let goes_on = |i: usize| {
            let (one, next) = (crossing(i), crossing(i + 1));
            match is_left {
                true => self.is_next(one, next),
                false => self.is_next(next.back(), one.back()),
            }
        };
        let (mut start, mut end) = (at, at + 1);
        while start > 0 && goes_on(start - 1) {
            start -= 1;
        }
        while end < count && goes_on(end - 1) {
            end += 1;
        }
        start..end
    }

    /// Leads a way past the other side of the hole beside one of its crossings, or once less around it where
    /// it goes all around. False where the other side has more than `most` portals.
    pub(super) fn flip(
        &self,
        way: &[Directed],
        at: usize,
        is_left: bool,
        most: usize,
        flipped: &mut Vec<Directed>,
    ) -> bool {
        let run = self.run(at, is_left, way.len(), |i| way[i]);
        let (first, last) = (way[run.start], way[run.end - 1]);
        let from = self.left_of(if is_left { last } else { first.back() });
        let around = self.len(from.ring);
        let others = around.saturating_sub(run.len());
        if others > most {
            return false;
        }
        flipped.clear();
        flipped.extend_from_slice(&way[..run.start]);
        let mut add = |crossing: Directed| match flipped.last() {
            Some(last) if last.back() == crossing => _ = flipped.pop(),
            _ => flipped.push(crossing),
        };
        if is_left {
            // The run is the end of what comes after its last.
            let others = self.after(from).rev().skip(run.len());
            others.for_each(|crossing| add(crossing.back()));
        } else {
            self.after(from).take(others).for_each(&mut add);
        }
        let rest = &way[run.start + run.len().min(around)..];
        rest.iter().for_each(|&crossing| add(crossing));
        true
    }

    /// What a line from `p` to `q` is at least as long as, seen from above, if it has the hole on the
    /// right, or else on the left. Infinite where there is no other side.
    pub(super) fn least_past(&self, ring: u32, [p, q]: [Vec3; 2], on_right: bool) -> f64 {
        let extremes = self.extremes.get(ring as usize);
        if extremes.is_empty() {
            return f64::INFINITY;
        }
        let points = extremes.iter().map(|&Vec2 { x, y }| Vec3::new(x, 0.0, y));
        let in_the_way = points.filter(|&point| match on_right {
            true => orientation(p, q, point) > 0.0,
            false => orientation(p, q, point) < 0.0,
        });
        let detours = in_the_way.map(|point| distance_xz(p, point) + distance_xz(point, q));
        detours.fold(distance_xz(p, q), f64::max)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.rings.bytes() + size_of_val(&self.places[..]) + self.extremes.bytes()
    }
}

/// The points of a hole's outline that lie farthest out; none where it goes around clockwise, as it
/// does around everything.
fn extremes_of(outline: impl Iterator<Item = Vec3> + Clone) -> Vec<Vec2> {
    let rest = outline.clone().skip(1);
    let first = outline.clone().next().unwrap_or_default();
    let corners = outline.clone().zip(rest);
    let area: f64 = corners.map(|(a, b)| orientation(first, a, b)).sum();
    if area < 0.0 {
        return Vec::new();
    }
    let mut extremes: Vec<Vec2> = Vec::with_capacity(DIRECTIONS.len());
    for direction in DIRECTIONS {
        let reach = |point: &Vec2| point.dot(direction);
        let points = outline.clone().map(Vec3::xz);
        let farthest = points.max_by(|a, b| reach(a).total_cmp(&reach(b)));
        extremes.extend(farthest.filter(|point| !extremes.contains(point)));
    }
    extremes
}

/// Per directed portal the next one around what is on its left: of the portals out of the polygon that it
/// leads into, the one before itself, counter-clockwise.
fn successors(mesh: &NavMesh) -> Vec<u32> {
    let mut pairs = Vec::with_capacity(2 * mesh.portals().len());
    for portal in (0..mesh.portals().len()).map(PortalId::new) {
        let ways = Directed::both(portal);
        pairs.extend(ways.map(|way| (way.from(mesh).0, way.index() as u32)));
    }
    let leaving: Csr<u32> = Csr::group(mesh.polygon_count(), &pairs);
    let mut next = vec![0; pairs.len()];
    let mut around: Vec<(usize, f64, u32)> = Vec::new();
    for polygon in mesh.polygons() {
        around.clear();
        around.extend(leaving.get(polygon.index()).iter().map(|&way| {
            let portal = Directed::from_index(way as usize).portal();
            let (border, share) = place_on(mesh, polygon, mesh.portal(portal).middle());
            (border, share, way)
        }));
        around.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        for (i, &(.., way)) in around.iter().enumerate() {
            let before = around[i.checked_sub(1).unwrap_or(around.len() - 1)].2;
            next[Directed::from_index(way as usize).back().index()] = before;
        }
    }
    next
}

/// The border of a polygon that a point lies on, and the share of it.
fn place_on(mesh: &NavMesh, polygon: PolygonId, point: Vec3) -> (usize, f64) {
    let borders = mesh.borders(polygon).enumerate().map(|(i, [start, end])| {
        let share = nearest_fraction(start, end, point);
        let distance = distance_squared_xz(lerp(start, end, share), point);
        (distance, i, share)
    });
    let nearest = borders.min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, border, share) = nearest.expect("a polygon has borders");
    (border, share)
}

#[cfg(test)]
#[path = "rings_test.rs"]
mod tests;
