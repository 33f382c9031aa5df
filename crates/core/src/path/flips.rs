//! Flips: a taut line passes a hole on its other side where that is shorter.
//!
//! Few samples stand for a portal, so a search may lead past an obstacle on the wrong side, and around an
//! inner corner of the mesh, where there is no obstacle at all. Both show as a bend. The crossings
//! beside the hole that the line bends around are replaced by the rest of its ring, and what comes of it
//! is pulled taut between bends nearby. A bound by the hole's outline keeps most tries from being made.

use super::directed::Directed;
use super::funnel::Corner;
use super::line::Way;
use super::rings::Rings;
use super::stretch::{Stretch, Window};
use crate::geometry::{distance_xz, same_point};
use crate::graph::CostModel;
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::query::Tier;

/// A line has to become shorter, or a way cheaper, than this share of what it was: less is rounding, of
/// lengths in `f64` and of costs in `f32`.
const SHORTER: f64 = 1.0 - 1e-9;
const CHEAPER: f64 = 1.0 - 1e-5;
/// A bend less is worth as much rounding.
const NO_DEARER: f64 = 1.0 + 1e-5;
/// The most holes to pass on the other side for one straight line.
const MOST_HOLES: usize = 16;
/// Where one flip makes a line longer than this times what it was, the next one is not tried.
const PAIR: f64 = 1.1;
/// The most tries for a stretch.
const TRIES: usize = 64;
/// The share of the whole line that a flip has to promise. With four times as much, paths of the default tier take 4%
/// less time on vaduz, and have 0.260% in the place of 0.234%; with twice as much those of the best tier have 0.077% in the
/// place of 0.066%.
const WORTH: f64 = 0.001;

/// What is needed to flip.
#[derive(Clone, Copy)]
pub(crate) struct Flips<'a> {
    pub(crate) rings: &'a Rings,
    pub(crate) prices: &'a Prices,
    pub(crate) cost_model: CostModel,
    pub(crate) effort: Effort,
}

/// How much is tried. Bends that the line can do without are taken out in any case.
///
/// On vaduz the default tier's excess falls from 0.306% to 0.234%, the best tier's from 0.139% to 0.066%, and its
/// largest from 4.9% to 2.0%.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Bends before and after a hole that may change with a flip.
    reach: usize,
    /// Whether the next hole is flipped, too, where one is not enough.
    pairs: bool,
    /// The most portals on the other side of a hole.
    portals: usize,
}

impl Effort {
    /// The effort of a taut tier.
    pub(crate) fn of(tier: Tier) -> Self {
        match tier {
            Tier::Best => Self {
                reach: 1,
                pairs: true,
                portals: 64,
            },
            _ => Self {
                reach: 0,
                pairs: false,
                portals: 32,
            },
        }
    }
}

/// Buffers for flips.
#[derive(Clone, Debug, Default)]
pub(super) struct FlipBuffers {
    /// The way in a window as it is, with one flip, and with two.
    ways: [Vec<Directed>; 3],
    corners: [Vec<Corner>; 3],
}

/// A hole, and the line around it.
#[derive(Clone, Copy)]
struct Bend {
    /// The bend's crossing, counted from the first of the stretch or of the window.
    crossing: usize,
    ring: u32,
    /// Whether the hole is on the left.
    is_left: bool,
}

/// What a flip is compared with: the line in a window as it is.
struct Present<'a> {
    way: Way<'a>,
    corners: &'a [Corner],
    length: f64,
    /// Once it is known.
    cost: Option<f32>,
}

impl Flips<'_> {
    /// Flips what can be.
    pub(super) fn run(self, stretch: &mut Stretch<'_>, buffers: &mut FlipBuffers) {
        let length = Way::length([stretch.from, stretch.to], stretch.corners);
        let worth = WORTH * length;
        let (mut tries, mut at) = (TRIES, 0);
        while at < stretch.corners.len() && tries > 0 {
            let around = stretch.window(at.checked_sub(1), at + 1);
            let corner = &stretch.corners[at];
            let crossing = stretch.crossing(corner.portal as usize);
            let bend = self.bend(stretch.mesh, crossing, corner);
            let mut window = around;
            let mut better = None;
            let ends = stretch.ends_of(around);
            if !stretch.bends(at) {
                // All around the hole and farther, which flips that meet can leave.
                tries -= 1;
                better = self.flip(stretch, bend, around, buffers);
            } else if self.rings.is_beside(bend.ring, ends, bend.is_left) {
                tries -= 1;
                better = self.straighten(stretch, bend, around, buffers);
            }
            if better.is_none()
                && let Some(wider) = self.promises(stretch, at, bend, worth)
            {
                tries = tries.saturating_sub(1);
                window = wider;
                better = self.flip(stretch, bend, window, buffers);
            }
            let Some(better) = better else {
                at += 1;
                continue;
            };
            let FlipBuffers { ways, corners } = &*buffers;
            let changed = stretch.replace(window, &ways[better], &corners[better], self.prices);
            at = changed.before.unwrap_or(0);
        }
    }

    fn bend(self, mesh: &NavMesh, crossing: Directed, corner: &Corner) -> Bend {
        let is_left = same_point(corner.point, crossing.left(mesh));
        Bend {
            crossing: corner.portal as usize,
            ring: self.hole(crossing, is_left),
            is_left,
        }
    }

    /// The ring of what is on one side of a crossing.
    fn hole(self, crossing: Directed, is_left: bool) -> u32 {
        let beside = if is_left { crossing } else { crossing.back() };
        self.rings.left_of(beside).ring
    }

    /// Takes out a bend that the line can do without: past the other side of all holes that are in the way
    /// of the straight line, if each of them lies on one side of it as a whole.
    fn straighten(
        self,
        stretch: &mut Stretch<'_>,
        bend: Bend,
        window: Window,
        FlipBuffers { ways, corners }: &mut FlipBuffers,
    ) -> Option<usize> {
        let mesh = stretch.mesh;
        let [old, one, two] = ways;
        let [old_corners, straight @ ..] = corners;
        straight.iter_mut().for_each(Vec::clear);
        let mut present = Present::new(stretch, window, old, old_corners, self.cost_model);
        let Way { from, to, .. } = present.way;
        let mut next = (
            bend.crossing - stretch.crossings_in(window).start,
            bend.is_left,
        );
        one.clear();
        one.extend_from_slice(present.way.crossings);
        let (mut now, mut other) = ((one, 1), (two, 2));
        for _ in 0..MOST_HOLES {
            let (crossing, is_left) = next;
            let ring = self.hole(now.0[crossing], is_left);
            if !self.rings.is_beside(ring, [from, to], is_left)
                || !self
                    .rings
                    .flip(now.0, crossing, is_left, self.effort.portals, other.0)
            {
                return None;
            }
            // Not the buffers themselves: the same query again is to find each as large as it left it.
            std::mem::swap(&mut now, &mut other);
            let (way, buffer) = &now;
            match present.way.over(way).in_the_way(mesh) {
                Some(missed) => next = missed,
                None => {
                    let is_better = self.is_better(mesh, &mut present, way, &[], NO_DEARER);
                    return is_better.then_some(*buffer);
                }
            }
        }
        None
    }

    /// Whether a flip at a bend may shorten the line enough, and by which bends it is bounded.
    fn promises(self, stretch: &Stretch<'_>, at: usize, bend: Bend, worth: f64) -> Option<Window> {
        let rings = self.rings;
        if !self.effort.pairs {
            // A quick look, which takes no notice of other bends around the hole.
            let [from, to] = stretch.ends_of(stretch.window(at.checked_sub(1), at + 1));
            let detour = Way::length([from, to], &stretch.corners[at..=at]);
            if detour - distance_xz(from, to) < worth {
                return None;
            }
        }
        let crossing = |i: usize| stretch.crossing(i);
        let run = rings.run(bend.crossing, bend.is_left, stretch.len(), crossing);
        // Of several bends around a hole the first stands for all.
        let is_of_hole = |corner: &Corner| {
            run.contains(&(corner.portal as usize)) && stretch.is_left(corner) == bend.is_left
        };
        if stretch.corners[..at].last().is_some_and(is_of_hole) {
            return None;
        }
        let before = |crossing: usize| {
            let is_before = |corner: &Corner| (corner.portal as usize) < crossing;
            stretch.corners.partition_point(is_before)
        };
        let first = before(run.start).checked_sub(1 + self.effort.reach);
        let window = stretch.window(first, before(run.end) + self.effort.reach);
        let ends = stretch.ends_of(window);
        let now = Way::length(ends, &stretch.corners[stretch.inner(window)]);
        let least = rings.least_past(bend.ring, ends, bend.is_left);
        (now - least >= worth && least < now * CHEAPER).then_some(window)
    }

    /// Flips the hole of a bend, and the next one with it where that is not enough.
    fn flip(
        self,
        stretch: &mut Stretch<'_>,
        bend: Bend,
        window: Window,
        FlipBuffers { ways, corners }: &mut FlipBuffers,
    ) -> Option<usize> {
        let (mesh, most) = (stretch.mesh, self.effort.portals);
        let [old, one, two] = ways;
        let [old_corners, one_corners, two_corners] = corners;
        let mut present = Present::new(stretch, window, old, old_corners, self.cost_model);
        let Way { from, to, .. } = present.way;
        let at = bend.crossing - stretch.crossings_in(window).start;
        let crossings = present.way.crossings;
        if !self.rings.flip(crossings, at, bend.is_left, most, one) {
            return None;
        }
        let way = present.way.over(one);
        way.bends(mesh, stretch.funnel, one_corners);
        if self.is_better(mesh, &mut present, one, one_corners, CHEAPER) {
            return Some(1);
        }
        let length = Way::length([from, to], one_corners);
        if !self.effort.pairs || length >= present.length * PAIR {
            return None;
        }
        // Between this hole and the next there was no room: past that, too.
        one_corners.iter().find_map(|corner| {
            let next = self.bend(mesh, one[corner.portal as usize], corner);
            let is_other = next.is_left == bend.is_left && next.ring != bend.ring;
            let least = self.rings.least_past(next.ring, [from, to], next.is_left);
            let is_promise = is_other && least < present.length * CHEAPER;
            if !is_promise || !self.rings.flip(one, next.crossing, next.is_left, most, two) {
                return None;
            }
            let way = present.way.over(two);
            way.bends(mesh, stretch.funnel, two_corners);
            let is_better = self.is_better(mesh, &mut present, two, two_corners, CHEAPER);
            is_better.then_some(2)
        })
    }

    /// Whether another way is shorter and costs less than `most` times what it does now.
    fn is_better(
        self,
        mesh: &NavMesh,
        present: &mut Present<'_>,
        way: &[Directed],
        corners: &[Corner],
        most: f64,
    ) -> bool {
        let Present { way: old, .. } = *present;
        let new = old.over(way);
        if self.prices.uniform().is_some() {
            let length = Way::length([old.from, old.to], corners);
            if length >= present.length * SHORTER {
                return false;
            }
            if old.is_flat(mesh) && new.is_flat(mesh) {
                return true;
            }
        } else if !way.iter().all(|way| self.prices.allows(mesh, way.to(mesh))) {
            return false;
        }
        let measure = || old.cost_along(mesh, self.prices, present.corners);
        let cost = *present.cost.get_or_insert_with(measure);
        let new = new.cost_along(mesh, self.prices, corners);
        f64::from(new) < f64::from(cost) * most
    }
}

impl<'a> Present<'a> {
    fn new(
        stretch: &Stretch<'_>,
        window: Window,
        way: &'a mut Vec<Directed>,
        corners: &'a mut Vec<Corner>,
        cost_model: CostModel,
    ) -> Self {
        let crossings = stretch.crossings_in(window);
        way.clear();
        way.extend(crossings.clone().map(|i| stretch.crossing(i)));
        corners.clear();
        let inner = stretch.corners[stretch.inner(window)].iter();
        corners.extend(inner.map(|corner| corner.counted_from(crossings.start)));
        let [from, to] = stretch.ends_of(window);
        Self {
            way: Way {
                from,
                to,
                crossings: way,
                cost_model,
                last: stretch.corridor.polygons[stretch.first + crossings.end],
            },
            corners,
            length: Way::length([from, to], corners),
            cost: None,
        }
    }
}
