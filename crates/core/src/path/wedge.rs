//! The fast variant of the [funnel](super::funnel): the "simple stupid funnel" of Mononen.
//!
//! It keeps only the first corner of each of the two strings. Together with the apex they bound a wedge,
//! the directions that are visible through all portals so far. A portal that does not narrow the wedge
//! changes nothing. Along a street nearly all portals are of this kind, so branches predict well and
//! nothing is stored. The price is that portals behind a new apex are visited again, because they may have
//! corners that were hidden from the previous apex. If portals are visited too often, the linear-time
//! funnel takes over.

use glam::{DVec2, Vec3, Vec3Swizzles};
use wide::f64x2;

use super::funnel::{PathCorner, passes_over};

/// The maximum mean number of visits per portal.
const MAX_VISITS_PER_PORTAL: usize = 8;

/// The right and the left end of a portal, in this order.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanPortal {
    x: [f32; 2],
    z: [f32; 2],
    heights: [f32; 2],
}

impl PlanPortal {
    #[inline]
    pub(super) fn new([right, left]: [Vec3; 2]) -> Self {
        Self {
            x: [right.x, left.x],
            z: [right.z, left.z],
            heights: [right.y, left.y],
        }
    }

    /// Returns the right and the left end as corners.
    pub(super) fn corners(&self, portal: usize) -> [PathCorner; 2] {
        [self.corner(false, portal), self.corner(true, portal)]
    }

    pub(super) fn corner(&self, is_left: bool, portal: usize) -> PathCorner {
        let side = usize::from(is_left);
        PathCorner {
            point: Vec3::new(self.x[side], self.heights[side], self.z[side]),
            portal: portal as u32,
            is_left,
        }
    }

    /// Returns whether one of the two ends is at a position in plan.
    #[inline]
    pub(super) fn ends_at(&self, position: DVec2) -> bool {
        (0..2).any(|side| {
            f64::from(self.x[side]) == position.x && f64::from(self.z[side]) == position.y
        })
    }

    /// Returns the vectors from a point to the right and to the left end. Differences of `f32` are exact in
    /// `f64`, the precision of [`orientation`](crate::geometry::orientation).
    #[inline]
    pub(super) fn seen_from(&self, point: Vectors) -> Vectors {
        let wide = |ends: [f32; 2]| f64x2::new(ends.map(f64::from));
        Vectors {
            x: wide(self.x) - point.x,
            z: wide(self.z) - point.z,
        }
    }
}

/// Indexes the right side in arrays and lanes of two sides.
const RIGHT: usize = 0;
/// Indexes the left side in arrays and lanes of two sides.
const LEFT: usize = 1;

/// A vector to the right and a vector to the left, in the two lanes of SIMD registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vectors {
    x: f64x2,
    z: f64x2,
}

impl Vectors {
    const ZERO: Self = Self {
        x: f64x2::ZERO,
        z: f64x2::ZERO,
    };

    #[inline]
    pub(super) fn splat(vector: DVec2) -> Self {
        Self {
            x: f64x2::splat(vector.x),
            z: f64x2::splat(vector.y),
        }
    }

    #[inline]
    fn get(&self, side: usize) -> DVec2 {
        DVec2::new(self.x.to_array()[side], self.z.to_array()[side])
    }

    /// Returns these vectors with that on the left in the opposite direction.
    #[inline]
    fn with_left_reversed(self) -> Self {
        let sign = f64x2::new([0.0, -0.0]);
        Self {
            x: self.x ^ sign,
            z: self.z ^ sign,
        }
    }

    /// Returns, per lane, the vector of `self` where the mask is set and that of `other` elsewhere.
    #[inline]
    fn select(mask: f64x2, set: Self, other: Self) -> Self {
        Self {
            x: mask.bitselect(set.x, other.x),
            z: mask.bitselect(set.z, other.z),
        }
    }

    /// Returns the vector of `a` on the left in the right lane, and the vector of `b` on the right in the left
    /// lane.
    #[inline]
    fn crossed(a: Self, b: Self) -> Self {
        // Two transpositions compile to one shuffle. Access to single lanes would go through memory.
        let cross = |a: f64x2, b: f64x2| {
            let [_, lefts] = f64x2::transpose([a, b]);
            f64x2::transpose([lefts, b])[0]
        };
        Self {
            x: cross(a.x, b.x),
            z: cross(a.z, b.z),
        }
    }

    /// Returns the cross product of each vector with that of `other` in the same lane.
    #[inline]
    fn perp_dot(self, other: Self) -> f64x2 {
        self.x * other.z - self.z * other.x
    }
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
    let max_visits = MAX_VISITS_PER_PORTAL * portals.len();
    let (mut apex, goal) = (start.xz().as_dvec2(), goal.xz().as_dvec2());
    let (mut first, mut visits) = (0, 0);
    loop {
        let origin = Vectors::splat(apex);
        let mut wedge = Wedge::UNBOUNDED;
        // The line passes portals that end at the apex without leaving it.
        while portals
            .get(first)
            .is_some_and(|portal| portal.ends_at(apex))
        {
            first += 1;
        }
        let (mut turn, mut at) = (None, first);
        if let Some(portal) = portals.get(first)
            && let Some(whole) = Wedge::through(portal.seen_from(origin), first)
        {
            (wedge, at) = (whole, first + 1);
        }
        while at < portals.len() {
            let to_ends = portals[at].seen_from(origin);
            let narrowed = wedge.narrowed(to_ends, at);
            match narrowed.map_or_else(|| wedge.narrowed_or_turn(to_ends, at), Ok) {
                Ok(narrowed) => wedge = narrowed,
                Err(corner) => {
                    turn = Some(corner);
                    break;
                }
            }
            at += 1;
        }
        visits += at - first + usize::from(turn.is_some());
        if visits >= max_visits && !portals.is_empty() {
            corners.truncate(previous_count);
            return false;
        }
        let Some(TurnAt { side, portal }) = turn.or_else(|| wedge.turn_before_goal(goal - apex))
        else {
            return true;
        };
        let corner = portals[portal].corner(side == LEFT, portal);
        corners.push(corner);
        apex = corner.point.xz().as_dvec2();
        first = portal + 1;
    }
}

/// The corner of the wedge around which the line turns: an end of a portal.
#[derive(Clone, Copy)]
pub(super) struct TurnAt {
    side: usize,
    pub(super) portal: usize,
}

impl TurnAt {
    pub(super) fn is_left(&self) -> bool {
        self.side == LEFT
    }
}

/// The directions that are visible from the apex through all portals so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wedge {
    /// The vectors from the apex to the portal ends that bound the wedge; zero on a side that nothing bounds
    /// yet. The vector on the left is reversed, so that the same comparison works on both sides.
    sides: Vectors,
    /// The portals of these ends.
    portals: [usize; 2],
}

impl Wedge {
    pub(super) const UNBOUNDED: Self = Self {
        sides: Vectors::ZERO,
        portals: [0; 2],
    };

    /// Returns the wedge of all directions through one portal. Returns `None` if the apex is on the portal's line
    /// or behind it.
    #[inline]
    pub(super) fn through(to_ends: Vectors, portal: usize) -> Option<Self> {
        let product = to_ends.get(RIGHT).perp_dot(to_ends.get(LEFT));
        (product > 0.0).then(|| Self {
            sides: to_ends.with_left_reversed(),
            portals: [portal; 2],
        })
    }

    /// Returns the wedge narrowed by one more portal, given as vectors from the apex to its ends. Returns `None`
    /// if the line may turn here.
    #[inline]
    pub(super) fn narrowed(self, to_ends: Vectors, portal: usize) -> Option<Self> {
        let narrows = self.sides.perp_dot(to_ends).simd_ge(f64x2::ZERO);
        let sides = Vectors::select(narrows, to_ends.with_left_reversed(), self.sides);
        // The new right end must be to the right of the old left side, and the new left end to the left of the
        // new right side.
        let inside = Vectors::crossed(self.sides, sides)
            .perp_dot(to_ends)
            .simd_gt(f64x2::ZERO);
        let narrowed = narrows.to_bitmask();
        let choose = |side: usize| match narrowed >> side & 1 {
            0 => self.portals[side],
            _ => portal,
        };
        (narrowed & !inside.to_bitmask() == 0).then_some(Self {
            sides,
            portals: [choose(RIGHT), choose(LEFT)],
        })
    }

    /// Narrows the wedge as [`narrowed`](Self::narrowed) does. The error is the corner around which the line turns
    /// because nothing remains visible.
    pub(super) fn narrowed_or_turn(self, to_ends: Vectors, portal: usize) -> Result<Self, TurnAt> {
        let narrows = self
            .sides
            .perp_dot(to_ends)
            .to_array()
            .map(|product| product >= 0.0);
        let (mut corners, mut portals) = (self.corners(), self.portals);
        if narrows[RIGHT] {
            let to_right = to_ends.get(RIGHT);
            let over = corners[LEFT].perp_dot(to_right);
            if over > 0.0 || over == 0.0 && must_pass(corners, LEFT, to_right) {
                return Err(TurnAt {
                    side: LEFT,
                    portal: portals[LEFT],
                });
            }
            corners[RIGHT] = to_right;
            portals[RIGHT] = portal;
        }
        if narrows[LEFT] {
            let to_left = to_ends.get(LEFT);
            let over = corners[RIGHT].perp_dot(to_left);
            if over < 0.0 || over == 0.0 && must_pass(corners, RIGHT, to_left) {
                return Err(TurnAt {
                    side: RIGHT,
                    portal: portals[RIGHT],
                });
            }
            corners[LEFT] = to_left;
            portals[LEFT] = portal;
        }
        let [right, left] = corners;
        let [x, z] = [[right.x, left.x], [right.y, left.y]].map(f64x2::new);
        let sides = Vectors { x, z }.with_left_reversed();
        Ok(Self { sides, portals })
    }

    /// Returns the corner around which the line turns before it reaches the goal, if it does. `to_goal` is the
    /// vector from the apex to the goal.
    fn turn_before_goal(&self, to_goal: DVec2) -> Option<TurnAt> {
        let corners = self.corners();
        let over = corners[RIGHT].perp_dot(to_goal);
        let side = if corners[LEFT].perp_dot(to_goal) > 0.0 {
            LEFT
        } else if over < 0.0 || over == 0.0 && must_pass(corners, RIGHT, to_goal) {
            RIGHT
        } else {
            return None;
        };
        Some(TurnAt {
            side,
            portal: self.portals[side],
        })
    }

    /// Returns whether nothing bounds the wedge on either side.
    pub(super) fn is_unbounded(&self) -> bool {
        self.corners() == [DVec2::ZERO; 2]
    }

    /// Returns whether a direction from the apex is outside the wedge.
    pub(super) fn excludes(&self, direction: DVec2) -> bool {
        let [right, left] = self.corners();
        right.perp_dot(direction) < 0.0 || left.perp_dot(direction) > 0.0
    }

    /// Returns the vectors from the apex to the ends that bound the wedge.
    fn corners(&self) -> [DVec2; 2] {
        let corners = self.sides.with_left_reversed();
        [corners.get(RIGHT), corners.get(LEFT)]
    }
}

/// Returns whether the path to a point exactly on the line of a side leads over the corner of this side, as
/// [`passes_over`] defines it. `to_point` is the vector from the apex to the point.
fn must_pass(corners: [DVec2; 2], side: usize, to_point: DVec2) -> bool {
    let narrowed = corners[1 - side] != DVec2::ZERO;
    corners[side] != DVec2::ZERO && passes_over(DVec2::ZERO, corners[side], to_point, narrowed)
}
