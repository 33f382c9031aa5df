//! What can be seen from a corner through a row of portals: the quick half of the [funnel](super::funnel).
//!
//! Of the two strings only the first corner matters until the line turns there: together they are the wedge
//! that can be seen from the apex. A portal that does not make it narrower changes nothing, and along a
//! street that is nearly all of them, so the branches are foreseen, and nothing is stored. What it costs is
//! that portals behind a new apex are looked at again, for corners that were hidden from the one before:
//! Mononen's variant, "simple stupid funnel". Where that becomes too much, the strings go on.

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::funnel::{Corner, goes_past};

/// How many times a portal may be looked at on average.
const LOOKS: usize = 8;

/// A portal as it is computed with: right and left end, in `f64` as [`orientation`](crate::geometry::orientation) does, but
/// widened once and not for every turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    places: [DVec2; 2],
    heights: [f32; 2],
}

impl Gate {
    #[inline]
    pub(super) fn new(ends: [Vec3; 2]) -> Self {
        Self {
            places: ends.map(|end| end.xz().as_dvec2()),
            heights: ends.map(|end| end.y),
        }
    }

    /// Right and left end.
    pub(super) fn corners(&self, portal: usize) -> [Corner; 2] {
        [0, 1].map(|side| self.corner(side, portal))
    }

    fn corner(&self, side: usize, portal: usize) -> Corner {
        let DVec2 { x, y: z } = self.places[side];
        Corner {
            point: Vec3::new(x as f32, self.heights[side], z as f32),
            portal: portal as u32,
        }
    }
}

/// One side of what can be seen.
#[derive(Clone, Copy)]
struct Edge {
    /// From the apex to the portal's end that bounds the view; zero where nothing does.
    along: DVec2,
    portal: usize,
}

impl Edge {
    const NONE: Self = Self {
        along: DVec2::ZERO,
        portal: 0,
    };

    /// Whether the way to a place exactly ahead or behind leads over this edge's corner, as
    /// [`goes_past`] says.
    fn is_passed(&self, ahead: DVec2, other: &Self) -> bool {
        let narrowed = other.along != DVec2::ZERO;
        self.along != DVec2::ZERO && goes_past(DVec2::ZERO, self.along, ahead, narrowed)
    }
}

/// Where the line turns.
enum Turn {
    Right,
    Left,
}

/// Appends the corners of the shortest line from `start` through the portals to `goal`; none, and false, where
/// portals had to be looked at too often.
pub(super) fn pull(start: Vec3, goal: Vec3, gates: &[Gate], corners: &mut Vec<Corner>) -> bool {
    let known = corners.len();
    let mut looks = LOOKS * gates.len();
    let (mut apex, goal) = (start.xz().as_dvec2(), goal.xz().as_dvec2());
    let mut first = 0;
    loop {
        let mut view = View {
            right: Edge::NONE,
            left: Edge::NONE,
        };
        let turn = gates[first..].iter().zip(first..).find_map(|(gate, i)| {
            looks = looks.saturating_sub(1);
            view.narrow(gate.places.map(|place| place - apex), i)
        });
        if looks == 0 && !gates.is_empty() {
            corners.truncate(known);
            return false;
        }
        let (side, portal) = match turn.or_else(|| view.end(goal - apex)) {
            Some(Turn::Right) => (0, view.right.portal),
            Some(Turn::Left) => (1, view.left.portal),
            None => return true,
        };
        corners.push(gates[portal].corner(side, portal));
        apex = gates[portal].places[side];
        first = portal + 1;
    }
}

/// What can be seen from the apex.
struct View {
    right: Edge,
    left: Edge,
}

impl View {
    /// Looks through one more portal, given as seen from the apex, right end first. Where nothing is left to
    /// be seen, the line turns.
    #[inline]
    fn narrow(&mut self, [to_right, to_left]: [DVec2; 2], portal: usize) -> Option<Turn> {
        let Self { right, left } = self;
        if right.along.perp_dot(to_right) >= 0.0 {
            let over = left.along.perp_dot(to_right);
            if over > 0.0 || over == 0.0 && left.is_passed(to_right, right) {
                return Some(Turn::Left);
            }
            *right = Edge {
                along: to_right,
                portal,
            };
        }
        if left.along.perp_dot(to_left) <= 0.0 {
            let over = right.along.perp_dot(to_left);
            if over < 0.0 || over == 0.0 && right.is_passed(to_left, left) {
                return Some(Turn::Right);
            }
            *left = Edge {
                along: to_left,
                portal,
            };
        }
        None
    }

    /// Whether the line turns once more before it ends there.
    fn end(&self, ahead: DVec2) -> Option<Turn> {
        let Self { right, left } = self;
        if left.along.perp_dot(ahead) > 0.0 {
            return Some(Turn::Left);
        }
        let over = right.along.perp_dot(ahead);
        (over < 0.0 || over == 0.0 && right.is_passed(ahead, left)).then_some(Turn::Right)
    }
}
