//! The fast variant of the [funnel](super::funnel): the "simple stupid funnel" of Mononen.
//!
//! It keeps only the first corner of each of the two strings. Together with the apex they bound a wedge,
//! the directions that are visible through all portals so far. A portal that does not narrow the wedge
//! changes nothing. Along a street nearly all portals are of this kind, so branches predict well and
//! nothing is stored. The price is that portals behind a new apex are visited again, because they may have
//! corners that were hidden from the previous apex. If portals are visited too often, the linear-time
//! funnel takes over.

use glam::{DVec2, Vec3, Vec3Swizzles};

use super::funnel::{PathCorner, passes_over};

/// The maximum mean number of visits per portal.
const MAX_VISITS_PER_PORTAL: usize = 8;

/// The right and the left end of a portal, converted once to `f64`, the precision of
/// [`orientation`](crate::geometry::orientation).
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanPortal {
    positions: [DVec2; 2],
    heights: [f32; 2],
}

impl PlanPortal {
    #[inline]
    pub(super) fn new(ends: [Vec3; 2]) -> Self {
        Self {
            positions: ends.map(|end| end.xz().as_dvec2()),
            heights: ends.map(|end| end.y),
        }
    }

    /// Returns the right and the left end as corners.
    pub(super) fn corners(&self, portal: usize) -> [PathCorner; 2] {
        [0, 1].map(|side| self.corner(side, portal))
    }

    fn corner(&self, side: usize, portal: usize) -> PathCorner {
        let DVec2 { x, y: z } = self.positions[side];
        PathCorner {
            point: Vec3::new(x as f32, self.heights[side], z as f32),
            portal: portal as u32,
        }
    }
}

/// One side of the wedge.
#[derive(Clone, Copy)]
struct WedgeSide {
    /// The vector from the apex to the portal end that bounds the wedge; zero if nothing bounds it yet.
    to_corner: DVec2,
    portal: usize,
}

impl WedgeSide {
    const NONE: Self = Self {
        to_corner: DVec2::ZERO,
        portal: 0,
    };

    /// Returns whether the path to a point exactly on the line of this side leads over this side's corner,
    /// as [`passes_over`] defines it. `to_point` is the vector from the apex to the point.
    fn must_pass(&self, to_point: DVec2, other: &Self) -> bool {
        let narrowed = other.to_corner != DVec2::ZERO;
        self.to_corner != DVec2::ZERO
            && passes_over(DVec2::ZERO, self.to_corner, to_point, narrowed)
    }
}

/// The side of the wedge around whose corner the line turns.
enum TurnSide {
    Right,
    Left,
}

/// Appends the corners of the shortest line from `start` through `portals` to `goal`. Returns false, and
/// appends nothing, if portals would be visited too often.
pub(super) fn pull(
    start: Vec3,
    goal: Vec3,
    portals: &[PlanPortal],
    corners: &mut Vec<PathCorner>,
) -> bool {
    let previous_count = corners.len();
    let mut visits_left = MAX_VISITS_PER_PORTAL * portals.len();
    let (mut apex, goal) = (start.xz().as_dvec2(), goal.xz().as_dvec2());
    let mut first = 0;
    loop {
        let mut wedge = Wedge {
            right: WedgeSide::NONE,
            left: WedgeSide::NONE,
        };
        let turn = portals[first..]
            .iter()
            .zip(first..)
            .find_map(|(portal_ends, i)| {
                visits_left = visits_left.saturating_sub(1);
                wedge.narrow(portal_ends.positions.map(|position| position - apex), i)
            });
        if visits_left == 0 && !portals.is_empty() {
            corners.truncate(previous_count);
            return false;
        }
        let (side, portal) = match turn.or_else(|| wedge.turn_before_goal(goal - apex)) {
            Some(TurnSide::Right) => (0, wedge.right.portal),
            Some(TurnSide::Left) => (1, wedge.left.portal),
            None => return true,
        };
        corners.push(portals[portal].corner(side, portal));
        apex = portals[portal].positions[side];
        first = portal + 1;
    }
}

/// The directions that are visible from the apex through all portals so far.
struct Wedge {
    right: WedgeSide,
    left: WedgeSide,
}

impl Wedge {
    /// Narrows the wedge by one more portal, given as vectors from the apex to its right and left end.
    /// Returns where the line turns if nothing remains visible.
    #[inline]
    fn narrow(&mut self, [to_right, to_left]: [DVec2; 2], portal: usize) -> Option<TurnSide> {
        let Self { right, left } = self;
        if right.to_corner.perp_dot(to_right) >= 0.0 {
            let over = left.to_corner.perp_dot(to_right);
            if over > 0.0 || over == 0.0 && left.must_pass(to_right, right) {
                return Some(TurnSide::Left);
            }
            *right = WedgeSide {
                to_corner: to_right,
                portal,
            };
        }
        if left.to_corner.perp_dot(to_left) <= 0.0 {
            let over = right.to_corner.perp_dot(to_left);
            if over < 0.0 || over == 0.0 && right.must_pass(to_left, left) {
                return Some(TurnSide::Right);
            }
            *left = WedgeSide {
                to_corner: to_left,
                portal,
            };
        }
        None
    }

    /// Returns where the line turns before it reaches the goal, if it does. `to_goal` is the vector from the
    /// apex to the goal.
    fn turn_before_goal(&self, to_goal: DVec2) -> Option<TurnSide> {
        let Self { right, left } = self;
        if left.to_corner.perp_dot(to_goal) > 0.0 {
            return Some(TurnSide::Left);
        }
        let over = right.to_corner.perp_dot(to_goal);
        (over < 0.0 || over == 0.0 && right.must_pass(to_goal, left)).then_some(TurnSide::Right)
    }
}
