//! The shortest line through a row of portals, in time proportional to their number.
//!
//! Lee and Preparata (1984), and Chazelle (1982): keep the two taut strings from the last certain
//! corner, the apex, to the ends of the portal at hand. They bend away from each other. A new
//! right end shortens the right string from its far end; if it goes past the apex, the left
//! string's first corners become certain. Unlike the popular variant that starts over at each
//! corner, every point is pushed and popped once. Seen from above: heights come later.
//!
//! The popular variant, the [wedge](super::wedge), goes first, for as long as it is not slower.

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::wedge::{self, Gate};
use crate::geometry::orientation;

/// A bend of the path at an end of portal `portal`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Corner {
    pub(crate) point: Vec3,
    pub(crate) portal: u32,
}

impl Corner {
    /// The same where so many more portals are counted.
    pub(super) fn moved(self, by: usize) -> Self {
        Self {
            portal: self.portal + by as u32,
            ..self
        }
    }

    /// The same where portals are counted from a later one.
    pub(super) fn counted_from(self, first: usize) -> Self {
        Self {
            portal: self.portal - first as u32,
            ..self
        }
    }
}

/// A corner of a string, with its place as it is computed with: in `f64`, as [`orientation`] does, but widened once
/// and not for every turn.
#[derive(Clone, Copy, Debug, Default)]
struct Knot {
    place: DVec2,
    corner: Corner,
}

impl Knot {
    #[inline]
    fn new(corner: Corner) -> Self {
        Self {
            place: corner.point.xz().as_dvec2(),
            corner,
        }
    }
}

/// [`orientation`] for places.
#[inline]
fn turn_at(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The two strings in one array: the left one from `apex` down to `left`, the right one from
/// `apex` up to `right`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Funnel {
    gates: Vec<Gate>,
    chain: Vec<Knot>,
    left: usize,
    apex: usize,
    right: usize,
}

impl Funnel {
    /// Appends to `corners` where the shortest line from `start` through `portals`, each given as
    /// right and left end, to `goal` bends.
    pub(crate) fn pull(
        &mut self,
        start: Vec3,
        goal: Vec3,
        portals: impl ExactSizeIterator<Item = [Vec3; 2]>,
        corners: &mut Vec<Corner>,
    ) {
        let first = corners.len();
        self.gates.clear();
        self.gates.extend(portals.map(Gate::new));
        if !wedge::pull(start, goal, &self.gates, corners) {
            self.pull_strings(start, goal, corners);
        }
        drop_grazed(start, goal, corners, first);
    }

    /// The same in time proportional to the number of portals, whatever they are like.
    fn pull_strings(&mut self, start: Vec3, goal: Vec3, corners: &mut Vec<Corner>) {
        let count = self.gates.len();
        if self.chain.len() < 2 * count + 3 {
            self.chain.resize(2 * count + 3, Knot::default());
        }
        let middle = count + 1;
        (self.left, self.apex, self.right) = (middle, middle, middle);
        self.chain[middle] = Knot::new(Corner {
            point: start,
            portal: 0,
        });
        for portal in 0..count {
            let [right, left] = self.gates[portal].corners(portal);
            self.add_right(Knot::new(right), corners);
            self.add_left(Knot::new(left), corners);
        }
        let end = Corner {
            point: goal,
            portal: count as u32,
        };
        self.add_left(Knot::new(end), corners);
        // What is left of the left string leads to the goal; its last point is the goal itself,
        // or the apex where the goal lies on it.
        let last = if self.left < self.apex {
            self.left + 1
        } else {
            self.apex
        };
        let rest = self.chain[last..self.apex].iter().rev();
        corners.extend(rest.map(|knot| knot.corner));
    }

    fn add_left(&mut self, new: Knot, corners: &mut Vec<Corner>) {
        let Self {
            chain,
            left,
            apex,
            right,
            ..
        } = self;
        // Portals around a corner share it.
        if chain[*left].place == new.place {
            if *left < *apex {
                chain[*left] = new;
            }
            return;
        }
        let mut narrowed = false;
        while *left < *apex && turn_at(chain[*left + 1].place, chain[*left].place, new.place) <= 0.0
        {
            *left += 1;
            narrowed = true;
        }
        while *left == *apex && *apex < *right {
            let [from, over] = [chain[*apex].place, chain[*apex + 1].place];
            let side = turn_at(from, over, new.place);
            if side > 0.0 || side == 0.0 && !goes_past(from, over, new.place, narrowed) {
                break;
            }
            *apex += 1;
            *left = *apex;
            corners.push(chain[*apex].corner);
        }
        if new.place == chain[*apex].place {
            *left = *apex;
        } else {
            *left -= 1;
            chain[*left] = new;
        }
    }

    /// The mirror image of [`add_left`](Self::add_left).
    fn add_right(&mut self, new: Knot, corners: &mut Vec<Corner>) {
        let Self {
            chain,
            left,
            apex,
            right,
            ..
        } = self;
        if chain[*right].place == new.place {
            if *right > *apex {
                chain[*right] = new;
            }
            return;
        }
        let mut narrowed = false;
        while *right > *apex
            && turn_at(chain[*right - 1].place, chain[*right].place, new.place) >= 0.0
        {
            *right -= 1;
            narrowed = true;
        }
        while *right == *apex && *apex > *left {
            let [from, over] = [chain[*apex].place, chain[*apex - 1].place];
            let side = turn_at(from, over, new.place);
            if side < 0.0 || side == 0.0 && !goes_past(from, over, new.place, narrowed) {
                break;
            }
            *apex -= 1;
            *right = *apex;
            corners.push(chain[*apex].corner);
        }
        if new.place == chain[*apex].place {
            *right = *apex;
        } else {
            *right += 1;
            chain[*right] = new;
        }
    }
}

/// Takes out corners that the line passes without a bend.
fn drop_grazed(start: Vec3, goal: Vec3, corners: &mut Vec<Corner>, first: usize) {
    let mut kept = first;
    for i in first..corners.len() {
        let before = if kept > first {
            corners[kept - 1].point
        } else {
            start
        };
        let after = corners.get(i + 1).map_or(goal, |next| next.point);
        let (come, go) = (corners[i].point - before, after - corners[i].point);
        let is_straight = orientation(before, corners[i].point, after) == 0.0;
        if !(is_straight && come.x * go.x + come.z * go.z >= 0.0) {
            corners[kept] = corners[i];
            kept += 1;
        }
    }
    corners.truncate(kept);
}

/// For `to` on the line from the apex `from` through the first corner `over` of the other string:
/// whether the way there leads over that corner. It does when `to` lies beyond it, and when the
/// string at hand has swung all the way around to the apex or behind it, as it does at the tip of
/// a wall without thickness.
pub(super) fn goes_past(from: DVec2, over: DVec2, to: DVec2, narrowed: bool) -> bool {
    let (along, ahead) = (over - from, to - from);
    let reach = along.dot(ahead);
    reach >= along.length_squared() || narrowed && reach <= 0.0
}

#[cfg(test)]
#[path = "funnel_test.rs"]
mod tests;
