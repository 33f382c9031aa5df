//! The holes of the mesh and the rings of portals around them.
//!
//! A portal has a hole at each end: an obstacle, or just a vertex at which polygons meet. Crossing a portal
//! and keeping the hole at its left end on the left leads to the next portal around that hole, then to the
//! one after it, and finally back to the first. These portals are the ring of the hole. Every portal is on
//! two rings, one per crossing direction. The outside of the mesh has a ring as well.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec3Swizzles, vec2};
use rayon::prelude::*;

use super::directed::DirectedPortal;
use crate::array::Array;
use crate::csr::{Csr, Lists};
use crate::geometry::{distance_xz, orientation};
use crate::navmesh::NavMesh;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// The directions in which the extreme points of a hole are computed, counter-clockwise.
const EXTREME_DIRECTIONS: [Vec2; 8] = {
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
    /// Per ring, its directed portals in order, with the hole on the left.
    rings: Lists<u32>,
    /// Per directed portal, its ring and its index in that ring.
    positions: Array<[u32; 2]>,
    /// Per ring, the portal ends on its hole that are farthest out in eight directions. Empty if the hole
    /// is the outside of the mesh.
    extremes: Lists<Vec2>,
}

/// A position in a ring: a portal that is crossed with the hole on the left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RingPosition {
    pub(super) ring: u32,
    index: u32,
}

impl Rings {
    /// Computes the rings of a mesh.
    pub(crate) fn new(mesh: &NavMesh) -> Self {
        let next = successors(mesh);
        let (mut rings, mut extremes) = (Csr::new(), Csr::new());
        let mut positions = vec![[u32::MAX; 2]; next.len()];
        let mut ring = Vec::new();
        for first in 0..next.len() {
            if positions[first][0] != u32::MAX {
                continue;
            }
            ring.clear();
            let mut at = first;
            while positions[at][0] == u32::MAX {
                positions[at] = [rings.len() as u32, ring.len() as u32];
                ring.push(at as u32);
                at = next[at] as usize;
            }
            let ends = ring
                .iter()
                .map(|&at| DirectedPortal::from_index(at as usize).left(mesh));
            extremes.push(extremes_of(ends));
            rings.push(ring.iter().copied());
        }
        Self {
            rings: rings.into(),
            positions: positions.into(),
            extremes: extremes.into(),
        }
    }

    /// Adds the sections of the rings to a file.
    pub(crate) fn write_sections(&self, file: &mut SectionWriter) {
        file.lists([*b"rino", *b"rinv"], &self.rings);
        file.array(*b"ripo", &self.positions);
        file.lists([*b"rieo", *b"riev"], &self.extremes);
    }

    /// Reads the sections of the rings of a mesh. Only the lengths of the arrays are checked: see
    /// [`check`](Self::check).
    pub(crate) fn read_sections(
        file: &mut SectionReader,
        mesh: &NavMesh,
    ) -> Result<Self, SectionError> {
        let rings = Self {
            rings: file.lists([*b"rino", *b"rinv"])?,
            positions: file.array(*b"ripo")?,
            extremes: file.lists([*b"rieo", *b"riev"])?,
        };
        let count = 2 * mesh.portals().len();
        let lengths_fit = rings.rings.values().len() == count
            && rings.positions.len() == count
            && rings.extremes.len() == rings.rings.len();
        SectionError::unless(lengths_fit, "its holes do not fit its navmesh")?;
        Ok(rings)
    }

    /// Returns whether every directed portal is once in a ring, where its position says, and every ring leads from
    /// polygon to polygon.
    pub(crate) fn check(&self, mesh: &NavMesh) -> bool {
        let is_ring = |ring: usize| {
            let portals = self.rings.get(ring);
            let exist = portals
                .iter()
                .all(|&at| (at as usize) < self.positions.len());
            let at = |index: usize| DirectedPortal::from_index(portals[index] as usize);
            exist
                && (0..portals.len()).all(|index| {
                    let next = if index + 1 == portals.len() {
                        0
                    } else {
                        index + 1
                    };
                    self.positions[at(index).index()] == [ring as u32, index as u32]
                        && at(index).to(mesh) == at(next).from(mesh)
                })
        };
        // There are as many entries as directed portals, so each has one if no two have the same.
        self.rings.is_valid()
            && self.extremes.is_valid()
            && self.extremes.values().iter().all(|point| point.is_finite())
            && (0..self.rings.len())
                .into_par_iter()
                .with_min_len(4096)
                .all(is_ring)
    }

    /// Returns the ring of the hole on the left of a crossing, and the position of the crossing in it.
    #[inline]
    pub(super) fn left_of(&self, directed: DirectedPortal) -> RingPosition {
        let [ring, index] = self.positions[directed.index()];
        RingPosition { ring, index }
    }

    /// Returns the number of portals in a ring.
    fn len(&self, ring: u32) -> usize {
        self.rings.get(ring as usize).len()
    }

    /// Returns whether `second` directly follows `first` in a ring.
    #[inline]
    fn is_next(&self, first: DirectedPortal, second: DirectedPortal) -> bool {
        let (a, b) = (self.left_of(first), self.left_of(second));
        a.ring == b.ring && (b.index == a.index + 1 || b.index == 0 && self.is_last(a))
    }

    fn is_last(&self, position: RingPosition) -> bool {
        position.index as usize + 1 == self.len(position.ring)
    }

    /// Returns the portals of a ring once around, starting after `position`. To follow the ring in the
    /// opposite direction, with the hole on the right, reverse both the iterator and each portal.
    fn after(&self, position: RingPosition) -> impl DoubleEndedIterator<Item = DirectedPortal> {
        let ring = self.rings.get(position.ring as usize);
        let (until, after) = ring.split_at(position.index as usize + 1);
        let all = after.iter().chain(until);
        all.map(|&at| DirectedPortal::from_index(at as usize))
    }

    /// Returns whether all extreme points of the hole are on one side of the straight line from `p` to `q`:
    /// on the right if `on_right`, otherwise on the left.
    #[inline]
    pub(super) fn is_hole_beside(&self, ring: u32, [p, q]: [Vec3; 2], on_right: bool) -> bool {
        let extremes = self.extremes.get(ring as usize);
        let is_on_side = |&Vec2 { x, y }: &Vec2| {
            let side = orientation(p, q, Vec3::new(x, 0.0, y));
            if on_right { side <= 0.0 } else { side >= 0.0 }
        };
        !extremes.is_empty() && extremes.iter().all(is_on_side)
    }

    /// Returns the longest run of consecutive crossings around index `at` that follow the ring of the same
    /// hole.
    pub(super) fn run(&self, path: &[DirectedPortal], at: usize, is_left: bool) -> Range<usize> {
        let goes_on = |i: usize| {
            let (one, next) = (path[i], path[i + 1]);
            match is_left {
                true => self.is_next(one, next),
                false => self.is_next(next.back(), one.back()),
            }
        };
        let (mut start, mut end) = (at, at + 1);
        while start > 0 && goes_on(start - 1) {
            start -= 1;
        }
        while end < path.len() && goes_on(end - 1) {
            end += 1;
        }
        start..end
    }

    /// Returns whether a path with `crossings` crossings may pass a hole on the other side, over at most
    /// `max_portals` portals. Outdoors most holes are small, and indoors most bends are around the outside of the
    /// level.
    #[inline]
    pub(super) fn can_flip(&self, ring: u32, crossings: usize, max_portals: usize) -> bool {
        !self.extremes.get(ring as usize).is_empty() && self.len(ring) <= max_portals + crossings
    }

    /// Sets `flipped` to `path` with the hole beside crossing `at` passed on the other side. If the path
    /// goes all around the hole, one round is removed instead. Returns false if the other side has more
    /// than `max_portals` portals.
    pub(super) fn flip(
        &self,
        path: &[DirectedPortal],
        at: usize,
        is_left: bool,
        max_portals: usize,
        flipped: &mut Vec<DirectedPortal>,
    ) -> bool {
        let run = self.run(path, at, is_left);
        let (first, last) = (path[run.start], path[run.end - 1]);
        let from = self.left_of(if is_left { last } else { first.back() });
        let ring_len = self.len(from.ring);
        let other_count = ring_len.saturating_sub(run.len());
        if other_count > max_portals {
            return false;
        }
        flipped.clear();
        flipped.extend_from_slice(&path[..run.start]);
        let mut add = |crossing: DirectedPortal| match flipped.last() {
            Some(last) if last.back() == crossing => _ = flipped.pop(),
            _ => flipped.push(crossing),
        };
        if is_left {
            // The run is the tail of the ring that starts after the run's last portal.
            let others = self.after(from).rev().skip(run.len());
            others.for_each(|crossing| add(crossing.back()));
        } else {
            self.after(from).take(other_count).for_each(&mut add);
        }
        let after_run = &path[run.start + run.len().min(ring_len)..];
        after_run.iter().for_each(|&crossing| add(crossing));
        true
    }

    /// Returns a lower bound on the length in plan of a line from `p` to `q` that has the hole on its right
    /// if `on_right`, otherwise on its left. Infinite if the hole is the outside of the mesh.
    pub(super) fn min_length_past(&self, ring: u32, [p, q]: [Vec3; 2], on_right: bool) -> f64 {
        let extremes = self.extremes.get(ring as usize);
        if extremes.is_empty() {
            return f64::INFINITY;
        }
        let points = extremes.iter().map(|&Vec2 { x, y }| Vec3::new(x, 0.0, y));
        let blocking = points.filter(|&point| match on_right {
            true => orientation(p, q, point) > 0.0,
            false => orientation(p, q, point) < 0.0,
        });
        let detours = blocking.map(|point| distance_xz(p, point) + distance_xz(point, q));
        detours.fold(distance_xz(p, q), f64::max)
    }

    /// Returns the heap memory of the rings. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        self.rings.bytes() + size_of_val(&self.positions[..]) + self.extremes.bytes()
    }
}

/// Returns the extreme points of the outline of a hole. Returns none if the outline is clockwise, which is
/// the case for the outside of the mesh.
fn extremes_of(outline: impl Iterator<Item = Vec3> + Clone) -> Vec<Vec2> {
    let next_points = outline.clone().skip(1);
    let first = outline.clone().next().unwrap_or_default();
    let corners = outline.clone().zip(next_points);
    let area: f64 = corners.map(|(a, b)| orientation(first, a, b)).sum();
    if area < 0.0 {
        return Vec::new();
    }
    let mut extremes: Vec<Vec2> = Vec::with_capacity(EXTREME_DIRECTIONS.len());
    for direction in EXTREME_DIRECTIONS {
        let reach = |point: &Vec2| point.dot(direction);
        let points = outline.clone().map(Vec3::xz);
        let farthest = points.max_by(|a, b| reach(a).total_cmp(&reach(b)));
        extremes.extend(farthest.filter(|point| !extremes.contains(point)));
    }
    extremes
}

/// Returns the next portal in the ring of each directed portal: among the portals that leave the polygon it
/// enters, the one before itself in counter-clockwise order.
fn successors(mesh: &NavMesh) -> Vec<u32> {
    let mut next = vec![0; 2 * mesh.portals().len()];
    let mut around = Vec::new();
    for polygon in mesh.polygons() {
        mesh.portals_around(polygon, &mut around);
        let leaving = |i: usize| DirectedPortal::new(mesh, around[i].portal, polygon);
        for i in 0..around.len() {
            let before = i.checked_sub(1).unwrap_or(around.len() - 1);
            next[leaving(i).back().index()] = leaving(before).index() as u32;
        }
    }
    next
}

#[cfg(test)]
#[path = "rings_test.rs"]
mod tests;
