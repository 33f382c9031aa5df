//! String pulling: the shortest line through a sequence of portals, in time linear in their number.
//!
//! The algorithm is that of Lee and Preparata (1984) and Chazelle (1982). The apex is the last corner that
//! is certain. Two taut strings lead from the apex to the ends of the current portal and bend away from
//! each other. A new right end shortens the right string from its far end. If it crosses the left string,
//! the first corners of the left string become certain and the apex moves. Every point is pushed and popped
//! once. Lines are shortest in plan; heights are added later.
//!
//! The simpler variant that restarts at each corner, the [wedge](super::wedge), runs first. It is faster on
//! most corridors, and stops where it would be slower.

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::wedge::{self, PlanPortal};
use crate::geometry::orientation;

/// A bend of a path, at an end of the portal with index `portal`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PathCorner {
    pub(crate) point: Vec3,
    pub(crate) portal: u32,
    /// Whether the bend is at the left end of the portal.
    pub(crate) is_left: bool,
}

impl PathCorner {
    /// Returns this corner with its portal index increased by `by`.
    pub(super) fn shifted(self, by: usize) -> Self {
        Self {
            portal: self.portal + by as u32,
            ..self
        }
    }

    /// Returns this corner with its portal index counted from portal `first`.
    pub(super) fn rebased(self, first: usize) -> Self {
        Self {
            portal: self.portal - first as u32,
            ..self
        }
    }
}

/// A corner of a string. Its position is converted once to `f64`, the precision of [`orientation`].
#[derive(Clone, Copy, Debug, Default)]
struct StringPoint {
    position: DVec2,
    corner: PathCorner,
}

impl StringPoint {
    #[inline]
    fn new(corner: PathCorner) -> Self {
        Self {
            position: corner.point.xz().as_dvec2(),
            corner,
        }
    }
}

/// Computes [`orientation`] for positions in `f64`.
#[inline]
fn orientation_f64(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Both strings in one array: the left string from `apex` down to `left`, the right string from `apex` up
/// to `right`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Funnel {
    portals: Vec<PlanPortal>,
    strings: Vec<StringPoint>,
    left: usize,
    apex: usize,
    right: usize,
}

impl Funnel {
    /// Appends to `corners` the bends of the shortest line from `start` through `portals` to `goal`. Each
    /// portal is given as its right and left end.
    pub(crate) fn pull(
        &mut self,
        start: Vec3,
        goal: Vec3,
        portals: impl ExactSizeIterator<Item = [Vec3; 2]>,
        corners: &mut Vec<PathCorner>,
    ) {
        let first = corners.len();
        self.portals.clear();
        self.portals.extend(portals.map(PlanPortal::new));
        if !wedge::pull(start, goal, &self.portals, corners) {
            self.pull_strings(start, goal, corners);
        }
        remove_straight_corners(start, goal, corners, first);
    }

    /// Does the work of [`pull`](Self::pull) with two strings, in time linear in the number of portals in
    /// every case.
    fn pull_strings(&mut self, start: Vec3, goal: Vec3, corners: &mut Vec<PathCorner>) {
        let count = self.portals.len();
        if self.strings.len() < 2 * count + 3 {
            self.strings.resize(2 * count + 3, StringPoint::default());
        }
        let middle = count + 1;
        (self.left, self.apex, self.right) = (middle, middle, middle);
        self.strings[middle] = StringPoint::new(PathCorner {
            point: start,
            ..PathCorner::default()
        });
        // All portals between that of the apex and this index end at the apex.
        let mut passed = 0;
        for portal in 0..count {
            if self.waits_at_apex(portal, &mut passed) {
                (self.left, self.right) = (self.apex, self.apex);
                continue;
            }
            let [right, left] = self.portals[portal].corners(portal);
            self.add_right(StringPoint::new(right), corners);
            self.add_left(StringPoint::new(left), corners);
        }
        let end = PathCorner {
            point: goal,
            portal: count as u32,
            is_left: true,
        };
        self.add_left(StringPoint::new(end), corners);
        // The rest of the left string leads to the goal. Its last point is the goal itself, or the apex if
        // the goal lies on it.
        let last = if self.left < self.apex {
            self.left + 1
        } else {
            self.apex
        };
        let remaining = self.strings[last..self.apex].iter().rev();
        corners.extend(remaining.map(|point| point.corner));
    }

    /// Returns whether the line can pass all portals from the apex to `portal` without leaving the apex. `passed` is
    /// the number of portals for which this is known; it only grows, which keeps the time linear.
    fn waits_at_apex(&self, portal: usize, passed: &mut usize) -> bool {
        let apex = &self.strings[self.apex];
        let ends_at_apex = |portal: usize| self.portals[portal].ends_at(apex.position);
        if !ends_at_apex(portal) {
            return false;
        }
        // The corner of the start has portal 0, like a corner of the first portal, which ends there as well.
        *passed = (*passed).max(apex.corner.portal as usize);
        while *passed <= portal && ends_at_apex(*passed) {
            *passed += 1;
        }
        *passed > portal
    }

    /// Adds the left end of the next portal to the left string.
    fn add_left(&mut self, new: StringPoint, corners: &mut Vec<PathCorner>) {
        let Self {
            strings,
            left,
            apex,
            right,
            ..
        } = self;
        // Consecutive portals around a corner share this end.
        if strings[*left].position == new.position {
            if *left < *apex {
                strings[*left] = new;
            }
            return;
        }
        let mut narrowed = false;
        while *left < *apex
            && orientation_f64(
                strings[*left + 1].position,
                strings[*left].position,
                new.position,
            ) <= 0.0
        {
            *left += 1;
            narrowed = true;
        }
        while *left == *apex && *apex < *right {
            let [from, over] = [strings[*apex].position, strings[*apex + 1].position];
            let side = orientation_f64(from, over, new.position);
            if side > 0.0 || side == 0.0 && !passes_over(from, over, new.position, narrowed) {
                break;
            }
            *apex += 1;
            *left = *apex;
            corners.push(strings[*apex].corner);
        }
        if new.position == strings[*apex].position {
            *left = *apex;
        } else {
            *left -= 1;
            strings[*left] = new;
        }
    }

    /// Adds the right end of the next portal to the right string; the mirror image of
    /// [`add_left`](Self::add_left).
    fn add_right(&mut self, new: StringPoint, corners: &mut Vec<PathCorner>) {
        let Self {
            strings,
            left,
            apex,
            right,
            ..
        } = self;
        if strings[*right].position == new.position {
            if *right > *apex {
                strings[*right] = new;
            }
            return;
        }
        let mut narrowed = false;
        while *right > *apex
            && orientation_f64(
                strings[*right - 1].position,
                strings[*right].position,
                new.position,
            ) >= 0.0
        {
            *right -= 1;
            narrowed = true;
        }
        while *right == *apex && *apex > *left {
            let [from, over] = [strings[*apex].position, strings[*apex - 1].position];
            let side = orientation_f64(from, over, new.position);
            if side < 0.0 || side == 0.0 && !passes_over(from, over, new.position, narrowed) {
                break;
            }
            *apex -= 1;
            *right = *apex;
            corners.push(strings[*apex].corner);
        }
        if new.position == strings[*apex].position {
            *right = *apex;
        } else {
            *right += 1;
            strings[*right] = new;
        }
    }
}

/// Removes corners from index `first` on at which the line does not bend.
fn remove_straight_corners(start: Vec3, goal: Vec3, corners: &mut Vec<PathCorner>, first: usize) {
    let mut kept = first;
    for i in first..corners.len() {
        let before = if kept > first {
            corners[kept - 1].point
        } else {
            start
        };
        let after = corners.get(i + 1).map_or(goal, |next| next.point);
        if !is_straight(before, corners[i].point, after) {
            corners[kept] = corners[i];
            kept += 1;
        }
    }
    corners.truncate(kept);
}

/// Returns whether the line does not bend at a corner.
pub(super) fn is_straight(before: Vec3, corner: Vec3, after: Vec3) -> bool {
    let (incoming, outgoing) = (corner - before, after - corner);
    orientation(before, corner, after) == 0.0
        && incoming.x * outgoing.x + incoming.z * outgoing.z >= 0.0
}

/// Decides a tie: `to` is exactly on the line from the apex `from` through `over`, the first corner of the
/// opposite string. Returns whether the path to `to` leads over that corner. It does if `to` is beyond the
/// corner. It also does if the current string has been narrowed and `to` is at or behind the apex, as at
/// the tip of a wall without thickness.
pub(super) fn passes_over(from: DVec2, over: DVec2, to: DVec2, narrowed: bool) -> bool {
    let (to_corner, to_target) = (over - from, to - from);
    let reach = to_corner.dot(to_target);
    reach >= to_corner.length_squared() || narrowed && reach <= 0.0
}

#[cfg(test)]
#[path = "funnel_test.rs"]
mod tests;
