//! The polygon that a point in space stands on.

use glam::Vec3;

use super::NavMesh;
use super::surface::Nearest;
use super::tree::{Child, STACK, TreeChild};
use crate::ids::PolygonId;

/// A point on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// The polygon it lies in or on the border of.
    pub polygon: PolygonId,
    /// The point itself, on the polygon's ground.
    pub point: Vec3,
}

impl NavMesh {
    /// The polygon nearest to `place` within the box that reaches `snap` to each side of it, among
    /// those that `allowed` lets through.
    ///
    /// Each polygon offers its point nearest to `place` seen from above: straight below or above
    /// it, or else on the border. The offer that is nearest in space wins, the lower id among
    /// equals; offers outside the box do not count. So a point above a slope lands straight below
    /// itself, and of stacked floors the one nearest in height is taken.
    /// [`DEFAULT_SNAP`](crate::DEFAULT_SNAP) suits people-sized agents. `None` also for a `place`
    /// or `snap` that is not a number.
    pub fn locate(
        &self,
        place: Vec3,
        snap: Vec3,
        allowed: impl Fn(PolygonId) -> bool,
    ) -> Option<Location> {
        if !place.is_finite() || snap.is_nan() || self.tree.nodes().is_empty() {
            return None;
        }
        let mut best: Option<(f32, Location)> = None;
        let mut stack = [(TreeChild(0), 0.0); STACK];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (child, bound) = stack[height];
            if best.is_some_and(|(distance, _)| bound > distance) {
                continue;
            }
            let node = match child.read() {
                Child::Node(index) => &self.tree.nodes()[index],
                Child::Item(item) => {
                    if allowed(PolygonId(item)) {
                        self.offer(PolygonId(item), place, snap, &mut best);
                    }
                    continue;
                }
                Child::Nothing => continue,
            };
            let first = height;
            for (child, aabb) in node.children.into_iter().zip(node.boxes) {
                let gap = aabb.gap(place);
                if gap.cmple(snap).all() {
                    stack[height] = (child, gap.length_squared());
                    height += 1;
                }
            }
            // The nearest child is looked at first, so that the others can be passed over.
            if let Some(nearest) =
                (first..height).min_by(|&a, &b| stack[a].1.total_cmp(&stack[b].1))
            {
                stack.swap(nearest, height - 1);
            }
        }
        best.map(|(_, location)| location)
    }

    /// Takes a polygon's nearest point if it is better than the best so far.
    #[inline]
    fn offer(
        &self,
        polygon: PolygonId,
        place: Vec3,
        snap: Vec3,
        best: &mut Option<(f32, Location)>,
    ) {
        let point = match self.nearest_xz(polygon, place) {
            Nearest::Ground(point) => point,
            Nearest::Place(point) => {
                // Its height can only add to the distance, and is dear to find: on baked hills 1.1
                // instead of 2.3 polygons a location are asked for it, one of which is the answer.
                let aside = (point - place).with_y(0.0);
                if best.is_some_and(|(least, _)| aside.length_squared() > least)
                    || aside.abs().cmpgt(snap).any()
                {
                    return;
                }
                point.with_y(self.height_at(polygon, point))
            }
        };
        let distance = point.distance_squared(place);
        let is_better = best.is_none_or(|(least, location)| {
            distance < least || (distance == least && polygon < location.polygon)
        });
        if is_better && (point - place).abs().cmple(snap).all() {
            *best = Some((distance, Location { polygon, point }));
        }
    }
}
