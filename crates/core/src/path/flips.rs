//! Flips: a taut line is moved to the other side of a hole if that is shorter.
//!
//! A portal is represented by few samples, so a search may pass an obstacle on the wrong side, or pass
//! around an inner corner of the mesh where there is no obstacle at all. Both show as a bend of the taut
//! line. A flip replaces the crossings beside the hole at the bend by the rest of its [ring](super::rings)
//! and pulls the line taut between nearby bends. A lower bound from the outline of the hole avoids most
//! attempts.

use super::directed::DirectedPortal;
use super::funnel::PathCorner;
use super::line::TautLine;
use super::rings::Rings;
use super::section::{CorridorSection, SectionWindow};
use crate::geometry::distance_xz;
use crate::graph::CostModel;
use crate::navmesh::NavMesh;
use crate::profile::Prices;
use crate::query::Tier;

/// The ratios of new to old length, and of new to old cost, that a flip has to stay below. Smaller gains
/// may be rounding errors of lengths in `f64` and costs in `f32`.
const SHORTER: f64 = 1.0 - 1e-9;
const CHEAPER: f64 = 1.0 - 1e-5;
/// The ratio of new to old cost that is accepted if the line loses a bend.
const NO_WORSE: f64 = 1.0 + 1e-5;
/// The maximum number of holes that are flipped to straighten one bend.
const MAX_HOLES: usize = 16;
/// If one flip makes the line longer than this factor, a second flip is not tried.
const MAX_PAIR_DETOUR: f64 = 1.1;
/// The maximum number of attempts per section.
const MAX_TRIES: usize = 64;
/// The minimum gain that the lower bound must promise, as a fraction of the full line. With half this value, paths
/// of the default tier on vaduz are 0.01% shorter and take 8% more instructions. With twice this value the mean excess
/// of the best tier grows from 0.066% to 0.077%.
const MIN_GAIN: f64 = 0.001;

/// Moves taut lines to the shorter side of holes.
#[derive(Clone, Copy)]
pub(crate) struct Flips<'a> {
    pub(crate) rings: &'a Rings,
    pub(crate) prices: &'a Prices,
    pub(crate) cost_model: CostModel,
    pub(crate) effort: FlipEffort,
}

/// How many flips are tried per path. Bends that the line does not need are removed with any effort.
///
/// On vaduz, flips reduce the mean excess of the default tier from 0.306% to 0.17%, and of the best tier
/// from 0.139% to 0.066%; the largest excess of the best tier falls from 4.9% to 2.0%.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlipEffort {
    /// The number of bends before and after a hole that may change with a flip.
    reach: usize,
    /// Whether the next hole is flipped as well if one flip is not enough.
    pairs: bool,
    /// The maximum number of portals on the other side of a hole.
    max_portals: usize,
}

impl FlipEffort {
    /// Returns the effort for a taut tier.
    pub(crate) fn of(tier: Tier) -> Self {
        match tier {
            Tier::Best => Self {
                reach: 1,
                pairs: true,
                max_portals: 64,
            },
            _ => Self {
                reach: 0,
                pairs: false,
                max_portals: 32,
            },
        }
    }
}

/// The buffers of [`Flips::run`].
#[derive(Clone, Debug, Default)]
pub(super) struct FlipBuffers {
    /// The crossings in a window: current, with one flip, and with two flips.
    paths: [Vec<DirectedPortal>; 3],
    corners: [Vec<PathCorner>; 3],
}

/// A bend of the line around a hole.
#[derive(Clone, Copy)]
struct HoleBend {
    /// The index of the bend's crossing, counted from the start of the section or of the window.
    crossing: usize,
    ring: u32,
    /// Whether the hole is on the left of the line.
    is_left: bool,
}

/// The line in a window before a flip, with which the flipped line is compared.
struct CurrentLine<'a> {
    line: TautLine<'a>,
    corners: &'a [PathCorner],
    length: f64,
    /// The cost of the line, once it has been computed.
    cost: Option<f32>,
}

impl Flips<'_> {
    /// Flips holes and removes bends of a section while that shortens the line.
    pub(super) fn run(self, section: &mut CorridorSection<'_>, buffers: &mut FlipBuffers) {
        let mut length = None;
        let (mut tries, mut at) = (MAX_TRIES, 0);
        while at < section.corners.len() && tries > 0 {
            let bend = self.bend(section.crossings, &section.corners[at]);
            // A line that the funnel has pulled turns around a hole at every bend. Adjacent flips can leave a loop
            // all the way around a hole.
            let is_loop = section.is_changed && !section.is_taut_at(at);
            let crossings = section.crossings.len();
            if !is_loop
                && !self
                    .rings
                    .can_flip(bend.ring, crossings, self.effort.max_portals)
            {
                at += 1;
                continue;
            }
            let length = *length.get_or_insert_with(|| {
                TautLine::length([section.from, section.to], section.corners)
            });
            let around = section.window(at.checked_sub(1), at + 1);
            let mut window = around;
            let mut better = None;
            let ends = section.endpoints_of(around);
            if is_loop {
                tries -= 1;
                better = self.flip(section, bend, around, buffers);
            } else if self.rings.is_hole_beside(bend.ring, ends, bend.is_left) {
                tries -= 1;
                better = self.straighten(section, bend, around, buffers);
            }
            if better.is_none()
                && let Some(wider) = self.promising_window(section, at, bend, MIN_GAIN * length)
            {
                tries = tries.saturating_sub(1);
                window = wider;
                better = self.flip(section, bend, window, buffers);
            }
            let Some(better) = better else {
                at += 1;
                continue;
            };
            let FlipBuffers { paths, corners } = &*buffers;
            let changed = section.replace(window, &paths[better], &corners[better], self.prices);
            at = changed.before.unwrap_or(0);
        }
    }

    /// Returns the hole around which the line bends at a corner.
    fn bend(self, crossings: &[DirectedPortal], corner: &PathCorner) -> HoleBend {
        let crossing = corner.portal as usize;
        HoleBend {
            crossing,
            ring: self.hole(crossings[crossing], corner.is_left),
            is_left: corner.is_left,
        }
    }

    /// Returns the ring of the hole on one side of a crossing.
    fn hole(self, crossing: DirectedPortal, is_left: bool) -> u32 {
        let beside = if is_left { crossing } else { crossing.back() };
        self.rings.left_of(beside).ring
    }

    /// Removes a bend by passing all holes that block the straight line on their other side. Each hole must
    /// lie entirely on one side of the straight line. Returns the index of the buffer with the new
    /// crossings.
    fn straighten(
        self,
        section: &mut CorridorSection<'_>,
        bend: HoleBend,
        window: SectionWindow,
        FlipBuffers { paths, corners }: &mut FlipBuffers,
    ) -> Option<usize> {
        let mesh = section.mesh;
        let [old, one, two] = paths;
        let [old_corners, straight @ ..] = corners;
        straight.iter_mut().for_each(Vec::clear);
        let mut current = CurrentLine::new(section, window, old, old_corners, self.cost_model);
        let TautLine { from, to, .. } = current.line;
        let mut next = (
            bend.crossing - section.crossings_in(window).start,
            bend.is_left,
        );
        one.clear();
        one.extend_from_slice(current.line.crossings);
        let (mut latest, mut other) = ((one, 1), (two, 2));
        for _ in 0..MAX_HOLES {
            let (crossing, is_left) = next;
            let ring = self.hole(latest.0[crossing], is_left);
            if !self.rings.is_hole_beside(ring, [from, to], is_left)
                || !self.rings.flip(
                    latest.0,
                    crossing,
                    is_left,
                    self.effort.max_portals,
                    other.0,
                )
            {
                return None;
            }
            // Swap references, not the buffers: a repeated query must find each buffer with the capacity
            // that it left.
            std::mem::swap(&mut latest, &mut other);
            let (path, buffer) = &latest;
            match current.line.over(path).first_missed_crossing(mesh) {
                Some(missed) => next = missed,
                None => {
                    let is_better = self.is_better(mesh, &mut current, path, &[], NO_WORSE);
                    return is_better.then_some(*buffer);
                }
            }
        }
        None
    }

    /// Returns the window in which a flip at a bend may shorten the line by at least `min_gain`; `None` if
    /// no flip can.
    fn promising_window(
        self,
        section: &CorridorSection<'_>,
        at: usize,
        bend: HoleBend,
        min_gain: f64,
    ) -> Option<SectionWindow> {
        let (rings, corners, reach) = (self.rings, &section.corners, self.effort.reach);
        let is_at_hole = |corner: &PathCorner| {
            corner.is_left == bend.is_left && self.bend(section.crossings, corner).ring == bend.ring
        };
        // If the line bends several times around a hole, the first bend represents all of them.
        if corners[..at].last().is_some_and(is_at_hole) {
            return None;
        }
        let following = corners[at + 1..]
            .iter()
            .take_while(|&corner| is_at_hole(corner));
        let last = at + following.count();
        let window = section.window(at.checked_sub(1 + reach), last + 1 + reach);
        // No line between the ends of the window is shorter than the straight one. This avoids most of the work below.
        let [from, to] = section.endpoints_of(window);
        let length = TautLine::length([from, to], &corners[section.inner(window)]);
        if length - distance_xz(from, to) < min_gain {
            return None;
        }
        // Bends on the other side may lie between the crossings around the hole. They can change, too.
        let range = rings.run(section.crossings, bend.crossing, bend.is_left);
        let before = |crossing: usize| {
            let is_before = |corner: &PathCorner| (corner.portal as usize) < crossing;
            corners.partition_point(is_before)
        };
        let first = before(range.start).checked_sub(1 + reach);
        let window = section.window(first, before(range.end) + reach);
        let ends = section.endpoints_of(window);
        let length = TautLine::length(ends, &corners[section.inner(window)]);
        let min_length = rings.min_length_past(bend.ring, ends, bend.is_left);
        (length - min_length >= min_gain && min_length < length * CHEAPER).then_some(window)
    }

    /// Flips the hole of a bend, and the next hole as well if one flip is not enough. Returns the index of
    /// the buffers with the new crossings and bends.
    fn flip(
        self,
        section: &mut CorridorSection<'_>,
        bend: HoleBend,
        window: SectionWindow,
        FlipBuffers { paths, corners }: &mut FlipBuffers,
    ) -> Option<usize> {
        let (mesh, max_portals) = (section.mesh, self.effort.max_portals);
        let [old, one, two] = paths;
        let [old_corners, one_corners, two_corners] = corners;
        let mut current = CurrentLine::new(section, window, old, old_corners, self.cost_model);
        let TautLine { from, to, .. } = current.line;
        let at = bend.crossing - section.crossings_in(window).start;
        let crossings = current.line.crossings;
        if !self
            .rings
            .flip(crossings, at, bend.is_left, max_portals, one)
        {
            return None;
        }
        let line = current.line.over(one);
        line.find_bends(mesh, section.funnel, one_corners);
        if self.is_better(mesh, &mut current, one, one_corners, CHEAPER) {
            return Some(1);
        }
        let length = TautLine::length([from, to], one_corners);
        if !self.effort.pairs || length >= current.length * MAX_PAIR_DETOUR {
            return None;
        }
        // There was no gap between this hole and the next: flip the next one as well.
        one_corners.iter().find_map(|corner| {
            let next = self.bend(one, corner);
            let is_other = next.is_left == bend.is_left && next.ring != bend.ring;
            let min_length = self
                .rings
                .min_length_past(next.ring, [from, to], next.is_left);
            let is_promising = is_other && min_length < current.length * CHEAPER;
            if !is_promising
                || !self
                    .rings
                    .flip(one, next.crossing, next.is_left, max_portals, two)
            {
                return None;
            }
            let line = current.line.over(two);
            line.find_bends(mesh, section.funnel, two_corners);
            let is_better = self.is_better(mesh, &mut current, two, two_corners, CHEAPER);
            is_better.then_some(2)
        })
    }

    /// Returns whether a new line is better. It must cost less than `max_ratio` times the current line. If
    /// the cost per metre is uniform, it must also be shorter, and on flat ground that is enough.
    fn is_better(
        self,
        mesh: &NavMesh,
        current: &mut CurrentLine<'_>,
        path: &[DirectedPortal],
        corners: &[PathCorner],
        max_ratio: f64,
    ) -> bool {
        let CurrentLine { line: old, .. } = *current;
        let new = old.over(path);
        let is_open = || {
            if path
                .iter()
                .any(|crossing| mesh.cut_portal(crossing.portal()).is_some())
            {
                return false;
            }
            let mut entered = path.iter().map(|crossing| crossing.to(mesh));
            !self.prices.has_closed() || entered.all(|polygon| self.prices.allows(mesh, polygon))
        };
        if self.prices.uniform().is_some() {
            let length = TautLine::length([old.from, old.to], corners);
            if length >= current.length * SHORTER {
                return false;
            }
            if old.is_flat(mesh) && new.is_flat(mesh) {
                return is_open();
            }
        }
        if !is_open() {
            return false;
        }
        let measure = || old.cost_along(mesh, self.prices, current.corners);
        let cost = *current.cost.get_or_insert_with(measure);
        let new = new.cost_along(mesh, self.prices, corners);
        f64::from(new) < f64::from(cost) * max_ratio
    }
}

impl<'a> CurrentLine<'a> {
    /// Copies the line in a window to the buffers.
    fn new(
        section: &CorridorSection<'_>,
        window: SectionWindow,
        path: &'a mut Vec<DirectedPortal>,
        corners: &'a mut Vec<PathCorner>,
        cost_model: CostModel,
    ) -> Self {
        let crossings = section.crossings_in(window);
        path.clear();
        path.extend_from_slice(&section.crossings[crossings.clone()]);
        corners.clear();
        let inner = section.corners[section.inner(window)].iter();
        corners.extend(inner.map(|corner| corner.rebased(crossings.start)));
        let [from, to] = section.endpoints_of(window);
        let last = path
            .last()
            .expect("the bend of a window is at one of its crossings");
        Self {
            line: TautLine {
                from,
                to,
                last_polygon: last.to(section.mesh),
                crossings: path,
                cost_model,
            },
            corners,
            length: TautLine::length([from, to], corners),
            cost: None,
        }
    }
}
