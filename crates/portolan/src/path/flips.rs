//! Flips: a taut line passes a hole on its other side where that is shorter.
//!
//! Few samples stand for a portal, so a search may lead past an obstacle on the wrong side; and around an
//! inner corner of the mesh, where there is no obstacle at all. Both show as a bend. The crossings
//! beside the hole that the line bends around are replaced by the rest of its ring, and what comes of it
//! is pulled taut between bends nearby. A bound by the hole's outline keeps most tries from being made.

use glam::Vec3;

use super::directed::Directed;
use super::funnel::{Corner, Funnel};
use super::line::{Way, bends};
use super::rings::Rings;
use super::{Corridor, Crossing};
use crate::geometry::{same_place, turn};
use crate::navmesh::NavMesh;
use crate::profile::Costs;

#[allow(missing_docs)]
pub static N: [std::sync::atomic::AtomicUsize; 6] = [const { std::sync::atomic::AtomicUsize::new(0) }; 6];
fn c(i: usize, n: usize) {
    N[i].fetch_add(n, std::sync::atomic::Ordering::Relaxed);
}
/// A line has to become shorter by this share of it.
const WORTH: f64 = 1.0 - 1e-5;

/// What is needed to flip.
#[derive(Clone, Copy)]
pub(crate) struct Flips<'a> {
    pub(crate) rings: &'a Rings,
    pub(crate) costs: &'a Costs,
    pub(crate) effort: Effort,
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Bends on either side of a hole that may change with a flip.
    pub(crate) reach: usize,
    /// Whether the next hole is flipped, too, where one is not enough.
    pub(crate) pairs: bool,
    /// The most portals on the other side of a hole.
    pub(crate) portals: usize,
    /// The most tries for a path.
    pub(crate) tries: usize,
}

/// Buffers for flips.
#[derive(Clone, Debug, Default)]
pub(super) struct FlipBuffers {
    /// The way as it is, with one flip, and with two.
    ways: [Vec<Directed>; 3],
    corners: [Vec<Corner>; 3],
}

/// The part of a corridor without links that is at hand.
pub(super) struct Flipping<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) flips: Flips<'a>,
    pub(super) corridor: &'a mut Corridor,
    /// Its crossings.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Where its line begins and ends.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// The bends between, which count its crossings.
    pub(super) corners: &'a mut Vec<Corner>,
    pub(super) funnel: &'a mut Funnel,
    pub(super) buffers: &'a mut FlipBuffers,
}

/// A line between two bends, or the ends, around which all stays as it is.
#[derive(Clone, Copy)]
struct Window {
    /// The bends that it begins and ends with; none is an end of the line.
    before: Option<usize>,
    after: Option<usize>,
}

impl Flipping<'_> {
    /// Flips what can be; what that saves. The end of its crossings may change.
    pub(super) fn run(&mut self) -> f32 {
        let (mut saved, mut tries) = (0.0, self.flips.effort.tries);
        let mut at = 0;
        while at < self.corners.len() && tries > 0 {
            match self.flip(at, &mut tries) {
                Some((saving, before)) => {
                    saved += saving;
                    at = before.unwrap_or(0);
                }
                None => at += 1,
            }
        }
        saved
    }

    fn crossing(&self, i: usize) -> Directed {
        let Corridor {
            polygons,
            crossings,
        } = &*self.corridor;
        match crossings[self.first + i] {
            Crossing::Portal(portal) => Directed::new(self.mesh, portal, polygons[self.first + i]),
            Crossing::Link(..) => unreachable!("between links"),
        }
    }

    /// Tries to flip the hole of a bend: what it saves, and the bend up to which nothing changed.
    fn flip(&mut self, at: usize, tries: &mut usize) -> Option<(f32, Option<usize>)> {
        c(0, 1);
        let Corner { point, portal } = self.corners[at];
        let crossing = self.crossing(portal as usize);
        let is_left = same_place(point, crossing.left(self.mesh));
        let hole = if is_left { crossing } else { crossing.back() };
        let ring = self.flips.rings.left_of(hole).ring;
        // The crossings beside the hole.
        let run = run(self.flips.rings, portal as usize, is_left, self.end - self.first, |i| {
            self.crossing(i)
        });
        // Of several bends around a hole the first stands for all.
        let is_of_hole = |corner: &Corner| {
            run.contains(&(corner.portal as usize)) && {
                let crossing = self.crossing(corner.portal as usize);
                same_place(corner.point, crossing.left(self.mesh)) == is_left
            }
        };
        if self.corners[..at].last().is_some_and(is_of_hole) {
            return None;
        }
        let window = self.window(run.start, run.end);
        let [from, to] = [
            window.before.map_or(self.from, |at| self.corners[at].point),
            window.after.map_or(self.to, |at| self.corners[at].point),
        ];
        let inner = window.before.map_or(0, |at| at + 1)..window.after.unwrap_or(self.corners.len());
        let first = window.before.map_or(0, |at| self.corners[at].portal as usize + 1);
        let count = self.end - self.first;
        let end = window.after.map_or(count, |at| self.corners[at].portal as usize);
        let last = self.corridor.polygons[self.first + end];
        let whole = Way {
            from,
            to,
            crossings: &[],
            last,
        };
        let now = whole.length(&self.corners[inner.clone()]);
        let rings = self.flips.rings;
        if rings.least_past(ring, [from, to], is_left) >= now * WORTH {
            return None;
        }
        let (mesh, costs, effort) = (self.mesh, self.flips.costs, self.flips.effort);
        // As it is.
        let FlipBuffers { ways, corners } = &mut *self.buffers;
        let [old, one, two] = ways;
        let [old_corners, one_corners, two_corners] = corners;
        old.clear();
        for i in first..end {
            let Crossing::Portal(portal) = self.corridor.crossings[self.first + i] else {
                unreachable!("between links")
            };
            old.push(Directed::new(mesh, portal, self.corridor.polygons[self.first + i]));
        }
        old_corners.clear();
        old_corners.extend(self.corners[inner.clone()].iter().map(|corner| Corner {
            portal: corner.portal - first as u32,
            ..*corner
        }));
        let mut cost = None;
        let is_open = |way: &[Directed]| {
            let is_open = |crossing: &Directed| costs.allows(mesh, crossing.to(mesh));
            costs.uniform().is_some() || way.iter().all(is_open)
        };
        let is_plain = costs.uniform().is_some();
        let place = portal as usize - first;
        *tries -= 1;
        c(1, 1);
        if !flip_way(rings, old, place, is_left, effort.portals, one) || !is_open(one) {
            return None;
        }
        c(2, one.len());
        whole.over(one).bends(mesh, self.funnel, one_corners);
        let then = whole.length(one_corners);
        let mut saving = |way_new: Way<'_>, corners_new: &[Corner], then: f64| -> Option<f32> {
            if is_plain && then >= now * WORTH {
                return None;
            }
            let cost = *cost.get_or_insert_with(|| whole.over(old).cost(mesh, costs, old_corners));
            let new = way_new.cost(mesh, costs, corners_new);
            (f64::from(new) < f64::from(cost) * WORTH).then_some(cost - new)
        };
        let mut better = saving(whole.over(one), one_corners, then).map(|saved| (saved, 1));
        if better.is_none() && effort.pairs {
            for corner in one_corners.iter() {
                let next = one[corner.portal as usize];
                let next_is_left = same_place(corner.point, next.left(mesh));
                let hole = if next_is_left { next } else { next.back() };
                if next_is_left != is_left || rings.left_of(hole).ring == ring {
                    continue;
                }
                *tries = tries.saturating_sub(1);
                let place = corner.portal as usize;
                if !flip_way(rings, one, place, is_left, effort.portals, two) || !is_open(two) {
                    continue;
                }
                whole.over(two).bends(mesh, self.funnel, two_corners);
                let then = whole.length(two_corners);
                if let Some(saved) = saving(whole.over(two), two_corners, then) {
                    better = Some((saved, 2));
                    break;
                }
            }
        }
        let (saved, chosen) = better?;
        c(5, 1);
        self.replace(window, first..end, chosen);
        Some((saved, window.before))
    }

    /// The bends around a run of crossings, and as many more as are in reach.
    fn window(&self, start: usize, end: usize) -> Window {
        let reach = self.flips.effort.reach;
        let before = self.corners.partition_point(|corner| (corner.portal as usize) < start);
        let after = self.corners.partition_point(|corner| (corner.portal as usize) < end);
        Window {
            before: before.checked_sub(1 + reach),
            after: Some(after + reach).filter(|&after| after < self.corners.len()),
        }
    }

    /// Takes the way and the bends in a buffer for those in the window.
    fn replace(&mut self, window: Window, crossings: std::ops::Range<usize>, chosen: usize) {
        let FlipBuffers { ways, corners } = &*self.buffers;
        let (way, corners) = (&ways[chosen], &corners[chosen]);
        let Corridor {
            polygons,
            crossings: all,
        } = &mut *self.corridor;
        let run = self.first + crossings.start..self.first + crossings.end;
        let mesh = self.mesh;
        polygons.splice(
            run.start + 1..run.end + 1,
            way.iter().map(|crossing| crossing.to(mesh)),
        );
        all.splice(run, way.iter().map(|crossing| Crossing::Portal(crossing.portal())));
        self.end = self.end + way.len() - crossings.len();
        let inner = window.before.map_or(0, |at| at + 1)..window.after.unwrap_or(self.corners.len());
        let after = inner.start + corners.len();
        self.corners.splice(
            inner,
            corners.iter().map(|corner| Corner {
                portal: corner.portal + crossings.start as u32,
                ..*corner
            }),
        );
        for corner in &mut self.corners[after..] {
            corner.portal = corner.portal + way.len() as u32 - crossings.len() as u32;
        }
        let still_bends = window.before.is_none_or(|at| self.bends(at))
            && (after == self.corners.len() || self.bends(after));
        let start = self.first + crossings.start;
        let went_back = self.cut_back(start + self.buffers.ways[chosen].len());
        if self.cut_back(start) || went_back || !still_bends {
            c(3, 1);
            c(4, self.end - self.first);
            self.pull();
        }
    }

    /// Whether the line bends at a bend as it has to: around the end of the portal.
    fn bends(&self, at: usize) -> bool {
        let Corner { point, portal } = self.corners[at];
        let before = at.checked_sub(1).map_or(self.from, |at| self.corners[at].point);
        let after = self.corners.get(at + 1).map_or(self.to, |next| next.point);
        let side = turn(before, point, after);
        match same_place(point, self.crossing(portal as usize).left(self.mesh)) {
            true => side > 0.0,
            false => side < 0.0,
        }
    }

    /// Takes out what goes through a portal and straight back right before a crossing; whether there was
    /// such a thing. With ground at several prices it can be right to do so, and is left in.
    fn cut_back(&mut self, mut at: usize) -> bool {
        let Corridor {
            polygons,
            crossings,
        } = &mut *self.corridor;
        let before = self.end;
        let is_plain = self.flips.costs.uniform().is_some();
        while is_plain && at > self.first && at < self.end && crossings[at - 1] == crossings[at] {
            crossings.drain(at - 1..=at);
            polygons.drain(at..at + 2);
            self.end -= 2;
            at -= 1;
        }
        before != self.end
    }

    /// Pulls the whole line again.
    fn pull(&mut self) {
        let (mesh, corridor, first) = (self.mesh, &*self.corridor, self.first);
        let ends = |i: usize| corridor.ends(mesh, first + i);
        bends(
            [self.from, self.to],
            self.end - self.first,
            ends,
            self.funnel,
            self.corners,
        );
    }
}

/// The crossings around one that pass the same hole one after the other.
fn run(
    rings: &Rings,
    at: usize,
    is_left: bool,
    count: usize,
    crossing: impl Fn(usize) -> Directed,
) -> std::ops::Range<usize> {
    let goes_on = |i: usize| {
        let (one, next) = (crossing(i), crossing(i + 1));
        match is_left {
            true => rings.is_next(one, next),
            false => rings.is_next(next.back(), one.back()),
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

/// Leads a way past the other side of the hole beside one of its crossings. False where there is no
/// other side, or it is too long.
fn flip_way(
    rings: &Rings,
    way: &[Directed],
    at: usize,
    is_left: bool,
    most: usize,
    flipped: &mut Vec<Directed>,
) -> bool {
    let run = run(rings, at, is_left, way.len(), |i| way[i]);
    let (first, last) = (way[run.start], way[run.end - 1]);
    let from = rings.left_of(if is_left { last } else { first.back() });
    let Some(others @ 1..) = rings.len(from.ring).checked_sub(run.len()) else {
        return false;
    };
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
        let others = rings.after(from).rev().skip(run.len());
        others.for_each(|crossing| add(crossing.back()));
    } else {
        rings.after(from).take(others).for_each(&mut add);
    }
    way[run.end..].iter().for_each(|&crossing| add(crossing));
    true
}
