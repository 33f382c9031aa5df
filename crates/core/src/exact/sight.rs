//! Sight: what can be seen from a point, portal by portal.

use glam::{DVec2, Vec3};

use super::NONE;
use super::orientation::orientation;
use super::plan::{PlanMesh, Side};

/// A cone of sight from a point, its root, through a side. The root sees everything between its two rays that
/// lies beyond the side. All polygons up to the side are known to be free between the rays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cone {
    /// A point on the right ray: an end of a portal.
    pub(super) right: DVec2,
    /// A point on the left ray.
    pub(super) left: DVec2,
    /// The end of a portal that limits the sight to the right most if the root is moved by up to the rounding
    /// error. A portal end near the root, on the right ray, may limit it less than another one farther away.
    moved_right: DVec2,
    /// The end of a portal that limits the sight to the left most if the root is moved.
    moved_left: DVec2,
    /// The side.
    pub(super) side: u32,
    /// The number of sides that the cone has passed.
    pub(super) depth: u32,
}

impl Cone {
    /// Returns whether the root sees a point beyond the side, which may lie on a ray. Both points were rounded
    /// by up to `rounding`.
    #[inline(always)]
    pub(super) fn contains(&self, root: DVec2, point: DVec2, rounding: f64) -> bool {
        let is_inside = |ray: DVec2, at_ray: f64| {
            let reach = rounding * (manhattan(point - ray) + manhattan(ray - root));
            at_ray > reach || at_ray >= -reach && is_behind(root, ray, point, rounding)
        };
        is_inside(self.moved_right, orientation(root, self.moved_right, point))
            && is_inside(self.moved_left, -orientation(root, self.moved_left, point))
    }

    /// Returns a cone with the same rays that leads through another side.
    pub(super) fn through(&self, side: u32) -> Self {
        Self {
            side,
            depth: self.depth + 1,
            ..*self
        }
    }

    /// Returns whether the root sees more than one line through the side.
    pub(super) fn has_width(&self, root: DVec2) -> bool {
        orientation(root, self.right, self.left) > 0.0
    }

    /// Returns the right end of the part of a side that is inside the cone.
    #[inline(always)]
    fn right_end(&self, root: DVec2, side: &Side) -> DVec2 {
        match self.right == side.right {
            true => side.right,
            false => intersection([root, self.right], [side.right, side.left]),
        }
    }

    /// Returns the left end of the part of a side that is inside the cone.
    #[inline(always)]
    fn left_end(&self, root: DVec2, side: &Side) -> DVec2 {
        match self.left == side.left {
            true => side.left,
            false => intersection([root, self.left], [side.right, side.left]),
        }
    }

    /// Returns the ends of the part of a side that the root looks through, for observers.
    pub(super) fn seen_through(&self, root: DVec2, side: &Side) -> [Vec3; 2] {
        let ends = [self.right_end(root, side), self.left_end(root, side)];
        ends.map(|end| Vec3::new(end.x as f32, 0.0, end.y as f32))
    }

    /// Returns a lower bound on the length of a path from the root through the interval to `goal`.
    #[inline(always)]
    pub(super) fn min_length(&self, root: DVec2, side: &Side, goal: DVec2) -> f64 {
        let along = side.left - side.right;
        let beside = along.perp_dot(goal - side.right);
        // A goal on the near side is reached by turning back, which is as long as the way to its mirror image.
        let goal = match beside > 0.0 {
            true => goal + along.perp() * (-2.0 * beside / along.length_squared()),
            false => goal,
        };
        let to_goal = goal - root;
        let past = if (self.left - root).perp_dot(to_goal) > 0.0 {
            self.left_end(root, side)
        } else if (self.right - root).perp_dot(to_goal) < 0.0 {
            self.right_end(root, side)
        } else {
            return to_goal.length();
        };
        root.distance(past) + past.distance(goal)
    }
}

/// Returns an upper bound on the length of a vector that is cheaper than the length.
#[inline(always)]
pub(super) fn manhattan(vector: DVec2) -> f64 {
    vector.x.abs() + vector.y.abs()
}

/// Returns where the line through `ray` meets the line through `side`, clamped to the side.
#[inline(always)]
fn intersection([root, through]: [DVec2; 2], [start, end]: [DVec2; 2]) -> DVec2 {
    let (ray, side) = (through - root, end - start);
    let across = side.perp_dot(ray);
    if across == 0.0 {
        return start;
    }
    let fraction = ((root - start).perp_dot(ray) / across).clamp(0.0, 1.0);
    start + side * fraction
}

/// Returns the orientation of the root, a point on a moved ray and an end of a side, given the orientation for the
/// ray of the cone, which is nearly always the same.
#[inline(always)]
fn at_moved(root: DVec2, moved: DVec2, ray: DVec2, end: DVec2, at_ray: f64) -> f64 {
    if moved == ray || at_ray.is_infinite() {
        at_ray
    } else {
        orientation(root, moved, end)
    }
}

/// Returns whether a point on the ray from a root through an end of a portal lies behind that end. The root may be
/// moved by `rounding`.
#[inline(always)]
fn is_behind(root: DVec2, ray: DVec2, point: DVec2, rounding: f64) -> bool {
    let to_ray = ray - root;
    (point - ray).dot(to_ray) >= -rounding * manhattan(to_ray)
}

/// Returns whether `end` limits the sight from a root that may be moved by `rounding` more than `limit` does, or
/// as much. `turn` is the orientation of the root and the two points, positive if `end` limits the sight from a
/// root that is not moved more. A move turns the ray through a point by the angle `rounding` / distance.
#[inline(always)]
fn limits_more(root: DVec2, limit: DVec2, end: DVec2, turn: f64, rounding: f64) -> bool {
    if turn > rounding * manhattan(limit - root) {
        true
    } else if turn < -rounding * manhattan(end - root) {
        false
    } else {
        turn >= rounding * (limit.distance(root) - end.distance(root))
    }
}

impl PlanMesh {
    /// Looks from a point into the polygons that it touches. Calls `see` with every corner and stop there, and
    /// `enter` with the cone through every side that leads on towards goals at the position `goal` of the tour.
    /// Corners may be seen several times. A cone [has no width](Cone::has_width) if only a root that is moved by
    /// up to the rounding error would look through the side.
    #[inline(always)]
    pub(super) fn look(
        &self,
        root: DVec2,
        touched: &[u32],
        goal: Option<u32>,
        mut see: impl FnMut(u32),
        mut enter: impl FnMut(Cone),
    ) {
        for &polygon in touched {
            for (index, side) in self
                .sides_of(polygon)
                .zip(&self.sides[self.sides_of(polygon)])
            {
                if goal.is_some_and(|goal| !side.gate.admits(goal)) {
                    continue;
                }
                side.corners
                    .into_iter()
                    .filter(|&corner| corner != NONE)
                    .for_each(&mut see);
                // The polygon beyond a side that the root touches is among the touched ones. A root on a wall that
                // is on one line with the side may have been moved behind it.
                let margin = self.rounding * manhattan(side.left - side.right);
                let is_in_front = orientation(side.right, side.left, root) > -margin;
                if is_in_front && !self.touches(side, root) {
                    enter(Cone {
                        right: side.right,
                        left: side.left,
                        moved_right: side.right,
                        moved_left: side.left,
                        side: index as u32,
                        depth: 0,
                    });
                }
            }
            self.stops_on(polygon)
                .iter()
                .for_each(|&(stop, _)| see(stop));
        }
    }

    /// Follows a cone into the polygon beyond its side. Calls `see` with every corner and stop that the root
    /// sees there, or would see if it had not been moved by up to `rounding`, and `enter` with the cone through
    /// every side that leads on towards goals at the position `goal` of the tour. Corners may be seen several
    /// times.
    ///
    /// A line of sight that touches obstacles on both sides leaves a cone without width, which is dropped. The
    /// shortest path along it is found nevertheless, as a sequence of straight lines between these corners.
    #[inline(always)]
    pub(super) fn follow(
        &self,
        root: DVec2,
        cone: &Cone,
        goal: Option<u32>,
        rounding: f64,
        mut see: impl FnMut(u32),
        enter: impl FnMut(Cone),
    ) {
        let entry = &self.sides[cone.side as usize];
        // A cone passes a polygon once. Where polygons overlap by rounding, it could go around in circles.
        if cone.depth as usize > self.polygon_count() {
            return;
        }
        // Nearly all polygons are regular. Each kind has its own loop, so that they need not ask at every side.
        if self.is_irregular[entry.beyond as usize] {
            self.follow_through::<true>(root, cone, goal, rounding, &mut see, enter);
        } else {
            self.follow_through::<false>(root, cone, goal, rounding, &mut see, enter);
        }
        for &(stop, point) in self.stops_on(entry.beyond) {
            if cone.contains(root, point, rounding) {
                see(stop);
            }
        }
    }

    /// Does the work of [`follow`](Self::follow) for the sides of the polygon beyond the cone's side.
    /// `IS_IRREGULAR` tells whether the polygon is irregular.
    #[inline(always)]
    fn follow_through<const IS_IRREGULAR: bool>(
        &self,
        root: DVec2,
        cone: &Cone,
        goal: Option<u32>,
        rounding: f64,
        mut see: impl FnMut(u32),
        mut enter: impl FnMut(Cone),
    ) {
        let entry = &self.sides[cone.side as usize];
        let (first, end) = (entry.first_beyond as usize, entry.end_beyond as usize);
        for (index, side) in (first..end).zip(&self.sides[first..end]) {
            let is_entry = index as u32 == entry.twin;
            if is_entry || goal.is_some_and(|goal| !side.gate.admits(goal)) {
                continue;
            }
            // Where the ends of the side are, seen along the rays. An end behind the entry is beside the cone; its
            // orientation could have the wrong sign, because a cone may be almost a half turn wide.
            let mut hidden = [0.0; 2];
            if IS_IRREGULAR {
                let back = &self.sides[entry.twin as usize];
                if back.is_ahead_of(side) {
                    continue;
                }
                hidden = back.hides(side);
            }
            let right_at = |ray: DVec2| match hidden[0] == 0.0 {
                true => orientation(root, ray, side.right),
                false => hidden[0],
            };
            let left_at = |ray: DVec2| match hidden[1] == 0.0 {
                true => orientation(root, ray, side.left),
                false => hidden[1],
            };
            let left_at_right = left_at(cone.right);
            let right_at_left = right_at(cone.left);
            // A root on a wall may have been moved beyond it, so that a corner along the wall is just outside.
            let reach = |ray: DVec2, end: DVec2| rounding * manhattan(end - ray);
            let is_left_of_right = |end: DVec2, at_right: f64| {
                let ray = cone.moved_right;
                let at_ray = at_moved(root, ray, cone.right, end, at_right);
                at_right > 0.0 || at_ray >= -reach(ray, end) && is_behind(root, ray, end, rounding)
            };
            let is_right_of_left = |end: DVec2, at_left: f64| {
                let ray = cone.moved_left;
                let at_ray = at_moved(root, ray, cone.left, end, at_left);
                at_left < 0.0 || at_ray <= reach(ray, end) && is_behind(root, ray, end, rounding)
            };
            let mut see_end = |end: usize| {
                if side.corners[end] != NONE && hidden[end] == 0.0 {
                    see(side.corners[end]);
                }
            };
            // A side beside the cone may touch a ray, with one end or, if it lies along the ray, with both. A side
            // of an irregular polygon may be seen from behind, so that only its farther end is beside the cone.
            if left_at_right <= 0.0 {
                let is_seen = is_left_of_right(side.left, left_at_right);
                if is_seen {
                    see_end(1);
                }
                if (is_seen || IS_IRREGULAR)
                    && is_left_of_right(side.right, right_at(cone.right))
                    && is_right_of_left(side.right, right_at_left)
                {
                    see_end(0);
                }
                continue;
            }
            if right_at_left >= 0.0 {
                let is_seen = is_right_of_left(side.right, right_at_left);
                if is_seen {
                    see_end(0);
                }
                if (is_seen || IS_IRREGULAR)
                    && is_right_of_left(side.left, left_at(cone.left))
                    && is_left_of_right(side.left, left_at_right)
                {
                    see_end(1);
                }
                continue;
            }
            let right_at_right = right_at(cone.right);
            let left_at_left = left_at(cone.left);
            if is_left_of_right(side.right, right_at_right) {
                see_end(0);
            }
            if is_right_of_left(side.left, left_at_left) {
                see_end(1);
            }
            let moved = |ray: DVec2, exact: DVec2, end: DVec2, at: f64, sign: f64| {
                let at_ray = at_moved(root, ray, exact, end, at) * sign;
                match limits_more(root, ray, end, at_ray, rounding) {
                    true => end,
                    false => ray,
                }
            };
            let narrowed = Cone {
                right: match right_at_right >= 0.0 {
                    true => side.right,
                    false => cone.right,
                },
                left: match left_at_left <= 0.0 {
                    true => side.left,
                    false => cone.left,
                },
                moved_right: moved(
                    cone.moved_right,
                    cone.right,
                    side.right,
                    right_at_right,
                    1.0,
                ),
                moved_left: moved(cone.moved_left, cone.left, side.left, left_at_left, -1.0),
                side: index as u32,
                depth: cone.depth + 1,
            };
            if narrowed.has_width(root) {
                enter(narrowed);
            }
        }
    }
}
