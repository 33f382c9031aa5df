//! Walks along a straight line, from polygon to polygon.
//!
//! In the common case the line crosses a portal properly, which the signs of two orientations decide. Where it
//! passes over a vertex, runs along a border, or passes between two portals that should meet but differ by
//! rounding, the walk looks at all polygons that meet at the point and sweeps along the line with all of those
//! that the line goes on in. There may be two of them, one on each side of the line, and a wall may separate
//! them, so one of them may end at a wall and the other lead on.

use glam::{DVec2, Vec3};

use super::Probe;
use super::line::{Line, distance_squared, in_plan};
use super::short_list::ShortList;
use crate::ids::PolygonId;

/// By how much the borders of two polygons that a portal connects may differ. [Units: m] It exceeds the
/// default gap between tiles.
const OVERLAP: f64 = 0.02;

/// How a walk ends.
pub(super) struct WalkEnd {
    pub(super) polygon: PolygonId,
    pub(super) fraction: f64,
    pub(super) has_reached: bool,
}

/// One of the polygons that meet at a point.
#[derive(Clone, Copy)]
pub(super) struct MeetingPolygon {
    pub(super) polygon: PolygonId,
    /// The index of the polygon from which a portal leads to this one.
    before: u32,
}

impl MeetingPolygon {
    pub(super) fn first(polygon: PolygonId) -> Self {
        Self { polygon, before: 0 }
    }
}

/// A polygon that the sweep is in.
#[derive(Clone, Copy)]
struct Branch {
    polygon: PolygonId,
    /// The fraction of the line up to which it is in the polygon.
    exit: f64,
    /// The polygon in the [`Trail`].
    node: u32,
    /// Whether the sweep begins with this branch.
    is_first: bool,
}

/// A sweep along a line with all polygons that it is in.
struct Sweep<'a> {
    line: Line,
    /// The fraction of the line at which the sweep begins.
    start: f64,
    branches: ShortList<Branch>,
    trail: Trail<'a>,
}

/// The polygons that a sweep has passed. Each polygon and the index of the one before it take two elements of a
/// list of polygons, so the list of the caller is the only memory that is needed.
struct Trail<'a> {
    list: Option<&'a mut Vec<PolygonId>>,
    /// Where the trail begins. The polygons before are those that were crossed before the sweep.
    first: usize,
}

const NONE: u32 = u32::MAX;

impl Probe<'_> {
    /// Walks along a line from a polygon until it ends or crosses a wall. Adds the polygons that it enters to
    /// `crossed`. With a goal, the walk has reached its end only if it ends on this polygon.
    pub(super) fn walk(
        &self,
        from: PolygonId,
        line: Line,
        goal: Option<PolygonId>,
        mut crossed: Option<&mut Vec<PolygonId>>,
    ) -> WalkEnd {
        let mut here = WalkEnd {
            polygon: from,
            fraction: 0.0,
            has_reached: false,
        };
        // A start that rounding has put outside its polygon must not leave the polygon far behind itself.
        let mut min_fraction = -self.slack / line.length;
        // Where polygons overlap, a walk could go around in circles.
        for _ in 0..64 + 4 * self.mesh.polygon_count() {
            match self.crossing(here.polygon, line, min_fraction) {
                Some((_, fraction)) if fraction >= 1.0 => {
                    here.has_reached = self.is_goal(here.polygon, line, goal);
                    break;
                }
                Some((beyond, fraction)) => {
                    here.polygon = beyond;
                    here.fraction = here.fraction.max(fraction);
                    min_fraction = here.fraction - OVERLAP / line.length;
                    if let Some(crossed) = &mut crossed {
                        crossed.push(beyond);
                    }
                }
                None => {
                    let is_over = self.sweep(&mut here, line, goal, crossed.as_deref_mut());
                    if is_over {
                        break;
                    }
                    min_fraction = here.fraction + f64::EPSILON;
                }
            }
        }
        here
    }

    /// Goes on with a walk from a polygon that the line does not leave by crossing a portal properly. Returns
    /// true at the end of the walk, and false if the line crosses a portal of the polygon that it has got to.
    #[cold]
    fn sweep(
        &self,
        here: &mut WalkEnd,
        line: Line,
        goal: Option<PolygonId>,
        crossed: Option<&mut Vec<PolygonId>>,
    ) -> bool {
        let start = here.fraction;
        let mut branch = Branch {
            polygon: here.polygon,
            // On the way to a goal, the other polygons that meet here count from the beginning.
            exit: match goal {
                None => self.exit(here.polygon, line, start),
                Some(_) => start,
            },
            node: NONE,
            is_first: true,
        };
        let mut around = ShortList::new(MeetingPolygon::first(here.polygon));
        let mut sweep = Sweep {
            line,
            start,
            branches: ShortList::new(branch),
            trail: Trail::new(crossed),
        };
        loop {
            here.polygon = branch.polygon;
            let is_end =
                branch.exit >= 1.0 || self.is_close(branch.polygon, line.at(1.0), self.slack);
            if is_end && self.is_goal(branch.polygon, line, goal) {
                here.has_reached = true;
                sweep.trail.keep(branch.node);
                return true;
            }
            // Where the line ends on another polygon than the goal, this branch does not lead there.
            if !is_end || branch.is_first {
                here.fraction = here.fraction.max(branch.exit);
                self.around(branch.polygon, line.at(here.fraction), &mut around);
                self.branch_out(branch, here.fraction, around.as_slice(), &mut sweep);
            }
            let all = sweep.branches.as_mut_slice();
            if let [only] = all {
                // Only a portal ahead is progress: overlapping polygons could lead the walk back and forth.
                let min_fraction = here.fraction + f64::EPSILON;
                if self.crossing(only.polygon, line, min_fraction).is_some() {
                    here.polygon = only.polygon;
                    sweep.trail.keep(only.node);
                    return false;
                }
            }
            // The polygon that the line leaves first is the next.
            all.sort_unstable_by(|a, b| {
                let by_exit = b.exit.total_cmp(&a.exit);
                by_exit.then(b.polygon.cmp(&a.polygon))
            });
            let Some(next) = sweep.branches.pop() else {
                sweep.trail.keep(branch.node);
                return true;
            };
            branch = next;
        }
    }

    /// Adds the polygons in which a line goes on from a branch at a fraction, of those that meet there.
    fn branch_out(
        &self,
        branch: Branch,
        fraction: f64,
        around: &[MeetingPolygon],
        sweep: &mut Sweep<'_>,
    ) {
        // A polygon that the line only passes beside counts if the line goes on in no other, and if there is
        // more than a wall here, or rounding may have moved the start.
        let line = sweep.line;
        let is_at_start = fraction <= sweep.start + self.slack / line.length;
        let is_at_wall = around.len() == 1 && !is_at_start;
        for is_beside in [false, true] {
            let has_no_other = sweep.branches.as_slice().is_empty();
            if is_beside && (is_at_wall || !has_no_other) {
                return;
            }
            for (index, &MeetingPolygon { polygon, .. }) in around.iter().enumerate() {
                let exit = match is_beside {
                    false => self.exit(polygon, line, fraction),
                    true => self.exit_beside(polygon, line, fraction),
                };
                let mut known = sweep.branches.as_slice().iter();
                if exit > fraction && known.all(|branch| branch.polygon != polygon) {
                    let node = sweep.trail.turn(branch.node, around, index);
                    sweep.branches.push(Branch {
                        polygon,
                        exit,
                        node,
                        is_first: false,
                    });
                }
            }
        }
    }

    /// Returns whether a polygon on which a line ends is the goal, or meets it there.
    fn is_goal(&self, polygon: PolygonId, line: Line, goal: Option<PolygonId>) -> bool {
        let Some(goal) = goal.filter(|&goal| goal != polygon) else {
            return true;
        };
        let mut around = ShortList::new(MeetingPolygon::first(polygon));
        self.around(polygon, line.at(1.0), &mut around);
        around.as_slice().iter().any(|step| step.polygon == goal)
    }

    /// Returns the polygon beyond the portal by which a line properly leaves a polygon, and the fraction of the
    /// line at which it crosses the portal. Returns `None` if there is no such portal, or if there are two because
    /// their ends overlap by rounding.
    #[inline]
    fn crossing(
        &self,
        polygon: PolygonId,
        line: Line,
        min_fraction: f64,
    ) -> Option<(PolygonId, f64)> {
        let mut found = None;
        for &portal in self.mesh.portals_of(polygon) {
            let portal = self.mesh.portal(portal);
            let [right, left] = portal.ends_from(polygon).map(in_plan);
            if line.side(right) >= 0.0 || line.side(left) <= 0.0 {
                continue;
            }
            let fraction = line.fraction_at(right, left);
            let beyond = portal.beyond(polygon);
            if fraction < min_fraction {
                continue;
            }
            if fraction >= 1.0 {
                return Some((beyond, fraction));
            }
            if self.is_open(beyond) && found.replace((beyond, fraction)).is_some() {
                return None;
            }
        }
        found
    }

    /// Returns the fraction of a line at which it leaves a polygon that it is in at a fraction. If it only
    /// passes beside the polygon, the fraction `from` itself is returned.
    fn exit(&self, polygon: PolygonId, line: Line, from: f64) -> f64 {
        let min_fraction = from - OVERLAP / line.length;
        let mut exit = f64::INFINITY;
        for [a, b] in self.mesh.borders(polygon) {
            let [a, b] = [a, b].map(in_plan);
            let (at_a, at_b) = (line.side(a), line.side(b));
            if at_a > 0.0 || at_b < 0.0 || at_a == at_b {
                continue;
            }
            let fraction = line.fraction_at(a, b);
            if fraction >= min_fraction {
                exit = exit.min(fraction);
            }
        }
        if exit < f64::INFINITY { exit } else { from }
    }

    /// Returns the last fraction of a line at which it is so close to a polygon that rounding may be the reason.
    /// If it is not close at `from`, or no longer close soon after, as a line that only touches a corner, that
    /// fraction is returned.
    fn exit_beside(&self, polygon: PolygonId, line: Line, from: f64) -> f64 {
        if !self.is_close(polygon, line.at(from), 2.0 * self.slack) {
            return from;
        }
        if self.is_close(polygon, line.at(1.0), self.slack) {
            return 1.0;
        }
        let direction = (line.to - line.from) / line.length;
        let mut last = from;
        for [a, b] in self.mesh.borders(polygon) {
            let [a, b] = [a, b].map(in_plan);
            // Where the line leaves the circle around the corner.
            let beside = direction.perp_dot(a - line.from);
            let half_chord = self.slack * self.slack - beside * beside;
            if half_chord >= 0.0 {
                let along = direction.dot(a - line.from) + half_chord.sqrt();
                last = last.max(along / line.length);
            }
            // Where it leaves the strip along the border.
            let along = (b - a).normalize_or_zero();
            let depth = |point: DVec2| along.perp_dot(point - a) + self.slack;
            let (at_from, at_to) = (depth(line.from), depth(line.to));
            if at_from >= 0.0 && at_to < 0.0 {
                let fraction = at_from / (at_from - at_to);
                let point = line.from + (line.to - line.from) * fraction;
                let foot = along.dot(point - a);
                if foot >= 0.0 && foot <= along.dot(b - a) {
                    last = last.max(fraction);
                }
            }
        }
        let runs_along = (last - from) * line.length > 8.0 * self.slack;
        if runs_along { last } else { from }
    }

    /// Returns whether a point is in a polygon or at most a distance away, in plan.
    fn is_close(&self, polygon: PolygonId, point: Vec3, distance: f64) -> bool {
        let mut borders = self.mesh.borders(polygon);
        self.mesh.contains_xz(polygon, point)
            || borders.any(|border| distance_squared(border, point) <= distance * distance)
    }

    /// Sets `around` to the polygons that meet at a point of a polygon and that portals connect there. The first
    /// is the polygon itself.
    pub(super) fn around(
        &self,
        polygon: PolygonId,
        point: Vec3,
        around: &mut ShortList<MeetingPolygon>,
    ) {
        around.clear();
        around.push(MeetingPolygon::first(polygon));
        let mut next = 0;
        while let Some(&MeetingPolygon { polygon, .. }) = around.as_slice().get(next) {
            for &portal in self.mesh.portals_of(polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(polygon);
                if self.touches([portal.right, portal.left], point)
                    && around
                        .as_slice()
                        .iter()
                        .all(|known| known.polygon != beyond)
                    && self.is_open(beyond)
                {
                    around.push(MeetingPolygon {
                        polygon: beyond,
                        before: next as u32,
                    });
                }
            }
            next += 1;
        }
    }

    /// Returns whether a point is on a segment or as close to it as rounding may move it.
    pub(super) fn touches(&self, segment: [Vec3; 2], point: Vec3) -> bool {
        // The point itself is rounded, too.
        distance_squared(segment, point) <= 4.0 * self.slack * self.slack
    }
}

impl<'a> Trail<'a> {
    fn new(list: Option<&'a mut Vec<PolygonId>>) -> Self {
        let first = list.as_ref().map_or(0, |list| list.len());
        Self { list, first }
    }

    /// Adds the polygons that lead from the first polygon around a point to another. The first is the polygon
    /// `node` of the trail. Returns the node of the other.
    fn turn(&mut self, node: u32, around: &[MeetingPolygon], mut index: usize) -> u32 {
        let Some(list) = &mut self.list else {
            return NONE;
        };
        // They are found in reverse order, so each is stored before the one that leads to it.
        let mut last = NONE;
        let mut link = None;
        while index > 0 {
            let at = list.len();
            list.extend([around[index].polygon, PolygonId(NONE)]);
            match link {
                None => last = at as u32,
                Some(after) => list[after] = PolygonId(at as u32),
            }
            link = Some(at + 1);
            index = around[index].before as usize;
        }
        match link {
            Some(after) => list[after] = PolygonId(node),
            None => last = node,
        }
        last
    }

    /// Leaves only the polygons that lead to a node, in order.
    fn keep(self, node: u32) {
        let Some(list) = self.list else { return };
        // The chain is read from its end, behind everything else, and then reversed.
        let (end, mut at) = (list.len(), node);
        while at != NONE {
            list.push(list[at as usize]);
            at = list[at as usize + 1].0;
        }
        list[end..].reverse();
        list.drain(self.first..end);
    }
}
